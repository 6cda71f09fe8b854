"""Questions that exist in many languages, brought to what their English version sees in the same text."""
from collections.abc import Iterable
from random import Random

import torch
import torch.nn.functional as F

from branches.batch import Packed, Packer, collate
from branches.decider import Decider
from branches.device import DEVICE, mixed, moved
from branches.loss import log_probabilities
from echo import put
from holdout import normal
from render.question import Option, Question
from render.said import FRAMES, by_sentence

ROWS = 12               # texts of a step
ASKED = 4               # questions of a text, each in English and in another language
OWN = .6                # how often a question is one that was written for the text, or a sentence one of it, where there is one
SAID = .4               # how often a sentence of a text stands where a question stands: is that so?
FRAMED = .5             # how often it is asked about in so many words
HOME = .8               # how often a question is put in the language of the text
SHARP = .1

Pair = tuple[Question, Question]


class Twins:
    """Draws texts in any language with questions twice, in English and in one other language. How far the second is from the first is
    how hard it is to tell by what an option has seen which English option of the same text it is, and how far the answers are apart."""

    def __init__(self, model: Decider, pack: Packer, texts: list[dict[str, str]], asked: list[dict], written: Iterable[dict], harder: dict[str, float]) -> None:
        """texts: each by language; asked: questions by language; written: states with the questions that were written for them; harder: languages that come so many times as often."""
        self.model, self.pack, self.asked, self.harder = model, Packer(pack.tokens, pack.text, branch=10 * pack.branch), asked, harder
        known = {normal(question["in"]["en"][0]): question for question in asked}
        found = {row["state"]: [known[normal(q["q"])] for q in row["questions"] if isinstance(q["q"], str) and normal(q["q"]) in known] for row in written if isinstance(row["state"], str)}
        self.texts = [(text, found.get(text["en"], []), [said for said in by_sentence(text) if len(said) > 1]) for text in texts]
        self.said = [said for *_, sentences in self.texts for said in sentences]

    def pair(self, own: list[dict], said: list[dict[str, str]], lang: str, rng: Random) -> Pair:
        """own: questions that were written for the text; said: its sentences."""
        if self.said and rng.random() < SAID:
            sentence = rng.choice(said if said and rng.random() < OWN else self.said)
            frame, to = rng.choice(FRAMES) if rng.random() < FRAMED else {}, self.into(sentence, lang, rng)
            first, second = (Question("noul", frame.get(one, "{}").replace("{}", sentence[one]), (Option("yes"), Option("no")), (0., 0.)) for one in ("en", to))
            return first, second
        question = rng.choice(own if own and rng.random() < OWN else self.asked)
        return put(question, "en"), put(question, self.into(question["in"], lang, rng))

    def into(self, by: dict, lang: str, rng: Random) -> str:
        if lang != "en" and lang in by and rng.random() < HOME: return lang
        others = [one for one in by if one != "en"]
        return rng.choices(others, [self.harder.get(one, 1) for one in others])[0]

    def row(self, rng: Random) -> Packed:
        """The English questions first, then the others in the same order."""
        text, own, said = rng.choice(self.texts)
        lang = rng.choices(list(text), [self.harder.get(one, 1) for one in text])[0]
        pairs = [self.pair(own, said, lang, rng) for _ in range(ASKED)]
        packed = self.pack(text[lang], [pair[i] for i in (0, 1) for pair in pairs])
        assert packed and len(packed.questions) == 2 * ASKED
        return packed

    def loss(self, step: int) -> torch.Tensor:
        """Of some texts; which, and in which language, hangs on the step alone."""
        rng, tokens = Random(step), self.pack.tokens
        b = moved(collate([self.row(rng) for _ in range(ROWS)], tokens.first, tokens.last, tokens.pad))
        with mixed(): logits, _, _, seen = self.model(b)
        owner = b["owner"]
        english, other = (owner >= 0) & (owner < ASKED), owner >= ASKED
        told = torch.stack([self.apart(x[one], x[two]) for x, one, two in zip(seen, english, other)]).mean()
        said, _ = log_probabilities(logits, owner)
        logp = said.gather(-1, owner.clamp(min=0)[..., None])[..., 0]
        meant = logp[english].detach()
        return told + (meant.exp() * (meant - logp[other])).sum() / (ROWS * ASKED)

    @staticmethod
    def apart(english: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        meant = english.detach()
        middle = meant.mean(0)
        near = F.normalize(other - middle, dim=-1) @ F.normalize(meant - middle, dim=-1).T
        return F.cross_entropy(near / SHARP, torch.arange(len(near), device=DEVICE))
