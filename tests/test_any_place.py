"""Any place: other locales and code pages, no home, odd paths, no terminal; four languages give the same bytes everywhere."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import hashes, write_texts
from tests.paths import ROOT

pytestmark = pytest.mark.long

TEXTS = {
    "de/Mühle.txt": (
        "Die Mühle von Grünau gehörte Anna Weiß. Anna Weiß baute 1871 mit Jürgen Öttinger das Wehr an der Elbe. "
        "Das Amt Grünau warf Anna Weiß im Mai 1875 Betrug vor. Jürgen Öttinger zog nach Köln.\n"
    ),
    "zh/码头.txt": (
        "李明在一八七一年修建了青岛码头。北方船务公司支付了青岛码头的费用。李明曾在上海学习。"
        "王芳指责李明疏忽。青岛法院认为李明没有过错。\n"
    ),
    "ja/港.txt": (
        "田中太郎は1871年に横浜港の防波堤を建てた。北方汽船会社が費用を払った。田中太郎は東京で学んだ。"
        "佐藤花子は田中太郎を訴えた。横浜の裁判所は田中太郎に過失はないとした。\n"
    ),
    "ar/ميناء.txt": (
        "بنى أحمد الخطيب رصيف الإسكندرية عام 1871. دفعت شركة الشمال ثمن رصيف الإسكندرية. درس أحمد الخطيب في القاهرة. "
        "اتهمت ليلى حداد أحمد الخطيب بالإهمال.\n"
    ),
}
PLACES: dict[str, dict[str, str | None]] = {
    "the locale C": {"LC_ALL": "C", "LANG": None, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "1"},
    "another code page": {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "POSIX", "PYTHONHASHSEED": "2"},
    "no home and a dumb terminal": {"HOME": None, "USERPROFILE": None, "XDG_CACHE_HOME": None, "TERM": "dumb"},
    "a home that cannot be written": {"HOME": "/proc", "XDG_CACHE_HOME": "/proc/cache", "PYTHONIOENCODING": "ascii"},
    "another time zone and no colours": {"TZ": "Pacific/Chatham", "NO_COLOR": "1", "COLUMNS": "20"},
}
"""Environments by name; None takes a variable out."""


def command(folder: Path, changed: dict[str, str | None], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run graphstrata as a process of its own, away from the project, with no terminal; the use of a default encoding warns."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNDEFAULTENCODING": "1", **changed}
    given = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-m", "pipeline", *arguments, "--root", str(folder)],
        env=given,
        cwd=folder.anchor,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
    )


def make(folder: Path) -> Path:
    write_texts(folder / "input", TEXTS)
    settings = "chunks: {size: 80, overlap: 10}\noutput: {folder: 'Ausgabe – 出力'}\n"
    (folder / "settings.yaml").write_text(settings, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The corpus indexed by this process."""
    made = Project.open(make(tmp_path_factory.mktemp("here")))
    run_index(made)
    return made


@pytest.fixture(scope="module")
def here(indexed: Project) -> dict[str, str]:
    """The hashes of that index."""
    return hashes(indexed)


@pytest.mark.parametrize("place", PLACES)
def test_four_languages_give_the_same_bytes_in(place: str, tmp_path: Path, here: dict[str, str]) -> None:
    folder = make(tmp_path / "mit Leerzeichen & Ümlaut – 文件 (1) 'x' مجلد")
    done = command(folder, PLACES[place], "index", "--json")
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert json.loads(done.stdout)["status"] == "complete", "JSON is UTF-8 in every place"
    assert hashes(Project.open(folder)) == here
    encodings = [line for line in done.stderr.splitlines() if b"EncodingWarning" in line and str(ROOT).encode() in line]
    assert not encodings, "a file is opened in whatever encoding the place has"


ASKED: dict[str, Callable[[str], bool]] = {
    "Was baute Anna Weiß 1871?": lambda text: "Wehr" in text or "Gr" in text,
    "李明修建了什么？": lambda text: "code" not in text,
}


@pytest.mark.parametrize("place", ["another code page"])
def test_questions_are_answered_in(place: str, indexed: Project, tmp_path: Path) -> None:
    folder = tmp_path / "Ordner – 文件"
    shutil.copytree(indexed.root, folder)  # the index that it would make: as the test before shows
    for question, fits in ASKED.items():
        done = command(folder, PLACES[place], "query", "local", question)
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        assert done.stdout and fits(done.stdout.decode("utf-8", "replace"))
    status = command(folder, PLACES[place], "status", "--json")
    assert status.returncode == 0 and json.loads(status.stdout)["would_redo"] == {}


def test_long_paths_and_paths_from_the_current_folder_give_the_same_bytes(tmp_path: Path, here: dict[str, str]) -> None:
    folder = make(tmp_path / "/".join(["ü" * 50] * 3) / "projekt")
    texts = folder.parent / "texte"
    (folder / "input").rename(texts)
    with (folder / "settings.yaml").open("a", encoding="utf-8") as file:
        file.write("input: {folder: ../texte}\n")
    (folder / "sub").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "index", "--root", ".."],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            **{key: text for key, text in PLACES["another code page"].items() if text},
        },
        cwd=folder / "sub",
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert hashes(Project.open(folder)) == here


def test_in_every_language_names_are_found_and_joined(indexed: Project) -> None:
    generation = indexed.store.open()
    titles = set(generation.table("entities")["title"].to_pylist())
    for name in ("Anna Weiß", "李明", "田中太郎", "أحمد الخطيب"):
        assert name in titles, f"{name} among {sorted(titles)}"
    assert generation.table("relationships").num_rows and generation.table("facts").num_rows
