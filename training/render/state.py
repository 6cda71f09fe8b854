"""A text wrapped into a JSON state, with the question pointing at a field in back-ticks."""
import json
from random import Random

from .question import Question

FIELDS = ("text", "message", "body", "content", "comment", "input", "description", "note", "post", "review")
EXTRA = (("id", lambda r: r.choice(["a1", "7731", "T-204", "8f3c"])), ("channel", lambda r: r.choice(["web", "email", "chat", "phone", "app"])), ("lang", lambda r: "en"),
         ("created_at", lambda r: f"2025-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}"), ("version", lambda r: r.randint(1, 9)), ("verified", lambda r: r.random() < .5),
         ("tags", lambda r: r.sample(["new", "vip", "eu", "retry", "beta", "archive"], 2)), ("user", lambda r: {"tier": r.choice(["free", "pro", "standard"]), "age_months": r.randint(0, 60)}))
SHARE = .10


def wrapped(text: str, questions: list[Question], rng: Random) -> tuple[str, list[Question]]:
    """Most texts stay as they are."""
    if rng.random() >= SHARE: return text, questions
    field = rng.choice(FIELDS)
    fields = [(field, text), *((k, make(rng)) for k, make in rng.sample(EXTRA, rng.randint(0, 3)))]
    rng.shuffle(fields)
    point = rng.choice(("", "In `{f}`: {q}", "`{f}`: {q}", "Judge the field `{f}`. {q}", "About `{f}`: {q}"))
    asked = [q.reworded(point.format(f=field, q=q.wording)) if point else q for q in questions]
    state: object = dict(fields)
    if rng.random() < .15: state = {rng.choice(("ticket", "item", "event", "record")): state}
    if rng.random() < .1: state = [{"role": rng.choice(("user", "customer")), "text": text}] if not point else state
    return json.dumps(state, ensure_ascii=False, indent=rng.choice((None, None, 1))), asked
