"""Basic and entity search: one context, one answer; shares of the context heeded, sources that hold, invention removed."""

from pathlib import Path

import pytest

from pipeline.base.settings import parse_settings
from pipeline.base.task import Failure, Prose
from pipeline.language.tasks.search.answer_from_passages import PassagesToAnswer
from pipeline.query.evidence.cited_context import Offered
from pipeline.query.evidence.entity_context import TOKENS, gather
from pipeline.query.evidence.entity_linker import link, read
from pipeline.query.evidence.question_entities import near_entities, question_entities
from pipeline.query.index import Index
from pipeline.query.opened import OpenedTables
from pipeline.runner.run import run_index
from pipeline.text.question.reading import read_question
from tests.corpora import project
from tests.query_cases import BATTLES, WEATHER, ask, check_answer, check_unanswered, faults, plainly, sample

METHODS = ("basic", "entity")


@pytest.mark.parametrize("method", METHODS)
def test_lost_battles_are_answered_with_their_sources(method: str) -> None:
    answer = plainly(BATTLES, method)
    check_answer(answer)
    assert answer.supported and not answer.unsupported_sentences and 2 <= len(answer.sources) <= 6
    assert "Paris" in answer.text and "La Charité-sur-Loire" in answer.text
    assert answer == plainly(BATTLES, method)


@pytest.mark.parametrize("method", METHODS)
def test_what_the_corpus_does_not_hold_is_not_answered(method: str) -> None:
    answer = plainly(WEATHER, method)
    check_unanswered(answer)


@pytest.mark.parametrize("method", METHODS)
def test_invented_ids_never_reach_a_reader(method: str) -> None:
    said = "The assault on Paris failed. [c1][c999] Joan of Arc flew to the moon. [z9] She won nothing [12]."
    answer, _ = ask(BATTLES, method, {"answer_from_passages": lambda request: Prose(text=said)})
    check_answer(answer)
    assert answer.removed_citations == 3
    assert answer.unsupported_sentences == ("Joan of Arc flew to the moon.", "She won nothing.")


@pytest.mark.parametrize("method", METHODS)
def test_an_answer_without_any_source_is_not_supported(method: str) -> None:
    answer, _ = ask(
        BATTLES, method, {"answer_from_passages": lambda request: Prose(text="Joan of Arc lost at Waterloo.")}
    )
    check_unanswered(answer)


@pytest.mark.parametrize("method", METHODS)
def test_one_call_is_made_within_the_context_and_its_failure_is_reported(method: str) -> None:
    answer, backend = ask(
        BATTLES, method, {"answer_from_passages": lambda request: Failure("away")}, context_tokens=1600
    )
    ((name, asked),) = backend.asked
    assert name == "answer_from_passages" and isinstance(asked, PassagesToAnswer)
    assert sum(TOKENS.counts([passage.text for passage in asked.passages])) <= 1600
    assert answer.supported and answer.coverage.description.startswith("partial: ")
    assert "the model failed: away" in answer.coverage.description


@pytest.mark.parametrize("method", METHODS)
def test_a_fifth_of_faults_still_gives_an_answer(method: str) -> None:
    for salt in "abc":
        answer, _ = ask(BATTLES, method, faults(salt))
        check_answer(answer)
        assert answer.supported


def test_a_question_without_any_hit_asks_nobody() -> None:
    answer, backend = ask("Xyzzy qwrtp?", "basic")
    assert not backend.asked and answer.outcome == "nothing" and not answer.closest
    assert answer.missing == ("Xyzzy", "qwrtp") and all(word in answer.text for word in answer.missing)


def test_the_shares_of_the_context_are_heeded_and_what_one_kind_leaves_the_next_uses() -> None:
    generation = Index.open(sample()).generation
    names = (
        "chunks",
        "facts",
        "key_elements",
        "entities",
        "relationships",
        "claims",
        "communities",
        "community_reports",
        "documents",
    )
    tables = {name: generation.rows(name) for name in names}
    finder = OpenedTables(generation).finder
    hits = finder.find([BATTLES], 10)[0]
    found = question_entities(read(BATTLES, tables["entities"], finder), hits, tables["entities"], 10)
    for chunk_share, report_share in ((0.5, 0.15), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)):
        shares = {"chunk_share": chunk_share, "report_share": report_share, "context_tokens": 2000}
        context = gather(found, hits, tables, parse_settings({"search": shares}).search, Offered())
        total = sum(TOKENS.counts([f"{one.title} {one.text}" for one in context.passages]))
        assert total <= 2000 + 600 * (chunk_share + report_share in (0.0, 1.0))
        assert bool(context.counts["reports"]) == (report_share > 0)
        assert bool(context.counts["relationships"]) == (chunk_share < 1)
    assert len({one.id for one in context.passages}) == len(context.passages)


def test_shares_beyond_the_whole_are_refused() -> None:
    from pipeline.base.errors import SettingsError

    with pytest.raises(SettingsError, match="more than the whole"):
        parse_settings({"search": {"chunk_share": 0.9, "report_share": 0.2}})


def test_entities_are_recognised_by_title_and_alias_in_any_case_the_longest_first() -> None:
    entities = Index.open(sample()).generation.rows("entities")
    found = link("did joan of arc meet Philip the Good's envoys at Arras?", entities)
    assert [one.title for one in found if one.title[:1].isupper()] == ["Joan of Arc", "Philip the Good", "Arras"]
    assert {one.written for one in found} >= {"joan of arc", "Philip the Good", "Arras"}
    assert not link("", entities)


def test_neighbours_are_names_of_the_index() -> None:
    generation = Index.open(sample()).generation
    named = link(BATTLES, generation.rows("entities"))
    near = near_entities(read_question(BATTLES, named), generation.rows("relationships"), 5)
    titles = set(generation.table("entities")["title"].to_pylist())
    assert len(near) == 5 and set(near) <= titles and "Joan of Arc" not in near
    assert near_entities(read_question("Who?"), generation.rows("relationships"), 5) == ()


def test_a_claim_is_followed_to_its_quote() -> None:
    said = Prose(text="Joan of Arc was captured. [a1]")
    answer, _ = ask("Where was Joan of Arc captured?", "entity", {"answer_from_passages": lambda request: said})
    claims = Index.open(sample()).claims
    assert answer.sources[0].quote in set(claims.quote)


@pytest.mark.parametrize("method", ["basic", "local", "entity", "auto"])
def test_a_question_by_another_name_of_an_entity_is_answered_as_by_its_own(method: str) -> None:
    answer, _ = ask("When was Saint Joan born?", method)
    assert "1412" in answer.text and "Joan of Arc" in answer.text + " ".join(one.quote for one in answer.sources)


@pytest.mark.parametrize("method", METHODS)
def test_an_acronym_is_what_its_letters_stand_for_where_only_one_name_has_them(method: str, tmp_path: Path) -> None:
    opened = project(
        tmp_path,
        {
            "june.txt": "The committee will be asked at the AGM why the roof was mended by a firm from Leith. It rained in June.",
            "november.txt": "The Annual General Meeting of the theatre will be on 7 December. The Annual General Meeting ends with pies.",
            "staff.txt": "Alan Gerald Moore paints the scenery. Alan Gerald Moore has done so for years, whatever the play is.",
        },
    )
    run_index(opened)
    answer = Index.open(opened.store.folder).ask("When is the AGM?", method)
    assert answer.text.startswith("The Annual General Meeting of the theatre will be on 7 December.")


def test_each_sentence_of_an_item_however_short_has_its_own_source(tmp_path: Path) -> None:
    minutes = "# Протокол\n\n1. Насос куплен 11 июня за 88 300 рублей.\n2. Воду отключаем 12 октября. Сбор металлолома 21 сентября.\n"
    made = project(tmp_path, {"minutes.md": minutes})
    run_index(made)
    answer = Index.open(made.store.folder).ask("когда отключат воду", "basic")
    assert answer.supported and not answer.unsupported_sentences
    assert any(source.quote.endswith("Воду отключаем 12 октября.") for source in answer.sources)
