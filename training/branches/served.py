"""A bundle in onnxruntime, on the int8 graphs, nothing cut; unlike the service it keeps no views."""
import json
from pathlib import Path

import numpy as np
import onnxruntime

from render.question import Question

from .encoder import WIDTH
from .tokens import WordPieces


class Bundle:
    def __init__(self, folder: Path, threads: int = 1) -> None:
        self.manifest = json.loads((folder / "manifest.json").read_text(encoding="utf8"))
        ids = self.manifest["tokens"]
        self.tokens = WordPieces(folder / self.manifest["tokenizer"], ids["first"], ids["last"], ids["pad"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.short, self.long = (onnxruntime.InferenceSession(str(folder / self.manifest.get(name, self.manifest["graph"])), options) for name in ("graph", "long"))

    def temperature(self, kind: str, count: int) -> float:
        return next((t["temperature"] for t in self.manifest["temperatures"] if t["type"] == kind and t["min_options"] <= count <= t["max_options"]), 1.0)

    def logits(self, text: str, questions: list[Question]) -> list[np.ndarray]:
        """Uncalibrated, one array per question."""
        t = self.tokens
        ids, room = t(text), self.manifest["limits"]["window"] - 2
        count = max(1, -(-len(ids) // room))
        step = max(1, -(-len(ids) // count))
        options = [(i, o, j, len(q.options), q.kind == "score") for i, q in enumerate(questions) for j, o in enumerate(q.options)]

        def padded(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
            out = np.full((len(rows), max(map(len, rows))), t.pad)
            for i, row in enumerate(rows): out[i, : len(row)] = row
            return out, np.array([len(row) for row in rows])

        feed: dict[str, np.ndarray] = {}
        feed["text"], feed["text_length"] = padded([[t.first, *ids[i * step:(i + 1) * step], t.last] for i in range(count)])
        wordings, offered = [[t.last, *t(q.wording)] for q in questions], [[t.last, *t(o.text)] for _, o, *_ in options]
        feed["question"], feed["question_length"] = padded(wordings)
        feed["option"], feed["option_length"] = padded(offered)
        feed["owner"] = np.array([i for i, *_ in options])
        feed["level"] = np.array([float(levels) for *_, levels in options], np.float32)
        feed["place"] = np.array([2 * j / (n - 1) - 1 if levels and n > 1 else 0 for _, _, j, n, levels in options], np.float32)
        fresh = sorted({tuple(row) for row in offered})
        feed["fresh"], feed["fresh_length"] = padded([list(row) for row in fresh])
        feed["known"] = np.zeros((0, WIDTH), np.float32)
        feed["option_view"] = np.array([fresh.index(tuple(row)) for row in offered])
        if count > 1:
            feed["fresh_wording"], feed["fresh_wording_length"] = feed["question"], feed["question_length"]
            feed["question_view"] = len(fresh) + np.arange(len(questions))
        out = (self.long if count > 1 else self.short).run(["logits"], feed)[0]
        return [out[feed["owner"] == i] for i in range(len(questions))]

    def probabilities(self, text: str, questions: list[Question]) -> list[np.ndarray]:
        out = []
        for question, z in zip(questions, self.logits(text, questions)):
            e = np.exp((z - z.max()) / self.temperature(question.kind, len(z)))
            out.append(e / e.sum())
        return out
