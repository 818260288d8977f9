"""What README and the pages of docs/ ask a reader to type is run as it is written there."""

from pathlib import Path

import pytest

from tests.docs.blocks import Block, PageRun, blocks
from tests.paths import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
WITH_BLOCKS = [
    page for page in PAGES if any(block.language in ("sh", "python", "yaml", "json") for block in blocks(page))
]


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_runs_in_a_project_as_the_page_says(page: Path, project: Path) -> None:
    run = PageRun()
    for block in blocks(page):
        run.run(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_names_its_language_and_every_exception_its_reason(page: Path) -> None:
    for block in blocks(page):
        assert block.language, f"line {block.line}: write sh, python, yaml, json or text behind the fence"
        assert not block.note.startswith("shown only") or len(block.note) > len("shown only: "), block


def test_a_wrong_command_in_a_page_is_noticed(project: Path) -> None:
    with pytest.raises(AssertionError, match="No such option"):
        PageRun().run(Block(1, "sh", "graphstrata status --no-such-option\n", ""))
    with pytest.raises(AssertionError, match="not a known program"):
        PageRun().run(Block(1, "sh", "grahpstrata status\n", ""))
