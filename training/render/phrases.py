"""Wordings and options that exist in many languages."""
from dataclasses import replace

from holdout import normal

from .question import Option, Question
from .spelling import words


def phrases(asked: list[dict]) -> list[dict[str, str]]:
    """The wordings, options and levels of questions in many languages, each by language and once."""
    out: dict[str, dict[str, str]] = {}
    for question in asked:
        flat = {lang: [wording, *(names[0] if names else [])] for lang, (wording, *names) in question["in"].items()}
        for i, english in enumerate(flat["en"]): out.setdefault(normal(english), {lang: said[i] for lang, said in flat.items()})
    return list(out.values())


class Phrases:
    """Puts into another language what is known in it."""

    def __init__(self, asked: list[dict]) -> None:
        self.by = {normal(phrase["en"]): phrase for phrase in phrases(asked)}

    def local(self, question: Question, lang: str) -> Question:
        """Its options where all of them are known, its wording where that is known, as they are where not."""
        said = [None if option.description else self.by.get(normal(words(option.name)), {}).get(lang) for option in question.options]
        if question.kind != "noul" and None not in said and len(set(said)) == len(said):
            question = replace(question, options=tuple(Option(name) for name in said))
        return question.reworded(self.by.get(normal(question.wording), {}).get(lang, question.wording))
