"""Puts the requests of requests.jsonl to a bundle and prints its answers beside the expected ones.

  python ask.py ../models/svc-english [REQUESTS.jsonl]
"""
import json
import sys
from pathlib import Path

from branches.served import Bundle
from render.question import Option, Question


def question(kind: str, wording: str, *rest) -> tuple[Question, str]:
    """[kind, wording, expected] of a noul, [kind, wording, options or levels, expected] else -> the question, without a target, and the name of the option
    that is expected. Options are names, or names with descriptions."""
    given, expected = (("yes", "no"), rest[0]) if kind == "noul" else rest
    options = tuple(Option(n, d) for n, d in given.items()) if isinstance(given, dict) else tuple(Option(n) for n in given)
    return Question(kind, wording, options, ()), expected


def main(folder: Path, requests: Path) -> None:
    bundle, right, asked = Bundle(folder), 0, 0
    for line in requests.read_text(encoding="utf8").splitlines():
        request = json.loads(line)
        state = request["state"] if isinstance(request["state"], str) else json.dumps(request["state"], ensure_ascii=False)
        questions = [question(*q) for q in request["questions"]]
        print(f"\n{state[:110]}")
        for (q, expected), p in zip(questions, bundle.probabilities(state, [q for q, _ in questions])):
            answer = q.options[int(p.argmax())].name
            right, asked = right + (answer == expected), asked + 1
            print(f"  {'  ' if answer == expected else 'X '}{q.wording[:70]:70} {answer[:28]:28} {p.max():.2f}{'' if answer == expected else f'   expected {expected}'}")
    print(f"\n{right} of {asked} as expected")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "requests.jsonl")
