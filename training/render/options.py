"""Choice options out of labels: how many, which distractors, how spelt, with or without descriptions."""
import re
from collections import Counter
from functools import cache
from random import Random

import numpy as np

from .question import Option, Question, choice
from .spelling import spell, style, words

NONE_OF_THESE = ("none of these", "none of the above", "other", "something else", "no match", "none", "not listed", "anything else")
SIZES = (1, 2, 2, 3, 3, 4, 5, 6, 8, 11)
MANY = (20, 30, 45, 80)
CROWD = .05         # how often there are so many: a row costs the square of its options while it is learnt
NEAR = .5           # how often the wrong options are those most like the right one
TEMPTED = .7        # how often a wrong option that was named as the most tempting one is on offer
GENERIC = ("", "Which label fits?", "Classify the text.", "Which option fits best?", "Pick the best option.", "What is this?", "Category",
           "Which of these applies?", "Choose the right label for the text.", "Label", "What is this about?", "Which one describes the text?")


def shown(names: list[str], descriptions: dict[str, str], rng: Random) -> list[Option]:
    """One spelling for all; bare, described, description alone, or letters with descriptions."""
    how, manner = rng.random(), style(rng)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    out = []
    for i, name in enumerate(names):
        text, description = spell(name, manner), descriptions.get(name)
        if not description or how < .5: out.append(Option(text))
        elif how < .82: out.append(Option(text, description))
        elif how < .93 or len(names) > 26: out.append(Option(description))
        else: out.append(Option(letters[i], f"{text}, {description}" if how < .97 else description))
    return out


@cache
def stems(text: str) -> frozenset[str]:
    """How the words of a label begin, so that "transfers" and "transferred" are one."""
    return frozenset(word[:5] for word in re.findall(r"\w+", words(text).lower()) if len(word) > 2)


def nearest(right: str, others: list[str], descriptions: dict[str, str], rng: Random) -> list[str]:
    """The other labels, first those whose names or descriptions share words with the right one's that few labels have: random ones are told apart by their topic alone."""
    of = {name: stems(name) | stems(descriptions.get(name) or "") for name in (right, *others)}
    among = Counter(stem for each in of.values() for stem in each)
    alike = {name: sum(1 / among[stem] for stem in of[right] & of[name]) / (1 + len(of[name])) ** .5 for name in others}
    return sorted(others, key=lambda name: alike[name] + .03 * rng.random(), reverse=True)


def distractors(right: str, pool: list[str], descriptions: dict[str, str], aliens: list[str], rng: Random, beside: str | None = None) -> list[str]:
    """Wrong options. beside: the label that this very text is most easily taken for, if somebody said which."""
    wrong = [p for p in pool if p != right]
    few = len(wrong) <= 4
    size = len(wrong) if few and rng.random() < .7 else min(len(wrong), rng.choice(SIZES))
    if rng.random() < CROWD: size = min(len(wrong), rng.choice(MANY))
    wrong = nearest(right, wrong, descriptions, rng)[:size] if rng.random() < NEAR else rng.sample(wrong, size)
    if beside in pool and beside not in wrong and rng.random() < TEMPTED: wrong = [*wrong[1:], beside]
    if aliens and rng.random() < .12: wrong += [a for a in rng.sample(aliens, rng.randint(1, 4)) if a not in pool]
    return wrong


def build(wording: str, right: str, pool: list[str], descriptions: dict[str, str], votes: dict[str, float] | None,
          aliens: list[str], rng: Random, fixed: bool = False, bound: bool = False, beside: str | None = None) -> Question:
    """fixed: the pool belongs to the row and is shown whole; bound: the wording holds what the labels are about, and stays."""
    wrong = [p for p in pool if p != right] if fixed else distractors(right, pool, descriptions, aliens, rng, beside)
    free = not fixed and not {words(name).lower() for name in pool} & set(NONE_OF_THESE)        # the set has no such label of its own
    absent = free and len(pool) > 3 and len(wrong) > 1 and rng.random() < .08
    offered = free and not absent and rng.random() < .06               # "none of these" on offer, and wrong
    if absent and votes:                                               # what some hold to be right is no wrong option
        doubtful = {name for name, n in votes.items() if n > .1 * sum(votes.values())}
        wrong = [name for name in wrong if name not in doubtful] or wrong
    names = wrong + ([] if absent else [right])
    options = [Option(n) for n in names] if fixed else shown(names, descriptions, rng)
    if absent or offered: options.append(Option(rng.choice(NONE_OF_THESE)))
    sure = .95 if absent else .97
    p = np.full(len(options), (1 - sure) / max(1, len(options) - 1))
    p[-1 if absent or not offered else -2] = sure
    if votes and not absent:
        v = np.array([votes.get(n, 0) for n in names] + [0] * offered, float)
        if v.sum() > 0: p = v / v.sum()
    if not (fixed or bound) and rng.random() < .1: wording = rng.choice(GENERIC)
    return choice(wording, options, p, rng)
