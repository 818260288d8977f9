"""query and eval as a person meets them: streamed, whole, as JSON, as a conversation, and measured."""

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipeline.base.errors import BudgetError, GraphstrataError, ModelError, PartialError
from pipeline.base.settings import write_settings
from pipeline.cli.app import app, three_lines
from pipeline.cli.asking.answer_printers import remarks
from pipeline.cli.evaluating.svg import Panel, panels_svg
from pipeline.cli.fixes import copyable
from pipeline.query.index import Index
from pipeline.query.method_names import METHODS
from pipeline.query.registry import SEARCHES
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import write_texts
from tests.lookalike import LookAlike
from tests.paths import ROOT

BUILT = "Who built the west mole of Carrow?"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "settings.yaml").write_text(write_settings(), encoding="utf-8")
    write_texts(folder / "input")
    run_index(Project.open(folder))
    return folder


def with_model(root: Path, folder: Path, server: LookAlike, more: str = "") -> Path:
    """Return a project that shares the index of ``root`` and has a model at the server, which is not asked to confirm answers."""
    (folder / "output").mkdir()
    (folder / "output/manifest.json").write_bytes((root / "output/manifest.json").read_bytes())
    shutil.copytree(root / "output/generations", folder / "output/generations")
    model = f"{{model: look-alike, base_url: '{server.url}', price_in: 1.0, price_out: 1.0}}"
    settings = f"models:\n  m: {model}\nlanguage: {{default: m}}\nsearch: {{check_support: words}}\n{more}"
    (folder / "settings.yaml").write_text(settings, encoding="utf-8")
    return folder


def run(root: Path, *arguments: str, input: str = "") -> Any:
    done = CliRunner().invoke(app, [*arguments, "--root", str(root)], input=input)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_the_methods_of_the_command_are_those_there_are() -> None:
    assert set(METHODS) == set(SEARCHES)


def test_an_answer_is_on_stdout_with_its_sources_and_what_it_rests_on_is_on_stderr(root: Path) -> None:
    done = run(root, "query", "basic", BUILT)
    assert "Ada Thorne built the west mole" in done.stdout and "\nSources\n[1] harbour.md, line 3: " in done.stdout
    assert "(rests on" in done.stderr and "rests on" not in done.stdout


def test_the_method_and_the_question_are_also_taken_as_the_command_of_graphrag_has_them(root: Path) -> None:
    plain = run(root, "query", "basic", BUILT).stdout
    for words in (("--method", "basic", "--query", BUILT), ("-m", "basic", BUILT), (BUILT, "--method", "basic")):
        assert run(root, "query", *words).stdout == plain
    asked = CliRunner().invoke(app, ["query", "basic", "who", "--query", "built", "--root", str(root)])
    assert asked.exit_code == 2 and "3 words where a method and a question are expected" in asked.output


def test_a_streamed_answer_prints_the_same_as_a_whole_one(root: Path) -> None:
    for method in ("basic", "global", "local"):
        assert run(root, "query", method, BUILT, "--stream").stdout == run(root, "query", method, BUILT).stdout


def test_steps_are_explained_on_stderr_as_they_happen(root: Path) -> None:
    done = run(root, "query", "basic", BUILT, "--explain")
    assert "find: " in done.stderr and "answer: " in done.stderr and "find: " not in done.stdout


def test_json_holds_everything_of_an_answer(root: Path) -> None:
    printed = json.loads(run(root, "query", "basic", BUILT, "--json").stdout)
    index = Index.open(root / "output")
    assert printed == json.loads(json.dumps(index.ask(BUILT, "basic").to_dict()))


def test_streamed_json_is_an_event_a_line(root: Path) -> None:
    lines = [json.loads(line) for line in run(root, "query", "basic", BUILT, "--json", "--stream").stdout.splitlines()]
    kinds = [line["event"] for line in lines]
    assert kinds[0] == "step" and kinds[-1] == "answer" and kinds.count("answer") == 1 and "piece" in kinds
    assert "".join(line["text"] for line in lines if line["event"] == "piece") == lines[-1]["text"]


def test_a_conversation_is_read_line_by_line_and_keeps_its_thread(root: Path) -> None:
    done = run(root, "query", "basic", "--chat", input=f"{BUILT}\n\n  When was it broken?  \nAnd who accused her?\n")
    assert done.stdout.count("Sources\n") == 3
    assert f"> {BUILT}\n" in done.stdout and "> When was it broken?\n" in done.stdout
    assert "(asked as: When was the west mole broken?)" in done.stderr
    assert "(asked as: And who accused Ada Thorne?)" in done.stderr
    assert "1874" in done.stdout


def test_a_conversation_may_begin_with_a_question_of_the_command(root: Path) -> None:
    done = run(root, "query", "basic", BUILT, "--chat", "--json", input="When was it broken?\n")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["question"] == BUILT and second["steps"][0]["data"]["question"] == "When was the west mole broken?"


def test_a_conversation_through_a_pipe_works_as_a_process(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "query", "basic", "--chat", "--root", str(root)],
        input=f"{BUILT}\nWhen was it broken?\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Sources\n") == 2


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
@pytest.mark.parametrize("words", [["prompts", "list"], ["query", "basic", BUILT], ["query", "basic", BUILT, "--json"]])
def test_a_reader_that_closes_the_pipe_ends_the_command_quietly(root: Path, words: list[str]) -> None:
    command = [sys.executable, "-m", "pipeline", *words, "--root", str(root)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 141
    assert "rror" not in said and "Traceback" not in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("query", "basic"), 9, "no question"),
        (("query", "basic", "   "), 9, "the question is empty"),
        (("query", "global", BUILT, "--level", "high"), 2, "search.level"),
        (("query", "basic", BUILT, "--length", "endless"), 2, "endless"),
        (("eval", "none.jsonl"), 3, "cannot be read"),
        (("eval", "none.jsonl", "--methods", "local,nonsense"), 9, "no search method nonsense"),
        (("eval", "none.jsonl", "--methods", ","), 9, "no search method is named"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_code(
    root: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    try:
        done = run(root, *arguments)
        assert (done.exit_code, said in done.output) == (code, True)
    except GraphstrataError as error:
        assert (error.exit_code, said in str(error)) == (code, True)


def test_length_and_level_are_taken_and_a_language_without_a_model_is_a_note(root: Path) -> None:
    short = run(root, "query", "global", "What are the main themes?", "--length", "short", "--level", "0")
    assert "level 0" in short.stderr
    assert run(root, "query", "global", "What are the main themes?", "--length", "long").stdout
    assert "no model is set up" in run(root, "query", "basic", BUILT, "--language", "German").stderr


def test_with_a_model_the_answer_is_streamed_and_numbered_and_its_price_printed(root: Path, tmp_path: Path) -> None:
    with LookAlike(lambda body: "Ada Thorne built it. [c1] It fell.") as server:
        folder = with_model(root, tmp_path, server)
        done = run(folder, "query", "basic", BUILT, "--stream", "--language", "German", "--length", "short")
        assert done.stdout.startswith("Ada Thorne built it. [1] It fell.\n\nSources\n[1] harbour.md")
        assert "(1 call, 0 replies from the cache" in done.stderr and "cost 0.000" in done.stderr
        prompt = server.asked[0]["messages"][0]["content"]
        assert server.asked[0]["stream"] is True and "Write in German." in prompt and "About 150 words" in prompt
        again = run(folder, "query", "basic", BUILT, "--language", "German", "--length", "short")
        assert again.stdout == done.stdout and "(0 calls, 1 reply from the cache" in again.stderr
        assert server.calls == 1


def test_an_answer_that_broke_off_is_shown_again_in_full(root: Path, tmp_path: Path) -> None:
    said = "Ada Thorne built the mole in that year. [c1]"

    def reply(body: dict[str, Any]) -> str:
        return "Nobody knows at all who built it. [c2]" if body.get("stream") else said

    with LookAlike(reply, faults={"stream_drop": 1.0}, until=1) as server:
        done = run(with_model(root, tmp_path, server), "query", "basic", BUILT, "--stream")
    assert "broke off" in done.stderr
    assert done.stdout.split("\n\n")[1].startswith("Ada Thorne built the mole in that year. [1]")


def examples(folder: Path) -> Path:
    path = folder / "questions.jsonl"
    rows = [
        {"question": BUILT, "answer": "Ada Thorne", "gold": ["harbour.md"]},
        {"question": "When did the railway reach the harbour?", "answer": "1880", "gold": ["railway.txt", "lost.md"]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_eval_prints_tables_and_writes_parquet_and_a_plot(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    done = run(root, "eval", str(examples(tmp_path)), "--methods", "basic,global", "--output", str(out))
    assert "recall@2" in done.stdout and "contains" in done.stdout and "clusters@0.7" in done.stdout
    assert "not in the index, and count as not found: 1" in done.stdout
    assert pq.read_table(out / "answers.parquet").num_rows == 4
    assert pq.read_table(out / "retrieval.parquet").num_rows == 2
    ElementTree.parse(out / "eval.svg")
    printed = json.loads(run(root, "eval", str(examples(tmp_path)), "--methods", "basic,global", "--json").stdout)
    assert printed["recall@10"] == 0.75 and [row["method"] for row in printed["methods"]] == ["basic", "global"]
    assert printed["methods"][0]["contains"] == 1
    bare = run(root, "eval", str(examples(tmp_path)), "--methods", "none")
    assert "recall@2" in bare.stdout and "contains" not in bare.stdout


def reply(body: dict[str, Any]) -> Any:
    if "Criterion, " in body["messages"][-1]["content"]:
        return {"reason": "it is so", "winner": "1"}
    return "Ada Thorne. [c1]"


def test_a_question_is_answered_without_the_model_of_the_settings_which_an_error_says_where_its_server_is_down(
    root: Path, tmp_path: Path
) -> None:
    with LookAlike() as server:
        folder = with_model(root, tmp_path, server)
        answer = run(folder, "query", "basic", BUILT, "--without-model")
        assert "Ada Thorne built the west mole" in answer.stdout and server.calls == 0
        conversation = run(folder, "chat", "basic", "--without-model", input=f"{BUILT}\n")
        assert "Ada Thorne built the west mole" in conversation.stdout and server.calls == 0
    assert run(root, "query", "basic", BUILT).stdout == answer.stdout, "as an index without a model"
    settings = folder / "settings.yaml"  # six attempts take ten seconds
    settings.write_text(
        settings.read_text(encoding="utf-8").replace("{model", "{max_attempts: 2, model"), encoding="utf-8"
    )
    with pytest.raises(ModelError, match="cannot be reached") as down:
        run(folder, "query", "basic", BUILT)
    assert "run" not in down.value.why and down.value.fix.startswith("check that the server runs")
    assert (
        copyable(three_lines(down.value), ["query", BUILT, "--root", "p"]).count("query --without-model --root p") == 1
    )
    index = Index.open(folder).where("title != nobody")
    with pytest.raises(ModelError, match=r"index\.without_model\(\)\.ask"):
        index.ask(BUILT, "basic")
    assert index.without_model().ask(BUILT, "basic").supported


def test_the_judge_is_a_model_that_must_be_asked_for(root: Path, tmp_path: Path) -> None:
    with pytest.raises(GraphstrataError, match="no model is set up"):
        run(root, "eval", str(examples(tmp_path)), "--methods", "basic,global", "--judge")
    with pytest.raises(GraphstrataError, match="answers of two methods"):
        run(root, "eval", str(examples(tmp_path)), "--methods", "basic", "--judge")
    (tmp_path / "p").mkdir()
    with LookAlike(reply) as server:
        folder = with_model(root, tmp_path / "p", server)
        file = str(examples(tmp_path))
        plain = run(folder, "eval", file, "--methods", "basic,entity")
        assert "--judge does, in 16 calls" in plain.stderr and "Judge" not in plain.stdout
        judged = run(folder, "eval", file, "--methods", "basic,entity", "--judge", "--output", str(tmp_path / "r"))
    assert "both orders had the same outcome in 0% of them" in judged.stdout
    assert pq.read_table(tmp_path / "r/judgements.parquet").num_rows == 16


def test_failed_judgements_and_caps_end_with_their_codes_after_the_results_are_printed(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "q").mkdir()

    def refuse(body: dict[str, Any]) -> Any:
        return "no" if "Criterion, diversity" in body["messages"][-1]["content"] else reply(body)

    file = str(examples(tmp_path))
    with LookAlike(refuse) as server, pytest.raises(PartialError, match="4 judgements failed"):
        folder = with_model(root, tmp_path / "p", server)
        run(folder, "eval", file, "--methods", "basic,entity", "--judge")
    with LookAlike(reply) as server, pytest.raises(BudgetError):
        folder = with_model(root, tmp_path / "q", server, "limits: {max_calls: 1}\n")
        run(folder, "eval", file, "--methods", "basic", "--output", str(tmp_path / "out"))
    assert pq.read_table(tmp_path / "out/answers.parquet").num_rows == 1


def test_a_plot_holds_every_bar_with_its_value_and_survives_any_name() -> None:
    plot = panels_svg("A & B", [Panel("<x>", [("one", 0.5), ('"two"', 2.0)], 1.0), Panel("none", [("one", 0.0)], 0.0)])
    root = ElementTree.fromstring(plot)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["A & B", "<x>", "one", "0.5", '"two"', "2", "none", "one", "0"]
    widths = [float(str(element.get("width"))) for element in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert max(widths[1:]) == 480


def test_remarks_say_what_an_answer_took_and_what_was_removed(root: Path) -> None:
    from dataclasses import replace

    answer = Index.open(root / "output").ask(BUILT, "basic")
    assert remarks(answer) == [answer.coverage.description]
    usage = {"calls": 2, "cached": 1, "tokens_in": 1000, "tokens_out": 234, "cost": 0.0123}
    more = remarks(replace(answer, usage=usage, removed_citations=3))
    assert more[1:] == [
        "3 citations of what was not offered were removed",
        "2 calls, 1 reply from the cache, 1,234 tokens, cost 0.0123",
    ]
