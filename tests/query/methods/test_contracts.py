"""Contracts, rules and manuals: what they define, who they name, and words in other forms than they have."""

from pathlib import Path

import pytest

from graphstrata import Index
from pipeline.runner.run import run_index
from tests.corpora import project

LEASE = """MIETVERTRAG

zwischen Frau Renate Hollmann (nachfolgend „Vermieterin“) und Herrn Jonas Petersen (nachfolgend „Mieter“)

§ 1 Mietgegenstand

(1) Vermietet wird die Wohnung im zweiten Obergeschoss.

(2) Dem Mieter werden drei Haustürschlüssel und ein Kellerschlüssel übergeben.

§ 2 Miete

(1) Die Grundmiete beträgt monatlich 690,00 Euro.

(2) „Betriebskosten“ sind die Kosten im Sinne des § 2 der Verordnung mit Ausnahme der Kosten des Aufzugs.

§ 3 Ende

Eine Kündigung ist erstmals zum 28. Februar 2026 zulässig. Die Kündigung bedarf der Schriftform.

§ 4 Ruhezeiten

Zwischen 13 und 15 Uhr ist Ruhe zu halten.
"""
MOORING = """HARBOUR RULES

1. Definitions

1.1. "Hire Boat" means a boat that is let for a day.

1.2. "Covered boat" means a boat with a roof.

2. Use of Boats

You may lend a Hire Boat to others. Each Hire Boat carries two lamps, and a covered boat three. Nobody takes a covered boat out in fog.

3. Later Changes

The council tells the tenants of covered boats when a rule changes.
"""


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("lease"), {"lease.txt": LEASE})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("rules"), {"rules.txt": MOORING})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Wann kann ich frühestens kündigen?", "Eine Kündigung ist erstmals zum 28. Februar 2026 zulässig."),
        ("Wie viele Schlüssel bekommen wir?", "(2) Dem Mieter werden drei Haustürschlüssel"),
        ("Wann ist Ruhezeit?", "Zwischen 13 und 15 Uhr ist Ruhe zu halten."),
    ],
)
def test_a_word_is_found_in_another_form_and_in_compounds(lease: Index, question: str, first: str) -> None:
    answer = lease.ask(question, "basic")
    assert answer.outcome == "answered" and answer.text.startswith(first) and not answer.missing


@pytest.mark.parametrize(
    ("question", "named"), [("Wer ist der Mieter?", "Jonas Petersen"), ("Wer ist die Vermieterin?", "Renate Hollmann")]
)
def test_who_is_given_a_name_in_brackets_bears_it(lease: Index, question: str, named: str) -> None:
    assert named in lease.ask(question, "basic").text.splitlines()[0]


def test_the_number_of_a_section_and_a_sum_of_something_else_are_no_price(lease: Index) -> None:
    assert lease.ask("Wie viel kostet der Aufzug?", "basic").outcome == "closest"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is a Hire Boat?", "means a boat that is let for a day."),
        ("What is a covered boat?", "means a boat with a roof."),
        ("What counts as covered boat?", "means a boat with a roof."),
    ],
)
def test_what_rules_define_is_answered_by_the_definition(rules: Index, question: str, says: str) -> None:
    answer = rules.ask(question)
    assert says in answer.text.splitlines()[0]
    assert answer.sources[0].quote.startswith(("1.", '"'))


CAKE = """Plum cake

Serves 8.

Ingredients
250 g flour
125 g butter
2 eggs
1 kg plums
a pinch of salt

Method
1. Rub the butter into the flour.
2. Beat the eggs and bake it all for 45 minutes.
"""


def test_lines_of_a_list_without_marks_are_printed_and_are_no_headings(tmp_path: Path) -> None:
    made = project(tmp_path, {"Plum cake.txt": CAKE, "menu.md": "# Menu\n\nNext year Vera makes the goose.\n"})
    run_index(made)
    index = Index.open(made.store.folder)
    assert "125 g butter" in index.ask("How much butter goes into the plum cake?", "basic").text
    assert "2 eggs" in index.ask("How many eggs are in the plum cake?", "basic").text
    assert index.ask("How do I make pancakes?", "basic").outcome != "answered"
