from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from branches import export, quantise, recover
from branches.decider import Decider
from branches.encoder import WIDTH, PieceVectors
from branches.vectors import BLOCK, Vectors

OLD, NEW = 1600, 3


def start(count: int, seed: int) -> Decider:
    torch.manual_seed(seed)
    words = PieceVectors(torch.randn(count, 16), torch.arange(count) < 40, torch.randn(count, WIDTH) * .1)
    with torch.no_grad(): words.shift.weight.normal_(std=.1)
    return Decider(words, 1).eval()


def shipped(decider: Decider, pieces: dict[str, int], folder: Path, bits: int, words: quantise.Words | None = None) -> Path:
    folder.mkdir()
    export.export(decider, 1, 2, folder, words, bits)
    Tokenizer(WordLevel(pieces, unk_token="w0")).save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module", params=(8, 4))
def bits(request) -> int:
    return request.param


@pytest.fixture(scope="module")
def bundle(tmp_path_factory, bits) -> Path:
    return shipped(start(OLD, 1), {f"w{i}": i for i in range(OLD)}, tmp_path_factory.mktemp("words") / "old", bits)


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
    assert torch.allclose(words.alone(torch.tensor([pieces["w700"]]))[0], torch.from_numpy(recover.vectors(bundle).rows()[700]), atol=1e-4)


def test_told_words_keep_the_vectors_of_the_start_whatever_a_checkpoint_has_for_them(bundle, grown):
    decider, pieces = grown
    words, other = decider.encoder.words, start(OLD + NEW, 2).encoder.words
    with torch.no_grad():
        for p in other.parameters(): p.add_(.1)
    words.told[[pieces["w700"], pieces["w900"]]] = True
    ids = words.told.nonzero()[:, 0]
    begun = words.alone(ids).detach()
    other.group.fill_(3)
    trained = {f"encoder.words.{name}": value for name, value in other.state_dict().items()}
    for state in (recover.words(bundle, pieces, words), trained | recover.told(trained, words)):
        again = start(OLD + NEW, 2)
        again.load_state_dict(state, strict=False)
        assert torch.allclose(again.encoder.words.alone(ids), begun, atol=1e-4)
        assert not again.encoder.words.group[ids].any()
    assert torch.allclose(again.encoder.words.alone(torch.tensor([pieces["w800"]])), other.alone(torch.tensor([pieces["w800"]])), atol=1e-4)


def test_a_bundle_grows_and_the_words_it_had_stay_to_the_byte(bundle, bits, grown, tmp_path):
    decider, pieces = grown
    begun = decider.encoder.words.alone(torch.tensor([pieces["new1"]]))[0].detach().numpy()
    more = recover.vectors(shipped(decider, pieces, tmp_path / "more", bits, quantise.Words(bundle, pieces)))
    old = recover.vectors(bundle)
    assert len(more.rows()) == OLD + NEW and more.parts.keys() == old.parts.keys()
    for name, part in old.parts.items():
        for i in range(OLD): assert np.array_equal(more.parts[name][pieces[f"w{i}"]], part[i])
    np.testing.assert_allclose(more.rows()[pieces["new1"]], begun, atol=.01 if bits == 8 else .2)


def test_a_graph_looks_up_the_vectors_that_it_holds(bundle):
    graph = onnx.load(bundle / "model.onnx").graph
    packed = Vectors.of(graph)
    ids = np.array([[0, 700], [OLD - 1, 3]])
    look = onnx.helper.make_graph(packed.look_up("ids", "out", "word"), "look", [onnx.helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, (2, 2))],
                                  [onnx.helper.make_tensor_value_info("out", onnx.TensorProto.FLOAT, (2, 2, WIDTH))], packed.tensors())
    model = onnx.helper.make_model(look, opset_imports=[onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("com.microsoft", 1)], ir_version=9)
    seen = onnxruntime.InferenceSession(model.SerializeToString()).run(["out"], {"ids": ids})[0]
    np.testing.assert_allclose(seen, packed.rows()[ids], atol=2e-3)


@pytest.mark.parametrize("most, bits", ((.01, 8), (.09, 4)))
def test_packed_vectors_are_near_what_they_were(most, bits):
    rows = np.random.default_rng(3).normal(size=(500, WIDTH)).astype(np.float32)
    packed = Vectors.pack(rows, bits)
    assert np.linalg.norm(packed.rows() - rows) / np.linalg.norm(rows) < most
    assert sum(part[0].nbytes for part in packed.parts.values()) <= (WIDTH + 2 if bits == 8 else WIDTH // 2 + WIDTH // BLOCK * 2.5)
