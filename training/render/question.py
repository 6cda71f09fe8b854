"""A typed question with its answer, as the model is trained on it."""
from dataclasses import dataclass, replace
from random import Random

import numpy as np

YES, NO = "yes", "no"


@dataclass(frozen=True)
class Option:
    """What can be answered: a name, alone or with what it stands for."""
    name: str
    description: str | None = None

    @property
    def text(self) -> str:
        """As the model reads it."""
        return f"{self.name}: {self.description}" if self.description else self.name


@dataclass(frozen=True)
class Question:
    """kind: choice | noul | score. target: a probability per option; levels lowest first, a noul's options are yes, no."""
    kind: str
    wording: str
    options: tuple[Option, ...]
    target: tuple[float, ...]

    def reworded(self, wording: str) -> "Question":
        """The same question in other words."""
        return replace(self, wording=wording)


def choice(wording: str, options: list[Option], target: np.ndarray, rng: Random) -> Question:
    """A choice with its options in random order."""
    order = list(range(len(options)))
    rng.shuffle(order)
    target = np.asarray(target, float)
    return Question("choice", wording, tuple(options[i] for i in order), tuple(target[order] / target.sum()))


def noul(wording: str, yes: float, descriptions: tuple[str | None, str | None] = (None, None)) -> Question:
    """yes: probability of yes."""
    return Question("noul", wording, (Option(YES, descriptions[0]), Option(NO, descriptions[1])), (yes, 1 - yes))


def score(wording: str, levels: list[str], target: np.ndarray) -> Question:
    """levels: lowest first; target: a weight for each, brought to a sum of one."""
    target = np.asarray(target, float)
    return Question("score", wording, tuple(Option(x) for x in levels), tuple(target / target.sum()))


def spread(names: int, right: int, sure: float, second: int | None = None) -> np.ndarray:
    """sure on the right option, three quarters of the rest on the runner-up, but less than on the right one, what is left on the others."""
    p, rest = np.zeros(names), 1 - sure
    p[right] = sure
    if second is not None and names > 2:
        p[second] = min(rest * .75, sure * .9)
        rest -= p[second]
    others = [i for i in range(names) if i not in (right, second)] or [i for i in range(names) if i != right]
    for i in others:
        p[i] += rest / len(others)
    return p / p.sum()
