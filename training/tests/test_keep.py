"""What was answered before a run stays part of its targets, but for mistakes."""
import torch

from branches.loss import kept


def test_a_right_answer_is_kept_in_part_and_a_wrong_one_is_not():
    owner = torch.tensor([[0, 0, 0, 1, 1, -1]])
    target = torch.tensor([[1.0, 0, 0, 0.3, 0.7, 0]])
    before = torch.tensor([[2.0, 1, 0, 3, 1, 0]])        # right of the first question, wrong of the second
    made = kept(target, before, owner, 0.5)
    assert torch.allclose(made[0, :3], torch.lerp(target[0, :3], before[0, :3].softmax(0), 0.5), atol=1e-5)
    assert torch.equal(made[0, 3:], target[0, 3:])
