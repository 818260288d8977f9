"""The page's files: what is taken from others is pinned, and all of it is in the wheel."""

import hashlib
import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGE = ROOT / "pipeline" / "web" / "page"
VENDOR = PAGE / "vendor"


def test_what_is_taken_from_others_is_what_the_hash_file_names() -> None:
    sums = dict(reversed(line.split()) for line in (VENDOR / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    assert sums.keys() == {path.name for path in VENDOR.iterdir()} - {"SHA256SUMS", "LICENSES.txt"}
    for name, digest in sums.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


def test_the_bundle_holds_the_locked_versions_each_with_its_licence() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    with (VENDOR / "graph.js").open(encoding="utf-8") as bundle:
        bundled = re.findall(r"([\w@/-]+) (\d+\.\d+\.\d+) \((\w+)\)", bundle.readline())
    assert {name for name, *_ in bundled} >= {"sigma", "graphology"}
    for name, version, licence in bundled:
        assert lock[f"node_modules/{name}"]["version"] == version
        assert licence == "MIT"
        assert f"{name} {version}\n" in (VENDOR / "LICENSES.txt").read_text(encoding="utf-8")


def test_the_page_is_in_the_wheel(tmp_path: Path) -> None:
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed: it builds the wheel")
    (path,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    packed = set(zipfile.ZipFile(path).namelist())
    needed = {file.relative_to(ROOT).as_posix() for file in PAGE.rglob("*") if file.is_file()}
    assert needed <= packed
    assert not {name for name in packed if "node_modules" in name or name.startswith("web/")}
