"""A bundle folder: int8 graph, tokenizer and the manifest that the service reads."""
import hashlib
import json
import shutil
from pathlib import Path


def fingerprint(file: Path) -> dict[str, int | str]:
    data = file.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def write(folder: Path, graph: Path, tokenizer: Path, about: dict) -> None:
    """about: the manifest's own fields (name, checkpoint, tokens, temperatures, …); files are added here."""
    folder.mkdir(parents=True, exist_ok=True)
    for source, name in ((graph, "model.onnx"), (tokenizer, "tokenizer.json")):
        if source.resolve() != (folder / name).resolve():
            shutil.copyfile(source, folder / name)
    manifest = {"schema": 1, "family": "branches", **about, "graph": "model.onnx", "tokenizer": "tokenizer.json",
                "files": {name: fingerprint(folder / name) for name in ("model.onnx", "tokenizer.json")}}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf8")
