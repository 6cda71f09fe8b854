"""What a body sees of texts that it reads alone, layer by layer, and which tokens of two tokenizers stand at the same place in a text."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .decider import Decider
from .device import DEVICE, mixed
from .encoder import WIDTH, Rows, attend_to_own, embed, mean, padding_mask, real_tokens
from .front import vectors
from .tokens import WordPieces

MOST, GRAIN = 160, 16       # tokens of a text; padded widths are multiples of this


@dataclass(frozen=True)
class Sight:
    """layers: word vectors, then what every second layer of the body sees, [B, N, WIDTH] each; view: of the texts [B, WIDTH];
    spans: where each token stands in its text, none for the first and last."""
    layers: list[torch.Tensor]
    view: torch.Tensor
    spans: list[list[tuple[int, int]]]

    @staticmethod
    def of(model: Decider, tokens: WordPieces, texts: list[str]) -> "Sight":
        """Reads the first MOST tokens of each text. Gradients flow. ValueError where there is no text."""
        read = [tokens.tokenizer.encode(text, add_special_tokens=False) for text in texts]
        rows = [[tokens.first, *one.ids[:MOST], tokens.last] for one in read]
        width = -(-max(map(len, rows)) // GRAIN) * GRAIN
        ids = torch.tensor([row + [tokens.pad] * (width - len(row)) for row in rows], device=DEVICE)
        length = torch.tensor([len(row) for row in rows], device=DEVICE)
        encoder, packed = model.encoder, Rows.of(real_tokens(length, width))
        with mixed():
            seen = [vectors(encoder.words, ids, length)]
            x, mask = packed.pack(embed(encoder, seen[0])), padding_mask(length, width, seen[0].dtype)
            for i, layer in enumerate(encoder.layers):
                x = attend_to_own(layer, x, packed, mask)
                if i % 2: seen.append(packed.pad(x))
            last = mean(packed.pad(x), length)
        return Sight([layer.float() for layer in seen], model.look(last), [one.offsets[:MOST] for one in read])

    def flat(self, layer: int) -> torch.Tensor:
        """What is seen at all tokens in one layer, [B N, WIDTH], as `at` counts them."""
        return self.layers[layer].reshape(-1, WIDTH)

    def at(self, row: int, token: int) -> int:
        """Where a token stands among those of all rows; -1 and the number of tokens are the first and the last of a text."""
        return row * self.layers[0].shape[1] + token + 1


def together(texts: list[str], one: Sight, other: Sight) -> tuple[torch.Tensor, torch.Tensor]:
    """Pairs of tokens that share a character, and the first and last of texts that were read whole: places in either."""
    mine, theirs = [], []
    for row, (text, here, there) in enumerate(zip(texts, one.spans, other.spans)):
        whole = max(len(here), len(there)) < MOST
        mine += [one.at(row, -1), *[one.at(row, len(here))] * whole]
        theirs += [other.at(row, -1), *[other.at(row, len(there))] * whole]
        first = 0
        for token, (start, end) in enumerate(here):
            while start < end and text[start].isspace(): start += 1
            while first < len(there) and there[first][1] <= start: first += 1
            last = first
            while start < end and last < len(there) and there[last][0] < end:
                mine.append(one.at(row, token))
                theirs.append(other.at(row, last))
                last += 1
    return torch.tensor(mine, device=DEVICE), torch.tensor(theirs, device=DEVICE)


def alike(texts: list[str], one: Sight, other: Sight) -> torch.Tensor:
    """How far what the first sees at each token is from the mean of what the second sees there, over all layers: 0 to 2."""
    mine, theirs = together(texts, one, other)
    count = torch.zeros(one.flat(0).shape[0], device=DEVICE).index_add_(0, mine, torch.ones(len(mine), device=DEVICE))
    used = count.nonzero()[:, 0]
    far = []
    for layer in range(len(one.layers)):
        seen = other.flat(layer)
        target = torch.zeros(len(count), WIDTH, device=DEVICE).index_add_(0, mine, seen[theirs])[used] / count[used, None]
        middle = target.mean(0)
        found = one.flat(layer)[used]
        if layer: far.append((1 - F.cosine_similarity(found - middle, target - middle, dim=-1)).mean())
        else: far.append(.5 * (found - target).square().sum() / (target - middle).square().sum())       # no norm has set their length yet
    return torch.stack(far).mean()
