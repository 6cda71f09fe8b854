"""Attention of the served graphs: heads in front, no sizes asked for, and in turns where memory has to be bounded."""
from typing import Optional

import torch
import torch.nn.functional as F

from .encoder import HEADS, WIDTH

CELLS = 600_000          # attention weights of one head at a time, but for a single row that takes more
CACHED = 100_000         # as many stay in the cache of a core
EACH = WIDTH // HEADS
SHAPED = "branches"      # domain of the reshapes below


class Shaped(torch.autograd.Function):
    """A reshape whose graph asks nobody for a size: 0 keeps that of its place, even of an array without rows.
    The exporter cannot write such a one itself, so `export` turns this into it."""

    @staticmethod
    def symbolic(g, x, *sizes): return g.op(f"{SHAPED}::Shaped", x, sizes_i=sizes).setType(x.type().with_sizes([size or None for size in sizes]))

    @staticmethod
    def forward(ctx, x, *sizes): return x.reshape([old if new == 0 else new for old, new in zip((*x.shape, 0, 0), sizes)])


def together(q: torch.Tensor, text_k: torch.Tensor, text_v: torch.Tensor, text_mask: Optional[torch.Tensor],
             own_k: torch.Tensor, own_v: torch.Tensor, own_mask: torch.Tensor, heads: int = HEADS, each: int = EACH):
    """Branches [HEADS, B, N, d] attend to one text [HEADS, T, d] and to keys of their own [HEADS, B, M, d], under one softmax.
    Masks [B, 1, T] and [B, 1, M]. Scores keep their heads in front, so that they are never turned about in memory."""
    n, width, own = q.size(2), text_k.size(1), own_k.size(2)
    far = (q.reshape(heads, -1, each) @ text_k.transpose(-1, -2)).view(heads, -1, n, width)
    if text_mask is not None: far = far + text_mask
    near = q @ own_k.transpose(-1, -2) + own_mask
    weights = torch.softmax(torch.cat([far, near], -1), -1)
    seen = weights.view(heads, -1, width + own) @ F.pad(text_v, (0, 0, 0, own))       # zeros cost less than a copy without them
    return seen.view(heads, -1, n, each) + weights[..., width:] @ own_v


some_together = torch.jit.script(together)


@torch.jit.script
def alone_in_turns(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor, cells: int):
    """Rows [HEADS, B, N, d] attend to themselves, as many at a time as keep the attention weights of a head below `cells`. Mask [B, 1, N]."""
    rows = max(1, cells // (q.size(2) * q.size(2)))
    out = q[:, :0]
    for turn in range((q.size(1) + rows - 1) // rows):
        at, to = turn * rows, (turn + 1) * rows
        weights = torch.softmax(q[:, at:to] @ k[:, at:to].transpose(-1, -2) + mask[at:to], -1)
        out = torch.cat([out, weights @ v[:, at:to]], 1)
    return out


@torch.jit.script
def in_turns(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor, owner: torch.Tensor, asked_k: torch.Tensor,
             asked_v: torch.Tensor, asked_mask: torch.Tensor, text_k: torch.Tensor, text_v: torch.Tensor, text_mask: torch.Tensor, cells: int, cached: int):
    """Options attend to the text, to their question and to themselves: as many at a time as keep the attention weights of a head
    below `cached`, or a few if that is less than a few, as long as these stay below `cells`. text_mask has a row per question."""
    each = q.size(2) * (text_k.size(1) + asked_k.size(2) + k.size(2))
    rows = max(1, max(cached // each, min(8, cells // each)))
    out = q[:, :0]
    for turn in range((q.size(1) + rows - 1) // rows):
        at, to = turn * rows, (turn + 1) * rows
        of = owner[at:to]
        own_k, own_v, own_mask = torch.cat([asked_k[:, of], k[:, at:to]], 2), torch.cat([asked_v[:, of], v[:, at:to]], 2), torch.cat([asked_mask[of], mask[at:to]], -1)
        out = torch.cat([out, some_together(q[:, at:to], text_k, text_v, text_mask[of], own_k, own_v, own_mask)], 1)
    return out


def join(x: torch.Tensor) -> torch.Tensor:
    """[HEADS, B, N, WIDTH / HEADS] -> [B, N, WIDTH]"""
    return Shaped.apply(x.permute(1, 2, 0, 3), 0, 0, WIDTH)
