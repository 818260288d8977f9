"""Corrections of names overrule what rules found, survive every run, and change only what they touch."""

from collections import Counter
from pathlib import Path

import pytest

from pipeline.exchange.verify.verify import verify
from pipeline.resolution.corrections import Correction, Corrections, Merge, Rename, Retype, Split
from pipeline.resolution.corrections_file import CORRECTIONS_FILE, write_corrections
from pipeline.resolution.preview import preview
from pipeline.runner.correcting import previewed
from pipeline.runner.project import Project
from pipeline.runner.run import Outcome, run_index
from pipeline.runner.status import project_status
from tests.corpora import TEXTS, hashes, indexed, project
from tests.scripted_backend import ScriptedBackend

COMPANY = "Northern Dock Company"


def correct(made: Project, *corrections: Correction) -> Outcome:
    write_corrections(made.root / CORRECTIONS_FILE, Corrections.of(*corrections))
    return run_index(made)


def entities(made: Project) -> dict[str, dict[str, object]]:
    return {row["title"]: row for row in made.store.open().table("entities").to_pylist()}


def faults(made: Project) -> int:
    return sum(check.faults for check in verify(made.store.folder)[1])


@pytest.fixture
def made(tmp_path: Path) -> Project:
    return indexed(tmp_path)


def test_merged_names_are_one_entity_with_the_chunks_of_both(made: Project) -> None:
    before = entities(made)
    correct(made, Merge(("Edmund Vane", "Ada Thorne"), "The Vanes"))
    after = entities(made)
    assert set(before) - set(after) == {"Edmund Vane", "Ada Thorne"} and set(after) - set(before) == {"The Vanes"}
    chunks = {id for name in ("Edmund Vane", "Ada Thorne") for id in before[name]["chunk_ids"]}  # type: ignore[attr-defined]
    assert set(after["The Vanes"]["chunk_ids"]) == chunks  # type: ignore[call-overload]
    assert {"Edmund Vane", "Ada Thorne"} <= set(after["The Vanes"]["aliases"])  # type: ignore[call-overload]
    ends = made.store.open().table("relationships", ["source", "target"]).to_pylist()
    assert not {"Edmund Vane", "Ada Thorne"} & {end for pair in ends for end in pair.values()}
    assert {row["subject"] for row in made.store.open().table("claims").to_pylist()} <= set(after)
    assert faults(made) == 0


def test_facts_are_under_the_key_element_of_their_entity_whatever_they_call_it(made: Project) -> None:
    def carried(title: str) -> set[str]:
        rows = made.store.open().table("key_elements").to_pylist()
        return {id for row in rows if row["title"] == title for id in row["fact_ids"]}

    apart = carried("Edmund Vane"), carried("Ada Thorne")
    assert all(apart)
    correct(made, Merge(("Edmund Vane", "Ada Thorne"), "The Vanes"))
    assert carried("The Vanes") == apart[0] | apart[1] and not carried("Edmund Vane")
    assert faults(made) == 0
    correct(made)
    assert (carried("Edmund Vane"), carried("Ada Thorne")) == apart


def test_a_renamed_and_retyped_entity_keeps_its_rows(made: Project) -> None:
    before = entities(made)
    claims = made.store.open().rows("claims").num_rows
    correct(made, Rename(COMPANY, "NDC"), Retype("ndc", "FIRM"))
    after = entities(made)
    assert after["NDC"]["type"] == "FIRM" and after["NDC"]["aliases"] == [COMPANY]
    assert after["NDC"]["chunk_ids"] == before[COMPANY]["chunk_ids"]
    assert made.store.open().rows("claims").num_rows == claims
    assert faults(made) == 0


def test_a_form_that_is_split_away_is_an_entity_of_its_own(tmp_path: Path) -> None:
    text = "Ada Thorne built the mole. Ada Thorne left. They say Thorne came back. Nobody saw Thorne again."
    made = project(tmp_path, {"a.txt": text})
    run_index(made)
    assert "Thorne" in entities(made)["Ada Thorne"]["aliases"]  # type: ignore[operator]
    correct(made, Split("Thorne", "Ada Thorne"))
    assert {"Ada Thorne", "Thorne"} <= set(entities(made)) and entities(made)["Ada Thorne"]["aliases"] == []
    assert ("Thorne", "Ada Thorne", False, "correction") in {
        (row["name"], row["entity"], row["joined"], row["by"]) for row in made.store.open().table("aliases").to_pylist()
    }
    assert faults(made) == 0


def test_corrections_survive_every_run_and_taking_them_back_gives_the_first_tables(made: Project) -> None:
    first = hashes(made)
    correct(made, Merge(("Edmund Vane",), "Ada Thorne"))
    corrected = hashes(made)
    assert run_index(made).unchanged and hashes(made) == corrected
    (made.root / "input" / "more.txt").write_text("Edmund Vane wrote a book in 1890.")
    run_index(made)
    assert "Edmund Vane" not in entities(made)
    (made.root / "input" / "more.txt").unlink()
    correct(made)
    again = hashes(made)
    apart = {"communities", "layout", "community_reports", "calls"}  # the last partition is kept where little changed
    assert {name: hash for name, hash in again.items() if name not in apart} == {
        name: hash for name, hash in first.items() if name not in apart
    }


def test_a_merge_does_not_read_the_texts_again(made: Project) -> None:
    outcome = correct(made, Merge(("Edmund Vane",), "Ada Thorne"))
    assert outcome.ran["s35_resolve_names"] == "changed: corrections"
    assert not {"s10_load_documents", "s20_cut_chunks", "s25_annotate_sentences", "s30_extract_graph"} & set(
        outcome.ran
    )


def test_status_says_what_corrections_would_do_again(made: Project) -> None:
    write_corrections(made.root / CORRECTIONS_FILE, Corrections.of(Split("Carrow", "Leith")))
    redo = project_status(made)["would_redo"]
    assert redo["s35_resolve_names"] == redo["s25_annotate_sentences"] == "changed: corrections"


def test_a_preview_says_what_changes_and_writes_nothing(made: Project) -> None:
    before = hashes(made)
    wanted = Corrections.of(Merge(("Edmund Vane", "Ada Thorn"), "Ada Thorne"), Retype("leith", "PORT"))
    shown = preview(made.store.open(), Corrections(), wanted)
    assert any("'Edmund Vane' (" in line and "become one entity, 'Ada Thorne'" in line for line in shown.changes)
    assert any("'Leith'" in line and "is of type PORT from now on" in line for line in shown.changes)
    assert shown.unknown == {"Ada Thorn": ["Ada Thorne"]}
    assert shown.rows["entities"] == 2 and shown.rows["relationships"] > 0
    assert hashes(made) == before and not (made.root / CORRECTIONS_FILE).exists()
    taken_back = preview(made.store.open(), wanted, Corrections.of(Retype("leith", "PORT")))
    assert taken_back.changes == ["no longer: 'Edmund Vane', 'Ada Thorn' are 'Ada Thorne'"]


def test_a_type_that_an_entity_has_already_changes_no_row(made: Project) -> None:
    shown = preview(made.store.open(), Corrections(), Corrections.of(Retype("leith", "PLACE")))
    assert "is of type PLACE already" in shown.changes[0] and not any(shown.rows.values())


def test_a_name_that_a_correction_has_just_given_can_be_corrected_before_the_next_run(made: Project) -> None:
    renamed = Corrections.of(Rename("Leith", "Port of Leith"))
    shown = preview(made.store.open(), renamed, renamed.adding(Retype("Port of Leith", "PORT")))
    assert not shown.unknown
    assert shown.rows["entities"] == 1


def test_a_correction_asks_a_model_only_what_it_touches(tmp_path: Path) -> None:
    made = project(tmp_path, TEXTS)
    run_index(made, default=ScriptedBackend({}))
    n_chunks = made.store.open().rows("chunks").num_rows
    write_corrections(made.root / CORRECTIONS_FILE, Corrections.of(Rename("Edmund Vane", "Captain Vane")))
    backend = ScriptedBackend({})
    run_index(made, default=backend)
    asked = Counter(task for task, _ in backend.asked)
    touched = len(entities(made)["Captain Vane"]["chunk_ids"])  # type: ignore[arg-type]
    assert not {"extract_graph", "glean_graph", "extract_facts", "glean_facts"} & set(asked)
    assert asked["extract_claims"] <= touched < n_chunks
    reports = made.store.open().rows("community_reports").num_rows
    assert asked["write_report"] + asked["write_small_report"] < reports


def test_merging_a_form_of_an_entity_merges_the_entity_as_the_preview_says(tmp_path: Path) -> None:
    text = "Ada Thorne built the mole. Ada Thorne left. They say Thorne came back. Nobody saw Thorne but Nora Quill."
    made = project(tmp_path, {"a.txt": text})
    run_index(made)
    after, shown = previewed(made, [Merge(("Thorne",), "Nora Quill")])
    assert shown.changes == ["'Ada Thorne' (1 chunk) and 'Nora Quill' (1 chunk) become one entity, 'Nora Quill'"]
    correct(made, *after)
    assert {"Ada Thorne", "Thorne"} <= set(entities(made)["Nora Quill"]["aliases"])  # type: ignore[call-overload]
    assert "Ada Thorne" not in entities(made) and faults(made) == 0
    after, shown = previewed(made, [Rename("Thorne", "Lady Quill")])
    assert shown.changes == ["'Nora Quill' (1 chunk) is called 'Lady Quill'"]
    correct(made, *after)
    assert "Lady Quill" in entities(made) and "Nora Quill" not in entities(made)
