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


def test_answers_and_criteria_change_sides():
    turned = negated(noul("Is it spam?", .9, ("unwanted", "wanted")), Random(1))
    assert turned.target == pytest.approx((.1, .9))
    assert [o.description for o in turned.options] == ["wanted", "unwanted"]
