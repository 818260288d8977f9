"""An index of Microsoft GraphRAG becomes one of ours: nothing is lost in silence, and our own verify finds no fault."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.errors import InputError
from pipeline.base.settings import Settings
from pipeline.base.store import Generation, Store
from pipeline.base.tokens import Estimate
from pipeline.cli.commands.exchange_commands import import_index
from pipeline.exchange.microsoft.read import Imported, Stages, import_microsoft
from pipeline.exchange.microsoft.write import export_microsoft
from pipeline.exchange.verify.verify import verify
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.query.index import Index
from pipeline.query.registry import SEARCHES
from pipeline.resolution.corrections import Corrections, Merge, Rename
from pipeline.resolution.corrections_file import CORRECTIONS_FILE, write_corrections
from pipeline.runner.run import run_index
from pipeline.runner.status import project_status
from tests.corpora import project
from tests.exchange_cases import SAMPLE, Row, alter, copy_of, make_index, microsoft_folder, opened
from workflows.stages import (
    annotate_sentences,
    embed,
    extract_facts,
    index_passages,
    lay_out_map,
    resolve_names,
    write_reports,
)

pytestmark = pytest.mark.long

STAGES = Stages(annotate_sentences, resolve_names, extract_facts, lay_out_map, write_reports, index_passages, embed)
sample = pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample index of Microsoft GraphRAG is not here")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_index(tmp_path_factory.mktemp("original"))


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return microsoft_folder(original, tmp_path / "microsoft")


@pytest.fixture(scope="module")
def imported_sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Imported, Path]:
    if not SAMPLE.is_dir():
        pytest.skip("the sample index of Microsoft GraphRAG is not here")
    output = tmp_path_factory.mktemp("sample") / "output"
    return bring_in(SAMPLE, output), output


@pytest.fixture(scope="module")
def index_of_sample(imported_sample: tuple[Imported, Path]) -> Index:
    return Index.open(imported_sample[1], Settings())


def bring_in(folder: Path, output: Path) -> Imported:
    with closing(LanguageService(OfflineBackend(), Ledger())) as service:
        return import_microsoft(folder, Store(output), Settings(), Estimate(), service, STAGES)


def good(output: Path) -> Generation:
    kind, checks = verify(output)
    assert kind == "graphstrata" and [check for check in checks if check.faults] == []
    return opened(output)


def counted(imported: Imported, words: str) -> int:
    return sum(int(line.split(" ", 1)[0]) for line in imported.notes if words in line)


def column(generation: Generation, table: str, name: str) -> list[Any]:
    found: list[Any] = generation.table(table)[name].to_pylist()
    return found


def test_what_was_exported_comes_back_as_it_was(original: Path, folder: Path, tmp_path: Path) -> None:
    bring_in(folder, tmp_path / "output")
    back, before = good(tmp_path / "output"), opened(original)
    for table in ("chunks", "entities", "relationships", "claims", "communities", "community_reports"):
        assert back.rows(table).num_rows == before.rows(table).num_rows, table
    for table, name in (
        ("chunks", "text"),
        ("entities", "title"),
        ("entities", "frequency"),
        ("relationships", "weight"),
    ):
        assert column(back, table, name) == column(before, table, name)
    assert column(back, "relationships", "id") == column(before, "relationships", "id")
    assert column(back, "communities", "id") == column(before, "communities", "id")
    for name in ("title", "summary", "rank", "full_content", "edges_owned"):
        assert column(back, "community_reports", name) == column(before, "community_reports", name)
    for name in ("findings", "summary_citations"):  # the ids in them are new where they hash a chunk's id
        counts = [[len(value) for value in column(index, "community_reports", name)] for index in (back, before)]
        assert counts[0] == counts[1]


def test_the_same_folder_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    hashes = []
    for name in ("one", "two"):
        bring_in(folder, tmp_path / name)
        entries = opened(tmp_path / name).manifest.tables
        hashes.append({table: entry.hash for table, entry in entries.items()})
    assert hashes[0] == hashes[1]


def test_the_sample_comes_in_whole_and_has_no_fault(imported_sample: tuple[Imported, Path]) -> None:
    imported, output = imported_sample
    good(output)
    assert imported.rows["documents"] == 1 and imported.rows["chunks"] == 42
    assert imported.rows["relationships"] == 935 and counted(imported, "relationships of a pair") == 43
    assert imported.rows["claims"] == 381 and counted(imported, "claims without a subject") == 25
    assert imported.rows["entities"] == 529 + counted(imported, "entities that only")
    assert counted(imported, "entities without a community") == 25 + counted(imported, "entities that only")


def test_all_reports_of_the_sample_are_kept_word_for_word_but_for_the_numbers_they_cite(
    imported_sample: tuple[Imported, Path],
) -> None:
    imported, output = imported_sample
    reports = opened(output).table("community_reports").to_pylist()
    kept = [row for row in reports if row["written_by"] == "model"]
    assert len(kept) == 122 and len(reports) - 122 == counted(imported, "communities without a report")
    assert "[Data:" not in "".join(row["full_content"] for row in reports)
    assert sum(len(found["citations"]) for row in kept for found in row["findings"]) > 3000
    assert counted(imported, "citations of rows that are not there") == 9
    assert counted(imported, "citations of rows outside the community") == 52 - 9 + 471


@pytest.mark.parametrize("method", SEARCHES)
def test_every_search_method_answers_from_the_sample(method: str, index_of_sample: Index) -> None:
    answer = index_of_sample.ask("What did Jacob Marley wear, and who was Bob Cratchit?", method)
    assert answer.text and answer.steps


def drop_entity(rows: list[Row], n: int = 1) -> list[Row]:
    """Take the first entities out of every community."""
    lost = set(rows[0]["entity_ids"][:n])
    return [row | {"entity_ids": [id for id in row["entity_ids"] if id not in lost]} for row in rows]


def test_entities_without_a_community_get_one_of_their_own_with_a_report(folder: Path, tmp_path: Path) -> None:
    alter(folder, "communities", drop_entity)
    imported = bring_in(folder, tmp_path / "output")
    generation = good(tmp_path / "output")
    assert counted(imported, "entities without a community") == 1
    assert counted(imported, "communities without a report: written") >= 1
    assert column(generation, "community_reports", "written_by").count("offline") >= 1


def test_members_that_no_part_of_their_community_has_become_one_more_part(folder: Path, tmp_path: Path) -> None:
    def how(rows: list[Row]) -> list[Row]:
        child = next(row for row in rows if row["level"] == 1 and row["size"] > 1)
        child["entity_ids"] = child["entity_ids"][1:]
        return rows

    alter(folder, "communities", how)
    imported = bring_in(folder, tmp_path / "output")
    good(tmp_path / "output")
    assert counted(imported, "communities whose parts did not hold all") == 1


def test_a_member_in_two_communities_of_a_level_stays_in_one(folder: Path, tmp_path: Path) -> None:
    def how(rows: list[Row]) -> list[Row]:
        one, two, *_ = [row for row in rows if row["level"] == 0]
        two["entity_ids"] = [*two["entity_ids"], *one["entity_ids"]]
        return rows

    alter(folder, "communities", how)
    imported = bring_in(folder, tmp_path / "output")
    good(tmp_path / "output")
    assert counted(imported, "members of a community that are in another") > 0


def test_rows_of_one_title_become_one_entity_and_reversed_pairs_one_relationship(folder: Path, tmp_path: Path) -> None:
    before = opened_rows(folder, "relationships")
    alter(folder, "entities", lambda rows: [*rows, rows[0] | {"id": "again", "title": rows[0]["title"].upper()}])
    alter(
        folder,
        "relationships",
        lambda rows: [*rows, rows[0] | {"id": "r", "source": rows[0]["target"], "target": rows[0]["source"]}],
    )
    imported = bring_in(folder, tmp_path / "output")
    generation = good(tmp_path / "output")
    assert counted(imported, "entities of a title that another row has") == 1
    weights = {ends(row): row["weight"] for row in generation.table("relationships").to_pylist()}
    assert len(weights) == len(before)
    assert weights[ends(before[0])] == pytest.approx(2 * before[0]["weight"])


def ends(row: Row) -> frozenset[str]:
    return frozenset({row["source"].lower(), row["target"].lower()})


def opened_rows(folder: Path, name: str) -> list[Row]:
    import pyarrow.parquet as pq

    rows: list[Row] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


def test_ends_and_subjects_that_are_no_entity_become_entities_of_the_chunks_that_name_them(
    folder: Path, tmp_path: Path
) -> None:
    def edges(rows: list[Row]) -> list[Row]:
        return [*rows, rows[0] | {"id": "x", "source": "NOBODY KNOWN", "weight": 7.0}]

    def claims(rows: list[Row]) -> list[Row]:
        return [*rows, rows[0] | {"id": "x", "subject_id": "ANOTHER ONE", "object_id": "THE THIRD"}]

    alter(folder, "relationships", edges)
    alter(folder, "covariates", claims)
    imported = bring_in(folder, tmp_path / "output")
    generation = good(tmp_path / "output")
    assert {"NOBODY KNOWN", "ANOTHER ONE"} <= set(column(generation, "entities", "title"))
    assert counted(imported, "entities that only relationships mention") == 1
    assert counted(imported, "claims whose object is no entity") == 1


@pytest.mark.parametrize("order", [1, -1])
def test_the_description_of_an_entity_without_a_text_unit_is_kept_when_something_else_mentions_it(
    order: int, folder: Path, tmp_path: Path
) -> None:
    def how(rows: list[Row]) -> list[Row]:
        duplicate = rows[0] | {"id": "x", "text_unit_ids": [], "description": "Mentioned nowhere."}
        return [duplicate, *rows][::order]

    alter(folder, "entities", how)
    bring_in(folder, tmp_path / "output")
    described = [
        row
        for row in good(tmp_path / "output").table("entities").to_pylist()
        if "Mentioned nowhere." in row["description"]
    ]
    assert len(described) == 1


def test_text_units_are_found_behind_prepended_lines_and_other_white_space(folder: Path, tmp_path: Path) -> None:
    def how(rows: list[Row]) -> list[Row]:
        rows[0]["text"] = f"title: harbour.\nyear: 1871.\n{rows[0]['text']}"
        rows[1]["text"] = " ".join(rows[1]["text"].split())
        return rows

    before = opened_rows(folder, "text_units")
    alter(folder, "text_units", how)
    imported = bring_in(folder, tmp_path / "output")
    generation = good(tmp_path / "output")
    assert sorted(column(generation, "chunks", "text")) == sorted(row["text"] for row in before)
    assert counted(imported, "lines put before") == 1


def test_a_text_unit_that_is_in_no_document_becomes_a_document_of_its_own(folder: Path, tmp_path: Path) -> None:
    def how(rows: list[Row]) -> list[Row]:
        rows[0]["text"] = "These are words that no document of the folder holds."
        return rows

    documents = len(opened_rows(folder, "documents"))
    alter(folder, "text_units", how)
    imported = bring_in(folder, tmp_path / "output")
    generation = good(tmp_path / "output")
    assert generation.rows("documents").num_rows == documents + 1
    assert counted(imported, "text units that are nowhere") == 1
    assert "These are words that no document of the folder holds." in column(generation, "chunks", "text")


def test_text_units_that_start_at_one_place_become_one_chunk(folder: Path, tmp_path: Path) -> None:
    alter(folder, "text_units", lambda rows: [*rows, rows[0] | {"id": "x", "text": rows[0]["text"][:40]}])
    bring_in(folder, tmp_path / "output")
    good(tmp_path / "output")


BROKEN: dict[str, tuple[str, Callable[[list[Row]], list[Row]], str]] = {
    "relationship without a weight": ("relationships", lambda r: [r[0] | {"weight": None}, *r[1:]], "weight is no number"),
    "relationship that weighs nothing": ("relationships", lambda r: [r[0] | {"weight": 0.0}, *r[1:]], "weight is no number"),
    "relationship with itself": ("relationships", lambda r: [r[0] | {"target": r[0]["source"]}, *r[1:]], "without two ends"),
    "entity without a title": ("entities", lambda r: [r[0] | {"title": " "}, *r[1:]], "entities without a title"),
    "entity without a text unit": ("entities", lambda r: [*r, r[0] | {"id": "x", "title": "X", "text_unit_ids": []}], "no text unit"),
    "claim of no status": ("covariates", lambda r: [r[0] | {"status": "PERHAPS"}, *r[1:]], "no known status"),
    "claim without a date": ("covariates", lambda r: [r[0] | {"start_date": "long ago"}, *r[1:]], "dates of claims"),
    "claim twice": ("covariates", lambda r: [*r, r[0] | {"id": "x"}], "claims that say the same"),
    "report on no community": ("community_reports", lambda r: [*r, r[0] | {"id": "x", "community": 999}], "without a member"),
    "report twice": ("community_reports", lambda r: [*r, r[0] | {"id": "x"}], "second reports"),
    "text unit without text": ("text_units", lambda r: [*r, r[0] | {"id": "x", "text": "  "}], "without text"),
    "document without a text unit": (
        "documents",
        lambda r: [*r, r[0] | {"id": "x", "title": "x", "text": "Nothing was read of this text."}],
        "documents without a text unit",
    ),
    "document twice": ("documents", lambda r: [*r, r[0] | {"id": "x"}], "documents without a text unit"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_row_is_logged_and_the_rest_is_whole(what: str, folder: Path, tmp_path: Path) -> None:
    table, how, words = BROKEN[what]
    alter(folder, table, how)
    imported = bring_in(folder, tmp_path / "output")
    good(tmp_path / "output")
    assert counted(imported, words) >= 1, imported.notes


def test_columns_that_a_version_lacks_are_done_without(folder: Path, tmp_path: Path) -> None:
    lacking = {
        "entities": ("human_readable_id", "frequency", "degree", "x", "y"),
        "relationships": ("human_readable_id", "combined_degree"),
        "communities": (
            "human_readable_id",
            "parent",
            "children",
            "relationship_ids",
            "text_unit_ids",
            "size",
            "period",
        ),
        "community_reports": ("level", "parent", "children", "rating_explanation", "full_content_json"),
        "text_units": ("document_id", "entity_ids", "relationship_ids", "covariate_ids", "n_tokens"),
        "documents": ("text_unit_ids", "creation_date", "metadata", "raw_data"),
    }
    for name, columns in lacking.items():
        alter(folder, name, lambda rows: rows, drop=columns)
    (folder / "covariates.parquet").unlink()
    bring_in(folder, tmp_path / "output")
    good(tmp_path / "output")


def test_a_folder_without_a_needed_file_leaves_the_index_as_it_was(
    folder: Path, original: Path, tmp_path: Path
) -> None:
    index = copy_of(original, tmp_path / "index")
    before = (index / "manifest.json").read_bytes()
    (folder / "text_units.parquet").unlink()
    with pytest.raises(InputError, match=r"no text_units\.parquet"):
        bring_in(folder, index)
    assert (index / "manifest.json").read_bytes() == before


def test_an_import_is_one_more_generation_and_what_was_left_out_is_in_failures(
    folder: Path, original: Path, tmp_path: Path
) -> None:
    index = copy_of(original, tmp_path / "index")
    alter(folder, "covariates", lambda rows: [*rows, rows[0] | {"id": "x", "description": ""}])
    imported = bring_in(folder, index)
    assert imported.generation == 2 and Store(index).numbers() == [1, 2]
    assert any(
        row["item"] == "claim x" and row["kind"] == "skipped" for row in opened(index).table("failures").to_pylist()
    )


def test_the_command_imports_into_a_project_and_index_takes_it_back(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = project(tmp_path / "project")
    (tmp_path / "project" / "settings.yaml").write_text("chunks: {size: 60, overlap: 10}\n")
    import_index(tmp_path / "project", "microsoft", folder)
    printed = capsys.readouterr()
    assert "imported: generation 1" in printed.out
    good(made.store.folder)
    status = project_status(made)
    assert status["last_run"].startswith("import microsoft: complete, ended ")
    assert set(status["would_redo"].values()) == {"the index was imported, not made from the input folder"}
    outcome = run_index(made)
    assert outcome.generation == 2 and len(outcome.ran) > 5
    good(made.store.folder)


def test_other_names_come_back_from_an_export_and_corrections_are_applied(tmp_path: Path) -> None:
    made = project(tmp_path / "made")
    write_corrections(made.root / CORRECTIONS_FILE, Corrections.of(Merge(("Edmund Vane",), "Ada Thorne")))
    run_index(made)
    export_microsoft(made.store.open(), tmp_path / "out")
    there = project(tmp_path / "there")
    wanted = Corrections.of(Rename("Carrow", "Port Carrow"))
    with closing(LanguageService(OfflineBackend(), Ledger())) as service:
        import_microsoft(tmp_path / "out", there.store, there.settings, Estimate(), service, STAGES, corrections=wanted)
    entities = {row["title"]: row for row in there.store.open().table("entities").to_pylist()}
    assert "Edmund Vane" in entities["Ada Thorne"]["aliases"] and "Edmund Vane" not in entities
    assert "Carrow" in entities["Port Carrow"]["aliases"]
    assert sum(check.faults for check in verify(there.store.folder)[1]) == 0
