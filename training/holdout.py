"""Reserved texts: whole sets, and hashes of texts, that nothing is ever trained or tuned on."""
import hashlib
import json
import lzma
import re
from pathlib import Path

RESERVED = frozenset("""absa14 agnews_test banking77 bbc_news bbq cedr_ru cr_mpqa cyberseceval_inj fewclue_csldcp fewclue_ocnli hatecheck inj_bipia_norm
inj_deepset jnli_valid jsts mhatecheck multijail onestop pii_nano pubmedqa scitail_devtest sst2_phrases sst_fine surge_toxicity tatoeba_36 toldbr
tracie_train tweeteval_emotion xsid xstest youtube_spam zh_waimai""".split())
SENTENCE = re.compile(r"(?<=[.!?。！？])\s*")
QUOTED = re.compile(r"\"([^\"]{18,})\"")


def normal(text: str) -> str:
    """What texts are compared by: their letters and digits in lower case, at most 400."""
    return re.sub(r"[\W_]+", "", text.lower())[:400]


def fingerprint(text: str) -> str:
    """The first 16 hex digits of the SHA-1, as in the hash lists."""
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
        """Whether the text, or a line, sentence or quotation in it, is reserved. Of JSON, every string in it is looked at."""
        return self.holds(text, lang) or any(self.holds(part, lang) for leaf in leaves(text) for part in parts(leaf))


def leaves(text: str) -> list[str]:
    """The strings in a text of JSON; any other text itself."""
    try: found = json.loads(text) if text[:1] in ("{", "[") else text
    except json.JSONDecodeError: return [text]
    waiting, out = [found], []
    while waiting:
        one = waiting.pop()
        if isinstance(one, str): out.append(one)
        elif isinstance(one, (list, dict)): waiting += one.values() if isinstance(one, dict) else one
    return out


def parts(text: str) -> list[str]:
    """A text, its lines and quotations, and the sentences of these."""
    whole = [text, *text.split("\n"), *QUOTED.findall(text)]
    return whole + [sentence for part in whole for sentence in SENTENCE.split(part) if sentence]
