"""Russian names of people, brought to the nominative."""

import pytest

from pipeline.text.lexicon.russian import nominative


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("павла львовича звягина", "павел львович звягин"),
        ("звягина павла львовича", "павел львович звягин"),
        ("зинаидой степановной лапшиной", "зинаида степановна лапшина"),
        ("эммой густавовной", "эмма густавовна"),
        ("фёдору достоевскому", "фёдор достоевский"),
        ("анны карениной", "анна каренина"),
        ("вера аркадьевна", "вера аркадьевна"),
        ("лысом увале", "лысом увале"),
        ("joan of arc", "joan of arc"),
    ],
)
def test_a_name_in_a_case_becomes_the_nominative_and_another_stays(name: str, expected: str) -> None:
    assert nominative(name) == expected
