"""Attention of the served graphs: heads in front, no sizes asked for, and in turns where memory has to be bounded."""
from typing import Optional

import torch
import torch.nn.functional as F

from .encoder import HEADS, WIDTH

CELLS = 600_000          # attention weights of one head at a time, but for a single row that takes more
CACHED = 100_000         # as many stay in the cache of a core
VECTOR = 16              # rows are padded by whole vectors of a core: then the sums of a row end in the same order whatever stands beside it
EACH = WIDTH // HEADS
SHAPED = "branches"      # domain of the reshapes below


class Shaped(torch.autograd.Function):
    """A reshape whose graph asks nobody for a size: 0 keeps that of its place, even of an array without rows.
    The exporter cannot write such a one itself, so `export` turns this into it."""

    @staticmethod
    def symbolic(g, x, *sizes):
        """What the exporter writes: a node of the domain SHAPED with the sizes as its attribute."""
        return g.op(f"{SHAPED}::Shaped", x, sizes_i=sizes).setType(x.type().with_sizes([size or None for size in sizes]))

    @staticmethod
    def forward(ctx, x, *sizes):
        """Reshapes x; a size of 0 is that of its place in x. There may be up to two sizes more than x has."""
        return x.reshape([old if new == 0 else new for old, new in zip((*x.shape, 0, 0), sizes)])


def together(q: torch.Tensor, text_k: torch.Tensor, text_v: torch.Tensor, text_mask: Optional[torch.Tensor], own_k: torch.Tensor, own_v: torch.Tensor,
             own_mask: torch.Tensor, real: torch.Tensor, back: torch.Tensor, heads: int = HEADS, each: int = EACH):
    """Tokens of branches [HEADS, T, d] attend to one text [HEADS, L, d] and, in rows, to keys of their own [HEADS, B, M, d], under one softmax.
    Rows are padded, so they are made for what is their own alone; real [T] and back [B, N] say where a token stands in them.
    Masks [T, L] and [B, 1, M]. Scores keep their heads in front, so that they are never turned about in memory."""
    width, own = text_k.size(1), own_k.size(2)
    far = q @ text_k.transpose(-1, -2)
    if text_mask is not None: far = far + text_mask
    near = (q[:, back] @ own_k.transpose(-1, -2) + own_mask).view(heads, -1, own)[:, real]
    weights = torch.softmax(torch.cat([far, near], -1), -1)
    beside = weights[..., width:][:, back] @ own_v
    return weights @ F.pad(text_v, (0, 0, 0, own)) + beside.view(heads, -1, each)[:, real]       # zeros cost less than a copy without them


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
def in_turns(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, length: torch.Tensor, owner: torch.Tensor, asked_k: torch.Tensor, asked_v: torch.Tensor,
             asked_mask: torch.Tensor, text_k: torch.Tensor, text_v: torch.Tensor, text_mask: torch.Tensor, cells: int, cached: int, vector: int):
    """Options attend to the text, to their question and to themselves: as many at a time as keep the attention weights of a head
    below `cached`, or a few if that is less than a few, as long as these stay below `cells`, were all as long as the longest.
    q, k, v [HEADS, T, d] are the tokens of rows of some length [B]; text_mask [Q, L] has a row per question."""
    width, owners = (int(length.max()) + vector - 1) // vector * vector, asked_k.size(2)
    own = width * (owners + width)
    rows = max(1, min(max(cached // (q.size(1) * text_k.size(1) // length.size(0) + own), 8), cells // (width * text_k.size(1) + own)))
    first = length.cumsum(0) - length
    place = torch.arange(width, device=q.device)[None]
    out = q[:, :0]
    for turn in range((length.size(0) + rows - 1) // rows):
        at, to = turn * rows, (turn + 1) * rows
        of, held = owner[at:to], place < length[at:to, None]
        real, back = torch.nonzero(held.view(-1))[:, 0], first[at:to, None] + torch.where(held, place, 0)
        own_k, own_v = torch.cat([asked_k[:, of], k[:, back]], 2), torch.cat([asked_v[:, of], v[:, back]], 2)
        own_mask = torch.cat([asked_mask[of], torch.where(held, 0.0, -1e4)[:, None]], -1)
        before = int(first[at])
        out = torch.cat([out, some_together(q[:, before:before + real.size(0)], text_k, text_v, text_mask[of][real // width], own_k, own_v, own_mask, real, back - before)], 1)
    return out


def heads(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """[T, 3 WIDTH] -> queries, keys, values, each [HEADS, T, d]"""
    return Shaped.apply(x, 0, 3, HEADS, EACH).permute(1, 2, 0, 3).unbind()


def join(x: torch.Tensor) -> torch.Tensor:
    """[HEADS, T, d] -> [T, WIDTH]"""
    return Shaped.apply(x.permute(1, 0, 2), 0, WIDTH)
