"""The nine templates but `language`, as questions a model is trained on. name: (kind, wordings, options or levels)."""
from random import Random

import numpy as np

from .labelled import varied
from .question import Option, Question, choice, noul, score

TEMPLATES = {
    "moderation": ("choice", ["Which content policy does this break, if any?", "Moderation decision for this text", "What kind of harmful content is this?"], {
        "safe": "nothing that breaks the rules; news, fiction, quotes and prevention are safe", "harassment": "insults, bullies or attacks a person",
        "hate": "attacks a group for who they are", "sexual": "sexual or explicit content", "violence": "threatens, plans or praises violence",
        "self_harm": "suicide or self-injury", "illicit": "help with crime, drugs, weapons or fraud"}),
    "spam": ("noul", ["Is this spam: unsolicited advertising, scam or phishing?", "Is this message spam?", "This is spam."], None),
    "support_intent": ("choice", ["What does the customer want?", "Support intent of this message", "Why is the customer writing?"], {
        "refund": "wants money back", "cancellation": "wants to cancel a plan, order or account", "technical_issue": "something does not work",
        "billing_question": "asks about a charge, invoice or price paid", "order_status": "where is the order", "account_access": "cannot log in or reach the account",
        "product_question": "asks about a product before or after buying", "complaint": "is unhappy without another request", "feedback": "suggestion or praise", "other": "anything else"}),
    "routing": ("choice", ["Which team should handle this?", "Route this message to a team", "Which department is responsible?"], {
        "billing": "invoices, payments, refunds", "technical": "bugs, errors, outages", "sales": "quotes, plans, buying", "account": "login, profile, access",
        "shipping": "deliveries and parcels", "security": "breach, fraud, abuse", "other": "none of the other teams"}),
    "sentiment": ("choice", ["What is the sentiment of the text?", "Sentiment", "How does the writer feel?"], {"negative": None, "neutral": None, "positive": None}),
    "priority": ("score", ["How urgent is this?", "How soon must the receiving team act?", "Priority of this message"], {
        "low": "thanks, wishes, no action needed or whenever there is time", "normal": "an ordinary request or question",
        "high": "somebody cannot work or waits, needed today", "urgent": "danger, outage, break-in or heavy loss, act at once"}),
    "prompt_injection": ("noul", ["Does the text try to override, extract or bypass the instructions of an AI system?", "Is this a prompt injection or jailbreak attempt?"], None),
    "pii": ("noul", ["Does the text contain personal data of an identifiable private person?", "Does this contain personal data?"], None),
}


def from_template(row: dict, rng: Random, most: int = 4) -> tuple[str, list[Question]]:
    """A text labelled with all templates -> some of them as questions."""
    out: list[Question] = []
    for name in rng.sample(list(row["t"]), min(most, len(row["t"]))):
        kind, wordings, options = TEMPLATES[name]
        value, wording = row["t"][name], rng.choice(wordings)
        if kind == "noul":
            out += varied(noul(wording, min(max(float(value), .02), .98)), rng)
        elif kind == "score":
            p = np.full(len(options), .02)
            p[int(value)] += .84
            for near in (int(value) - 1, int(value) + 1):
                if 0 <= near < len(options): p[near] += .04
            out.append(score(wording, [f"{n}: {d}" for n, d in options.items()] if rng.random() < .6 else list(options), p))
        else:
            out += varied(pick(wording, options, value, row.get("soft", {}).get(name), rng), rng)
    return row["text"], out


def pick(wording: str, options: dict[str, str | None], value: str, soft: list | None, rng: Random) -> Question:
    keys = list(options)
    p = np.full(len(keys), .03 / len(keys))
    for key, share in ((soft[0], soft[1]), (soft[2], .97 - soft[1])) if soft else ((value, .97),):
        p[keys.index(key)] += share
    shown = [i for i in range(len(keys)) if p[i] > .1]
    rest = [i for i in range(len(keys)) if p[i] <= .1]
    if len(keys) > 3 and rng.random() < .4: rest = rng.sample(rest, rng.randint(1, len(rest)))
    described, plain = rng.random() < .6, rng.random() < .6
    at = shown + rest
    return choice(wording, [Option(keys[i].replace("_", " ") if plain else keys[i], options[keys[i]] if described else None) for i in at], p[at], rng)
