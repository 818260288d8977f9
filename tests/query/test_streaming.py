"""Streaming: steps as they happen, the answer's text as it is written, then the answer; the same from every backend."""

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.base.errors import BudgetError, QuestionError
from pipeline.base.settings import Settings
from pipeline.base.task import Failure, Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.transport import rate_limit
from pipeline.query.answer import Answer, Piece, Step
from pipeline.query.events import Event
from pipeline.query.index import Index
from tests.language_cases import settings_for
from tests.lookalike import LookAlike
from tests.query_cases import BATTLES, check_answer, sample
from tests.scripted_backend import ScriptedBackend

METHODS = ("global", "local", "entity", "drift", "basic", "fusion", "auto")
SAID = "Joan of Arc lost at Paris. [c1] She lost at La Charité too, as is told [c2]. Nobody knows more."


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    yield


def at(server: LookAlike, folder: Path, **given: object) -> Index:
    """Return the sample's index with a model at the server, its cache in a folder of its own."""
    index = Index.open(sample(), settings_for(server.url, **given))  # type: ignore[arg-type]
    shutil.copytree(index.generation.folder / "generations", folder / "generations")
    return Index(type(index.generation)(folder, index.generation.manifest), index.settings, folder)


def parted(events: Iterator[Event]) -> tuple[list[Step], list[Piece], Answer]:
    found = list(events)
    assert isinstance(found[-1], Answer) and not any(isinstance(one, Answer) for one in found[:-1])
    return [one for one in found if isinstance(one, Step)], [one for one in found if isinstance(one, Piece)], found[-1]


def text_of(pieces: list[Piece]) -> str:
    start = max(place for place, piece in enumerate(pieces) if piece.begins)
    return "".join(piece.text for piece in pieces[start:])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("question", [BATTLES, "What is the weather in Spain?"])
def test_without_a_model_the_pieces_are_the_sentences_of_the_answer(method: str, question: str) -> None:
    index = Index.open(sample(), Settings())
    steps, pieces, answer = parted(index.stream(question, method))
    assert tuple(steps) == answer.steps and steps
    assert text_of(pieces) == answer.text
    assert sum(piece.begins for piece in pieces) == 1
    assert answer == index.ask(question, method)
    check_answer(answer)


@pytest.mark.parametrize("method", METHODS)
def test_a_scripted_model_is_shown_by_the_same_way(method: str) -> None:
    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({}))
    _, pieces, answer = parted(Index.open(sample(), Settings()).stream(BATTLES, method, language=service))
    assert text_of(pieces) == answer.text and sum(piece.begins for piece in pieces) == 1


def test_over_http_the_words_come_as_the_model_writes_them_and_are_paid_for_once(tmp_path: Path) -> None:
    with LookAlike(lambda body: SAID) as server:
        index = at(server, tmp_path, price_in=1.0, price_out=1.0)
        _, pieces, answer = parted(index.stream(BATTLES, "basic"))
        assert len(pieces) > 10 and text_of(pieces) == answer.text
        assert "[c1]" not in answer.text and "[1]" in answer.text and answer.unsupported_sentences
        assert server.calls == 1 and server.asked[-1]["stream"] is True
        assert answer.usage["calls"] == 1 and answer.usage["cost"] > 0 and answer.usage["tokens_out"] > 0
        check_answer(answer)
        _, again, cached = parted(index.stream(BATTLES, "basic"))
        assert server.calls == 1 and 1 < len(again) < len(pieces)
        assert cached.usage == {**answer.usage, "calls": 0, "cached": 1, "tokens_in": 0, "tokens_out": 0, "cost": 0}
        whole = index.ask(BATTLES, "basic")
        assert (whole.text, whole.sources) == (answer.text, answer.sources) == (cached.text, cached.sources)


@pytest.mark.parametrize(("second", "begun"), [(SAID, 1), ("She lost at Paris. [c1]", 2)])
def test_a_stream_that_breaks_off_begins_anew_where_it_goes_on_otherwise(
    tmp_path: Path, second: str, begun: int
) -> None:
    with LookAlike(lambda body: SAID if body.get("stream") else second, faults={"stream_drop": 1.0}, until=1) as server:
        _, pieces, answer = parted(at(server, tmp_path).stream(BATTLES, "basic"))
        assert server.calls == 2
    assert sum(piece.begins for piece in pieces) == begun
    assert text_of(pieces) == answer.text and answer.usage["failures"] == 0


def test_when_the_model_fails_the_offline_answer_is_shown_and_the_coverage_says_so(tmp_path: Path) -> None:
    with LookAlike(faults={"filtered": 1.0}) as server:
        _, pieces, answer = parted(at(server, tmp_path).stream(BATTLES, "basic"))
    assert text_of(pieces) == answer.text and "Paris" in answer.text
    assert "rules, because the model failed" in answer.coverage.description
    assert answer.usage["failures"] == 1
    check_answer(answer)


def test_the_first_piece_comes_before_the_model_has_done(tmp_path: Path) -> None:
    """The look-alike writes its words one event each; the first reaches the reader while the server still writes."""
    said = "Joan lost at Paris. " * 400
    with LookAlike(lambda body: said) as server:
        for event in at(server, tmp_path).stream(BATTLES, "basic"):
            if isinstance(event, Piece):
                first = len(event.text)
                break
    assert first < len(said) / 2


def test_an_error_of_the_search_is_raised_where_it_is_waited_for(tmp_path: Path) -> None:
    with LookAlike() as server, pytest.raises(BudgetError):
        list(at(server, tmp_path, limits={"max_calls": 0}).stream(BATTLES, "basic"))
    with pytest.raises(QuestionError, match="no search method"):
        Index.open(sample()).stream(BATTLES, "nonsense")


def test_a_reader_who_leaves_ends_the_search(tmp_path: Path) -> None:
    asked: list[str] = []

    def note(request: object) -> None:
        asked.append(type(request).__name__)
        time.sleep(0.02)

    names = ("plan_reading", "choose_nodes", "read_facts", "read_chunk", "choose_neighbours", "answer_from_notebook")
    scripts = dict.fromkeys(names, note)
    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend(scripts))  # type: ignore[arg-type]
    stream = Index.open(sample(), Settings()).stream(BATTLES, "local", language=service)
    assert isinstance(next(stream), Step)
    stream.close()  # type: ignore[attr-defined]
    for thread in threading.enumerate():
        if thread.name == "graphstrata-search":
            thread.join(20)
            assert not thread.is_alive()
    assert "NotebooksToAnswer" not in asked


def test_a_failure_on_the_way_to_the_answer_is_seen_as_a_step() -> None:
    backend = ScriptedBackend({"map_reports": lambda request: Failure("the server was away", 3)})
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    steps, pieces, answer = parted(
        Index.open(sample(), Settings()).stream("What are the main themes?", "global", language=service)
    )
    assert any(step.data.get("failed") for step in steps) and text_of(pieces) == answer.text


def test_listeners_hear_numbers_and_never_ids() -> None:
    heard: list[Piece] = []
    backend = ScriptedBackend(
        {"answer_from_passages": lambda request: Prose(text="She lost. [c1] She won [z9]. It ended [c2][c1].")}
    )
    index = Index.open(sample(), Settings())
    answer = index.ask(
        BATTLES, "basic", listen=heard.append, language=LanguageService(OfflineBackend(), Ledger(), backend)
    )
    assert text_of(heard) == answer.text and "[c" not in answer.text and "z9" not in answer.text
    assert answer.removed_citations == 1
