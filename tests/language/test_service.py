"""The service: order kept, each reply stored once, nothing asked twice, failures entered, fallbacks marked."""

import inspect
from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from pipeline.base.errors import PlanError, SettingsError
from pipeline.base.task import Failure, Prompt, Request, Task, short_ids
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.cache import Cache, StoredReply, reply_key
from pipeline.language.language import Reply
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.indexing.match_names import NamePairs
from pipeline.language.tasks.registry import TASKS
from tests.scripted_backend import ScriptedBackend


class Length(BaseModel):
    n: int


@dataclass(frozen=True)
class Word(Request):
    word: str


def offline(request: Word) -> Length:
    return Length(n=len(request.word))


def check(request: Word, reply: Length) -> Length:
    if reply.n > 100:
        raise ValueError(f"{reply.n} letters")
    return reply


measure = Task("measure", Prompt("Count letters.", "Word: {word}"), Word, Length, offline, check)
measure_or_count = Task("measure_or_count", Prompt("Count.", "{word}"), Word, Length, offline, fallback=True)
WORDS = [Word(str(i), "x" * (i % 7)) for i in range(300)]


def values(replies: object) -> list[int]:
    return [reply.value.n for _, reply in replies]  # type: ignore[attr-defined]


def test_replies_come_in_the_order_of_the_requests_however_they_finish() -> None:
    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({}))
    assert values(service.map(measure, WORDS)) == [len(request.word) for request in WORDS]


def test_equal_requests_are_made_once() -> None:
    backend = ScriptedBackend({})
    list(LanguageService(OfflineBackend(), Ledger(), backend).map(measure, WORDS[:60]))
    assert len(backend.asked) == 7


def test_a_second_run_asks_nothing_and_enters_every_call_as_cached(tmp_path: Path) -> None:
    first, second = ScriptedBackend({}), ScriptedBackend({})
    list(LanguageService(OfflineBackend(), Ledger(), first, Cache(tmp_path / "c", 1)).map(measure, WORDS))
    ledger = Ledger()
    again = LanguageService(OfflineBackend(), ledger, second, Cache(tmp_path / "c", 2))
    assert values(again.map(measure, WORDS)) == [len(request.word) for request in WORDS]
    assert not second.asked
    assert len(ledger.calls) == len(WORDS) and all(row[4] for row in ledger.calls)


def test_a_failure_is_entered_never_stored_and_tried_again(tmp_path: Path) -> None:
    ledger = Ledger()
    failing = ScriptedBackend({"measure": lambda request: Failure("no", 3) if request.item == "1" else None})
    replies = list(LanguageService(OfflineBackend(), ledger, failing, Cache(tmp_path / "c", 1)).map(measure, WORDS[:3]))
    assert isinstance(replies[1][1], Failure)
    assert ledger.failures == [("query", "measure", "1", "failed", "no", 3)]
    healed = ScriptedBackend({})
    assert values(
        LanguageService(OfflineBackend(), Ledger(), healed, Cache(tmp_path / "c", 2)).map(measure, WORDS[:3])
    ) == [
        0,
        1,
        2,
    ]
    assert [request.item for _, request in healed.asked] == ["1"]


def test_a_reply_that_does_not_pass_its_tasks_check_is_a_failure() -> None:
    backend = ScriptedBackend({"measure": lambda request: Length(n=101)})
    reply = LanguageService(OfflineBackend(), Ledger(), backend).one(measure, WORDS[0])
    assert reply == Failure("101 letters")


def test_a_task_with_a_fallback_is_answered_the_offline_way_and_says_so() -> None:
    ledger = Ledger()
    backend = ScriptedBackend({"measure_or_count": lambda request: Failure("no")})
    reply = LanguageService(OfflineBackend(), ledger, backend).one(measure_or_count, WORDS[3])
    assert isinstance(reply, Reply) and reply.by == "offline" and reply.value.n == 3
    assert len(ledger.failures) == 1


def test_replies_that_arrived_before_a_crash_are_kept(tmp_path: Path) -> None:
    def crash(request: Word) -> Length:
        if request.item == "0":  # the scripted backend answers last request first
            raise KeyboardInterrupt
        return Length(n=7)

    cache = Cache(tmp_path / "c", 1)
    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({"measure": crash}), cache)
    with pytest.raises(KeyboardInterrupt):
        list(service.map(measure, WORDS[:4]))
    assert sum(row[3] for row in cache.stats()) == 3


def test_a_damaged_reply_in_the_cache_is_asked_again(tmp_path: Path) -> None:
    backend = ScriptedBackend({})
    parts = backend.parts(measure, WORDS[0])
    cache = Cache(tmp_path / "c", 1)
    cache.put([(reply_key("measure", parts), "query", "measure", "0", parts, StoredReply("{", "x", 0, 0))])
    assert values(LanguageService(OfflineBackend(), Ledger(), backend, cache).map(measure, WORDS[:1])) == [0]
    assert len(backend.asked) == 1


def test_pruning_removes_what_the_last_execution_of_a_stage_did_not_use(tmp_path: Path) -> None:
    ledger = Ledger(stage="s30")
    for run, words in ((1, WORDS[:3]), (2, WORDS[1:3])):
        service = LanguageService(OfflineBackend(), ledger, ScriptedBackend({}), Cache(tmp_path / "c", run))
        list(service.map(measure, words))
    cache = Cache(tmp_path / "c", 3)
    assert cache.prune() == 1
    assert sum(row[3] for row in cache.stats()) == 2


def test_a_prompt_that_names_an_unknown_field_is_refused_at_import() -> None:
    with pytest.raises(PlanError, match="nonsense"):
        Task("wrong", Prompt("", "{nonsense}"), Word, Length, offline)


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        (["[r3.2]", "R4", "r4"], ["r3.2", "r4"]),
        (["f1, f2; [c3]", "(q7)"], ["f1", "f2", "c3", "q7"]),
        (["Spain", "", "3"], ["Spain", "", "3"]),
        ([], []),
    ],
)
def test_short_ids_are_read_however_a_model_writes_them(given: list[str], ids: list[str]) -> None:
    assert short_ids(given) == ids


def test_braces_in_a_text_are_harmless() -> None:
    assert measure.render(Word("1", "{word} {0} {{"))[1] == "Word: {word} {0} {{"


def test_no_prompt_shows_a_field_as_code() -> None:
    as_code = [
        (task.name, field.name)
        for task in TASKS.values()
        for field in fields(task.request)
        if task.prompt and field.name in task.prompt.fields and field.type not in (str, int, tuple[str, ...])
        if f'"{field.name}"' not in inspect.getsource(task.request.shown)
        if not any(hasattr(of, name) for of in get_args(field.type)[:1] for name in ("as_line", "as_section"))
    ]
    assert as_code == []
    pairs = NamePairs("pairs", ("1. Ada / Ada Thorne", "2. Greg / Greg Loss"))
    assert (
        "\n1. Ada / Ada Thorne\n2. Greg / Greg Loss\n"
        in TASKS["match_names"].render(pairs, common={"language": "English"})[1]
    )


@pytest.mark.parametrize("user", ["no placeholder", "{word} {extra}", "{word", "{"])
def test_an_own_prompt_with_other_placeholders_is_refused_before_any_call(user: str) -> None:
    with pytest.raises(SettingsError, match=r"own\.txt"):
        measure.own_prompt("system", user, "own.txt")


def test_a_cache_file_that_is_no_database_is_a_clear_error(tmp_path: Path) -> None:
    from pipeline.base.errors import StoreError

    (tmp_path / "c").write_bytes(b"not a database at all, but long enough to be read as one" * 40)
    with pytest.raises(StoreError, match="reply cache"):
        Cache(tmp_path / "c", 1)


@pytest.mark.parametrize("mark", ["</material>", "</ MATERIAL >", "<material>", "</material"])
def test_a_text_cannot_end_the_material_that_it_is_in(mark: str) -> None:
    shown = measure.render(Word("1", f"before {mark} after"))[1]
    assert mark not in shown and "before" in shown and "after" in shown
