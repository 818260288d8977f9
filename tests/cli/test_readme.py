"""Generated pages say what the code says, and README names every exit code."""

from runpy import run_path

from tests.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_docs_show_every_table_as_it_is_declared_and_every_file_in_a_line() -> None:
    pages = run_path(str(ROOT / "docs" / "generate.py"))["pages"](ROOT)
    for name, content in pages.items():
        assert (ROOT / name).read_text(encoding="utf-8") == content, "run: python docs/generate.py"


def test_settings_yaml_is_what_init_writes() -> None:
    from pipeline.base.settings import write_settings

    assert (ROOT / "settings.yaml").read_text(encoding="utf-8") == write_settings(), "make it anew: init --print"


def test_the_readme_names_the_exit_codes_that_errors_have() -> None:
    from pipeline.base import errors

    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.GraphstrataError)
    ]
    for code in {kind.exit_code for kind in kinds}:
        assert f"| {code} |" in README
