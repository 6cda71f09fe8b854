"""What a body sees when it reads English, as a task for the layers in front of it that read any language: nothing is asked.

English is learnt token by token; other languages by what a text, a phrase or a word is as a whole to the body in English.
"""
from collections.abc import Iterator
from random import Random

import torch
import torch.nn.functional as F

from branches.decider import Decider
from branches.device import DEVICE
from branches.encoder import WIDTH
from branches.sight import Sight, alike, together
from branches.tokens import WordPieces
from corpus import Corpus, as_text
from lexicon import Lexicon, Word
from render.phrases import phrases

TOKENS = 3200                           # of English texts in a step
NAMES, TEXTS, PHRASES, WORDS = 48, 24, 48, 96       # wordings and labels, texts, wordings and options in other languages, words of the lexicon in a step
SHARES = {"english": 1, "names": .5, "parallel": 1, "phrases": .5, "words": .5}
ENGLISH = ("english", "names")
SHARP = .05                             # of what is told apart
LONGEST, OTHER, EACH = 500, 400, 1500    # characters of an English text and of another; texts of a labelled set
RAW = 15_000                            # paragraphs
FITTED, RIDGE = 40, 1e-3                # piles of texts that the first map is fitted on


def material(corpus: Corpus, rng: Random) -> tuple[list[str], list[str]]:
    """English texts, and English wordings and labels, of what is trained on."""
    texts = []
    for rows in corpus.train.values():
        english = [row["text"] for row in rows if row["lang"] == "en"]
        texts += rng.sample(english, min(len(english), EACH))
    texts += [as_text(row["state"]) for row in corpus.written["train"] if row["lang"] == "en"]
    texts += [row["text"] for row in corpus.moderated if row["lang"] == "en"]
    names = [as_text(q["q"]) for row in corpus.written["train"] if row["lang"] == "en" for q in row["questions"]]
    for task in (task for task in corpus.small["train"] if task["lang"] == "en"):
        texts += [as_text(row[0]) for row in rng.sample(task["rows"], min(20, len(task["rows"])))]
        names += [*task["questions"], *task["labels"], *(f"{name}: {said}" for name, said in task["labels"].items() if said)]
    raw = [document for document in corpus.documents if sum(c.isascii() for c in document) > .97 * len(document)]
    for document in rng.sample(raw, min(len(raw), RAW)):
        start = rng.randrange(max(1, len(document) - 250))
        texts.append(document[start:start + rng.choice((60, 120, 250))])
    return [text[:LONGEST] for text in texts if text and text.strip()], list(dict.fromkeys(names))


class Distillation:
    """How far what a model with a front sees is from what a teacher sees in English. tokens, theirs: the tokenizers of model and teacher, which is
    frozen here. The texts are those of a corpus that is trained on, and the lexicon."""

    def __init__(self, model: Decider, tokens: WordPieces, teacher: Decider, theirs: WordPieces, corpus: Corpus, seed: int) -> None:
        self.model, self.tokens, self.teacher, self.theirs = model, tokens, teacher.eval().requires_grad_(False), theirs
        self.rng, self.lexicon = Random(seed), Lexicon()
        texts, self.names = material(corpus, self.rng)
        texts.sort(key=len)
        self.piles = [texts[i:i + 64] for i in range(0, len(texts), 64)]        # of like length
        self.parallel, self.phrases = corpus.parallel, phrases(corpus.asked)
        self.weights = [len(text["en"]) ** .5 for text in self.parallel]

    @torch.no_grad()
    def meant(self, texts: list[str]) -> Sight:
        """What the teacher sees of English texts."""
        return Sight.of(self.teacher, self.theirs, texts)

    @torch.no_grad()
    def fit(self) -> None:
        """Begins with the least-squares map from what the front sees at a token of English to the body's own word vector there."""
        linear = self.model.encoder.words.map
        linear.weight.copy_(torch.eye(WIDTH))
        linear.bias.zero_()
        square, across = torch.zeros(WIDTH + 1, WIDTH + 1), torch.zeros(WIDTH + 1, WIDTH)
        for pile in self.rng.sample(self.piles, FITTED):
            seen, meant = Sight.of(self.model, self.tokens, pile), self.meant(pile)
            mine, theirs = together(pile, seen, meant)
            x = F.pad(seen.flat(0)[mine], (0, 1), value=1).cpu()
            square += x.T @ x
            across += x.T @ meant.flat(0)[theirs].cpu()
        solved = torch.linalg.solve(square + RIDGE * square.diagonal().mean() * torch.eye(WIDTH + 1), across)
        linear.weight.copy_(solved[:-1].T)
        linear.bias.copy_(solved[-1])

    def token_by_token(self, texts: list[str]) -> torch.Tensor:
        """Of English texts: how unlike the tokens are (see alike), and twice how unlike the views are."""
        seen, meant = Sight.of(self.model, self.tokens, texts), self.meant(texts)
        return alike(texts, seen, meant) + 2 * (1 - (seen.view * meant.view).sum(-1)).mean()

    def as_a_whole(self, texts: list[str], meant: torch.Tensor) -> torch.Tensor:
        """meant: views of their English versions."""
        seen = Sight.of(self.model, self.tokens, texts).view
        return .3 * F.cross_entropy(seen @ meant.T / SHARP, torch.arange(len(meant), device=DEVICE)) + 2 * (1 - (seen * meant).sum(-1)).mean()

    def losses(self, step: int, others: int = 1) -> Iterator[tuple[str, float, torch.Tensor]]:
        """Names, shares and losses, one after the other, so that only one at a time takes memory. Which texts hangs on the step alone; other languages
        come in every so manieth of `others`."""
        rng = self.rng = Random(step)
        pile = rng.choice(self.piles)
        found = {
            "english": lambda: self.token_by_token(rng.sample(pile, min(len(pile), max(8, 4 * TOKENS // max(160, len(pile[-1])))))),
            "names": lambda: self.token_by_token(rng.sample(self.names, NAMES)),
            "parallel": lambda: self.in_other_words(list({id(text): text for text in rng.choices(self.parallel, self.weights, k=TEXTS)}.values())),
            "phrases": lambda: self.in_other_words(rng.sample(self.phrases, PHRASES)),
            "words": lambda: self.by_meaning(self.lexicon.draw(WORDS, rng)),
        }
        for name, share in SHARES.items():
            if name in ENGLISH or step % others == 0: yield name, share, found[name]()

    def in_other_words(self, texts: list[dict[str, str]]) -> torch.Tensor:
        """Texts by language, English among them: each in one other language, drawn at random, beside its English version."""
        others = [text[self.rng.choice([lang for lang in text if lang != "en"])][:OTHER] for text in texts]
        return self.as_a_whole(others, self.meant([text["en"][:OTHER] for text in texts]).view)

    def by_meaning(self, words: list[Word]) -> torch.Tensor:
        """Words, each beside the mean view of its English meanings."""
        views = self.meant([english for word in words for english in word.meanings]).view.split([len(word.meanings) for word in words])
        return self.as_a_whole([word.spelt for word in words], torch.stack([F.normalize(each.mean(0), dim=0) for each in views]))
