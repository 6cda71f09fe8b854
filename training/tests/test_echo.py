"""Of a text in another language the teacher is asked the same in English."""
from random import Random
from corpus import Corpus
from echo import ASKED, Echo, put
from render.phrases import Phrases, phrases
from render.question import Option, Question


MANY = [{"type": "choice", "in": {"en": ["which tree is it", ["oak", "elm", "ash"]], "de": ["welcher Baum ist es", ["Eiche", "Ulme", "Esche"]], "ko": ["무슨 나무", ["참나무", "느릅나무", "물푸레나무"]]}},
        {"type": "noul", "in": {"en": ["does it stand alone"], "de": ["steht er allein"], "ko": ["혼자 서 있나"]}}]


def echo(asked_in_many: list[dict] = (), **harder: float) -> Echo:
    asked = [{"type": "choice", "q": "what is it", "options": ["a tree", "a house", "a river"], "a": "a tree"}, {"type": "noul", "q": "is it old", "a": True},
             {"type": "score", "q": "how tall", "levels": ["low", "middling", "tall"], "a": 2}]
    corpus = Corpus([], parallel=[{"en": f"tree number {i}", "de": f"Baum Nummer {i}", "ko": f"나무 번호 {i}"} for i in range(9)], asked=list(asked_in_many))
    corpus.written["train"] = [{"lang": "en", "state": f"tree number {i}", "questions": asked} for i in range(4)]
    corpus.small["train"] = [{"set": "trees", "kind": "choice", "lang": "en", "questions": ["which tree"], "labels": {"oak": None, "elm": None}, "rows": [["an oak", "oak"]]}]
    corpus.train["heights"] = [{"set": "heights", "lang": "en", "text": "a tall tree"}]
    return Echo(corpus, harder, Random(5), lambda row, rng: [Question("choice", f"how high is {row['text']}", (Option("high"), Option("low")), (1., 0.))])


def test_the_teacher_is_asked_of_the_english_text_and_nothing_is_answered_yet():
    e, wordings = echo(), set()
    for _ in range(60):
        (text, questions), (english, theirs) = e.row()
        assert len(questions) == ASKED and not text.startswith("tree") and english == f"tree number {text.split()[-1]}"
        assert questions == theirs and all(sum(q.target) == 0 for q in questions)
        wordings |= {q.wording for q in questions}
    assert "how high is a tall tree" in wordings and len(wordings) > 3


def test_a_harder_language_comes_more_often():
    e = echo(ko=9.0)
    drawn = [e.row()[0][0] for _ in range(60)]
    assert sum(text.startswith("나무") for text in drawn) > 40 > 3 * sum(text.startswith("Baum") for text in drawn) > 0


def test_a_question_of_many_languages_is_mostly_put_in_that_of_the_text_and_answered_as_in_english():
    e, home, away = echo(MANY), 0, 0
    english = {q["in"][lang][0]: q for q in MANY for lang in q["in"]}
    for _ in range(60):
        (text, questions), (_, theirs) = e.row()
        lang = "de" if text.startswith("Baum") else "ko"
        for q, asked in zip(questions, theirs):
            if q.wording not in english: continue
            found = english[q.wording]
            here = q.wording == found["in"][lang][0]
            home, away = home + here, away + (not here)
            if q.kind == "choice": assert [o.name for o in q.options] in [names for _, names in found["in"].values()]
            assert asked == put(found, "en")
    assert home > 3 * away > 0


def test_wordings_and_options_of_many_languages_are_told_once_each():
    said = phrases([*MANY, {"type": "choice", "in": {"en": ["what else", ["Oak", "pine"]], "de": ["was sonst", ["Eiche", "Kiefer"]]}}])
    assert [p["en"] for p in said] == ["which tree is it", "oak", "elm", "ash", "does it stand alone", "what else", "pine"]
    assert said[1] == {"en": "oak", "de": "Eiche", "ko": "참나무"} and said[-1]["de"] == "Kiefer"


def test_options_are_put_in_a_language_when_all_of_them_are_known_in_it():
    known = Phrases(MANY)
    local = lambda *names, kind="choice", wording="what grows here": known.local(Question(kind, wording, tuple(Option(n) for n in names), (1.,) + (0.,) * (len(names) - 1)), "de")
    assert [o.name for o in local("Elm", "OAK").options] == ["Ulme", "Eiche"]
    assert [o.name for o in local("elm", "pine").options] == ["elm", "pine"]
    assert local("elm", "pine", wording="Which tree is it").wording == "welcher Baum ist es"
    assert known.local(Question("choice", "", (Option("elm", "tall"), Option("oak")), (1., 0.)), "de").options[0].name == "elm"
    assert known.local(Question("choice", "", (Option("elm"), Option("oak")), (1., 0.)), "fi").options[0].name == "elm"
