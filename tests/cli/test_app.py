"""The command as a person meets it: results on stdout, progress on stderr, errors in three lines, exit codes that stay the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import command
from tests.corpora import write_texts
from tests.lookalike import LookAlike
from tests.paths import ROOT

pytestmark = pytest.mark.xdist_group("commands")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    assert command("init", ".", cwd=folder).returncode == 0
    write_texts(folder / "input")
    done = command("index", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_init_never_overwrites(indexed: Path) -> None:
    before = (indexed / "settings.yaml").read_bytes()
    again = command("init", ".", cwd=indexed)
    assert again.returncode == 2 and "exists already" in again.stderr
    assert (indexed / "settings.yaml").read_bytes() == before


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    program = "import sys; sys.argv = ['graphstrata', '--help']\nfrom pipeline.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    program += "heavy = {'numpy', 'pyarrow', 'pandas', 'langgraph', 'langchain_core', 'networkx', 'scipy'} & set(sys.modules)\n"
    program += "sys.exit(f'imported {heavy}' if heavy else 0)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_results_go_to_stdout_and_progress_to_stderr(indexed: Path) -> None:
    done = command("index", "--json", cwd=indexed)
    assert json.loads(done.stdout)["unchanged"] is True
    assert "s10_load_documents" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("index", "--root", "nowhere"), 2, "no settings at"),
        (("query", "global", "  "), 9, "the question is empty"),
        (("show", "entity", "Ada Thorn"), 9, "near are: Ada Thorne"),
        (("show", "community", "99999"), 9, "no community '99999'"),
        (("cache", "explain"), 9, "explain needs a task and an item"),
        (("query", "nonsense", "what?"), 2, "nonsense"),
        (("query", "Who", "was", "here"), 2, "A question of several words is put in quotes."),
        (("query", "Who", "was?"), 2, "A question of several words is put in quotes."),
        (("query", ".", "Who was here?"), 2, "the project folder is given as --root ."),
        (("query", "global", "What?", "--level", "high"), 2, "search.level: it must be a whole number"),
        (("show", "community"), 9, "show community NUMBER"),
        (("rollback", "99"), 5, "on disk are 1\n"),
        (("eval", "run", "nowhere.jsonl"), 3, "nowhere.jsonl cannot be read: No such file or directory"),
    ],
)
def test_errors_say_what_was_found_and_end_with_their_code(
    indexed: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = command(*arguments, cwd=indexed)
    assert done.returncode == code, done.stderr
    assert said in done.stderr and "Traceback" not in done.stderr
    assert not done.stdout


@pytest.mark.parametrize("program", ["serve", "mcp"])
def test_a_folder_that_is_no_project_is_not_served(program: str, tmp_path: Path) -> None:
    for folder, said in ((str(tmp_path), "no settings at"), ("nowhere", "nowhere is no folder")):
        done = command(program, folder, cwd=tmp_path)
        assert done.returncode == 2 and said in done.stderr


def test_where_nothing_can_be_read_the_error_and_the_run_say_what_there_is(tmp_path: Path) -> None:
    command("init", ".", cwd=tmp_path)
    assert "no reply of a model" not in command("cache", "stats", cwd=tmp_path).stdout
    (tmp_path / "input" / "scan.PNG").write_bytes(b"\x89PNG")
    done = command("index", cwd=tmp_path)
    assert done.returncode == 3 and "1 .png" in done.stderr and "text in pictures has to be recognised" in done.stderr
    (tmp_path / "input" / "empty.txt").write_text("")
    done = command("index", cwd=tmp_path)
    assert done.returncode == 0 and "no document was read; why: graphstrata show failures" in done.stdout
    for told in (["show", "failures"], ["status"], ["doctor"]):  # wherever one looks for what is not read
        assert "1 .png, files of other kinds" in command(*told, cwd=tmp_path).stdout
    assert command("cache", "stats", cwd=tmp_path).stdout.strip() == "no reply of a model is kept here"


def test_debug_adds_the_traceback(indexed: Path) -> None:
    done = command("--debug", "query", "global", " ", cwd=indexed)
    assert "Traceback" in done.stderr and "error: the question is empty" in done.stderr and done.returncode == 9


@pytest.mark.parametrize("what", [("tables",), ("stats",), ("entity", "ada thorne"), ("community", "0")])
def test_show_prints_for_people_and_for_programs(indexed: Path, what: tuple[str, ...]) -> None:
    done = command("show", *what, cwd=indexed)
    assert done.returncode == 0 and done.stdout.strip(), done.stderr
    assert json.loads(command("show", *what, "--json", cwd=indexed).stdout)


def test_a_chunk_is_shown_with_its_place_its_entities_and_its_facts(indexed: Path) -> None:
    answer = json.loads(command("query", "global", "What happened at Carrow?", "--json", cwd=indexed).stdout)
    assert answer["sources"], answer
    source = answer["sources"][0]
    done = command("show", "chunk", source["chunk_id"][:8], cwd=indexed)
    assert source["file"] in done.stdout and "facts:" in done.stdout
    text = (indexed / "input" / source["file"]).read_text(encoding="utf-8")
    assert text[source["start"] : source["end"]] == source["quote"]


def test_status_doctor_verify_and_the_bill_answer(indexed: Path) -> None:
    status = json.loads(command("status", "--json", cwd=indexed).stdout)
    assert status["status"] == "complete" and status["spent_so_far"]["requests"] == 0
    assert "spent so far       nothing: no model was asked" in command("status", cwd=indexed).stdout
    assert command("doctor", cwd=indexed).returncode == 0
    assert command("verify", cwd=indexed).returncode == 0
    bill = json.loads(command("index", "--estimate", "--json", cwd=indexed).stdout)
    assert bill["total"]["calls"] == 0


def test_a_server_that_needs_no_key_and_answers_is_well_for_the_doctor(tmp_path: Path) -> None:
    command("init", ".", cwd=tmp_path)
    write_texts(tmp_path / "input")
    with LookAlike() as server:
        model = f"models: {{m: {{model: look-alike, base_url: '{server.url}'}}}}\nlanguage: {{default: m}}\n"
        (tmp_path / "settings.yaml").write_text(model)
        done = command("doctor", "--online", "--json", cwd=tmp_path)
    states = {finding["what"]: finding["state"] for finding in json.loads(done.stdout)}
    assert done.returncode == 0 and states["key of m"] == states["reaching m"] == "well"


def test_a_run_with_failed_items_ends_with_its_own_code(tmp_path: Path) -> None:
    command("init", ".", cwd=tmp_path)
    write_texts(tmp_path / "input")
    (tmp_path / "input" / "broken.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(1000))
    done = command("index", cwd=tmp_path)
    assert done.returncode == 8 and "partial: 1 item failed" in done.stderr and "broken.txt" in done.stderr


def test_a_changed_table_is_found_by_verify_and_by_doctor(tmp_path: Path) -> None:
    command("init", ".", cwd=tmp_path)
    write_texts(tmp_path / "input")
    assert command("index", cwd=tmp_path).returncode == 0
    path = next((tmp_path / "output" / "generations").glob("*/claims.parquet"))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes() + b"x")
    assert command("verify", cwd=tmp_path).returncode == 10
    assert command("doctor", cwd=tmp_path).returncode == 2
