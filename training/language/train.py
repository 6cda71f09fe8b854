"""Trains the language classifier: hashed character n-grams of words -> mean vector -> one linear layer.

    python -m language.train --data DATA --out ../models/language      (in training/; DATA as in the README)

Texts are cut into crops of one to eight words half of the time, as short texts are the hard ones. Reads the training rows of
labelled/, written/, templates/ and raw/; rows on the hold-out lists are dropped. Dev rows only choose the temperatures.
"""
import argparse
import json
import lzma
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

from holdout import Holdout

from .grams import BUCKETS, WIDTH, grams, normal
from .languages import LANGUAGES, SAME, latin


def crop(text: str, rng: random.Random) -> str:
    """The whole text, or a few neighbouring words (characters where words are not spaced)."""
    if rng.random() < .25: return text[:240]
    words = text.split(" ")
    if len(words) > 2 and len(text) / len(words) < 16:
        n = rng.choice((1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 12))
        at = rng.randrange(max(1, len(words) - n + 1))
        return " ".join(words[at:at + n])
    n = rng.randint(2, 24)
    at = rng.randrange(max(1, len(text) - n + 1))
    return text[at:at + n]


def corpus(data: Path, most: int, seed: int) -> dict[str, list[str]]:
    """Normalised texts by language."""
    rng, holdout, texts = random.Random(seed), Holdout(data), {code: [] for code in LANGUAGES}
    with lzma.open(data / "labelled" / "i-language.jsonl.xz", "rt") as rows:
        for row in map(json.loads, rows):
            code = SAME.get(row["label"], row["label"])
            if row["split"] == "train" and code in texts and not holdout.touches(row["text"], code): texts[code] += [row["text"]] * 2
    latin_share = {code: np.mean([is_latin(x) for x in found] or [.5]) for code, found in texts.items()}
    for file in sorted(f for part in ("labelled", "written", "templates") for f in (data / part).glob("*.jsonl.xz") if f.name != "i-language.jsonl.xz"):
        with lzma.open(file, "rt") as rows:
            for row in map(json.loads, rows):
                code, text = {"no": "nb", "pt-BR": "pt"}.get(row["lang"], SAME.get(row["lang"], row["lang"])), row.get("text") or row.get("state")
                if row["split"] == "train" and code in texts and code != "en" and isinstance(text, str) and not holdout.touches(text[:400], code):
                    texts[code].append(text[:400])
    for file in sorted((data / "raw").glob("*.txt.xz")):
        code = file.name.removeprefix("multi-").split(".")[0]
        code = "en" if file.name.startswith("en") else SAME.get(code, code)
        if code not in texts: continue
        with lzma.open(file, "rt") as lines: all_lines = [x for x in lines.read(40_000_000).split("\n") if len(x) > 8]
        pieces = [x[i:i + 240] for x in all_lines for i in range(0, min(len(x), 2_400), 240)]
        texts[code] += [x for x in rng.sample(pieces, min(most, len(pieces))) if not holdout.touches(x, code)]
    for code, share in latin_share.items():                     # stray quotations in another script
        if not .1 < share < .9: texts[code] = [x for x in texts[code] if is_latin(x) == (share > .5)]
    texts["sr"] += [latin(x) for x in rng.sample(texts["sr"], len(texts["sr"]) // 4)]
    return {code: [x for x in map(normal, found) if x] for code, found in texts.items()}


def is_latin(text: str) -> bool:
    """Whether more than half of the letters are Latin; not where there are none."""
    letters = [c for c in text if c.isalpha()]
    return sum(c < "\u0250" or "\u1e00" <= c <= "\u1eff" for c in letters) > .5 * len(letters)


class Classifier(nn.Module):
    """Hashed n-grams -> their mean vector -> a logit for each of LANGUAGES."""

    def __init__(self) -> None:
        super().__init__()
        self.grams = nn.EmbeddingBag(BUCKETS, WIDTH, mode="mean", sparse=True)
        self.out = nn.Linear(WIDTH, len(LANGUAGES))
        nn.init.normal_(self.grams.weight, std=.1)

    def forward(self, ids: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        """n-grams of all texts [N] and where each text begins among them [B], as `batch` makes them -> logits [B, languages]."""
        return self.out(self.grams(ids, offsets))


def batch(texts: list[str], keep: float = 1) -> tuple[torch.Tensor, torch.Tensor]:
    """keep: share of n-grams that are left in while training, so that no single one decides."""
    ids, counts = grams(texts)
    if keep < 1:
        left = np.random.default_rng(len(ids)).random(len(ids)) < keep
        left[np.cumsum(counts) - 1] = True
        ids, counts = ids[left], np.bincount(np.repeat(np.arange(len(texts)), counts)[left], minlength=len(texts))
    return torch.from_numpy(ids), torch.from_numpy(np.concatenate(([0], np.cumsum(counts)[:-1])))


def accuracy(model: Classifier, rows: list[tuple[str, int]]) -> float:
    """Share of texts whose likeliest language is right. rows: normalised texts, each with the place of its language in LANGUAGES."""
    with torch.no_grad(): guess = model(*batch([t for t, _ in rows])).argmax(1)
    return (guess == torch.tensor([y for _, y in rows])).float().mean().item()


def main() -> None:
    args = argparse.ArgumentParser()
    args.add_argument("--data", type=Path, required=True)
    args.add_argument("--out", type=Path, required=True)
    args.add_argument("--steps", type=int, default=12_000)
    args.add_argument("--rows", type=int, default=512)
    args.add_argument("--most", type=int, default=30_000)
    args.add_argument("--seed", type=int, default=1)
    a = args.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    rng = random.Random(a.seed)
    texts = corpus(a.data, a.most, a.seed)
    print({code: len(found) for code, found in texts.items()}, flush=True)
    weights = [min(len(found), 30_000) ** .15 for found in texts.values()]
    with lzma.open(a.data / "labelled" / "i-language.jsonl.xz", "rt") as rows:
        dev = [(normal(r["text"])[:400], LANGUAGES.index(SAME.get(r["label"], r["label"]))) for r in map(json.loads, rows)
               if r["split"] == "dev" and SAME.get(r["label"], r["label"]) in LANGUAGES]
    short = [(" ".join(t.split(" ")[1:5]), y) for t, y in dev if len(t.split(" ")) > 6]
    model = Classifier()
    sparse = torch.optim.SparseAdam(model.grams.parameters(), lr=1e-2)
    dense = torch.optim.Adam(model.out.parameters(), lr=1e-2)
    began, lost = time.time(), 0.
    for step in range(a.steps):
        for group in (*sparse.param_groups, *dense.param_groups): group["lr"] = 1e-2 * (1 - step / a.steps) + 1e-5
        codes = rng.choices(range(len(LANGUAGES)), weights, k=a.rows)
        loss = nn.functional.cross_entropy(model(*batch([crop(rng.choice(texts[LANGUAGES[c]]), rng) for c in codes], .8)), torch.tensor(codes), label_smoothing=.02)
        sparse.zero_grad(); dense.zero_grad()
        loss.backward()
        sparse.step(); dense.step()
        lost = .99 * lost + .01 * loss.item()
        if step % 250 == 249:
            left = (time.time() - began) / (step + 1) * (a.steps - step - 1)
            print(f"step {step + 1} loss {lost:.3f} dev {accuracy(model, dev):.4f} four words {accuracy(model, short):.4f} left {left / 60:.1f} min", flush=True)
            torch.save(model.state_dict(), a.out.with_suffix(".pt"))


if __name__ == "__main__":
    main()
