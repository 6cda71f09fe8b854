"""Rendered questions mean what their answers say."""
from pathlib import Path
from random import Random

import numpy as np

from render.derived import applies
from render.labelled import Labelled
from render.options import NONE_OF_THESE, build, nearest
from render.question import Option, choice, spread
from render.spelling import words
from render.templates import TEMPLATES, from_template, of_set, served
from render.written import from_set

EMOTIONS = {"joy": "is glad", "anger": "is angry", "fear": "is afraid", "trust": "trusts somebody"}
SETS = [{"id": "emotions", "family": "c-sentiment", "tasks": [{"type": "choice", "field": "label", "questions": ["Which emotion?"], "labels": EMOTIONS},
                                                              {"type": "yes_no", "field": "label", "questions": ["Does the writer feel {label}?", "True: the writer {desc}?"]}]},
        {"id": "entailment", "family": "a-nli", "tasks": [{"type": "choice", "field": "label", "questions": ["What of \"{text_b}\"?"], "labels": {"entailment": "follows", "neutral": "may be", "contradiction": "cannot be"}}]},
        {"id": "alone", "family": "c-sentiment", "tasks": [{"type": "yes_no", "field": "label", "questions": ["Is it {label}?"], "labels": {"joy": "is glad"}}]}]


def test_of_questions_about_a_label_half_are_about_one_that_does_not_hold():
    labelled, rng = Labelled(SETS), Random(1)
    row = {"set": "emotions", "lang": "en", "text": "Hurrah!", "label": "joy"}
    asked = [labelled.yes_no(SETS[0]["tasks"][1], row, rng) for _ in range(200)]
    assert 70 < sum(q.target[0] > .5 for q in asked) < 130
    assert all((q.target[0] > .5) == ("joy" in q.wording or "is glad" in q.wording) for q in asked)
    assert any("is angry" in q.wording for q in asked)
    assert labelled.yes_no(SETS[2]["tasks"][0], {**row, "set": "alone"}, rng) is None


def test_a_hypothesis_is_never_lost():
    labelled, rng = Labelled(SETS), Random(2)
    row = {"set": "entailment", "lang": "en", "text": "A man eats soup.", "text_b": "A man eats.", "label": "entailment"}
    assert all("A man eats." in q.wording for _ in range(300) for q in labelled.questions(row, rng))


def test_an_option_that_says_nothing_alone_is_asked_about_with_its_question():
    rng = Random(3)
    made = choice("Who pays?", [Option("A", "the buyer"), Option("B", "the seller")], np.array([.97, .03]), rng)
    for _ in range(100):
        asked = applies(made, rng, bound=True).wording
        assert "Who pays?" in asked and ("the buyer" in asked or "the seller" in asked)


def test_none_of_these_is_not_right_beside_an_option_that_some_hold_to_be_right():
    rng, seen = Random(4), 0
    for _ in range(3000):
        made = build("Which?", "a", ["a", "b", "c", "d", "e"], {}, {"a": .6, "b": .3, "c": .1 / 3, "d": .1 / 3, "e": .1 / 3}, [], rng)
        names = [o.name.lower() for o in made.options]
        if "a" in names: continue
        seen += 1
        assert "b" not in names and names[int(np.argmax(made.target))] in NONE_OF_THESE
    assert seen > 30


def test_the_labels_that_are_most_like_the_right_one_stand_beside_it():
    rng = Random(6)
    labels = {"card_arrival": "when the card comes", "card_lost": "the card is gone", "top_up_failed": "money could not be added", "fees": "what it costs", "weather": "rain or sun", "joke": "something to laugh about"}
    assert {nearest("card_lost", [n for n in labels if n != "card_lost"], labels, rng)[0] for _ in range(50)} == {"card_arrival"}
    shown = [{words(o.name).replace("-", " ").lower() for o in build("Which?", "card_lost", [*labels, *"abcdefghijklmnopqrst"], {}, None, [], rng).options} for _ in range(2000)]
    count = lambda name: sum(name in names for names in shown)
    assert count("card arrival") > 1.2 * count("weather")


def test_what_a_text_is_most_easily_taken_for_is_mostly_on_offer():
    rng, task = Random(7), {"lang": "en", "kind": "choice", "questions": ["Which?"], "labels": dict.fromkeys([f"label {x}" for x in "abcdefghijklmnopqrst"], "")}
    shown = [{o.name.lower() for o in q.options} for _ in range(300) for q in from_set(task, ["A text.", "label a", {"near": "label q"}], rng)[1] if q.kind == "choice" and len(q.options) < 20]
    count = lambda name: sum(any(n.endswith(name) for n in names) for names in shown)
    assert count("q") > .6 * len(shown) > .5 * len(shown) > count("r")


def test_a_runner_up_never_passes_the_right_option():
    for sure in (.35, .4, .5, .7, .97):
        for n in (2, 3, 7):
            p = spread(n, 1, sure, 0)
            assert abs(p.sum() - 1) < 1e-9 and (p.argmax() == 1 or n == 2)
    np.testing.assert_allclose(spread(3, 0, .7, 1), (.7, .225, .075))


def test_templates_are_trained_on_in_the_words_of_the_service():
    service = (Path(__file__).parents[2] / "src" / "decisions" / "Templates.ts").read_text(encoding="utf8")
    for _, (wording, *_), options in TEMPLATES.values():
        assert f'"{wording}"' in service
        for name, description in options.items():
            assert f'{name}: "{description}"' in service


def test_a_row_with_the_labels_of_a_template_is_asked_as_the_template():
    rng = Random(5)
    task = {"set": "template-priority-x", "kind": "score", "labels": {k: "…" for k in TEMPLATES["priority"][2]}, "questions": ["How soon?"]}
    row = of_set(task, ["It burns!", "urgent"])
    assert row == {"text": "It burns!", "t": {"priority": 3}}
    assert {q.wording for _ in range(60) for q in from_template(row, rng)[1]} == set(TEMPLATES["priority"][1])
    assert of_set({**task, "set": "pressing"}, ["It burns!", "urgent"]) is None
    assert of_set(task, ["It burns?", "urgent", {"c": .7}]) is None
    assert of_set(task, ["Es brennt!", "urgent", {"lang": "de"}]) is not None
    asked = served("moderation", "hate", None, rng)
    assert asked.wording == TEMPLATES["moderation"][1][0] and [o.name for o, p in zip(asked.options, asked.target) if p > .9] == ["hate"]
    assert all(o.description == TEMPLATES["moderation"][2][o.name] for o in asked.options)
