"""Settings: all of them have a default and a help, unknown ones are refused, keys never show."""

from pathlib import Path

import pytest
import yaml

from pipeline.base.errors import SettingsError
from pipeline.base.settings import Settings, parse_settings, read_settings, write_settings


def test_the_written_settings_are_the_defaults() -> None:
    assert parse_settings(yaml.safe_load(write_settings())) == Settings()


def test_every_setting_is_written_with_its_help() -> None:
    for line in write_settings().splitlines():
        if line.strip() and not line.startswith("#"):
            assert "  # " in line, line


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"chunk": {}}, "unknown key chunk; did you mean chunks?"),
        ({"chunks": {"sise": 3}}, "unknown key chunks.sise; did you mean size?"),
        ({"models": {"a": {"model": "m", "base_ulr": "x"}}}, "did you mean base_url?"),
        ({"chunks": {"size": 0}}, "chunks.size"),
        ({"chunks": {"size": 10, "overlap": 10}}, "overlap"),
        ({"language": {"default": "big"}}, "language.default names 'big'"),
        ([1], "holds a list"),
    ],
)
def test_what_does_not_fit_is_named_with_the_nearest_known_key(content: object, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse_settings(content)
    assert said in str(error.value)


def test_a_key_that_was_written_into_the_settings_does_not_show_in_the_error() -> None:
    with pytest.raises(SettingsError) as error:
        parse_settings({"models": {"a": {"model": ["sk-secret"], "api_key": "sk-secret"}}})
    assert "sk-secret" not in str(error.value)


def test_broken_yaml_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text("chunks:\n  size: [1\n")
    with pytest.raises(SettingsError, match="line 3"):
        read_settings(path)


def test_a_key_that_is_there_twice_is_an_error_and_loses_no_section(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text("chunks:\n  size: 100\n  overlap: 10\ninput:\n  folder: a\nchunks:\n  size: 200\n")
    with pytest.raises(SettingsError, match="line 6: the key chunks is there a second time"):
        read_settings(path)
    path.write_text("[" * 5000)
    with pytest.raises(SettingsError, match="nested too deep"):
        read_settings(path)


def test_a_value_of_another_kind_is_answered_in_the_words_of_settings_yaml() -> None:
    wrong = {"input": {"patterns": "*.txt"}, "chunks": 600, "names": {"recogniser": "spacy"}}
    with pytest.raises(SettingsError) as error:
        parse_settings(wrong)
    said = str(error.value)
    assert "input.patterns: it must be a list" in said and "chunks: it must be a section with keys, found 600" in said
    assert r"(spacy|gliner):\S+" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"chunks": {"size": "big"}}, "chunks.size: it must be a whole number, found 'big'"),
        ({"chunks": {"size": -1}}, "chunks.size: it must be greater than or equal to 1, found -1"),
        ({"claims": {"enabled": "maybe"}}, "claims.enabled: it must be true or false, found 'maybe'"),
        ({"search": {"level": "high"}}, "search.level: it must be 'dynamic'"),
        ({"models": {"m": {}}}, "models.m.model: it is missing"),
    ],
)
def test_a_value_that_does_not_fit_is_not_said_to_be_an_unknown_setting(content: object, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse_settings(content)
    assert said in error.value.found and "not known" not in error.value.why


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as error:
        read_settings(tmp_path / "no where" / "settings.yaml")
    folder = f"'{tmp_path}/no where'"
    assert error.value.fix == f"run: graphstrata init {folder}; or name the folder of a project with --root"


def test_a_setting_that_has_moved_is_understood_with_a_warning() -> None:
    with pytest.warns(FutureWarning, match=r"language\.workers is called engine\.workers now"):
        moved = parse_settings({"language": {"workers": 3}})
    assert moved.engine.workers == 3
    with pytest.warns(FutureWarning):
        assert parse_settings({"language": {"workers": 3}, "engine": {"workers": 5}}).engine.workers == 5


@pytest.mark.parametrize(
    ("content", "meant"),
    [
        ({"search": {"effort": "medum"}}, "did you mean medium"),
        ({"models": {"middle": {"model": "m"}}, "language": {"default": "midle"}}, "did you mean middle"),
    ],
)
def test_mistyped_values_are_answered_with_what_was_meant(content: dict[str, object], meant: str) -> None:
    with pytest.raises(SettingsError, match=meant):
        parse_settings(content)
