from random import Random

from lexicon import FOLDER, Lexicon, read


def test_a_word_stands_once_with_all_that_it_means(tmp_path):
    (tmp_path / "fi.tsv").write_text("kuusi\tsix\nkuusi\tspruce\ntalo\thouse\n", encoding="utf8")
    assert [(w.spelt, w.meanings) for w in read(tmp_path / "fi.tsv")] == [("kuusi", ["six", "spruce"]), ("talo", ["house"])]


def test_every_language_is_drawn():
    lexicon = Lexicon()
    assert len(lexicon.by) == len(list(FOLDER.glob("*.tsv"))) > 55
    drawn = {word.spelt for word in lexicon.draw(4000, Random(1))}
    assert len(drawn) > 3500 and all(drawn & {word.spelt for word in pile} for pile in lexicon.by.values())
