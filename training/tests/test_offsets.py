"""Pieces of one language share an offset, in training, in the served graph, and back out of a bundle."""
from collections import Counter
from types import SimpleNamespace

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from branches import export, offsets, recover
from branches.decider import Decider
from branches.encoder import WIDTH, PieceVectors
from branches.serving import Serving


def test_a_piece_is_at_home_where_it_is_frequent():
    pieces = {"<s>": 1, "</s>": 2, "<pad>": 0, "▁het": 3, "▁parcel": 4, "택": 5, "▁in": 6, "!": 7, "▁de": 8}
    tokens = SimpleNamespace(vocabulary=lambda: pieces, first=1, last=2, pad=0)
    seen = {"en": Counter({6: 900, 4: 3, 7: 80, 8: 17}), "nl": Counter({3: 500, 6: 400, 7: 90, 4: 9, 8: 60}), "fr": Counter({8: 700, 7: 70, 6: 9})}
    assert offsets.languages(tokens, seen) == {3: "nl", 5: "ko", 8: "fr"}


def test_offsets_are_served_and_come_back_out_of_a_bundle(tmp_path):
    torch.manual_seed(2)
    pieces = {f"w{i}": i for i in range(1600)}
    words = PieceVectors(torch.randn(1600, 16), torch.arange(1600) < 40, torch.randn(1600, WIDTH) * .1)
    words.group[100:150], words.group[150:] = 1, 2
    decider = Decider(words, 1).eval()
    with torch.no_grad():
        for p in decider.parameters(): p.add_(torch.randn_like(p) * .01)
        words.offset.weight.zero_()[1:3] = torch.randn(2, WIDTH)
    ids = torch.tensor([5, 60, 120, 160])
    np.testing.assert_allclose((words(ids) - words.alone(ids)).detach(), words.offset.weight[[0, 0, 1, 2]].detach(), atol=1e-5)

    inputs = {name: value.numpy() for name, value in zip(export.INPUTS, export.example())}
    plain = Serving(decider, 1, 2)(*map(torch.from_numpy, inputs.values()))[0].detach()
    export.export(decider, 1, 2, tmp_path)
    Tokenizer(WordLevel(pieces, unk_token="w0")).save(str(tmp_path / "tokenizer.json"))
    logits = onnxruntime.InferenceSession(str(tmp_path / "model.onnx")).run(["logits"], inputs)[0]
    decider.encoder.words = words
    with torch.no_grad(): words.offset.weight.zero_()
    without = Serving(decider, 1, 2)(*map(torch.from_numpy, inputs.values()))[0].detach()
    assert np.abs(logits - plain.numpy()).max() < np.abs(logits - without.numpy()).max() / 3

    back = recover.words(tmp_path, pieces, words)
    assert torch.equal(back["encoder.words.group"], words.group)
    assert back["encoder.words.offset.weight"][1:3].abs().min() > 0 and not back["encoder.words.offset.weight"][3:].any()
    assert not recover.state(tmp_path).keys() & back.keys()
