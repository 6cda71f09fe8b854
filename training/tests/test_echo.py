"""What a teacher says of the English text is what is right for the others."""
from random import Random
from types import SimpleNamespace

import numpy as np
import torch

from branches.batch import Packer, collate
from branches.decider import Decider
from branches.encoder import WIDTH, PieceVectors
from corpus import Corpus
from echo import ASKED, Echo


class Spelt(SimpleNamespace):
    first, last, pad = 1, 2, 0

    def __call__(self, text: str) -> list[int]: return [3 + sum(map(ord, word)) % 900 for word in text.split()]


def echo(**harder: float) -> Echo:
    torch.manual_seed(4)
    teacher = Decider(PieceVectors(torch.randn(903, 16), torch.ones(903, dtype=torch.bool), torch.randn(903, WIDTH)), 1)
    asked = [{"type": "choice", "q": "what is it", "options": ["a tree", "a house", "a river"], "a": "a tree"}, {"type": "noul", "q": "is it old", "a": True},
             {"type": "score", "q": "how tall", "levels": ["low", "middling", "tall"], "a": 2}]
    corpus = Corpus([], parallel=[{"en": f"tree number {i}", "de": f"Baum Nummer {i}", "ko": f"나무 번호 {i}"} for i in range(9)])
    corpus.written["train"] = [{"lang": "en", "state": f"tree number {i}", "questions": asked} for i in range(4)]
    corpus.small["train"] = [{"set": "trees", "kind": "choice", "lang": "en", "questions": ["which tree"], "labels": {"oak": None, "elm": None}, "rows": [["an oak", "oak"]]}]
    return Echo(teacher, Packer(Spelt()), corpus, harder, Random(5))


def test_answers_are_those_of_the_teacher_about_the_english_text():
    e = echo()
    for _ in range(20):
        text, questions = e.row()
        assert len(questions) == ASKED and not text.startswith("tree")
        said = e.pack(f"tree number {text.split()[-1]}", questions)
        b = collate([said], 1, 2, 0)
        with torch.no_grad(): logits = e.teacher(b)[0][0].float()
        for i, q in enumerate(questions):
            np.testing.assert_allclose(q.target, torch.softmax(logits[b["owner"][0] == i], 0).numpy(), atol=1e-4)
            assert max(q.target) < .999


def test_a_harder_language_comes_more_often():
    e = echo(ko=9.0)
    drawn = [e.row()[0] for _ in range(60)]
    assert sum(text.startswith("나무") for text in drawn) > 40 > 3 * sum(text.startswith("Baum") for text in drawn) > 0
