"""A SentencePiece unigram model as a Hugging Face tokenizer.json."""
import base64
import json
from pathlib import Path

from sentencepiece import sentencepiece_model_pb2

SAID = 4                # decimals of a log probability: more make a third of the file


def convert(model: Path, file: Path, without: frozenset[str] = frozenset()) -> None:
    """without: pieces to leave out."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(model.read_bytes())
    pieces = [p for p in proto.pieces if p.piece not in without]
    unknown = next(i for i, p in enumerate(pieces) if p.type == p.UNKNOWN)
    special = [i for i, p in enumerate(pieces) if p.type in (p.CONTROL, p.UNKNOWN)]
    spaces = [{"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}] if proto.normalizer_spec.remove_extra_whitespaces else []
    trim = [{"type": "Strip", "strip_left": True, "strip_right": True}] if spaces else []
    charsmap = proto.normalizer_spec.precompiled_charsmap
    precompiled = [{"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()}] if charsmap else []
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "post_processor": None,
        "added_tokens": [{"id": i, "content": pieces[i].piece, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True} for i in special],
        "normalizer": {"type": "Sequence", "normalizers": [*precompiled, *trim, *spaces]},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
        "model": {"type": "Unigram", "unk_id": unknown, "byte_fallback": proto.trainer_spec.byte_fallback, "vocab": [[p.piece, round(p.score, SAID)] for p in pieces]},
    }
    file.write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf8")
