"""Words of many languages with their meaning in English.

training/lexicon/LANGUAGE.tsv: a written word, a tab, one to three English words; the most frequent words first.
"""
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

FOLDER = Path(__file__).parent / "lexicon"


class Word(NamedTuple):
    """A word as it is written, and all that it means, each in one to three English words."""
    spelt: str
    meanings: list[str]


class Lexicon:
    """Draws words, of languages with many of them more often."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.by = {file.stem: read(file) for file in sorted(folder.glob("*.tsv"))}
        self.piles = list(self.by.values())
        self.weights = list(accumulate(len(pile) ** .5 for pile in self.piles))

    def draw(self, count: int, rng: Random) -> list[Word]:
        """So many words; one may come twice."""
        return [rng.choice(pile) for pile in rng.choices(self.piles, cum_weights=self.weights, k=count)]


def read(file: Path) -> list[Word]:
    """Each word once, with all that it means."""
    out: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf8").splitlines():
        word, english = line.split("\t")
        out.setdefault(word, []).append(english)
    return [Word(word, meanings) for word, meanings in out.items()]
