"""A text among much other text: what a question asks for stands somewhere in a long state."""
import json
from random import Random

from .question import Question

FIELD = ("message", "text", "note", "request", "entry", "comment")
AROUND = ("history", "background", "attachments", "context", "thread", "log")
POINTS = ("In `{f}`: {q}", "`{f}`: {q}", "About `{f}`: {q}", "Look at the field `{f}`. {q}")
LEAST, MOST = 900, 6000            # characters of other text


def filler(documents: list[str], rng: Random) -> list[str]:
    """Paragraphs of other text, of very different total length."""
    length, out = LEAST * (MOST / LEAST) ** rng.random(), []
    while sum(map(len, out)) < length:
        out.append(rng.choice(documents)[: rng.randint(200, 1500)])
    return out


def among(text: str, questions: list[Question], documents: list[str], rng: Random, plain: bool) -> tuple[str, list[Question]]:
    """plain: the questions name their matter, so the text may simply stand among paragraphs, most often at the end.
    Otherwise it becomes a field that the questions point at."""
    other = filler(documents, rng)
    at = len(other) if rng.random() < .5 else rng.randint(0, len(other))
    if plain: return "\n\n".join([*other[:at], text, *other[at:]]), questions
    field, point = rng.choice(FIELD), rng.choice(POINTS)
    fields: list[tuple[str, object]] = [(rng.choice(AROUND), other if rng.random() < .5 else "\n".join(other))]
    fields.insert(0 if rng.random() < .3 else 1, (field, text))
    return json.dumps(dict(fields), ensure_ascii=False), [q.reworded(point.format(f=field, q=q.wording)) for q in questions]
