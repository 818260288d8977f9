"""A run: complete, partial or failed; what is up to date is not done again; the same input gives the same bytes."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.base.errors import GraphstrataError, InputError, LockError, ModelError, SettingsError
from pipeline.base.lock import only_writer
from pipeline.base.task import Failure
from pipeline.cli.failed_items import named_items
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.language.tasks.indexing.extract_graph import Entity, Graph, Relationship
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, hashes, indexed, project, write_texts
from tests.paths import ROOT
from tests.scripted_backend import ScriptedBackend


def test_a_first_run_fills_every_table_of_the_corpus(tmp_path: Path) -> None:
    outcome = run_index(project(tmp_path))
    assert outcome.status == "complete" and outcome.changes.added == 3
    filled = {name for name, rows in outcome.rows.items() if rows}
    assert filled >= {"documents", "chunks", "vocabulary", "sentences", "entity_mentions", "relationship_mentions"}
    assert filled >= {
        "entities",
        "relationships",
        "claims",
        "facts",
        "key_elements",
        "communities",
        "community_reports",
    }
    assert outcome.rows["calls"] == outcome.rows["failures"] == 0


def test_a_second_run_finds_nothing_to_do_and_publishes_nothing(tmp_path: Path) -> None:
    first = run_index(project(tmp_path))
    second = run_index(project(tmp_path))
    assert second.unchanged and second.generation == first.generation and not second.ran


def test_only_what_a_changed_setting_shapes_is_done_again(tmp_path: Path) -> None:
    indexed(tmp_path)
    outcome = run_index(project(tmp_path, reports={"context_tokens": 400}))
    assert set(outcome.ran) == {"s80_write_reports"}
    assert outcome.ran["s80_write_reports"] == "settings, prompts or program changed"


def test_chunks_equal_their_span_of_the_document(tmp_path: Path) -> None:
    indexed(tmp_path)
    generation = project(tmp_path).store.open()
    texts = {row["id"]: row["text"] for row in generation.table("documents").to_pylist()}
    for chunk in generation.table("chunks").to_pylist():
        assert texts[chunk["document_id"]][chunk["start"] : chunk["end"]] == chunk["text"]


def test_a_model_is_told_the_date_of_the_document_that_a_chunk_is_from(tmp_path: Path) -> None:
    dated = {"minutes.md": "---\ndate: 2024-03-11\n---\n\n# Minutes\n\nAda Thorne left Carrow yesterday.\n"}
    for one_pass in (False, True):
        backend = ScriptedBackend({})
        run_index(project(tmp_path / str(one_pass), dated, extraction={"one_pass": one_pass}), default=backend)
        shown = [request.shown("anchor") for _, request in backend.asked if isinstance(request, ChunkToExtract)]
        assert shown and set(shown) == {"Minutes (2024-03-11)"}


def test_claims_are_where_they_say(tmp_path: Path) -> None:
    indexed(tmp_path)
    generation = project(tmp_path).store.open()
    texts = {row["id"]: row["text"] for row in generation.table("chunks").to_pylist()}
    claims = generation.table("claims").to_pylist()
    assert claims
    for claim in claims:
        assert texts[claim["chunk_id"]][claim["start"] : claim["end"]] == claim["quote"]


def test_every_entity_is_in_one_community_on_each_level_down_to_its_leaf(tmp_path: Path) -> None:
    indexed(tmp_path, communities={"max_size": 3})
    generation = project(tmp_path).store.open()
    communities = generation.table("communities").to_pylist()
    by_number = {row["community"]: row for row in communities}
    everyone = sorted(generation.table("entities")["id"].to_pylist())
    assert sorted(id for row in communities if row["level"] == 0 for id in row["entity_ids"]) == everyone
    for row in communities:
        members = sorted(id for child in row["children"] for id in by_number[child]["entity_ids"])
        assert members in ([], sorted(row["entity_ids"]))
        assert row["children"] or len(row["entity_ids"]) <= 3


def test_a_file_that_cannot_be_read_is_a_row_and_the_run_is_partial(tmp_path: Path) -> None:
    settled = project(tmp_path)
    (tmp_path / "input" / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    outcome = run_index(settled)
    assert outcome.status == "partial"
    assert [row[2] for row in outcome.failures] == ["picture.txt"]
    assert settled.store.open().manifest.status == "partial"


def test_empty_and_repeated_files_are_skipped_and_listed_and_the_run_is_complete(tmp_path: Path) -> None:
    settled = project(tmp_path)
    (tmp_path / "input" / "empty.txt").write_bytes(b"")
    (tmp_path / "input" / "z_copy.txt").write_text(TEXTS["railway.txt"], encoding="utf-8")
    assert run_index(settled).status == "complete"
    rows = settled.store.open().table("failures").to_pylist()
    assert {(row["item"], row["kind"]) for row in rows} == {("empty.txt", "skipped"), ("z_copy.txt", "skipped")}
    run_index(project(tmp_path, reports={"context_tokens": 400}))
    assert len(settled.store.open().table("failures")) == 2, (
        "what was skipped is still listed when nothing was read again"
    )


def test_a_folder_with_nothing_to_read_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "input").mkdir()
    with pytest.raises(InputError, match="no file to read"):
        run_index(project(tmp_path, {}))


def test_corpora_without_a_name_an_edge_or_a_word_are_indexed_all_the_same(tmp_path: Path) -> None:
    for number, text in enumerate(["hello there", "Paris.", "1 2 3", "…", "。。。"]):
        assert run_index(project(tmp_path / str(number), {"a.txt": text})).status == "complete"


def test_some_failed_items_make_the_run_partial_and_the_next_run_tries_only_them(tmp_path: Path) -> None:
    bad: set[str] = set()

    def sometimes(request: object) -> Failure | None:
        bad.add(request.item) if not bad else None  # type: ignore[attr-defined]
        return Failure("the reply was cut", 3) if request.item in bad else None  # type: ignore[attr-defined]

    outcome = run_index(project(tmp_path), default=ScriptedBackend({"extract_graph": sometimes}))
    assert outcome.status == "partial" and len(outcome.failures) == 1
    ((name, why),) = named_items(project(tmp_path).store.open(), [*outcome.failures] * 2)
    assert re.fullmatch(r"extract graph of \w+\.\w+, lines? \d+(-\d+)?", name) and why == "the reply was cut"
    healed = ScriptedBackend({})
    again = run_index(project(tmp_path), default=healed)
    assert again.status == "complete"
    assert [task for task, _ in healed.asked].count("extract_graph") == 1


def test_when_everything_fails_nothing_is_published_and_the_last_index_stays(tmp_path: Path) -> None:
    indexed(tmp_path)
    failing = ScriptedBackend({"extract_graph": lambda request: Failure("no route to host")})
    with pytest.raises(ModelError, match="^extract graph: all .* requests failed: no route to host"):
        run_index(project(tmp_path), default=failing)
    assert project(tmp_path).store.open().manifest.generation == 1


def test_names_that_resolve_to_no_entity_are_counted_and_logged(tmp_path: Path) -> None:
    lines: list[str] = []

    class Watcher:
        def line(self, text: str) -> None:
            lines.append(text)

        def stage(self, name: str, help: str) -> None: ...
        def step(self, done: int, total: int | None, spent: object) -> None: ...
        def finished(self, name: str, rows: dict[str, int], seconds: float) -> None: ...

    graph = Graph(
        entities=[Entity(title="Ada Thorne", type="PERSON", description="An engineer.")],
        relationships=[Relationship(source="Ada Thorne", target="Nobody", description="knows", weight=1)],
    )
    run_index(project(tmp_path), Watcher(), default=ScriptedBackend({"extract_graph": lambda request: graph}))
    assert any("the target names no entity" in line for line in lines)


def test_a_task_that_does_not_exist_is_refused_in_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="tasks names nonsense"):
        run_index(project(tmp_path, tasks={"nonsense": {}}))


def test_a_second_run_at_the_same_time_is_refused(tmp_path: Path) -> None:
    settled = project(tmp_path)
    settled.store.prepare()
    with only_writer(settled.store.folder), pytest.raises(LockError, match="another index run"):
        run_index(settled)


def test_documents_that_come_change_and_go_leave_the_tables_of_a_fresh_build(tmp_path: Path) -> None:
    rng = random.Random(1)
    texts = dict(TEXTS)
    run_index(project(tmp_path / "kept", texts))
    for step in range(6):
        change = rng.choice(["add", "edit", "delete"]) if len(texts) > 2 else "add"
        name = rng.choice(sorted(texts))
        if change == "add":
            texts[f"new{step}.txt"] = f"Clara Finch came to Carrow in 18{60 + step}. Clara Finch met Edmund Vane there."
        elif change == "edit":
            texts[name] += f"\nClara Finch wrote of it in 19{10 + step}.\n"
        else:
            del texts[name]
            (tmp_path / "kept" / "input" / name).unlink()
        run_index(project(tmp_path / "kept", texts), fresh=True)
        run_index(project(tmp_path / f"fresh{step}", texts))
        assert hashes(project(tmp_path / "kept", texts)) == hashes(project(tmp_path / f"fresh{step}", texts)), change


@pytest.mark.parametrize(("seed", "workers"), [("1", "1"), ("2", "4")])
def test_hash_seed_and_workers_do_not_show_in_the_tables(tmp_path: Path, seed: str, workers: str) -> None:
    run_index(project(tmp_path / "here"))
    write_texts(tmp_path / "there" / "input", dict(reversed(TEXTS.items())))
    program = (
        "from pathlib import Path; from tests.corpora import project; from pipeline.runner.run import run_index\n"
        "from pipeline.base.engine.local import LocalEngine\n"
        f"if __name__ == '__main__': run_index(project(Path({str(tmp_path / 'there')!r})), engine=LocalEngine({workers}))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, cwd=ROOT)
    assert hashes(project(tmp_path / "here")) == hashes(project(tmp_path / "there"))


def test_errors_have_what_was_found_why_and_how_to_fix_it() -> None:
    error = GraphstrataError("found", "why", "fix")
    assert str(error) == "found\nwhy\nfix"


def test_what_two_chunks_that_overlap_say_is_one_claim(tmp_path: Path) -> None:
    told = "Hugh Arlen lived in Carrow. The harbour of Carrow is deep and the boats are many and old and green there. "
    said = "Hugh Arlen bought a boat in 1931. "
    made = indexed(
        tmp_path, {"a.txt": told + said + told.replace("lived", "stayed")}, chunks={"size": 40, "overlap": 20}
    )
    chunks = [row["text"] for row in made.store.open().table("chunks").to_pylist()]
    claims = [row for row in made.store.open().table("claims").to_pylist() if "bought" in row["quote"]]
    assert sum(said.strip() in text for text in chunks) == 2 and len(claims) == 1
