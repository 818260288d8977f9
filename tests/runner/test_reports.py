"""What reports are written from: records with their doubts, and the name of what ties a community together from outside."""

import shutil
from pathlib import Path

import pytest

from pipeline.base.schema import CLAIMS
from pipeline.base.settings import parse_settings
from pipeline.base.store import Generation
from pipeline.base.tokens import Estimate
from pipeline.graph.contexts import Context, EvidencePiece, Kind
from pipeline.language.tasks.indexing.write_report import CommunityToReport, write_report
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.text.summary.report import Evidence
from tests.query_cases import sample
from workflows.shared import report_records
from workflows.shared.report_records import Shown, _claims, _shown, doubted, with_dates


def shown(generation: Generation) -> Shown:
    names = ("communities", "entities", "relationships", "claims", "entity_mentions", "aliases")
    return Shown(*map(generation.rows, names), Estimate())


def test_a_hub_is_outside_its_community_and_tied_to_half_of_it_at_least() -> None:
    generation = Index.open(sample()).generation
    title_of = {row["id"]: row["title"] for row in generation.table("entities").to_pylist()}
    members = {
        row["community"]: {title_of[id] for id in row["entity_ids"]}
        for row in generation.table("communities").to_pylist()
    }
    edges = [(row["source"], row["target"]) for row in generation.table("relationships").to_pylist()]
    records = shown(generation)
    hubs = {number: hub for level in range(records.n_levels) for number, hub in records.level(level).hubs.items()}
    assert hubs
    for number, hub in hubs.items():
        tied = {a if b == hub else b for a, b in edges if hub in (a, b)} & members[number]
        assert hub not in members[number] and len(tied) >= max(2, len(members[number]) / 2)


def test_a_report_is_asked_for_with_the_hub_named_once() -> None:
    request = CommunityToReport("x", (Evidence("e1", "entity", "Greg", "Told Ada of the demo.", 1.0),), "Ada")
    assert (
        "Half of these or more are related to Ada, on which there is another report.\n[e1] Greg: Told"
        in write_report.render(request, common={"language": "English"})[1]
    )
    alone = CommunityToReport("x", request.records)
    assert "another report" not in write_report.render(alone, common={"language": "English"})[1]


@pytest.mark.parametrize(
    ("description", "status", "quote"),
    [
        (
            "Refunds with Corvo carried the number of the invoice.",
            "FALSE",
            "refunds with Corvo never carried the number of the invoice",
        ),
        ("Die Verhandlungen fanden im Kontor statt.", "FALSE", "Die Verhandlungen fanden nicht im Kontor statt"),
        ("Ada Thorne sold the mole to the company.", "SUSPECTED", "Ada Thorne may have sold the mole to the company"),
        ("Ada Thorne neglected her work.", "FALSE", "the court found no fault in her"),
        (
            "Yorick Dahl did not want a woman in the crew.",
            "FALSE",
            "they really didn't want a woman in their crew. Not all of them, not Yorick",
        ),
    ],
)
def test_a_claim_that_states_what_the_text_denies_or_leaves_open_is_marked(
    description: str, status: str, quote: str
) -> None:
    marked = doubted(description, status, quote)
    assert marked.startswith(description) and quote in marked


def test_a_claim_in_words_that_say_no_themselves_is_not_marked() -> None:
    said = "The mole was not rebuilt after the storm."
    assert doubted(said, "FALSE", said) == said
    assert doubted("Ada Thorne never rebuilt it.", "FALSE", "She never rebuilt it.") == "Ada Thorne never rebuilt it."


def test_a_claim_that_a_model_worded_is_shown_with_the_dates_that_its_words_leave_out() -> None:
    quote = "Dilys rang at six"
    assert with_dates("Dilys rang Ada.", quote, "2024-07-06", "2024-07-06") == "Dilys rang Ada. (2024-07-06)"
    assert with_dates("Ada led it.", quote, "1871", "1874-02") == "Ada led it. (1871 to 1874-02)"
    said_so = "Dilys rang Ada in July 2024."
    assert with_dates(said_so, quote, "2024-07", None) == said_so, "the year is in it"
    assert with_dates("Dilys rang at six", quote, "2024-07-06", None) == "Dilys rang at six", (
        "words of the text stay as they are"
    )
    assert with_dates("Dilys rang Ada.", quote, None, None) == "Dilys rang Ada."


def test_a_claim_that_the_text_makes_is_never_shown_as_doubted() -> None:
    quote = "in that year she went to Carrow"
    table = CLAIMS.rows(
        [("id", "chunk", "Ada", None, "TRIP", "TRUE", "Ada went to Carrow.", "1871", "1871", quote, 0, len(quote))]
    )
    assert _claims(table)[1].to_pylist() == ["Ada went to Carrow. (1871)"]


def test_a_community_takes_over_the_report_on_the_part_that_has_nearly_all_of_its_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_records, "NEARLY_ALL", 0.5)
    shutil.copytree("input", tmp_path / "input")
    project = Project(tmp_path, parse_settings({"engine": {"workers": 1}}))
    run_index(project)
    generation = Index.open(project.store.folder).generation
    reports = {row["community"]: row for row in generation.table("community_reports").to_pylist()}
    members = {
        row["community"]: (set(row["entity_ids"]), row["parent"]) for row in generation.table("communities").to_pylist()
    }
    records = shown(generation)
    heirs = [
        pair
        for level in range(records.n_levels)
        for pair in records.heirs(level, records.level(level).elements).items()
    ]
    assert heirs
    for whole, part in heirs:
        assert members[part][0] < members[whole][0] and members[part][1] == whole
        assert reports[whole]["full_content"] == reports[part]["full_content"]
        assert reports[whole]["children_used"] == [part] and reports[whole]["id"] != reports[part]["id"]
    taken = {whole for whole, _ in heirs}
    own = [row["full_content"] for number, row in reports.items() if number not in taken]
    assert len(set(own)) == len(own)


def test_a_claim_that_two_chunks_make_in_the_same_words_is_shown_once() -> None:
    context = Context(0, [EvidencePiece(Kind.CLAIM, n) for n in range(3)], 0, 0, 0, [], 0)
    found = [
        iter([]),
        iter([]),
        iter([("a", "Ada", "Ada sold it."), ("b", "Ada", "Ada sold it."), ("c", "Ada", "No.")]),
        iter([]),
    ]
    evidence, rows = _shown(context, found, {})
    assert [one.text for one in evidence] == ["Ada sold it.", "No."] and rows == {"c1": "a", "c2": "c"}


def test_communities_of_few_records_or_without_a_relationship_inside_are_reported_on_without_a_call() -> None:
    generation = Index.open(sample()).generation
    records = shown(generation)
    settings = parse_settings({}).reports
    level = records.n_levels - 1
    few = records.few(level, records.level(level).elements, settings)
    labels = records.labels[level]
    tied = {int(labels[a]) for a, b in zip(records._source, records._target, strict=True) if labels[a] == labels[b]}
    numbers = {number for number in labels.tolist() if number >= 0}
    assert numbers - tied <= few < numbers
    assert {number for number in numbers if records.sizes[number] < settings.min_size} <= few
    none = settings.model_copy(update={"min_size": 1, "min_tokens": 0})
    assert records.few(level, records.level(level).elements, none) == numbers - tied
