"""The same graph in the shape that is served: one state, its windows, its questions, all options flat."""
import torch
import torch.nn as nn

from .decider import NEVER, OPTION, QUESTION, Decider
from .encoder import HEADS, WIDTH, Layer, attend, embed, join, mean, padding_mask, split

Part = tuple[torch.Tensor, torch.Tensor, torch.Tensor]      # queries, keys, values of one kind of token


def fused(layer: Layer) -> nn.Linear:
    """Queries, keys and values in one matrix product."""
    out = nn.Linear(WIDTH, 3 * WIDTH)
    with torch.no_grad():
        out.weight.copy_(torch.cat((layer.q.weight, layer.k.weight, layer.v.weight)))
        out.bias.copy_(torch.cat((layer.q.bias, layer.k.bias, layer.v.bias)))
    return out


class Serving(nn.Module):
    """first, last: token ids around a text. Inputs and output as the bundle format describes them."""

    def __init__(self, decider: Decider, first: int, last: int) -> None:
        super().__init__()
        self.decider, self.first, self.last = decider, first, last
        self.qkv = nn.ModuleList(fused(layer) for layer in decider.encoder.layers)

    def alone(self, option: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
        """`last` + tokens, padded -> `first` tokens `last`, padded."""
        wide = torch.cat((option, torch.zeros_like(option[:, :1])), 1)
        at = torch.arange(wide.shape[1], device=wide.device)[None]
        wide = torch.where(at == 0, torch.full_like(wide, self.first), wide)
        return torch.where(at == length[:, None], torch.full_like(wide, self.last), wide)

    def forward(self, text, text_length, question, question_length, option, option_length, owner, place, level):
        d, e = self.decider, self.decider.encoder
        lone = self.alone(option, option_length)
        text_mask = padding_mask(text_length, text.shape[1], torch.float32)                      # [W, 1, 1, L]
        lone_mask = padding_mask(option_length + 1, lone.shape[1], torch.float32)
        question_mask = padding_mask(question_length, question.shape[1], torch.float32)        # [Q, 1, 1, Lq]
        option_mask = padding_mask(option_length, option.shape[1], torch.float32)
        owned_mask, every_text = question_mask[owner], text_mask.view(1, 1, 1, -1)
        at = torch.arange(question.shape[1], device=text.device)[None].expand(question.shape[0], -1)
        asked = d.branch_input(question, at, torch.full_like(question, QUESTION), torch.zeros(1, 1, 2))
        at = torch.arange(option.shape[1], device=text.device)[None] + question_length[owner][:, None]
        ordinal = torch.stack((level, place), -1)[:, None]
        offered = d.branch_input(option, at, torch.full_like(option, OPTION), ordinal)
        inputs = [embed(e, text), asked, offered, embed(e, lone)]
        shapes = [(t.shape[0], t.shape[1]) for t in (text, question, option, lone)]
        sizes = [a * b for a, b in shapes]
        flat = torch.cat([t.reshape(-1, WIDTH) for t in inputs])         # every linear map runs once over all tokens
        for layer, qkv in zip(e.layers, self.qkv):
            parts = [[split(p.reshape(a, b, WIDTH)) for p in rows.split(WIDTH, -1)]
                     for (a, b), rows in zip(shapes, qkv(flat).split(sizes))]
            t, q, o, z = parts
            whole = self.side_by_side(t)
            attended = [attend(*t, text_mask), self.mixed(q, whole, every_text, [(q[1], q[2], question_mask)]),
                        self.mixed(o, whole, every_text, [(q[1][owner], q[2][owner], owned_mask), (o[1], o[2], option_mask)]),
                        attend(*z, lone_mask)]
            flat = layer.after(flat, torch.cat([join(a).reshape(-1, WIDTH) for a in attended]))
        x, _, o, z = (p.reshape(a, b, WIDTH) for (a, b), p in zip(shapes, flat.split(sizes)))
        real = (torch.arange(text.shape[1], device=text.device)[None] < text_length[:, None]).float().view(1, 1, -1)
        text_mean = torch.bmm(real, x.reshape(1, -1, WIDTH)) / real.sum()
        peers = torch.where(owner[:, None] == owner[None, :], 0.0, NEVER)[None, None]
        return d.judge(mean(o, option_length)[None], mean(z, option_length + 1)[None], text_mean, peers)[0]

    def side_by_side(self, part: Part) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys and values of all windows as one row, [W, HEADS, L, d] -> [1, HEADS, W L, d]."""
        return tuple(p.transpose(0, 1).reshape(1, HEADS, -1, WIDTH // HEADS) for p in part[1:])

    def mixed(self, part: Part, text, text_mask, own) -> torch.Tensor:
        """Branches [B, HEADS, N, d] attend to the shared text and to keys of their own, under one softmax."""
        b, _, n, d = part[0].shape
        q = part[0] * d ** -0.5
        shared = q.transpose(0, 1).reshape(1, HEADS, -1, d)                     # all branch tokens against one text
        scores = [(shared @ text[0].transpose(-1, -2) + text_mask).view(HEADS, b, n, -1).transpose(0, 1)]
        scores += [q @ k.transpose(-1, -2) + mask for k, _, mask in own]
        weights = torch.softmax(torch.cat(scores, -1), -1)
        first, *rest = weights.split([s.shape[-1] for s in scores], -1)
        out = (first.transpose(0, 1).reshape(1, HEADS, b * n, -1) @ text[1]).view(HEADS, b, n, d).transpose(0, 1)
        for w, (_, v, _) in zip(rest, own):
            out = out + w @ v
        return out
