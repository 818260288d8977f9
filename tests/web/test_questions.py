"""Questions over HTTP: streamed, cancelled when nobody reads, never paid beyond what was accepted and capped."""

import http.client
import json
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.base.store import Store
from pipeline.query.index import Index
from tests.lookalike.server import LookAlike
from tests.query_cases import BATTLES, sample
from tests.runner.test_models import reply
from tests.web.server_cases import Reply, Running, running, until, write_settings


def lines(found: Reply) -> list[dict[str, Any]]:
    assert found.status == 200 and found.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in found.body.splitlines()]


def ask(server: Running, at: str, question: str, **more: Any) -> list[dict[str, Any]]:
    return lines(server.ask(f"/api/v1/{at}/questions", "POST", {"question": question, **more}))


def modelled(folder: Path, model: LookAlike, **more: Any) -> Path:
    """Return a project with the sample's index, whose settings name a model that costs money."""
    shutil.copytree(sample().parent, folder)
    settings: dict[str, Any] = {
        "models": {
            "m": {
                "model": "look-alike",
                "base_url": model.url,
                "price_in": 4.0,
                "price_out": 2.0,
                "max_output_tokens": 500,
            }
        },
        "language": {"default": "m"},
        **more,
    }
    return write_settings(folder, yaml.safe_dump(settings))


def test_an_answer_is_streamed_and_is_that_of_the_library(server: Running, at: str) -> None:
    events = ask(server, at, BATTLES, method="basic")
    assert [event["event"] for event in events][:2] == ["start", "step"] and events[-1]["event"] == "answer"
    assert {event["event"] for event in events} == {"start", "step", "text", "answer"}
    answer = events[-1]["answer"]
    begun = [place for place, event in enumerate(events) if event.get("begins")][-1]
    assert "".join(event["text"] for event in events[begun:] if event["event"] == "text") == answer["text"]
    expected = Index.open(sample()).ask(BATTLES, "basic")
    assert answer["text"] == expected.text and answer["outcome"] == expected.outcome


def test_sources_lead_to_their_words_in_the_stored_document(server: Running, at: str) -> None:
    answer = ask(server, at, "What are the main themes?", method="global")[-1]["answer"]
    texts = {row["id"]: row["text"] for row in Store(sample()).open().table("documents").to_pylist()}
    assert answer["sources"]
    for source in [*answer["sources"], *answer["closest"]]:
        assert texts[source["document"]][source["text_start"] : source["text_end"]] == source["quote"]


def test_the_last_step_names_the_entities_of_the_quotes(server: Running, at: str) -> None:
    events = ask(server, at, BATTLES, method="basic")
    quoted = [event for event in events if event.get("kind") == "quote"]
    names = {server.api(f"{at}/entities/{id}")["name"] for id in quoted[0]["entities"]}
    assert len(quoted) == 1 and "Joan of Arc" in names


def test_the_last_step_counts_in_the_right_number(server: Running, at: str) -> None:
    events = ask(server, at, "How are Joan of Arc and Philip the Good connected?", method="local")
    [said] = [event["text"] for event in events if event.get("kind") == "quote"]
    n, m = (int(word) for word in said.split() if word.isdigit())
    passages, entities = "passage" if n == 1 else "passages", "entity" if m == 1 else "entities"
    assert said == f"{n} {passages} quoted, naming {m} {entities}"


def test_a_question_that_follows_others_is_understood_by_them(server: Running, at: str) -> None:
    before = [{"question": "Who was Joan of Arc?", "answer": "Joan of Arc led the army at Orléans."}]
    events = ask(server, at, "Did she lose any battles?", method="basic", conversation=before)
    assert any("Joan of Arc" in event["text"] for event in events if event.get("kind") == "standalone")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": ""},
        {"question": "x", "method": "guess"},
        {"question": "x" * 9000},
        {"question": "x", "depth": 3},
        [],
        b"{",
        b"[" * 100_000,
    ],
)
def test_a_body_that_does_not_fit_is_refused(server: Running, at: str, body: Any) -> None:
    found = server.ask(f"/api/v1/{at}/questions", "POST", body)
    assert found.status == 400 and all(found.json["error"].values())


def test_a_filter_that_names_no_column_is_an_error_event_of_three_lines(server: Running, at: str) -> None:
    last = ask(server, at, BATTLES, where="colour = red")[-1]
    assert last["event"] == "error" and "colour" in last["error"]["cause"] and last["error"]["fix"]


def test_what_costs_money_is_asked_only_once_that_is_accepted(tmp_path: Path) -> None:
    with LookAlike(reply) as model, running([modelled(tmp_path / "p", model)]) as server:
        [only] = ask(server, "projects/p", BATTLES, method="basic")
        assert only["event"] == "needs_acceptance" and only["estimate"]["calls"] >= 1 and only["estimate"]["cost"] > 0
        estimate = server.ask(
            "/api/v1/projects/p/questions/estimate", "POST", {"question": BATTLES, "method": "basic"}
        ).json
        assert estimate == only["estimate"] and model.calls == 0
        events = ask(server, "projects/p", BATTLES, method="basic", accept_cost=True)
        assert events[-1]["event"] == "answer" and model.calls >= 1
        assert events[-1]["answer"]["usage"]["cost"] > 0


def test_a_question_stops_before_its_cap_and_a_day_before_its_own_also_after_a_restart(tmp_path: Path) -> None:
    with LookAlike(reply) as model:
        poor = modelled(tmp_path / "poor", model, serve={"max_cost_per_question": 1e-9})
        with running([poor]) as server:
            last = ask(server, "projects/poor", BATTLES, method="basic", accept_cost=True)[-1]
            assert last["event"] == "error" and "max_cost" in last["error"]["cause"] and model.calls == 0
        daily = modelled(tmp_path / "daily", model, serve={"max_cost_per_day": 0.15})
        outcomes, before = [], 0
        for _ in range(2):
            before = len(outcomes)
            with running([daily]) as server:
                for _ in range(60):
                    answered = sum(outcome["event"] == "answer" for outcome in outcomes)
                    question = f"{BATTLES} Number {answered}?"  # after the restart: the one that was refused
                    outcomes.append(ask(server, "projects/daily", question, method="basic", accept_cost=True)[-1])
                    if outcomes[-1]["event"] == "error":
                        break
        assert 0 < model.calls < 60 and len(outcomes) == before + 1
        assert all("max_cost" in outcome["error"]["cause"] for outcome in outcomes[-2:])


def test_a_reader_who_leaves_cancels_the_question_and_nothing_more_is_paid(tmp_path: Path) -> None:
    with LookAlike(reply, latency=0.4) as model, running([modelled(tmp_path / "p", model)]) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        body = {"question": BATTLES, "method": "local", "accept_cost": True}
        connection.request("POST", "/api/v1/projects/p/questions", json.dumps(body))
        assert json.loads(connection.getresponse().readline())["event"] == "start"
        until(lambda: model.calls >= 1)
        connection.close()
        connection.sock = None
        log = tmp_path / "p" / "output" / "questions.jsonl"
        until(lambda: log.exists() and "cancelled" in log.read_text())
        made = model.calls
        time.sleep(1.2)
        assert model.calls == made <= 2


def test_a_question_is_cancelled_by_its_number(tmp_path: Path) -> None:
    with LookAlike(reply, latency=0.5) as model, running([modelled(tmp_path / "p", model)]) as server:
        found: list[list[dict[str, Any]]] = []
        body = {"question": BATTLES, "method": "local", "accept_cost": True}
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", "/api/v1/projects/p/questions", json.dumps(body))
        stream = connection.getresponse()
        run = json.loads(stream.readline())["run"]
        until(lambda: model.calls >= 1)
        assert server.ask(f"/api/v1/projects/p/questions/{run}", "DELETE").json == {"cancelled": run}
        found.append([json.loads(line) for line in stream.read().splitlines()])
        connection.close()
        assert found[0][-1]["event"] == "error" and "cancelled" in found[0][-1]["error"]["cause"]
        made = model.calls
        time.sleep(1.2)
        assert model.calls == made
        assert server.ask(f"/api/v1/projects/p/questions/{run}", "DELETE").status == 404


def test_fifty_readers_at_once_all_get_their_answers_and_rows_come_meanwhile(server: Running, at: str) -> None:
    answers: list[str] = []

    def reader(number: int) -> None:
        question = ("Who was Joan of Arc?", BATTLES, "Where was the trial?", "What is a bombard?", "Who was La Hire?")[
            number % 5
        ]
        answers.append(ask(server, at, question, method="basic")[-1]["event"])

    readers = [threading.Thread(target=reader, args=(number,), daemon=True) for number in range(50)]
    for one in readers:
        one.start()

    def ended_while_rows_came() -> bool:
        assert server.ask(f"/api/v1/{at}/themes").status == 200
        return not any(one.is_alive() for one in readers)

    until(ended_while_rows_came, 300)
    assert answers == ["answer"] * 50


def test_a_slow_reader_does_not_hold_others(server: Running, at: str) -> None:
    slow = []
    for _ in range(20):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", f"/api/v1/{at}/questions", json.dumps({"question": BATTLES, "method": "basic"}))
        slow.append(connection)  # and nothing of the reply is read
    assert ask(server, at, BATTLES, method="basic")[-1]["event"] == "answer"
    for connection in slow:
        assert json.loads(connection.getresponse().read().splitlines()[-1])["event"] == "answer"
        connection.close()
