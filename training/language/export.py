"""A trained classifier as the server reads it: int8 vectors, float32 weights, temperatures fitted on dev rows.

    python -m language.export --data DATA --weights classifier.pt --out ../models/language      (in training/)
"""
import argparse
import json
import lzma
from pathlib import Path

import numpy as np
import torch

from .grams import BUCKETS, WIDTH, normal
from .languages import LANGUAGES, SAME
from .train import Classifier, batch

LENGTHS = (8, 16, 32, 64, 10**9)


def dev_rows(data: Path) -> list[tuple[str, int]]:
    """Dev texts, and the same cut to two to six words."""
    with lzma.open(data / "labelled" / "i-language.jsonl.xz", "rt") as rows:
        found = [(normal(r["text"]), SAME.get(r["label"], r["label"])) for r in map(json.loads, rows) if r["split"] == "dev"]
    found = [(t[:400], LANGUAGES.index(code)) for t, code in found if t and code in LANGUAGES]
    cuts = [(" ".join(t.split(" ")[i:i + n]), y) for t, y in found for i, n in ((0, 1), (1, 2), (0, 3), (2, 4), (1, 6)) if len(t.split(" ")) >= i + n]
    return found + cuts


def main() -> None:
    args = argparse.ArgumentParser()
    for name in ("data", "weights", "out"): args.add_argument(f"--{name}", type=Path, required=True)
    a = args.parse_args()
    model = Classifier()
    model.load_state_dict(torch.load(a.weights))
    table = model.grams.weight.detach()
    scale = (table.abs().amax(1, keepdim=True) / 127).clamp(min=1e-9)
    packed = (table / scale).round().to(torch.int8)
    model.grams.weight.data = packed.float() * scale
    rows, temperatures, below = dev_rows(a.data), [], 0
    with torch.no_grad():
        for longest in LENGTHS:
            part = [(t, y) for t, y in rows if below < len(t) <= longest]
            logits, gold = model(*batch([t for t, _ in part])), torch.tensor([y for _, y in part])
            losses = {t: torch.nn.functional.cross_entropy(logits / t, gold).item() for t in np.arange(.4, 3, .05)}
            best = min(losses, key=losses.get)
            temperatures.append({"letters": longest, "temperature": round(float(best), 2)})
            print(f"up to {longest} letters: {len(part)} texts, accuracy {(logits.argmax(1) == gold).float().mean():.4f}, temperature {best:.2f}")
            below = longest
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "classifier.json").write_text(json.dumps({"languages": LANGUAGES, "buckets": BUCKETS, "width": WIDTH, "temperatures": temperatures}) + "\n")
    parts = (packed, scale.squeeze(1), model.out.weight.detach(), model.out.bias.detach())
    (a.out / "classifier.bin").write_bytes(b"".join(np.ascontiguousarray(p.numpy()).tobytes() for p in parts))


if __name__ == "__main__":
    main()
