"""Tuning: the same proposal for the same texts, fewer unwanted entities, and settings whose comments stay."""

import json
import re
import shutil
from pathlib import Path

import pytest

from pipeline.base.errors import BudgetError, SettingsError
from pipeline.base.settings import parse_settings, write_settings
from pipeline.language.tasks.indexing.extract_graph import Entity, Graph, Relationship
from pipeline.language.tasks.indexing.propose_settings import CorpusSample, GraphExample, ProposedSettings, check
from pipeline.runner.progress import Silent
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.runner.tuning.changes import default_prompt, edited
from pipeline.runner.tuning.phrases import is_common
from pipeline.runner.tuning.tune import estimate_tuning, tune
from pipeline.text.extraction.stop_phrases import StopPhrases
from tests.corpora import project
from tests.lookalike import LookAlike
from tests.paths import ROOT
from workflows.s30_extract_graph import without_stopped

TEXTS = {
    f"log-{number}.md": (
        f"# Entry {number}\n\nThis Bulletin is free for all. Ada Thorne met Harriet Loss in Leith. "
        f"They spoke of mole number {number}. Harriet Loss wrote to the Northern Dock Company.\n"
    )
    for number in range(1, 8)
}


@pytest.mark.parametrize(
    ("title", "stopped"), [("Stave Two", True), ("STAVE x", True), ("staves", False), ("A.I.", True), ("AXI.", False)]
)
def test_stop_phrases_mean_whole_titles_whatever_their_case(title: str, stopped: bool) -> None:
    assert StopPhrases(["stave *", "a.i.", " "]).stops(title) is stopped
    assert not StopPhrases([]).stops(title)


def test_stopped_phrases_are_no_entities_and_relate_nothing(tmp_path: Path) -> None:
    made = project(tmp_path, TEXTS, extraction={"stop_phrases": ["leith", "*bulletin"]})
    run_index(made)
    generation = made.store.open()
    titles = set(generation.table("entities")["title"].to_pylist())
    assert "Ada Thorne" in titles and not {"Leith", "Bulletin"} & titles
    ends = {
        *generation.table("relationships")["source"].to_pylist(),
        *generation.table("relationships")["target"].to_pylist(),
    }
    assert "Leith" not in ends


def test_a_model_that_names_a_stopped_phrase_is_not_heeded() -> None:
    entities = [Entity(title=title, type="PERSON", description="x") for title in ("Ada Thorne", "LEITH")]
    tie = Relationship(source="Ada Thorne", target="LEITH", description="was there", weight=5)
    left = without_stopped(Graph(entities=entities, relationships=[tie]), StopPhrases(["leith"]))
    assert [one.title for one in left.entities] == ["Ada Thorne"] and left.relationships == []


def test_the_same_texts_and_seed_give_the_same_proposal_whatever_the_order_of_files(tmp_path: Path) -> None:
    made = project(tmp_path / "a", TEXTS)
    other = project(tmp_path / "b", dict(reversed(TEXTS.items())))
    first, second = tune(made, 600, seed=7), tune(other, 600, seed=7)
    assert first.proposal == second.proposal and 0 < first.documents < len(TEXTS)
    assert first.by == "counting" and first.proposal.language == "en"


def test_what_is_proposed_is_a_diff_that_fits_and_can_be_written(tmp_path: Path) -> None:
    made = project(tmp_path, TEXTS)
    (tmp_path / "settings.yaml").write_text(write_settings())
    tuning = tune(made)
    assert tuning.changes.diff().startswith("--- settings.yaml\n+++ settings.yaml\n")
    assert "PERSON" in tuning.proposal.entity_types and tuning.proposal.stop_phrases
    written = tuning.changes.write(tmp_path)
    opened = Project.open(tmp_path)
    assert "settings.yaml" in written and opened.settings.extraction.stop_phrases == tuple(tuning.proposal.stop_phrases)
    kept = (tmp_path / "settings.yaml").read_text()
    assert len(re.findall("#", kept)) == write_settings().count("#"), "every comment is still there"
    run_index(opened)
    again = tune(opened)
    assert again.proposal == tuning.proposal, "what is stopped already is proposed as before"


PROTOCOLS = {
    f"protocol-{number}.md": (
        f"# Protocol {number}: Rinsing\n\nBy Dr. Ines Calloway of the Brandt Laboratory.\n\n"
        + "\n".join(f"Step {step}. Ines Calloway rinses glass number {step} at Marden." for step in range(1, 5))
        + f"\n\nThe Sutton P-3{number} broke. See Protocol {number % 4 + 1}. HeLa cells of lot {number} were lost.\n"
    )
    for number in range(1, 5)
}


def test_numbered_steps_are_no_entities_and_what_documents_are_called_by_is_not_stopped(tmp_path: Path) -> None:
    made = project(tmp_path, PROTOCOLS)
    stops = StopPhrases(tune(made).proposal.stop_phrases)
    run_index(made)
    titles = set(made.store.open().table("entities")["title"].to_pylist())
    assert all(stops.stops(f"Step {step}") or f"Step {step}" not in titles for step in range(1, 5))
    assert not any(stops.stops(f"Protocol {number}") for number in range(1, 5))


def test_names_of_several_words_are_kept_though_they_are_rare(tmp_path: Path) -> None:
    stops = StopPhrases(tune(project(tmp_path, PROTOCOLS)).proposal.stop_phrases)
    assert not any(stops.stops(name) for name in ("Sutton P-31", "HeLa cells", "Brandt Laboratory"))


@pytest.mark.parametrize(
    ("phrase", "common"), [("error rate", True), ("NASA astronaut", True), ("HeLa cells", False), ("Z80 chip", False)]
)
def test_a_phrase_is_common_without_a_name_or_behind_a_name_that_is_an_entity_by_itself(
    phrase: str, common: bool
) -> None:
    assert is_common(phrase, {"nasa"}) is common


def test_types_that_the_sample_shows_at_all_are_kept_in_a_small_one(tmp_path: Path) -> None:
    text = {"a.txt": "Ada Thorne met Harriet Loss in Leith. Harriet Loss lived in Leith with Ada Thorne.\n"}
    assert {"PERSON", "PLACE"} <= set(tune(project(tmp_path, text)).proposal.entity_types)


def test_examples_are_sentences_and_no_lists_of_recipients(tmp_path: Path) -> None:
    mails = {
        f"mail-{number}.txt": "To: Ada Thorne; Harriet Loss; Ada Thorne; Harriet Loss; Ada Thorne; Harriet Loss.\n\n"
        f"Ada Thorne wrote to Harriet Loss that the mole at Leith had held in storm number {number} of the winter.\n"
        for number in range(1, 4)
    }
    examples = tune(project(tmp_path, mails)).proposal.examples
    assert examples and all("wrote to Harriet Loss" in example for example in examples)


def test_a_project_that_names_its_files_and_columns_is_tuned_as_any_other(tmp_path: Path) -> None:
    rows = "".join(f'T-{n},"Ada Thorne met Harriet Loss in Leith, {n} times."\n' for n in range(1, 5))
    columns = {"patterns": ["*.csv"], "exclude": ["*.jsonl"], "text_column": "said", "id_column": "ticket"}
    made = project(tmp_path, {"log.csv": f"ticket,said\n{rows}"}, input=columns)
    assert "Ada Thorne" in tune(made).proposal.domain


def test_settings_keep_what_is_not_changed() -> None:
    before = write_settings()
    after = edited(before, {"graph": {"entity_types": ["A", "B"]}})
    changed = [(old, new) for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new]
    assert len(changed) == 1 and "entity_types: [A, B]" in changed[0][1]
    with pytest.raises(SettingsError, match="unknown key graph.kinds"):
        edited(before, {"graph": {"kinds": ["A"]}})


def test_a_model_is_asked_once_estimated_and_capped(tmp_path: Path) -> None:
    answer = {
        "domain": "logs of a harbour",
        "entity_types": ["Person", " harbour "],
        "claims": "Who built what.",
        "stop_phrases": ["Leith", "Nowhere"],
        "examples": [
            {
                "text": said,
                "entities": [{"title": "Ada Thorne", "type": kind, "description": "met Harriet Loss"}],
                "relationships": [],
            }
            for said, kind in (("Ada Thorne met Harriet Loss in Leith.", "Person"), ("Nobody came.", "Person"))
        ],
    }
    with LookAlike(lambda body: json.dumps(answer)) as server:
        models = {"m": {"model": "look-alike", "base_url": server.url, "price_in": 1.0, "price_out": 2.0}}
        made = project(tmp_path, TEXTS, models=models, language={"default": "m"})
        cost = estimate_tuning(made)
        assert cost.calls == 1 and cost.tokens_in > 300 and cost.cost and server.calls == 0
        with pytest.raises(BudgetError):
            tune(made.capped({"max_calls": 0}))
        said: list[str] = []
        watched = Silent()
        watched.line = said.append  # type: ignore[method-assign]
        tuning = tune(made, progress=watched)
        assert not said, "that the sample is read without a model is not said where one is asked"
        assert tuning.by == "look-alike" and tuning.proposal.entity_types == ("PERSON", "HARBOUR")
        assert list(tuning.proposal.stop_phrases) == ["Leith"] and "logs of a harbour" in tuning.changes.diff()
        (example,) = tuning.proposal.examples
        assert "Ada Thorne (PERSON: met Harriet Loss)" in example and example in tuning.changes.diff().replace(
            "\n+", "\n"
        )
        assert tune(made).usage["cached"] == 1 and server.calls == 1


def test_no_sentence_that_a_model_is_shown_for_an_example_breaks_off(tmp_path: Path) -> None:
    said = (
        "Ada Thorne met Harriet Loss in Leith, where the mole of the Northern Dock Company was built in those years. "
    )
    with LookAlike(lambda body: "{}") as server:
        models = {"m": {"model": "look-alike", "base_url": server.url, "max_attempts": 1}}
        made = project(
            tmp_path, {"log.txt": said * 30}, models=models, language={"default": "m"}, chunks={"size": 1000}
        )
        assert tune(made).by == "counting", "a reply that does not fit leaves what was counted"
    excerpts = server.asked[0]["messages"][1]["content"].partition("Excerpts:\n")[2].partition("\n\nNames")[0]
    ends = [excerpt.rstrip()[-6:] for excerpt in excerpts.split("\n\n")]
    assert ends == ["years."]


def test_a_proposal_without_types_or_with_examples_none_of_which_holds_is_refused() -> None:
    request = CorpusSample("corpus", "Ada Thorne\nmet nobody.", (), "")
    given = ProposedSettings(domain="", entity_types=[" "], claims="", stop_phrases=[], examples=[])
    with pytest.raises(ValueError, match="no type"):
        check(request, given)
    ada = Entity(title="Ada Thorne", type="PERSON", description="met nobody")
    alone = Relationship(source="Ada Thorne", target="Leith", description="lived there", weight=1)
    example = GraphExample(text="Ada Thorne met nobody.", entities=[ada], relationships=[])
    persons = given.model_copy(update={"entity_types": ["person"], "examples": [example]})
    assert check(request, persons).examples == [example]
    for wrong in (
        example.model_copy(update={"text": "Ada met nobody."}),
        example.model_copy(update={"entities": [ada.model_copy(update={"type": "SHIP"})]}),
        example.model_copy(update={"relationships": [alone]}),
    ):
        with pytest.raises(ValueError, match="no example"):
            check(request, persons.model_copy(update={"examples": [wrong]}))


def test_the_prompt_that_is_tuned_is_the_one_that_extraction_uses(tmp_path: Path) -> None:
    made = project(tmp_path, TEXTS, extraction={"one_pass": True})
    assert "prompts/extract_all.txt" in tune(made).changes.files


def test_the_default_prompt_of_a_task_is_printed_as_an_own_one_is_written() -> None:
    assert "{text}" in default_prompt("extract_graph") and "\n---\n" in default_prompt("extract_graph")
    with pytest.raises(SettingsError, match="did you mean write_report"):
        default_prompt("write_raport")


GOLD = ROOT.parent / "shared" / "data" / "interviews" / "output"


@pytest.mark.skipif(not GOLD.exists(), reason="the interviews are not in ../shared/data")
def test_on_interviews_the_share_of_wanted_entities_rises_above_two_in_three(tmp_path: Path) -> None:
    """Wanted is what a language model found in four transcripts."""
    import pyarrow.parquet as parquet

    from benchmarks.entity_recall import key

    for row in parquet.read_table(GOLD / "documents.parquet", columns=["source", "text"]).to_pylist():
        path = tmp_path / "input" / Path(row["source"]).name
        path.parent.mkdir(exist_ok=True)
        path.write_text(row["text"], encoding="utf-8")
    theirs = parquet.read_table(GOLD / "entities.parquet", columns=["title", "aliases"]).to_pylist()
    wanted = {key(form) for row in theirs for form in (row["title"], *row["aliases"])}

    def share(made: Project) -> float:
        run_index(made)
        rows = made.store.open().table("entities", ["title", "aliases"]).to_pylist()
        right = [any(key(form) in wanted for form in (row["title"], *row["aliases"])) for row in rows]
        return 100 * sum(right) / len(right)

    before = Project(tmp_path, parse_settings({}))
    stops = list(tune(before).proposal.stop_phrases)
    after = Project(tmp_path, parse_settings({"extraction": {"stop_phrases": stops}, "output": {"folder": "tuned"}}))
    assert share(after) > max(share(before) + 1, 68)
    shutil.rmtree(tmp_path / "tuned")
