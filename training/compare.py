"""Checkpoints beside the plain cosine of the pretrained encoder (of the whole multilingual one, where there is a front), on held-out sets and on dev parts.

  python compare.py configs/english.json --data DATA --packages PACKAGES [CHECKPOINT[:BLEND] …] [--per-set 40 --known 20]
BLEND is the share of the trained encoder, the rest is the pretrained one (1 by default). --per-set: rows of each held-out set;
--known: of each dev part.
"""
import argparse
import json
from pathlib import Path

import numpy as np

import development
from branches import sources
from branches.batch import Packer
from corpus import load
from evaluate import figures, outcomes
from plain import cosines
from ship import blended

KINDS = (("held-out choice", "choice", True), ("held-out yes/no", "yes/no", True), ("held-out negated", "negated", True), ("held-out score", "score", True),
         ("known choice", "choice", False), ("known yes/no", "noul", False), ("known score", "score", False))


def means(seen: dict[str, dict[str, float]], held: set[str]) -> dict[str, float]:
    """Figures by tag -> mean accuracy of each kind of question over its tags. held: the sets that are kept out."""
    of = {name: [v["acc"] for tag, v in seen.items() if kind in tag and (tag.split(" ")[0] in held) == mine] for name, kind, mine in KINDS}
    return {name: float(np.mean(each)) for name, each in of.items() if each}


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    arg.add_argument("checkpoints", nargs="*")
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("packages", Path, None), ("per_set", int, 40), ("known", int, None)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    a = arg.parse_intermixed_args()
    c = json.loads(a.config.read_text())
    decider, tokens = sources.build(c, a.packages)
    start = {k: v.clone() for k, v in decider.state_dict().items()}
    corpus = load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"]), training=False)
    pack = Packer(tokens, text=384, branch=1200)
    held, known = development.held_out(corpus, pack, a.per_set), development.held_in(corpus, pack, a.per_set // 2 if a.known is None else a.known)
    encoder, prefix = sources.pretrained(c, a.packages)
    results = {"cosine": {k: figures(v) for k, v in cosines(encoder, held, tokens, prefix).items()}}
    for spec in a.checkpoints:
        file, _, share = spec.partition(":")
        decider.load_state_dict(start)
        blended(decider, Path(file), float(share or 1))
        results[spec] = {k: figures(v) for k, v in outcomes(decider, held + known, tokens).items()}
    print(f"{'':44}", *(f"{name[-28:]:>28}" for name in results))
    for tag in sorted({t for r in results.values() for t in r}):
        print(f"{tag:44}", *(f"{r[tag]['acc']:.3f} ece {r[tag]['ece']:.2f} n {r[tag]['n']:4d}".rjust(28) if tag in r else " " * 28 for r in results.values()))
    summaries = [means(r, set(corpus.held)) for r in results.values()]
    for name, _, _ in KINDS: print(f"{name:44}", *(f"{m[name]:.3f}".rjust(28) if name in m else " " * 28 for m in summaries))


if __name__ == "__main__":
    main()
