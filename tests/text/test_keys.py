"""Keys of words: forms of a word have one, words that only look alike have not, and a compound meets its parts in part."""

import tracemalloc
from random import Random
from string import ascii_lowercase

import pytest

from pipeline.text.keys import BEGINNING, INSIDE, PARTLY, alike, key_of, keys_in_order, keys_of, meets


@pytest.mark.parametrize(
    ("forms", "language"),
    [
        ("city cities City", "en"),
        ("lose loses lost losing", "en"),
        ("stand stood stands", "en"),
        ("marry married marries", "en"),
        ("die died dying dies", "en"),
        ("woman women", "en"),
        ("live lives lived living life", "en"),
        ("Orléans Orleans ORLÉANS", "en"),
        ("Kontrolle Kontrollen", "de"),
        ("фабрика фабрики фабрику", "ru"),
        ("empfehlen empfiehlt empfahl empfohlen", "de"),
        ("aufnehmen aufnahm aufgenommen aufzunehmen", "de"),
        ("kaufen kaufte gekauft", "de"),
        ("öffnen öffnete geöffnet", "de"),
        ("Zustand Zustände", "de"),
        ("poner puso puesto", "es"),
        ("devolver devuelve devolvió devuelto", "es"),
        ("prendre prit pris prend", "fr"),
        ("scrivere scrisse scritto", "it"),
        ("descrivere descritto", "it"),
        ("писать написал пишет", "ru"),
        ("прийти пришёл приходит", "ru"),
        ("kopen kocht gekocht", "nl"),
        ("January Jan", "en"),
        ("Oktober Okt", "de"),
    ],
)
def test_forms_of_a_word_have_one_key(forms: str, language: str) -> None:
    assert len({key_of(form, language) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("words", "language"),
    [("Geschenk Geschehen", "de"), ("dedicar decir", "es"), ("indicare dire", "it"), ("député pouvoir", "fr")],
)
def test_what_looks_like_a_form_of_a_verb_and_is_none_keeps_its_key(words: str, language: str) -> None:
    assert len({key_of(word, language) for word in words.split()}) == 2


def test_words_that_only_look_alike_have_keys_of_their_own() -> None:
    words = "Paris pair king kin ring thing sea see VII VI found founded"
    assert len({key_of(word, "en") for word in words.split()}) == len(words.split())


def test_scripts_without_spaces_give_pairs_of_characters_in_order() -> None:
    assert keys_in_order("贞德被烧死", "zh") == ["贞德", "德被", "被烧", "烧死"]
    assert keys_of("贞德", "zh") == {"贞", "德", "贞德"}


def test_a_word_meets_its_forms_wholly_and_longer_words_in_part() -> None:
    def met(asked: str, said: str, language: str) -> float:
        return meets(key_of(asked, language), keys_of(said, language))

    assert met("battles", "The battle was lost.", "en") == 1
    assert met("execute", "Her executor came.", "en") == PARTLY
    assert met("Vertrag", "Der Mietvertrag endet.", "de") == INSIDE
    assert met("child", "Her childhood was short.", "en") == INSIDE
    assert met("war", "The weather was bad.", "en") == 0 and len("weather") > BEGINNING


def test_texts_that_differ_in_a_word_or_two_are_alike() -> None:
    letter = "Dear Ada, your order 17 was sent on Monday and will arrive on Friday."
    assert alike(keys_of(letter, "en"), keys_of(letter.replace("17", "23"), "en"))
    assert not alike(keys_of(letter, "en"), keys_of("The pump stood still for a week.", "en"))


def test_a_word_inside_another_of_which_it_is_nearly_all_is_no_part_of_it() -> None:
    assert meets("brother", keys_of("the other one", "en")) == 0.0
    assert meets("haus", keys_of("das Schulhaus", "de")) == 0.0  # too short to be sure of
    assert meets("kirch", keys_of("die Dorfkirche", "de")) > 0.0


def test_points_of_vowels_neither_cut_arabic_words_nor_make_others_of_them() -> None:
    assert keys_of("المعلّم في المطبعةِ", "ar") == keys_of("المعلم في المطبعة", "ar")


def test_a_word_of_hundreds_of_letters_meets_its_part_and_takes_no_memory_by_the_square_of_them() -> None:
    key = "".join(Random(1).choices(ascii_lowercase, k=700)) + "harbour"
    tracemalloc.start()
    met = meets(key, frozenset({"harbour", "mole"}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert met == INSIDE and peak < 1_000_000
