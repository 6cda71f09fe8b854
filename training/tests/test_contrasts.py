"""Facts that are told both ways."""
import json
from pathlib import Path

from corpus import FACTS_DEV, contrasts, own_dev

FACTS = [json.loads(line) for file in sorted((Path(__file__).parents[1] / "written").glob("contrasts-*.jsonl")) for line in file.open(encoding="utf8")]


def test_every_text_gets_every_question_with_the_answer_of_its_side():
    fact = {"lang": "en", "holds": ["I can log in.", "Logging in works."], "fails": ["I can't log in."], "yes": ["Can the user log in?"], "no": ["Is the user unable to log in?"]}
    rows = list(contrasts(fact))
    assert [(row["state"], [q["a"] for q in row["questions"]]) for row in rows] == [("I can log in.", [True, False]), ("Logging in works.", [True, False]), ("I can't log in.", [False, True])]


def test_a_choice_has_another_answer_on_either_side():
    fact = {"lang": "en", "holds": ["Ivo paid Lena."], "fails": ["Lena paid Ivo."], "yes": [], "no": [], "choices": [{"q": "Who paid?", "options": ["Ivo", "Lena", "nobody"], "holds": "Ivo", "fails": "Lena"}]}
    assert [[(q["type"], q["options"], q["a"]) for q in row["questions"]] for row in contrasts(fact)] == [[("choice", ["Ivo", "Lena", "nobody"], "Ivo")], [("choice", ["Ivo", "Lena", "nobody"], "Lena")]]
    for fact in FACTS:
        for c in fact.get("choices", []): assert c["holds"] != c["fails"] and {c["holds"], c["fails"]} <= set(c["options"])


def test_no_text_and_no_question_stands_on_both_sides():
    assert len(FACTS) > 900
    for fact in FACTS:
        assert not set(fact["holds"]) & set(fact["fails"]) and not set(fact["yes"]) & set(fact["no"])
        assert min(len(fact[key]) for key in ("holds", "fails", "yes", "no")) >= 2


def test_a_part_of_the_facts_is_kept_whole_for_development():
    kept = sum(own_dev(fact["yes"][0], FACTS_DEV) for fact in FACTS)
    assert .1 < kept / len(FACTS) < .22
