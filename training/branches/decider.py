"""The decision graph: the text is read once, options are branches that cannot see each other's place.

  text token      sees its own window (cost grows linearly with the text)
  question token  sees every window of the text and its own question
  option token    sees every window, its question and itself, never another option
  lone option     the option alone, as the pretrained encoder reads a text
The longer a text is, the sharper the branches look at it (reach), and the more at those parts that are like their question
(focus), so that one sentence among thousands is not drowned.
After the body an option is the mean of its tokens plus a map of (text x lone option), where the text is the mean of its windows
weighted by their likeness to the option. Two small layers without positions let the options of one question compare themselves.
The logit is a linear unit plus a gated cosine of text and lone option, so training starts from what the encoder already knows.
Swapping options swaps logits and nothing else.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from .encoder import WIDTH, Encoder, Rows, attend, embed, heads, join, learn_to_attend, mean, padding_mask, qkv, read, real_tokens
from .front import vectors

BRANCH_FROM = 256           # question tokens start at this position, option tokens continue after their question
QUESTION, OPTION = 1, 2     # kind of a branch token; -1 is padding
NEVER = -1e4
PLAIN = 256                 # tokens of text up to which attention keeps its pretrained sharpness
NEAR = 16.0                 # how much a window that is like an option outweighs one that is not
SPAN = 64                   # tokens of text that a question is compared with at a time
FOCUS = 48.0                # how much a span that is like the question outweighs one that is not, times (reach - 1)


def reach(tokens: torch.Tensor) -> torch.Tensor:
    """Factor on the scores of text keys: softmax over n keys needs scores that grow with log n to stay as sharp."""
    return (tokens.float().log() / math.log(PLAIN)).clamp(min=1)


def spans(x: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    """Windows [W, L, WIDTH] of some length [W] -> the means of their spans [W, S, WIDTH], zero where a span has no token."""
    missing = -x.shape[1] % SPAN
    real = F.pad(real_tokens(length, x.shape[1]).float(), (0, missing)).view(x.shape[0], -1, SPAN)
    parts = F.pad(x.float(), (0, 0, 0, missing)).view(x.shape[0], -1, SPAN, WIDTH)
    return (parts * real[..., None]).sum(2) / real.sum(2, keepdim=True).clamp(min=1)


def focus(asked: torch.Tensor, parts: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Views of questions [.., Q, WIDTH] and of spans [.., S, WIDTH] -> what to add to the scores of a span's tokens [.., Q, S]:
    nothing for the span most like the question, less for others, and the more so the longer the text."""
    near = (asked @ parts.transpose(-1, -2)).masked_fill((parts == 0).all(-1)[..., None, :], -1)
    return (near - near.amax(-1, keepdim=True)) * FOCUS * (reach(tokens) - 1)


class Peers(nn.Module):
    """Options of one question compare themselves; no positions, starts as the identity."""

    def __init__(self, heads: int = 6) -> None:
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.o = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        for zero in (self.o.weight, self.down.weight):
            nn.init.zeros_(zero)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """x [B, M, WIDTH], mask [B, 1, M, M]."""
        b, n, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.heads, WIDTH // self.heads).permute(2, 0, 3, 1, 4)
        x = x + self.o(attend(q, k, v, mask).transpose(1, 2).reshape(b, n, WIDTH))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Decider(nn.Module):
    """The decision graph in the shape that trains. words: a table of word vectors, or a Front; depth: layers of the body. Before any training a logit
    is 12 times the cosine of text and lone option, for a text of one window, plus what is the same for every option."""

    def __init__(self, words: nn.Module, depth: int) -> None:
        super().__init__()
        self.encoder = Encoder(words, depth)
        self.kind, self.level = nn.Embedding(3, WIDTH), nn.Linear(2, WIDTH, bias=False)
        self.view = nn.Linear(WIDTH, WIDTH, bias=False)
        self.product = nn.Linear(WIDTH, WIDTH, bias=False)
        self.peers = nn.ModuleList(Peers() for _ in range(2))
        self.norm, self.score, self.gate = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        nn.init.eye_(self.view.weight)
        for zero in (self.kind.weight, self.level.weight, self.product.weight, self.score.weight, self.gate.weight):
            nn.init.zeros_(zero)
        nn.init.constant_(self.gate.bias, 12.0)

    def branch_input(self, words: torch.Tensor, place: torch.Tensor, kind: torch.Tensor, ordinal: torch.Tensor) -> torch.Tensor:
        """Input vectors of question and option tokens. place counts from the question's first token."""
        e = self.encoder
        return e.norm(words + e.positions((place + BRANCH_FROM).clamp(max=511)) + e.segments.weight[1]
                      + self.kind(kind.clamp(min=0)) + self.level(ordinal.to(self.level.weight.dtype)))

    def look(self, x: torch.Tensor) -> torch.Tensor:
        """Views of means: what is compared by cosine."""
        return F.normalize(self.view(x), dim=-1)

    def judge(self, branch: torch.Tensor, lone: torch.Tensor, windows: torch.Tensor, share: torch.Tensor, peers: torch.Tensor) -> torch.Tensor:
        """branch [B, M, WIDTH], views of the lone options [B, M, WIDTH] and of windows [B, W, WIDTH] with their share of the text [B, W],
        peers [B, 1, M, M] -> logits [B, M]."""
        near = lone @ windows.transpose(-1, -2)
        weight = torch.softmax(near * NEAR + share.clamp(min=1e-9).log()[:, None], -1)
        v = branch + self.product(lone * (weight @ windows) * WIDTH ** 0.5)
        for layer in self.peers:
            v = layer(v, peers)
        v = self.norm(v)
        return (self.score(v) + self.gate(v) * (weight * near).sum(-1, keepdim=True)).squeeze(-1)

    def forward(self, b: dict[str, torch.Tensor], learn_lone: bool = False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """A training batch (see batch.py) -> logits [B, M], mean text [B, WIDTH], mean lone options [U, WIDTH], options as they have seen text and question [B, M, WIDTH].
        learn_lone: whether gradients flow through the lone options; they cost a third without."""
        words = vectors(self.encoder.words, b["lone"], b["lone_length"])
        alone = int(b["alone"])
        with torch.set_grad_enabled(learn_lone and torch.is_grad_enabled()):
            lone = read(self.encoder, words[:alone, :int(b["lone_length"][:alone].max())], b["lone_length"][:alone])
        n, windows, width = b["text"].shape
        text, text_length = b["text"].view(n * windows, width), b["text_length"].view(-1)
        x = embed(self.encoder, vectors(self.encoder.words, text, text_length))
        y = self.branch_input(F.embedding(b["source"], words.reshape(-1, WIDTH)), b["place"], b["kind"], b["ordinal"])
        texts, branches = Rows.of(real_tokens(text_length, width)), Rows.of(b["kind"] >= 0)
        dtype = torch.bfloat16 if torch.is_autocast_enabled(x.device.type) else x.dtype
        own_text = padding_mask(text_length, width, dtype)
        question, slot = b["question"], b["slot"]
        same = (question[:, :, None] == question[:, None, :]) & ((slot[:, None, :] < 0) | (slot[:, :, None] == slot[:, None, :]))
        own = torch.zeros(same.shape, dtype=dtype, device=same.device).masked_fill_(~same, NEVER)[:, None]
        across = torch.cat((own_text.view(n, 1, 1, windows * width).expand(n, 1, own.shape[2], -1), own), -1)

        def whole(t: torch.Tensor) -> torch.Tensor:        # windows of one state side by side, as branches read them
            return t if windows == 1 else t.view(n, windows, *t.shape[1:]).transpose(1, 2).flatten(2, 3)

        tokens = b["text_length"].sum(1)
        far = reach(tokens)[:, None, None, None].to(dtype)
        flat, kept = texts.pack(x), []
        for layer in self.encoder.layers:
            q, k, v = heads(texts.pad(qkv(layer, flat)))
            kept.append((whole(k) if windows == 1 else whole(k) * far, whole(v)))
            flat = layer.after(flat, texts.pack(join(learn_to_attend(q, k, v, own_text))))
        x = texts.pad(flat)
        if windows > 1:
            parts = self.look(spans(x, text_length)).view(n, -1, WIDTH)
            bias = focus(self.look(lone[b["asked"]]), parts, tokens[:, None, None]).view(n, -1, windows, parts.shape[1] // windows)
            bias = bias.repeat_interleave(SPAN, -1)[..., :width].flatten(2).to(dtype)
            bias = bias.gather(1, question.clamp(min=0)[..., None].expand(-1, -1, windows * width))
            across = across + F.pad(bias, (0, own.shape[-1]))[:, None]
        flat = branches.pack(y)
        for layer, (k, v) in zip(self.encoder.layers, kept):
            own_q, own_k, own_v = heads(branches.pad(qkv(layer, flat)))
            ay = learn_to_attend(own_q, torch.cat((k, own_k), 2), torch.cat((v, own_v), 2), across)
            flat = layer.after(flat, branches.pack(join(ay)))
        y = branches.pad(flat)

        share = text_length.view(n, windows).float()
        share = share / share.sum(1, keepdim=True)
        each = mean(x, text_length).view(n, windows, WIDTH)
        owner = b["owner"]
        mine = (slot[:, None, :] == torch.arange(owner.shape[1], device=slot.device)[None, :, None]).to(y.dtype)
        branch = torch.bmm(mine, y).float() / mine.sum(-1, keepdim=True).float().clamp(min=1)
        peers = torch.where((owner[:, :, None] == owner[:, None, :])[:, None], 0.0, NEVER)
        logits = self.judge(branch, self.look(lone[b["lone_of"]]), self.look(each), share, peers)
        return logits.float(), (each * share[..., None]).sum(1), lone, branch
