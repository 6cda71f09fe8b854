"""Sentences of a text that exists in many languages."""
from render.said import FRAMES, by_sentence, sentences


def test_sentences_end_where_they_end():
    assert sentences("He came at 3.30 p.m. She said: “No!” Why?") == ["He came at 3.30 p.m.", "She said: “No!”", "Why?"]
    assert sentences("雨です。傘は？「ある。」") == ["雨です。", "傘は？", "「ある。」"]
    assert sentences("One without an end") == ["One without an end"]


def test_a_language_with_another_number_of_sentences_is_left_out_and_a_long_sentence_too():
    said = by_sentence({"en": "It rains. Take a coat.", "de": "Es regnet. Nimm einen Mantel.", "fr": "Il pleut, prends un manteau."})
    assert said == [{"en": "It rains.", "de": "Es regnet."}, {"en": "Take a coat.", "de": "Nimm einen Mantel."}]
    assert by_sentence({"en": "a " * 200 + ". Short.", "de": "Lang. Kurz."}) == [{"en": "Short.", "de": "Kurz."}]


def test_every_frame_is_there_in_the_same_languages_and_takes_one_sentence():
    assert len({frozenset(frame) for frame in FRAMES}) == 1 and len(FRAMES[0]) == 16
    assert all(said.count("{}") == 1 and said.endswith("{}") for frame in FRAMES for said in frame.values())
