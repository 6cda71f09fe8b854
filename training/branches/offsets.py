"""The languages of pieces. Mapped into the body's input space, all words of a language lie off the English ones by much the same vector,
and texts of that language look alike to the body, whatever they say: an offset for each group of pieces takes that out.

A group is the language that a piece is most at home in, words that begin and pieces within words apart; group 0 is everybody's, without an offset.
"""
import lzma
import unicodedata
from collections import Counter
from pathlib import Path

import torch
import torch.nn as nn

from .encoder import GROUPS, PieceVectors
from .lexicon import START
from .tokens import WordPieces

READ = 6_000_000        # characters of a language
ENGLISH = 3.0           # how much more frequent than in English a piece of another language is,
UNSURE = 5              # where it is given so many more in English,
OFTEN = 3               # and comes so often at least
HOME = {"HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "THAI": "th", "ARABIC": "ar", "CYRILLIC": "ru", "DEVANAGARI": "hi"}
LEAST = 500             # tokens of a group from which its mean is trusted
TAKEN = .75             # part of the mean that an offset takes out before any training


def counts(tokens: WordPieces, raw: Path) -> dict[str, Counter[int]]:
    """How often each piece comes in the raw text of each language."""
    out: dict[str, Counter[int]] = {}
    for file in sorted(raw.glob("*.txt.xz")):
        lang = file.name.removesuffix(".txt.xz").split("-", 1)[1] if file.name.startswith("multi-") else "en"
        if lang == "other": continue
        with lzma.open(file, "rt", encoding="utf8") as opened: text = opened.read(READ)
        seen = out.setdefault(lang, Counter())
        for line in text.split("\n"): seen.update(tokens(line))
    return out


def languages(tokens: WordPieces, seen: dict[str, Counter[int]]) -> dict[int, str]:
    """Piece -> the language that it is most at home in, where that is not English; by its script where texts say little."""
    total = {lang: max(1, sum(c.values())) for lang, c in seen.items()}
    out: dict[int, str] = {}
    for piece, i in tokens.vocabulary().items():
        letters = [c for c in piece if c.isalpha()]
        often = {lang: c[i] / total[lang] for lang, c in seen.items() if c[i] >= OFTEN}
        if not letters or i in (tokens.first, tokens.last, tokens.pad): continue
        best = max(often, key=often.get, default=None)
        if best == "en" or best and often[best] < ENGLISH * (seen["en"][i] + UNSURE) / total["en"]: best = None
        home = best or HOME.get(unicodedata.name(letters[0], "").split(" ")[0])
        if home: out[i] = home
    return out


@torch.no_grad()
def begin(words: PieceVectors, tokens: WordPieces, raw: Path) -> None:
    """Groups of all pieces, and offsets that take out most of what a group's mean is away from English."""
    seen = counts(tokens, raw)
    at, spelt = languages(tokens, seen), {i: piece for piece, i in tokens.vocabulary().items()}
    named = {i: f"{lang} {spelt[i].startswith(START)}" for i, lang in at.items()}
    order = [name for name, _ in Counter(named.values()).most_common(GROUPS - 1)]
    for i, name in named.items(): words.group[i] = order.index(name) + 1 if name in order else 0
    vectors = words.alone(torch.arange(len(words.group))).float()

    def mean(often: Counter[int], own: set[int]) -> torch.Tensor | None:
        ids = [i for i in often if i in own]
        share = torch.tensor([float(often[i]) for i in ids])
        return (vectors[ids] * share[:, None]).sum(0) / share.sum() if share.sum() >= LEAST else None

    english = mean(seen["en"], set(range(len(vectors))))
    for g, name in enumerate(order, 1):
        own = mean(seen[name.split(" ")[0]], {i for i, n in named.items() if n == name}) if name.split(" ")[0] in seen else None
        if own is not None: words.offset.weight[g] = TAKEN * (english - own)


class Grouped(nn.Module):
    """Word vectors and the offsets of their groups, as they are served."""

    def __init__(self, table: torch.Tensor, group: torch.Tensor, offset: torch.Tensor) -> None:
        super().__init__()
        self.table, self.offset = nn.Embedding.from_pretrained(table), nn.Embedding.from_pretrained(offset)
        self.register_buffer("group", group)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.table(ids) + self.offset(self.group[ids].long())
