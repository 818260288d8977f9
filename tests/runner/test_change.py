"""Change: documents come, change and go, and the tables are what a fresh build would give."""

import random
import shutil
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.base.errors import StoreError
from pipeline.base.settings import parse_settings
from pipeline.cli.commands.rollback import describe_stages, roll_back
from pipeline.exchange.verify.verify import verify
from pipeline.runner.changes import Changes
from pipeline.runner.project import Project
from pipeline.runner.run import Outcome, run_index
from pipeline.runner.status import project_status
from tests.corpora import TEXTS, hashes, indexed, project, write_texts
from tests.scripted_backend import ScriptedBackend

pytestmark = pytest.mark.long

STEPS, EACH = 100, 3
"""Changes, and after how many of them the tables are compared."""
PEOPLE = ("Ada Thorne", "Edmund Vane", "Clara Finch", "Harriet Loss", "Jonas Pell")
PLACES = ("Carrow", "Leith", "Port Ellery", "Dunmore", "the Northern Dock Company")
DEEDS = ("built the mole at", "left", "wrote a letter from", "was accused at", "returned to", "died in")
FOLLOW = ("communities", "layout", "community_reports")
"""Tables that depend on the index before: on how communities were found, and where they were drawn."""


def sentence(rng: random.Random) -> str:
    return f"{rng.choice(PEOPLE)} {rng.choice(DEEDS)} {rng.choice(PLACES)} in 18{rng.randint(60, 99)}. "


def text(rng: random.Random) -> str:
    return "".join(sentence(rng) for _ in range(rng.randint(1, 4)))


def step(rng: random.Random, texts: dict[str, str], number: int) -> None:
    """Add, edit or delete one document."""
    change = rng.choice(["add", "edit", "edit", "delete"])
    name = rng.choice(sorted(texts))
    if (change == "add" and len(texts) < 6) or len(texts) < 3:
        texts[f"{rng.choice('abc')}/new{number:03}.txt"] = text(rng)
    elif change == "delete":
        del texts[name]
    else:
        at = rng.randint(0, len(texts[name]))
        texts[name] = rng.choice([texts[name][:at] + sentence(rng), texts[name] + sentence(rng), text(rng)])


def put(root: Path, texts: dict[str, str], **sections: dict[str, object]) -> Project:
    """Return the project at ``root`` whose input is ``texts`` and nothing else."""
    for path in sorted((root / "input").rglob("*.*")) if root.exists() else []:
        if str(path.relative_to(root / "input")) not in texts:
            path.unlink()
    return project(root, texts, **sections)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, dict[str, str]]]:
    """A hundred random changes: after every third the hashes of an index kept with fresh communities, of a fresh build, and of one
    kept with stable communities."""
    folder = tmp_path_factory.mktemp("walk")
    rng = random.Random(7)
    texts = {f"old{i}.txt": text(rng) for i in range(4)}
    sections: dict[str, dict[str, object]] = {"communities": {"max_size": 4}, "chunks": {"size": 30, "overlap": 5}}
    found = []
    for number in range(STEPS):
        step(rng, texts, number)
        run_index(put(folder / "kept", texts, **sections), fresh=True)
        if number % EACH:
            continue
        for name in ("fresh", "stable"):
            run_index(put(folder / name, texts, **sections))
        found.append({name: hashes(project(folder / name, {})) for name in ("kept", "fresh", "stable")})
        shutil.rmtree(folder / "fresh")
        if number % 9 == 0:
            _, checks = verify(folder / "stable" / "output")
            found[-1]["faults"] = {check.name: str(check) for check in checks if check.faults}
    return found


def test_a_hundred_random_changes_leave_the_tables_of_a_fresh_build(walk: list[dict[str, dict[str, str]]]) -> None:
    assert len(walk) == 1 + (STEPS - 1) // EACH
    for place, after in enumerate(walk):
        assert after["kept"] == after["fresh"], f"after change {place * EACH}"


def test_with_stable_communities_all_other_tables_are_those_of_a_fresh_build(
    walk: list[dict[str, dict[str, str]]],
) -> None:
    for place, after in enumerate(walk):
        for name in after["fresh"].keys() - set(FOLLOW):
            assert after["stable"][name] == after["fresh"][name], f"{name} after change {place * EACH}"
    assert any(after["stable"]["communities"] != after["fresh"]["communities"] for after in walk), "too tame a walk"


def test_stable_communities_hold_every_invariant(walk: list[dict[str, dict[str, str]]]) -> None:
    checked = [after["faults"] for after in walk if "faults" in after]
    assert len(checked) == 1 + (STEPS - 1) // 9
    assert not any(checked), checked


def asked(outcome: Outcome) -> dict[str, int]:
    """Return how much each stage had answered anew."""
    return {stage: anew for stage, (anew, _) in outcome.asked.items() if anew}


LONG = "\n\n".join(f"In 18{60 + i} Ada Thorne measured the tide at Carrow for the {i}th time." for i in range(30))


def test_an_untouched_chunk_costs_no_call_when_its_document_changes(tmp_path: Path) -> None:
    run_index(project(tmp_path, {"long.txt": LONG}), default=ScriptedBackend({}))
    chunks = project(tmp_path, {}).store.open().manifest.tables["chunks"].rows
    backend = ScriptedBackend({})
    outcome = run_index(project(tmp_path, {"long.txt": LONG + " Ada Thorne left Carrow."}), default=backend)
    calls = Counter(task for task, _ in backend.asked)
    assert chunks > 5 and outcome.changes.changed == 1
    assert calls["extract_graph"] == calls["extract_claims"] == calls["extract_facts"] == 1, calls


def test_an_untouched_chunk_is_not_scanned_again_without_a_model_and_its_rows_stay(tmp_path: Path) -> None:
    indexed(tmp_path)
    run_index(project(tmp_path, {"other.txt": "Zebediah Quorn sold lamps. Zebediah Quorn sold lamps in Dunmore."}))
    outcome = run_index(project(tmp_path, {"long.txt": LONG, "other.txt": "Zebediah Quorn sold nothing."}))
    before = project_hashes(tmp_path)
    (tmp_path / "input" / "copy.txt").write_text("Nobody came.\n", encoding="utf-8")
    outcome = run_index(project(tmp_path, {}))
    assert outcome.changes.added == 1
    assert asked(outcome)["s25_annotate_sentences"] == 1
    after = project_hashes(tmp_path)
    assert all(before[name] == after[name] for name in ("entities", "relationships", "claims", "community_reports"))


def project_hashes(root: Path) -> dict[str, str]:
    return hashes(project(root, {}))


def test_a_renamed_document_is_known_by_its_text(tmp_path: Path) -> None:
    indexed(tmp_path)
    (tmp_path / "input" / "harbour.md").rename(tmp_path / "input" / "moles.md")
    outcome = run_index(project(tmp_path, {}))
    assert (outcome.changes.added, outcome.changes.removed) == (1, 1)
    assert "s25_annotate_sentences" not in asked(outcome)


def test_a_removed_document_takes_along_all_that_nothing_else_says(tmp_path: Path) -> None:
    text = "Barnabas Quill met Ada Thorne at Carrow in 1876, and accused Edmund Vane of theft in May 1877.\n"
    run_index(project(tmp_path, {**TEXTS, "quill.txt": text}))
    (tmp_path / "input" / "quill.txt").unlink()
    run_index(project(tmp_path), fresh=True)
    run_index(project(tmp_path / "never"))
    assert project_hashes(tmp_path) == project_hashes(tmp_path / "never")


def test_an_index_can_be_rolled_back_and_goes_on_from_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.yaml").write_text("chunks: {size: 60, overlap: 10}\n", encoding="utf-8")
    indexed(tmp_path)
    settled = Project.open(tmp_path)
    first = hashes(settled)
    write_texts(tmp_path / "input", {"letters.txt": "Clara Finch wrote to Edmund Vane in 1883.\n"})
    run_index(settled)
    second = hashes(settled)
    roll_back(tmp_path, None, json=False)
    assert "generation 1 is published instead of 2" in capsys.readouterr().out
    assert hashes(settled) == first
    assert pq.read_table(tmp_path / "output" / "documents.parquet").num_rows == 3
    outcome = run_index(settled)
    assert outcome.generation == 3 and outcome.changes.added == 1
    assert {**hashes(settled), "calls": ""} == {**second, "calls": ""}
    assert settled.store.numbers() == [1, 3], "the one before is kept, not the one that was rolled away"
    with pytest.raises(StoreError, match="no generation 2"):
        roll_back(tmp_path, 2, json=False)


def test_a_damaged_or_missing_generation_is_not_rolled_back_to(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("chunks: {size: 60, overlap: 10}\n", encoding="utf-8")
    indexed(tmp_path)
    settled = Project.open(tmp_path)
    with pytest.raises(StoreError, match="oldest on disk"):
        roll_back(tmp_path, None, json=False)
    write_texts(tmp_path / "input", {"letters.txt": "Clara Finch wrote to Edmund Vane in 1883.\n"})
    run_index(settled)
    old = tmp_path / "output" / "generations" / "000001" / "entities.parquet"
    content = old.read_bytes()
    old.unlink()
    with pytest.raises(StoreError, match="gone"):
        roll_back(tmp_path, 1, json=False)
    old.write_bytes(content[:-8] + bytes(8))
    with pytest.raises(StoreError, match="not the one that was published"):
        roll_back(tmp_path, 1, json=False)
    assert settled.store.open().manifest.generation == 2


@pytest.mark.parametrize("content", [None, "{", '{"tables": {}}'])
def test_without_a_manifest_that_can_be_read_the_newest_generation_is_gone_back_to(
    tmp_path: Path, content: str | None
) -> None:
    (tmp_path / "settings.yaml").write_text("chunks: {size: 60, overlap: 10}\n", encoding="utf-8")
    indexed(tmp_path)
    settled = Project.open(tmp_path)
    before = hashes(settled)
    manifest = tmp_path / "output" / "manifest.json"
    manifest.unlink() if content is None else manifest.write_text(content)
    roll_back(tmp_path, None, json=False)
    assert hashes(settled) == before


def test_a_file_that_cannot_be_read_pushes_no_older_generation_off_the_disk(tmp_path: Path) -> None:
    indexed(tmp_path)
    write_texts(tmp_path / "input", {"broken.json": "{"})
    assert run_index(project(tmp_path)).generation == 2
    for _ in range(2):
        outcome = run_index(project(tmp_path))
        assert (outcome.generation, outcome.status, len(outcome.failures)) == (2, "partial", 1)
    assert project(tmp_path).store.numbers() == [1, 2]
    (tmp_path / "input" / "broken.json").unlink()
    assert run_index(project(tmp_path)).status == "complete"


def test_one_kept_generation_is_enough_to_go_on(tmp_path: Path) -> None:
    run_index(project(tmp_path, output={"keep_generations": 1}))
    write_texts(tmp_path / "input", {"letters.txt": "Clara Finch wrote to Edmund Vane in 1883.\n"})
    outcome = run_index(project(tmp_path, {}, output={"keep_generations": 1}))
    assert outcome.changes.added == 1 and project(tmp_path, {}).store.numbers() == [2]


def test_status_says_what_changed_since_and_what_a_run_would_do_again(tmp_path: Path) -> None:
    settled = indexed(tmp_path)
    assert project_status(settled)["would_redo"] == {}
    (tmp_path / "input" / "railway.txt").unlink()
    write_texts(tmp_path / "input", {"a.txt": "Clara Finch came.", "harbour.md": "# Carrow\n\nIt is a harbour."})
    status = project_status(settled)
    assert status["since_then"] == "documents: 1 added, 1 changed, 1 removed, 1 unchanged"
    assert status["would_redo"] == {"s10_load_documents": "changed: files"}
    (tmp_path / "input" / "a.txt").unlink()
    write_texts(tmp_path / "input", TEXTS)
    assert project_status(settled)["last_run"].startswith("index: complete, ended ")
    (tmp_path / "output" / "run.json").write_text("[" * 100_000)
    assert project_status(settled)["last_run"].startswith("unknown: run.json is damaged")
    settings = {"chunks": {"size": 60, "overlap": 10}, "reports": {"context_tokens": 400}}
    changed = project_status(Project(tmp_path, parse_settings(settings)))
    assert changed["would_redo"] == {"s80_write_reports": "settings, prompts or program changed"}


def test_the_end_of_a_run_says_what_was_done_and_why(tmp_path: Path) -> None:
    indexed(tmp_path)
    outcome = run_index(project(tmp_path, {"a.txt": "Clara Finch met Ada Thorne at Carrow."}))
    assert outcome.ran["s10_load_documents"] == "changed: files"
    assert outcome.ran["s20_cut_chunks"] == "changed: documents"
    described = describe_stages(outcome.ran)
    assert described.startswith("load_documents (changed: files); cut_chunks, ") and described.count("(") == 2


def test_only_numbers_of_documents_that_there_are_are_told() -> None:
    assert str(Changes(18, 0, 0, 0)) == "documents: 18 added" and str(Changes(0, 0, 0, 0)) == "documents: none"
