"""An index from Python: from texts, frames and folders, with a model of the program's own, and nothing paid twice."""

import asyncio
import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from graphstrata import Answer, GraphstrataError, Index, build
from pipeline.base.errors import InputError, ModelError
from tests.corpora import TEXTS, write_texts
from tests.lookalike import LookAlike

QUESTION = "Who built the west mole of Carrow?"


class Scripted(BaseChatModel):
    """A chat model of a program's own: it counts its calls, and writes JSON that fits the schema it is shown."""

    model: str = "scripted-1"
    temperature: float = 0.0
    calls: int = 0

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.calls += 1
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=_reply(str(messages[0].content))))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        text = self._generate(messages).generations[0].text
        yield from (ChatGenerationChunk(message=AIMessageChunk(content=part)) for part in text.split(" "))


def _reply(system: str) -> str:
    """Return the smallest JSON object that fits the schema at the end of a system prompt; free text where there is none."""
    if '{"' not in system:
        return "It was Ada Thorne. [c1]"
    schema = json.loads(system[system.index('{"', system.index("JSON schema")) :])
    return json.dumps(_smallest(schema, schema.get("$defs", {})))


def _smallest(schema: dict[str, Any], shared: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _smallest(shared[schema["$ref"].rpartition("/")[2]], shared)
    if "anyOf" in schema:
        return _smallest(schema["anyOf"][0], shared)
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: _smallest(part, shared) for name, part in schema.get("properties", {}).items()}
    return {"array": [], "string": "local", "number": 1.0, "integer": 1, "boolean": True}[schema["type"]]


@pytest.fixture(scope="module")
def built() -> Index:
    return build(TEXTS)


def test_texts_by_name_become_an_index_that_answers_with_their_places(built: Index) -> None:
    answer = built.ask(QUESTION)
    assert isinstance(answer, Answer) and "Ada Thorne" in answer.text
    assert answer.sources[0].place == "record harbour.md" and answer.sources[0].quote in TEXTS["harbour.md"]


def test_list_columns_of_tables_hold_plain_lists(built: Index) -> None:
    for name in ("entities", "communities", "sentences", "facts"):
        frame = built.table(name)
        listed = [column for column in frame if any(isinstance(value, list) for value in frame[column])]
        assert listed, name
        assert not any(type(value).__name__ == "ndarray" for column in frame for value in frame[column]), name


def test_a_list_of_texts_and_a_frame_with_metadata_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "id": ["T-1", "T-2"],
            "title": ["Harbour", "Railway"],
            "text": [TEXTS["harbour.md"], TEXTS["railway.txt"]],
            "metadata": [{"team": "docks"}, {"team": "rails"}],
            "year": [1871, None],
        }
    )
    documents = build(frame, root=tmp_path / "frame").documents
    about = {title: json.loads(kept) for title, kept in zip(documents.title, documents.metadata, strict=True)}
    assert about["Harbour"]["team"] == "docks" and about["Harbour"]["year"] == 1871 and "year" not in about["Railway"]
    assert {kept["record"] for kept in about.values()} == {"T-1", "T-2"}
    assert len(build(list(TEXTS.values()), root=tmp_path / "list").documents) == len(TEXTS)


def test_a_folder_and_a_project_are_read_where_they_are(tmp_path: Path) -> None:
    write_texts(tmp_path / "texts")
    loose = build(tmp_path / "texts")
    assert set(loose.documents.source) == set(TEXTS) and not (tmp_path / "output").exists()
    write_texts(tmp_path / "mine" / "input")
    (tmp_path / "mine" / "settings.yaml").write_text("output:\n  folder: tables\n")
    assert build(tmp_path / "mine").generation.folder == tmp_path / "mine" / "tables"
    assert len(Index.open(tmp_path / "mine").documents) == len(Index.open(tmp_path / "mine" / "tables").documents) == 3


def test_a_second_build_does_only_what_changed_and_the_command_goes_on_there(tmp_path: Path) -> None:
    first = build(TEXTS, root=tmp_path, settings={"chunks": {"size": 60, "overlap": 10}})
    again = build(TEXTS, root=tmp_path)
    assert again.generation.manifest.generation == first.generation.manifest.generation == 1
    fewer = build({name: text for name, text in TEXTS.items() if name != "railway.txt"}, root=tmp_path)
    assert len(fewer.documents) == 2 and fewer.settings.chunks.size == 60
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "status", "--root", str(tmp_path), "--json"], capture_output=True, text=True
    )
    assert json.loads(done.stdout)["would_redo"] == {}, done.stderr


def test_a_temporary_folder_goes_with_the_last_index_that_uses_it() -> None:
    index = build(["Ada Thorne built the west mole of Carrow in 1871."])
    folder, other = index.root, index.with_settings({"search": {"walks": 2}})
    del index
    assert folder.exists() and other.ask("Who built the west mole?").sources
    del other
    assert not folder.exists()


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("A text, and no folder.", r"build\(\[text\]\)"),
        ([], "no text was given"),
        ([1], "number 1 is an int"),
        (42, "given as an int"),
        (pd.DataFrame({"body": ["x"]}), "no column 'text'"),
    ],
)
def test_what_cannot_be_read_is_said_with_a_way_out(texts: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        build(texts)
    assert caught.value.fix and isinstance(caught.value, GraphstrataError)


def test_a_chat_model_of_the_program_is_asked_counted_and_never_paid_for_twice(tmp_path: Path) -> None:
    model = Scripted()
    index = build(TEXTS, model=model, root=tmp_path)
    asked = model.calls
    assert asked and set(index.calls.model) == {"scripted-1"} and len(index.calls) >= asked
    build(TEXTS, model=Scripted(), root=tmp_path)
    build(TEXTS, model=model, root=tmp_path)
    (tmp_path / "input" / "texts.jsonl").unlink()
    build(dict(reversed(TEXTS.items())), model=model, root=tmp_path)
    assert model.calls == asked, "the same model and texts are not asked for again"
    warmer = Scripted(temperature=0.7)
    build(TEXTS, model=warmer, root=tmp_path)
    assert warmer.calls == asked


def test_questions_go_to_the_programs_model_through_cache_and_ledger(tmp_path: Path) -> None:
    build(TEXTS, root=tmp_path)
    model = Scripted()
    index = Index.open(tmp_path, model=model).with_settings({"search": {"check_support": "words"}})
    answer = index.ask(QUESTION, "basic")
    assert answer.text.startswith("It was Ada Thorne. [1]") and answer.usage["calls"] == model.calls == 1
    again = index.ask(QUESTION, "basic")
    assert again.usage["calls"] == 0 and again.usage["cached"] == 1 and model.calls == 1


def test_a_client_of_the_standard_protocol_is_asked_as_a_configured_one_is(tmp_path: Path) -> None:
    from langchain_openai import ChatOpenAI

    build(TEXTS, root=tmp_path)
    with LookAlike(lambda body: "Ada Thorne built it. [c1]") as server:
        model = ChatOpenAI(model="look-alike", base_url=server.url, api_key="sk-of-the-program")  # type: ignore[arg-type]
        words = {"search": {"check_support": "words"}}
        assert Index.open(tmp_path, model=model).with_settings(words).ask(QUESTION, "basic").supported
        moved = ChatOpenAI(model="look-alike", base_url=f"{server.url}/", api_key="sk-another", timeout=9)  # type: ignore[arg-type]
        assert Index.open(tmp_path, model=moved).with_settings(words).ask(QUESTION, "basic").usage["calls"] == 0
        assert server.calls == 1, "neither key nor address nor timeout shapes a reply"
    assert b"sk-of-the-program" not in (tmp_path / "output" / "cache.sqlite").read_bytes()


def test_what_is_no_chat_model_is_refused() -> None:
    with pytest.raises(ModelError, match=r"a builtins\.str"):
        build(["A text."], model="gpt-4o-mini")  # type: ignore[arg-type]


def test_answers_come_to_an_event_loop_piece_by_piece(built: Index) -> None:
    async def streamed() -> tuple[list[str], Answer]:
        events = [event async for event in built.astream(QUESTION, "basic")]
        assert isinstance(events[-1], Answer)
        return [event.text for event in events if type(event).__name__ == "Piece"], events[-1]

    pieces, answer = asyncio.run(streamed())
    assert "".join(pieces) == answer.text == asyncio.run(built.aask(QUESTION, "basic")).text


def test_a_question_that_is_cancelled_leaves_the_loop_free(built: Index) -> None:
    async def cancelled() -> None:
        task = asyncio.create_task(built.aask(QUESTION, "local"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


def test_the_import_loads_nothing_until_it_is_used() -> None:
    program = "import sys, graphstrata\nfrom graphstrata import Index, build\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pyarrow", "pydantic", "numpy", "pandas", "langchain_core"} & set(loaded)


def test_a_module_that_shadows_a_package_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "pipeline.py").write_text("")
    (tmp_path / "script.py").write_text("import graphstrata\n")
    done = subprocess.run([sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True)
    assert "rename pipeline.py" in done.stderr and str(tmp_path / "pipeline.py") in done.stderr


SCRIPT = """
    from graphstrata import Answer, Index, build

    index: Index = build({"a": "Ada Thorne built the west mole."})
    answer: Answer = index.ask("Who built it?", "local")
    for source in answer.sources:
        print(source.number, source.file, source.quote)
    print(index.entities.head(), answer.text)
    index.ask("Who built it?", "lokal")
    index.aks("Who built it?")
    print(answer.txet)
"""


OTHERS = "langchain_core.*,langgraph.*,networkx.*,numpy.*,pandas.*"


def test_a_type_checker_finds_misspelt_methods(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    config = tmp_path / "mypy.ini"  # what the program imports of others need not be looked through
    config.write_text(f"[mypy]\n[mypy-{OTHERS}]\nfollow_imports = skip\nfollow_imports_for_stubs = true\n")
    words = ["--strict", "--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), str(script)]
    done = subprocess.run([sys.executable, "-m", "mypy", *words], capture_output=True, text=True, cwd=tmp_path)
    found = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(found) == 3, done.stdout
    assert "Literal['lokal']" in found[0] and '"aks"' in found[1] and '"txet"' in found[2]
