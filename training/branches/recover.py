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
    return int(name.split("_")[-1].split(".")[0])


def state(folder: Path) -> dict[str, torch.Tensor]:
    """The parameters of a Decider but its tables of word vectors. folder: a bundle of this family."""
    graph = onnx.load(folder / "model.onnx").graph
    arrays = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    wide = {n.removesuffix(".int8"): (a.astype(np.float32) * arrays[n.replace(".int8", ".scale")]).T
            for n, a in arrays.items() if n.endswith(".int8") and n != "words.int8"}
    out = {n.removeprefix("decider."): a for n, a in arrays.items() if n.startswith("decider.") and not n.endswith((".int8", ".scale"))}
    for name, a in wide.items():
        if name.startswith("decider."): out[name.removeprefix("decider.")] = a
        kind, _, layer = name.partition(".")
        if kind not in FUSED: continue
        layer = layer.removesuffix(".weight")
        for part, w, b in zip("qkv", np.split(a, 3), np.split(arrays[f"{kind}.{layer}.bias"], 3)):
            out[f"{FUSED[kind]}.{layer}.{part}.weight"], out[f"{FUSED[kind]}.{layer}.{part}.bias"] = w, b
    nameless = sorted((n for n in wide if n.startswith("onnx::")), key=number)
    out |= {f"{name}.weight": wide[n] for name, n in zip(SQUARE, nameless, strict=True)}
    small = sorted((n for n in arrays if n.startswith("onnx::MatMul") and not n.endswith((".int8", ".scale"))), key=number)
    level, *columns = small
    out["level.weight"] = arrays[level].T
    out |= {f"{name}.weight": arrays[n].T for name, n in zip(COLUMN, columns, strict=True)}
    *below, branch, text = (arrays[n] for n in sorted((n for n in arrays if n.startswith("onnx::Add") and arrays[n].shape == (WIDTH,)), key=number))
    out["encoder.segments.weight"] = np.stack((text, branch))
    if below: out["encoder.words.lower.segments.weight"] = np.stack((*below, below[0]))      # a text alone has one segment
    return {k: torch.from_numpy(np.array(v, np.float32)) for k, v in out.items()}
