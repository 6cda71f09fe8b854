"""Reserved texts: whole sets, and hashes of texts, that nothing is ever trained or tuned on."""
import hashlib
import lzma
import re
from pathlib import Path

RESERVED = frozenset("""absa14 agnews_test banking77 bbc_news bbq cedr_ru cr_mpqa cyberseceval_inj fewclue_csldcp fewclue_ocnli hatecheck inj_bipia_norm
inj_deepset jnli_valid jsts mhatecheck multijail onestop pii_nano pubmedqa scitail_devtest sst2_phrases sst_fine surge_toxicity tatoeba_36 toldbr
tracie_train tweeteval_emotion xsid xstest youtube_spam zh_waimai""".split())
PART = re.compile(r"(?<=[.!?。！？\n])\s*|\"([^\"]{18,})\"")


def normal(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())[:400]


def fingerprint(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()[:16]


class Holdout:
    """data: folder with holdout_hashes.txt.xz and holdout_hashes_short.txt.xz."""

    def __init__(self, data: Path) -> None:
        self.long, self.short = (frozenset(lzma.open(data / f"holdout_hashes{name}.txt.xz", "rt").read().split()) for name in ("", "_short"))

    def holds(self, text: str, lang: str = "en") -> bool:
        """Whether the whole text is reserved."""
        key = normal(text)
        if len(key) >= 18: return fingerprint(key) in self.long
        return len(key) >= 4 and lang != "en" and fingerprint(key) in self.short

    def touches(self, text: str, lang: str = "en") -> bool:
        """Whether the text, or a line, sentence or quotation in it, is reserved."""
        return self.holds(text, lang) or any(self.holds(p, lang) for p in PART.split(text) if p and len(p) < len(text))
