"""Word vectors of an ONNX graph in int8 or int4, its matrix products in int8."""
import numpy as np
import onnx
from onnx import helper, numpy_helper

from .vectors import Vectors

SMALLEST = 64            # smaller matrices stay in float


def quantise_words(graph: onnx.GraphProto, bits: int) -> None:
    """Word vectors, packed, and unpacked where they are looked up."""
    table = max(graph.initializer, key=lambda t: np.prod(t.dims))
    packed = Vectors.pack(numpy_helper.to_array(table).astype(np.float32), bits)
    graph.initializer.remove(table)
    graph.initializer.extend(packed.tensors())
    lookups = [n for n in graph.node if n.op_type == "Gather" and n.input[0] == table.name]
    for i, old in enumerate(lookups):
        at, (ids, out) = list(graph.node).index(old), (old.input[1], old.output[0])
        graph.node.remove(old)
        for node in reversed(packed.look_up(ids, out, f"words.{i}")): graph.node.insert(at, node)


def by_row(x: str, weight: str, out: str, name: str) -> list[onnx.NodeProto]:
    """x @ weight in int8: every row of x has its own scale, so that no token changes how another one is rounded."""
    make, at = helper.make_node, lambda part: f"{name}.{part}"
    return [
        make("Abs", [x], [at("abs")]),
        make("ReduceMax", [at("abs")], [at("max")], axes=[-1], keepdims=1),
        make("Max", [at("max"), "tiny"], [at("peak")]),
        make("Div", ["steps", at("peak")], [at("up")]),
        make("Div", [at("peak"), "steps"], [at("down")]),
        make("Mul", [x, at("up")], [at("scaled")]),
        make("QuantizeLinear", [at("scaled"), "one", "middle"], [at("int8")]),
        make("MatMulIntegerToFloat", [at("int8"), f"{weight}.int8", "one", f"{weight}.scale", "middle"], [at("product")], domain="com.microsoft"),
        make("Mul", [at("product"), at("down")], [out]),
    ]


def quantise_products(graph: onnx.GraphProto) -> None:
    """Products with a constant matrix: int8 columns with a scale each, activations quantised row by row."""
    weights = {t.name: t for t in graph.initializer}
    nodes, used = [], set()
    for node in graph.node:
        constant = node.op_type in ("Gemm", "MatMul") and node.input[1] in weights
        w = numpy_helper.to_array(weights[node.input[1]]) if constant else None
        if w is None or min(w.shape) < SMALLEST:
            nodes.append(node)
            continue
        if node.op_type == "Gemm":
            w = w.T
        name = node.input[1]
        if name not in used:
            used.add(name)
            scale = np.maximum(np.abs(w).max(0) / 127, 1e-9).astype(np.float32)
            graph.initializer.extend([numpy_helper.from_array(np.clip(np.round(w / scale), -127, 127).astype(np.int8), f"{name}.int8"),
                                      numpy_helper.from_array(scale, f"{name}.scale")])
        bias = node.input[2] if len(node.input) > 2 else None
        out = f"{node.output[0]}.plain" if bias else node.output[0]
        nodes += by_row(node.input[0], name, out, node.name)
        if bias:
            nodes.append(helper.make_node("Add", [out, bias], [node.output[0]]))
    for name in used:
        graph.initializer.remove(weights[name])
    graph.initializer.extend([numpy_helper.from_array(np.array(v, k), n) for n, v, k in (
        ("tiny", 1e-8, np.float32), ("steps", 127, np.float32), ("one", 1, np.float32), ("middle", 128, np.uint8))])
    del graph.node[:]
    graph.node.extend(nodes)
