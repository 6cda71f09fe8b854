"""Texts with typed questions as arrays of token ids for Decider.forward."""
import math
from dataclasses import dataclass

import numpy as np
import torch

from render.question import Question

from .decider import OPTION, QUESTION
from .encoder import WIDTH
from .tokens import WordPieces

WINDOW = 256
UNCUT = 100_000             # tokens that nothing has
GRAIN = 32                  # padded shapes are multiples of this: a CPU compiles every product anew for a new shape
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256)


@dataclass
class Packed:
    """One text and its questions in token ids. tags: one per question, for reporting."""
    windows: list[list[int]]
    questions: list[tuple[list[int], list[list[int]], bool, tuple[float, ...]]]     # wording, options, is a score, target
    tags: list[str]
    of: tuple[str, list[Question]] | None = None       # what it was made of, for a teacher that reads otherwise
    seen: list[np.ndarray | None] | None = None        # what such a teacher sees at the options of each question [options, WIDTH]

    @property
    def branch(self) -> int:
        """Tokens of all questions and options."""
        return sum(len(q) + sum(map(len, options)) for q, options, _, _ in self.questions)

    @property
    def cost(self) -> int:
        """Tokens of all windows, questions and options: what batches are measured by."""
        return sum(map(len, self.windows)) + self.branch


@dataclass
class Packer:
    """Cuts training texts to text tokens (head and tail), questions and options likewise; what is served is never cut."""
    tokens: WordPieces
    text: int = 224
    question: int = 96
    option: int = 40
    branch: int = 700

    @classmethod
    def whole(cls, tokens: WordPieces) -> "Packer":
        """Cuts nothing, as what is served."""
        return cls(tokens, text=UNCUT, question=UNCUT, option=UNCUT, branch=UNCUT)

    def __call__(self, text: str, questions: list[Question], tags: list[str] | None = None, most: int | None = None) -> Packed | None:
        """most: text tokens for this row, instead of `text`."""
        first, last = self.tokens.first, self.tokens.last
        ids, most = self.tokens(text), most or self.text
        if len(ids) > most: ids = ids[: most // 2] + ids[-(most - most // 2):]
        count = max(1, -(-len(ids) // (WINDOW - 2)))
        step = max(1, -(-len(ids) // count))
        packed = Packed([[first, *ids[i * step:(i + 1) * step], last] for i in range(count)], [], [])
        for i, q in enumerate(questions):
            wording = [last, *self.tokens(q.wording)[: self.question]]
            options = [[last, *self.tokens(o.text)[: self.option]] for o in q.options]
            if packed.branch + len(wording) + sum(map(len, options)) > self.branch:
                options = [o[:13] for o in options]
                if packed.questions or sum(map(len, options)) > 2 * self.branch: continue
            packed.questions.append((wording, options, q.kind == "score", q.target))
            packed.tags.append(tags[i] if tags else q.kind)
        return packed if packed.questions else None


def up(n: int, grain: int) -> int:
    """The least multiple of grain that is not below n."""
    return -(-n // grain) * grain


def collate(rows: list[Packed], first: int, last: int, pad: int = 0) -> dict[str, torch.Tensor]:
    """Padded arrays. Each distinct option and wording has its word vectors read once in a batch (`source`: which of them a branch token has; what begins a
    branch has those of what ends a text); the first of these (`alone`: how many) are read alone by the body too: options, and questions about more than one window."""
    windows, branch = max(len(r.windows) for r in rows), up(max(r.branch for r in rows), GRAIN)
    width = up(max(len(w) for r in rows for w in r.windows), GRAIN)
    most = max(sum(len(q[1]) for q in r.questions) for r in rows)
    n = len(rows)
    text, text_length = np.full((n, windows, width), pad), np.zeros((n, windows), int)
    place, kind, source = np.zeros((n, branch), int), np.full((n, branch), -1), np.zeros((n, branch), int)
    question, slot = np.full((n, branch), -1), np.full((n, branch), -1)
    ordinal = np.zeros((n, branch, 2), np.float32)
    owner, target, lone_of = np.full((n, most), -1), np.zeros((n, most), np.float32), np.zeros((n, most), int)
    asked = np.zeros((n, max(len(r.questions) for r in rows)), int)
    scores = np.zeros(asked.shape, np.float32)
    taught = any(seen is not None for r in rows for seen in r.seen or ())
    seen, told = (np.zeros((n, most, WIDTH), np.float32), np.zeros((n, most), bool)) if taught else (None, None)
    lone: dict[tuple[int, ...], int] = {}
    segments: list[tuple[int, int, tuple[int, ...]]] = []      # row and place where a wording or an option begins, and its tokens
    for i, row in enumerate(rows):
        for w, window in enumerate(row.windows):
            text[i, w, : len(window)], text_length[i, w] = window, len(window)
        at = m = 0
        for number, (wording, options, levels, truth) in enumerate(row.questions):
            end = at + len(wording)
            scores[i, number] = levels
            if windows > 1: asked[i, number] = lone.setdefault(tuple(wording[1:]), len(lone))
            kind[i, at:end], question[i, at:end], place[i, at:end] = QUESTION, number, range(len(wording))
            segments.append((i, at, tuple(wording[1:])))
            at = end
            if taught and row.seen and row.seen[number] is not None:
                seen[i, m:m + len(options)], told[i, m:m + len(options)] = row.seen[number], True
            for j, option in enumerate(options):
                end = at + len(option)
                kind[i, at:end], question[i, at:end], slot[i, at:end] = OPTION, number, m
                place[i, at:end] = range(len(wording), len(wording) + len(option))
                segments.append((i, at, tuple(option[1:])))
                if levels and len(options) > 1: ordinal[i, at:end] = 1, 2 * j / (len(options) - 1) - 1
                owner[i, m], target[i, m] = number, truth[j]
                lone_of[i, m] = lone.setdefault(tuple(option[1:]), len(lone))
                at, m = end, m + 1
    count = up(len(lone), GRAIN)
    read = [*lone, *[next(iter(lone))] * (count - len(lone)), *dict.fromkeys(x for _, _, x in segments if x not in lone)]
    read += read[:1] * (-len(read) % GRAIN)
    at, alone = {x: i for i, x in reversed([*enumerate(read)])}, [[first, *x, last] for x in read]
    lone_ids, lone_length = np.full((len(alone), up(max(map(len, alone)), 8)), pad), np.array([len(x) for x in alone])
    for i, x in enumerate(alone): lone_ids[i, : len(x)] = x
    for i, start, x in segments: source[i, start:start + len(x) + 1] = at[x] * lone_ids.shape[1] + np.array([len(x) + 1, *range(1, len(x) + 1)])
    arrays = dict(text=text, text_length=text_length, source=source, place=place, kind=kind, question=question, slot=slot, ordinal=ordinal,
                  owner=owner, target=target, lone_of=lone_of, asked=asked, levels=scores, lone=lone_ids, lone_length=lone_length, alone=np.array(count))
    if taught: arrays |= dict(seen=seen, told=told)
    return {k: torch.from_numpy(v) for k, v in arrays.items()}


def shape(row: Packed) -> tuple[int, int]:
    """Rows of one shape waste little of the padded attention: same number of windows, branches within a factor of 1.6."""
    return len(row.windows), int(1.5 * math.log2(row.branch))


def grouped(rows: list[Packed], tokens: int) -> list[list[Packed]]:
    """Batches of about that many real tokens, rows of like shape and text length together; of sizes that come again and again,
    for the same reason as GRAIN."""
    rows, out = sorted(rows, key=lambda r: (shape(r), r.cost)), []
    while rows:
        size = cost = 0
        while size < len(rows) and shape(rows[size]) == shape(rows[0]) and (not size or cost + rows[size].cost <= tokens):
            cost += rows[size].cost
            size += 1
        size = max(s for s in SIZES if s <= size)
        out.append(rows[:size])
        rows = rows[size:]
    return out
