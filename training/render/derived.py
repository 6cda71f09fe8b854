"""Yes/no questions that follow from a choice: does this option apply, or that one?"""
from random import Random

from .options import NONE_OF_THESE
from .question import Option, Question, noul

ABOUT_NAME = ("Is it {x}?", "Is the label {x}?", "Does \"{x}\" fit?", "Would you label this {x}?", "This is {x}.", "Category: {x}",
              "Does this belong to {x}?", "The right label is {x}.", "Is \"{x}\" the best answer?", "{x}")
ABOUT_DESCRIPTION = ("Does this fit the text: {x}?", "Is this true of the text: {x}?", "{x}", "The following applies: {x}.", "Does this apply? {x}")
WITH_QUESTION = ("{q} Is it \"{x}\"?", "{q} {x}?", "\"{q}\" Is the answer {x}?", "{q} The answer is {x}.")


def applies(question: Question, rng: Random, bound: bool = False) -> Question | None:
    """A choice -> whether one of its options holds; yes and no equally often. bound: the options say nothing without the question."""
    best = max(range(len(question.target)), key=question.target.__getitem__)
    lists = [option.name in NONE_OF_THESE for option in question.options]       # what they leave out is no longer there
    others = [i for i in range(len(question.target)) if i != best and question.target[i] < .2 and not lists[i]]
    if not others or lists[best]: return None
    at = best if rng.random() < .5 else rng.choice(others)
    option = question.options[at]
    yes = min(max(question.target[at], .03), .97)
    return noul(wording(question, option, rng, bound), yes)


def wording(question: Question, option: Option, rng: Random, bound: bool) -> str:
    """Whether an option applies, in words: by its name, its description or both, with the question or without. bound: with the question, if it has a wording."""
    letter = len(option.name) == 1 and option.description
    if not bound and option.description and (letter or rng.random() < .4): return rng.choice(ABOUT_DESCRIPTION).format(x=option.description)
    x = option.description if letter else option.name if not option.description or rng.random() < .6 else option.text
    if question.wording and (bound or rng.random() < .6): return rng.choice(WITH_QUESTION).format(q=question.wording, x=x)
    return rng.choice(ABOUT_NAME).format(x=x)
