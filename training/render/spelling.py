"""The many ways in which people write the name of a label."""
import re
from random import Random

STYLES = ("plain", "plain", "plain", "title", "snake", "raw", "upper", "kebab", "camel", "capital")


def words(name: str) -> str:
    """'SearchOneway_flight' -> 'search oneway flight', leaving ordinary text alone."""
    name = re.sub(r"^(dna|rtp|[A-Z]{2,}|scicite|acl_arc)[:_](?=\w)", "", name) if ":" not in name[8:] else name
    if " " in name:
        return name
    name = re.sub(r"_\d$", "", name)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " ")).strip()


def spell(name: str, style: str) -> str:
    """A label in one of STYLES; `raw` changes nothing, and what is longer than 48 characters is only split into words."""
    plain = words(name)
    if style == "raw" or len(plain) > 48:
        return name if style == "raw" else plain
    low = plain.lower()
    if style == "title":
        return plain.title()
    if style == "capital":
        return plain[:1].upper() + plain[1:]
    if style == "snake":
        return low.replace(" ", "_")
    if style == "kebab":
        return low.replace(" ", "-")
    if style == "camel":
        first, *rest = low.split(" ")
        return first + "".join(w.title() for w in rest)
    if style == "upper":
        return low.replace(" ", "_").upper()
    return low if plain.isupper() is False and name != name.upper() else plain


def style(rng: Random) -> str:
    """One of STYLES at random."""
    return rng.choice(STYLES)
