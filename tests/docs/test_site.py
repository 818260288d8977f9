"""The documentation builds offline, with every link and every path in it leading somewhere."""

import logging
import re
from pathlib import Path

import pytest

from tests.paths import ROOT

PATH = re.compile(r"`((?:tests|benchmarks|docs|pipeline|workflows|input)/[\w./-]+?)`")


def test_the_site_builds_without_a_warning_and_holds_a_search_index(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    build = pytest.importorskip("mkdocs.commands.build", reason="the extra docs is not installed")
    from mkdocs.config import load_config

    with caplog.at_level(logging.WARNING, "mkdocs"):
        build.build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site")))
    assert [record.getMessage() for record in caplog.records] == []
    assert (tmp_path / "site" / "search" / "search_index.json").stat().st_size > 10_000
    fetched = [
        page
        for page in (tmp_path / "site").rglob("*.html")
        if re.search(r"<(?:script|link|img)[^>]+(?:src|href)=\"https?://(?!www\.w3)", page.read_text(encoding="utf-8"))
    ]
    assert fetched == []


@pytest.mark.parametrize(
    "page",
    sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]),
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    named = PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_readme_links_to_files_that_exist() -> None:
    links = re.findall(r"\]\(([^)#\s]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
