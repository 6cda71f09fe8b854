"""Rows of the labelled sets as typed questions. sets.json says which tasks a set serves."""
import json
from random import Random

import numpy as np

from . import options
from .derived import applies
from .negation import negated, statement
from .question import Question, noul, score

Row = dict


class Labelled:
    """sets: sets.json's list. Renders rows; keeps the names of all labels as foreign distractors."""

    def __init__(self, sets: list[dict], exclude: frozenset[str] = frozenset()) -> None:
        self.sets = {s["id"]: s for s in sets}
        self.aliens = sorted({name.replace("_", " ").lower() for s in sets if s["id"] not in exclude and s["family"][0] in "bcd"
                              for t in s["tasks"] for name in (t.get("labels") or {}) if 2 < len(name) < 30 and ":" not in name})

    def questions(self, row: Row, rng: Random, most: int = 3) -> list[Question]:
        """Of at most so many tasks of the row's set, those that it can be asked, with their relatives (see varied)."""
        tasks = list(self.sets[row["set"]]["tasks"])
        rng.shuffle(tasks)
        out: list[Question] = []
        for task in tasks[:most]:
            made = {"choice": self.choice, "yes_no": self.yes_no, "score": self.score}.get(task["type"], lambda *_: None)(task, row, rng)
            if made: out += varied(made, rng, bool(row.get("text_b") or row.get("target") or row.get("options")))
        return out

    def answered(self, name: str) -> str:
        """The field of a set that holds the answer of its first choice, or of its first task."""
        tasks = self.sets[name]["tasks"]
        return next((t for t in tasks if t["type"] == "choice"), tasks[0])["field"]

    def fill(self, wording: str, row: Row, label: str | None = None, description: str | None = None) -> str:
        """A wording with the slots {text_b}, {target}, {rules}, {label} and {desc} filled."""
        target = row.get("target")
        target = target if isinstance(target, str) else json.dumps(target, ensure_ascii=False) if target else ""
        known = self.sets[row["set"]].get("targets") or {}
        about = known.get(target) if isinstance(known, dict) else None
        rules = about if isinstance(about, str) else json.dumps(about, ensure_ascii=False) if about else target
        plain = (label or "").replace("_", " ")
        for slot, value in (("{text_b}", str(row.get("text_b") or "")), ("{target}", target), ("{rules}", rules), ("{label}", plain), ("{desc}", description or (rules if label is None else plain))):
            wording = wording.replace(slot, value)
        return wording

    def wording(self, task: dict, row: Row, rng: Random) -> str:
        """One of a task's wordings, its slots still empty: now and then in the language of the row, else for its target, where there are such."""
        local = (task.get("questions_by_lang") or {}).get(row.get("lang"))
        if isinstance(local, dict): local = local.get(row.get("target"))
        if isinstance(local, str): local = [local]
        if local and rng.random() < .4: return rng.choice(local)
        return rng.choice(self.wordings(task, row))

    def wordings(self, task: dict, row: Row) -> list[str]:
        """All of a task's wordings in English, their slots still empty: those for the target of the row, where there are such."""
        return (task.get("questions_by_target") or {}).get(row.get("target")) or task["questions"]

    def asked(self, task: dict, row: Row, golds: list[str]) -> dict[str, str | None]:
        """Labels that a yes/no question may be about: the task's own, or those of the choice that reads the same field."""
        choices = [t.get("labels") or {} for t in self.sets[row["set"]]["tasks"] if t["type"] == "choice" and t["field"] == task["field"]]
        named = task.get("labels") or next((names for names in choices if names.keys() >= set(golds)), None) or next(iter(choices), {})
        if row.get("options"): return {name: named.get(name) for name in row["options"]}
        fields = {g.split(":")[0] for g in golds if ":" in g}
        return {name: text for name, text in named.items() if not fields or name.split(":")[0] in fields}

    def choice(self, task: dict, row: Row, rng: Random) -> Question | None:
        """A task as a choice; None where the row has not exactly one answer, or there is nothing to choose from."""
        gold = row.get(task["field"])
        gold = gold if isinstance(gold, list) else [gold]
        if len(gold) != 1 or gold[0] is None: return None
        right, descriptions = gold[0], task.get("labels") or {}
        pool = row.get("options") or [n for n in descriptions if ":" not in right or n.split(":")[0] == right.split(":")[0] or rng.random() < .3]
        if not isinstance(right, str): return None
        pool = list(pool) if right in pool else [*pool, right]
        if len(pool) < 2: return None
        if set(pool) == {"yes", "no"} and len(descriptions) == 2:           # bare yes and no say nothing here
            right, pool, descriptions = descriptions[right].split(":")[0], [d.split(":")[0] for d in descriptions.values()], {}
        fixed = bool(row.get("options")) and task.get("per_row_options") and row["set"] != "sgd_intents"
        wording = self.fill(self.wording(task, row, rng), row)
        return options.build(wording, right, pool, descriptions, row.get("votes"), self.aliens, rng, bool(fixed), bool(row.get("text_b") or row.get("target")))

    def yes_no(self, task: dict, row: Row, rng: Random) -> Question | None:
        """A task as a yes/no question; None where the row has no answer, nothing says which answers mean yes, or no label is wrong."""
        gold = row.get(task["field"])
        if gold is None: return None
        golds, descriptions, votes = gold if isinstance(gold, list) else [gold], task.get("labels") or {}, row.get("votes")
        at, local = rng.randrange(len(task["questions"])), None
        wording, described = task["questions"][at], (None, None)
        if "yes_by_question" in task: yes = any(g in task["yes_by_question"][at] for g in golds)
        elif "{label}" in wording or "{desc}" in wording and row["set"] not in ("subreddit_rules", "anthropic_persona"):
            descriptions = self.asked(task, row, golds)
            others = [x for x in descriptions if x not in golds]
            if not others: return None                                      # it would always be true
            if golds and rng.random() < .5: label, p = rng.choice(golds), .96
            else: label, p = rng.choice(others), .04
            return noul(self.fill(wording, row, label, descriptions.get(label)), p)
        elif "yes_labels" in task: yes = bool(golds) and golds[0] in task["yes_labels"]
        elif set(descriptions) >= {"yes", "no"}:
            yes = golds[0] == "yes"
            local = (task.get("questions_by_lang") or {}).get(row.get("lang"))
            if rng.random() < .25: described = (descriptions["yes"], descriptions["no"])
        else: return None
        if isinstance(local, list) and local and rng.random() < .4: wording = rng.choice(local)
        p = votes["yes"] / (votes["yes"] + votes["no"]) if votes and set(votes) >= {"yes", "no"} and votes["yes"] + votes["no"] > 0 else .96 if yes else .04
        return noul(self.fill(wording, row), p, described)

    def score(self, task: dict, row: Row, rng: Random) -> Question | None:
        """A task as a score: a value between two levels is shared by both, and those beside get a little. None where the task has no range or the row no value."""
        levels, value = task.get("levels"), row.get("score")
        if not levels or "min" not in levels: return None
        by_label = task.get("score_from_label")
        if by_label and isinstance(row.get("label"), str): value = by_label.get(row["label"])
        if value is None: return None
        names = rng.choice(levels["wordings"])
        n = len(names)
        x = min(max((float(value) - levels["min"]) / (levels["max"] - levels["min"]) * (n - 1), 0), n - 1)
        p, low = np.zeros(n), int(x)
        p[low] += 1 - (x - low)
        p[min(low + 1, n - 1)] += x - low
        if n > 2: p = .9 * p + .1 * np.convolve(p, [.5, 0, .5], "same")
        return score(self.fill(self.wording(task, row, rng), row), list(names), p)


def varied(question: Question, rng: Random, bound: bool = False) -> list[Question]:
    """The question, or with some chance a relative of it beside or instead of it: negated, stated, derived.
    bound: the options of a choice say nothing without its wording."""
    u = rng.random()
    if question.kind == "noul":
        opposite = negated(question, rng)
        if opposite and u < .15: return [opposite]
        if opposite and u < .40: return [question, opposite]
        stated = statement(question.wording)
        return [question.reworded(stated)] if stated and u < .55 else [question]
    if question.kind == "choice":
        derived = applies(question, rng, bound)
        if not derived or u >= .35: return [question]
        opposite = negated(derived, rng) if u < .1 else None
        return [question, opposite or derived] if u < .25 else [opposite or derived]
    return [question]
