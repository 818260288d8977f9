"""An index made with a model, over real HTTP against a look-alike server: nothing lost, nothing paid for twice."""

import json
import shutil
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pipeline.base.errors import BudgetError, ModelError
from pipeline.runner.estimate import estimate_index
from pipeline.runner.progress import Silent
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import hashes, project, write_texts
from tests.lookalike.replies import schema_of, valid
from tests.lookalike.server import LookAlike
from tests.scripted_backend import ScriptedBackend

pytestmark = pytest.mark.long


def reply(body: dict[str, Any]) -> Any:
    """Answer as a careful model might: two entities and what joins them, one claim, one fact, a report."""
    schema = schema_of(body)
    wanted = set(schema["properties"]) if schema else set()
    text = " ".join(str(message["content"]) for message in body["messages"])
    if "ound so far" in text:
        return {name: [] for name in wanted}
    if wanted == {"entities", "relationships", "claims", "facts"}:
        parts = (("entities", "relationships"), ("claims",), ("facts",))
        return {name: record for part in parts for name, record in single(set(part)).items()}
    if "findings" not in wanted and wanted <= {"entities", "relationships", "claims", "facts"}:
        return single(wanted)
    if "findings" in wanted:
        finding = {"summary": "She built.", "explanation": "Ada Thorne built at Carrow.", "citations": ["e1", "e99"]}
        report = {
            "title": "Ada Thorne at Carrow",
            "summary": "She built there.",
            "summary_citations": ["r1"],
            "rating": 5.0,
        }
        return {**report, "rating_explanation": "A few records.", "findings": [finding]}
    return valid(schema, "seed") if schema else "An answer. [p1]"


def single(wanted: set[str]) -> dict[str, Any]:
    """Return the reply of one extraction."""
    if "entities" in wanted:
        return {
            "entities": [
                {"title": "Ada Thorne", "type": "PERSON", "description": "An engineer."},
                {"title": "CARROW", "type": "PLACE", "description": "A harbour."},
            ],
            "relationships": [
                {"source": "Carrow", "target": "Ada Thorne", "description": "She built there.", "weight": 5}
            ],
        }
    if "claims" in wanted:
        claim = {"subject": "Ada Thorne", "object": "Carrow", "type": "CREATION", "status": "TRUE", "start_date": None}
        return {
            "claims": [{**claim, "description": "Ada Thorne built at Carrow.", "end_date": None, "quote": "Ada Thorne"}]
        }
    return {"facts": [{"text": "Ada Thorne built at Carrow.", "key_elements": ["Ada Thorne", "Carrow"]}]}


def modelled(root: Path, server: LookAlike, **more: Any) -> Project:
    model = {
        "model": "look-alike",
        "base_url": server.url,
        "price_in": 1.0,
        "price_out": 2.0,
        "max_output_tokens": 4000,
    }
    sections = {
        "models": {"m": {**model, **more.pop("model", {})}},
        "language": {"default": "m"},
        "reports": {"min_size": 2, "min_tokens": 0},
        **more,
    }
    return project(root, **sections)


def test_a_model_fills_the_tables_and_every_call_is_in_the_ledger(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        outcome = run_index(modelled(tmp_path, server))
        assert outcome.status == "complete"
        assert outcome.rows["calls"] == server.calls == outcome.calls["calls"]
    generation = project(tmp_path).store.open()
    entities = {row["title"]: row for row in generation.table("entities").to_pylist()}
    assert set(entities) == {"Ada Thorne", "CARROW"}, "spellings that differ in case are one entity"
    [edge] = generation.table("relationships").to_pylist()
    assert edge["weight"] == 5.0 * generation.manifest.tables["chunks"].rows, "weights add up"
    report = generation.table("community_reports").to_pylist()[0]
    assert report["written_by"] == "model" and report["findings"][0]["citations"] == [entities["Ada Thorne"]["id"]]
    assert all(row["cost"] > 0 for row in generation.table("calls").to_pylist())


def test_dates_that_a_model_gives_in_words_are_left_out_and_counted(tmp_path: Path) -> None:
    class Lines(Silent):
        said: ClassVar[list[str]] = []

        def line(self, text: str) -> None:
            self.said.append(text)

    def sloppy(body: dict[str, Any]) -> Any:
        found = reply(body)
        for claim in found.get("claims", ()) if isinstance(found, dict) else ():
            claim |= {"start_date": "1871-05-01T00:00:00", "end_date": "last week"}
        return found

    with LookAlike(sloppy) as server:
        run_index(modelled(tmp_path, server), Lines())
    claims = project(tmp_path).store.open().table("claims").to_pylist()
    assert {(row["start_date"], row["end_date"]) for row in claims} == {("1871-05-01", None)}
    [said] = [line for line in Lines.said if "no ISO dates" in line]
    assert said.startswith("s50_extract_claims: ") and said.endswith("dates of claims that are no ISO dates: left out")


@pytest.mark.parametrize("one_pass", [False, True])
def test_what_a_model_repeats_from_the_example_of_its_prompt_is_in_no_table_but_where_the_text_says_it(
    tmp_path: Path, one_pass: bool
) -> None:
    class Lines(Silent):
        said: ClassVar[list[str]] = []

        def line(self, text: str) -> None:
            self.said.append(text)

    def parrot(body: dict[str, Any]) -> Any:
        found = reply(body)
        if "entities" in found:
            found["entities"] += [{"title": "Mill", "type": "PLACE", "description": "A mill."}]
            found["relationships"] += [{"source": "Mill", "target": "Carrow", "description": "x", "weight": 1}]
        if "facts" in found:
            found["facts"] += [{"text": "Ada Thorne built the west mole of Carrow in 1871.", "key_elements": ["mole"]}]
        return found

    texts = {"a.txt": "The mill stood idle.", "b.txt": "At Carrow the mill of the Thornes still turned."}
    with LookAlike(parrot) as server:
        made = modelled(tmp_path, server, extraction={"one_pass": one_pass, "max_gleanings": 0})
        shutil.rmtree(tmp_path / "input")
        write_texts(tmp_path / "input", texts)
        run_index(made, progress=Lines())
    tables = made.store.open()
    chunks = {row["id"]: row["text"] for row in tables.table("chunks").to_pylist()}
    named = {(row["title"], chunks[row["chunk_id"]]) for row in tables.table("entity_mentions").to_pylist()}
    assert ("Mill", texts["a.txt"]) in named and ("CARROW", texts["b.txt"]) in named
    assert ("CARROW", texts["a.txt"]) not in named and ("Ada Thorne", texts["a.txt"]) not in named
    assert not any("1871" in row["text"] for row in tables.table("facts").to_pylist())
    assert any("entities left out: they repeat the example of the prompt" in line for line in Lines.said)


def test_a_second_run_makes_no_call_and_a_lost_generation_is_made_again_from_the_cache(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        run_index(modelled(tmp_path, server))
        calls, before = server.calls, hashes(project(tmp_path))
        assert run_index(modelled(tmp_path, server)).unchanged
        (tmp_path / "output" / "manifest.json").unlink()
        outcome = run_index(modelled(tmp_path, server))
        assert server.calls == calls and outcome.calls["cached"] == calls
    del before["calls"]
    assert before == {name: hash for name, hash in hashes(project(tmp_path)).items() if name != "calls"}


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_with_faults_the_counts_of_the_ledger_are_those_of_the_server(tmp_path: Path, share: float) -> None:
    with LookAlike(reply, faults={"500": share, "cut": share}) as server:
        settled = modelled(tmp_path, server, model={"max_attempts": 2}, language={"default": "m", "max_repairs": 0})
        write_texts(tmp_path / "input", {f"more{i}.txt": f"Ada Thorne wrote letter {i} at Carrow." for i in range(20)})
        outcome = run_index(settled)
        failed = [row for row in settled.store.open().table("failures").to_pylist() if row["kind"] == "failed"]
        assert (outcome.status == "partial") == bool(failed)
        assert len(failed) == len(outcome.failures)
        server.faults = {}
        again = run_index(settled)
        assert again.status == "complete"


def test_when_the_server_fails_every_call_nothing_is_published(tmp_path: Path) -> None:
    with LookAlike(reply, faults={"500": 1.0}) as server:
        settled = modelled(tmp_path, server, model={"max_attempts": 1})
        with pytest.raises(ModelError):
            run_index(settled)
    assert settled.store.last() is None
    assert json.loads((tmp_path / "output" / "run.json").read_text())["status"] == "failed"


def test_a_cap_on_calls_stops_the_run_and_the_next_goes_on_from_there(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        with pytest.raises(BudgetError):
            run_index(modelled(tmp_path, server, limits={"max_calls": 5}))
        assert server.calls == 5
        run_index(modelled(tmp_path, server))
        calls = server.calls
    with LookAlike(reply) as unbroken:
        run_index(modelled(tmp_path / "other", unbroken))
        assert unbroken.calls == calls, "what was paid for before the cap was not paid for again"


def test_changing_one_prompt_asks_its_task_again_and_nothing_that_its_replies_do_not_change(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        run_index(modelled(tmp_path, server))
        server.asked.clear()
        own = "State the facts.\n---\nHeading: {anchor}\n\n{text}\n"
        (tmp_path / "facts.txt").write_text(own, encoding="utf-8")
        outcome = run_index(modelled(tmp_path, server, tasks={"extract_facts": {"prompt": "facts.txt"}}))
        assert set(outcome.ran) == {"s60_extract_facts"}
        assert {tuple(schema_of(body)["properties"]) for body in server.asked} == {("facts",)}  # type: ignore[index]


def test_another_model_misses_the_cache(tmp_path: Path) -> None:
    with LookAlike(reply, models=("look-alike", "other")) as server:
        run_index(modelled(tmp_path, server))
        calls = server.calls
        run_index(modelled(tmp_path, server, model={"model": "other"}))
        assert server.calls == 2 * calls


def test_the_estimate_makes_no_call_and_knows_the_calls_that_a_run_makes(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        settled = modelled(tmp_path, server, model={"api_key_env": "NO_SUCH_KEY_ANYWHERE"})
        bills = {(bill.stage, bill.task): bill.calls for bill in estimate_index(settled)}
        assert server.calls == 0
        outcome = run_index(modelled(tmp_path, server))
        made = project(tmp_path).store.open().table("calls").to_pylist()
        for task in ("extract_graph", "glean_graph", "extract_facts", "glean_facts"):
            assert sum(calls for (_, name), calls in bills.items() if name == task) == sum(
                r["task"] == task for r in made
            )
        assert outcome.status == "complete"
        assert sum(bill.calls for bill in estimate_index(settled)) == 0 or settled.settings != modelled(
            tmp_path, server
        )


@pytest.mark.parametrize(
    "extraction", [{"one_pass": True}, {"max_gleanings": 3}, {"one_pass": True, "max_gleanings": 2}]
)
def test_the_estimate_counts_one_pass_once_and_every_round_of_gleaning(
    tmp_path: Path, extraction: dict[str, Any]
) -> None:
    def always_more(body: dict[str, Any]) -> Any:
        text = " ".join(str(message["content"]) for message in body["messages"])
        schema = schema_of(body) or {"properties": {}}
        more = {"title": f"Name {len(text)}", "type": "PERSON", "description": "One more."}
        found = {
            "entities": [more],
            "relationships": [],
            "claims": [],
            "facts": [{"text": f"F {len(text)}.", "key_elements": ["F"]}],
        }
        claim = {
            "subject": "Ada Thorne",
            "object": None,
            "type": "X",
            "status": "TRUE",
            "description": f"C {len(text)}.",
        }
        found["claims"] = [{**claim, "start_date": None, "end_date": None, "quote": ""}]
        return {name: found[name] for name in schema["properties"]} if "ound so far" in text else reply(body)

    with LookAlike(always_more) as server:
        settled = modelled(tmp_path, server, extraction=extraction)
        estimated = {
            cost.task: cost.calls for cost in estimate_index(settled) if "report" not in cost.task and cost.calls
        }
        run_index(settled)
    made = [row["task"] for row in settled.store.open().table("calls").to_pylist() if not row["cached"]]
    assert estimated == {task: made.count(task) for task in set(made) if "report" not in task}


def test_another_address_of_the_same_model_is_answered_from_the_cache_and_no_address_is_stored(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        run_index(modelled(tmp_path, server))
    with LookAlike(reply) as moved:
        settled = modelled(tmp_path, moved, model={"base_url": f"{moved.url}?sig=s3cr3t-canary"})
        assert run_index(settled).unchanged
        (tmp_path / "output" / "manifest.json").unlink()
        assert run_index(settled).calls["calls"] == 0 and moved.calls == 0
    stored = b"".join(path.read_bytes() for path in (tmp_path / "output").rglob("*") if path.is_file())
    assert b"canary" not in stored and b"127.0.0.1" not in stored


def test_faults_that_another_try_overcame_are_counted_and_reported(tmp_path: Path) -> None:
    with LookAlike(reply, faults={"500": 0.4}) as server:
        outcome = run_index(modelled(tmp_path, server))
        faults = server.injected()["500"]
    assert outcome.status == "complete"
    assert outcome.faults.startswith(f"faults met: server_error {faults}; ")
    assert json.loads((tmp_path / "output" / "run.json").read_text())["faults"] == outcome.faults


def test_a_text_that_cannot_be_embedded_is_a_failure_of_the_task_embed(tmp_path: Path) -> None:
    with LookAlike(reply, faults={"too_long": 1.0}) as server:
        vectors = {"model": "look-alike-embedding", "kind": "embedding", "base_url": server.url}
        outcome = run_index(project(tmp_path, models={"e": vectors}, language={"embedding": "e"}))
    assert outcome.status == "partial" and {row[1] for row in outcome.failures} == {"embed"}


def test_a_report_that_the_model_fails_to_give_is_written_offline_and_marked_so(tmp_path: Path) -> None:
    with LookAlike(lambda body: "" if "findings" in str(body.get("response_format")) else reply(body)) as server:
        outcome = run_index(modelled(tmp_path, server, language={"default": "m", "max_repairs": 0}))
    assert outcome.status == "partial"
    reports = project(tmp_path).store.open().table("community_reports").to_pylist()
    assert reports and {row["written_by"] for row in reports} == {"offline"}


def test_one_pass_asks_a_third_of_the_extraction_calls_for_the_same_tables(tmp_path: Path) -> None:
    calls = {}
    for one_pass in (False, True):
        with LookAlike(reply) as server:
            settled = modelled(tmp_path / str(one_pass), server, extraction={"one_pass": one_pass, "max_gleanings": 0})
            outcome = run_index(settled)
            calls[one_pass] = server.calls - outcome.rows["community_reports"]
            assert [bill.calls for bill in estimate_index(settled)] == []
    assert calls[False] == 3 * calls[True]
    one, three = hashes(project(tmp_path / "True")), hashes(project(tmp_path / "False"))
    assert {name: one[name] for name in one if name != "calls"} == {n: three[n] for n in three if n != "calls"}


def test_a_missing_key_is_an_error_before_any_call(tmp_path: Path) -> None:
    with LookAlike(reply) as server, pytest.raises(ModelError, match="NO_SUCH_KEY_ANYWHERE"):
        run_index(modelled(tmp_path, server, model={"api_key_env": "NO_SUCH_KEY_ANYWHERE"}))
    assert server.calls == 0


def test_vectors_are_made_once_and_match_their_rows(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        vectors = {"model": "look-alike-embedding", "kind": "embedding", "base_url": server.url}
        settled = project(tmp_path, models={"e": vectors}, language={"embedding": "e"})
        outcome = run_index(settled)
        asked = server.counts["/embeddings"]
        assert outcome.rows["embeddings"] == sum(
            outcome.rows[name] for name in ("chunks", "entities", "key_elements", "community_reports")
        )
        run_index(settled)
        assert server.counts["/embeddings"] == asked


def test_a_long_chunk_has_a_vector_for_each_of_its_parts_under_the_anchor_of_the_chunk(tmp_path: Path) -> None:
    told = " ".join(f"The keeper counted {n} barrels of salted herring on the quay." for n in range(60))
    with LookAlike(reply) as server:
        vectors = {"model": "look-alike-embedding", "kind": "embedding", "base_url": server.url}
        settings = {"models": {"e": vectors}, "language": {"embedding": "e"}, "chunks": {"size": 600}}
        settled = project(tmp_path, {"quay.txt": told}, **settings)
        run_index(settled)
    tables = settled.store.open()
    (first, *_), rows = tables.table("chunks")["id"].to_pylist(), tables.table("embeddings").to_pylist()
    found = [row["part"] for row in rows if row["row_id"] == first]
    assert len(found) > 3 and found == list(range(len(found)))
    assert {row["part"] for row in rows if row["table"] != "chunks"} <= {0}


def test_scripted_and_modelled_indexes_of_the_same_replies_are_equal(tmp_path: Path) -> None:
    from pipeline.language.tasks.indexing.extract_graph import Entity, Graph

    graph = Graph(entities=[Entity(title="Ada", type="PERSON", description="x")], relationships=[])
    for name in ("a", "b"):
        run_index(project(tmp_path / name), default=ScriptedBackend({"extract_graph": lambda request: graph}))
    first, second = hashes(project(tmp_path / "a")), hashes(project(tmp_path / "b"))
    assert {name: first[name] for name in first if name != "calls"} == {n: second[n] for n in second if n != "calls"}
