"""A Decider as int8 ONNX graphs: int8 or int4 word vectors, 8 bit matrix products with per-row activation scales. Layers in front of its body are a graph of their own."""
import hashlib
import logging
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn as nn
from onnx import helper, numpy_helper
from onnx.external_data_helper import set_external_data

from .attention import SHAPED
from .decider import Decider
from .encoder import WIDTH
from .quantise import quantise_products, quantise_words
from .front import Front
from .serving import Long, Reading, Serving

INPUTS = {
    "text": ("windows", "window_width"), "text_length": ("windows",),
    "question": ("questions", "question_width"), "question_length": ("questions",),
    "option": ("options", "option_width"), "option_length": ("options",),
    "owner": ("options",), "place": ("options",), "level": ("options",),
    "fresh": ("fresh", "fresh_width"), "fresh_length": ("fresh",), "known": ("known",), "option_view": ("options",),
}
LONG = {**INPUTS, "fresh_wording": ("fresh_wordings", "fresh_wording_width"), "fresh_wording_length": ("fresh_wordings",), "question_view": ("questions",)}
FRONT = {"ids": ("rows", "width"), "length": ("rows",)}
SHARED = 1024            # bytes from which a weight lies outside its graph
PAGE = 4096              # where a mapped file may begin


def example() -> tuple[torch.Tensor, ...]:
    """A small run with every size different from the others and from one."""
    ids = lambda *shape: torch.randint(5, 200, shape)
    return (ids(2, 9), torch.tensor([9, 7]), ids(3, 6), torch.tensor([6, 4, 5]), ids(7, 4), torch.tensor([4, 3, 2, 2, 4, 3, 2]),
            torch.tensor([0, 0, 1, 1, 1, 2, 2]), torch.tensor([0, 0, -1, 0, 1, 0, 0]).float(), torch.tensor([0, 0, 1, 1, 1, 0, 0]).float(),
            ids(5, 8), torch.tensor([8, 3, 4, 5, 2]), torch.rand(6, WIDTH), torch.tensor([0, 6, 10, 2, 7, 8, 5]), ids(2, 10), torch.tensor([10, 7]), torch.tensor([9, 12, 3]))


def trace(serving: nn.Module, example: tuple[torch.Tensor, ...], inputs: dict[str, tuple[str, ...]], outputs: dict[str, str], file: Path) -> None:
    """Writes the float32 graph. outputs: their names, with that of what they have one row for."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    axes = {name: dict(enumerate(dims)) for name, dims in inputs.items()} | {name: {0: rows} for name, rows in outputs.items()}
    torch.onnx.export(serving.eval(), example, str(file), input_names=list(inputs), output_names=list(outputs), dynamic_axes=axes, opset_version=17, dynamo=False, do_constant_folding=True)


def follow_identities(graph: onnx.GraphProto) -> None:
    """The exporter writes equal weights once and names the others through Identity nodes."""
    same = {n.output[0]: n.input[0] for n in graph.node if n.op_type == "Identity"}
    kept = [n for n in graph.node if n.op_type != "Identity"]
    for node in kept:
        for i, name in enumerate(node.input):
            while name in same:
                name = same[name]
            node.input[i] = name
    del graph.node[:]
    graph.node.extend(kept)


def reshape(graph: onnx.GraphProto) -> None:
    """Reshapes with given sizes (see Shaped) as the ones of ONNX."""
    for i, node in enumerate(graph.node):
        if node.domain != SHAPED: continue
        sizes = list(node.attribute[0].ints)
        name = f"sizes.{'.'.join(map(str, sizes))}"
        if all(t.name != name for t in graph.initializer): graph.initializer.append(numpy_helper.from_array(np.array(sizes), name))
        graph.node[i].CopyFrom(helper.make_node("Reshape", [node.input[0], name], list(node.output)))


def quantise(plain: Path, file: Path, bits: int | None = 8) -> None:
    """float32 graph -> int8 graph. bits: of a number of a word vector; none in a graph without any."""
    model = onnx.load(plain)
    reshape(model.graph)
    follow_identities(model.graph)
    if bits: quantise_words(model.graph, bits)
    quantise_products(model.graph)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, file)


def share(graphs: list[Path], weights: Path) -> None:
    """Moves the weights of several graphs into one file beside them, each once."""
    places: dict[bytes, tuple[int, int]] = {}
    with weights.open("wb") as out:
        for file in graphs:
            model = onnx.load(file)
            for tensor in model.graph.initializer:
                raw = numpy_helper.to_array(tensor).tobytes()
                if len(raw) < SHARED: continue
                key = hashlib.sha256(raw).digest()
                if key not in places:
                    out.write(b"\0" * (-out.tell() % PAGE))
                    places[key] = (out.tell(), len(raw))
                    out.write(raw)
                tensor.raw_data = raw
                set_external_data(tensor, weights.name, *places[key])
                tensor.ClearField("raw_data")
            file.write_bytes(model.SerializeToString())


def export(decider: Decider, first: int, last: int, folder: Path, bits: int = 8) -> None:
    """model.onnx for texts of one window, long.onnx for longer ones, front.onnx where layers stand in front of the body, and weights.bin that all read. bits: of a number of a word vector, 8 or 4."""
    graphs, front, logits = [folder / "model.onnx", folder / "long.onnx"], isinstance(decider.encoder.words, Front), {"logits": "options", "views": "seen"}
    for serving, inputs, file in zip((Serving, Long), (INPUTS, LONG), graphs):
        words = {"words": ("words",)} if front else {}
        trace(serving(decider, first, last), example()[:len(inputs)] + ((torch.rand(200, WIDTH),) if front else ()), inputs | words, logits, file)
        quantise(file, file, None if front else bits)
    if front:
        graphs.append(folder / "front.onnx")
        trace(Reading(decider), (torch.randint(5, 200, (3, 7)), torch.tensor([7, 4, 5])), FRONT, {"words": "tokens"}, graphs[-1])
        quantise(graphs[-1], graphs[-1], bits)
    share(graphs, folder / "weights.bin")
