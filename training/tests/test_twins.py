"""A question in another language is to see in a text what its English version sees."""
from random import Random
from types import SimpleNamespace

import torch

from branches.batch import Packer
from branches.decider import Decider
from branches.encoder import WIDTH
from twins import ASKED, Twins

class Spelt(SimpleNamespace):
    first, last, pad = 1, 2, 0

    def __call__(self, text: str) -> list[int]: return [3 + (int(word) if word.isdigit() else 890 + len(word)) % 900 for word in text.split()]


NAMES = [f"{k} {k + 1}" for k in range(300, 306)]


def decider() -> Decider:
    torch.manual_seed(3)
    return Decider(torch.nn.Embedding.from_pretrained(torch.randn(903, WIDTH) * 9), 2)


def twins(model: Decider, shift: int, **harder: float) -> Twins:
    """Of numbers; the other language says each that many further on. The text's own questions are those from 700 on."""
    def said(numbers): return " ".join(map(str, numbers))
    texts = [{"en": said(range(i, i + 9)), "xx": said(range(i + shift, i + 9 + shift)), "yy": said(range(i, i + 9))} for i in range(0, 90, 9)]
    def asked(at): return {"type": "choice", "in": {lang: [said(range(at + move, at + move + 5)), [said([int(n) + move for n in name.split()]) for name in NAMES[:3]]] for lang, move in (("en", 0), ("xx", shift))}}
    return Twins(model, Packer(Spelt()), texts, [*map(asked, range(100, 200, 5)), *map(asked, range(700, 800, 10))],
                 [{"state": texts[0]["en"], "questions": [{"q": said(range(at, at + 5))} for at in range(700, 800, 10)]}], harder)


def test_the_same_words_are_told_apart_and_others_are_not():
    model = decider()
    same, other = twins(model, 0), twins(model, 400)
    for step in (0, 1):
        assert same.loss(step).item() < other.loss(step).item() - .5
        assert same.loss(step).item() == same.loss(step).item()


def test_a_text_is_asked_everything_twice_in_the_same_order():
    rng, drawn = Random(4), twins(decider(), 400, xx=9.0)
    for _ in range(40):
        row = drawn.row(rng)
        assert len(row.questions) == 2 * ASKED
        for (first, options, *_), (second, others, *_) in zip(row.questions[:ASKED], row.questions[ASKED:]):
            assert len(options) == len(others)
            assert {(b - a) % 900 for a, b in zip(first[-4:], second[-4:])} <= {0, 400}


def test_own_questions_come_more_often_about_their_text():
    rng, drawn = Random(5), twins(decider(), 400)
    own = [row.questions[i][0][1] >= 703 for row in (drawn.row(rng) for _ in range(200)) if row.windows[0][1] in (3, 403) for i in range(ASKED)]
    assert sum(own) > len(own) / 2 > 0


def test_what_is_learnt_brings_them_together():
    model = decider()
    shifted = twins(model, 400)
    optimiser = torch.optim.Adam(model.encoder.layers.parameters(), 1e-3)
    first = shifted.loss(0).item()
    for _ in range(5):
        optimiser.zero_grad()
        shifted.loss(0).backward()
        optimiser.step()
    assert shifted.loss(0).item() < first
