"""The weighted mean of checkpoints or bundles of one config; the groups of pieces are those of the first.

  python mean.py configs/english.json OUT CHECKPOINT:SHARE CHECKPOINT:SHARE … --packages PACKAGES [--body … [--lean 0.25]]
--lean: how far all but the word vectors is then brought to the English body.
"""
import argparse
import json
from pathlib import Path

import torch
from safetensors.torch import save_file

from branches import sources


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    arg.add_argument("out", type=Path)
    arg.add_argument("parts", nargs="+")
    for name in ("packages", "body"): arg.add_argument(f"--{name}", type=Path)
    arg.add_argument("--lean", type=float, default=0)
    a = arg.parse_args()
    decider, tokens = sources.build(json.loads(a.config.read_text()), a.packages, a.body)
    states = [(sources.state(decider, tokens, Path(file)), float(share)) for file, share in (part.rsplit(":", 1) for part in a.parts)]
    names = states[0][0].keys()
    assert all(state.keys() == names for state, _ in states), "checkpoints of different configs"
    mean = {name: sum(state[name] * share for state, share in states) for name in names} | {name: states[0][0][name] for name in names if name == sources.GROUP}
    if a.lean: mean |= {name: torch.lerp(mean[name], value, a.lean) for name, value in sources.weights(a.body).items()}
    save_file({name: value.half().contiguous() for name, value in mean.items()}, a.out)


if __name__ == "__main__":
    main()
