"""The same graph in the shapes that are served: one state, its windows, its questions, all options flat."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from .attention import CACHED, CELLS, EACH, VECTOR, alone_in_turns, heads, in_turns, join, together
from .decider import NEVER, OPTION, QUESTION, SPAN, Decider, focus, reach, spans
from .encoder import HEADS, WIDTH, Layer, attend, embed, mean, padding_mask, real_tokens

Part = tuple[torch.Tensor, torch.Tensor, torch.Tensor]      # queries, keys, values of one kind of token


def fused(layer: Layer) -> nn.Linear:
    """Queries, keys and values in one matrix product."""
    out = nn.Linear(WIDTH, 3 * WIDTH)
    with torch.no_grad():
        out.weight.copy_(torch.cat((layer.q.weight, layer.k.weight, layer.v.weight)))
        out.bias.copy_(torch.cat((layer.q.bias, layer.k.bias, layer.v.bias)))
    return out


class Ragged:
    """Arrays of rows of unequal length, whose real tokens stand one after the other; rows are padded where attention asks for it.
    back: the token at each place of an array, any one where padded; real: the places of its tokens; own: its tokens among those of all."""

    def __init__(self, *rows: tuple[torch.Tensor, torch.Tensor]) -> None:
        """rows: ids [B, N] and the length of each row [B]."""
        held = [real_tokens(length, ids.shape[1]) for ids, length in rows]
        self.at = torch.cat([h.reshape(-1) for h in held]).nonzero()[:, 0]
        self.real = [h.reshape(-1).nonzero()[:, 0] for h in held]
        self.back, self.own, before = [], [], 0
        for (ids, length), h in zip(rows, held):
            place = torch.arange(ids.shape[1], device=ids.device)[None]
            first = before + length.cumsum(0) - length
            self.back.append(first[:, None] + torch.where(h, place, 0))
            self.own.append(slice(before, before + length.sum()))
            before = before + length.sum()

    def pack(self, arrays: list[torch.Tensor]) -> torch.Tensor:
        """One array [B, N, WIDTH] for each of the rows -> the real tokens of all, [T, WIDTH]."""
        return torch.cat([a.reshape(-1, WIDTH) for a in arrays])[self.at]

    def pad(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """[T, ...] -> one array [B, N, ...] for each of the rows; what stands in padded places is to be masked."""
        return [flat[back] for back in self.back]

    def rows(self, i: int, parts: Part) -> Part:
        """[HEADS, T, d] -> those of one array, [HEADS, B, N, d]."""
        return tuple(p[:, self.back[i]] for p in parts)

    def tokens(self, i: int, rows: torch.Tensor) -> torch.Tensor:
        """[HEADS, B, N, d] -> the real ones of one array, [HEADS, T, d]."""
        return rows.flatten(1, 2)[:, self.real[i]]


class Serving(nn.Module):
    """For texts of one window: every linear map runs once over all tokens. How much attention takes is for the caller to bound.
    first, last: token ids around a text. Inputs and outputs as the bundle format describes them: what is read alone comes as `known`
    views of earlier runs, or `fresh`, to be read in this one. words: vectors in context [T, WIDTH], of which ids are the places then."""

    def __init__(self, decider: Decider, first: int, last: int) -> None:
        super().__init__()
        self.decider, self.first, self.last = decider, first, last
        self.qkv = nn.ModuleList(fused(layer) for layer in decider.encoder.layers)

    def seen(self, ids: torch.Tensor, words: torch.Tensor | None) -> torch.Tensor:
        """Ids, or places in words where these are given, [B, N] -> word vectors [B, N, WIDTH]."""
        return self.decider.encoder.words(ids) if words is None else F.embedding(ids, words)

    def alone(self, option: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
        """`last` + tokens, padded -> `first` tokens `last`, padded."""
        wide = torch.cat((option, torch.zeros_like(option[:, :1])), 1)
        at = torch.arange(wide.shape[1], device=wide.device)[None]
        wide = torch.where(at == 0, torch.full_like(wide, self.first), wide)
        return torch.where(at == length[:, None], torch.full_like(wide, self.last), wide)

    def forward(self, text, text_length, question, question_length, option, option_length, owner, place, level, fresh, fresh_length, known, option_view, words=None):
        """Ids of windows [W, L], questions [Q, Lq], options [O, Lo] and what is read alone [F, Lf], with their lengths; owner, place, level and option_view [O],
        known [K, WIDTH] -> logits [O] and the views of what was read alone [F, WIDTH]. option_view counts in known, then in these."""
        d, e = self.decider, self.decider.encoder
        lone, lone_length = (self.alone(fresh, fresh_length), fresh_length + 1) if words is None else (fresh, fresh_length)
        lone_mask = padding_mask(lone_length, lone.shape[1], torch.float32)[:, 0]
        question_mask = padding_mask(question_length, question.shape[1], torch.float32)[:, 0]     # [Q, 1, Lq]
        option_mask = padding_mask(option_length, option.shape[1], torch.float32)[:, 0]
        option_mask = torch.cat((question_mask[owner], option_mask), -1)
        at = torch.arange(question.shape[1], device=text.device)[None].expand(question.shape[0], -1)
        asked = d.branch_input(self.seen(question, words), at, torch.full_like(question, QUESTION), torch.zeros(1, 1, 2))
        at = torch.arange(option.shape[1], device=text.device)[None] + question_length[owner][:, None]
        ordinal = torch.stack((level, place), -1)[:, None]
        offered = d.branch_input(self.seen(option, words), at, torch.full_like(option, OPTION), ordinal)
        rows = Ragged((text, text_length), (question, question_length), (option, option_length), (lone, lone_length))
        flat = rows.pack([embed(e, self.seen(text, words)), asked, offered, embed(e, self.seen(lone, words))])
        scale = EACH ** -0.5
        for layer, qkv in zip(e.layers, self.qkv):
            parts = heads(qkv(flat))
            t, (_, q_k, q_v), (_, o_k, o_v), z = (rows.rows(i, parts) for i in range(4))
            text_k, text_v = self.side_by_side(t)
            owned = ((q_k, q_v, question_mask), (torch.cat((q_k[:, owner], o_k), 2), torch.cat((q_v[:, owner], o_v), 2), option_mask))
            branches = [together(parts[0][:, rows.own[i]] * scale, text_k, text_v, None, *own, rows.real[i], rows.back[i] - rows.own[i].start) for i, own in zip((1, 2), owned)]
            attended = [rows.tokens(0, attend(*t, torch.zeros(()))), *branches, rows.tokens(3, attend(*z, lone_mask))]
            flat = layer.after(flat, join(torch.cat(attended, 1)))
        x, _, o, z = rows.pad(flat)
        share = (text_length.float() / text_length.sum())[None]
        peers = torch.where(owner[:, None] == owner[None, :], 0.0, NEVER)[None, None]
        views = d.look(mean(z, lone_length))
        return d.judge(mean(o, option_length)[None], torch.cat((known, views))[option_view][None], d.look(mean(x, text_length))[None], share, peers)[0], views

    def side_by_side(self, part: Part) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys and values of all windows as one row, [HEADS, W, L, d] -> [HEADS, W L, d]."""
        return tuple(p.reshape(HEADS, -1, EACH) for p in part[1:])


class Long(Serving):
    """For texts of several windows, and for runs of any size: reads text, lone options and lone wordings first, then the branches, which
    look where the text is like their question. Attention takes turns."""

    def forward(self, text, text_length, question, question_length, option, option_length, owner, place, level, fresh, fresh_length, known, option_view,
                fresh_wording, fresh_wording_length, question_view, words=None):
        """As in Serving; and wordings read alone [G, Lg], with their lengths, and question_view [Q] -> logits [O] and the views of options, then of wordings,
        that were read alone [F + G, WIDTH]. option_view and question_view count in known, then in these."""
        d, e = self.decider, self.decider.encoder
        lone = [(self.alone(ids, length), length + 1) if words is None else (ids, length) for ids, length in ((fresh, fresh_length), (fresh_wording, fresh_wording_length))]
        text_mask = padding_mask(text_length, text.shape[1], torch.float32)[:, 0]               # [W, 1, L]
        lone_masks = [padding_mask(length, ids.shape[1], torch.float32)[:, 0] for ids, length in lone]
        question_mask = padding_mask(question_length, question.shape[1], torch.float32)[:, 0]     # [Q, 1, Lq]
        option_mask = padding_mask(option_length, option.shape[1], torch.float32)[:, 0]
        every_question = torch.arange(question.shape[0], device=text.device)
        tokens = text_length.sum()

        rows, kept, scale = Ragged((text, text_length), *lone), [], EACH ** -0.5
        flat = rows.pack([embed(e, self.seen(ids, words)) for ids in (text, *(ids for ids, _ in lone))])
        for layer, qkv in zip(e.layers, self.qkv):
            parts = heads(qkv(flat))
            t, *z = (rows.rows(i, parts) for i in range(3))
            text_k, text_v = self.side_by_side(t)
            kept.append((text_k * reach(tokens), text_v))
            attended = [rows.tokens(i, alone_in_turns(q * scale, k, v, mask, CELLS)) for i, ((q, k, v), mask) in enumerate(zip((t, *z), (text_mask, *lone_masks)))]
            flat = layer.after(flat, join(torch.cat(attended, 1)))
        x, *z = rows.pad(flat)
        views = torch.cat([d.look(mean(each, length)) for each, (_, length) in zip(z, lone)])
        alone = torch.cat((known, views))
        parts = d.look(spans(x, text_length)).view(-1, WIDTH)
        asked = torch.cat((alone[question_view], alone[question_view][:1]))             # a product of one row adds up in another order than one of several
        bias = focus(asked, parts, tokens)[:-1].reshape(question.shape[0], text.shape[0], -1, 1)
        bias = bias.expand(-1, -1, -1, SPAN).flatten(2)[..., :text.shape[1]].reshape(question.shape[0], -1)
        seen_mask = text_mask.view(1, -1) + bias

        at = torch.arange(question.shape[1], device=text.device)[None].expand(question.shape[0], -1)
        asked = d.branch_input(self.seen(question, words), at, torch.full_like(question, QUESTION), torch.zeros(1, 1, 2))
        at = torch.arange(option.shape[1], device=text.device)[None] + question_length[owner][:, None]
        ordinal = torch.stack((level, place), -1)[:, None]
        rows = Ragged((question, question_length), (option, option_length))
        flat = rows.pack([asked, d.branch_input(self.seen(option, words), at, torch.full_like(option, OPTION), ordinal)])
        for layer, qkv, (text_k, text_v) in zip(e.layers, self.qkv, kept):
            q, k, v = heads(qkv(flat))
            (_, q_k, q_v), whole = rows.rows(0, (q, k, v)), (text_k, text_v, seen_mask)
            attended = [in_turns(q[:, own] * scale, k[:, own], v[:, own], length, of, asked_k, asked_v, asked_mask, *whole, CELLS, CACHED, VECTOR) for own, length, of, asked_k, asked_v, asked_mask in (
                (rows.own[0], question_length, every_question, q_k[:, :, :0], q_v[:, :, :0], question_mask[..., :0]), (rows.own[1], option_length, owner, q_k, q_v, question_mask))]
            flat = layer.after(flat, join(torch.cat(attended, 1)))
        o = rows.pad(flat)[1]
        share = (text_length.float() / text_length.sum())[None]
        peers = torch.where(owner[:, None] == owner[None, :], 0.0, NEVER)[None, None]
        return d.judge(mean(o, option_length)[None], alone[option_view][None], d.look(mean(x, text_length))[None], share, peers)[0], views


class Reading(nn.Module):
    """The layers in front of a body: rows that each are read alone, ids [R, N] of some length [R] -> words [T, WIDTH] of the real tokens, row after row."""

    def __init__(self, decider: Decider) -> None:
        super().__init__()
        self.decider = decider
        self.lower = nn.ModuleList(fused(layer) for layer in decider.encoder.words.lower.layers)

    def forward(self, ids, length):
        """[R, N] and [R] -> [T, WIDTH]"""
        words = self.decider.encoder.words
        rows, mask = Ragged((ids, length)), padding_mask(length, ids.shape[1], torch.float32)[:, 0]
        flat = rows.pack([embed(words.lower, words.lower.words(ids))])
        for layer, qkv in zip(words.lower.layers, self.lower):
            flat = layer.after(flat, join(rows.tokens(0, attend(*rows.rows(0, heads(qkv(flat))), mask))))
        return words.map(flat)
