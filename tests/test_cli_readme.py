"""What README.md generates from the code is what the code says."""

from pathlib import Path

from pipeline.cli.dictionary import fill

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_shows_the_tables_as_they_are_declared_and_every_file_in_a_line() -> None:
    assert fill(README, ROOT) == README, "make it anew: python -m pipeline.cli.dictionary"


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
