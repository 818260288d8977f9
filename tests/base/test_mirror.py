"""Input on another store: copied in a stream, again only where etag or size changed, resumed where a copy broke off."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.errors import InputError
from pipeline.base.settings import InputSettings
from pipeline.base.storage import mirror as mirrors
from pipeline.base.storage.mirror import Mirror
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, hashes, project

fsspec = pytest.importorskip("fsspec", reason="needs the extra remote")

SETTINGS = InputSettings(patterns=("**/*.txt", "**/*.md"))


@pytest.fixture
def store() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    system.rm("/", recursive=True) if system.ls("/") else None
    yield system
    system.rm("/", recursive=True) if system.ls("/") else None


def put(store: Any, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        store.pipe(f"/bucket/{name}", text.encode())


def silent(line: str) -> None:
    """Pass."""


def test_an_index_of_a_bucket_is_that_of_the_folder_and_only_changes_are_copied(store: Any, tmp_path: Path) -> None:
    put(store, TEXTS)
    folder = project(tmp_path / "folder")
    remote = project(tmp_path / "remote", {}, input={"folder": "memory://bucket"})
    run_index(folder)
    run_index(remote)
    assert hashes(remote) == hashes(folder)
    assert run_index(remote).unchanged
    store.pipe("/bucket/more.txt", b"Clara Finch drew the mole of Carrow.")
    store.rm("/bucket/railway.txt")
    said: list[str] = []
    assert not remote.input_files(said.append).unread
    assert said == ["memory://bucket: 1 of 3 files are new or changed"]
    outcome = run_index(remote)
    assert (outcome.changes.added, outcome.changes.removed) == (1, 1)


def test_a_folder_by_its_address_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("Ada Thorne built the mole.")
    assert not Mirror(f"file://{tmp_path}/texts", tmp_path / "copies").fetch(SETTINGS, silent)
    assert (tmp_path / "copies" / "files" / "a.txt").read_text() == "Ada Thorne built the mole."


def test_a_copy_that_broke_off_goes_on_where_it_ended(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, {"long.txt": "0123456789" * 10})
    monkeypatch.setattr(mirrors, "BLOCK", 10)
    monkeypatch.setattr(mirrors, "TRIES", 1)
    before, reads = type(store).open, []

    class Breaking:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> "Breaking":
            return self

        def __exit__(self, *error: object) -> None:
            self.file.close()

        def seek(self, place: int) -> None:
            reads.append(place)
            self.file.seek(place)

        def read(self, size: int) -> bytes:
            if len(reads) == 1 and self.file.tell() >= 40:
                raise ConnectionError("the line was cut")
            return bytes(self.file.read(size))

    monkeypatch.setattr(type(store), "open", lambda self, path, mode: Breaking(before(self, path, mode)))
    copies = Mirror("memory://bucket", tmp_path)
    (problem,) = copies.fetch(SETTINGS, silent)
    assert (problem.source, problem.reason) == ("long.txt", "cannot be read: ConnectionError: the line was cut")
    assert not copies.fetch(SETTINGS, silent)
    assert reads == [0, 40]
    assert (tmp_path / "files" / "long.txt").read_text() == "0123456789" * 10
    assert not list(tmp_path.glob("*.part"))


def test_names_that_lead_out_and_files_that_are_too_long_are_rows_and_not_copied(store: Any, tmp_path: Path) -> None:
    put(store, {"a.txt": "short", "long.txt": "x" * 3000, ".hidden.txt": "no", "c.xlsx": "no"})
    found = Mirror("memory://bucket", tmp_path).fetch(SETTINGS.model_copy(update={"max_file_mb": 0.002}), silent)
    assert {problem.source for problem in found} >= {".hidden.txt", "long.txt"}
    assert [path.name for path in (tmp_path / "files").rglob("*.txt")] == ["a.txt"]


def test_what_cannot_be_listed_is_an_error_with_three_lines(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="no file to read at memory://nothing"):
        Mirror("memory://nothing", tmp_path).fetch(SETTINGS, silent)
    with pytest.raises(InputError) as caught:
        Mirror("nosuchkind://bucket", tmp_path).fetch(SETTINGS, silent)
    assert len(str(caught.value).splitlines()) == 3
    monkeypatch.setattr(mirrors, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="not installed") as caught:
        Mirror("s3://bucket", tmp_path).fetch(SETTINGS, silent)
    assert caught.value.fix == "pip install 'graphstrata[s3]'"
