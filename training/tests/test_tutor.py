"""A teacher that reads otherwise changes the targets of questions that came with what it is to be asked, and no others."""
from dataclasses import replace
from types import SimpleNamespace

import torch

from branches.batch import Packer, collate
from branches.decider import Decider
from branches.encoder import WIDTH
from branches.loss import unlike
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


def test_a_question_that_the_teacher_cannot_read_keeps_its_answer_or_is_left_out():
    teacher = Decider(torch.nn.Embedding.from_pretrained(torch.randn(903, WIDTH)), 1)
    pack, asked = Packer(Spelt()), [question("one", 2), question("two", 3)]
    known, unknown = (pack("a text", [asked[0], replace(asked[1], target=target)], ["0", "1"]) for target in ((0., 0., 1.), (0., 0., 0.)))
    known.of = unknown.of = "a text", asked[:1]
    rows = [known, unknown]
    Tutor(teacher, Packer(Spelt()), 1.).tell(rows)
    assert rows == [known, unknown] and known.questions[1][3] == (0., 0., 1.) and known.seen[1] is None
    assert [len(q[1]) for q in unknown.questions] == [2]
    unknown.of, unknown.questions = ("a text", []), [(*unknown.questions[0][:3], (0., 0.))]
    Tutor(teacher, Packer(Spelt()), 1.).tell(rows)
    assert rows == [known]


def test_what_the_teacher_sees_stands_at_the_options_it_was_asked_about():
    torch.manual_seed(1)
    teacher = Decider(torch.nn.Embedding.from_pretrained(torch.randn(903, WIDTH)), 1)
    pack, asked = Packer(Spelt()), [question("one", 2), question("two", 3)]
    row, other = pack("a text", asked, ["0", "1"]), pack("another text", asked, ["0", "1"])
    row.of = "a text", asked[1:]
    row.tags = ["7", "0"]
    Tutor(teacher, Packer(Spelt()), .5).tell(rows := [row, other])
    b = collate(rows, 1, 2, 0)
    assert b["told"].tolist() == [[False, False, True, True, True], [False] * 5]
    with torch.no_grad(): seen = teacher(collate([pack("a text", asked[1:])], 1, 2, 0))[3]
    torch.testing.assert_close(b["seen"][0, 2:], seen[0], atol=2e-2, rtol=2e-2)
    assert unlike(b["seen"], b) < 1e-5 < .1 < unlike(torch.randn_like(b["seen"]), b)
