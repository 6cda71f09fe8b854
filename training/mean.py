"""The weighted mean of checkpoints or bundles of one config. Shares may sum to anything.

  python mean.py OUT CHECKPOINT:SHARE CHECKPOINT:SHARE …
"""
import argparse
from pathlib import Path

from safetensors.torch import save_file

from branches import sources


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("out", type=Path)
    arg.add_argument("parts", nargs="+")
    a = arg.parse_args()
    states = [(sources.weights(Path(file)), float(share)) for file, share in (part.rsplit(":", 1) for part in a.parts)]
    names, whole = states[0][0].keys(), sum(share for _, share in states)
    assert all(state.keys() == names for state, _ in states), "checkpoints of different configs"
    save_file({name: sum(state[name] * (share / whole) for state, share in states).half().contiguous() for name in names}, a.out)


if __name__ == "__main__":
    main()
