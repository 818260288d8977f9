"""The public names of the library: few, documented, and importable one by one."""

import graphstrata
from tests.paths import ROOT


def test_every_public_name_can_be_imported_and_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    for name in graphstrata.__all__:
        assert getattr(graphstrata, name) is not None
        assert name.startswith("__") or f"\n## {name}\n" in page
    assert set(graphstrata.__all__) <= set(dir(graphstrata)) and len(graphstrata.__all__) < 15


def test_the_tables_that_a_checker_knows_are_those_there_are() -> None:
    from pipeline.base.schema import TABLES

    source = (ROOT / "pipeline" / "query" / "index.py").read_text(encoding="utf-8")
    known = {line.split(":")[0].strip() for line in source.splitlines() if line.endswith(": pd.DataFrame")}
    assert known and known <= set(TABLES)
