"""The graph that is trained, the graph that is served and the int8 file give the same answers, whatever the order of options."""
import json
from pathlib import Path
from random import Random

import numpy as np
import onnxruntime
import pytest
import torch

from branches import export, sources
from branches.batch import Packer, collate
from branches.encoder import WIDTH
from branches.front import Front
from branches.served import in_context
from branches.serving import Long, Reading, Serving
from parameters import trained
from render.question import Option, Question

CONFIGS = Path(__file__).parent.parent / "configs"
MODELS = Path(__file__).parent.parent.parent / "models"
TEXT = "The parcel arrived three days late and the box was crushed. I want my money back."
QUESTIONS = [
    Question("choice", "What does the customer want?", (Option("refund", "money back"), Option("replacement"), Option("information about an order")), (1., 0., 0.)),
    Question("noul", "Is the customer satisfied?", (Option("yes"), Option("no")), (0., 1.)),
    Question("score", "How angry is the writer?", (Option("calm"), Option("annoyed"), Option("furious")), (0., 1., 0.)),
]


@pytest.fixture(scope="module", params=("english", "multilingual"))
def config(request) -> dict:
    return json.loads((CONFIGS / f"{request.param}.json").read_text())


@pytest.fixture(scope="module")
def model(packages, config):
    torch.manual_seed(0)
    decider, tokens = sources.build(config, packages)
    if "front" in config: return sources.load(decider, MODELS / config["name"]).eval(), tokens      # one that has learnt nothing makes rounding loud
    with torch.no_grad():
        for p in decider.parameters():
            if p.requires_grad: p.add_(torch.randn_like(p) * .01)
    return decider.eval(), tokens


def served(tokens, text: str, questions: list[Question], most: int | None = None) -> dict[str, np.ndarray]:
    """Inputs of a run in which nothing was read before."""
    packed = Packer(tokens)(text, questions, most=most)
    def pad(rows): return np.array([r + [0] * (max(map(len, rows)) - len(r)) for r in rows]), np.array([len(r) for r in rows])
    out = {}
    options = [o for _, every, _, _ in packed.questions for o in every]
    for name, rows in (("text", packed.windows), ("question", [q for q, *_ in packed.questions]), ("option", options)): out[name], out[f"{name}_length"] = pad(rows)
    out["owner"] = np.array([i for i, (_, every, _, _) in enumerate(packed.questions) for _ in every])
    out["level"] = np.array([float(levels) for _, every, levels, _ in packed.questions for _ in every], np.float32)
    out["place"] = np.array([2 * i / (len(every) - 1) - 1 if levels else 0 for _, every, levels, _ in packed.questions for i in range(len(every))], np.float32)
    out["fresh"], out["fresh_length"], out["fresh_wording"], out["fresh_wording_length"] = (out[n] for n in ("option", "option_length", "question", "question_length"))
    out["known"] = np.zeros((0, WIDTH), np.float32)
    out["option_view"], out["question_view"] = np.arange(len(options)), len(options) + np.arange(len(packed.questions))
    return {name: out[name] for name in (export.LONG if len(packed.windows) > 1 else export.INPUTS)}


def read_before(inputs: dict[str, np.ndarray], views: np.ndarray, known: int) -> dict[str, np.ndarray]:
    """The same run when the first so many options were read before, or all options and the first of the wordings."""
    options = len(inputs["fresh"])
    out = {**inputs, "known": views[:known]}
    for name in ("fresh", "fresh_length"): out[name] = out[name][known:]
    for name in out.keys() & {"fresh_wording", "fresh_wording_length"}: out[name] = out[name][max(0, known - options):]
    return out


@torch.no_grad()
def run(model, inputs):
    decider, tokens = model
    if isinstance(decider.encoder.words, Front): inputs = in_context(inputs, tokens.first, tokens.last, lambda *rows: Reading(decider)(*map(torch.from_numpy, rows)).numpy())
    shape = Serving if len(inputs["text"]) == 1 else Long
    return shape(decider, tokens.first, tokens.last)(*(torch.from_numpy(v) for v in inputs.values()))[0].numpy()


def around(tokens) -> tuple[int, int, int]: return tokens.first, tokens.last, tokens.pad


def test_training_and_serving_agree(model):
    decider, tokens = model
    with torch.no_grad(): logits = decider(collate([Packer(tokens)(TEXT, QUESTIONS), Packer(tokens)("Short.", QUESTIONS[1:2])], *around(tokens)))[0]
    np.testing.assert_allclose(logits[0].numpy(), run(model, served(tokens, TEXT, QUESTIONS)), atol=1e-4)


def test_they_agree_on_a_text_of_many_windows(model):
    decider, tokens = model
    long = " ".join([TEXT] * 40)
    packed = Packer(tokens)(long, QUESTIONS, most=2500)
    assert len(packed.windows) > 2
    with torch.no_grad(): logits = decider(collate([packed], *around(tokens)))[0]
    np.testing.assert_allclose(logits[0].numpy(), run(model, served(tokens, long, QUESTIONS, 2500)), atol=2e-4)


def test_a_bundle_is_a_checkpoint_again(model, config, packages, tmp_path):
    decider, tokens = model
    export.export(decider, tokens.first, tokens.last, tmp_path, config.get("word_bits", 8))
    again, _ = sources.build(config, packages)
    sources.load(again, tmp_path)
    for name, old in trained(decider).items():
        if name == "encoder.words.lower.segments.weight": continue        # the second is never used
        np.testing.assert_allclose(again.state_dict()[name], old, atol=float(old.abs().max()) / 100 + 1e-6, err_msg=name)


def test_order_and_company_change_nothing(model):
    tokens = model[1]
    plain = run(model, served(tokens, TEXT, QUESTIONS))
    order = [2, 0, 1]
    moved = Question("choice", QUESTIONS[0].wording, tuple(QUESTIONS[0].options[i] for i in order), (1., 0., 0.))
    np.testing.assert_allclose(run(model, served(tokens, TEXT, [moved])), plain[order], atol=1e-4)


def test_int8_is_close(model, config, tmp_path):
    export.export(model[0], model[1].first, model[1].last, tmp_path, config.get("word_bits", 8))
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) < (79e6 if "front" in config else 30e6)
    session = lambda name: onnxruntime.InferenceSession(str(tmp_path / name))
    read = session("front.onnx") if "front" in config else None
    for name, text in (("model.onnx", TEXT), ("long.onnx", " ".join([TEXT] * 40))):
        inputs, graph = served(model[1], text, QUESTIONS, 2500), session(name)
        ready = lambda feed: in_context(feed, model[1].first, model[1].last, lambda ids, length: read.run(None, {"ids": ids, "length": length})[0]) if read else feed
        logits, views = graph.run(None, ready(inputs))
        np.testing.assert_allclose(logits, run(model, inputs), atol=.3)
        for known in (3, len(views) - 1, len(views)): np.testing.assert_allclose(graph.run(["logits"], ready(read_before(inputs, views, known)))[0], logits, atol=1e-4)
