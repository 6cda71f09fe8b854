"""Trains a Decider. The state in the run folder is complete: the same command goes on where it stopped.

  python train.py configs/english.json --data DATA --packages PACKAGES --out RUN --minutes 120 [--cool 20] [--init CHECKPOINT | BUNDLE]
SIGTERM saves and stops. --clock cpu counts the processor time of this process, for comparing runs on a shared machine. The rate stays constant after a warm-up; --cool lets it fall to nothing over the last minutes, into cooled.safetensors
and without touching the resumable state, so that a run can be cooled for use and continued later.
"""
import argparse
import json
import math
import random
import signal
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from branches import sources
from branches.batch import Packed, Packer, collate, grouped
from branches.decider import Decider
from branches.device import DEVICE, mixed, moved
from branches.encoder import WIDTH, read
from branches.front import vectors
from branches.loss import decision_loss, kept, unlike
from branches.tokens import WordPieces
from corpus import Corpus, load
from distillation import Distillation
from echo import Echo
from mixture import Mixture
from parameters import fresh, groups, hold, leave, narrow, still, trained
from render.labelled import Labelled
from tutor import Tutor

POOL = 1500         # rows that are sorted by length together


class Run:
    """A training run: model, optimiser, moving average and counters. It goes on from `state.pt` in its folder where there is one."""

    def __init__(self, model: Decider, tokens: WordPieces, c: dict, out: Path, args: argparse.Namespace, corpus: Corpus, teacher: tuple[Decider, Packer] | None) -> None:
        """The pretrained start is what the anchor and the similarity hold on to; --init then puts a checkpoint in its place. A start with a front
        is only what its distillation made of it, so there it is the checkpoint that the similarity holds on to. teacher: reads English, and how it does."""
        self.model, self.tokens, self.c, self.out, self.args = model, tokens, c, out, args
        if c.get("scratch"): model.encoder.layers.apply(fresh)
        self.start = {k: v.clone() for k, v in trained(model).items()}
        self.recalled = None if "front" in c else sources.copy(model)
        if args.init: sources.load(model, args.init)
        if c.get("still"): sources.load(model, Path(__file__).parent / c["teacher"]["bundle"])
        if "front" in c and c["similarity"] > 0: self.recalled = sources.copy(model)
        self.before = deepcopy(model).requires_grad_(False).eval() if c.get("keep") else None
        self.beside = Distillation(model, tokens, teacher[0], teacher[1].tokens, corpus, c["seed"]) if c.get("distilled") else None
        hold(model, c.get("hold", {}))
        if "left" in c: leave(model, c["left"])
        if c.get("narrow"): narrow(model)
        if c.get("still"): still(model)
        self.optimiser = torch.optim.AdamW(groups(model, c), lr=c["rate"], weight_decay=0, betas=(.9, .98), fused=True)
        self.average = {k: v.clone().float() for k, v in trained(model).items()}
        self.step = self.batches = self.questions = self.seen = 0
        self.loss, self.stopped, self.told = None, False, {}
        if (out / "state.pt").exists():
            s = torch.load(out / "state.pt", weights_only=False)
            model.load_state_dict(s["model"], strict=False)
            self.optimiser.load_state_dict(s["optimiser"])
            self.average, self.step, self.questions, self.seen, self.loss = s["average"], s["step"], s["questions"], s["seen"], s["loss"]
            torch.set_rng_state(s["rng"])

    def save(self) -> None:
        """Writes `state.pt`, which is replaced as a whole, and `average.safetensors`."""
        state = dict(model=trained(self.model), optimiser=self.optimiser.state_dict(), average=self.average, step=self.step,
                     questions=self.questions, seen=self.seen, loss=self.loss, rng=torch.get_rng_state())
        torch.save(state, self.out / "state.tmp")
        (self.out / "state.tmp").replace(self.out / "state.pt")
        self.write("average", self.average)

    def write(self, name: str, state: dict[str, torch.Tensor]) -> None:
        """Writes weights in half precision, as NAME.safetensors."""
        save_file({k: v.half().contiguous() for k, v in state.items()}, self.out / f"{name}.safetensors")

    def similarity(self, b: dict[str, torch.Tensor], text: torch.Tensor, lone: torch.Tensor) -> torch.Tensor:
        """How far the views of texts and options have moved from the pretrained encoder's."""
        windows, width, length = b["text"].shape[1], b["text"].shape[2], b["text_length"].view(-1)
        with torch.no_grad(), mixed():
            alone = int(b["alone"])
            old_text, old_lone = (read(self.recalled, vectors(self.recalled.words, ids, n), n) for ids, n in ((b["text"].view(-1, width), length), (b["lone"][:alone], b["lone_length"][:alone])))
            old_text = (old_text * length[:, None]).view(-1, windows, WIDTH).sum(1)
        far = [1 - F.cosine_similarity(self.model.view(new), old.float()) for new, old in ((text, old_text), (lone, old_lone))]
        return sum(f.mean() for f in far)

    def gradients(self, batches: list[list[Packed]]) -> float:
        """Mean loss of the questions of some batches. Each counts alike: long texts come with few questions in a batch of their own,
        which must not steer a step alone."""
        c, count, mean = self.c, sum(len(row.questions) for rows in batches for row in rows), 0.0
        self.model.zero_grad()
        for rows in batches:
            b = moved(collate(rows, self.tokens.first, self.tokens.last, self.tokens.pad))
            recall = c["similarity"] > 0 and self.batches % c["similarity_every"] == 0
            if self.before:
                with torch.no_grad(), mixed(): b["target"] = kept(b["target"], self.before(b)[0], b["owner"], c["keep"])
            with mixed():
                logits, text, lone, seen = self.model(b, recall)
                loss, asked = decision_loss(logits, b)
                total = c.get("answered", 1) * loss
                if recall: total = total + c["similarity"] * self.similarity(b, text, lone)
                if "told" in b: total = total + c["seen"] * self.tell("seen", unlike(seen, b))
            (total * (asked / count)).backward()
            mean += loss.item() * asked / count
            self.batches += 1
            self.questions += asked
            self.seen += sum(r.cost for r in rows)
        for name, share, loss in self.beside.losses(self.step) if self.beside and self.step % c["distilled_every"] == 0 else (): (c["distilled"] * share * self.tell(name, loss)).backward()
        return mean

    def tell(self, name: str, loss: torch.Tensor) -> torch.Tensor:
        """Keeps count of a loss for the progress line."""
        self.told[name] = .95 * self.told.get(name, loss.item()) + .05 * loss.item()
        return loss

    def learn(self, batches: list[list[Packed]], rate: float) -> None:
        """One step on some batches. rate: a factor on all rates. Gradients are cut to a norm of 1; the encoder is pulled to the start (`anchor`)."""
        c, value = self.c, self.gradients(batches)
        for g in self.optimiser.param_groups: g["lr"] = c["rate"] * g["times"] * rate
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        with torch.no_grad():
            pull = c["anchor"] * c["rate"] * rate
            for name, p in self.model.named_parameters():
                if p.requires_grad and name.startswith("encoder."): p.lerp_(self.start[name], pull)
            if self.step % 5 == 0:
                keep = min(c["average"] ** 5, 1 - 1 / (1 + self.step / 5))
                now = trained(self.model)
                torch._foreach_lerp_([self.average[k] for k in self.average], [now[k].float() for k in self.average], 1 - keep)
        self.step += 1
        self.loss = value if self.loss is None else .99 * self.loss + .01 * value

    def go(self, mixture: Mixture, tutor: Callable[[list[Packed]], None] | None = None) -> None:
        """Learns for the given minutes, or until SIGTERM. tutor: changes the targets of rows, POOL at a time. The head of this file says what is saved."""
        clock = time.process_time if self.args.clock == "cpu" else time.time
        began, limit, cool = clock(), self.args.minutes * 60, self.args.cool * 60
        seen, asked, saved, cooling = self.seen, self.questions, clock(), False
        stream, rng = mixture.rows(), random.Random(self.step)
        batches: list[list[Packed]] = []
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "stopped", True))
        while (spent := clock() - began) < limit and not self.stopped:
            if not batches:
                pool = [next(stream) for _ in range(POOL)]
                if tutor: tutor(pool)
                batches = grouped(pool, self.c["tokens"])
                rng.shuffle(batches)
            if cool and not cooling and spent > limit - cool:
                self.save()
                cooling = True
            warm = min(1, (self.step + 1) / self.c["warmup"])
            rate = warm * (max(.01, .5 * (1 + math.cos(math.pi * (1 - (limit - spent) / cool)))) if cooling else 1)
            taken = [batches.pop()]
            while batches and sum(len(row.questions) for rows in taken for row in rows) < self.c["step"]: taken.append(batches.pop())
            self.learn(taken, rate)
            if self.step % 25 == 0:
                print(f"step {self.step} loss {self.loss:.3f}{''.join(f' {name} {value:.3f}' for name, value in self.told.items())} tokens/s {(self.seen - seen) / (clock() - began):.0f} questions {self.questions} "
                      f"questions/s {(self.questions - asked) / (clock() - began):.0f} left {(limit - spent) / 60:.1f} min", flush=True)
            if not cooling and clock() - saved > 300:
                self.save()
                saved = clock()
        if cooling and not self.stopped: self.write("cooled", trained(self.model))
        if not cooling: self.save()


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("packages", Path, None),
                                ("init", Path, None), ("out", Path, None), ("minutes", float, 60), ("cool", float, 0), ("threads", int, 2)):
        arg.add_argument(f"--{name}", type=kind, default=default)
    arg.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    args = arg.parse_args()
    c = json.loads(args.config.read_text())
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.manual_seed(c["seed"])
    model, tokens = sources.build(c, args.packages)
    model.to(DEVICE)
    model.train()
    corpus = load(args.data, args.own, c["held_out"], c["languages"], tuple(c["skip"]), emphasis=c.get("emphasis"))
    teacher = None
    if "teacher" in c:
        reader, pieces = sources.shipped(c["teacher"], args.packages)
        teacher = reader.to(DEVICE), Packer(pieces)
    run = Run(model, tokens, c, args.out, args, corpus, teacher)
    print("sets", len(corpus.train), "rows", sum(map(len, corpus.train.values())), "written", len(corpus.written["train"]), "templates", len(corpus.templates["train"]),
          "own sets", len(corpus.small["train"]), "with rows", sum(len(t["rows"]) for t in corpus.small["train"]), "dropped", corpus.dropped, flush=True)
    tutor = Tutor(*teacher, c["tutor"]).tell if teacher else None
    labelled, seed = Labelled(corpus.sets, frozenset(c["held_out"])), c["seed"] + run.step
    echo = Echo(corpus, c.get("harder", {}), random.Random(seed), labelled.questions).row if teacher else None
    run.go(Mixture(corpus, Packer(tokens, **c["pack"]), labelled, c["shares"], c["power"], c["boost"], seed, c.get("balance", 0), echo, tuple(c.get("untold", ()))), tutor)


if __name__ == "__main__":
    main()
