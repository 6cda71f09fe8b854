"""The weighted mean of checkpoints of one shape; what only some of them hold is taken from the last that does.

  python mean.py OUT CHECKPOINT:SHARE CHECKPOINT:SHARE …
"""
import sys
from pathlib import Path

from safetensors.torch import save_file

from branches import sources


def main(out: Path, *parts: str) -> None:
    states = [(sources.weights(Path(file)), float(share)) for file, share in (part.rsplit(":", 1) for part in parts)]
    merged = {name: value for state, _ in states for name, value in state.items()}
    for name in set.intersection(*(set(state) for state, _ in states)): merged[name] = sum(state[name] * share for state, share in states)
    save_file({name: value.half().contiguous() for name, value in merged.items()}, out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
