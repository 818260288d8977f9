"""Health and corrections over HTTP, and indexes that come, go and break while they are served."""

import json
import re
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.store import Store
from pipeline.runner.progress_note import NotedProgress, running_now
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, write_texts
from tests.lookalike.server import LookAlike
from tests.runner.test_models import modelled, reply
from tests.web.server_cases import Running, running, until, write_settings
from tests.web.test_api import checked

SETTINGS = "chunks: {size: 60, overlap: 10}\n"


def made(root: Path) -> Project:
    """Return a project with settings and texts on disk, indexed."""
    write_texts(root / "input", TEXTS)
    write_settings(root, SETTINGS)
    run_index(Project.open(root))
    return Project.open(root)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("served") / "harbour").root


def test_status_says_what_is_published_and_what_the_next_run_would_do(harbour: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(harbour, tmp_path / "p"))
    with running([root]) as server:
        found = checked(server, "read_status", "projects/p/status")
        assert found["next"]["up_to_date"] and found["next"]["documents"]["unchanged"] == len(TEXTS)
    (root / "input" / "railway.txt").write_text("The Carrow Railway closed in 1931. Edmund Vane wept.\n")
    with running([root]) as server:
        plan = checked(server, "read_status", "projects/p/status")["next"]
        assert plan["documents"]["changed"] == 1 and "s10_load_documents" in {one["stage"] for one in plan["stages"]}


def test_past_runs_failures_costs_and_checks_are_served(harbour: Path) -> None:
    with running([harbour]) as server:
        [run] = checked(server, "list_runs", "projects/harbour/runs")["items"]
        assert run["status"] == "complete" and run["generation"] == 1
        assert "s70_find_communities" in {stage["stage"] for stage in run["stages"]}
        assert checked(server, "list_failures", "projects/harbour/failures")["total"] == 0
        assert checked(server, "list_costs", "projects/harbour/costs")["spent_so_far"] is None
        verified = server.ask("/api/v1/projects/harbour/verify", "POST", {}).json
        assert verified["ok"] and len(verified["checks"]) > 15


def test_what_a_model_cost_is_told_by_stage(tmp_path: Path) -> None:
    with LookAlike(reply) as model:
        run_index(modelled(tmp_path / "p", model))
        write_settings(tmp_path / "p")
        with running([tmp_path / "p"]) as server:
            costs = checked(server, "list_costs", "projects/p/costs")
            [run] = server.api("projects/p/runs")["items"]
    stages = {one["stage"] for one in costs["items"]}
    assert re.fullmatch(r"\d+ requests, [\d,]+ tokens in, [\d,]+ out, cost [\d.]+", costs["spent_so_far"])
    assert {"s30_extract_graph", "s80_write_reports"} <= stages <= {one["stage"] for one in run["stages"]}
    assert run["cost"] == pytest.approx(costs["total_cost"]) and costs["total_cost"] > 0


def test_a_run_that_is_going_on_is_shown_and_one_that_was_killed_is_not(harbour: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(harbour, tmp_path / "p"))

    class Quiet:
        def __getattr__(self, name: str) -> Any:
            return lambda *given: None

    noted = NotedProgress(Quiet(), root / "output", 12)
    noted.stage("s30_extract_graph", "entities and relationships")
    with running([root]) as server:
        found = checked(server, "read_status", "projects/p/status")["running"]
        assert (found["stage"], found["stages"]) == ("s30_extract_graph", 12)
        state = json.loads((root / "output" / "progress.json").read_text())
        (root / "output" / "progress.json").write_text(json.dumps({**state, "process": 2**22 + 1}))
        assert server.api("projects/p/status")["running"] is None
    assert running_now(tmp_path) is None


def test_a_new_generation_is_served_without_a_restart_also_while_readers_read(harbour: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(harbour, tmp_path / "p"))
    with running([root]) as server:
        assert server.api("projects/p")["generation"] == 1
        (root / "input" / "lighthouse.txt").write_text("Ada Thorne lit the lighthouse of Carrow in 1890.\n")
        runner = threading.Thread(target=run_index, args=(Project.open(root),), daemon=True)
        runner.start()

        def ended_while_rows_came() -> bool:
            assert server.ask("/api/v1/projects/p/themes").status == 200
            return not runner.is_alive()

        until(ended_while_rows_came)
        assert server.api("projects/p")["generation"] == 2
        assert server.api("projects/p")["counts"]["documents"] == len(TEXTS) + 1


def test_a_correction_is_previewed_written_and_carried_out_by_the_next_run(harbour: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(harbour, tmp_path / "p"))
    path = "/api/v1/projects/p/corrections"
    with running([root]) as server:
        body = {"rename": "Ada Thorne", "to": "Ada Thorne of Leith"}
        shown = server.ask(f"{path}/preview", "POST", body)
        assert shown.status == 200 and shown.json["changes"] and shown.json["rows"]["entities"] >= 1
        assert not (root / "corrections.yaml").exists()
        written = server.ask(path, "POST", body).json
        assert written["written"] == "corrections.yaml" and (root / "corrections.yaml").exists()
        assert len(checked(server, "list_corrections", "projects/p/corrections")["corrections"]) == 1
        run_index(Project.open(root))
        assert server.api("projects/p/entities/Ada Thorne of Leith")["name"] == "Ada Thorne of Leith"
        unknown = server.ask(f"{path}/preview", "POST", {"retype": "Nobody Atall", "type": "PLACE"})
        assert unknown.status == 400 and "Nobody Atall" in unknown.json["error"]["cause"]
        for body in ({}, {"merge": ["a"]}, {"merge": ["a"], "into": "b", "rename": "c", "to": "d"}):
            assert server.ask(path, "POST", body).status == 400


def test_the_map_is_filtered_by_document_and_by_dates_of_claims(server: Running, at: str) -> None:
    document = server.api(f"{at}/documents", limit=1)["items"][0]["id"]
    named = {mark["id"] for mark in server.api(f"{at}/documents/{document}")["marks"] if mark["kind"] == "entity"}
    assert named <= set(checked(server, "read_members", f"{at}/map/members", document=document)["ids"])
    dated = checked(server, "read_members", f"{at}/map/members", since="1431", until="1431-12")["ids"]
    assert 0 < len(dated) < len(server.api(f"{at}/map")["nodes"]["id"])
    assert server.ask(f"/api/v1/{at}/map/members", since="then").status == 400


BREAKS = {
    "no index yet": (lambda root: shutil.rmtree(root / "output"), "empty", "run: graphstrata index"),
    "a manifest that is no JSON": (lambda root: (root / "output" / "manifest.json").write_text("{"), "broken", ""),
    "settings with an unknown key": (
        lambda root: (root / "settings.yaml").write_text("colour: red\n"),
        "broken",
        "colour",
    ),
}


@pytest.mark.parametrize("what", BREAKS)
def test_a_broken_project_says_what_to_do_beside_one_that_is_well(what: str, harbour: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(harbour, tmp_path / "bad"))
    how, state, word = BREAKS[what]
    how(root)
    with running([root, harbour]) as server:
        bad, good = server.api("projects")["projects"]
        assert (bad["state"], good["state"]) == (state, "ready")
        assert word in " ".join(bad["error"].values())
        reply = server.ask("/api/v1/projects/bad/map")
        assert reply.status == 503 and reply.json["error"]["fix"]
        page = server.ask("/p/bad/reports")
        assert page.status == 503 and b"<dt>fix</dt>" in page.body
        assert server.ask("/p/harbour/reports").status == 200
        if state == "empty":
            run_index(Project.open(root))
            assert server.ask("/api/v1/projects/bad/map").status == 200


def test_a_table_that_was_damaged_is_an_error_that_says_so(harbour: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(harbour, tmp_path / "p"))
    path = Store(root / "output").open().path("entities")
    path.unlink()
    path.write_bytes(b"PAR1 no more")
    with running([root]) as server:
        reply = server.ask("/api/v1/projects/p/map")
        assert reply.status == 503 and all(reply.json["error"].values())
        assert server.ask("/api/v1/projects/p/documents").status == 200
