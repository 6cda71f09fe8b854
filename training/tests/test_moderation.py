"""The texts that moderation thresholds are fitted on, and those that they are measured on."""
from collections import Counter
from pathlib import Path

from corpus import read
from holdout import Holdout, normal
from render.moderation import CATEGORIES

HERE = Path(__file__).parent.parent
FITTED, MEASURED = read(HERE / "moderation.jsonl"), read(HERE.parent / "test" / "quality" / "moderation.jsonl")


def test_every_category_has_texts():
    known = Counter(c for r in FITTED for c in r["categories"])
    assert set(known) == set(CATEGORIES) and min(known.values()) >= 30
    assert all(set(r.get("unsure", ())) <= set(CATEGORIES) - set(r["categories"]) for r in FITTED)
    assert sum(not r["categories"] for r in FITTED) >= 250


def test_no_fitted_text_is_measured_and_none_is_reserved(data):
    guard = Holdout(data)
    assert not {normal(r["text"]) for r in FITTED} & {normal(r["text"]) for r in MEASURED}
    assert not [r["text"] for r in FITTED + MEASURED if guard.touches(r["text"], r["lang"])]


def test_no_training_file_holds_a_measured_text():
    measured = [r["text"] for r in MEASURED]
    for file in sorted((HERE / "written").glob("*.jsonl")):
        written = file.read_text(encoding="utf8")
        assert not [text for text in measured if text.replace('"', '\\"') in written], file.name
