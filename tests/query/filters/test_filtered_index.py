"""An index restricted by a condition answers from the documents that meet it and from no others."""

import csv
import json
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.base.errors import QuestionError
from pipeline.base.schema import TABLES
from pipeline.base.settings import parse_settings
from pipeline.cli.app import app
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import indexed

CUSTOMERS = ("Acme Corp", "Bolt", "Cora")
PORTS = ("Rotterdam", "Hamburg", "Lisbon", "Oslo")
PROBLEMS = ("arrived late at the harbour of", "was damaged by rain in", "was sent twice to")
METHODS = ("basic", "entity", "local", "drift", "fusion", "global", "auto")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    root = tmp_path_factory.mktemp("tickets")
    (root / "input").mkdir()
    with (root / "input" / "tickets.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "customer", "date", "text"])
        for number in range(120):
            port, problem = PORTS[number % 4], PROBLEMS[number % 3]
            date = f"202{2 + number % 4}-{number % 12 + 1:02}-15"
            text = f"The shipment from {port} {problem} {PORTS[number // 3 % 4]}. Clerk {chr(65 + number % 26)}. Moore saw it."
            writer.writerow([f"T-{number}", CUSTOMERS[number % 3], date, text])
    (root / "settings.yaml").write_text("", encoding="utf-8")
    made = Project(root, parse_settings({}))
    run_index(made)
    return made


@pytest.mark.parametrize("method", METHODS)
def test_every_method_cites_only_documents_that_meet_the_condition(project: Project, method: str) -> None:
    index = Index(project.store.open(), project.settings, project.root)
    chosen = index.where("customer = Bolt and date >= 2024")
    allowed = set(chosen.documents["id"])
    assert 0 < len(allowed) < 40
    question = "What are the main problems?" if method == "global" else "Which shipment was damaged by rain in Hamburg?"
    answer = chosen.ask(question, method)
    assert answer == index.ask(question, method, where="customer = Bolt and date >= 2024")
    cited = {source.document_id for source in answer.sources}
    assert cited <= allowed
    assert cited or answer.outcome != "answered"


def test_tables_of_a_filtered_index_hold_what_rests_on_its_documents(project: Project) -> None:
    index = Index(project.store.open(), project.settings, project.root)
    chosen = index.where("customer = Cora")
    chunks = set(chosen.chunks["id"])
    assert set(chosen.chunks["document_id"]) == set(chosen.documents["id"])
    for name, table in TABLES.items():
        if not name.startswith("retrieval_"):
            frame = getattr(chosen, name)
            assert len(frame) == chosen.count(name)
            if "chunk_ids" in frame:
                assert all(len(ids) and chunks.issuperset(ids) for ids in frame["chunk_ids"]), name
            if table.key == ("chunk_id",) or "chunk_id" in frame:
                assert chunks.issuperset(frame["chunk_id"]), name
    facts = set(chosen.facts["id"])
    assert all(facts.issuperset(ids) for ids in chosen.key_elements["fact_ids"])


def test_findings_of_a_filtered_index_cite_rows_that_are_left(project: Project) -> None:
    chosen = Index(project.store.open(), project.settings, project.root).where("date < 2024")
    left = set(chosen.community_reports["id"])
    for name in ("entities", "relationships", "claims"):
        left |= set(getattr(chosen, name)["id"])
    for findings in chosen.community_reports["findings"]:
        assert len(findings)
        assert all(left.issuperset(finding["citations"]) for finding in findings)


def test_an_unfiltered_index_is_as_it_was_after_a_filtered_question(project: Project) -> None:
    index = Index(project.store.open(), project.settings, project.root)
    before = index.ask("Which shipment was sent twice to Oslo?", "basic")
    index.ask("Which shipment was sent twice to Oslo?", "basic", where="customer = Cora")
    assert index.ask("Which shipment was sent twice to Oslo?", "basic") == before
    assert index.count("documents") == 120


def test_an_unknown_column_is_refused_with_the_one_that_was_meant(project: Project) -> None:
    index = Index(project.store.open(), project.settings, project.root)
    with pytest.raises(QuestionError) as caught:
        index.where("custmer = Bolt")
    assert "did you mean customer?" in caught.value.fix


def test_columns_that_reading_adds_are_named_last_and_never_as_what_was_meant(project: Project) -> None:
    index = Index(project.store.open(), project.settings, project.root)
    with pytest.raises(QuestionError) as caught:
        index.where("csv_heade = x")
    listed = caught.value.fix.partition("Columns are ")[2].partition("; a filter")[0]
    assert (
        "did you mean" not in caught.value.fix and "customer" in listed and "csv_header" not in listed.split(", ")[:3]
    )


def test_columns_of_a_table_are_named_as_its_file_names_them_and_its_days_read_as_it_writes_them(
    tmp_path: Path,
) -> None:
    orders = "order_id,name,due\nO-1,Ann Lee,03/04/2024\nO-2,Bo Lund,15/04/2024\nO-3,Cy Orr,10/06/2024\n"
    made = indexed(tmp_path, {"orders.csv": orders}, input={"patterns": ["*.csv"]})
    index = Index.open(made.store.folder)

    def chosen(where: str) -> list[str]:
        return sorted(index.where(where).documents["title"])

    assert chosen("order_id = O-2") == chosen("name = bo lund") == chosen("id = O-2") == ["Bo Lund"]
    assert chosen("due >= 2024-04-10") == ["Bo Lund", "Cy Orr"]
    assert chosen("due < 2024-04-10") == ["Ann Lee"]


def test_a_condition_that_no_document_meets_is_refused_with_the_values_there_are(project: Project) -> None:
    index = Index(project.store.open(), project.settings, project.root)
    with pytest.raises(QuestionError) as caught:
        index.where("customer = Nobody")
    assert "Acme Corp" in caught.value.fix


def test_the_command_says_how_many_documents_meet_the_condition(project: Project) -> None:
    arguments = ["query", "basic", "What was sent twice?", "--where", "id = T-2", "--json", "--root", str(project.root)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "(1 of 120 documents meet id = T-2)" in result.stderr
    answer = json.loads(result.stdout)
    assert {source["document_id"] for source in answer["sources"]} <= set(
        Index(project.store.open(), project.settings, Path(project.root)).where("id = T-2").documents["id"]
    )


def test_the_days_of_a_file_are_read_in_one_order_whatever_their_column_is_called(tmp_path: Path) -> None:
    payments = "Date,Payee\n07/04/2024,Royal Mail\n13/01/2024,Cobb\n09/10/2024,Seasafe\n"
    files = {"p.csv": payments, "q.csv": "Date,Payee\n2024-05-03,Holm\n2024-11-02,Lund\n"}
    made = indexed(tmp_path, files, input={"patterns": ["*.csv"]})
    opened = Index.open(made.store.folder)
    early, late = opened.where("date < 2024-05-01"), opened.where("date >= 2024-05-01")
    assert (len(early.documents), len(late.documents)) == (2, 3)


MINUTES = {
    "2025-03-05-kickoff.md": "# Kick-off\n\nThe mast at Pellow Bridge had lost power.\n",
    "review.md": "# Review\n\nDate: 16 April 2025\n\nThe mast at Pellow Bridge was replaced.\n",
    "manual.md": "# Manual\n\nA mast carries two antennas.\n",
    "plan.txt": "The plan of the masts was never finished.\n",
}


def test_documents_without_what_a_condition_names_are_counted_not_left_out_in_silence(tmp_path: Path) -> None:
    made = indexed(tmp_path, MINUTES)
    opened = Index.open(made.store.folder)
    with pytest.warns(UserWarning, match="2 of 4 documents have no date and are left out"):
        part = opened.where("date >= 2025-03-05")
    assert sorted(part.documents["source"]) == ["2025-03-05-kickoff.md", "review.md"]
    steps: list[str] = []
    with pytest.warns(UserWarning, match="no date"):
        answer = opened.ask(
            "What of the mast?", "basic", where="date >= 2025", watch=lambda step: steps.append(step.detail)
        )
    assert steps[0] == "2 of 4 documents have no date and are left out" and answer.left_out == (steps[0],)
    again = pickle.loads(pickle.dumps(part)).without_model().with_settings({"search": {"chunks": 5}})
    assert again.ask("What of the mast?", "basic").left_out == answer.left_out
    assert opened.ask("What of the mast?", "basic").left_out == ()


def test_documents_that_are_left_out_for_another_reason_or_not_at_all_are_not_counted(tmp_path: Path) -> None:
    opened = Index.open(indexed(tmp_path, MINUTES).store.folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(opened.where("not date < 2025-04").documents) == 3
        assert len(opened.where("date >= 2025-04 or source contains manual or source contains plan").documents) == 3
        pickle.loads(pickle.dumps(opened.where("source contains kickoff and date = 2025")))
    with pytest.warns(UserWarning, match="1 of 4 documents has no date and is left out"):
        opened.where("date >= 2025 and source contains .md")


@pytest.mark.parametrize("where", ["date >= yesterday", "date < 2025-13", "date = last week", "date in (today, now)"])
def test_a_value_that_is_no_date_is_refused_with_the_form_that_is_expected(tmp_path: Path, where: str) -> None:
    opened = Index.open(indexed(tmp_path, MINUTES).store.folder)
    with pytest.raises(QuestionError) as caught:
        opened.where(where)
    assert "is no date, and date is compared with dates" in caught.value.found
    assert "2025-03-05" in caught.value.fix


def test_the_command_notes_how_many_documents_have_no_date(tmp_path: Path) -> None:
    made = indexed(tmp_path, MINUTES)
    (tmp_path / "settings.yaml").write_text("", encoding="utf-8")
    asked = [*("query", "basic", "Which mast was replaced?", "--where", "date >= 2025-04"), "--root", str(made.root)]
    ran = subprocess.run([sys.executable, "-m", "pipeline", *asked], capture_output=True, text=True, check=True)
    assert "note: 2 of 4 documents have no date and are left out\n" in ran.stderr
    assert "replaced" in ran.stdout
