"""The pretrained body: word vectors, positions and post-norm transformer layers with BERT's parameter shapes."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTH, HEADS = 384, 12
STEP = 128


class Layer(nn.Module):
    """One encoder layer, split where the attention goes, so that callers decide who attends to whom."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.n1, self.n2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def after(self, x: torch.Tensor, attended: torch.Tensor) -> torch.Tensor:
        """What follows the attention: output map, residual, feed-forward."""
        x = self.n1(x + self.o(attended))
        return self.n2(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    """Word vectors, from a table or in context (see front.py), + positions + layers."""

    def __init__(self, words: nn.Module, depth: int) -> None:
        super().__init__()
        self.words = words
        self.positions, self.segments = nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(depth))


def split(x: torch.Tensor) -> torch.Tensor:
    """[B, N, WIDTH] -> [B, HEADS, N, WIDTH / HEADS]"""
    return x.view(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)


def join(x: torch.Tensor) -> torch.Tensor:
    """[B, HEADS, N, WIDTH / HEADS] -> [B, N, WIDTH]"""
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], WIDTH)


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """mask is added to the scores."""
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
    return torch.softmax(scores + mask.to(scores.dtype), -1).to(v.dtype) @ v


def learn_to_attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The same in the faster way with gradients on a CPU: SDPA takes a quarter less in float32, in bfloat16 several times as long."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask) if q.dtype == torch.float32 else attend(q, k, v, mask)


def embed(encoder: Encoder, words: torch.Tensor) -> torch.Tensor:
    """Word vectors of plain texts [B, N, WIDTH] (segment 0, positions from 0) -> input vectors."""
    place = torch.arange(words.shape[1], device=words.device).clamp(max=511)
    return encoder.norm(words + encoder.positions(place) + encoder.segments.weight[0])


def padding_mask(length: torch.Tensor, width: int, dtype: torch.dtype) -> torch.Tensor:
    """[B] -> [B, 1, 1, width]: 0 for real tokens, a large negative number for padding."""
    real = torch.arange(width, device=length.device)[None] < length[:, None]
    return ((~real).to(dtype) * -1e4)[:, None, None]


@dataclass(frozen=True)
class Rows:
    """Rows of unequal length. Linear maps run over the real tokens alone, [T, ...]; attention over padded rows [B, N, ...].
    at: places of the real tokens among the padded ones; back: the real token of each padded place (any one, where padded).
    The packed rows are filled up with copies of the first token to a multiple of STEP, because a CPU compiles every product
    anew for a shape that it has not seen."""
    at: torch.Tensor
    back: torch.Tensor

    def pack(self, padded: torch.Tensor) -> torch.Tensor:
        """[B, N, W] -> the real tokens, filled up, [T, W]."""
        return F.embedding(self.at, padded.reshape(-1, padded.shape[-1]))

    def pad(self, packed: torch.Tensor) -> torch.Tensor:
        """[T, W] -> [B, N, W]; what stands in padded places is to be masked."""
        return F.embedding(self.back, packed)

    @staticmethod
    def of(real: torch.Tensor) -> "Rows":
        """real: [B, N] bool."""
        flat = real.reshape(-1)
        at = flat.nonzero()[:, 0]
        return Rows(F.pad(at, (0, -len(at) % STEP)), (flat.cumsum(0) - 1).clamp(min=0).view(real.shape))


def qkv(layer: Layer, x: torch.Tensor) -> torch.Tensor:
    """Queries, keys and values in one product, [T, WIDTH] -> [T, 3 WIDTH]."""
    weight = torch.cat((layer.q.weight, layer.k.weight, layer.v.weight))
    return F.linear(x, weight, torch.cat((layer.q.bias, layer.k.bias, layer.v.bias)))


def heads(x: torch.Tensor) -> torch.Tensor:
    """[B, N, 3 WIDTH] -> queries, keys, values, each [B, HEADS, N, WIDTH / HEADS]"""
    return x.view(x.shape[0], x.shape[1], 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)


def real_tokens(length: torch.Tensor, width: int) -> torch.Tensor:
    """[B] -> [B, width] bool: the places that hold a token."""
    return torch.arange(width, device=length.device)[None] < length[:, None]


def attend_to_own(layer: Layer, x: torch.Tensor, rows: Rows, mask: torch.Tensor) -> torch.Tensor:
    """A layer over packed rows that see themselves alone."""
    return layer.after(x, rows.pack(join(learn_to_attend(*heads(rows.pad(qkv(layer, x))), mask))))


def read(encoder: Encoder, words: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    """Word vectors of plain texts [B, N, WIDTH] -> mean over their token vectors [B, WIDTH] float32, as the pretrained encoder reads them."""
    rows = Rows.of(real_tokens(length, words.shape[1]))
    x, mask = rows.pack(embed(encoder, words)), padding_mask(length, words.shape[1], words.dtype)
    for layer in encoder.layers: x = attend_to_own(layer, x, rows, mask)
    return mean(rows.pad(x), length)


def mean(x: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    """Mean over the real tokens of each row, [B, N, WIDTH] -> [B, WIDTH] float32."""
    real = (torch.arange(x.shape[1], device=x.device)[None] < length[:, None]).to(x.dtype)
    return torch.bmm(real[:, None], x)[:, 0].float() / length[:, None].clamp(min=1)
