"""A bundle folder: int8 graphs, tokenizer and the manifest that the service reads."""
import hashlib
import json
import shutil
from pathlib import Path


def fingerprint(file: Path) -> dict[str, int | str]:
    """Size in bytes and SHA-256 in hex of a file, as the manifest lists them."""
    data = file.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


GRAPHS = {"graph": "model.onnx", "long": "long.onnx", "front": "front.onnx"}


def write(folder: Path, made: Path, about: dict) -> None:
    """made: a folder with the graphs that there are, their weights and the tokenizer. about: the manifest's own fields (name, checkpoint, tokens, temperatures, …); files are added here."""
    folder.mkdir(parents=True, exist_ok=True)
    graphs = {field: name for field, name in GRAPHS.items() if (made / name).exists()}
    files = [*graphs.values(), "weights.bin", "tokenizer.json"]
    for name in files: shutil.copyfile(made / name, folder / name)
    manifest = {"schema": 1, "family": "branches", **about, **graphs, "tokenizer": "tokenizer.json", "files": {name: fingerprint(folder / name) for name in files}}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf8")
