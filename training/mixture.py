"""An endless, seeded stream of rendered rows: which source, which row, which questions."""
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from branches.batch import Packed, Packer
from corpus import Corpus
from echo import Asked
from render.binding import bound, pair
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
        """The next item; IndexError where there is none at all."""
        if not self.left:
            self.left = list(range(len(self.items)))
            self.rng.shuffle(self.left)
        return self.items[self.left.pop()]


class Both:
    """Draws a text in which a fact holds and next one in which it does not, to be asked the same: rows of one length stand in one step, and there
    only what tells the two apart is learnt, not what such questions are mostly answered."""

    def __init__(self, facts: list[tuple[list[dict], list[dict]]], rng: Random) -> None:
        self.facts, self.rng, self.other = Shuffled(facts, rng), rng, None

    def draw(self) -> dict:
        """A state as in `written`, with a `seed` for its questions that both of a pair have."""
        if self.other: row, self.other = self.other, None
        else:
            seed = self.rng.random()
            row, self.other = ({**self.rng.choice(side), "seed": seed} for side in self.rng.sample(self.facts.draw(), 2))
        return row


class Swapped:
    """Draws a sentence that is made by rule, and next the same with its two parts exchanged."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.made = rng, None

    def draw(self) -> dict:
        """What `bound` needs for one side of a pair, and the language."""
        made, swapped = (self.made, True) if self.made else (pair(self.rng), False)
        self.made = None if swapped else made
        return {"lang": "en", "made": made, "swapped": swapped}


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
        """A row: first its label by weight, then the next of its rows."""
        return self.rng.choices(self.piles, cum_weights=self.weights)[0].draw()


@dataclass(frozen=True)
class Source:
    """A part of the rows. ask: a row, and whether it will stand among other text, to a text and its questions.
    whole: the text is a state of its own and shown as it is. local: its questions may be put in the language of the text."""
    draw: Callable[[], dict]
    ask: Callable[[dict, bool], tuple[str, list[Question]]]
    whole: bool = False
    local: bool = True


class Mixture:
    """shares: part of the rows from written states, facts told both ways, sentences with two parts exchanged, templates, moderated texts, ordinary texts with moderation categories, and small sets; the labelled sets get the rest,
    each in proportion to its size to the given power, times its boost. `long` is the part of all rows that stand among other text,
    `english` the part of English rows that is kept when they are drawn. balance: how far the labels of a set are drawn alike, 0 to 1.
    echo: draws the part `echo` of all rows, a text with its questions each, and what a teacher is asked to answer them. untold: how the names of
    small sets begin of which no teacher is asked, because it answers them worse than their labels do."""

    def __init__(self, corpus: Corpus, pack: Packer, labelled: Labelled, shares: dict[str, float], power: float, boost: dict[str, float],
                 seed: int, balance: float = 0, echo: Callable[[], tuple[Asked, Asked]] | None = None, untold: tuple[str, ...] = ()) -> None:
        self.rng, self.pack, self.labelled, self.shares, self.echo = Random(seed), pack, labelled, shares, echo
        self.moderation = Moderation(corpus.sets)
        self.by = {name: Balanced(rows, self.labelled.answered(name), balance, self.rng) for name, rows in sorted(corpus.train.items())}
        self.names = list(self.by)
        self.boosted = [len(self.by[n].items) ** power * boost.get(n, 1) for n in self.names]
        self.documents, self.phrases = corpus.documents, Phrases(corpus.asked)
        self.foreign = sorted({n for r in corpus.written["train"] for q in r["questions"] if q["type"] == "choice" for n in q["options"] if len(n) < 40})
        everyday = [self.by[name] for name in ORDINARY if name in self.by]
        small = [{"lang": task["lang"], "task": task, "row": row, "untold": task["set"].startswith(untold)} for task in corpus.small["train"] for row in task["rows"]]
        parts = {
            "written": Source(Shuffled(corpus.written["train"], self.rng).draw, self.from_state, whole=True),
            "contrasts": corpus.contrasts["train"] and Source(Both(corpus.contrasts["train"], self.rng).draw, lambda row, long: state(row, Random(row["seed"]), 8 if long else 4, self.foreign), whole=True),
            "bindings": shares.get("bindings") and Source(Swapped(self.rng).draw, lambda row, _: bound(row["made"], row["swapped"]), local=False),
            "templates": corpus.templates["train"] and Source(Shuffled(corpus.templates["train"], self.rng).draw, lambda row, _: from_template(row, self.rng), local=False),
            "moderated": corpus.moderated and Source(Shuffled(corpus.moderated, self.rng).draw, self.from_moderated),
            "ordinary": everyday and Source(lambda: ordinary(self.rng.choice(everyday).draw()), self.from_moderated),
            "small": small and Source(Shuffled(small, self.rng).draw, self.from_small),
        }
        self.sources = [source for source in parts.values() if source] + [Source(self.of_sets, self.from_labelled)]
        given = [shares.get(name, 0) for name, source in parts.items() if source]
        self.weights = given + [1 - sum(given)]

    def row(self) -> Packed | None:
        """The next row, tagged with the numbers of its questions; for a teacher, echoes and English rows that it is told of say what they were made of. None where an English
        row is not kept, has no questions, or none of them fits."""
        rng, s = self.rng, self.shares
        if self.echo and rng.random() < s["echo"]:
            (text, questions), of = self.echo()
            packed = self.pack(text, questions, [str(i) for i in range(len(questions))])
            if packed: packed.of = of
            return packed
        long = bool(self.documents) and rng.random() < s["long"]
        source = rng.choices(self.sources, self.weights)[0]
        row = source.draw()
        lang = row["lang"]
        if lang == "en" and rng.random() >= s.get("english", 1): return None
        text, questions = source.ask(row, long)
        if not questions: return None
        if lang != "en" and source.local and rng.random() < LOCAL: questions = [self.phrases.local(q, lang) for q in questions]
        if long: text, questions = among(text[:4000], questions, self.documents, rng, plain=source.whole and rng.random() < .7)
        elif not source.whole: text, questions = wrapped(text, questions, rng)
        packed = self.pack(text or " ", questions, [str(i) for i in range(len(questions))], most=WHOLE if long or source.whole else None)
        if packed and lang == "en" and not row.get("untold"): packed.of = text or " ", questions
        return packed

    def of_sets(self) -> dict:
        """A row of a labelled set."""
        return self.by[self.rng.choices(self.names, self.boosted)[0]].draw()

    def from_state(self, row: dict, long: bool) -> tuple[str, list[Question]]:
        """A written state and some of its questions, more of them where it stands among other text."""
        return state(row, self.rng, 8 if long else 4, self.foreign)      # a long text costs more than its questions

    def from_moderated(self, row: dict, long: bool) -> tuple[str, list[Question]]:
        """A text with known categories, and questions about them."""
        return of_written(row, self.rng)

    def from_small(self, of: dict, long: bool) -> tuple[str, list[Question]]:
        """A row of a small set, mostly (READY) asked as a template where it is labelled with one, else in the wordings of its set."""
        task, row = of["task"], of["row"]
        labelled = of_set(task, row) if self.rng.random() < READY else None
        return from_template(labelled, self.rng) if labelled else from_set(task, row, self.rng)

    def from_labelled(self, row: dict, long: bool) -> tuple[str, list[Question]]:
        """A row of a labelled set with its questions and, half the time, with the moderation categories that its set informs."""
        asked = self.labelled.questions(row, self.rng)
        return row["text"] or " ", asked + (self.moderation.questions(row, self.rng) if self.rng.random() < .5 else [])

    def rows(self) -> Iterator[Packed]:
        """Packed rows without end."""
        while True:
            row = self.row()
            if row: yield row

    def __getstate__(self): raise TypeError("a mixture is rebuilt from its seed")
