"""Temperatures per type and number of options: the ones that make dev answers most probable."""
import numpy as np

from evaluate import Outcome, softmax

BANDS = {"noul": ((2, 2),), "choice": ((2, 2), (3, 3), (4, 5), (6, 9), (10, 19), (20, 255)), "score": ((2, 3), (4, 5), (6, 255))}
LEAST = 60          # fewer questions than this borrow the temperature of the whole type


def loss(seen: list[Outcome], temperature: float) -> float:
    """Mean cross-entropy of the targets at a temperature, in nats."""
    return float(np.mean([-(target * np.log(softmax(logits / temperature) + 1e-9)).sum() for logits, target in seen]))


def best(seen: list[Outcome]) -> float:
    """Golden section on the logarithm; the loss has one minimum in it."""
    low, high, ratio = np.log(.25), np.log(6), (5 ** .5 - 1) / 2
    for _ in range(24):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if loss(seen, np.exp(a)) < loss(seen, np.exp(b)): high = b
        else: low = a
    return round(float(np.exp((low + high) / 2)), 3)


def temperatures(outcomes: dict[str, list[Outcome]]) -> list[dict]:
    """outcomes by tag; a tag's last word is the type of its questions."""
    by: dict[str, list[Outcome]] = {}
    for tag, seen in outcomes.items(): by.setdefault(tag.split(" ")[-1], []).extend(seen)
    out = []
    for kind, bands in BANDS.items():
        everything = by.get(kind, [])
        for least, most in bands:
            own = [o for o in everything if least <= len(o[0]) <= most]
            out.append({"type": kind, "min_options": least, "max_options": most, "temperature": best(own if len(own) >= LEAST else everything)})
    return out
