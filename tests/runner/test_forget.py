"""index --forget: what was deleted, or edited out, is in no table, cache, vector, log or old generation any more."""

import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.base.errors import InputError, StoreError
from pipeline.cli.commands.rollback import roll_back
from pipeline.language.cache import Cache
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, indexed, project
from tests.lookalike import LookAlike
from tests.lookalike.replies import schema_of
from tests.runner.test_models import reply
from tests.scripted_backend import ScriptedBackend

CANARY = "Quillfeather"
CANARY_TEXT = (
    f"Barnabas {CANARY} met Ada Thorne at Carrow in 1876. Barnabas {CANARY} accused Edmund Vane of theft in May 1877. "
    f"The {CANARY} Foundry made lamps for the Carrow Railway.\n"
)


def traces(folder: Path) -> list[str]:
    """Return where under an output folder the canary is found: names and bytes of any file, whatever is packed anywhere in
    it (pages that SQLite no longer uses, its write-ahead log), rows of tables, kept replies."""
    found = [f"name of {path}" for path in folder.rglob("*") if CANARY in path.name]
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if CANARY.lower().encode() in path.read_bytes().lower():
            found.append(f"bytes of {path.name}")
        found += [f"packed in {path.name}" for text in unpacked(path.read_bytes()) if CANARY.encode() in text]
        if path.suffix == ".parquet" and CANARY.lower() in str(pq.read_table(path).to_pylist()).lower():
            found.append(f"rows of {path.relative_to(folder)}")
    with sqlite3.connect(folder / "cache.sqlite") as db:
        for reply, *others in db.execute("SELECT reply, key, stage, task, item, parts, by FROM replies"):
            if CANARY.lower() in (zlib.decompress(reply).decode() + str(others)).lower():
                found.append(f"a reply of {others[2]}")
    return found


def unpacked(data: bytes) -> Iterator[bytes]:
    """Yield what zlib can unpack of ``data``, from wherever it can begin."""
    for found in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", data):
        with suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[found.start() :], 1_000_000)


def said(body: dict[str, Any]) -> Any:
    """Answer as a careful model, and repeat the canary wherever it was shown."""
    if schema_of(body) is None:
        return f"It was Barnabas {CANARY}. [p1]"
    answer = reply(body)
    if CANARY in str(body["messages"]) and answer.get("entities"):
        answer["entities"].append({"title": f"{CANARY} Foundry", "type": "ORGANIZATION", "description": CANARY})
    return answer


def test_with_a_model_and_vectors_nothing_remains_of_what_was_deleted_or_edited_out(tmp_path: Path) -> None:
    edited = {**TEXTS, "railway.txt": f"{TEXTS['railway.txt']} Barnabas {CANARY} led it, too."}
    with LookAlike(said) as server:
        models = {"m": {"model": "look-alike", "base_url": server.url}}
        models["e"] = {"model": "look-alike-embedding", "kind": "embedding", "base_url": server.url}
        given: dict[str, Any] = {"models": models, "language": {"default": "m", "embedding": "e"}}
        settled = project(tmp_path, {**edited, "canary.txt": CANARY_TEXT, f"{CANARY}.json": "{"}, **given)
        run_index(settled)
        Index.open(settled.store.folder, settled.settings).ask(f"Who is Barnabas {CANARY}?", "basic")
        (tmp_path / "input" / "canary.txt").unlink()
        (tmp_path / "input" / f"{CANARY}.json").unlink()
        assert len(traces(tmp_path / "output")) > 20
        outcome = run_index(project(tmp_path, **given), forget=True)
        assert traces(tmp_path / "output") == []
        assert outcome.rows["embeddings"] == sum(1 for _ in vectors(tmp_path / "output")), "no other vector is kept"
    (tmp_path / "settings.yaml").write_text("chunks: {size: 60, overlap: 10}\n", encoding="utf-8")
    with pytest.raises(StoreError, match="oldest on disk"):
        roll_back(tmp_path, None, json=False)


def vectors(folder: Path) -> Iterator[str]:
    with closing(sqlite3.connect(folder / "cache.sqlite")) as db:
        yield from (key for (key,) in db.execute("SELECT key FROM vectors"))


def test_what_another_process_still_reads_is_reported_as_not_yet_forgotten(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite", 1)
    cache.put_vectors([("a", b"x" * 100)], "s90_embed")
    cache._db.execute("PRAGMA busy_timeout = 20")
    cache.run = 2
    with closing(sqlite3.connect(tmp_path / "cache.sqlite")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM vectors").fetchall()
        with pytest.raises(StoreError, match="another process|cannot be used"):
            cache.prune(unused=True)
    assert cache.prune(unused=True) == 0 and b"xxxx" not in (tmp_path / "cache.sqlite").read_bytes()


def test_a_forgetting_run_with_nothing_left_to_read_says_how_to_forget_everything(tmp_path: Path) -> None:
    run_index(project(tmp_path, {"canary.txt": CANARY_TEXT}))
    (tmp_path / "input" / "canary.txt").unlink()
    with pytest.raises(InputError) as error:
        run_index(project(tmp_path, {}), forget=True)
    assert "nothing was forgotten" in error.value.why and "delete the output folder" in error.value.fix


@pytest.mark.parametrize("paid", [False, True], ids=["offline", "model"])
def test_a_deleted_canary_is_found_nowhere_after_forgetting(tmp_path: Path, paid: bool) -> None:
    backend = ScriptedBackend({}) if paid else None
    run_index(project(tmp_path, {**TEXTS, "canary.txt": CANARY_TEXT, "Quillfeather.txt": "x"}), default=backend)
    (tmp_path / "input" / "canary.txt").unlink()
    (tmp_path / "input" / "Quillfeather.txt").unlink()
    run_index(project(tmp_path), default=backend)
    assert traces(tmp_path / "output"), "without forgetting, older generations and the cache still hold it"
    before = len(backend.asked) if backend else 0
    outcome = run_index(project(tmp_path), default=backend, forget=True)
    assert outcome.forgotten
    assert backend is None or len(backend.asked) == before, "what stays is answered by the cache"
    assert traces(tmp_path / "output") == []
    assert project(tmp_path).store.numbers() == [outcome.generation]
    assert run_index(project(tmp_path), default=backend).unchanged


def test_what_a_failed_run_kept_is_forgotten_too(tmp_path: Path) -> None:
    indexed(tmp_path)
    with pytest.raises(RuntimeError):
        run_index(project(tmp_path, {"canary.txt": CANARY_TEXT}, reports={"min_tokens": 0}), default=Breaking())
    (tmp_path / "input" / "canary.txt").unlink()
    assert traces(tmp_path / "output")
    run_index(project(tmp_path), forget=True)
    assert traces(tmp_path / "output") == []


class Breaking(ScriptedBackend):
    """Answers until the last stage that asks."""

    def __init__(self) -> None:
        super().__init__({"write_report": self.fail})

    def fail(self, request: object) -> None:
        raise RuntimeError("unplugged")
