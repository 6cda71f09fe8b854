"""Choices of kept-out sets, all rows in every wording, as a bundle answers them where it is served, beside the plain cosine of the pretrained encoder.

  python unseen.py configs/multilingual.json --data DATA --packages PACKAGES --bundle ../models/svc-multilingual [--sets copa_olora,xcopa_11] [--per-set 2000]
--sets: all that the config keeps out by default; texts are read one by one.
"""
import argparse
import json
from collections import defaultdict
from pathlib import Path
from random import Random

from branches import sources
from branches.batch import Packer
from branches.served import Bundle
from corpus import load
from development import worded
from evaluate import figures
from plain import cosines
from render.labelled import Labelled


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("packages", Path, None), ("bundle", Path, None),
                                ("sets", str, ""), ("per_set", int, 2000)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    # With what is trained on: the rows of a kept-out set that its makers meant for training are as new to the model as the others.
    corpus, bundle = load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"])), Bundle(a.bundle)
    sets = a.sets.split(",") if a.sets else sorted(corpus.held)
    assert all(name in corpus.held for name in sets), f"kept out are {', '.join(sorted(corpus.held))}"
    served, packed, pack = defaultdict(list), [], Packer.whole(bundle.tokens)
    rng, labelled = Random(11), Labelled(corpus.sets)
    for name in sets:
        for row in rng.sample(corpus.held[name], min(a.per_set, len(corpus.held[name]))):
            asked = worded(labelled, row, rng)
            if not asked: continue
            text, questions, tags = row["text"] or " ", [q for _, q in asked], [f"{name} {tag}" for tag, _ in asked]
            for question, tag, logits in zip(questions, tags, bundle.logits(text, questions)): served[tag].append((logits, question.target))
            packed.append(pack(text, questions, tags))
    encoder, prefix = sources.pretrained(c, a.packages)
    cosine = cosines(encoder, packed, bundle.tokens, prefix)
    print(f"{'':44}{'n':>6}{'served':>8}{'cosine':>8}")
    for tag, seen in sorted(served.items()): print(f"{tag:44}{len(seen):6d}{figures(seen)['acc']:8.3f}{figures(cosine[tag])['acc']:8.3f}")


if __name__ == "__main__":
    main()
