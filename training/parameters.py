"""The parameters of a Decider: which of them a run trains, how fast, and which a checkpoint holds."""
import torch

from branches import sources
from branches.decider import Decider
from branches.encoder import WIDTH

NARROW = 4 * WIDTH          # numbers in the longest bias


def groups(model: Decider, c: dict) -> list[dict]:
    """Body slow and slower towards the input, everything new fast; the map of piece vectors like the top of the body.
    Their shifts have an optimiser of their own, for each step sees few of them."""
    layers = len(model.encoder.layers)
    by: dict[float, list] = {}
    for name, p in model.named_parameters():
        if not p.requires_grad or name == sources.SHIFT: continue
        depth = int(name.split(".")[2]) + 1 if name.startswith("encoder.layers.") else 0
        times = 1 if name.startswith("encoder.words.") else c["layer_decay"] ** (layers - depth) if name.startswith("encoder.") else c["head_rate"]
        by.setdefault(times, []).append(p)
    return [{"params": ps, "times": times} for times, ps in by.items()]


def trained(model: Decider) -> dict[str, torch.Tensor]:
    """What a checkpoint holds: all but the frozen tables of the packages."""
    return {k: v for k, v in model.state_dict().items() if k not in ("encoder.words.weight", "encoder.words.table")}


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
    """Leaves every matrix as it is and trains what stands beside them: biases, norms, kinds, levels, the unit and the gate of the logit, and
    the offsets of languages. A bundle made so differs little from the one before."""
    for name, p in model.named_parameters(): p.requires_grad_(p.requires_grad and (name == sources.OFFSET or p.numel() <= NARROW))
