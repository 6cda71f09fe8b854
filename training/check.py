"""What a bundle scores on dev parts, run as the service runs it; beside the weights it was made of, to see what int8 costs.

  python check.py configs/english.json --data DATA --bundle ../models/svc-english [--packages PACKAGES --weights RUN/cooled.safetensors --blend 0.9] [--every 20]
--every: asks about every n-th text alone; texts are read one by one.
"""
import argparse
import json
from collections import defaultdict
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from branches import sources
from branches.batch import Packer, collate
from branches.decider import Decider
from branches.served import Bundle
from branches.tokens import WordPieces
from corpus import load
from development import held_in_questions
from evaluate import figures
from render.question import Question
from ship import blended


def plain(decider: Decider, tokens: WordPieces, text: str, questions: list[Question]) -> np.ndarray:
    """Logits of all options in float32."""
    packed = Packer.whole(tokens)(text, questions)
    with torch.no_grad():
        return decider(collate([packed], tokens.first, tokens.last, tokens.pad))[0][0].numpy()


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("bundle", Path, None), ("per_set", int, 25), ("every", int, 1),
                                ("packages", Path, None), ("weights", Path, None), ("blend", float, 1.0)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    corpus, bundle = load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"]), training=False), Bundle(a.bundle)
    decider, tokens = sources.build(c, a.packages) if a.weights else (None, None)
    if decider: blended(decider.eval(), a.weights, a.blend)
    served, exact, same = defaultdict(list), defaultdict(list), []
    for text, questions, tags in islice(held_in_questions(corpus, a.per_set), 0, None, a.every):
        logits = bundle.logits(text, questions)
        whole = plain(decider, tokens, text, questions) if decider else np.concatenate(logits)
        for question, z, float32, tag in zip(questions, logits, np.split(whole, np.cumsum([len(z) for z in logits])[:-1]), tags):
            served[tag].append((z / bundle.temperature(question.kind, len(z)), question.target))
            exact[tag].append((float32, question.target))
            same.append(z.argmax() == float32.argmax())
    for tag, found in sorted(served.items()):
        f = figures(found)
        print(f"{tag:36} n {f['n']:5d} accuracy {f['acc']:.3f} ece {f['ece']:.3f} brier {f['brier']:.3f} level distance {f['off']:.2f}")
    if decider:
        int8, float32 = (figures([o for found in seen.values() for o in found])["acc"] for seen in (served, exact))
        print(f"in all {len(same)} questions: int8 {int8:.4f}, float32 {float32:.4f}, same answer {np.mean(same):.4f}")


if __name__ == "__main__":
    main()
