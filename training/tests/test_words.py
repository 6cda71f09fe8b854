from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from branches import export, quantise, recover
from branches.decider import Decider
from branches.encoder import WIDTH, PieceVectors

OLD, NEW = 1600, 3


def start(count: int, seed: int) -> Decider:
    torch.manual_seed(seed)
    words = PieceVectors(torch.randn(count, 16), torch.arange(count) < 40, torch.randn(count, WIDTH) * .1)
    with torch.no_grad(): words.shift.weight.normal_(std=.1)
    return Decider(words, 1).eval()


def shipped(decider: Decider, pieces: dict[str, int], folder: Path, words: quantise.Words | None = None) -> Path:
    folder.mkdir()
    export.export(decider, 1, 2, folder, words)
    Tokenizer(WordLevel(pieces, unk_token="w0")).save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def bundle(tmp_path_factory) -> Path:
    return shipped(start(OLD, 1), {f"w{i}": i for i in range(OLD)}, tmp_path_factory.mktemp("words") / "old")


@pytest.fixture
def grown() -> tuple[Decider, dict[str, int]]:
    """A start with words more, that stand among the others."""
    names = [*(f"w{i}" for i in range(50)), *(f"new{i}" for i in range(NEW)), *(f"w{i}" for i in range(50, OLD))]
    return start(OLD + NEW, 2), {name: i for i, name in enumerate(names)}


def test_words_that_a_bundle_lacks_keep_the_vectors_of_the_start(bundle, grown):
    decider, pieces = grown
    words, added = decider.encoder.words, torch.tensor([pieces[f"new{i}"] for i in range(NEW)])
    begun = words.alone(added).detach()
    decider.load_state_dict(recover.words(bundle, pieces, words), strict=False)
    assert torch.allclose(words.alone(added), begun, atol=1e-4)
    packed, scale = recover.vectors(bundle)
    assert torch.allclose(words.alone(torch.tensor([pieces["w700"]]))[0], torch.from_numpy(packed[700] * scale[700].astype(np.float32)), atol=1e-4)


def test_a_bundle_grows_and_the_words_it_had_stay_to_the_byte(bundle, grown, tmp_path):
    decider, pieces = grown
    begun = decider.encoder.words.alone(torch.tensor([pieces["new1"]]))[0].detach().numpy()
    more = shipped(decider, pieces, tmp_path / "more", quantise.Words(bundle, pieces))
    (packed, scale), (old, _) = recover.vectors(more), recover.vectors(bundle)
    assert len(packed) == OLD + NEW
    for i in range(OLD): assert np.array_equal(packed[pieces[f"w{i}"]], old[i])
    np.testing.assert_allclose(packed[pieces["new1"]] * scale[pieces["new1"]].astype(np.float32), begun, atol=.01)
