"""English yes/no questions and statements turned into their opposite, by rule."""
import re
from random import Random

from .question import Question

AUXILIARY = "is|are|was|were|does|do|did|can|could|would|will|should|has|have|had|may|might|must"
ASKS = re.compile(rf"^({AUXILIARY})\s+(.+?)\?\s*$", re.I | re.S)
NOUN = ("text|tweet|message|comment|review|post|sentence|film|headline|content|input|email|mail|document|request|question|answer|statement|paper|user|line|claim|customer|"
        "writer|author|article|speaker|passage|note|ticket|caller|person|community|language|intent|service|product|reply|response|assistant|agent|book|hotel|food")
SUBJECT = re.compile(rf"^((?:this|that)\s+(?:(?:film|product|forum|book)\s+)?(?:{NOUN})\b|(?:this|that|these|those|it|he|she|they|there|you|we|i|somebody|someone|anybody|anyone)\b"
                     rf"|(?:the|a|an|any|both|each|his|her|its|their|our|my|your)\s+\S+|\S+)\s+(.*)$", re.I | re.S)
COUNTED = r"some\w*|any\w*|all|every\w*|each|both|either|neither|only|no|none|nobody|nothing|never|at least|at most|exactly|more|fewer|less|most|many|several|few"
COUNTS = re.compile(rf"({COUNTED})\b", re.I)                # "some did not" is not the opposite of "some did"
CLAUSE = re.compile(rf"\b({COUNTED}|that|which|who|whether|if|when|because)\b", re.I)
JOINED = re.compile(r"\b(and|but|because|although|while)\b", re.I)     # "not late and damaged" may still be damaged
MODAL = ("could", "might", "may", "must")                   # nor "may not" of "may"
MARK = re.compile("[?？؟;՞]")
UNMARKED = re.compile(rf"(^|[,:.]\s)({AUXILIARY})\s", re.I)       # a question whose end is a text of its own: "Does it follow: …"
STATES = re.compile(rf"^(.{{2,60}}?)\s({AUXILIARY})\s(?!not\b)(.+)$", re.I | re.S)


def lower(text: str) -> str:
    """With a small letter in front, unless the first word is "I" or has another capital or a digit."""
    return text if re.match(r"(I\b|[A-Z]{2}|[A-Z]\S*[A-Z0-9])", text) else text[:1].lower() + text[1:]


def upper(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]


def asked(wording: str) -> tuple[str, str, str] | None:
    """'Is the text spam?' -> ('is', 'the text', 'spam')"""
    found = ASKS.match(wording.strip())
    rest = SUBJECT.match(found[2]) if found else None
    if not rest or MARK.search(found[2]) or rest[1].count('"') % 2 or rest[1].endswith("'s"): return None      # of two questions, of a quotation, of what somebody has
    return found[1].lower(), rest[1], rest[2]


def statement(wording: str) -> str | None:
    """'Is the text spam?' -> 'The text is spam.'"""
    parts = asked(wording)
    if not parts:
        return None
    auxiliary, subject, rest = parts
    verb = f"{auxiliary} {rest}" if auxiliary not in ("does", "do", "did") else present(auxiliary, rest)
    return f"{upper(subject)} {verb}."


def present(auxiliary: str, rest: str) -> str:
    """'does', 'contain x' -> 'contains x'"""
    verb, _, tail = rest.partition(" ")
    if auxiliary != "does" or not verb.isalpha():
        return rest if auxiliary == "do" else f"{auxiliary} {rest}"
    verb = {"have": "has", "go": "goes", "do": "does"}.get(verb) or (
        verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "es" if re.search(r"(s|x|ch|sh)$", verb) else verb + "s")
    return f"{verb} {tail}".strip()


def opposites(wording: str) -> list[str]:
    """Wordings that are true exactly when this one is false."""
    text, out = wording.strip(), []
    parts = asked(text)
    if parts:
        auxiliary, subject, rest = parts
        if auxiliary in MODAL or COUNTS.match(f"{subject} {rest}"): return of_the_answer(text)
        stated = statement(text) or ""
        whole = [f"Is it false that {lower(stated[:-1])}?", f"It is not the case that {lower(stated[:-1])}.", f"Is it wrong to say that {lower(stated[:-1])}?"]
        if JOINED.search(rest): return whole
        out += [f"{upper(auxiliary)} {subject} not {rest}?", f"{upper(subject)} {auxiliary} not {rest}.", f"{upper(auxiliary)} {subject} not {rest}?", *whole]
        if auxiliary in ("is", "are", "was", "were", "does", "do", "did", "can", "would", "should", "has", "have") and rest:
            short = {"can": "can't"}.get(auxiliary, f"{auxiliary}n't")
            out.append(f"{upper(subject)} {short} {rest}.")
    elif text and not MARK.search(text):
        if UNMARKED.search(text): return of_the_answer(text)
        found = STATES.match(text)
        if found and found[2].lower() not in MODAL and not CLAUSE.search(found[1]) and not JOINED.search(text) and not set(':"') & set(found[1]):
            out += [f"{found[1]} {found[2]} not {found[3]}"] * 2
        out += [f"It is not true that {lower(text)}", f"It is false that {lower(text)}"]
    return out


def of_the_answer(text: str) -> list[str]:
    """Opposites of a wording that no rule turns: its answer is turned instead."""
    return [f"Is the answer to this no? {text}", f"The answer to this is no: {text}"]


def negated(question: Question, rng: Random) -> Question | None:
    """The opposite question with the opposite answer; criteria change sides."""
    forms = opposites(question.wording)
    if question.kind != "noul" or not forms:
        return None
    yes, no = question.options
    options = (type(yes)(yes.name, no.description), type(no)(no.name, yes.description))
    return Question("noul", rng.choice(forms), options, question.target[::-1])
