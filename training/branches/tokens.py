"""Tokenizers: text -> ids without special tokens. first, last and pad are the ids around and after a text."""
from pathlib import Path

from tokenizers import Tokenizer


class WordPieces:
    """Any Hugging Face tokenizer.json."""

    def __init__(self, file: Path, first: int = 101, last: int = 102, pad: int = 0) -> None:
        self.tokenizer = Tokenizer.from_file(str(file))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.first, self.last, self.pad = first, last, pad

    def __call__(self, text: str) -> list[int]:
        """The ids of a whole text; nothing is cut."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def vocabulary(self) -> dict[str, int]:
        """All pieces with their ids."""
        return self.tokenizer.get_vocab()
