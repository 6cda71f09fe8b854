"""What a model has to be better than: the plain cosine of its pretrained encoder between a text and each option."""
from collections import defaultdict

import numpy as np
import torch
import torch.nn.functional as F

from branches.batch import Packed
from branches.device import DEVICE, mixed
from branches.encoder import Encoder, read
from branches.tokens import WordPieces
from evaluate import Outcome

AT_ONCE = 32            # texts that are read at a time


@torch.no_grad()
def views(encoder: Encoder, texts: list[list[int]], pad: int) -> np.ndarray:
    """Of texts in tokens, with their first and last one: [texts, WIDTH], of length one."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    out: list[np.ndarray | None] = [None] * len(texts)
    for start in range(0, len(order), AT_ONCE):
        part = [texts[i] for i in order[start:start + AT_ONCE]]
        width = max(map(len, part))
        ids = torch.tensor([row + [pad] * (width - len(row)) for row in part], device=DEVICE)
        with mixed(): means = read(encoder, encoder.words(ids), torch.tensor([len(row) for row in part], device=DEVICE))
        for i, view in zip(order[start:], F.normalize(means, dim=-1).cpu().numpy()): out[i] = view
    return np.stack(out)


def cosines(encoder: Encoder, rows: list[Packed], tokens: WordPieces, prefix: str = "") -> dict[str, list[Outcome]]:
    """Cosines in the place of logits, by tag. prefix: what the encoder was trained to find before a text."""
    before = tokens(prefix) if prefix else []
    alone = lambda ids: (tokens.first, *before, *ids, tokens.last)
    read_once = dict.fromkeys([alone(w[1:-1]) for row in rows for w in row.windows] + [alone(o[1:]) for row in rows for _, options, _, _ in row.questions for o in options])
    view = dict(zip(read_once, views(encoder.to(DEVICE).eval(), [list(ids) for ids in read_once], tokens.pad)))
    out: dict[str, list[Outcome]] = defaultdict(list)
    for row in rows:
        text = np.mean([view[alone(w[1:-1])] for w in row.windows], 0)
        for tag, (_, options, _, target) in zip(row.tags, row.questions):
            out[tag].append((np.array([view[alone(o[1:])] @ text for o in options]), np.asarray(target)))
    return out
