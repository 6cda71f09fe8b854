"""A teacher that reads otherwise changes the targets of questions about English texts, and no others."""
from types import SimpleNamespace

import numpy as np
import torch

from branches.batch import Packer
from branches.decider import Decider
from branches.encoder import WIDTH
from render.question import Option, Question
from tutor import Tutor


class Spelt(SimpleNamespace):
    first, last, pad = 1, 2, 0

    def __call__(self, text: str) -> list[int]: return [3 + hash(word) % 900 for word in text.split()]


def question(wording: str, count: int) -> Question:
    return Question("choice", wording, tuple(Option(f"option {i}") for i in range(count)), (1.,) + (0.,) * (count - 1))


def test_targets_move_towards_what_the_teacher_says():
    torch.manual_seed(1)
    teacher = Decider(torch.nn.Embedding.from_pretrained(torch.randn(903, WIDTH)), 1)
    pack, asked = Packer(Spelt()), [question("one", 2), question("two", 3)]
    rows = [pack(text, asked, ["0", "1"]) for text in ("a text", "another text", "a third")]
    for row in rows[:2]: row.of = "a text", asked
    Tutor(teacher, Packer(Spelt()), .5).tell(rows)
    for row in rows[:2]:
        assert row.of is None
        for _, _, _, target in row.questions:
            assert abs(sum(target) - 1) < 1e-6 and .5 < target[0] < 1
    assert [q[3] for q in rows[0].questions] == [q[3] for q in rows[1].questions]
    assert rows[2].questions[0][3] == (1., 0.)


def test_a_question_that_was_left_out_changes_nothing():
    teacher = Decider(torch.nn.Embedding.from_pretrained(torch.randn(903, WIDTH)), 1)
    pack, asked = Packer(Spelt()), [question("one", 2), question("two", 3)]
    row = pack("a text", asked[1:], ["1"])
    row.of = "a text", asked
    Tutor(teacher, Packer(Spelt()), 1.).tell([row])
    assert len(row.questions[0][3]) == 3 and np.isclose(sum(row.questions[0][3]), 1)
