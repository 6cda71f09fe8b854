"""Word vectors of a graph, packed: int8 with a scale for each row, or int4 with a scale and a zero for each block of a row."""
from typing import NamedTuple

import numpy as np
import onnx
from onnx import helper, numpy_helper

BLOCK = 64              # numbers that share a scale in int4
TRIED = (1, .95, .9, .85, .8)       # parts of a block's range: a finer step for most numbers may be worth more than its ends
PREFIX = "words."

make, FLOAT = helper.make_node, onnx.TensorProto.FLOAT


class Vectors(NamedTuple):
    """Parts by name, each with a row for each word: `int8` and `scale`, or `int4` (two numbers a byte, the first one lower), `scale` and `zero` (likewise)."""
    parts: dict[str, np.ndarray]

    @staticmethod
    def pack(rows: np.ndarray, bits: int) -> "Vectors":
        """rows: float32 [words, width]; bits: 8 or 4."""
        return Vectors({8: in_rows, 4: in_blocks}[bits](rows))

    @staticmethod
    def of(graph: onnx.GraphProto) -> "Vectors":
        """Those that stand in a graph, as `tensors` named them."""
        return Vectors({t.name.removeprefix(PREFIX): numpy_helper.to_array(t).copy() for t in graph.initializer if t.name.startswith(PREFIX)})

    def rows(self) -> np.ndarray:
        """float32 [words, width]"""
        p = self.parts
        scale = p["scale"].astype(np.float32)
        if "int8" in p: return p["int8"] * scale
        numbers = apart(p["int4"]).reshape(*scale.shape, BLOCK).astype(np.float32)
        return ((numbers - apart(p["zero"])[..., None]) * scale[..., None]).reshape(len(scale), -1)

    def tensors(self) -> list[onnx.TensorProto]:
        """The parts as constants of a graph, named by PREFIX."""
        return [numpy_helper.from_array(part, PREFIX + name) for name, part in self.parts.items()]

    def look_up(self, ids: str, out: str, name: str) -> list[onnx.NodeProto]:
        """Nodes from ids to float32 vectors. name: what the arrays between are called."""
        if "int8" in self.parts:
            return [make("Gather", [f"{PREFIX}int8", ids], [f"{name}.row"], axis=0), make("Gather", [f"{PREFIX}scale", ids], [f"{name}.half"], axis=0),
                    make("Cast", [f"{name}.row"], [f"{name}.float"], to=FLOAT), make("Cast", [f"{name}.half"], [f"{name}.scale"], to=FLOAT), make("Mul", [f"{name}.float", f"{name}.scale"], [out])]
        return [make("GatherBlockQuantized", [f"{PREFIX}int4", ids, f"{PREFIX}scale", f"{PREFIX}zero"], [f"{name}.half"], domain="com.microsoft", bits=4, block_size=BLOCK, gather_axis=0, quantize_axis=1),
                make("Cast", [f"{name}.half"], [out], to=FLOAT)]


def in_rows(rows: np.ndarray) -> dict[str, np.ndarray]:
    """float32 [words, width] -> int8 [words, width] and a float16 scale [words, 1]."""
    scale = np.maximum(np.abs(rows).max(1, keepdims=True) / 127, 1e-8).astype(np.float16)
    return {"int8": np.clip(np.round(rows / scale.astype(np.float32)), -127, 127).astype(np.int8), "scale": scale}


def in_blocks(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of some ranges for each block the one with the least error."""
    blocks = rows.reshape(len(rows), -1, BLOCK)
    low, high = np.minimum(blocks.min(-1), 0), np.maximum(blocks.max(-1), 0)
    best, least = None, np.full(low.shape, np.inf, np.float32)
    for part in TRIED:
        scale = np.maximum((high - low) * part / 15, 1e-7).astype(np.float16).astype(np.float32)
        zero = np.clip(np.round(-low * part / scale), 0, 15)
        numbers = np.clip(np.round(blocks / scale[..., None]) + zero[..., None], 0, 15)
        error = (((numbers - zero[..., None]) * scale[..., None] - blocks) ** 2).sum(-1)
        better, least = error < least, np.minimum(error, least)
        best = [np.where(better.reshape(*better.shape, *[1] * (new.ndim - 2)), new, old) for new, old in zip((numbers, scale, zero), best or (numbers, scale, zero))]
    numbers, scale, zero = best
    return {"int4": together(numbers.reshape(len(rows), -1)), "scale": scale.astype(np.float16), "zero": together(zero)}


def together(numbers: np.ndarray) -> np.ndarray:
    """Numbers below 16, two of a row in a byte."""
    even = numbers.astype(np.uint8)
    return even[:, ::2] | even[:, 1::2] << 4


def apart(packed: np.ndarray) -> np.ndarray:
    """The inverse of `together`: bytes [words, n] -> numbers below 16, [words, 2 n]."""
    return np.stack((packed & 15, packed >> 4), -1).reshape(len(packed), -1)
