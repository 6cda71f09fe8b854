"""Fits the score from which each moderation category flags a text, into a bundle's manifest.

  python thresholds.py configs/english.json --data DATA --bundle ../models/svc-english
A threshold is where F1 on the dev rows of the sets that inform the category is best, but never so low that more than one in
a hundred ordinary texts would be flagged. Prints average precision and what the threshold finds.
"""
import argparse
import json
from pathlib import Path
from random import Random

import numpy as np

from branches.served import Bundle
from corpus import Corpus, load
from render.moderation import CATEGORIES, Moderation
from render.question import noul

TEMPLATE = {"harassment": "harassment", "hate": "hate", "sexual": "sexual", "violence": "violence", "self_harm": "self-harm", "illicit": "illicit"}
LEAST = 15


def rows(corpus: Corpus, per_set: int) -> list[tuple[str, dict[str, bool] | None]]:
    """Texts with the categories known of them; None marks an ordinary text."""
    rng, known, out = Random(21), Moderation(corpus.sets), []
    for name, dev in sorted(corpus.dev.items()):
        if name not in known.maps: continue
        for row in rng.sample(dev, min(per_set, len(dev))):
            truth = {c: p > .5 for c, p in known.truth(row).items() if not .2 < p < .8}
            if truth: out.append((row["text"], truth))
            elif "all categories" in known.maps[name]: out.append((row["text"], None))
    for row in corpus.templates["dev"]:
        label = row["t"]["moderation"]
        out.append((row["text"], {c: TEMPLATE.get(label) == c for c in TEMPLATE.values()}))
    return out


def average_precision(score: np.ndarray, truth: np.ndarray) -> float:
    order = truth[np.argsort(-score, kind="stable")]
    return float((np.cumsum(order) / np.arange(1, len(order) + 1))[order].mean())


def best(score: np.ndarray, truth: np.ndarray, floor: float) -> tuple[float, float]:
    """Threshold and its F1."""
    options = np.unique(np.clip(np.concatenate((score, [floor])), floor, .98))
    f1 = lambda t: 2 * ((score >= t) & truth).sum() / max(1, (score >= t).sum() + truth.sum())
    at = max(options, key=f1)
    return float(at), float(f1(at))


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("bundle", Path, None), ("per_set", int, 90)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    corpus, bundle = load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"]), training=False), Bundle(a.bundle)
    names, texts = list(CATEGORIES), rows(corpus, a.per_set)
    questions = [noul(CATEGORIES[n][0], .5) for n in names]
    scores = np.array([[p[0] for p in bundle.probabilities(text, questions)] for text, _ in texts])
    scores[:, names.index("sexual/minors")] *= scores[:, names.index("sexual")]  # as it is served
    scores[:, names.index("sexual/minors")] *= scores[:, names.index("sexual")]       # as the service combines them
    ordinary = scores[[truth is None for _, truth in texts]]
    fitted = {}
    for i, name in enumerate(names):
        floor = max(.3, float(np.quantile(ordinary[:, i], .99)))
        known = [(scores[j, i], truth[name]) for j, (_, truth) in enumerate(texts) if truth and name in truth]
        score, truth = np.array([s for s, _ in known]), np.array([t for _, t in known], bool)
        if truth.sum() < LEAST:
            threshold, note = max(.5, floor), f"only {int(truth.sum())} positives: not fitted"
        else:
            threshold, f1 = best(score, truth, floor)
            note = f"AP {average_precision(score, truth):.3f} F1 {f1:.3f} n {len(truth)} positive {int(truth.sum())}"
        fitted[name] = {"question": CATEGORIES[name][0], "threshold": round(min(threshold, .95), 3)}
        print(f"{name:24} threshold {fitted[name]['threshold']:.3f} {note}")
    bundle.manifest["moderation"] = fitted
    (a.bundle / "manifest.json").write_text(json.dumps(bundle.manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
