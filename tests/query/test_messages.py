"""Messages: what an answer says where it does not answer is there in every language that has one of them."""

import json
from dataclasses import replace
from importlib.resources import files

from pipeline.query.answer import Answer, Coverage, Source
from pipeline.query.messages import message


def test_every_message_is_there_in_every_language_and_lists_what_it_is_given() -> None:
    texts = json.loads(files("pipeline.query").joinpath("messages.json").read_text("utf-8"))
    languages = set(texts["closest"])
    assert languages >= {"en", "de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ja", "ar"}
    for which in ("closest", "nothing", "foreign", "missing", "suggestion"):
        assert set(texts[which]) == languages
        for language in languages:
            assert ("Anna" in message(which, language, ("Anna",))) == (which in ("missing", "suggestion"))
    for heading in ("more", "sources", "passages_listed"):
        assert set(texts[heading]) == languages


def test_what_is_listed_below_an_answer_is_headed_in_the_language_of_the_question() -> None:
    source = Source(1, "x", "y", "a", "a.txt", 0, 5, "Ecco.", place="line 1")
    answer = Answer("Chi ha costruito il molo?", "basic", "Ecco. [1]", (source,), (), Coverage(1.0, ""), "answered")
    assert answer.sources_text().startswith("Fonti\n[1]") and "**Fonti**" in answer.to_markdown()


def test_passages_beside_an_answer_are_named_and_shown_in_full_on_demand() -> None:
    source = Source(1, "x", "y", "Harbour", "harbour.txt", 0, 5, "Ada built it.", place="line 1")
    other = Source(1, "z", "y", "Storms", "log.txt", 9, 20, "A storm came.", place="lines 3-4")
    answer = Answer("Who built it?", "basic", "Ada built it. [1]", (source,), (), Coverage(1.0, ""), closest=(other,))
    assert answer.sources_text().endswith("More passages:\n1. log.txt, lines 3-4: Storms")
    assert answer.sources_text(passages=True).endswith("More passages:\n\n1. log.txt, lines 3-4: Storms\nA storm came.")


def test_a_title_that_the_name_of_the_file_says_is_not_said_twice() -> None:
    letter = Source(1, "x", "y", "letter to Ada", "letter to Ada.docx", 0, 5, "Dear Ada", place="paragraph 1")
    assert letter.called == "letter to Ada.docx, paragraph 1"
    speech = replace(letter, title="1982 Jane Roe", file="1982_jane_roe.txt", quote="Dear friends, " * 20)
    assert speech.in_a_line.startswith("1982_jane_roe.txt, paragraph 1: Dear friends, Dear")
    assert speech.in_a_line.endswith("…")


def test_a_language_without_messages_is_answered_in_english() -> None:
    assert message("nothing", "und") == message("nothing", "en")
