"""A corpus that means harm is shown as the text that it is: nothing of it runs, and a field of ten megabytes stops no view."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.runner.run import run_index
from tests.corpora import project as make_project
from tests.web.browser.conftest import Open, serve, until
from tests.web.server_cases import write_settings

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.long]

ATTACKS = (
    "<script>window.harmed = 1</script>",
    "<img src=x onerror='window.harmed = 2'>",
    "<svg onload='window.harmed = 3'>",
    "<a href='javascript:window.harmed = 4'>",
    "</style></script><iframe srcdoc='<script>parent.harmed = 5</script>'>",
    "[click](javascript:window.harmed=6)",
    "\x1b]0;harmed\x07\x1b[31m",
    "{{constructor.constructor('window.harmed = 7')()}}",
)
VIEWS = ("#/map", "#/themes", "#/entities", "#/documents", "#/health")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of documents whose titles, names, texts and metadata attack the page."""
    folder = tmp_path_factory.mktemp("hostile")
    texts = {
        f"{number} <img src=x onerror=harmed=8>.md": f"# {attack} Anna Berg\n\nAnna Berg met Carl Dahl in Oslo on 3 May 1999. {attack} "
        f"Carl Dahl wrote to Anna Berg from Oslo. The Society of {attack} Oslo thanked Anna Berg.\n"
        for number, attack in enumerate(ATTACKS)
    }
    record = {"title": ATTACKS[1], "text": f"Anna Berg left Oslo. {ATTACKS[0]}", "note": "x" * 10_000_000}
    made = make_project(folder, {**texts, "records.jsonl": json.dumps(record) + "\n"})
    run_index(made)
    return write_settings(made.root)


def test_nothing_of_a_hostile_corpus_runs_in_any_view(hostile: Path, open_page: Open) -> None:
    with serve(hostile) as site:
        found = site.api("/search?q=Anna")["items"]
        entity = next(one["id"] for one in found if one["kind"] == "entity")
        documents = [one["id"] for one in site.api("/documents")["items"]]
        page = open_page("#/map", of=site)
        dialogs: list[Any] = []
        page.on("dialog", lambda dialog: (dialogs.append(dialog), dialog.dismiss()))
        views = [*VIEWS, f"#/entity/{entity}", f"#/map?entity={entity}", *(f"#/read/{one}" for one in documents)]
        for view in views:
            page.evaluate("view => { location.hash = view; }", view)
            until(page, "!document.querySelector('main > .waiting') && document.querySelector('main h1') !== null")
            assert page.evaluate(HARMLESS), view
        page.fill("#search", "<script>")
        page.wait_for_selector("#suggestions [role=option]")
        page.keyboard.press("Escape")
        page.evaluate(
            "location.hash = '#/ask?q=' + encodeURIComponent('Who is <img src=x onerror=harmed=9> Anna Berg?')"
        )
        page.wait_for_selector(".answer-actions button")
        assert page.evaluate(HARMLESS)
        assert dialogs == []


HARMLESS = """() => window.harmed === undefined
  && [...document.querySelectorAll('script')].every(one => one.src.startsWith(location.origin + '/assets/'))
  && !document.querySelector('iframe, object, embed, main img, base')
  && [...document.querySelectorAll('*')].every(one => [...one.attributes].every(a => !a.name.startsWith('on')))
  && [...document.querySelectorAll('a[href]')].every(one => /^(https?:|#)/.test(one.getAttribute('href')) || one.getAttribute('href').startsWith('/'))"""


def test_a_field_of_ten_megabytes_is_shown_as_its_beginning(hostile: Path, open_page: Open) -> None:
    with serve(hostile) as site:
        place = next(one["id"] for one in site.api("/documents")["items"] if one["title"] == ATTACKS[1])
        page = open_page(f"#/read/{place}", of=site)
        page.wait_for_selector(".document-text")
        assert page.evaluate("document.body.textContent.length") < 1_000_000
