"""Decisions written for this service: states with many typed questions, template texts, and small classification sets."""
import json
from random import Random

import numpy as np

from . import options
from .labelled import varied
from .question import Option, Question, choice, noul, score, spread


def as_text(x: object) -> str:
    """A string as it is, anything else as JSON."""
    return x if isinstance(x, str) else json.dumps(x, ensure_ascii=False)


def state(row: dict, rng: Random, most: int, others: list[str] = ()) -> tuple[str, list[Question]]:
    """A written state and some of its questions. others: option names of other questions, as distractors."""
    out: list[Question] = []
    for q in rng.sample(row["questions"], min(most, len(row["questions"]))):
        wording, sure = as_text(q["q"]), q.get("c", .97)
        if q["type"] == "noul":
            made = noul(wording, sure if q["a"] else 1 - sure, (q.get("true"), q.get("false")))
        elif q["type"] == "choice":
            given = list(q["options"].items()) if isinstance(q["options"], dict) else [(x, None) for x in q["options"]]
            names = [n for n, _ in given]
            p = spread(len(names), names.index(q["a"]), sure, names.index(q["alt"]) if "alt" in q else None)
            more = [n for n in rng.sample(list(others), min(len(others), rng.choice((1, 2, 4, 8)))) if n not in names] if others and rng.random() < .15 else []
            made = choice(wording, [Option(n, d) for n, d in given] + [Option(n) for n in more], np.concatenate((p, np.zeros(len(more)))), rng)
        else:
            made = score(wording, list(q["levels"]), spread(len(q["levels"]), q["a"], sure, q.get("alt")))
        out += varied(made, rng, bound=True)
    return as_text(row["state"]), out


def from_set(task: dict, row: list, rng: Random) -> tuple[str, list[Question]]:
    """A row [text, label, more?] of a small written set: up to three questions about one text. more: `c` how sure, `alt` the runner-up, `near` the label that it is most easily taken for."""
    text, label, *rest = row
    extra = rest[0] if rest else {}
    sure, labels = extra.get("c", .97), task["labels"]
    names = list(labels)
    out: list[Question] = []
    if task["kind"] == "noul":
        yes = sure if label == "yes" else 1 - sure
        described = (labels.get("yes"), labels.get("no")) if rng.random() < .25 else (None, None)
        out.append(noul(rng.choice(task["questions"]), yes, described))
        if task.get("negated") and rng.random() < .45: out.append(noul(rng.choice(task["negated"]), 1 - yes, described[::-1]))
        elif rng.random() < .3: out = varied(out[0], rng)
    elif task["kind"] == "score":
        p = spread(len(names), names.index(label), sure, names.index(extra["alt"]) if extra.get("alt") in names else None)
        out.append(score(rng.choice(task["questions"]), names if rng.random() < .7 else [f"{n}: {labels[n]}" if labels[n] else n for n in names], p))
    else:
        votes = dict(zip(names, spread(len(names), names.index(label), sure, names.index(extra["alt"]) if extra.get("alt") in names else None)))
        for _ in range(rng.choice((1, 1, 2))):
            out += varied(options.build(rng.choice(task["questions"]), label, names, {k: v for k, v in labels.items() if v}, votes, [], rng, beside=extra.get("near")), rng)
    return as_text(text), out
