"""The path jail, the search by patterns, and the bounded read."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base import files
from pipeline.base.errors import InputError, SettingsError, StoreError

LIMIT = 1000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "texts with space"
    for name in ("b.txt", "a.txt", "sub/c.md", "sub/deep/d.TXT", "sub/deep/e.log", "z/é.txt"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret")
    return root


@pytest.mark.parametrize(
    "name", ["../secret.txt", "sub/../../secret.txt", "a/..", "/etc/passwd", "..\\secret.txt", "\\x", "a\0b"]
)
def test_the_jail_refuses_paths_that_could_lead_out(folder: Path, name: str) -> None:
    with pytest.raises(InputError):
        files.jail(folder, name)


def test_the_jail_raises_the_error_it_is_given(folder: Path) -> None:
    with pytest.raises(StoreError):
        files.jail(folder, "../x", StoreError)


@given(st.text(max_size=40))
@settings(deadline=None, max_examples=200)
def test_the_jail_returns_a_path_inside_or_refuses(name: str) -> None:
    root = Path(__file__).parent
    try:
        path = files.jail(root, name)
    except InputError:
        return
    assert path.is_relative_to(root.resolve())


def test_the_jail_follows_links_inside_and_refuses_links_outside(folder: Path) -> None:
    (folder / "inside.txt").symlink_to(folder / "a.txt")
    (folder / "outside.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "up").symlink_to(folder.parent)
    assert files.jail(folder, "inside.txt") == (folder / "a.txt").resolve()
    for name in ("outside.txt", "up/secret.txt", "up/new.txt"):
        with pytest.raises(InputError, match="leads out"):
            files.jail(folder, name)


def test_the_jail_refuses_links_in_circles_and_pipes(folder: Path) -> None:
    (folder / "one.txt").symlink_to(folder / "two.txt")
    (folder / "two.txt").symlink_to(folder / "one.txt")
    os.mkfifo(folder / "pipe.txt")
    for name in ("one.txt", "pipe.txt"):
        with pytest.raises(InputError):
            files.read(folder, name, LIMIT)
    with pytest.raises(InputError, match="regular file"):
        files.jail(folder, "pipe.txt")


def test_sources_are_sorted_by_code_point_and_match_in_any_case(folder: Path) -> None:
    assert files.find(folder, ["**/*.txt", "**/*.md"]).sources == [
        "a.txt",
        "b.txt",
        "sub/c.md",
        "sub/deep/d.TXT",
        "z/é.txt",
    ]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.txt", ["a.txt", "b.txt"]),
        ("sub/**", ["sub/c.md", "sub/deep/d.TXT", "sub/deep/e.log"]),
        ("sub/*", ["sub/c.md"]),
        ("sub/**/*.log", ["sub/deep/e.log"]),
        ("**/deep/*.txt", ["sub/deep/d.TXT"]),
        ("[ab].txt", ["a.txt", "b.txt"]),
        ("[!a].txt", ["b.txt"]),
        ("?.txt", ["a.txt", "b.txt"]),
        ("./a.*", ["a.txt"]),
        ("z/*", ["z/é.txt"]),
    ],
)
def test_patterns_are_globs_relative_to_the_folder(folder: Path, pattern: str, expected: list[str]) -> None:
    assert files.find(folder, [pattern]).sources == expected


def test_an_excluded_folder_is_left_out_whole(folder: Path) -> None:
    assert files.find(folder, ["**/*.txt"], ["sub", "b.*"]).sources == ["a.txt", "z/é.txt"]
    assert files.find(folder, ["**/*.txt"], ["sub/deep/**"]).sources == ["a.txt", "b.txt", "z/é.txt"]


@pytest.mark.parametrize("pattern", ["/etc/*", "../*.txt", "", "a\\*.txt", "[z-a].txt"])
def test_a_pattern_that_is_broken_or_leads_out_is_a_settings_error(folder: Path, pattern: str) -> None:
    with pytest.raises(SettingsError):
        files.find(folder, [pattern])


def test_a_folder_of_nothing_but_a_link_to_texts_says_so(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("x")
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "notes").symlink_to(tmp_path / "texts")
    with pytest.raises(InputError, match=r"notes \(link to a folder; links to folders are not followed\)"):
        files.find(tmp_path / "input", ["**/*.txt"])


def test_hidden_files_and_links_that_leave_are_reported_and_not_read(folder: Path) -> None:
    (folder / ".hidden.txt").write_text("x")
    (folder / ".git").mkdir()
    (folder / ".git" / "g.txt").write_text("x")
    (folder / "outside.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "nowhere.txt").symlink_to(folder / "missing")
    (folder / "circle.txt").symlink_to(folder)
    (folder / "loop").symlink_to(folder)
    found = files.find(folder, ["**/*.txt"])
    assert found.sources == ["a.txt", "b.txt", "sub/deep/d.TXT", "z/é.txt"]
    reasons = {problem.source: problem.reason for problem in found.problems}
    assert set(reasons) == {".hidden.txt", ".git", "outside.txt", "nowhere.txt", "circle.txt", "loop"}
    assert "links to folders are not followed" in reasons["loop"]
    assert "leads out" in reasons["outside.txt"]
    assert {problem.kind for problem in found.problems} == {"skipped"}


def test_links_in_circles_pipes_and_devices_are_reported_alike_wherever_the_folder_is(folder: Path) -> None:
    (folder / "one.txt").symlink_to("two.txt")
    (folder / "two.txt").symlink_to("one.txt")
    (folder / "zero.txt").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.txt")
    found = files.find(folder, ["*.txt"])
    assert found.sources == ["a.txt", "b.txt"]
    assert {problem.source for problem in found.problems} == {"one.txt", "two.txt", "zero.txt", "pipe.txt"}
    assert not [problem for problem in found.problems if str(folder) in problem.reason]


def test_names_with_composed_and_decomposed_accents_are_one_source(folder: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "café.txt")
    (folder / decomposed).write_text("decomposed")
    assert "café.txt" in files.find(folder, ["*.txt"]).sources
    assert files.read(folder, "café.txt", LIMIT) == b"decomposed"
    (folder / "café.txt").write_text("composed")
    found = files.find(folder, ["*.txt"])
    assert found.sources.count("café.txt") == 1
    assert "accents" in found.problems[0].reason
    assert files.read(folder, "café.txt", LIMIT) == b"composed"


def test_a_name_that_is_not_unicode_is_reported(folder: Path) -> None:
    try:
        (folder / os.fsdecode(b"bad\xff.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system takes no such name")
    found = files.find(folder, ["*.txt"])
    assert found.sources == ["a.txt", "b.txt"]
    assert "not valid Unicode" in found.problems[0].reason
    found.problems[0].source.encode("utf-8")


def test_a_folder_that_gives_nothing_is_a_clear_error(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, pattern, message in (
        (tmp_path / "missing", "*", "no input folder"),
        (tmp_path / "secret.txt", "*", "is not a folder"),
        (tmp_path / "empty", "*", "it is empty"),
        (folder, "**/*.pdf", "4 .txt, 1 .log, 1 .md"),
    ):
        with pytest.raises(InputError) as error:
            files.find(path, [pattern])
        assert message in error.value.found
        assert error.value.fix


def test_what_cannot_be_read_has_a_reason(folder: Path) -> None:
    (folder / "large.txt").write_bytes(b"x" * (LIMIT + 1))
    for name, message in (
        ("large.txt", "more than the limit"),
        ("gone.txt", "no longer there"),
        ("sub", "regular file"),
    ):
        with pytest.raises(InputError) as error:
            files.read(folder, name, LIMIT)
        assert message in error.value.found or "Is a directory" in error.value.found


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_has_a_reason(folder: Path) -> None:
    (folder / "a.txt").chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        files.read(folder, "a.txt", LIMIT)


def test_a_file_that_grows_is_not_read_beyond_the_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.txt").write_bytes(b"x" * (LIMIT + 500))
    real = os.fstat

    def before_it_grew(handle: int) -> os.stat_result:
        state = real(handle)
        return os.stat_result([10 if place == 6 else value for place, value in enumerate(state[:10])])

    monkeypatch.setattr(os, "fstat", before_it_grew)
    with pytest.raises(InputError, match="more than the limit"):
        files.read(folder, "a.txt", LIMIT)


def test_a_file_is_before_its_copies_so_that_they_are_the_ones_left_out(tmp_path: Path) -> None:
    names = ("notes (copy).txt", "notes - Copy.txt", "notes copy.txt", "notes.txt", "notes")
    for name in names:
        (tmp_path / name).write_text("x")
    found = files.find(tmp_path, ["**/*"]).sources
    assert found[:2] == ["notes", "notes.txt"] and sorted(found) == sorted(names)
