"""An endless, seeded stream of rendered rows: which source, which row, which questions."""
from collections.abc import Callable, Iterator
from itertools import accumulate
from random import Random

from branches.batch import Packed, Packer
from corpus import Corpus
from echo import Asked
from render.labelled import Labelled
from render.long import among
from render.moderation import ORDINARY, Moderation, of_written, ordinary
from render.phrases import Phrases
from render.question import Question
from render.state import wrapped
from render.templates import from_template, of_set
from render.written import from_set, state


READY = .7          # how often a row with a template's labels is asked by the template's wordings, not by its set's
LOCAL = .5          # how often what is known of a question in the language of a text is put in it
FEW = 50            # labels with fewer rows keep their share, so that no row comes too often
WHOLE = 2500        # text tokens of rows whose answer may stand anywhere


class Shuffled:
    """Draws without replacement; starts over, reshuffled, when all were drawn."""

    def __init__(self, items: list, rng: Random) -> None:
        self.items, self.rng, self.left = items, rng, []

    def draw(self):
        if not self.left:
            self.left = list(range(len(self.items)))
            self.rng.shuffle(self.left)
        return self.items[self.left.pop()]


class Balanced:
    """Draws the rows of a set so that its labels come more nearly alike: what is rare in one set is common in the next, and a question never
    seen must not be answered by what was right most often elsewhere. share: 0 leaves the labels as they are, 1 evens out all that have FEW rows."""

    def __init__(self, rows: list[dict], field: str, share: float, rng: Random) -> None:
        by: dict[str, list[dict]] = {}
        for row in rows:
            label = row.get(field)
            by.setdefault(str(label[0] if isinstance(label, list) and label else label), []).append(row)
        self.rng, self.items, self.piles = rng, rows, [Shuffled(pile, rng) for pile in by.values()]
        self.weights = list(accumulate(len(pile) / max(len(pile), FEW) ** share for pile in by.values()))

    def draw(self) -> dict:
        return self.rng.choices(self.piles, cum_weights=self.weights)[0].draw()


class Mixture:
    """shares: part of the rows from written states, templates, moderated texts, ordinary texts with moderation categories, and small sets; the labelled sets get the rest,
    each in proportion to its size to the given power, times its boost. `long` is the part of all rows that stand among other text,
    `english` the part of English rows that is kept when they are drawn. balance: how far the labels of a set are drawn alike, 0 to 1.
    echo: draws the part `echo` of all rows, a text with its questions each, and what a teacher is asked to answer them."""

    def __init__(self, corpus: Corpus, pack: Packer, labelled: Labelled, shares: dict[str, float], power: float, boost: dict[str, float],
                 seed: int, balance: float = 0, echo: Callable[[], tuple[Asked, Asked]] | None = None) -> None:
        self.rng, self.pack, self.labelled, self.shares, self.echo = Random(seed), pack, labelled, shares, echo
        self.moderation = Moderation(corpus.sets)
        self.by = {name: Balanced(rows, self.labelled.answered(name), balance, self.rng) for name, rows in sorted(corpus.train.items())}
        self.names = list(self.by)
        self.weights = [len(self.by[n].items) ** power * boost.get(n, 1) for n in self.names]
        self.written = Shuffled(corpus.written["train"], self.rng)
        self.templates = Shuffled(corpus.templates["train"], self.rng)
        self.moderated = Shuffled(corpus.moderated, self.rng)
        self.ordinary = [self.by[name] for name in ORDINARY if name in self.by]
        self.small = Shuffled([(task, row) for task in corpus.small["train"] for row in task["rows"]], self.rng)
        self.documents, self.phrases = corpus.documents, Phrases(corpus.asked)
        self.foreign = sorted({n for r in corpus.written["train"] for q in r["questions"] if q["type"] == "choice" for n in q["options"] if len(n) < 40})

    def row(self) -> Packed | None:
        u, rng, s = self.rng.random(), self.rng, self.shares
        if self.echo and rng.random() < s["echo"]:
            (text, questions), of = self.echo()
            packed = self.pack(text, questions, [str(i) for i in range(len(questions))])
            if packed: packed.of = of
            return packed
        long = bool(self.documents) and rng.random() < s["long"]
        written = u < s["written"]
        templates = s["written"] + s["templates"]
        moderated = templates + s["moderated"]
        plain = moderated + s.get("ordinary", 0)
        if written: source, rendered = self.written, lambda row: state(row, rng, 8 if long else 4, self.foreign)      # a long text costs more than its questions
        elif u < templates: source, rendered = self.templates, lambda row: from_template(row, rng)
        elif u < moderated and self.moderated.items: source, rendered = self.moderated, lambda row: of_written(row, rng)
        elif u < plain and self.ordinary: source, rendered = rng.choice(self.ordinary), lambda row: of_written(ordinary(row), rng)
        elif u < plain + s["small"] and self.small.items: source, rendered = self.small, self.from_small
        else: source, rendered = self.by[rng.choices(self.names, self.weights)[0]], self.from_labelled
        row = source.draw()
        lang = (row[0] if isinstance(row, tuple) else row)["lang"]
        if lang == "en" and rng.random() >= s.get("english", 1): return None
        text, questions = rendered(row)
        if not questions: return None
        if lang != "en" and source is not self.templates and rng.random() < LOCAL: questions = [self.phrases.local(q, lang) for q in questions]
        if long: text, questions = among(text[:4000], questions, self.documents, rng, plain=written and rng.random() < .7)
        elif not written: text, questions = wrapped(text, questions, rng)
        packed = self.pack(text or " ", questions, [str(i) for i in range(len(questions))], most=WHOLE if long or written else None)
        if packed and lang == "en": packed.of = text or " ", questions
        return packed

    def from_small(self, of: tuple[dict, list]) -> tuple[str, list[Question]]:
        task, row = of
        labelled = of_set(task, row) if self.rng.random() < READY else None
        return from_template(labelled, self.rng) if labelled else from_set(task, row, self.rng)

    def from_labelled(self, row: dict) -> tuple[str, list[Question]]:
        asked = self.labelled.questions(row, self.rng)
        return row["text"] or " ", asked + (self.moderation.questions(row, self.rng) if self.rng.random() < .5 else [])

    def rows(self) -> Iterator[Packed]:
        while True:
            row = self.row()
            if row: yield row

    def __getstate__(self): raise TypeError("a mixture is rebuilt from its seed")
