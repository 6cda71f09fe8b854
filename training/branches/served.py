"""A bundle in onnxruntime, on the int8 graphs, nothing cut; unlike the service it keeps no views."""
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime

from render.question import Question

from .encoder import WIDTH
from .tokens import WordPieces


AT_ONCE = 16            # rows that are read in context at a time

Feed = dict[str, np.ndarray]


def padded(rows: list[list[int]], pad: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Ids [B, N] and the length of each row [B]."""
    out = np.full((len(rows), max(map(len, rows), default=1)), pad)
    for i, row in enumerate(rows): out[i, : len(row)] = row
    return out, np.array([len(row) for row in rows], int)


def in_context(feed: Feed, first: int, last: int, read: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Feed:
    """Inputs of a run as they are where layers stand in front of the body: what these see of each distinct row, read alone, comes as `words`, and ids
    are places there. What begins a branch is what ends the same row alone. read: ids and lengths of rows -> vectors of their tokens."""
    rows = {name: [tuple(row[:n]) for row, n in zip(feed[name], feed[f"{name}_length"])] for name in ("text", "question", "option", "fresh", "fresh_wording") if name in feed}
    alone = lambda row: (first, *row[1:], last)
    whole = list(dict.fromkeys([*rows["text"], *(alone(row) for name, of in rows.items() if name != "text" for row in of)]))
    starts = dict(zip(whole, np.cumsum([0, *map(len, whole)])))
    words = [read(*padded(list(map(list, whole[i:i + AT_ONCE])))) for i in range(0, len(whole), AT_ONCE)]
    out = {**feed, "words": np.concatenate(words)}
    for name, of in rows.items():
        at = [starts[row if name == "text" else alone(row)] for row in of]
        branch = name in ("question", "option")
        places = [[start + len(row), *range(start + 1, start + len(row))] if branch else [*range(start, start + len(row) + (name != "text"))] for start, row in zip(at, of)]
        out[name], out[f"{name}_length"] = padded([list(map(int, row)) for row in places])
    return out


class Bundle:
    """A bundle folder: its graphs for texts of one window and for longer ones, and the one in front of the body where there is one. threads: for each graph."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self.manifest = json.loads((folder / "manifest.json").read_text(encoding="utf8"))
        ids = self.manifest["tokens"]
        self.tokens = WordPieces(folder / self.manifest["tokenizer"], ids["first"], ids["last"], ids["pad"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        opened = lambda name: onnxruntime.InferenceSession(str(folder / self.manifest[name]), options) if name in self.manifest else None
        self.short, self.long, self.front = map(opened, ("graph", "long", "front"))

    def temperature(self, kind: str, count: int) -> float:
        """What the logits of a question of this type with so many options are divided by; 1 where the manifest says nothing."""
        return next((t["temperature"] for t in self.manifest["temperatures"] if t["type"] == kind and t["min_options"] <= count <= t["max_options"]), 1.0)

    def logits(self, text: str, questions: list[Question]) -> list[np.ndarray]:
        """Uncalibrated, one array per question."""
        t = self.tokens
        ids, room = t(text), self.manifest["limits"]["window"] - 2
        count = max(1, -(-len(ids) // room))
        step = max(1, -(-len(ids) // count))
        options = [(i, o, j, len(q.options), q.kind == "score") for i, q in enumerate(questions) for j, o in enumerate(q.options)]

        feed: Feed = {}
        feed["text"], feed["text_length"] = padded([[t.first, *ids[i * step:(i + 1) * step], t.last] for i in range(count)], t.pad)
        wordings, offered = [[t.last, *t(q.wording)] for q in questions], [[t.last, *t(o.text)] for _, o, *_ in options]
        feed["question"], feed["question_length"] = padded(wordings, t.pad)
        feed["option"], feed["option_length"] = padded(offered, t.pad)
        feed["owner"] = np.array([i for i, *_ in options])
        feed["level"] = np.array([float(levels) for *_, levels in options], np.float32)
        feed["place"] = np.array([2 * j / (n - 1) - 1 if levels and n > 1 else 0 for _, _, j, n, levels in options], np.float32)
        fresh = sorted({tuple(row) for row in offered})
        feed["fresh"], feed["fresh_length"] = padded([list(row) for row in fresh], t.pad)
        feed["known"] = np.zeros((0, WIDTH), np.float32)
        feed["option_view"] = np.array([fresh.index(tuple(row)) for row in offered])
        if count > 1:
            feed["fresh_wording"], feed["fresh_wording_length"] = feed["question"], feed["question_length"]
            feed["question_view"] = len(fresh) + np.arange(len(questions))
        if self.front: feed = in_context(feed, t.first, t.last, lambda ids, length: self.front.run(["words"], {"ids": ids, "length": length})[0])
        out = (self.long if count > 1 else self.short).run(["logits"], feed)[0]
        return [out[feed["owner"] == i] for i in range(len(questions))]

    def probabilities(self, text: str, questions: list[Question]) -> list[np.ndarray]:
        """Calibrated, one array per question, in the order of its options."""
        out = []
        for question, z in zip(questions, self.logits(text, questions)):
            e = np.exp((z - z.max()) / self.temperature(question.kind, len(z)))
            out.append(e / e.sum())
        return out
