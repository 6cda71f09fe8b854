"""Texts in other languages are told apart by the views of their English versions as they were before."""
from types import SimpleNamespace

import torch

from alignment import PAIRS, Alignment
from branches.decider import Decider
from branches.encoder import WIDTH


class Spelt(SimpleNamespace):
    first, last, pad = 1, 2, 0

    def __call__(self, text: str) -> list[int]: return [3 + int(n) % 900 for n in text.split()]


def decider() -> Decider:
    torch.manual_seed(3)
    return Decider(torch.nn.Embedding.from_pretrained(torch.randn(903, WIDTH) * 9), 1).eval()


def texts(long: int, short: int, other: int) -> list[dict[str, str]]:
    """Of numbers; the other language says the number that stands `other` texts further on."""
    said = [" ".join(str(i * 7 + k * 31) for k in range(40 if i < long else 6)) for i in range(long + short)]
    around = [*range(other, long), *range(min(other, long)), *range(long + other, long + short), *range(long, long + min(other, short))]
    return [{"en": said[i], "xx": said[j]} for i, j in zip(range(long + short), around)]


def test_short_and_long_texts_are_told_apart_among_their_like():
    both = Alignment(decider(), Spelt(), texts(40, 80, 0), 224)
    assert [(pairs, len(pile)) for pairs, pile in both.piles] == [(PAIRS[True], 80), (PAIRS[False], 40)]
    assert [len(pile) for _, pile in Alignment(decider(), Spelt(), texts(40, 10, 0), 224).piles] == [40]


def test_the_same_text_is_found_and_another_is_not():
    same, shifted = (Alignment(decider(), Spelt(), texts(40, 80, other), 224) for other in (0, 1))
    for step in (0, 1):
        assert same.loss(step).item() < shifted.loss(step).item() - 1
        assert same.loss(step).item() == same.loss(step).item()


def test_what_is_learnt_moves_the_reader_and_not_what_was_meant():
    model = decider()
    alignment = Alignment(model, Spelt(), texts(40, 80, 1), 224)
    before = [m.clone() for m in alignment.meant]
    optimiser = torch.optim.Adam([p for p in model.encoder.layers.parameters()], 1e-3)
    first = alignment.loss(0).item()
    for _ in range(5):
        optimiser.zero_grad()
        alignment.loss(0).backward()
        optimiser.step()
    assert alignment.loss(0).item() < first
    assert all(torch.equal(a, b) and not b.requires_grad for a, b in zip(before, alignment.meant))
