"""A shipped bundle back as a checkpoint that training goes on from: int8 weights times their scales."""
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from .encoder import WIDTH

# The exporter gives transposed constants a number for a name; these come in the order in which the graph uses them.
SQUARE = ("view", "product", *(f"peers.{i}.{part}" for i in range(2) for part in ("qkv", "o", "up", "down")))
COLUMN = ("score", "gate")
FUSED = {"qkv": "encoder.layers", "lower": "encoder.words.lower.layers"}


def number(name: str) -> int:
    """The number at the end of a name that the exporter gave."""
    return int(name.split("_")[-1].split(".")[0])


def arrays_of(file: Path) -> dict[str, np.ndarray]:
    """The constants of a graph by name, those outside its file too."""
    return {t.name: numpy_helper.to_array(t) for t in onnx.load(file).graph.initializer}


def wide(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The matrices of products, [out, in]."""
    return {n.removesuffix(".int8"): (a.astype(np.float32) * arrays[n.replace(".int8", ".scale")]).T for n, a in arrays.items() if n.endswith(".int8") and n != "words.int8"}


def segments(arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Added to word vectors: the exporter adds up what comes before."""
    return [arrays[n] for n in sorted((n for n in arrays if n.startswith("onnx::Add") and arrays[n].shape == (WIDTH,)), key=number)]


def named(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Parameters whose names tell what they are."""
    out = {n.removeprefix("decider."): a for n, a in arrays.items() if n.startswith("decider.") and not n.endswith((".int8", ".scale"))}
    for name, a in wide(arrays).items():
        if name.startswith("decider."): out[name.removeprefix("decider.")] = a
        kind, _, layer = name.partition(".")
        if kind not in FUSED: continue
        layer = layer.removesuffix(".weight")
        for part, w, b in zip("qkv", np.split(a, 3), np.split(arrays[f"{kind}.{layer}.bias"], 3)):
            out[f"{FUSED[kind]}.{layer}.{part}.weight"], out[f"{FUSED[kind]}.{layer}.{part}.bias"] = w, b
    return out


def state(folder: Path) -> dict[str, torch.Tensor]:
    """The parameters of a Decider but its tables of word vectors. folder: a bundle of this family."""
    arrays = arrays_of(folder / "model.onnx")
    out, matrices = named(arrays), wide(arrays)
    nameless = sorted((n for n in matrices if n.startswith("onnx::")), key=number)
    out |= {f"{name}.weight": matrices[n] for name, n in zip(SQUARE, nameless, strict=True)}
    small = sorted((n for n in arrays if n.startswith("onnx::MatMul") and not n.endswith((".int8", ".scale"))), key=number)
    level, *columns = small
    out["level.weight"] = arrays[level].T
    out |= {f"{name}.weight": arrays[n].T for name, n in zip(COLUMN, columns, strict=True)}
    branch, text = segments(arrays)
    out["encoder.segments.weight"] = np.stack((text, branch))
    if (folder / "front.onnx").exists():
        front = arrays_of(folder / "front.onnx")
        out |= named(front) | {"encoder.words.lower.segments.weight": np.stack(segments(front) * 2)}       # a text alone has one segment
    return {k: torch.from_numpy(np.array(v, np.float32)) for k, v in out.items()}
