"""Calibrates a checkpoint, exports it to int8 and writes the bundle.

  python ship.py configs/english.json --data DATA --packages PACKAGES --weights RUN/cooled.safetensors --checkpoint svc-en-0001 --date 2026-11-22 --out ../models/svc-english [--blend 0.9]
--blend: the share of the trained encoder; the rest is the pretrained one.
"""
import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

import calibrate
import development
from branches import bundle, export, sources
from branches.batch import Packer
from branches.decider import Decider
from corpus import load
from evaluate import outcomes
from render.moderation import CATEGORIES


def blended(decider: Decider, weights: Path, share: float) -> None:
    """Encoder: share of the trained weights, the rest as the decider is now; everything else as trained."""
    old, new = decider.state_dict(), sources.weights(weights)
    mixed = {k: torch.lerp(old[k], v, share) if k.startswith(("encoder.", "view.")) and old[k].is_floating_point() else v for k, v in new.items()}
    decider.load_state_dict(mixed, strict=False)


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("packages", Path, None), ("weights", Path, None), 
                                ("out", Path, None), ("checkpoint", str, None), ("date", str, None), ("blend", float, 1.0), ("per_set", int, 60)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    decider, tokens = sources.build(c, a.packages)
    blended(decider, a.weights, a.blend)
    corpus = load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"]), training=False)
    dev = development.held_in(corpus, Packer(tokens, text=384, branch=1200), a.per_set)
    scales = calibrate.temperatures(outcomes(decider, dev, tokens))
    tokenizer = json.loads((a.packages / c["tokenizer"]).read_text(encoding="utf8")) | {"truncation": None, "padding": None}
    with TemporaryDirectory() as folder:
        made = Path(folder)
        export.export(decider, tokens.first, tokens.last, made, c.get("word_bits", 8))
        (made / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), encoding="utf8")
        questions = {k: {"question": v[0], "threshold": c["moderation"].get(k, .5)} for k, v in CATEGORIES.items()}
        bundle.write(a.out, made, {
            "name": c["name"], "checkpoint": a.checkpoint, "description": c["description"], "release_date": a.date, "languages": c["speaks"],
            "tokens": {"first": tokens.first, "last": tokens.last, "pad": tokens.pad}, "limits": {"window": 256, "question_tokens": 640, "option_tokens": 640},
            "temperatures": scales, "moderation": questions, "licence": "Apache-2.0", "sources": c["sources"]})


if __name__ == "__main__":
    main()
