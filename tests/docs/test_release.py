"""What goes out with a release: the image's recipe and the changelog fit the code."""

import json
import re
import tomllib

from typer.testing import CliRunner

from pipeline import __version__
from pipeline.base.schema import TABLES
from pipeline.cli.app import app
from pipeline.web.server import PORT, TOKEN_VARIABLE, Address
from tests.docs.blocks import EXTRAS
from tests.paths import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def steps(word: str) -> list[str]:
    """Return what follows each instruction of that name in the Dockerfile."""
    return re.findall(rf"^{word} (.+)$", DOCKERFILE, re.M)


def test_the_image_starts_a_command_with_options_that_it_has() -> None:
    (program,), (command, *options) = (json.loads(steps(word)[0]) for word in ("ENTRYPOINT", "CMD"))
    assert program in PYPROJECT["project"]["scripts"]
    text = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    assert [option for option in options if option.startswith("--") and option not in text] == []
    assert steps("EXPOSE") == [str(PORT)] == [options[options.index("--port") + 1]]


def test_the_image_copies_all_that_the_wheel_is_built_from_and_names_extras_that_there_are() -> None:
    copied = {path for line in steps("COPY") for path in line.split()[:-1]}
    assert all((ROOT / path).exists() for path in copied)
    project, build = PYPROJECT["project"], PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*build["packages"], project["readme"], *project["license-files"], "pyproject.toml"} <= copied
    extras = {extra for listed in re.findall(r"\[([a-z0-9,-]+)\]", DOCKERFILE) for extra in listed.split(",")}
    assert extras
    assert extras <= EXTRAS
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {f"!{path}" for path in copied} <= set(allowed)


def test_the_image_runs_as_a_user_that_is_not_root_and_asks_for_a_token() -> None:
    last = DOCKERFILE.rindex("\nUSER ")
    assert steps("USER")[-1] not in ("root", "0")
    assert last < DOCKERFILE.index("\nENTRYPOINT ")
    assert TOKEN_VARIABLE in DOCKERFILE
    assert TOKEN_VARIABLE not in " ".join(steps("ENV") + steps("ARG")), "a token is no part of an image"
    assert Address(json.loads(steps("CMD")[0])[2]).access().token


def test_the_changelog_has_this_version_and_names_every_table_that_is_not_of_the_first() -> None:
    heads = re.findall(r"^## \[([^\]]+)\]", CHANGELOG, re.M)
    assert heads[0] == "Unreleased"
    assert __version__ in heads
    unreleased = CHANGELOG.split("\n## ")[1]
    for table in TABLES.values():
        if table.version > 1:
            assert f"`{table.name}` has version {table.version}" in unreleased


def test_the_changelog_names_commands_that_there_are() -> None:
    for words in set(re.findall(r"`graphstrata ([a-z-]+)", CHANGELOG)):
        assert CliRunner().invoke(app, [words, "--help"]).exit_code == 0, words


def test_the_page_on_benchmarks_names_each_command_that_there_is() -> None:
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    commands = [
        path.name for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
    ]
    assert sorted(set(re.findall(r"`(?:python benchmarks/)?([a-z_]+\.py)", text))) == sorted(commands)
