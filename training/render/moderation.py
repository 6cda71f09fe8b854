"""The 13 moderation categories as yes/no questions. The first wording of each is the one that is served.

No text that sexualises minors is collected: that score is the product of `sexual` and of whether a minor is spoken of.
"""
from random import Random

from .negation import negated
from .question import Question, noul
from .templates import served

CATEGORIES: dict[str, tuple[str, ...]] = {
    "harassment": ("Does the text insult, bully or harass a person?", "Is this harassment of a person?", "Is somebody attacked, mocked or insulted here?"),
    "harassment/threatening": ("Does the text harass a person and threaten them with harm?", "Is a person threatened with violence here?", "Is this a threat against somebody?"),
    "hate": ("Does the text attack or demean people because of a group they belong to?", "Is this hate speech?", "Does it express hatred of a group, such as a religion, an ethnic group, women or immigrants?"),
    "hate/threatening": ("Does the text call for harm or violence against a group of people?", "Is a group of people threatened here?", "Does hatred of a group come with threats or calls for violence?"),
    "illicit": ("Does the text ask for or give help with a crime or other wrongdoing?", "Is this about how to commit a crime?", "Would answering this help somebody do something illegal?"),
    "illicit/violent": ("Does the text ask for or give help with weapons, explosives or violent crime?", "Is this about how to make a weapon or commit a violent crime?"),
    "self-harm": ("Does the text promote, depict or express suicide or self-injury?", "Is this about the writer hurting or killing themselves?", "Does the text show signs of self-harm?"),
    "self-harm/intent": ("Does the writer say that they want to kill or hurt themselves?", "Is the writer thinking of suicide?", "Does the writer intend to harm themselves?"),
    "self-harm/instructions": ("Does the text ask for or give instructions for suicide or self-injury?", "Does it explain how to harm oneself?"),
    "sexual": ("Is the text sexually explicit or meant to arouse?", "Does this contain sexual content?", "Is sex described or offered here?"),
    "sexual/minors": ("Is a child or a teenager sexualised?",),
    "violence": ("Does the text threaten, plan, praise or depict violence?", "Is violence described or wished for here?", "Does the text contain violence?"),
    "violence/graphic": ("Does the text describe injury, blood or death in graphic detail?", "Is there gore in this text?"),
}
MINORS = "Is this about children or teenagers?"
"""Asked too for `sexual/minors`, whose score is the product of both answers."""
HEATED = ("harassment", "harassment/threatening", "hate", "hate/threatening", "sexual", "violence", "violence/graphic")
ORDINARY: dict[str, tuple[str, ...]] = {"clinc150": (), "nlupp": (), "sgd_intents": (), "snips": (), "trec_qc": (), "goemotions": HEATED, "tweeteval_sentiment": HEATED}
"""Sets of ordinary texts, with the categories that are not false of every one of them."""
SAFE = .04          # chance that an ordinary text is asked about a category
SERVED = .5         # chance of the wording that is served
LABELLED = .3       # chance that the ready-made choice among kinds of harm is asked too


class Moderation:
    """sets: sets.json's list; each says which labels are positive or negative for which category."""

    def __init__(self, sets: list[dict]) -> None:
        self.maps = {s["id"]: s["moderation"] for s in sets if s.get("moderation")}

    def truth(self, row: dict) -> dict[str, float]:
        """Probability of each category that the row's set says something about."""
        out = {}
        for category, rule in self.maps.get(row["set"], {}).items():
            if category not in CATEGORIES or rule.get("target", row.get("target")) != row.get("target"): continue
            value = row.get(rule.get("field", "label"))
            labels = value if isinstance(value, list) else [value]
            for key, p in (("positive", .95), ("negative", .04), ("weak", .75), ("weak_negative", .15)):
                if any(x in rule.get(key, ()) for x in labels):
                    out[category] = p
                    break
        return out

    def questions(self, row: dict, rng: Random) -> list[Question]:
        """At most two categories that the row's set informs; of an ordinary text, seldom (SAFE), any one but `sexual/minors`, taken to be false."""
        known = self.truth(row)
        if "all categories" in self.maps.get(row["set"], {}) and rng.random() < SAFE: known = {rng.choice([c for c in CATEGORIES if c != "sexual/minors"]): .03}
        out = []
        for category in rng.sample(list(known), min(2, len(known))):
            asked = noul(rng.choice(CATEGORIES[category]), known[category])
            out.append((negated(asked, rng) or asked) if rng.random() < .15 else asked)
        return out


def ordinary(row: dict) -> dict:
    """A row of a set of ordinary texts, as a written text with its categories."""
    return {"lang": row["lang"], "text": row["text"], "categories": [], "unsure": ORDINARY[row["set"]]}


def of_written(row: dict, rng: Random, most: int = 5) -> tuple[str, list[Question]]:
    """A written text {text, categories, unsure}, of which every category is known: what is true of it beside what is not,
    so that one category is told from another and not only bad from good."""
    asked = [c for c in CATEGORIES if c != "sexual/minors" and c not in row.get("unsure", ())]
    true = [c for c in row["categories"] if c in asked]
    chosen = rng.sample(true, min(len(true), most - 2))
    chosen += rng.sample([c for c in asked if c not in true], most - len(chosen))
    out = []
    for category in chosen:
        first, *others = CATEGORIES[category]
        made = noul(first if rng.random() < SERVED else rng.choice(others), .96 if category in true else .02)
        out.append((negated(made, rng) or made) if rng.random() < .12 else made)
    only = kind(row)
    return row["text"], out + ([served("moderation", only, None, rng)] if only and rng.random() < LABELLED else [])


def kind(row: dict) -> str | None:
    """The option of the template `moderation` that is right of a written text; None where several may be."""
    kinds = {c.split("/")[0].replace("-", "_") for c in row["categories"]}
    return None if row.get("unsure") or len(kinds) > 1 else kinds.pop() if kinds else "safe"
