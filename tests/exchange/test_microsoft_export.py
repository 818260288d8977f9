"""Verify shows the owner of an index of Microsoft GraphRAG what it lost."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import InputError
from pipeline.base.schema import EMBEDDINGS
from pipeline.exchange.microsoft.citations import Citation, bracket, cited, n_cut, without_citations
from pipeline.exchange.microsoft.folder import read_microsoft
from pipeline.exchange.microsoft.graph import graph_of, shown_edges
from pipeline.exchange.microsoft.text import SHORTEST, UnitFinder
from pipeline.exchange.microsoft.vectors import _contents
from pipeline.exchange.verify.check import Check
from pipeline.exchange.verify.verify import verify
from tests.exchange_cases import SAMPLE, Row, alter, copy_of, first, make_index, microsoft_folder

sample = pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample index of Microsoft GraphRAG is not here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("microsoft")
    return microsoft_folder(make_index(made / "project"), made / "output")


def test_the_vector_of_a_chunk_is_the_mean_of_those_of_its_parts_in_microsofts_store() -> None:
    made = [("chunks", "b", 0, [1.0, 0.0]), ("chunks", "a", 0, [0.0, 1.0]), ("chunks", "b", 1, [0.0, 1.0])]
    texts = pa.table({"id": ["a", "b"], "text": ["of a", "of b"]})
    for content in _contents(EMBEDDINGS.rows(made), texts, ("text",)):
        assert content["id"].to_pylist() == ["b", "a"]
        assert np.array(content["vector"].to_pylist()) == pytest.approx(np.array([[0.5**0.5] * 2, [0, 1]]), abs=1e-3)
    assert next(_contents(EMBEDDINGS.rows(made), texts, ("text",)))["text"].to_pylist() == ["of b", "of a"]


def checks(folder: Path) -> dict[str, Check]:
    kind, found = verify(folder)
    assert kind == "microsoft"
    return {check.name: check for check in found}


@sample
def test_on_the_sample_25_of_529_entities_are_outside_communities_and_24_of_them_have_edges() -> None:
    check = checks(SAMPLE)["entities without a community"]
    assert (check.faults, check.looked_at) == (25, 529)
    assert check.note.startswith("24 of these have edges")


@sample
def test_on_the_sample_two_thirds_of_a_community_s_edges_reach_its_report_and_a_fifth_of_those_shown_leave() -> None:
    found = checks(SAMPLE)
    own, leave = found["own edges not shown to reports"], found["edges shown that leave"]
    assert (own.faults, own.looked_at) == (434, 1297)
    assert "66.5%" in own.note
    assert (leave.faults, leave.looked_at) == (230, 1093)
    assert (found["relationships in no report at all"].faults) == 503


@sample
def test_on_the_sample_52_of_3814_citations_do_not_fit() -> None:
    check = checks(SAMPLE)["citations that do not fit"]
    assert (check.faults, check.looked_at) == (52, 3814)


@sample
def test_on_the_sample_dangling_ends_doubled_pairs_and_empty_claims_are_logged_and_text_units_are_found() -> None:
    found = checks(SAMPLE)
    assert found["relationships.source names nothing"].faults + found["relationships.target names nothing"].faults == 84
    assert found["covariates.subject_id names nothing"].faults == 71
    assert found["pairs with several rows"].faults == 43
    assert found["claims that say nothing"].faults == 25
    assert found["text units not in their document"].faults == 0
    assert found["degrees and frequencies"].faults == found["levels are nested partitions"].faults == 0


def lost_entity(rows: list[Row]) -> list[Row]:
    lost = rows[0]["entity_ids"][0]
    return [row | {"entity_ids": [id for id in row["entity_ids"] if id != lost]} for row in rows]


def stray_member(rows: list[Row]) -> list[Row]:
    child = next(row for row in rows if row["level"] == 1)
    other = next(row for row in rows if row["level"] == 0 and row["community"] != child["parent"])
    child["entity_ids"] = [*child["entity_ids"], other["entity_ids"][0]]
    return rows


PLANTED: dict[str, tuple[str, Callable[[list[Row]], list[Row]], str]] = {
    "an entity outside communities": ("communities", lost_entity, "entities without a community"),
    "a member that the parent lacks": ("communities", stray_member, "levels are nested partitions"),
    "a member that is no entity": ("communities", first(entity_ids=["x"]), "communities.entity_ids names nothing"),
    "an end that is no entity": ("relationships", first(source="NOBODY"), "relationships.source names nothing"),
    "a text unit that is not there": ("entities", first(text_unit_ids=["x"]), "entities.text_unit_ids names nothing"),
    "a title with two rows": ("entities", lambda rows: [*rows, rows[0] | {"id": "x"}], "titles with several rows"),
    "a pair with two rows": (
        "relationships",
        lambda rows: [*rows, rows[0] | {"id": "x", "source": rows[0]["target"], "target": rows[0]["source"]}],
        "pairs with several rows",
    ),
    "a wrong degree": ("entities", first(degree=99), "degrees and frequencies"),
    "a community without a report": ("community_reports", lambda rows: rows[1:], "communities without a report"),
    "a citation of nothing": (
        "community_reports",
        first(full_content="It is so [Data: Entities (99999)]."),
        "citations that do not fit",
    ),
    "a claim that says nothing": ("covariates", first(description=None), "claims that say nothing"),
    "a text unit of other words": (
        "text_units",
        first(text="No such words are there."),
        "text units not in their document",
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_it_finds(fault: str, folder: Path, tmp_path: Path) -> None:
    table, how, expected = PLANTED[fault]
    copy = copy_of(folder, tmp_path / "output")
    assert checks(copy).get(expected, Check("", 0, 0)).faults == 0
    alter(copy, table, how)
    assert checks(copy)[expected].faults


def test_reports_that_come_from_here_are_not_judged_by_what_microsofts_indexer_would_have_shown_them(
    folder: Path, tmp_path: Path
) -> None:
    own = checks(folder)
    assert not {"own edges not shown to reports", "edges shown that leave"} & set(own)
    assert [check for check in own.values() if check.faults] == []
    copy = copy_of(folder, tmp_path / "output")
    (copy / "aliases.parquet").unlink()
    other = checks(copy)
    assert other["own edges not shown to reports"].looked_at and "tables there" not in other


def test_a_node_shows_one_edge_its_first_as_source_or_else_as_target(tmp_path: Path) -> None:
    folder = hand_made(tmp_path, edges=["ab", "ac", "cb", "ad", "de"], communities=["abc", "de"])
    index = read_microsoft(folder)
    owned, shown = shown_edges(graph_of(index.tables))
    # a: ab; b: ab, as target; c: cb; d: de; e: de, as target. The edge ac is never shown; ad joins two communities.
    assert sorted(owned.tolist()) == [0, 1, 2, 5 + 4]
    assert sorted(shown.tolist()) == [0, 2, 5 + 4]


def test_an_edge_shown_may_leave_the_community(tmp_path: Path) -> None:
    folder = hand_made(tmp_path, edges=["ad", "ab", "de"], communities=["ab", "de"])
    found = checks(folder)
    assert found["edges shown that leave"].faults == 1 and found["own edges not shown to reports"].faults == 0


def hand_made(folder: Path, edges: list[str], communities: list[str]) -> Path:
    import pyarrow as pa

    names = sorted(set("".join(edges)))
    tables = {
        "entities": pa.table({"id": names, "title": names}),
        "relationships": pa.table(
            {
                "id": [f"r{i}" for i in range(len(edges))],
                "source": [e[0] for e in edges],
                "target": [e[1] for e in edges],
            }
        ),
        "communities": pa.table(
            {
                "community": list(range(len(communities))),
                "level": [0] * len(communities),
                "entity_ids": [list(members) for members in communities],
            }
        ),
    }
    for name, table in tables.items():
        pq.write_table(table, folder / f"{name}.parquet")
    return folder


def test_what_a_version_lacks_is_logged_and_what_is_needed_is_an_error(folder: Path, tmp_path: Path) -> None:
    copy = copy_of(folder, tmp_path / "output")
    for name in ("covariates", "community_reports", "documents"):
        (copy / f"{name}.parquet").unlink()
    assert checks(copy)["tables there"].note == "no documents, community_reports, covariates: not looked at"
    alter(copy, "entities", lambda rows: rows, drop=("title",))
    with pytest.raises(InputError, match=r"entities\.parquet has no column title"):
        verify(copy)
    (copy / "entities.parquet").unlink()
    with pytest.raises(InputError, match=r"no entities\.parquet"):
        read_microsoft(copy)


def test_the_columns_of_versions_2_and_3_are_both_read(folder: Path, tmp_path: Path) -> None:
    for version, column in ((2, "document_id"), (3, "document_ids")):
        copy = copy_of(folder, tmp_path / str(version))
        alter(copy, "text_units", lambda rows: rows, drop=(column,))
        assert checks(copy)["text units not in their document"].faults == 0


def test_a_folder_of_a_version_before_1_and_a_file_that_is_no_parquet_are_clear_errors(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "create_final_entities.parquet").write_bytes(b"")
    with pytest.raises(InputError, match="before version 1"):
        verify(tmp_path)
    copy = copy_of(folder, tmp_path / "output")
    (copy / "entities.parquet").write_bytes(b"no table")
    with pytest.raises(InputError, match=r"entities\.parquet cannot be read"):
        verify(copy)


def test_a_link_that_leads_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    copy = copy_of(folder, tmp_path / "output")
    (copy / "documents.parquet").replace(tmp_path / "elsewhere.parquet")
    (copy / "documents.parquet").symlink_to(tmp_path / "elsewhere.parquet")
    with pytest.raises(InputError, match="leads out of its folder"):
        verify(copy)


def test_citations_are_read_whatever_their_kind_and_more_is_counted() -> None:
    text = (
        "So it is [Data: Reports (1), Entities (5, 7); Relationships (23, +more)]. And [records: claims (0)] so on [1]."
    )
    assert list(cited(text)) == [
        Citation("reports", 1),
        Citation("entities", 5),
        Citation("entities", 7),
        Citation("relationships", 23),
        Citation("claims", 0),
    ]
    assert n_cut(text) == 1
    assert without_citations(text) == "So it is. And so on [1]."


@given(st.dictionaries(st.sampled_from(["entities", "relationships", "claims"]), st.lists(st.integers(0, 10**9))))
@settings(deadline=None, max_examples=50)
def test_a_bracket_that_is_written_is_read_as_the_same_numbers(numbers: dict[str, list[int]]) -> None:
    written = bracket(numbers)
    assert list(cited(written)) == [Citation(kind, n) for kind, found in numbers.items() for n in found]
    assert without_citations(f"text {written}".strip()) == "text"


def test_a_thousand_open_brackets_cost_no_time() -> None:
    assert list(cited("[data: " * 20_000)) == []


TEXT = "\ufeffThe first line.\n\nThe  second, which is longer.\r\nA third one \u00fcber alles.\nAnd the fourth and last line."


@given(st.integers(0, len(TEXT)), st.integers(0, len(TEXT)), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=100)
def test_a_span_of_a_unit_holds_the_unit(a: int, b: int, prepended: bool, respaced: bool) -> None:
    unit = TEXT[min(a, b) : max(a, b)]
    shown = " ".join(unit.split()) if respaced else unit
    place = UnitFinder(TEXT).place(f"title: x.\nsource: y.\n{shown}" if prepended else shown)
    if place is None:
        assert len(letters(unit)) < SHORTEST
    else:
        assert letters(TEXT[place.start : place.end]) == letters(unit)


def letters(text: str) -> str:
    return "".join(text.replace("\ufeff", "").split())


def test_a_unit_that_begins_otherwise_than_its_document_is_not_cut_short() -> None:
    assert UnitFinder(TEXT).place("The very first line.\n\nThe  second, which is longer.") is None
    place = UnitFinder(TEXT).place("\ufffdhe first line.\n\nThe second, which is longer.")
    assert place is not None and TEXT[place.start : place.end].startswith("he first line.")


def test_a_unit_with_halves_of_characters_at_its_ends_is_found_and_one_of_other_words_is_not() -> None:
    document = UnitFinder(TEXT)
    place = document.place("\ufffdsecond, which is longer. A third one\ufffd")
    assert place is not None and TEXT[place.start : place.end] == "second, which is longer.\r\nA third one"
    assert document.place("a line that is not there at all") is None
    assert document.place("") is None


def test_the_same_words_later_on_are_found_later_on() -> None:
    document = UnitFinder("Again and again. Again and again.")
    first_place = document.place("Again and again.")
    assert first_place is not None and first_place.start == 0
    later = document.place("Again and again.", after=1)
    assert later is not None and later.start == 17
