"""What each part of the recipe brings: a short run per arm from the packages, all of equal processor minutes, beside each other.

  python ablation.py configs/english.json --data DATA --packages PACKAGES --out RUNS --minutes 8 [--cool 2] [--per-set 12]
An arm whose run is done is not run again. Prints a table of accuracies in Markdown.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

import development
from branches import sources
from branches.batch import Packer
from compare import KINDS, means
from corpus import load
from evaluate import figures, outcomes
from ship import blended

HERE = Path(__file__).parent
PEERS = {f"peers.{i}.{part}.": 0 for i in (0, 1) for part in ("o", "down")}
ARMS = {
    "the recipe": {},
    "layers not pretrained (word vectors are)": {"scratch": True, "similarity": 0, "anchor": 0},
    "no cosine in the logit": {"hold": {"gate.": 0}},
    "no loss that recalls the old similarities, no pull to the old weights": {"similarity": 0, "anchor": 0},
    "no written material": {"shares": {"written": 0, "templates": 0, "moderated": 0, "small": 0, "long": .05}},
    "options do not see each other": {"hold": PEERS},
    "no product of text and lone option": {"hold": {"product.": 0}},
}


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("packages", Path, None), ("out", Path, None), ("minutes", float, 8), ("cool", float, 2), ("per_set", int, 12)):
        arg.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    asked = {}
    for number, (name, changes) in enumerate(ARMS.items()):
        folder = a.out / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(c | {"warmup": 50} | changes))
        if not (folder / "cooled.safetensors").exists():
            run = subprocess.run([sys.executable, HERE / "train.py", folder / "config.json", "--data", a.data, "--packages", a.packages, "--out", folder, "--minutes", str(a.minutes),
                                  "--cool", str(a.cool), "--threads", "1", "--clock", "cpu"], check=True, stdout=subprocess.PIPE, text=True)
            (folder / "log").write_text(run.stdout)
        asked[name] = (folder / "log").read_text().rsplit("questions ", 1)[1].split()[0]
    decider, tokens = sources.build(c, a.packages)
    start = {k: v.clone() for k, v in decider.state_dict().items()}
    corpus = load(a.data, HERE / "written", c["held_out"], c["languages"], tuple(c["skip"]), training=False)
    pack = Packer(tokens, text=384, branch=1200)
    held, known = development.held_out(corpus, pack, a.per_set), development.held_in(corpus, pack, a.per_set // 2)
    print("| arm | questions |", *(f"{name} |" for name, _, _ in KINDS), "\n| --- |", *("--- |" for _ in range(len(KINDS) + 1)))
    for number, name in enumerate(("nothing trained", *ARMS), -1):
        decider.load_state_dict(start)
        if number >= 0: blended(decider, a.out / str(number) / "cooled.safetensors", 1)
        seen = means({tag: figures(v) for tag, v in outcomes(decider, held + known, tokens).items()}, set(corpus.held))
        print(f"| {name} | {asked.get(name, 0)} |", *(f"{seen[kind]:.3f} |" if kind in seen else "– |" for kind, _, _ in KINDS), flush=True)


if __name__ == "__main__":
    main()
