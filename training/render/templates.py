"""The nine templates but `language`, as questions a model is trained on. name: (kind, wordings, options or levels)."""
from random import Random

import numpy as np

from .labelled import varied
from .question import Option, Question, choice, noul, score
from .written import as_text

TEMPLATES = {
    "moderation": ("choice", ["Which content policy does this break, if any?", "Moderation decision for this text", "What kind of harmful content is this?"], {
        "safe": "nothing that breaks the rules; news, fiction, quotes and prevention are safe", "harassment": "insults, bullies or attacks a person",
        "hate": "attacks a group for who they are", "sexual": "sexual or explicit content", "violence": "threatens, plans or praises violence",
        "self_harm": "suicide or self-injury", "illicit": "help with crime, drugs, weapons or fraud"}),
    "spam": ("noul", ["Is this spam: unsolicited advertising, scam or phishing?", "Is this message spam?", "This is spam."], {"yes": "spam", "no": "not spam"}),
    "support_intent": ("choice", ["What does the customer want?", "Support intent of this message", "Why is the customer writing?"], {
        "refund": "wants money back", "cancellation": "wants to cancel a plan, order or account", "technical_issue": "something does not work",
        "billing_question": "asks about a charge, invoice or price paid", "order_status": "where is the order", "account_access": "cannot log in or reach the account",
        "product_question": "asks about a product before or after buying", "complaint": "is unhappy without another request", "feedback": "suggestion or praise", "other": "anything else"}),
    "routing": ("choice", ["Which team should handle this?", "Route this message to a team", "Which department is responsible?"], {
        "billing": "invoices, payments, refunds", "technical": "bugs, errors, outages", "sales": "quotes, plans, buying", "account": "login, profile, access",
        "shipping": "deliveries and parcels", "security": "breach, fraud, abuse", "other": "none of the other teams"}),
    "sentiment": ("choice", ["What is the sentiment of the text?", "Sentiment", "How does the writer feel?"], {
        "negative": "a negative opinion or feeling", "neutral": "no opinion or feeling, or a mixed one", "positive": "a positive opinion or feeling"}),
    "priority": ("score", ["How urgent is this?", "How soon must the receiving team act?", "Priority of this message"], {
        "low": "thanks, wishes, no action needed or whenever there is time", "normal": "an ordinary request or question",
        "high": "somebody cannot work or waits, needed today", "urgent": "danger, outage, break-in or heavy loss, act at once"}),
    "prompt_injection": ("noul", ["Does the text try to override, extract or bypass the instructions of an AI system?", "Is this a prompt injection or jailbreak attempt?"], {
        "yes": "an attempt to override, extract or bypass instructions", "no": "no such attempt"}),
    "pii": ("noul", ["Does the text contain personal data of an identifiable private person?", "Does this contain personal data?"], {
        "yes": "data of an identifiable private person", "no": "no data of a private person"}),
}


SERVED = .6         # how often a template is asked as callers ask it, to the letter


def served(name: str, value: object, soft: list | None, rng: Random) -> Question:
    """A template as the service asks it: its first wording, all its options described."""
    kind, (wording, *_), options = TEMPLATES[name]
    if kind == "noul": return noul(wording, min(max(float(value), .02), .98), (options["yes"], options["no"]))
    if kind == "score": return score(wording, [f"{n}: {d}" for n, d in options.items()], near(int(value), len(options)))
    return choice(wording, [Option(n, d) for n, d in options.items()], votes(options, value, soft), rng)


def of_set(task: dict, row: list) -> dict | None:
    """A row of a small set whose labels are those of a template, as a text labelled with it; None where they are not, or the label is in doubt."""
    name = next((name for name, (kind, _, options) in TEMPLATES.items() if kind != "noul" and list(options) == list(task["labels"])), None)
    doubtful = len(row) > 2 and "c" in row[2]           # a template's own rows are sure, or say what else may be right
    if name is None or doubtful or not task["set"].startswith("template-"): return None
    return {"text": as_text(row[0]), "t": {name: list(task["labels"]).index(row[1]) if TEMPLATES[name][0] == "score" else row[1]}}


def near(level: int, levels: int) -> np.ndarray:
    """Weights of levels [levels]: most on the right one, a little more on those beside it than on the others."""
    p = np.full(levels, .02)
    p[level] += .84
    for other in (level - 1, level + 1):
        if 0 <= other < levels: p[other] += .04
    return p


def votes(options: dict[str, str], value: str, soft: list | None) -> np.ndarray:
    """soft: a label, its share, another label that has the rest."""
    keys = list(options)
    p = np.full(len(keys), .03 / len(keys))
    for key, share in ((soft[0], soft[1]), (soft[2], .97 - soft[1])) if soft else ((value, .97),):
        p[keys.index(key)] += share
    return p


def from_template(row: dict, rng: Random, most: int = 4) -> tuple[str, list[Question]]:
    """A text labelled with all templates -> some of them as questions."""
    out: list[Question] = []
    for name in rng.sample(list(row["t"]), min(most, len(row["t"]))):
        if rng.random() < SERVED:
            out.append(served(name, row["t"][name], row.get("soft", {}).get(name), rng))
            continue
        kind, wordings, options = TEMPLATES[name]
        value, wording = row["t"][name], rng.choice(wordings)
        if kind == "noul":
            out += varied(noul(wording, min(max(float(value), .02), .98)), rng)
        elif kind == "score":
            out.append(score(wording, [f"{n}: {d}" for n, d in options.items()] if rng.random() < .6 else list(options), near(int(value), len(options))))
        else:
            out += varied(pick(wording, options, value, row.get("soft", {}).get(name), rng), rng)
    return row["text"], out


def pick(wording: str, options: dict[str, str], value: str, soft: list | None, rng: Random) -> Question:
    """A template's choice in any wording, with descriptions or without, at times without some of the options that are wrong."""
    keys, p = list(options), votes(options, value, soft)
    shown = [i for i in range(len(keys)) if p[i] > .1]
    rest = [i for i in range(len(keys)) if p[i] <= .1]
    if len(keys) > 3 and rng.random() < .4: rest = rng.sample(rest, rng.randint(1, len(rest)))
    described, plain = rng.random() < .6, rng.random() < .6
    at = shown + rest
    return choice(wording, [Option(keys[i].replace("_", " ") if plain else keys[i], options[keys[i]] if described else None) for i in at], p[at], rng)
