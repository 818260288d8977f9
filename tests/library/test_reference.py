"""The public names of the library: few, documented, and importable one by one."""

import inspect
import re

import pytest

import graphstrata
from tests.paths import ROOT


def test_every_public_name_can_be_imported_and_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    for name in graphstrata.__all__:
        assert getattr(graphstrata, name) is not None
        assert name.startswith("__") or f"\n## {name}\n" in page
    assert set(graphstrata.__all__) <= set(dir(graphstrata)) and len(graphstrata.__all__) < 20


def test_the_errors_that_the_reference_names_are_public() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b[A-Z][a-z]+Error\b", page))
    assert named and named <= set(graphstrata.__all__)
    assert all(issubclass(getattr(graphstrata, name), graphstrata.GraphstrataError) for name in named)


@pytest.mark.parametrize("name", ["stream", "astream", "aask"])
def test_options_of_a_question_are_named_and_typed_however_it_is_asked(name: str) -> None:
    asked = inspect.signature(graphstrata.Index.ask).parameters
    options = inspect.signature(getattr(graphstrata.Index, name)).parameters
    wanted = set(asked) - ({"watch", "listen"} if name != "aask" else set())
    assert set(options) == wanted
    assert all(options[one].annotation == asked[one].annotation for one in wanted - {"watch"})


def test_the_tables_that_a_checker_knows_are_those_there_are() -> None:
    from pipeline.base.schema import TABLES

    source = (ROOT / "pipeline" / "query" / "index.py").read_text(encoding="utf-8")
    known = {line.split(":")[0].strip() for line in source.splitlines() if line.endswith(": pd.DataFrame")}
    assert known and known <= set(TABLES)
