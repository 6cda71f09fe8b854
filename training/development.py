"""Development rows, rendered once and for all: held-out sets with all their labels, and the dev parts of what is trained on."""
from collections.abc import Iterator
from itertools import repeat
from random import Random

import numpy as np

from branches.batch import Packed, Packer
from corpus import Corpus
from render.labelled import Labelled
from render.negation import opposites
from render.question import Option, Question, choice, noul
from render.spelling import spell
from render.templates import from_template
from render.written import from_set, state


def choices(task: dict, row: dict, wordings: Iterator[str], rng: Random) -> Iterator[tuple[str, Question]]:
    """A choice of a held-out row with every label of its set on offer, bare and described, each in the next wording; none where the row has not exactly one answer."""
    gold = row.get(task["field"])
    gold = gold[0] if isinstance(gold, list) and len(gold) == 1 else gold
    described = task.get("labels") or {}
    names = row.get("options") or list(described)
    if not isinstance(gold, str) or len(names) < 2 or gold not in names: return
    p = np.array([float(n == gold) for n in names])
    yield "choice", choice(next(wordings), [Option(spell(n, "plain")) for n in names], p, rng)
    if described.get(gold) and len(names) <= 64: yield "choice described", choice(next(wordings), [Option(spell(n, "plain"), described.get(n)) for n in names], p, rng)


def whole(labelled: Labelled, row: dict, rng: Random) -> list[tuple[str, Question]]:
    """A held-out row with every label of its set on offer, bare and described; yes/no and score as they come."""
    out = []
    for task in labelled.sets[row["set"]]["tasks"]:
        if task["type"] == "choice": out += choices(task, row, iter(lambda: labelled.fill(labelled.wording(task, row, rng), row), None), rng)
        elif task["type"] == "yes_no":
            made = labelled.yes_no(task, row, rng)
            if made:
                out.append(("yes/no", made))
                opposite = opposites(made.wording)
                if opposite and rng.random() < .5: out.append(("negated", noul(opposite[0], made.target[1])))
        elif task["type"] == "score":
            made = labelled.score(task, row, rng)
            if made: out.append(("score", made))
    return out


def held_out(corpus: Corpus, pack: Packer, per_set: int) -> list[Packed]:
    """At most so many rows of each held-out set, tagged with the set and the kind of question; the same ones in every run."""
    rng, labelled, out = Random(11), Labelled(corpus.sets), []
    for name, rows in sorted(corpus.held.items()):
        for row in rng.sample(rows, min(per_set, len(rows))):
            asked = whole(labelled, row, rng)
            packed = pack(row["text"] or " ", [q for _, q in asked], [f"{name} {tag}" for tag, _ in asked])
            if packed: out.append(packed)
    return out


def worded(labelled: Labelled, row: dict, rng: Random) -> list[tuple[str, Question]]:
    """The choices of a held-out row, each in every wording of its set: a single one moves a set's figure by two points."""
    filled = lambda task: [labelled.fill(wording, row) for wording in labelled.wordings(task, row)]
    return [made for task in labelled.sets[row["set"]]["tasks"] if task["type"] == "choice" for wording in filled(task) for made in choices(task, row, repeat(wording), rng)]


def held_in_questions(corpus: Corpus, per_set: int) -> Iterator[tuple[str, list[Question], list[str]]]:
    """Dev parts, tagged with family, kind of language and kind of question."""
    rng, labelled = Random(12), Labelled(corpus.sets)

    def sources() -> Iterator[tuple[str, list[Question], str, str]]:
        for row in corpus.written["dev"]: yield *state(row, rng, 6), "written", row["lang"]
        for row in corpus.templates["dev"]: yield *from_template(row, rng, 8), "templates", row["lang"]
        for task in corpus.small["dev"]:
            for row in rng.sample(task["rows"], min(len(task["rows"]), max(6, per_set // 3))): yield *from_set(task, row, rng), "own sets", task["lang"]
        for name, rows in sorted(corpus.dev.items()):
            family = labelled.sets[name]["family"]
            for row in rng.sample(rows, min(per_set, len(rows))): yield row["text"], labelled.questions(row, rng), family, row["lang"]
        # Few: temperatures are fitted on these rows, and nobody's questions are all as hard.
        told = [row for fact in corpus.contrasts["dev"] for side in fact for row in side]
        for row in rng.sample(told, min(2 * per_set, len(told))): yield *state(row, rng, 8), "contrasts", row["lang"]

    for text, questions, name, lang in sources():
        where = "" if lang == "en" else " other"
        if questions: yield text or " ", questions, [f"{name}{where} {q.kind}" for q in questions]


def held_in(corpus: Corpus, pack: Packer, per_set: int) -> list[Packed]:
    """What `held_in_questions` has, packed, but for texts of which no question fits."""
    return [row for row in (pack(*asked) for asked in held_in_questions(corpus, per_set)) if row]
