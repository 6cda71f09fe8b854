"""Accuracy, macro-F1, calibration error and level distance of a model on packed rows, per tag."""
from collections import defaultdict

import numpy as np
import torch

from branches.batch import Packed, collate, grouped
from branches.decider import Decider
from branches.device import DEVICE, mixed, moved
from branches.tokens import WordPieces

Outcome = tuple[np.ndarray, np.ndarray]         # logits and target of one question


def outcomes(model: Decider, rows: list[Packed], tokens: WordPieces, batch: int = 9000) -> dict[str, list[Outcome]]:
    """Logits of every question, by tag."""
    training = model.training
    model.to(DEVICE).eval()
    out: dict[str, list[Outcome]] = defaultdict(list)
    with torch.no_grad(), mixed():
        for group in grouped(rows, batch):
            b = moved(collate(group, tokens.first, tokens.last, tokens.pad))
            logits = model(b)[0]
            for i, row in enumerate(group):
                for q, tag in enumerate(row.tags):
                    own = b["owner"][i] == q
                    out[tag].append((logits[i, own].float().cpu().numpy(), b["target"][i, own].cpu().numpy()))
    model.train(training)
    return out


def softmax(z: np.ndarray) -> np.ndarray:
    """Logits of one question -> probabilities."""
    e = np.exp(z - z.max())
    return e / e.sum()


def figures(seen: list[Outcome]) -> dict[str, float]:
    """n, accuracy, macro-F1 over positions (meaningful for fixed option orders), ECE in 10 bins, mean level distance, Brier."""
    y, k, sure, off, brier = [], [], [], [], []
    for logits, target in seen:
        p, target = softmax(logits), np.asarray(target)
        place = np.arange(len(p))
        y.append(target.argmax()); k.append(p.argmax()); sure.append(p.max())
        off.append(abs(((p - target) * place).sum())); brier.append(((p - target) ** 2).sum())
    y, k, sure = np.array(y), np.array(k), np.array(sure)
    hit = (y == k).astype(float)
    edges = np.arange(0, 1, .1)
    ece = sum(abs(sure[b].mean() - hit[b].mean()) * b.mean() for b in ((sure > lo) & (sure <= lo + .1) for lo in edges) if b.any())
    f1 = float(np.mean([2 * ((y == c) & (k == c)).sum() / max(1, (y == c).sum() + (k == c).sum()) for c in set(y)]))
    return {"n": len(y), "acc": hit.mean(), "f1": f1, "ece": ece, "off": float(np.mean(off)), "brier": float(np.mean(brier))}
