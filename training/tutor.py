"""What a teacher says of questions, and what it sees when it does: targets are so far its answers, so that a model on another body learns how sure to be."""
from dataclasses import dataclass

import numpy as np
import torch

from branches.batch import Packed, Packer, collate, grouped
from branches.decider import Decider
from branches.device import mixed, moved
from evaluate import softmax

TOKENS = 6000       # that the teacher reads at a time


@dataclass(frozen=True)
class Told:
    """Of the options of one question: the teacher's answer, and what each is to it once it has seen text and question [options, WIDTH]."""
    answer: np.ndarray
    seen: np.ndarray


class Tutor:
    """Asks a teacher the questions of rows and brings their targets to its answers."""

    def __init__(self, teacher: Decider, pack: Packer, share: float) -> None:
        """pack: as the teacher reads; share: of a target that its answer takes where another answer is known."""
        self.teacher, self.share = teacher.eval(), share
        self.pack = Packer(pack.tokens, 320, 160, 64, 20 * pack.branch)

    def tell(self, rows: list[Packed]) -> None:
        """Changes the targets of rows that came with a text and questions for the teacher. Tags are numbers of questions there. What is answered by
        nobody is left out."""
        asked = []
        for i, row in enumerate(rows):
            if row.of is None: continue
            text, questions = row.of
            packed = self.pack(text, questions, [f"{i} {n}" for n in range(len(questions))])
            if packed: asked.append(packed)
        said = self.said(asked)
        for i, row in enumerate(rows):
            if row.of is None: continue
            kept = []
            for tag, (wording, options, levels, target) in zip(row.tags, row.questions):
                told, known = said.get(f"{i} {tag}"), sum(target) > 0
                if told is None or len(told.answer) != len(target):
                    if known: kept.append((tag, (wording, options, levels, target), None))
                    continue
                share = self.share if known else 1
                between = (1 - share) * np.asarray(target, float) + share * told.answer
                kept.append((tag, (wording, options, levels, tuple(between / between.sum())), told.seen))
            row.tags, row.questions, row.seen, row.of = [k[0] for k in kept], [k[1] for k in kept], [k[2] for k in kept], None
        rows[:] = [row for row in rows if row.questions]

    @torch.no_grad()
    def said(self, rows: list[Packed]) -> dict[str, Told]:
        """What the teacher says of each question, by its tag; tags have to differ. What it sees is float16."""
        out, tokens = {}, self.pack.tokens
        for group in grouped(rows, TOKENS):
            b = moved(collate(group, tokens.first, tokens.last, tokens.pad))
            with mixed(): logits, _, _, seen = self.teacher(b)
            for i, row in enumerate(group):
                for q, tag in enumerate(row.tags):
                    own = b["owner"][i] == q
                    out[tag] = Told(softmax(logits[i, own].cpu().numpy().astype(float)), seen[i, own].half().cpu().numpy())
        return out
