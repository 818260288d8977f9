"""The corpus as one file: nothing of it is fetched, nothing of the corpus becomes markup, and nothing is overwritten unasked."""

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from pipeline.base.errors import StoreError
from pipeline.base.store import Store
from pipeline.web.one_file.script import PAGE, ScriptError, one_script
from pipeline.web.one_file.write import export_html
from tests.corpora import project
from tests.query_cases import sample
from tests.web.server_cases import write_settings

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The sample as one file."""
    file = tmp_path_factory.mktemp("export") / "joan.html"
    export_html(write_settings(sample().parent), file)
    return file.read_text(encoding="utf-8")


def test_the_file_holds_every_entity_theme_and_document(written: str) -> None:
    (data,) = [json.loads(found) for found in DATA.findall(written)]
    index = Store(sample()).open()
    assert set(data["entities"]) == set(index.table("entities")["id"].to_pylist())
    assert set(data["reports"]) == {str(one) for one in index.table("communities")["community"].to_pylist()}
    texts = {one["id"]: one["text"] for one in index.table("documents").to_pylist()}
    assert {one["id"]: one["text"] for one in data["documents"]} == texts


def test_only_the_files_own_script_and_styles_may_run_and_nothing_is_fetched(written: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', written)[1]  # type: ignore[index]
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        inner = re.search(rf"<{tag}>(.*?)</{tag}>", written, re.DOTALL)[1]  # type: ignore[index]
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy and "http" not in policy
    assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="(?!data:)', written)


def test_text_of_a_corpus_cannot_end_the_element_that_holds_it(tmp_path: Path) -> None:
    from pipeline.runner.run import run_index

    hostile = "# </script><script>alert(1)</script>\n\nAnna Berg met Carl Dahl in Oslo <!-- <script>. Carl Dahl met Anna Berg in Oslo."
    made = project(tmp_path, {"a.md": hostile, "b.md": hostile.replace("Oslo", "Bergen")})
    run_index(made)
    write_settings(made.root)
    export_html(made.root, tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert text.count("<script") == 2 and text.count("</script") == 2 and "<!--" not in text
    assert hostile in [one["text"] for one in json.loads(DATA.findall(text)[0])["documents"]]


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("mine")
    with pytest.raises(StoreError, match="there already"):
        export_html(sample().parent, tmp_path / "a.html")
    with pytest.raises(StoreError, match=r"\.html"):
        export_html(sample().parent, tmp_path / "a.txt")
    assert (tmp_path / "a.html").read_text() == "mine"


def test_every_module_of_the_page_can_be_put_into_one_script() -> None:
    script = one_script("app.js", {})
    modules = {path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*.js")} - {"static/api.js"}
    modules -= {"projects.js"}  # of the list of projects, which one file does not have
    assert {name for name in modules if f'modules["{name}"] = ' not in script} == set()


def test_a_module_that_would_be_lost_in_one_script_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.js").write_text('import everything from "./b.js";\n')
    monkeypatch.setattr("pipeline.web.one_file.script.PAGE", tmp_path)
    with pytest.raises(ScriptError, match="import everything"):
        one_script("a.js", {})
