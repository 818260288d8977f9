"""Sections by their numbers: what is asked of "section 4.1" is answered by that section, whole, and by nothing else."""

import re
from pathlib import Path

import pytest

from graphstrata import Index
from pipeline.base.task import Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.answer_from_passages import PassagesToAnswer
from pipeline.query.lookups.sections import asked_section
from pipeline.runner.run import run_index
from pipeline.text.question.reading import read_question
from tests.corpora import indexed, project
from tests.scripted_backend import ScriptedBackend

RULES = """HARBOUR RULES

1. Moorings

  1.1. Fees

   The board may:

    1. Set the fees; see
       §1.2. for how.
    2. Waive a fee in hardship.

  1.2. Procedure

    1. The board meets in March.
    2. It votes by a show of hands.

2. Slipway

The slipway is closed at night. A key is kept at the office.
"""
LEASE = """Mietvertrag

§ 1 Mietgegenstand

Vermietet wird die Wohnung im zweiten Stock.

§ 2 Miete

Die Miete beträgt 690 Euro. Sie ist im Voraus zu zahlen.
"""
STATUTES = """# Statuts

Art. 1. L'association se nomme Les Rameurs.

Art. 2. Le siège est à Nantes. Il peut être déplacé.

Art. 3. La cotisation est de 30 euros.
"""
CHARTER = "章程\n\n第一条 本会名为桨手会。\n\n第二条 会址设在宁波。\n\n第三条 会费三十元。\n"
SUPPLY = """SUPPLY AGREEMENT

between Moor Fisheries and Maison Ardent

3. Goods
3.1 The seller sells cod, see clause
5.2 of the tariff.
3.2 The buyer notes defects:
1. by letter
2. by telephone
3. in person
3.3.1 Lots below a ton are free of charge.
3.4 Lots above are not.

4. Delivery
4.1 Orders are sent on Tuesday.
4.2 A late day costs half a percent.
"""
NOTES = "# Weekly notes\n\n## 4. Tea\n\nThe tea for Maison Ardent is cold.\n"
LICENCE = (
    "4. Terms\n\n"
    + "".join(f"The tenant of berth {i} pays by the first of the month. \n\n" for i in range(80))
    + ("5. Notices\n\n" + "".join(f"Notice {i} is sent to the office of the harbour by post.\n\n" for i in range(150)))
)
"""Two sections, each longer than a chunk, and the second longer than what is printed."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = {
        "rules.txt": RULES,
        "mietvertrag.txt": LEASE,
        "statuts.md": STATUTES,
        "章程.txt": CHARTER,
        "licence.txt": LICENCE,
        "moor_ardent.txt": SUPPLY,
        "notes.md": NOTES,
    }
    made = project(tmp_path_factory.mktemp("rules"), texts)
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("question", "says", "not_said"),
    [
        ("What does section 1.1 say?", ["1.1. Fees", "The board may:", "Set the fees", "Waive a fee"], ["March"]),
        ("What does section 1.2 of the rules say?", ["meets in March", "show of hands"], ["Waive"]),
        ("What is in chapter 1 of the rules?", ["Waive a fee", "1.2. Procedure", "meets in March"], ["slipway"]),
        (
            "Was steht in § 2 des Mietvertrags?",
            ["§ 2 Miete", "690 Euro", "im Voraus"],
            ["Wohnung", "Nantes", "slipway"],
        ),
        ("Que dit l'article 2 des statuts ?", ["Le siège est à Nantes. ", "déplacé"], ["cotisation", "690"]),
        ("第二条规定了什么？", ["会址设在宁波"], ["会费"]),
        ("What does section 4.2 say?", ["half a percent"], ["Tuesday", "tea"]),
        ("What does clause 3.1 say?", ["sells cod, see clause 5.2 of the tariff."], ["defects"]),
        ("Was steht in Ziffer 3.2 des Vertrags?", ["defects", "by letter", "in person"], ["Lots"]),
        ("Que dit la clause 3.3.1 du contrat ?", ["Lots below a ton"], ["Lots above"]),
        ("¿Qué dice la cláusula 3.4 del acuerdo?", ["Lots above"], ["Lots below", "Tuesday"]),
        ("Cosa prevede l'articolo 4.1 del contratto?", ["on Tuesday"], ["half a percent"]),
        ("Что говорится в пункте 4.2 договора?", ["half a percent"], ["Tuesday"]),
        ("What does section 4 of the contract say?", ["on Tuesday", "half a percent"], ["tea"]),
        ("What does section 4 of the Ardent contract say?", ["on Tuesday", "half a percent"], ["tea"]),
    ],
)
def test_a_section_is_read_out_whole_and_alone(
    rules: Index, question: str, says: list[str], not_said: list[str]
) -> None:
    answer = rules.ask(question, "basic")
    assert answer.outcome == "answered" and answer.supported
    assert [one for one in says if one.strip() not in answer.text] == []
    assert [one for one in not_said if one in answer.text] == []


def test_the_same_number_in_several_documents_is_read_out_of_each_with_its_title(rules: Index) -> None:
    answer = rules.ask("What does section 2 say?", "basic")
    assert "slipway is closed" in answer.text and "690 Euro" in answer.text and "Nantes" in answer.text
    assert {"Rules", "Mietvertrag"} <= {one.note for one in answer.sentences}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does section 2.1 say?", ["2.1 The fee is 90 euros.", "2.1 Work ends at four."]),
        (
            "What does section 2 say?",
            ["**2. Price**", "2.1 The fee is 90 euros.", "**2. Hours**", "2.1 Work ends at four."],
        ),
    ],
)
def test_of_a_document_whose_parts_are_numbered_each_by_itself_the_sections_of_all_are_read_out(
    tmp_path: Path, question: str, expected: list[str]
) -> None:
    text = "# Contract\n\n## 2. Price\n\n2.1 The fee is 90 euros.\n\n## Annex A\n\n### 2. Hours\n\n2.1 Work ends at four.\n"
    answer = Index.open(indexed(tmp_path, {"contract.md": text}).store.folder).ask(question, "basic")
    said = [line.partition(" [")[0] for line in answer.text.splitlines() if line and line != "**Contract**"]
    assert said == expected


CHANGES = """# Changelog

## [2.1.0] - 2023-11-02

### Removed

- Dropped support for PostgreSQL 12.

### Added

- TLS on every port.

## 2.0.0 - 2023-03-20

- New parser in C.
"""


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What changed in 2.0.0?", ["- New parser in C."]),
        ("What was dropped in 2.0.0?", ["- New parser in C."]),
        (
            "What is new in version 2.1?",
            ["### Removed", "- Dropped support for PostgreSQL 12.", "### Added", "- TLS on every port."],
        ),
        ("Was ist neu in Version 2.0?", ["- New parser in C."]),
    ],
)
def test_what_a_version_brought_is_its_section_of_the_change_log(
    tmp_path: Path, question: str, says: list[str]
) -> None:
    answer = Index.open(indexed(tmp_path, {"changes.md": CHANGES}).store.folder).ask(question, "basic")
    lines = [line.partition(" [")[0] for line in answer.text.splitlines()]
    assert lines[1:] == says and lines[0].startswith("**") and answer.supported


@pytest.mark.parametrize("question", ["When was 2.1.0 released?", "When did 2.1 come out?"])
def test_the_day_of_a_version_is_told_by_its_heading_and_of_no_other(tmp_path: Path, question: str) -> None:
    answer = Index.open(indexed(tmp_path, {"changes.md": CHANGES}).store.folder).ask(question, "basic")
    assert answer.supported and answer.text.startswith("## [2.1.0] - 2023-11-02 [1]") and "parser" not in answer.text


def test_a_section_longer_than_its_chunks_is_read_out_whole_and_nothing_of_it_twice(rules: Index) -> None:
    answer = rules.ask("What does section 4 of the licence say?", "basic")
    berths = [int(number) for number in re.findall(r"berth (\d+) pays", answer.text)]
    assert berths == list(range(80))
    assert "Notice" not in answer.text and answer.coverage.share == 1


def test_of_a_clause_that_no_chunk_has_whole_nothing_is_printed_twice(tmp_path: Path) -> None:
    clause = f"Section 4 The tenant pays {' and '.join(f'fee {i}' for i in range(60))}"
    made = project(
        tmp_path,
        {"lease.txt": f"A lease.\n\n{clause}\n\nSection 5 Other matters.\n"},
        chunks={"size": 60, "overlap": 15},
    )
    run_index(made)
    answer = Index.open(made.store.folder).ask("What does section 4 say?", "basic")
    assert [int(number) for number in re.findall(r"fee (\d+)", answer.text)] == list(range(60))


def test_what_opens_a_line_of_code_opens_no_section(tmp_path: Path) -> None:
    text = "A lease:\n\n```text\nSection 4 The tenant pays rent.\n\nSection 5 The end.\n```\n\nThat is all.\n"
    made = project(tmp_path, {"lease.md": text})
    run_index(made)
    answer = Index.open(made.store.folder).ask("What does section 4 say?", "basic")
    assert not answer.text.startswith("**") and "The tenant pays rent." in answer.text


def test_how_much_of_a_section_too_long_to_print_is_printed_is_said(rules: Index) -> None:
    answer = rules.ask("What does section 5 of the licence say?", "basic")
    printed = answer.text.count("by post")
    assert 50 < printed < 150 and answer.coverage.share == printed / 150
    assert f"the first {printed} of 150 sentences and items are printed" in answer.coverage.description


def test_a_model_is_given_every_chunk_of_a_section(rules: Index) -> None:
    backend = ScriptedBackend({"answer_from_passages": lambda request: Prose(text="")})
    rules.ask(
        "What does section 5 of the licence say?",
        "basic",
        language=LanguageService(OfflineBackend(), Ledger(), backend),
    )
    given = next(request for name, request in backend.asked if name == "answer_from_passages")
    assert isinstance(given, PassagesToAnswer)
    shown = " ".join(passage.text for passage in given.passages)
    assert [i for i in range(150) if f"Notice {i} is sent" not in shown] == []


@pytest.mark.parametrize(
    "question",
    [
        "What does section 9 say?",
        "What does section 2 say about fees?",
        "What does clause 5.2 say?",
        "What does section 4.2 of the Talbot contract say?",
    ],
)
def test_what_is_no_section_of_the_texts_or_more_than_its_number_is_searched_for(rules: Index, question: str) -> None:
    assert " section" not in rules.ask(question, "basic").coverage.description


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What is article IV about?", "IV"),
        ("What does section A.2.1 say?", "A.2.1"),
        ("Was regelt § 12a?", "12a"),
        ("¿Qué dice la cláusula 7?", "7"),
        ("Cosa prevede l'articolo 3?", "3"),
        ("Что говорится в статье 5?", "5"),
        ("第5条には何が書かれていますか？", "5"),
    ],
)
def test_sections_are_asked_for_in_many_languages(question: str, number: str) -> None:
    asked = asked_section(read_question(question))
    assert asked is not None and (asked.number, asked.rest) == (number, "")


@pytest.mark.parametrize("question", ["How do sections 3 and 4 differ? See section 3 and section 4.", "Who is Ada?"])
def test_two_sections_or_none_are_no_question_for_one(question: str) -> None:
    assert asked_section(read_question(question)) is None


CLAUSES = {"acme": "Liability is limited to 10,000 euros.", "beta": "Liability is unlimited."}


def second_section(folder: Path, texts: dict[str, str]) -> str:
    """Return what is said to be section 2 of some texts, with its notes."""
    made = project(folder, texts)
    run_index(made)
    return Index.open(made.store.folder).ask("What does section 2 say?").text_with_notes


def test_sections_of_one_heading_are_each_attributed_to_their_own_document(tmp_path: Path) -> None:
    texts = {f"{name}.txt": f"1. Term\n\nTwo years.\n\n2. Liability\n\n{said}\n" for name, said in CLAUSES.items()}
    assert second_section(tmp_path, texts) == (
        "**2. Liability** (Acme)\nLiability is limited to 10,000 euros. [1]\n\n"
        "**2. Liability** (Beta)\nLiability is unlimited. [2]"
    )


def test_sections_of_documents_of_one_title_are_told_apart_by_their_files(tmp_path: Path) -> None:
    texts = {f"{name}.md": f"# Agreement\n\n## 2. Liability\n\n{said}\n" for name, said in CLAUSES.items()}
    text = second_section(tmp_path, texts)
    assert "**2. Liability** (Agreement, acme.md)\nLiability is limited" in text
    assert "**2. Liability** (Agreement, beta.md)\nLiability is unlimited" in text


LOG = """# Changes

## 2.0 (May)

### Fixed

- The buoy no longer sinks in rough seas.

## v1.1.3

- The lamp blinks twice at night.
- A new horn was added to it.
- The anchor was made heavier again.

## 1.0

First release of the buoy for lakes.
"""
UNDERLINED = """Changelog
=========

2.0 (May)
---------

- The buoy no longer sinks in rough seas.

1.1.3
-----

- The lamp blinks twice at night.

1.0
---

- First release of the buoy for lakes.
"""
GUIDE = "# Guide\n\nOver the versions of the chart nothing changed. The lamp is oiled every year.\n"


@pytest.fixture(scope="module", params=[LOG, UNDERLINED], ids=["marked", "underlined"])
def buoy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("buoy"), {"CHANGELOG.md": request.param, "guide.md": GUIDE})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("What changed over the versions?", ["2.0 (May)", "1.1.3", "1.0"]),
        ("what has changed over time", ["2.0 (May)", "1.1.3", "1.0"]),
        ("Was hat sich über die Versionen geändert?", ["2.0 (May)", "1.1.3", "1.0"]),
        ("What changed between 1.0 and 2.0?", ["2.0 (May)", "1.1.3"]),
        ("What is new since 1.1?", ["2.0 (May)", "1.1.3"]),
    ],
)
def test_what_changed_from_version_to_version_is_told_by_the_headings_of_the_change_log(
    buoy: Index, question: str, headings: list[str]
) -> None:
    answer = buoy.ask(question)
    shown = [line.strip("*").removeprefix("v") for line in answer.text.splitlines() if line.startswith("**")]
    assert shown == headings
    assert "nothing changed" not in answer.text and "no longer sinks" in answer.text


def test_of_a_version_that_the_change_log_does_not_have_nothing_is_told(buoy: Index) -> None:
    assert "**" not in buoy.ask("What changed between 1.0 and 3.0?").text
