"""The exported file in a real browser, opened from disk."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.web.one_file.write import export_html
from tests.web.browser.conftest import until

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.long]


def test_the_exported_file_opens_from_disk_and_leads_from_theme_to_passage(
    browser: Any, project: Path, tmp_path: Path
) -> None:
    export_html(project, tmp_path / "joan.html")
    context = browser.new_context(offline=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto((tmp_path / "joan.html").as_uri())
    until(page, "document.querySelector('.graph-map')?.drawing.drawn.labels.length > 0")
    page.fill("#search", "joan of")
    page.wait_for_selector("#suggestions .suggestion.is-entity")
    page.keyboard.press("Escape")
    page.locator(".theme-title").first.click()
    page.locator(".report .citations a[href^='#/read/']").first.click()
    page.wait_for_selector("mark.cited")
    assert page.locator("mark.cited").first.is_visible()
    assert page.locator("nav.views a").count() == 4, "what needs a server is not offered"
    assert faults == []
    context.close()
