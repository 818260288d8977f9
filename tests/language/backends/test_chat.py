"""Models as a backend: nothing paid twice, nothing leaked, safe in every thread and loop, faults found before money is spent."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.errors import BudgetError, ModelError, SettingsError
from pipeline.base.settings import parse_settings
from pipeline.base.task import Failure
from pipeline.language.backends.chat import chat_backends
from pipeline.language.cache import Cache, CacheRow
from pipeline.language.language import Reply
from pipeline.language.ledger import Ledger
from pipeline.language.transport import rate_limit
from tests.language_cases import DESCRIBE, READ, REPORT, TASKS, answered, at, chunks, settings_for
from tests.lookalike import LookAlike
from tests.paths import ROOT


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    yield


def test_replies_come_in_the_order_of_the_requests_though_servers_answer_in_any() -> None:
    with LookAlike(latency=0.005) as server, at(server) as case:
        requests = chunks(60)
        pairs = list(case.service.map(READ, requests))
    assert [request for request, _ in pairs] == requests and all(isinstance(reply, Reply) for _, reply in pairs)


def test_replies_are_stored_as_they_finish_and_who_stops_ends_the_calls(tmp_path: Path) -> None:
    with LookAlike() as server, at(server, tmp_path, concurrency=4) as case:

        def stop(done: int, total: int | None) -> None:
            if done == 10:
                raise KeyboardInterrupt

        case.service.progress = stop
        with pytest.raises(KeyboardInterrupt):
            list(case.service.map(READ, chunks(200)))
        assert server.calls < 50
        assert case.service.cache is not None and sum(row[3] for row in case.service.cache.stats()) >= 10


def test_a_second_run_asks_nothing_and_says_that_it_cost_nothing(tmp_path: Path) -> None:
    with LookAlike() as server:
        for _ in range(2):
            with at(server, tmp_path, price_in=1.0, price_out=2.0) as case:
                replies = [reply for _, reply in case.service.map(READ, chunks(9))]
        assert server.calls == 9
    assert all(isinstance(reply, Reply) and reply.cached and reply.cost == 0 for reply in replies)
    assert case.ledger.totals()["cost"] == 0 and case.budget.calls == 0


@pytest.mark.parametrize(
    "changed",
    [{"model": "other"}, {"temperature": 0.7}, {"seed": 3}, {"structured": "json_mode"}, {"max_output_tokens": 500}],
)
def test_what_shapes_a_reply_misses_the_cache(changed: dict[str, object], tmp_path: Path) -> None:
    with LookAlike(models=("look-alike", "other")) as server:
        for given in ({}, changed):
            with at(server, tmp_path, **given) as case:
                list(case.service.map(READ, chunks(3)))
        assert server.calls == 6


@pytest.mark.parametrize(
    "changed",
    [{"concurrency": 2}, {"price_in": 9.0}, {"requests_per_minute": 5000}, {"max_attempts": 9}, {"timeout_seconds": 5}],
)
def test_what_does_not_shape_a_reply_does_not(changed: dict[str, object], tmp_path: Path) -> None:
    with LookAlike() as server:
        for given in ({}, changed):
            with at(server, tmp_path, **given) as case:
                list(case.service.map(READ, chunks(3)))
        assert server.calls == 3


def test_the_parts_of_a_key_show_what_changed() -> None:
    with at("http://host/v1") as case, at("http://host/v1", temperature=None, seed=4) as other:
        parts, changed = (c.backend.parts(READ, chunks(1)[0]) for c in (case, other))
        of_other_task = case.backend.parts(DESCRIBE, chunks(1)[0])
    assert {"prompt", "request", "schema", "model", "provider", "structured"} <= set(parts)
    assert {name for name in parts | changed if parts.get(name) != changed.get(name)} == {"temperature", "seed"}
    assert {name for name in parts if parts[name] != of_other_task[name]} == {"prompt", "request", "schema"}


def test_own_prompts_and_the_language_of_replies_are_part_of_what_is_asked(tmp_path: Path) -> None:
    (tmp_path / "read.txt").write_text("Lies auf {language}.\n---\nHier: {text} {{und mehr}}\n", encoding="utf-8")
    with LookAlike() as server:
        content = settings_for(server.url).model_dump(mode="json", exclude_none=True)
        content["tasks"] = {"read": {"prompt": "read.txt"}}
        content["language"]["output"] = "German"
        backend, _ = chat_backends(parse_settings(content), Ledger(), root=tmp_path, tasks=TASKS)
        assert backend is not None
        answered(backend, READ, [chunks(1)[0]])
        said = [message["content"] for message in server.asked[0]["messages"]]
        backend.close()
    assert said == ["Lies auf German.", "Hier: The 0th text speaks of Carrow and of 0 ships. {und mehr}"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("only one part {text}", "no line of ---"),
        ("a\n---\nno placeholder", "fills"),
        ("a\n---\n{text} {other}", "fills"),
        ("a\n---\n{text} {", "brace|expected"),
    ],
)
def test_an_unfit_own_prompt_is_an_error_before_any_call(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "read.txt").write_text(text, encoding="utf-8")
    settings = parse_settings({"tasks": {"read": {"prompt": "read.txt"}}})
    with pytest.raises(SettingsError, match=message):
        chat_backends(settings, Ledger(), root=tmp_path, tasks=TASKS)


@pytest.mark.parametrize(("task", "file"), [("raed", "x.txt"), ("read", "missing.txt"), ("read", "../x.txt")])
def test_an_unknown_task_and_a_file_that_cannot_be_read_are_errors(task: str, file: str, tmp_path: Path) -> None:
    settings = parse_settings({"tasks": {task: {"prompt": file}}})
    with pytest.raises(SettingsError, match=r"did you mean read|missing\.txt|outside the project"):
        chat_backends(settings, Ledger(), root=tmp_path, tasks=TASKS)


def test_tasks_choose_their_model_and_those_that_share_one_share_its_limits() -> None:
    with LookAlike(models=("small", "large")) as server:
        models = {name: {"model": name, "base_url": server.url} for name in ("small", "large")}
        tasks = {name: {"model": "large"} for name in ("report", "describe")} | {"read": {"model": "small"}}
        settings = parse_settings({"models": models, "language": {"default": "small"}, "tasks": tasks})
        default, by_task = chat_backends(settings, Ledger(), tasks=TASKS)
        assert (
            default is not None and set(by_task) == {"report", "describe"} and by_task["report"] is by_task["describe"]
        )
        answered(by_task["report"], REPORT, chunks(1))
        answered(default, READ, chunks(1))
        assert sorted(body["model"] for body in server.asked) == ["large", "small"]
        default.close()
        by_task["describe"].close()


def test_no_model_in_settings_means_no_backend() -> None:
    assert chat_backends(parse_settings({}), Ledger(), tasks=TASKS) == (None, {})


def test_a_report_that_cannot_be_had_is_written_the_offline_way_and_marked_so() -> None:
    with LookAlike(faults={"prose_only": 1.0}) as server, at(server) as case:
        reply = case.service.one(REPORT, chunks(1)[0])
    assert isinstance(reply, Reply) and reply.by == "offline" and len(case.ledger.failures) == 1


@pytest.mark.parametrize(
    "limits", [{"max_cost": 0.002}, {"max_calls": 7}, {"max_cost": 0.002, "max_calls": 100}, {"max_calls": 0}]
)
def test_no_cap_is_ever_passed_and_the_next_run_goes_on_from_there(limits: dict[str, float], tmp_path: Path) -> None:
    with LookAlike() as server:
        with at(server, tmp_path, limits=limits, price_in=1.0, price_out=2.0) as case, pytest.raises(BudgetError):
            list(case.service.map(READ, chunks(60)))
        spent, made = case.ledger.totals()["cost"], server.calls
        assert spent <= limits.get("max_cost", 1) and made <= limits.get("max_calls", 1000)
        assert made >= min(3, limits.get("max_calls", 3)), "a cap must not forbid what it allows"
        with at(server, tmp_path, price_in=1.0, price_out=2.0) as case:
            list(case.service.map(READ, chunks(60)))
        assert server.calls == 60


def test_a_cap_on_cost_holds_where_calls_fail_too() -> None:
    faults = {"500": 0.2, "prose_only": 0.2, "drop": 0.1}
    with (
        LookAlike(faults=faults) as server,
        at(server, limits={"max_cost": 0.003}, price_in=1, price_out=2) as case,
        pytest.raises(BudgetError),
    ):
        list(case.service.map(READ, chunks(80)))
    assert 0 < case.ledger.totals()["cost"] <= case.budget.cost <= 0.003


def test_a_cap_on_cost_is_never_exceeded_however_long_replies_are_where_their_length_is_limited() -> None:
    def any_length(body: dict[str, Any]) -> str:
        words = 10 if len(server.asked) % 4 else 900
        return json.dumps({"entities": [{"title": "word " * words, "type": "x"}], "ties": []})

    limits = {"max_cost": 0.02}
    model = {"price_in": 1.0, "price_out": 2.0, "max_output_tokens": 1300}
    with LookAlike(any_length) as server, at(server, limits=limits, **model) as case:
        with pytest.raises(BudgetError, match="stopped before exceeding max_cost"):
            list(case.service.map(READ, chunks(80)))
        assert 0.015 < case.budget.cost <= 0.02 and case.budget.cost == pytest.approx(case.ledger.totals()["cost"])


def test_a_cap_on_cost_that_cannot_be_exact_is_announced_beforehand() -> None:
    warnings: list[str] = []
    settings = settings_for("http://127.0.0.1:9/v1", {"max_cost": 1}, price_in=1, price_out=1)
    chat_backends(settings, Ledger(), tasks=TASKS, log=warnings.append)
    assert len(warnings) == 1 and "set it to make the cap exact" in warnings[0]
    settings = settings_for("http://127.0.0.1:9/v1", {"max_cost": 1}, price_in=1, price_out=1, max_output_tokens=9)
    chat_backends(settings, Ledger(), tasks=TASKS, log=warnings.append)
    assert len(warnings) == 1


def test_a_cap_on_cost_without_a_price_is_an_error_before_any_call() -> None:
    with pytest.raises(SettingsError, match=r"models\.m has no price_in"):
        chat_backends(settings_for("http://127.0.0.1:9/v1", {"max_cost": 1}), Ledger(), tasks=TASKS)


def test_tokens_are_reckoned_where_the_server_does_not_count_them() -> None:
    with LookAlike(usage=False) as server, at(server, price_in=1.0, price_out=1.0) as case:
        reply = case.service.one(READ, chunks(1)[0])
    assert isinstance(reply, Reply) and reply.tokens_in > 10 and reply.tokens_out > 10 and reply.cost


@pytest.mark.parametrize(
    "used",
    [
        {},
        {"prompt_tokens": -5, "completion_tokens": -9, "total_tokens": -14},
        {"prompt_tokens": None, "completion_tokens": None, "total_tokens": None},
        {"prompt_tokens": 1e300, "completion_tokens": 1.5, "total_tokens": 0},
        {"prompt_tokens": 10**30, "completion_tokens": 10**30, "total_tokens": 0},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": "many", "completion_tokens": [3], "total_tokens": {}},
        {"prompt_tokens": 0, "completion_tokens": 0, "prompt_tokens_details": "none"},
        [],
        [12, 3],
        "15 tokens",
        7,
    ],
)
def test_tokens_are_reckoned_where_what_the_server_says_can_be_no_count(
    used: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LookAlike, "_used", lambda *_: used)
    with LookAlike() as server, at(server, price_in=1.0, price_out=1.0) as case:
        reply = case.service.one(READ, chunks(1)[0])
    assert isinstance(reply, Reply) and 10 < reply.tokens_in < 10_000 and 10 < reply.tokens_out < 10_000 and reply.cost


def test_a_missing_key_is_an_error_when_the_backend_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOOK_ALIKE_KEY", raising=False)
    with pytest.raises(ModelError, match="LOOK_ALIKE_KEY is not set"):
        chat_backends(settings_for("http://x/v1", api_key_env="LOOK_ALIKE_KEY"), Ledger(), tasks=TASKS)


@pytest.mark.parametrize("fault", ["auth", "500", "html", "refused"])
def test_secrets_of_the_environment_are_found_nowhere(
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    planted = {"LOOK_ALIKE_KEY": "sk-canary-key-0123456789", "OPENAI_API_KEY": "sk-canary-other-987654321"}
    for name, value in planted.items():
        monkeypatch.setenv(name, value)
    shown = ""
    with LookAlike(faults={fault: 0.5}, key=planted["LOOK_ALIKE_KEY"]) as server:
        try:
            with at(server, tmp_path, api_key_env="LOOK_ALIKE_KEY", max_attempts=2) as case:
                shown += repr(case.backend) + repr(case.backend.limiter.model)
                shown += repr([reply for _, reply in case.service.map(READ, chunks(8))])
                shown += repr(case.backend.client())
        except ModelError as error:
            shown += f"{error!r} {error} {error.__cause__!r}"
        sent = {headers.get("authorization") for headers in server.headers}
    shown += repr(case.ledger) + caplog.text + "".join(capfd.readouterr())
    shown += "".join(path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file())
    assert sent == {"Bearer sk-canary-key-0123456789"}
    assert "canary" not in shown


def test_a_server_of_ones_own_is_not_sent_the_key_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-other-987654321")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere")
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/elsewhere")
    with LookAlike() as server, at(server) as case:
        case.service.one(READ, chunks(1)[0])
        assert not any("canary" in json.dumps(headers) for headers in server.headers)


def test_a_running_event_loop_is_no_obstacle() -> None:
    with LookAlike() as server, at(server) as case:

        async def inside() -> int:
            return len(list(case.service.map(READ, chunks(5))))

        assert asyncio.run(inside()) == 5
        assert asyncio.run(inside()) == 5
        assert len(list(case.service.map(READ, chunks(7)))) == 7


def test_one_backend_answers_several_threads_at_once() -> None:
    with LookAlike(latency=0.01) as server, at(server) as case:
        found: dict[int, list[str]] = {}

        def read(number: int) -> None:
            requests = chunks(40)[number * 5 : number * 5 + 5]
            found[number] = [
                request.item for request, reply in case.service.map(READ, requests) if isinstance(reply, Reply)
            ]

        threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert server.calls == 40 and server.most_busy > 1
    assert [item for number in range(8) for item in found[number]] == [request.item for request in chunks(40)]


def test_backends_come_and_go_without_a_closed_event_loop() -> None:
    with LookAlike() as server:
        for _ in range(3):
            with at(server) as case:
                assert isinstance(case.service.one(READ, chunks(1)[0]), Reply)
                case.backend.close()
                assert isinstance(case.service.one(READ, chunks(2)[1]), Reply)


def test_an_error_in_a_tasks_own_check_is_not_taken_for_a_bad_reply() -> None:
    def broken(request: object, reply: object) -> object:
        raise KeyError("a mistake of ours")

    task = READ.__class__("read", READ.prompt, READ.request, READ.reply, READ.offline, check=broken)  # type: ignore[arg-type]
    with LookAlike() as server, at(server) as case, pytest.raises(KeyError, match="a mistake of ours"):
        case.service.one(task, chunks(1)[0])


def test_a_reply_that_the_tasks_check_refuses_is_asked_again_with_its_reason() -> None:
    def picky(request: object, reply: object) -> object:
        raise ValueError("an id that was not offered")

    task = READ.__class__("read", READ.prompt, READ.request, READ.reply, READ.offline, check=picky)  # type: ignore[arg-type]
    with LookAlike() as server, at(server) as case:
        reply = case.service.one(task, chunks(1)[0])
        assert server.calls == 3 and "an id that was not offered" in server.asked[1]["messages"][1]["content"]
    assert isinstance(reply, Failure) and reply.reason == "misfit: an id that was not offered"


def test_building_a_backend_imports_no_client_library() -> None:
    script = textwrap.dedent(
        """
        import sys
        from pipeline.base.settings import parse_settings
        from pipeline.language.ledger import Ledger
        from pipeline.language.backends.chat import chat_backends
        chat = {"m": {"model": "x", "base_url": "http://127.0.0.1:9/v1"}}
        chat_backends(parse_settings({"models": chat, "language": {"default": "m"}}), Ledger(), tasks={})
        print([name for name in ("langchain_openai", "openai", "langchain_core", "pandas") if name in sys.modules])
        """
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_killed_run_repeats_no_completed_call(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from tests.language_cases import READ, at, chunks
        with at(sys.argv[1], Path(sys.argv[2]), concurrency=4) as case:
            list(case.service.map(READ, chunks(40)))
        """
    )
    with LookAlike(latency=0.03) as server:
        running = subprocess.Popen([sys.executable, "-c", script, server.url, str(tmp_path)], cwd=ROOT)
        while server.calls < 20:
            assert running.poll() is None, "it ended before it could be killed"
            time.sleep(0.005)  # in which it makes one call at most, and it has twenty to go
        os.kill(running.pid, signal.SIGKILL)
        running.wait(10)
        before = server.calls
        with at(server, tmp_path) as case:
            replies = [reply for _, reply in case.service.map(READ, chunks(40))]
        repeated = server.calls - 40
    cached = sum(isinstance(reply, Reply) and reply.cached for reply in replies)
    assert cached >= before - 4 and 0 <= repeated <= 5, "only calls under way at the kill may be made again"


def test_a_reply_is_stored_as_it_comes_whether_or_not_anybody_takes_it(tmp_path: Path) -> None:
    with LookAlike() as server, at(server, tmp_path, concurrency=4) as case:
        replies = case.service.map(READ, chunks(40))
        next(replies)
        while server.calls < 40 or server.busy:  # nobody takes a reply meanwhile
            time.sleep(0.01)
        replies.close()
        assert case.service.cache is not None
        ((*_, stored, _, _, _),) = case.service.cache.stats()
    assert stored >= 40 - 4, "a kill loses only what was under way"


def test_no_request_takes_the_place_of_another_before_its_reply_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, asked_for = Cache.put, list[int]()
    with LookAlike() as server, at(server, tmp_path, concurrency=4) as case:

        def slow_put(cache: Cache, rows: Sequence[CacheRow]) -> None:
            time.sleep(0.05)
            asked_for.append(server.calls - sum(row[3] for row in cache.stats()))
            put(cache, rows)

        monkeypatch.setattr(Cache, "put", slow_put)
        list(case.service.map(READ, chunks(20)))
    assert max(asked_for) <= 4, "requests that came and whose replies are not stored"
