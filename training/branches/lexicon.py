"""Words with their meaning in English, whose vectors begin as those of the English words. Where the pretrained pieces cut a word into bits it gets a piece of its own.
Of languages that these pieces do not cover the most frequent words, of the others (English too) the most frequent that are cut and the most frequent of all.

training/lexicon/LANGUAGE.tsv: a written word, a tab, one to three English words; the most frequent words first. seldom.txt: a piece a line.
"""
import json
from collections.abc import Callable
from pathlib import Path

import torch
from tokenizers import Tokenizer

from .tokens import WordPieces

FOLDER = Path(__file__).parent.parent / "lexicon"
START = "▁"             # how a piece begins that begins a word
COMMON = 150            # words of a language that also get a piece with a capital, as at the beginning of a sentence
SIXTEEN = {"en", "ar", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh", "zh-TW"}   # a word of these that is spelt alike in a further language has the meaning that it has here
UNSPACED = {"ja", "km", "my", "th", "zh", "zh-TW"}     # languages whose words stand anywhere in a run of letters
LIKELY = -12.0          # log probability: above that of several pieces in a row, below that of any frequent piece;
AHEAD = .01             # where its bits are so frequent that they are likelier, a word is so much likelier than they


def meanings(folder: Path, normal: Callable[[str], str]) -> dict[str, list[str]]:
    """Piece -> what it means, in every one of the sixteen languages that has the word, or where none has, in every further one."""
    files = sorted(folder.glob("*.tsv"))
    near, far = (of([file for file in files if (file.stem in SIXTEEN) == mine], normal) for mine in (True, False))
    return far | near


def of(files: list[Path], normal: Callable[[str], str]) -> dict[str, list[str]]:
    """Piece -> what it means in all languages of these files."""
    out: dict[str, list[str]] = {}
    for file in files:
        for line, text in enumerate(file.read_text(encoding="utf8").splitlines()):
            word, english = text.split("\t")
            for spelt in dict.fromkeys((word, word.capitalize())) if line < COMMON else (word,):
                said = out.setdefault(("" if file.stem in UNSPACED else START) + normal(spelt), [])
                if english not in said: said.append(english)
    return out


def seldom() -> frozenset[str]:
    """Pretrained pieces that hardly any text needs, in favour of words."""
    return frozenset((FOLDER / "seldom.txt").read_text(encoding="utf8").splitlines())


def extend(file: Path, folder: Path = FOLDER) -> None:
    """Adds to a Unigram tokenizer.json the words that it has no piece for."""
    cut, tokenizer = Tokenizer.from_file(str(file)), json.loads(file.read_text(encoding="utf8"))
    known: dict[str, float] = dict(tokenizer["model"]["vocab"])

    def bits(piece: str) -> float:
        """Log probability of a word in pieces that there were, if these spell it."""
        return sum(known.get(bit, LIKELY) for bit in cut.encode(piece.removeprefix(START), add_special_tokens=False).tokens)

    words = [piece for piece in meanings(folder, cut.normalizer.normalize_str) if piece not in known]
    tokenizer["model"]["vocab"] += [[piece, max(LIKELY, round(bits(piece) + AHEAD, 4)) if piece.startswith(START) else LIKELY] for piece in words]
    file.write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf8")


def explained(tokens: WordPieces, folder: Path = FOLDER) -> dict[int, list[str]]:
    """What each piece means that is a word here."""
    said = meanings(folder, tokens.tokenizer.normalizer.normalize_str)
    return {i: said[piece] for piece, i in tokens.vocabulary().items() if piece in said}


def vectors(meant: list[list[str]], table: torch.Tensor, read: Callable[[str], list[int]]) -> torch.Tensor:
    """Of pieces, the mean of what each means. table [n, any width]: vectors of English words; read: a text as rows of it."""
    return torch.stack([torch.stack([table[read(english)].mean(0) for english in said]).mean(0) for said in meant]) if meant else table[:0]
