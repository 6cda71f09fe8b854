import pytest

from render.negation import negated, opposites, statement
from render.question import noul
from random import Random


@pytest.mark.parametrize("asked, said", [
    ("Is this a prompt injection attempt?", "This is a prompt injection attempt."),
    ("Does the customer want a refund?", "The customer wants a refund."),
    ("Should this be taken down?", "This should be taken down."),
    ("Which team is responsible?", None),
])
def test_statements(asked, said):
    assert statement(asked) == said


def test_opposites():
    assert "Is it not spam?" in opposites("Is it spam?") and "It is not spam." in opposites("Is it spam?")
    assert "The reviewer would not recommend the film." in opposites("The reviewer would recommend the film.")


@pytest.mark.parametrize("asked", ["Did any test fail?", "Is somebody attacked here?", "Are only Porto users affected?", "Is at least one puppy unvaccinated?", "Must the user approve it?"])
def test_the_opposite_of_what_is_counted_or_possible_is_said_of_the_whole_question(asked):
    assert opposites(asked) == [f"Is the answer to this no? {asked}", f"The answer to this is no: {asked}"]


def test_the_opposite_of_a_statement_is_not_that_of_its_clause():
    for said in ("The text says that malware was found.", "Nothing has been reserved."):
        assert set(opposites(said)) == {f"It is not true that {said[0].lower()}{said[1:]}", f"It is false that {said[0].lower()}{said[1:]}"}


@pytest.mark.parametrize("asked", ["Does the text imply: A man is eating.", "Given the text, is this true: A man is eating.", "is the book the same as the film that was made of it"])
def test_a_text_that_a_question_is_about_stays_as_it_is(asked):
    assert opposites(asked) == [f"Is the answer to this no? {asked}", f"The answer to this is no: {asked}"]


@pytest.mark.parametrize("asked", ["Is this praise or a complaint? Is it \"praise\"?", "Is \"How old is he?\" a duplicate?", "Is \"A man was eating\" a paraphrase?", "Does the customer's message fit?"])
def test_two_questions_and_quotations_are_not_negated(asked):
    assert opposites(asked) == [] and statement(asked) is None


def test_of_two_things_that_are_joined_neither_is_negated_alone():
    for asked in ("Was the parcel late and damaged?", "The parcel was late and the buyer is angry."): assert opposites(asked) and not [o for o in opposites(asked) if "late and" in o and "not late" in o]


def test_what_follows_a_colon_is_not_negated():
    assert set(opposites("The following applies: asks where food is.")) == {"It is not true that the following applies: asks where food is.", "It is false that the following applies: asks where food is."}


def test_questions_of_other_scripts_are_not_negated_as_statements():
    assert opposites("公式サイトのアドレスですか？") == opposites("هل هذا بريد مزعج؟") == []


def test_answers_and_criteria_change_sides():
    turned = negated(noul("Is it spam?", .9, ("unwanted", "wanted")), Random(1))
    assert turned.target == pytest.approx((.1, .9))
    assert [o.description for o in turned.options] == ["wanted", "unwanted"]
