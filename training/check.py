"""What a bundle scores on dev parts, run as the service runs it.

  python check.py configs/english.json --data DATA --bundle ../models/svc-english
"""
import argparse
import json
from collections import defaultdict
from pathlib import Path

from branches.served import Bundle
from corpus import load
from development import held_in_questions
from evaluate import figures


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("bundle", Path, None), ("per_set", int, 25)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    corpus, bundle = load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"]), training=False), Bundle(a.bundle)
    seen = defaultdict(list)
    for text, questions, tags in held_in_questions(corpus, a.per_set):
        for question, z, tag in zip(questions, bundle.logits(text, questions), tags):
            seen[tag].append((z / bundle.temperature(question.kind, len(z)), question.target))
    for tag, found in sorted(seen.items()):
        f = figures(found)
        print(f"{tag:36} n {f['n']:5d} accuracy {f['acc']:.3f} ece {f['ece']:.3f} brier {f['brier']:.3f} level distance {f['off']:.2f}")


if __name__ == "__main__":
    main()
