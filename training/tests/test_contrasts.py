"""Facts that are told both ways."""
import json
from pathlib import Path
from random import Random

from corpus import FACTS_DEV, contrasts, own_dev
from mixture import Both
from render.written import state

FACTS = [json.loads(line) for file in sorted((Path(__file__).parents[1] / "written").glob("contrasts-*.jsonl")) for line in file.open(encoding="utf8")]
FACT = {"lang": "en", "holds": ["Ivo paid Lena.", "Lena was paid by Ivo."], "fails": ["Lena paid Ivo."], "yes": ["Did Ivo pay?"], "no": ["Did Lena pay?"],
        "choices": [{"q": "Who paid?", "options": ["Ivo", "Lena", "nobody"], "holds": "Ivo", "fails": "Lena"}]}


def test_every_text_gets_every_question_with_the_answer_of_its_side():
    holds, fails = contrasts(FACT)
    answers = lambda side: [(row["state"], [q["a"] for q in row["questions"]]) for row in side]
    assert answers(holds) == [("Ivo paid Lena.", [True, False, "Ivo"]), ("Lena was paid by Ivo.", [True, False, "Ivo"])]
    assert answers(fails) == [("Lena paid Ivo.", [False, True, "Lena"])]


def test_both_sides_are_drawn_in_turn_and_asked_the_same():
    draw = Both([contrasts({**FACT, "choices": []})], Random(5)).draw
    for _ in range(20):
        one, other = draw(), draw()
        assert {one["state"] in FACT["holds"], other["state"] in FACT["holds"]} == {True, False}
        asked = [[q.wording for q in state(row, Random(row["seed"]), 4)[1]] for row in (one, other)]
        assert asked[0] == asked[1]


def test_a_choice_has_another_answer_on_either_side():
    for fact in FACTS:
        for c in fact.get("choices", []): assert c["holds"] != c["fails"] and {c["holds"], c["fails"]} <= set(c["options"])


def test_no_text_and_no_question_stands_on_both_sides():
    assert len(FACTS) > 900
    for fact in FACTS:
        assert not set(fact["holds"]) & set(fact["fails"]) and not set(fact["yes"]) & set(fact["no"])
        assert fact["holds"] and fact["fails"] and min(len(fact["yes"]), len(fact["no"])) >= 2


def test_a_part_of_the_facts_is_kept_whole_for_development():
    kept = sum(own_dev(fact["yes"][0], FACTS_DEV) for fact in FACTS)
    assert .1 < kept / len(FACTS) < .22
