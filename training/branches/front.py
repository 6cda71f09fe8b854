"""Word vectors in context: the lower layers of a multilingual encoder read a text alone, and a map brings what they see to where the body expects words."""
import torch
import torch.nn as nn

from .encoder import WIDTH, Encoder, Rows, attend_to_own, embed, padding_mask, real_tokens

TABLE = "encoder.words.lower.words.weight"


class Front(nn.Module):
    """In the place of a table of word vectors. Its own table stays frozen."""

    def __init__(self, lower: Encoder) -> None:
        super().__init__()
        self.lower, self.map = lower, nn.Linear(WIDTH, WIDTH)

    def trainable(self) -> list[nn.Parameter]:
        """All but the table, set free."""
        own = [p for p in self.parameters() if p is not self.lower.words.weight]
        for p in own: p.requires_grad_(True)
        return own

    def forward(self, ids: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
        """Rows [B, N] of some length [B] -> word vectors [B, N, WIDTH]."""
        rows = Rows.of(real_tokens(length, ids.shape[1]))
        x = rows.pack(embed(self.lower, self.lower.words(ids)))
        mask = padding_mask(length, ids.shape[1], x.dtype)
        for layer in self.lower.layers: x = attend_to_own(layer, x, rows, mask)
        return rows.pad(self.map(x))


def vectors(words: nn.Module, ids: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    """Of rows [B, N] of some length [B], whether words have a context or not."""
    return words(ids, length) if isinstance(words, Front) else words(ids)
