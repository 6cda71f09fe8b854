"""Teaches the layers in front of an English body to show it what it sees when it reads English itself, before any question is asked. The body stays as it is.

  python distil.py configs/multilingual.json --data DATA --packages PACKAGES --out RUN --minutes 30 [--init CHECKPOINT]
English is learnt token by token; other languages by what a text, or a word, is as a whole to the body in English. The rate falls over the last
half. RUN/state.pt is saved every five minutes and on SIGTERM; the same command goes on there. RUN/distilled.safetensors is the outcome.
"""
import argparse
import json
import signal
import time
from pathlib import Path
from random import Random

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from branches import sources
from branches.decider import Decider
from branches.device import DEVICE
from branches.encoder import WIDTH
from branches.sight import Sight, alike, together
from branches.tokens import WordPieces
from corpus import Corpus, as_text, load
from lexicon import Lexicon, Word
from parameters import times, trained

TOKENS = 3200                           # of English texts in a step
NAMES, TEXTS, WORDS = 48, 24, 96        # wordings and labels, texts in other languages, words of the lexicon in a step
SHARES = {"english": 1, "names": .5, "parallel": 1, "words": .5}
SHARP = .05                             # of what is told apart
LONGEST, OTHER, EACH = 500, 400, 700    # characters of an English text and of another; texts of a labelled set
RAW = 15_000                            # paragraphs
WARM = 60
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
    def __init__(self, model: Decider, tokens: WordPieces, teacher: Decider, theirs: WordPieces, corpus: Corpus, seed: int) -> None:
        self.model, self.tokens, self.teacher, self.theirs = model, tokens, teacher.eval().requires_grad_(False), theirs
        self.rng, self.lexicon = Random(seed), Lexicon()
        texts, self.names = material(corpus, self.rng)
        texts.sort(key=len)
        self.piles = [texts[i:i + 64] for i in range(0, len(texts), 64)]        # of like length
        self.parallel = corpus.parallel
        self.weights = [len(text["en"]) ** .5 for text in self.parallel]

    @torch.no_grad()
    def meant(self, texts: list[str]) -> Sight: return Sight.of(self.teacher, self.theirs, texts)

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
        seen, meant = Sight.of(self.model, self.tokens, texts), self.meant(texts)
        return alike(texts, seen, meant) + 2 * (1 - (seen.view * meant.view).sum(-1)).mean()

    def as_a_whole(self, texts: list[str], meant: torch.Tensor) -> torch.Tensor:
        """meant: views of their English versions."""
        seen = Sight.of(self.model, self.tokens, texts).view
        return .3 * F.cross_entropy(seen @ meant.T / SHARP, torch.arange(len(meant), device=DEVICE)) + 2 * (1 - (seen * meant).sum(-1)).mean()

    def losses(self):
        """One after the other, so that only one at a time takes memory."""
        rng = self.rng
        pile = rng.choice(self.piles)
        yield "english", self.token_by_token(rng.sample(pile, min(len(pile), max(8, 4 * TOKENS // max(160, len(pile[-1]))))))
        yield "names", self.token_by_token(rng.sample(self.names, NAMES))
        texts = list({id(text): text for text in rng.choices(self.parallel, self.weights, k=TEXTS)}.values())
        yield "parallel", self.as_a_whole([text[rng.choice([lang for lang in text if lang != "en"])][:OTHER] for text in texts], self.meant([text["en"][:OTHER] for text in texts]).view)
        words = self.lexicon.draw(WORDS, rng)
        yield "words", self.as_a_whole([word.spelt for word in words], self.meaning(words))

    def meaning(self, words: list[Word]) -> torch.Tensor:
        views = self.meant([english for word in words for english in word.meanings]).view.split([len(word.meanings) for word in words])
        return torch.stack([F.normalize(each.mean(0), dim=0) for each in views])


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("packages", Path, None), ("out", Path, None), ("init", Path, None),
                                ("minutes", float, 30), ("rate", float, 5e-4), ("threads", int, 2)):
        arg.add_argument(f"--{name}", type=kind, default=default)
    a = arg.parse_args()
    c = json.loads(a.config.read_text())
    a.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(a.threads)
    torch.manual_seed(c["seed"])
    model, tokens = sources.build(c, a.packages)
    teacher, theirs = sources.shipped(c["teacher"], a.packages)
    sources.load(model, Path(__file__).parent / c["teacher"]["bundle"])
    for one in (teacher, model): one.to(DEVICE)
    if a.init: sources.load(model, a.init)
    model.requires_grad_(False)
    front = model.encoder.words.trainable()
    distillation = Distillation(model, tokens, teacher, theirs, load(a.data, a.own, c["held_out"], c["languages"], tuple(c["skip"])), c["seed"])
    rates = {name: times(name, model, {"layer_decay": .85, "front_rate": 1}) for name, p in model.named_parameters() if p.requires_grad}
    optimiser = torch.optim.AdamW([{"params": [p], "times": rates[name]} for name, p in model.named_parameters() if p.requires_grad], lr=a.rate, weight_decay=0, betas=(.9, .98))
    step, spent, seen, stopped = 0, 0.0, 0, []
    if not a.init and not (a.out / "state.pt").exists(): distillation.fit()
    if (a.out / "state.pt").exists():
        state = torch.load(a.out / "state.pt", weights_only=False)
        model.load_state_dict(state["model"], strict=False)
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["spent"]
        distillation.rng.seed(step)
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    began, saved, told = time.time() - spent, time.time(), dict.fromkeys(SHARES, 0.0)
    while (spent := time.time() - began) < a.minutes * 60 and not stopped:
        optimiser.zero_grad()
        for name, loss in distillation.losses():
            (SHARES[name] * loss).backward()
            told[name] = .95 * told[name] + .05 * loss.item() if told[name] else loss.item()
        torch.nn.utils.clip_grad_norm_(front, 1.0)
        left = 1 - spent / (a.minutes * 60)
        for group in optimiser.param_groups: group["lr"] = a.rate * group["times"] * min(1, (step + 1) / WARM) * (.05 + .95 * min(1, left / .5))
        optimiser.step()
        step += 1
        if step % 25 == 0: print(f"step {step} {' '.join(f'{name} {value:.3f}' for name, value in told.items())} steps/min {60 * step / spent:.0f} left {a.minutes - spent / 60:.1f} min", flush=True)
        if time.time() - saved > 300 or stopped:
            torch.save(dict(model=trained(model), optimiser=optimiser.state_dict(), step=step, spent=spent), a.out / "state.tmp")
            (a.out / "state.tmp").replace(a.out / "state.pt")
            saved = time.time()
    if not stopped: save_file({name: value.half().contiguous() for name, value in trained(model).items()}, a.out / "distilled.safetensors")


if __name__ == "__main__":
    main()
