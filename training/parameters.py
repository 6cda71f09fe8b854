"""The parameters of a Decider: which of them a run trains, how fast, and which a checkpoint holds."""
import torch

from branches.decider import Decider
from branches.encoder import WIDTH
from branches.front import TABLE

NARROW = 4 * WIDTH          # numbers in the longest bias
FRONT = "encoder.words."


def groups(model: Decider, c: dict) -> list[dict]:
    """Body slow and slower towards the input, everything new fast. Layers in front of the body have a rate of their own that falls likewise."""
    by: dict[float, list] = {}
    for name, p in model.named_parameters():
        if p.requires_grad: by.setdefault(times(name, model, c), []).append(p)
    return [{"params": ps, "times": times} for times, ps in by.items()]


def times(name: str, model: Decider, c: dict) -> float:
    """The rate of a parameter, as a multiple of a run's."""
    if not name.startswith("encoder."): return c["head_rate"]
    front = name.startswith(FRONT)
    depth = len((model.encoder.words.lower if front else model.encoder).layers)
    within = name.removeprefix(FRONT if front else "encoder.")
    up = depth if within.startswith("map.") else int(within.split("layers.")[1].split(".")[0]) + 1 if "layers." in within else 0
    return (c["front_rate"] if front else 1) * c["layer_decay"] ** (depth - up)


def trained(model: Decider) -> dict[str, torch.Tensor]:
    """What a checkpoint holds: all but the frozen tables of the packages."""
    return {k: v for k, v in model.state_dict().items() if k not in ("encoder.words.weight", TABLE)}


def fresh(module: torch.nn.Module) -> None:
    """As BERT begins before any pretraining."""
    if isinstance(module, torch.nn.Linear):
        torch.nn.init.normal_(module.weight, std=.02)
        torch.nn.init.zeros_(module.bias)
    elif isinstance(module, torch.nn.LayerNorm): module.reset_parameters()


def hold(model: Decider, parts: dict[str, float]) -> None:
    """Fixes parameters whose names begin so at a number: a part of the graph is taken out."""
    for name, p in model.named_parameters():
        for prefix, value in parts.items():
            if name.startswith(prefix): p.requires_grad_(False).fill_(value)


def leave(model: Decider, layers: int) -> None:
    """Leaves the lowest layers and all that comes before them as they are: what was shipped of them stays the same to the byte, and a step is cheaper."""
    e = model.encoder
    for part in (e.words, e.positions, e.segments, e.norm, model.kind, model.level, *e.layers[:layers]): part.requires_grad_(False)


def narrow(model: Decider) -> None:
    """Leaves every matrix as it is and trains what stands beside them: biases, norms, kinds, levels, the unit and the gate of the logit.
    A bundle made so differs little from the one before."""
    for p in model.parameters(): p.requires_grad_(p.requires_grad and p.numel() <= NARROW)


def still(model: Decider) -> None:
    """Leaves the body as it is: the layers in front of it learn alone."""
    model.requires_grad_(False)
    model.encoder.words.trainable()
