"""A shipped bundle back as a checkpoint that training goes on from: int8 weights times their scales."""
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from .encoder import GROUPS, WIDTH, PieceVectors
from .tokens import WordPieces
from .vectors import Vectors

# The exporter gives transposed constants a number for a name; these come in the order in which the graph uses them.
SQUARE = ("view", "product", *(f"peers.{i}.{part}" for i in range(2) for part in ("qkv", "o", "up", "down")))
COLUMN = ("score", "gate")
GROUP, OFFSETS = "decider.encoder.words.group", "decider.encoder.words.offset.weight"


def number(name: str) -> int:
    return int(name.split("_")[-1].split(".")[0])


def state(folder: Path) -> dict[str, torch.Tensor]:
    """The parameters of a Decider but its word vectors. folder: a bundle of this family."""
    graph = onnx.load(folder / "model.onnx").graph
    arrays = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    wide = {n.removesuffix(".int8"): (a.astype(np.float32) * arrays[n.replace(".int8", ".scale")]).T
            for n, a in arrays.items() if n.endswith(".int8") and n != "words.int8"}
    out = {n.removeprefix("decider."): a for n, a in arrays.items() if n.startswith("decider.") and not n.startswith("decider.encoder.words.") and not n.endswith((".int8", ".scale"))}
    for name, a in wide.items():
        if name.startswith("decider."): out[name.removeprefix("decider.")] = a
        if not name.startswith("qkv."): continue
        layer = name.split(".")[1]
        for part, w, b in zip("qkv", np.split(a, 3), np.split(arrays[f"qkv.{layer}.bias"], 3)):
            out[f"encoder.layers.{layer}.{part}.weight"], out[f"encoder.layers.{layer}.{part}.bias"] = w, b
    nameless = sorted((n for n in wide if n.startswith("onnx::")), key=number)
    out |= {f"{name}.weight": wide[n] for name, n in zip(SQUARE, nameless, strict=True)}
    small = sorted((n for n in arrays if n.startswith("onnx::MatMul") and not n.endswith((".int8", ".scale"))), key=number)
    level, *columns = small
    out["level.weight"] = arrays[level].T
    out |= {f"{name}.weight": arrays[n].T for name, n in zip(COLUMN, columns, strict=True)}
    branch, text = (arrays[n] for n in sorted((n for n in arrays if n.startswith("onnx::Add") and arrays[n].shape == (WIDTH,)), key=number))
    out["encoder.segments.weight"] = np.stack((text, branch))
    return {k: torch.from_numpy(np.array(v, np.float32)) for k, v in out.items()}


def vectors(folder: Path) -> Vectors:
    """The word vectors of a bundle."""
    return Vectors.of(onnx.load(folder / "model.onnx").graph)


def rows(folder: Path, pieces: dict[str, int]) -> tuple[torch.Tensor, torch.Tensor]:
    """The pieces that a bundle shares with another vocabulary: their rows there and in the bundle."""
    both = [(pieces[piece], row) for piece, row in WordPieces(folder / "tokenizer.json").vocabulary().items() if piece in pieces]
    here, there = (torch.tensor(ids) for ids in zip(*both))
    return here, there


@torch.no_grad()
def words(folder: Path, pieces: dict[str, int], start: PieceVectors) -> dict[str, torch.Tensor]:
    """The map and the shifts that made the word vectors of a bundle out of the table of a start, where its pieces are not `known`, and the offsets of
    their groups. pieces: the row of each piece in the table; those that the bundle does not know or that are `told` keep the vectors they have in the start, and have no group."""
    shipped = torch.from_numpy(vectors(folder).rows())
    here, there = rows(folder, pieces)
    kept = ~start.told[here]
    here, there = here[kept], there[kept]
    vector = start.alone(torch.arange(len(start.table))).float()
    vector[here] = shipped[there]
    x = torch.cat([start.table.float(), torch.ones(len(start.table), 1)], 1)
    learnt = here[~start.known[here]]
    fit = torch.linalg.lstsq(x[learnt], vector[learnt]).solution
    shift = torch.where(start.known[:, None], 0, vector - x @ fit)
    group, offset = torch.zeros(len(start.table), dtype=torch.uint8), torch.zeros(GROUPS, WIDTH)
    arrays = {t.name: numpy_helper.to_array(t) for t in onnx.load(folder / "model.onnx").graph.initializer if t.name in (GROUP, OFFSETS)}
    if arrays:
        group[here] = torch.from_numpy(arrays[GROUP].copy())[there]
        offset[:len(arrays[OFFSETS])] = torch.from_numpy(arrays[OFFSETS].copy())
    return {"encoder.words.map.weight": fit[:-1].T.contiguous(), "encoder.words.map.bias": fit[-1].clone(), "encoder.words.shift.weight": shift,
            "encoder.words.group": group, "encoder.words.offset.weight": offset}


@torch.no_grad()
def told(state: dict[str, torch.Tensor], start: PieceVectors) -> dict[str, torch.Tensor]:
    """The shifts and groups of a checkpoint, but for pieces that are `told`: these keep the vectors they have in the start, and have no group."""
    weight, bias, shift, group = (state[f"encoder.words.{name}"] for name in ("map.weight", "map.bias", "shift.weight", "group"))
    shift, group = shift.clone(), group.clone()
    shift[start.told] = start.alone(start.told.nonzero()[:, 0]).float() - torch.nn.functional.linear(start.table[start.told].float(), weight, bias)
    group[start.told] = 0
    return {"encoder.words.shift.weight": shift, "encoder.words.group": group}
