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
from render.question import Question
from render.written import from_set, state

ASKED = 4               # questions of a text
OWN = .3                # how often a question is one that was written for the text


def english(rows: Iterable[dict]) -> list[dict]: return [row for row in rows if row["lang"] == "en"]


class Echo:
    """Draws texts in any language, long ones more often, with questions that were written for other texts, and the teacher's answers to them."""

    def __init__(self, teacher: Decider, pack: Packer, corpus: Corpus, harder: dict[str, float], rng: Random) -> None:
        """pack: as the teacher reads; harder: languages that come so many times as often."""
        self.teacher, self.pack, self.harder, self.rng = teacher.eval(), pack, harder, rng
        own = {row["state"]: row for row in english(corpus.written["train"]) if isinstance(row["state"], str)}
        self.texts = [(text, own.get(text["en"])) for text in corpus.parallel]
        self.weights = list(accumulate(len(text["en"]) for text, _ in self.texts))
        self.written = english(corpus.written["train"])
        self.small = [task for task in corpus.small["train"] if task["lang"] == "en" and task["rows"]]

    def questions(self, own: dict | None) -> list[Question]:
        rng, out = self.rng, []
        while len(out) < ASKED:
            if own and rng.random() < OWN: found = state(own, rng, 1)[1]
            elif rng.random() < .5: found = state(rng.choice(self.written), rng, 1)[1]
            else: found = from_set(task := rng.choice(self.small), rng.choice(task["rows"]), rng)[1]
            out += found[:1]
        return out

    @torch.no_grad()
    def row(self) -> tuple[str, list[Question]]:
        text, own = self.rng.choices(self.texts, cum_weights=self.weights)[0]
        asked = self.questions(own)
        packed = self.pack(text["en"], asked, [str(i) for i in range(len(asked))])
        if not packed: return "", []
        tokens = self.pack.tokens
        b = moved(collate([packed], tokens.first, tokens.last, tokens.pad))
        with mixed(): logits = self.teacher(b)[0][0].float()
        said = [torch.softmax(logits[b["owner"][0] == i], 0).cpu().numpy().astype(float) for i in range(len(packed.tags))]
        others = [lang for lang in text if lang != "en"]
        lang = self.rng.choices(others, [self.harder.get(lang, 1) for lang in others])[0]
        return text[lang], [replace(asked[int(tag)], target=tuple(np.asarray(p) / p.sum())) for tag, p in zip(packed.tags, said)]
