"""No reserved text is trained on, whatever source it comes from."""
import json
from pathlib import Path

import pytest

from corpus import Corpus, as_text, key, load, tasks
from holdout import RESERVED, Holdout, normal

HERE = Path(__file__).parent.parent
CONFIG = json.loads((HERE / "configs" / "multilingual.json").read_text())


@pytest.fixture(scope="module")
def corpus(data) -> Corpus:
    return load(data, HERE / "written", CONFIG["held_out"], CONFIG["languages"], tuple(CONFIG["skip"]))


def test_no_training_row_is_reserved(data, corpus):
    guard = Holdout(data)
    assert len(guard.long) > 100_000
    for rows in corpus.train.values():
        for row in rows:
            assert not guard.holds(row["text"], row["lang"]), row["set"]
    for row in corpus.written["train"] + corpus.templates["train"]:
        text = row.get("text") or (row["state"] if isinstance(row["state"], str) else json.dumps(row["state"], ensure_ascii=False))
        assert not guard.touches(text, row["lang"])
    for task in corpus.small["train"]:
        for text, *_ in task["rows"]:
            assert not guard.touches(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False), task["lang"]), task["set"]


def test_the_tasks_of_our_own_are_measured_with_and_never_trained_on(corpus):
    measured = tasks()
    assert len(measured) > 1500
    assert not [text for task in corpus.small["train"] for text, *_ in task["rows"] if normal(as_text(text)) in measured]


def test_rows_that_are_their_options_alone_are_told_apart(corpus):
    assert key({"text": "", "options": ["He reads a fish.", "He reads a book."]}) == key({"text": "", "options": ["He reads a book.", "He reads a fish."]})
    assert key({"text": "", "options": ["He reads a fish.", "He reads a book."]}) != key({"text": "", "options": ["It snows in July.", "It snows in May."]})
    measured = {key(row) for row in corpus.dev["comve_a"]}
    assert len(corpus.train["comve_a"]) > 6_000 and not [row for row in corpus.train["comve_a"] if key(row) in measured]


def test_no_set_is_left_without_rows(corpus):
    assert not [name for name, rows in corpus.train.items() if len(rows) < 100]


def test_reserved_and_held_out_sets_are_absent(corpus):
    assert not set(corpus.train) & (RESERVED | set(CONFIG["held_out"]))
    assert set(CONFIG["held_out"]) <= set(corpus.held)
    assert all(row["split"] == "train" for rows in corpus.train.values() for row in rows)


def test_the_guard_knows_a_planted_text(tmp_path):
    import lzma
    from holdout import fingerprint, normal
    secret = "This sentence is reserved for measuring alone."
    for name, texts in (("", [secret]), ("_short", ["私はテストです。"])):
        with lzma.open(tmp_path / f"holdout_hashes{name}.txt.xz", "wt") as f: f.write("\n".join(fingerprint(normal(t)) for t in texts))
    guard = Holdout(tmp_path)
    assert guard.holds(secret.upper()) and guard.touches(f"He said so. {secret} And left.") and guard.holds("私はテストです。", "ja")
    two = "This line is reserved. So is its second sentence."
    guard.long |= {fingerprint(normal(two))}
    assert guard.touches(f"Heading\n{two}\nMore.") and guard.touches(json.dumps({"notes": [f"He wrote \"Well. {secret}\" to me.", 7]}))
    assert guard.touches(json.dumps({"mail": f"Dear Ann,\n{two}\nBob"}))
    assert not guard.touches(json.dumps({"mail": "Dear Ann,\nnothing of the kind.\nBob"}))
    assert not guard.holds("Another sentence, which nobody has reserved.")
