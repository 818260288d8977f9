"""Keys may be kept in a project's .env; the environment goes before it, and nothing but keys is taken from it."""

import os
from pathlib import Path

import pytest

from pipeline.base.errors import SettingsError
from pipeline.base.settings import parse_settings
from pipeline.language.transport.api_keys import _from_files, read_env_file, read_key, redact

SETTINGS = parse_settings({"models": {"m": {"model": "x", "api_key_env": "MY_PROJECTS_KEY"}}})


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MY_PROJECTS_KEY", "HTTPS_PROXY_OF_A_STRANGER"):
        monkeypatch.setenv(name, "before")  # so that it is restored
        monkeypatch.delenv(name)
    monkeypatch.setattr("pipeline.language.transport.api_keys._from_files", set())


def test_a_key_is_read_from_the_file_and_never_shown(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# ours\nexport MY_PROJECTS_KEY='sk-abcdefgh1234'\nHTTPS_PROXY_OF_A_STRANGER=evil\n")
    read_env_file(tmp_path, SETTINGS)
    key = read_key("m", SETTINGS.models["m"])
    assert key and key.get_secret_value() == "sk-abcdefgh1234" and "abcdefgh" not in redact("with sk-abcdefgh1234")
    assert "HTTPS_PROXY_OF_A_STRANGER" not in os.environ


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PROJECTS_KEY", "sk-from-environment")
    (tmp_path / ".env").write_text("MY_PROJECTS_KEY=sk-from-file\n")
    read_env_file(tmp_path, SETTINGS)
    assert os.environ["MY_PROJECTS_KEY"] == "sk-from-environment"


def test_the_file_of_another_project_takes_the_place_of_the_first_ones(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".env").write_text(f"MY_PROJECTS_KEY=sk-of-project-{name}\n")
        read_env_file(tmp_path / name, SETTINGS)
    assert os.environ["MY_PROJECTS_KEY"] == "sk-of-project-b"
    assert not _from_files, "the list of this test alone was used"


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"\.env cannot be read"):
        read_env_file(tmp_path, SETTINGS)
