"""The texts that moderation thresholds are fitted on, and those that they are measured on."""
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from corpus import Corpus, as_text, read
from holdout import Holdout, normal
from render.moderation import CATEGORIES, HEATED, kind, of_written, ordinary
from thresholds import best, rows

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


def texts(row: dict) -> list[object]:
    """What a row of any of the files is about."""
    if "states" in row: return list(row["states"].values())
    return [text for text, *_ in row["rows"]] if "rows" in row else [row[k] for k in ("text", "state", "fact") if k in row]


def test_no_text_that_is_written_for_training_is_measured_or_fitted():
    files = [*(HERE.parent / "test" / "quality").rglob("*.jsonl"), HERE / "moderation.jsonl", HERE / "requests.jsonl"]
    measured = {normal(as_text(text)) for file in files for row in read(file) for text in texts(row)}
    assert len(measured) > 1_000
    for file in sorted((HERE / "written").glob("*.jsonl")):
        assert not [text for row in read(file) for text in texts(row) if normal(as_text(text)) in measured], file.name


def test_the_kind_of_harm_is_asked_where_one_is_right():
    assert kind({"categories": []}) == "safe"
    assert kind({"categories": ["self-harm", "self-harm/intent"]}) == "self_harm"
    assert kind({"categories": ["hate", "violence"]}) is None
    assert kind({"categories": ["hate"], "unsure": ["violence"]}) is None
    asked = [q for seed in range(60) for q in of_written({"text": "Come to the bridge, I will jump.", "categories": ["self-harm"]}, Random(seed))[1] if q.kind == "choice"]
    assert 8 < len(asked) < 30 and all([o.name for o, p in zip(q.options, q.target) if p > .9] == ["self_harm"] for q in asked)


def test_an_ordinary_text_is_of_no_category_but_those_that_its_set_leaves_open():
    plain, heated = ({"set": name, "lang": "en", "text": "Set an alarm."} for name in ("clinc150", "goemotions"))
    assert all(q.target[0] < .1 or q.target[0] > .9 for seed in range(40) for q in of_written(ordinary(plain), Random(seed))[1] if q.kind == "noul")
    wordings = {w for of in CATEGORIES.values() for w in of}
    asked = [q for seed in range(40) for q in of_written(ordinary(plain), Random(seed))[1] if q.wording in wordings]
    assert len(asked) > 100 and all(q.target[0] < .1 for q in asked)
    assert "hate" in ordinary(heated)["unsure"] and "self-harm" not in ordinary(heated)["unsure"] and not ordinary(plain)["unsure"]


def test_a_threshold_does_not_depend_on_how_many_texts_are_not_of_the_category():
    rng = np.random.default_rng(5)
    score, truth = np.concatenate((rng.beta(4, 2, 60), rng.beta(2, 4, 200))), np.arange(260) < 60
    often = np.concatenate((score, *[score[~truth]] * 9)), np.concatenate((truth, *[truth[~truth]] * 9))
    at, f1 = best(score, truth, .1)
    assert best(*often, .1) == (at, pytest.approx(f1)) and .2 < at < .9
    assert best(score, truth, .95)[0] == .95


def test_a_set_whose_texts_may_be_rude_does_not_say_where_rudeness_begins():
    sets = [{"id": name, "tasks": [], "moderation": {"all categories": {}}} for name in ("clinc150", "goemotions", "unnamed")]
    corpus = Corpus(sets, dev={s["id"]: [{"set": s["id"], "text": s["id"], "label": "x"}] for s in sets})
    told = {known.text: known.truth for known in rows(corpus, 5)}
    assert set(told["clinc150"]) == set(CATEGORIES)
    assert set(told["goemotions"]) == set(told["unnamed"]) == set(CATEGORIES) - set(HEATED)
    assert not any(truth for known in told.values() for truth in known.values())
