"""Lists that answer without a model: the largest sums by the sentences that name them, what happened by the day."""

from pathlib import Path

import pytest

from pipeline.query.index import Index
from pipeline.query.lookups.listings import sums_in
from tests.corpora import indexed


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("The boiler cost £1,240.50, the pump £86.", "en", [1240.5, 86.0]),
        ("The loan was 2.5 million euros.", "en", [2_500_000.0]),
        ("Das Dach kostete 12.400 € und 3,50 EUR Porto.", "de", [12400.0, 3.5]),
        ("It rose by $3k in 2024, and 40 people came.", "en", [3000.0]),
        ("修理に3万円かかった。", "ja", [30000.0]),
    ],
)
def test_sums_are_numbers_beside_a_currency_with_what_they_are_multiplied_by(
    text: str, language: str, values: list[float]
) -> None:
    assert [one.value for one in sums_in(text, language)] == values


def test_the_largest_costs_are_listed_first_each_with_the_sentence_that_names_it(tmp_path: Path) -> None:
    sums = {
        "boiler": 1240,
        "roof": 8400,
        "pump": 86,
        "mill wheel": 3975,
        "fence": 310,
        "barge": 2600,
        "oven": 540,
        "gate": 95,
    }
    texts = {
        f"{thing}.txt": f"The {thing} was old. The {thing} cost £{value:,} in all." for thing, value in sums.items()
    }
    answer = Index.open(indexed(tmp_path, texts).store.folder).ask("What cost the most?", "auto")
    assert answer.method.startswith("global") and answer.outcome == "answered"
    assert "sums of money" in answer.coverage.description
    order = [thing for thing in sorted(sums, key=sums.__getitem__, reverse=True) if f"The {thing} cost" in answer.text]
    assert order[:3] == ["roof", "mill wheel", "barge"]
    places = [answer.text.index(f"The {thing} cost") for thing in order]
    assert places == sorted(places)


def test_what_happened_is_told_in_the_order_of_the_days_within_those_asked_for(tmp_path: Path) -> None:
    said = (
        "On 3 March 2021 the council closed the old lock. Nobody was pleased.",
        "The new bridge was opened on 12 June 2022 by the mayor of Corvo.",
        "On 9 January 2022 the ferry Lark was sold to a yard in Voe.",
        "The flood of 2 November 2019 took the quay away.",
    )
    texts = {f"{place}.txt": text for place, text in enumerate(said)}
    index = Index.open(indexed(tmp_path, texts).store.folder)
    text = index.ask("Give me a timeline", "auto").text
    told = [
        text.index(part)
        for part in ("took the quay", "closed the old lock", "ferry Lark was sold", "bridge was opened")
    ]
    assert told == sorted(told)
    within = index.ask("What happened in 2022?", "auto").text
    assert "ferry Lark" in within and "bridge" in within and "quay" not in within and "lock" not in within
