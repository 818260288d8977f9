"""One thing is one entity: rules join what is certain, a model decides what is open, and what contradicts stays apart."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.base.arrow.columns import codes_of
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.language.tasks.indexing.extract_graph import Entity, Graph, Relationship
from pipeline.language.tasks.indexing.match_names import NamePairs, NameVerdict, NameVerdicts
from pipeline.resolution.corrections import Corrections, Split
from pipeline.resolution.corrections_file import CORRECTIONS_FILE, write_corrections
from pipeline.resolution.occurrences import NameOccurrences, majority_types
from pipeline.resolution.resolve import KnownNames, Resolution
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import hashes, project
from tests.paths import DATA
from tests.scripted_backend import ScriptedBackend

INTERVIEWS = DATA / "interviews" / "output"
TYPES = {"MIT": "ORGANIZATION", "Lab": "ORGANIZATION", "CSAIL": "ORGANIZATION", "Rome": "PLACE"}
TYPES |= {"Brightmoor": "ORGANIZATION", "inner": "EVENT", "BMBF": "ORGANIZATION", "minister": "ORGANIZATION"}
TYPES |= {"Board": "ORGANIZATION", "BT": "ORGANIZATION"}
TEXTS = {
    "a.txt": "[Daniela Rus|CSAIL] [Daniela Rus|MIT] [Charles Simon|Daniela Rus] [Charles Simon|Rome]",
    "b.txt": "[MIT Computer Science and AI Lab|Daniela Rus] [Charles Simonyi|Daniela Rus] [Charles Simonyi|Rome]",
    "c.txt": "[MIT Computer Science and Artificial Intelligence Lab|MIT] [Sam Altman|Rome] [Ann Orr|Rome] [Eve Orr|Rome]",
    "d.txt": "[Sam|Leon Bird] [Orr|Rome] [Mr. Lane|Rome] [Mrs. Lane|Rome]",
}


def read(request: ChunkToExtract) -> Graph:
    """Return what a text in brackets states: [one|other] is a relationship."""
    pairs = [part.split("]")[0].split("|") for part in request.text.split("[")[1:]]
    names = sorted({name for pair in pairs for name in pair})
    return Graph(
        entities=[Entity(title=name, type=kind(name), description=f"{name} is here.") for name in names],
        relationships=[Relationship(source=a, target=b, description=f"{a} and {b}.", weight=1) for a, b in pairs],
    )


def kind(name: str) -> str:
    return next((type for word, type in TYPES.items() if word in name), "PERSON")


def made(root: Path, decide: Any = None, texts: dict[str, str] = TEXTS) -> tuple[Project, ScriptedBackend]:
    backend = ScriptedBackend({"extract_graph": read, "match_names": decide or (lambda request: None)})
    found = project(root, texts, extraction={"max_gleanings": 0})
    run_index(found, default=backend)
    return found, backend


def entity_of(made: Project) -> dict[str, str]:
    """Return the entity of each name."""
    rows = made.store.open().table("entities", ["title", "aliases"]).to_pylist()
    return {name: row["title"] for row in rows for name in (row["title"], *row["aliases"])}


def decisions(made: Project) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["name"], row["entity"]): row for row in made.store.open().table("aliases").to_pylist()}


def test_rules_join_what_is_certain_and_keep_apart_what_contradicts(tmp_path: Path) -> None:
    entity = entity_of(made(tmp_path)[0])
    assert entity["MIT Computer Science and AI Lab"] == entity["MIT Computer Science and Artificial Intelligence Lab"]
    assert entity["Charles Simon"] == entity["Charles Simonyi"]
    assert entity["MIT"] == "MIT" and entity["CSAIL"] != "MIT"
    assert {entity["Ann Orr"], entity["Eve Orr"], entity["Orr"]} == {"Ann Orr", "Eve Orr", "Orr"}
    assert entity["Mr. Lane"] != entity["Mrs. Lane"]


def test_every_decision_is_a_row_with_evidence_score_and_reason(tmp_path: Path) -> None:
    rows = decisions(made(tmp_path)[0])
    row = rows["Charles Simon", "Charles Simonyi"]
    assert row["joined"] and row["by"] == "rule" and row["evidence"] == "person" and 0.85 <= row["score"] <= 1
    opened = rows["Orr", "Ann Orr"]
    assert not opened["joined"] and opened["by"] == "rule" and "not sure" in opened["reason"]


def test_a_model_decides_on_what_is_open_with_a_reason_and_is_not_asked_again(tmp_path: Path) -> None:
    def decide(request: NamePairs) -> NameVerdicts:
        return NameVerdicts(
            verdicts=[
                NameVerdict(pair=at, same="Sam / Sam Altman" in pair, reason="as the texts say")
                for at, pair in enumerate(request.pairs, 1)
            ]
        )

    found, backend = made(tmp_path, decide)
    rows = decisions(found)
    assert entity_of(found)["Sam"] == "Sam Altman"
    assert (rows["Sam", "Sam Altman"]["by"], rows["Sam", "Sam Altman"]["reason"]) == ("model", "as the texts say")
    assert not rows["Orr", "Ann Orr"]["joined"] and rows["Orr", "Ann Orr"]["by"] == "model"
    asked = [request for task, request in backend.asked if task == "match_names"]
    assert asked and all("mentioned with" in pair for request in asked for pair in request.pairs)  # type: ignore[attr-defined]
    before = hashes(found)
    outcome = run_index(found, default=backend)
    assert outcome.unchanged and hashes(found) == before


def test_one_person_is_called_by_the_name_in_full_whichever_form_is_joined_first(tmp_path: Path) -> None:
    def decide(request: NamePairs) -> NameVerdicts:
        return NameVerdicts(
            verdicts=[NameVerdict(pair=at, same=True, reason="one of them") for at in range(1, len(request.pairs) + 1)]
        )

    texts = {
        "a.txt": "[Donata Wren|Carrow] [Donata Wren|Leith]",
        "b.txt": "[D. Wren|Quimper]",
        "c.txt": "[Wren|Brest]",
        "d.txt": "[Mrs. Wren|Dover] [oven of Donata Wren|Dover]",
    }
    entity = entity_of(made(tmp_path, decide, texts)[0])
    assert {entity[name] for name in ("Donata Wren", "D. Wren", "Wren", "Mrs. Wren")} == {"Donata Wren"}
    assert entity["oven of Donata Wren"] == "oven of Donata Wren"


def test_what_an_organisation_is_called_by_its_first_word_is_a_question_for_a_model(tmp_path: Path) -> None:
    def same(request: NamePairs) -> NameVerdicts:
        (pair,) = request.pairs
        assert pair.startswith(
            "1. Brightmoor / Brightmoor Haulage (its first word alone; no other names of the same documents that it may be short for)"
        )
        return NameVerdicts(verdicts=[NameVerdict(pair=1, same=True, reason="it sent the quote")])

    texts = {"mail.txt": "[Brightmoor Haulage|Rome] [Brightmoor|Rome] [Brightmoor|Ann Orr]"}
    asked, _ = made(tmp_path / "asked", same, texts)
    assert entity_of(asked)["Brightmoor"] == "Brightmoor Haulage"
    alone, _ = made(tmp_path / "alone", None, texts)
    assert not decisions(alone)["Brightmoor", "Brightmoor Haulage"]["joined"]


def test_a_short_form_that_a_text_introduces_in_brackets_is_joined_with_these_words_as_evidence(tmp_path: Path) -> None:
    full = "Bundesministerium für Bildung und Forschung"
    texts = {
        "a.txt": f"[{full}|Rome] [BMBF|Ann Orr]. Das {full} (BMBF) zahlte.",
        "b.txt": "[Ann Orr|Board of Trade] Ann Orr (BMBF) was not of the Board of Trade (BT) or [BT|Eve Orr].",
    }
    found, _ = made(tmp_path, None, texts)
    assert entity_of(found)["BMBF"] == entity_of(found)[full] != entity_of(found)["Ann Orr"]
    assert entity_of(found)["BT"] == entity_of(found)["Board of Trade"]
    rows = {row["name"]: row for row in decisions(found).values() if row["joined"]}
    row = rows.get("BMBF") or rows[full]
    assert row["by"] == "rule" and row["reason"] == f"the texts write {full} (BMBF)"


def test_two_events_of_one_noun_are_a_question_where_they_share_company_and_none_where_they_do_not(
    tmp_path: Path,
) -> None:
    guests = ("Ann Orr", "Leon Bird", "Sam Altman")
    texts = {
        "a.txt": " ".join(f"[Comet dinner|{guest}]" for guest in guests),
        "b.txt": " ".join(f"[Dinner at the Old Pier|{guest}]" for guest in guests),
        "c.txt": "[Dinner in Rome|Eve Orr]",
    }
    found, backend = made(tmp_path, None, texts)
    asked = "\n".join(pair for task, request in backend.asked if task == "match_names" for pair in request.pairs)  # type: ignore[attr-defined]
    assert "Comet dinner" in asked and "Dinner at the Old Pier" in asked and "called by the same noun" in asked
    assert "Dinner in Rome /" not in asked and "/ Dinner in Rome" not in asked
    assert entity_of(found)["Comet dinner"] != entity_of(found)["Dinner at the Old Pier"]


def test_a_verdict_on_a_pair_that_was_not_shown_is_refused(tmp_path: Path) -> None:
    wrong = NameVerdicts(verdicts=[NameVerdict(pair=99, same=True, reason="x")])
    found, _ = made(tmp_path, lambda request: wrong)
    assert entity_of(found)["Sam"] == "Sam"


def test_a_correction_overrules_a_rule(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    write_corrections(tmp_path / "x" / CORRECTIONS_FILE, Corrections.of(Split("Charles Simon", "Charles Simonyi")))
    found, _ = made(tmp_path / "x")
    assert entity_of(found)["Charles Simon"] == "Charles Simon"
    assert decisions(found)["Charles Simon", "Charles Simonyi"]["by"] == "correction"


def test_names_are_not_resolved_where_settings_say_so(tmp_path: Path) -> None:
    found = project(tmp_path, TEXTS, extraction={"max_gleanings": 0}, names={"resolve": False})
    run_index(found, default=ScriptedBackend({"extract_graph": read}))
    assert entity_of(found)["Charles Simon"] == "Charles Simon"


def stored(name: str) -> pa.Table:
    return pq.read_table(INTERVIEWS / f"{name}.parquet")


@pytest.mark.skipif(not INTERVIEWS.is_dir(), reason="the stored index of the interviews is not here")
def test_the_duplicates_of_an_index_that_a_model_made_are_one_entity_each() -> None:
    mentions, edges = stored("entity_mentions"), stored("relationship_mentions")
    codes, titles = codes_of(mentions["title"])
    resolution = Resolution(KnownNames.of(titles.to_pylist(), codes, stored("vocabulary")), Corrections())
    resolution.join_forms()
    occurrences = NameOccurrences(resolution.numbers, mentions, edges, stored("chunks"))
    types = majority_types(resolution.numbers, mentions)
    resolution.join_alike(occurrences, types)
    one = [
        {"CSAIL", "MIT Computer Science and AI lab", "MIT’s Computer Science and Artificial Intelligence Lab"},
        {"Charles Simon", "Charles Simonyi"},
        {"Judy Estrin's father", "Gerald Estrin"},
        {"Mae Jemison's mother", "Dorothy Jemison"},
        {"100 Year Starship", "100 Year Starship Project"},
        {"GPT-3", "GPT3"},
        {"GPT-4 dinner", "GPT-4 dinner at Bill Gates's house"},
    ]
    for names in one:
        assert len({resolution.entity(name) for name in names}) == 1, names
    people = [
        "Judy Estrin",
        "Gerald Estrin",
        "Judy Estrin's mother",
        "Mae Jemison",
        "Dorothy Jemison",
        "Bill",
        "Bill Gates",
    ]
    assert len({resolution.entity(name) for name in [*people, "MIT", "CSAIL", "GPT-4", "GPT-3"]}) == len(people) + 4
