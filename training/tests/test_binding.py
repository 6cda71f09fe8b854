"""Sentences that are made by rule, and the same with their two parts exchanged."""
from random import Random

from mixture import Swapped
from render.binding import KINDS, bound, pair


def test_both_sides_have_the_same_words_and_questions_and_opposite_answers():
    rng, seen = Random(7), set()
    for _ in range(400):
        made = pair(rng)
        seen.add(KINDS[made[0]][0].__name__)
        (text, asked), (swapped, again) = bound(made, False), bound(made, True)
        assert text != swapped and sorted(text.lower()) == sorted(swapped.lower())
        assert [q.wording for q in asked] == [q.wording for q in again]
        for one, other in zip(asked, again):
            assert [o.name for o in one.options] == [o.name for o in other.options] and len({o.name for o in one.options}) == len(one.options)
            assert max(range(len(one.target)), key=one.target.__getitem__) != max(range(len(other.target)), key=other.target.__getitem__)
    assert seen == {"deeds", "gifts", "more", "moves", "aspects", "fields"}


def test_one_side_is_drawn_after_the_other():
    draw = Swapped(Random(3)).draw
    for _ in range(5):
        one, other = draw(), draw()
        assert one["made"] == other["made"] and (one["swapped"], other["swapped"]) == (False, True)
