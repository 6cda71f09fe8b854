"""Questions without a known answer: what a teacher says of the English version of a text is right for the others too."""
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import accumulate
from random import Random

from corpus import Corpus
from render.question import Option, Question
from render.written import from_set, state

ASKED = 4               # questions of a text
OWN = .3                # how often a question is one that was written for the text
MANY = .4               # how often a question is one that exists in many languages
HOME = .8               # how often such a question is put in the language of the text

Asked = tuple[str, list[Question]]


def english(rows: Iterable[dict]) -> list[dict]:
    """The rows in English."""
    return [row for row in rows if row["lang"] == "en"]


def put(question: dict, lang: str) -> Question:
    """A question that exists in many languages, in one of them; its answer is not known."""
    wording, *names = question["in"][lang]
    options = names[0] if names else ("yes", "no")
    return Question(question["type"], wording, tuple(Option(name) for name in options), (0.,) * len(options))


def unanswered(question: Question) -> Question:
    """The same question with an unknown answer: no option has a share of the target."""
    return replace(question, target=(0.,) * len(question.options))


class Echo:
    """Draws texts in any language, long ones more often, with questions that were written for other texts or for any."""

    def __init__(self, corpus: Corpus, harder: dict[str, float], rng: Random, labelled: Callable[[dict, Random], list[Question]] | None = None) -> None:
        """harder: languages that come so many times as often; labelled: questions about a row of a labelled set."""
        self.harder, self.rng, self.labelled = harder, rng, labelled
        own = {row["state"]: row for row in english(corpus.written["train"]) if isinstance(row["state"], str)}
        self.texts = [(text, own.get(text["en"])) for text in corpus.parallel]
        self.weights = list(accumulate(len(text["en"]) for text, _ in self.texts))
        self.written, self.many = english(corpus.written["train"]), corpus.asked
        self.small = [task for task in corpus.small["train"] if task["lang"] == "en" and task["rows"]]
        self.rows = [kept for rows in corpus.train.values() if (kept := english(rows))] if labelled else []

    def questions(self, own: dict | None, lang: str) -> list[tuple[Question, Question]]:
        """As the teacher is asked, and as the text in the other language is."""
        rng, out = self.rng, []
        while len(out) < ASKED:
            if self.many and rng.random() < MANY:
                question = rng.choice(self.many)
                out.append((put(question, "en"), put(question, lang if lang in question["in"] and rng.random() < HOME else rng.choice(list(question["in"])))))
                continue
            of = rng.random()
            if own and rng.random() < OWN: found = state(own, rng, 1)[1]
            elif self.rows and of < .3: found = self.labelled(rng.choice(rng.choice(self.rows)), rng)
            elif of < .6: found = state(rng.choice(self.written), rng, 1)[1]
            else: found = from_set(task := rng.choice(self.small), rng.choice(task["rows"]), rng)[1]
            out += [(q, q) for q in map(unanswered, found[:1])]
        return out

    def row(self) -> tuple[Asked, Asked]:
        """A text in another language with its questions, and what the teacher is to be asked instead."""
        text, own = self.rng.choices(self.texts, cum_weights=self.weights)[0]
        others = [lang for lang in text if lang != "en"]
        lang = self.rng.choices(others, [self.harder.get(lang, 1) for lang in others])[0]
        asked = self.questions(own, lang)
        return (text[lang], [put for _, put in asked]), (text["en"], [put for put, _ in asked])
