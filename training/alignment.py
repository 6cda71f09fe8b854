"""Texts that exist in many languages, brought to the views of their English version."""
from random import Random

import torch
import torch.nn.functional as F

from branches.decider import Decider
from branches.device import DEVICE, mixed
from branches.encoder import read
from branches.front import vectors
from branches.tokens import WordPieces

SHORT = 100             # characters of an English text that is told apart among short ones: among long ones its length would tell it
PAIRS = {True: 64, False: 32}       # texts that are told apart at a time, short ones and others
SHARP = .05
READ = 16               # English texts that are read at a time, before a run


class Alignment:
    """How hard it is to tell by their views which of some English texts, read as before a run, is the same as one in any language."""

    def __init__(self, model: Decider, tokens: WordPieces, texts: list[dict[str, str]], window: int, harder: dict[str, float] | None = None,
                 reader: tuple[Decider, WordPieces] | None = None) -> None:
        """texts: each by language, English among them; window: the most tokens of a text that are read; harder: languages that come so many times as often;
        reader: who reads the English texts, where it is not the model itself as it was before the run."""
        self.model, self.tokens, self.window, self.harder = model, tokens, window, harder or {}
        self.piles = [(pairs, pile) for short, pairs in PAIRS.items() if len(pile := [t for t in texts if (len(t["en"]) <= SHORT) == short]) >= pairs]
        with torch.no_grad(): self.meant = [torch.cat([self.views([text["en"] for text in pile[i:i + READ]], *reader or ()) for i in range(0, len(pile), READ)]) for _, pile in self.piles]

    def views(self, texts: list[str], model: Decider | None = None, tokens: WordPieces | None = None) -> torch.Tensor:
        """Of texts alone, cut to one window."""
        model, tokens = model or self.model, tokens or self.tokens
        rows = [[tokens.first, *tokens(text)[:self.window - 2], tokens.last] for text in texts]
        ids = torch.tensor([row + [tokens.pad] * (max(map(len, rows)) - len(row)) for row in rows], device=DEVICE)
        length = torch.tensor([len(row) for row in rows], device=DEVICE)
        with mixed(): means = read(model.encoder, vectors(model.encoder.words, ids, length), length)
        return model.look(means.float())

    def loss(self, step: int) -> torch.Tensor:
        """Of some texts of each pile; which, and in which language, hangs on the step alone."""
        rng = Random(step)
        return torch.stack([self.apart(pile, meant, rng.sample(range(len(pile)), pairs), rng) for (pairs, pile), meant in zip(self.piles, self.meant)]).mean()

    def apart(self, pile: list[dict[str, str]], meant: torch.Tensor, taken: list[int], rng: Random) -> torch.Tensor:
        now = self.views([rng.choices(list(pile[i].values()), [self.harder.get(lang, 1) for lang in pile[i]])[0] for i in taken])
        return F.cross_entropy(now @ meant[taken].T / SHARP, torch.arange(len(taken), device=DEVICE))
