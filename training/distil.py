"""Teaches the layers in front of an English body to show it what it sees when it reads English itself, before any question is asked. The body stays as it is.

  python distil.py configs/multilingual.json --data DATA --packages PACKAGES --out RUN --minutes 30 [--init CHECKPOINT] [--others 3]
English is learnt token by token; other languages by what a text, or a word, is as a whole to the body in English. The rate falls over the last
half. --others: how often other languages come, in every step or in every so manieth. RUN/state.pt is saved every five minutes and on SIGTERM; the same command goes on there. RUN/distilled.safetensors is the outcome.
"""
import argparse
import json
import signal
import time
from pathlib import Path

import torch
from safetensors.torch import save_file

from branches import sources
from branches.device import DEVICE
from corpus import load
from distillation import SHARES, Distillation
from parameters import times, trained

WARM = 60


def main() -> None:
    arg = argparse.ArgumentParser()
    arg.add_argument("config", type=Path)
    for name, kind, default in (("data", Path, None), ("own", Path, Path(__file__).parent / "written"), ("packages", Path, None), ("out", Path, None), ("init", Path, None),
                                ("minutes", float, 30), ("rate", float, 5e-4), ("threads", int, 2), ("others", int, 1)):
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
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    began, saved, told = time.time() - spent, time.time(), dict.fromkeys(SHARES, 0.0)
    while (spent := time.time() - began) < a.minutes * 60 and not stopped:
        optimiser.zero_grad()
        for name, share, loss in distillation.losses(step, a.others):
            (share * loss).backward()
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
