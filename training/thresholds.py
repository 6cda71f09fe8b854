"""Fits the score from which each moderation category flags a text, into a bundle's manifest.

  python thresholds.py configs/english.json --data DATA --bundle ../models/svc-english [--rows FILE.jsonl ...]
A threshold is where F1 is best, on dev rows of the sets that inform the category and on those written for fitting (moderation.jsonl, or the files
of --rows), weighed as if one text in ten were of the category, so that all are as strict whatever the sets hold of them. But it is never so low
that more than one in a hundred ordinary texts would be flagged, of the sets in which the category is false of every text.
Prints average precision, F1, what the threshold finds and what it flags wrongly.
"""
import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from branches.served import Bundle
from corpus import Corpus, load, read
from holdout import Holdout
from render.moderation import CATEGORIES, HEATED, MINORS, ORDINARY, Moderation
from render.question import noul

TEMPLATE = {"harassment": "harassment", "hate": "hate", "sexual": "sexual", "violence": "violence", "self_harm": "self-harm", "illicit": "illicit"}
LEAST = 15
PREVALENCE = .1
LOWEST = {name: .3 for name in CATEGORIES} | {"sexual/minors": .25}     # a product of two answers, each at least as likely as not


@dataclass(frozen=True)
class Text:
    """truth: of the categories that are known of it. ordinary: nobody marked it for moderation, so it tells where a threshold may lie, not how good it is."""
    text: str
    truth: dict[str, bool]
    ordinary: bool = False


def rows(corpus: Corpus, per_set: int) -> list[Text]:
    """Dev texts of the sets that inform moderation, at most so many of each, and those labelled with the templates."""
    rng, known, out = Random(21), Moderation(corpus.sets), []
    for name, dev in sorted(corpus.dev.items()):
        if name not in known.maps: continue
        for row in rng.sample(dev, min(per_set, len(dev))):
            truth = {c: p > .5 for c, p in known.truth(row).items() if not .2 < p < .8}
            if truth: out.append(Text(row["text"], truth))
            elif "all categories" in known.maps[name]: out.append(Text(row["text"], {c: False for c in CATEGORIES if c not in ORDINARY.get(name, HEATED)}, ordinary=True))
    for row in corpus.templates["dev"]:
        label = row["t"]["moderation"]
        out.append(Text(row["text"], {TEMPLATE[label]: True} if label in TEMPLATE else dict.fromkeys(TEMPLATE.values(), False)))     # it may be of others too
    return out


def written(files: list[Path], guard: Holdout, languages: list[str] | None) -> list[Text]:
    """Rows {lang, text, categories, unsure}: every category is true or false of a text but for those that it leaves unsure."""
    kept = [r for f in files for r in read(f) if (languages is None or r["lang"] in languages) and not guard.touches(r["text"], r["lang"])]
    return [Text(r["text"], {c: c in r["categories"] for c in CATEGORIES if c not in r.get("unsure", ())}) for r in kept]


def average_precision(score: np.ndarray, truth: np.ndarray) -> float:
    """Mean of the precision down to each true one, in the order of score. score and truth (bool) [n]; NaN where none is true."""
    order = truth[np.argsort(-score, kind="stable")]
    return float((np.cumsum(order) / np.arange(1, len(order) + 1))[order].mean())


def best(score: np.ndarray, truth: np.ndarray, floor: float) -> tuple[float, float]:
    """Threshold and its F1, at PREVALENCE."""
    options = np.unique(np.clip(np.concatenate((score, [floor])), floor, .98))
    weight = np.where(truth, 1, truth.sum() / max(1, (~truth).sum()) * (1 - PREVALENCE) / PREVALENCE)
    f1 = lambda t: 2 * weight[(score >= t) & truth].sum() / (weight[score >= t].sum() + truth.sum())
    at = max(options, key=f1)
    return float(at), float(f1(at))


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("bundle", Path, None), ("per_set", int, 90)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    arg.add_argument("--rows", type=Path, nargs="+", default=[Path(__file__).parent / "moderation.jsonl"])
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    corpus, bundle = load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"]), training=False), Bundle(a.bundle)
    names, texts = list(CATEGORIES), rows(corpus, a.per_set) + written(a.rows, Holdout(a.data), c["languages"])
    questions = [noul(wording, .5) for wording in [CATEGORIES[n][0] for n in names] + [MINORS]]
    asked = np.array([[p[0] for p in bundle.probabilities(known.text, questions)] for known in texts])
    scores = asked[:, :len(names)]
    scores[:, names.index("sexual/minors")] *= asked[:, len(names)]       # as the service combines them
    ordinary = np.array([known.ordinary for known in texts])
    safe = np.array([not known.ordinary and len(known.truth) == len(names) and not any(known.truth.values()) for known in texts])
    fitted = {}
    for i, name in enumerate(names):
        told = np.array([name in known.truth for known in texts])
        floor = max(LOWEST[name], float(np.quantile(scores[ordinary & told, i], .99)))
        score, truth = scores[~ordinary & told, i], np.array([known.truth.get(name, False) for known in texts])[~ordinary & told]
        if truth.sum() < LEAST:
            threshold, note = max(.5, floor), f"only {int(truth.sum())} positives: not fitted"
        else:
            threshold, f1 = best(score, truth, floor)
            passed = score >= threshold
            note = (f"AP {average_precision(score, truth):.3f} F1 {f1:.3f} found {passed[truth].mean():.3f} of {int(truth.sum())} "
                    f"falsely {passed[~truth].mean():.3f} of {int((~truth).sum())}")
        fitted[name] = {"question": CATEGORIES[name][0], "threshold": round(max(floor, min(threshold, .95)), 3)}
        print(f"{name:24} threshold {fitted[name]['threshold']:.3f} {note}")
    at = np.array([fitted[n]["threshold"] for n in names])
    flagged = (scores >= at).any(1)
    print(f"flagged for anything: ordinary {flagged[ordinary].mean():.3f} of {ordinary.sum()}, written as safe {flagged[safe].mean():.3f} of {safe.sum()}")
    bundle.manifest["moderation"] = fitted
    (a.bundle / "manifest.json").write_text(json.dumps(bundle.manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
