"""Questions without a known answer: what a teacher says of the English version of a text is right for the others too."""
from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate
from random import Random

import numpy as np
import torch

from branches.batch import Packer, collate
from branches.decider import Decider
from branches.device import mixed, moved
from corpus import Corpus
from render.question import Option, Question
from render.written import from_set, state

ASKED = 4               # questions of a text
OWN = .3                # how often a question is one that was written for the text
MANY = .5               # how often a question is one that exists in many languages
HOME = .8               # how often such a question is put in the language of the text


def english(rows: Iterable[dict]) -> list[dict]: return [row for row in rows if row["lang"] == "en"]


def put(question: dict, lang: str) -> Question:
    """A question that exists in many languages, in one of them; its answer is not known."""
    wording, *names = question["in"][lang]
    options = names[0] if names else ("yes", "no")
    return Question(question["type"], wording, tuple(Option(name) for name in options), (0.,) * len(options))


class Echo:
    """Draws texts in any language, long ones more often, with questions that were written for other texts or for any, and the teacher's answers to them."""

    def __init__(self, teacher: Decider, pack: Packer, corpus: Corpus, harder: dict[str, float], rng: Random) -> None:
        """pack: as the teacher reads; harder: languages that come so many times as often."""
        self.teacher, self.pack, self.harder, self.rng = teacher.eval(), pack, harder, rng
        own = {row["state"]: row for row in english(corpus.written["train"]) if isinstance(row["state"], str)}
        self.texts = [(text, own.get(text["en"])) for text in corpus.parallel]
        self.weights = list(accumulate(len(text["en"]) for text, _ in self.texts))
        self.written, self.many = english(corpus.written["train"]), corpus.asked
        self.small = [task for task in corpus.small["train"] if task["lang"] == "en" and task["rows"]]

    def questions(self, own: dict | None, lang: str) -> list[tuple[Question, Question]]:
        """As the teacher is asked, and as the text in the other language is."""
        rng, out = self.rng, []
        while len(out) < ASKED:
            if self.many and rng.random() < MANY:
                question = rng.choice(self.many)
                out.append((put(question, "en"), put(question, lang if lang in question["in"] and rng.random() < HOME else rng.choice(list(question["in"])))))
                continue
            if own and rng.random() < OWN: found = state(own, rng, 1)[1]
            elif rng.random() < .5: found = state(rng.choice(self.written), rng, 1)[1]
            else: found = from_set(task := rng.choice(self.small), rng.choice(task["rows"]), rng)[1]
            out += [(q, q) for q in found[:1]]
        return out

    @torch.no_grad()
    def row(self) -> tuple[str, list[Question]]:
        text, own = self.rng.choices(self.texts, cum_weights=self.weights)[0]
        others = [lang for lang in text if lang != "en"]
        lang = self.rng.choices(others, [self.harder.get(lang, 1) for lang in others])[0]
        asked = self.questions(own, lang)
        packed = self.pack(text["en"], [q for q, _ in asked], [str(i) for i in range(len(asked))])
        if not packed: return "", []
        tokens = self.pack.tokens
        b = moved(collate([packed], tokens.first, tokens.last, tokens.pad))
        with mixed(): logits = self.teacher(b)[0][0].float()
        said = [torch.softmax(logits[b["owner"][0] == i], 0).cpu().numpy().astype(float) for i in range(len(packed.tags))]
        return text[lang], [replace(asked[int(tag)][1], target=tuple(np.asarray(p) / p.sum())) for tag, p in zip(packed.tags, said)]
