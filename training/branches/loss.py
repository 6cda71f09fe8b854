"""Cross-entropy between the options of each question, with soft targets; how far scores are off; and how far what options see is from what a teacher's see."""
import torch
import torch.nn.functional as F

from .decider import NEVER

FAR = 1.0               # weight of the distance between levels beside the cross-entropy


def log_probabilities(logits: torch.Tensor, owner: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """logits, owner [B, M] (owner -1 is padding) -> log p [B, M, Q] within each question, membership [B, M, Q]."""
    of = F.one_hot(owner.clamp(min=0), int(owner.max()) + 1).bool() & (owner >= 0)[..., None]
    z = torch.where(of, logits[..., None], torch.full((), NEVER))
    return z - torch.logsumexp(z, 1, keepdim=True), of


def decision_loss(logits: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, int]:
    """Mean over the questions of a batch, and their number."""
    logp, of = log_probabilities(logits, batch["owner"])
    target = batch["target"][..., None] * of
    each = -(torch.where(of, logp, torch.zeros(())) * target).sum(1)
    far = ((logp.exp() * of).cumsum(1) - target.cumsum(1)).square().sum(1)          # a level next to the right one is half right
    each = each + FAR * batch["levels"] * far
    asked = of.any(1)
    return each[asked].mean(), int(asked.sum())


def kept(target: torch.Tensor, before: torch.Tensor, owner: torch.Tensor, share: float) -> torch.Tensor:
    """target, and before: the logits of the weights that a run began with [B, M] -> targets brought by a share to what was answered then, where that
    was right: mistakes are not kept."""
    logp, of = log_probabilities(before, owner)
    answered = logp.exp() * of
    right = answered.argmax(1, keepdim=True) == (target[..., None] * of).argmax(1, keepdim=True)
    return torch.lerp(target, answered.sum(-1), share * (of & right).any(-1))


def unlike(seen: torch.Tensor, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """seen: what each option is once it has seen text and question [B, M, WIDTH]. 0 to 2, in the mean of the options that a teacher was asked about."""
    told = batch["told"]
    mine, meant = seen[told].float(), batch["seen"][told]
    middle = meant.mean(0)
    return (1 - F.cosine_similarity(mine - middle, meant - middle, dim=-1)).mean()
