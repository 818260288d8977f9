"""What reads as a sentence: decided by its end alone, without going back over a long list of names."""

import pytest

from graphstrata import build
from pipeline.language.tasks.indexing.extract_graph import as_statement, is_statement


@pytest.mark.parametrize(
    "text", ["Joan came.", "Did she come?", 'He said: "No."', "她死了。", "Ann, Bob, Cid, " * 5000 + "Dan."]
)
def test_a_sentence_ends_as_sentences_do(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize("text", ["Early life", "# .", "...", "", "Ann Bob, " * 20_000])
def test_headings_marks_and_lists_are_no_statements(text: str) -> None:
    assert not is_statement(text)


@pytest.mark.parametrize(
    ("written", "stated"),
    [
        ("**Anwesend:** Karin Vogt\n**Gast:** Jörg Lehmann", "**Anwesend:** Karin Vogt **Gast:** Jörg Lehmann."),
        ("* **Beschluss:** Der Antrag wird abgelehnt.", "**Beschluss:** Der Antrag wird abgelehnt."),
        ("- The mole.", "The mole."),
        ("## **The west mole**", "The west mole."),
        ("**Karin Vogt leads the club.", "Karin Vogt leads the club."),
        ("*Carrow* is a port.", "*Carrow* is a port."),
        ("== Early life", "Early life."),
        ("***", ""),
    ],
)
def test_a_statement_begins_with_no_half_of_a_mark(written: str, stated: str) -> None:
    assert as_statement(written) == stated


def test_an_answer_of_local_search_begins_with_no_half_of_a_mark() -> None:
    club = build(
        {
            "a.md": "# Protokoll\n\n**Verein:** Elbtal\n**Anwesend:** Karin Vogt, Thomas Brandt\n**Gast:** Jörg Lehmann\n\n"
            "Thomas Brandt berichtet. Jörg Lehmann ist dagegen."
        }
    )
    assert club.ask("Wie hängen Karin Vogt und Thomas Brandt zusammen?", "local").text.startswith("**Anwesend:** Karin")
