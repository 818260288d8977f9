"""The folder in which what the documentation shows is run."""

import os
import shutil
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.query_cases import sample


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample project with its index, as the current folder, and a home folder with some texts in archive."""
    root = tmp_path / "project"
    shutil.copytree(sample().parent, root)
    (root / "settings.yaml").write_text("", encoding="utf-8")
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path))
    shutil.copytree(ROOT / "input", tmp_path / "archive", ignore=shutil.ignore_patterns("[!s]*"))
    (tmp_path / "archive" / "mill.md").write_text(
        "# The mill\n\nRuth Vale ran the mill at Orleans.\n", encoding="utf-8"
    )
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    return root
