"""Text -> hashed character n-grams. The server computes the same ones: src/language/Grams.ts."""
import re
import unicodedata

import numpy as np

BUCKETS, WIDTH, LONGEST = 1 << 18, 40, 5


def normal(text: str) -> str:
    """Lower case, composed, letters and marks alone, one space between words."""
    text = unicodedata.normalize("NFC", text.lower())
    return " ".join("".join(c if unicodedata.category(c)[0] in "LM" or c in "'’" else " " for c in text).replace("’", "'").split())


def grams(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Bucket of every n-gram, n = 1..LONGEST, of ` word `, and how many each text has (at least one)."""
    chars = [np.array([32, *map(ord, t), 32], np.uint32) for t in texts]
    all_chars, owner = np.concatenate(chars), np.repeat(np.arange(len(texts)), [len(c) for c in chars])
    space = all_chars == 32
    ids, owners = [], []
    for n in range(1, LONGEST + 1):
        size = len(all_chars) - n + 1
        if size < 1: break
        h, whole = np.full(size, 2166136261, np.uint32), np.ones(size, bool)
        for k in range(n):
            c = all_chars[k:k + size]
            h = (h ^ c) * np.uint32(16777619)
            if 0 < k < n - 1: whole &= ~space[k:k + size]
        if n == 1: whole &= ~space
        if n == 2: whole &= ~(space[:size] & space[1:1 + size])
        ids.append(((h ^ (h >> np.uint32(15))) & np.uint32(BUCKETS - 1))[whole])
        owners.append(owner[:size][whole])
    ids, owners = np.concatenate(ids), np.concatenate(owners)
    missing = np.setdiff1d(np.arange(len(texts)), owners)
    ids, owners = np.concatenate([ids, np.zeros(len(missing), np.uint32)]), np.concatenate([owners, missing])
    order = np.argsort(owners, kind="stable")
    return ids[order].astype(np.int64), np.bincount(owners, minlength=len(texts))
