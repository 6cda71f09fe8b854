"""A bundle folder: int8 graphs, tokenizer and the manifest that the service reads."""
import hashlib
import json
import shutil
from pathlib import Path


def fingerprint(file: Path) -> dict[str, int | str]:
    data = file.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


FILES = ("model.onnx", "long.onnx", "weights.bin", "tokenizer.json")


def write(folder: Path, made: Path, about: dict) -> None:
    """made: a folder with FILES. about: the manifest's own fields (name, checkpoint, tokens, temperatures, …); files are added here."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES: shutil.copyfile(made / name, folder / name)
    manifest = {"schema": 1, "family": "branches", **about, "graph": "model.onnx", "long": "long.onnx", "tokenizer": "tokenizer.json",
                "files": {name: fingerprint(folder / name) for name in FILES}}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf8")
