"""What a run draws, and what of the model it trains."""
from collections import Counter
from random import Random
from types import SimpleNamespace

import torch

from branches.decider import Decider
from corpus import Corpus
from mixture import Balanced, Mixture
from parameters import narrow, trained
from render.labelled import Labelled


def test_rare_labels_come_more_often_and_no_row_does_by_far():
    rows = [{"label": "against", "n": i} for i in range(900)] + [{"label": ["favour"], "n": i} for i in range(100)] + [{"label": "unsure", "n": 0}]
    drawn = lambda share: Counter(str(row["label"]) for row in (draw() for draw in [Balanced(rows, "label", share, Random(1)).draw] * 9009))
    assert drawn(0)["against"] > 7500 and 800 < drawn(0)["['favour']"] < 1200
    even = drawn(1)
    assert abs(even["against"] - even["['favour']"]) < 500
    assert even["unsure"] < 9009 / 50
    assert Counter(row["n"] for row in (draw() for draw in [Balanced(rows[:900], "label", .75, Random(2)).draw] * 1800)).most_common(1)[0][1] == 2


def test_every_source_gets_its_share_and_the_sets_what_is_left():
    sets = [{"id": "tone", "family": "c-sentiment", "tasks": [{"type": "yes_no", "field": "label", "questions": ["Is it kind?"], "labels": {"yes": None, "no": None}}]}]
    corpus = Corpus(sets, train={"tone": [{"set": "tone", "lang": "en", "text": "labelled", "label": "yes"}, {"set": "tone", "lang": "en", "text": "labelled", "label": "no"}]},
                    moderated=[{"lang": "en", "text": "moderated", "categories": ["violence"]}])
    corpus.written["train"] = [{"lang": "en", "state": "written", "questions": [{"type": "noul", "q": "Is it?", "a": True}]}]
    pack = lambda text, questions, tags, most: SimpleNamespace(text=next(kind for kind in ("labelled", "moderated", "written") if kind in text))
    shares = {"written": .3, "templates": 0, "moderated": .2, "ordinary": .25, "small": .25, "long": 0}
    rows = Mixture(corpus, pack, Labelled(sets), shares, 1, {}, 3).rows()
    drawn = Counter(next(rows).text for _ in range(3000))
    assert abs(drawn["written"] - 900) < 120 and abs(drawn["moderated"] - 600) < 100 and abs(drawn["labelled"] - 1500) < 150


def test_a_teacher_is_not_told_of_sets_that_it_answers_worse_than_their_labels():
    small = [{"set": name, "lang": lang, "kind": "choice", "questions": ["Which?"], "labels": {"one": None, "other": None}, "rows": [[f"{name} {lang}", "one"]]}
             for name, lang in (("stance-of-posts", "en"), ("topic-of-posts", "en"), ("topic-of-posts", "de"))]
    corpus = Corpus([{"id": "none", "family": "c-sentiment", "tasks": []}])
    corpus.small["train"] = small
    pack = lambda text, questions, tags, most: SimpleNamespace(text=text, of=None)
    rows = Mixture(corpus, pack, Labelled(corpus.sets), {"small": 1, "long": 0}, 1, {}, 3, untold=("stance-",)).rows()
    told = {(next(name for name in ("stance", "topic") if name in row.text), "de" in row.text.split("posts")[1][:4]): row.of is not None for row in (next(rows) for _ in range(60))}
    assert told == {("stance", False): False, ("topic", False): True, ("topic", True): False}


def test_a_narrow_run_leaves_every_matrix():
    torch.manual_seed(1)
    model = Decider(torch.nn.Embedding(50, 384), 2)
    before = {k: v.clone() for k, v in trained(model).items()}
    narrow(model)
    learning = [p for p in model.parameters() if p.requires_grad]
    with torch.no_grad():
        for p in learning: p.add_(1)
    changed = {k for k, v in trained(model).items() if not torch.equal(v, before[k])}
    assert {"encoder.layers.1.q.bias", "encoder.layers.0.n2.weight", "gate.weight", "score.bias", "peers.0.n1.weight", "level.weight"} <= changed
    assert not changed & {"encoder.layers.1.q.weight", "encoder.positions.weight", "view.weight", "peers.1.up.weight"}
    assert sum(p.numel() for p in learning) < 40_000
