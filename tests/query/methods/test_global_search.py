"""Global search: by level or by rating, bounded and counted beforehand; failures lower the coverage, which says so."""

import re
import time
from pathlib import Path

import pytest

from pipeline.base.errors import QuestionError
from pipeline.base.settings import SearchSettings, parse_settings
from pipeline.base.task import Failure, Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.map_reports import FindingShown, Point, Points, ReportShown, ReportsToMap
from pipeline.language.tasks.search.rate_reports import Rating, Ratings, ReportsToRate, ReportToRate, check, offline
from pipeline.language.tasks.search.reduce_points import PointsToReduce, ThemeShown, reduce_points
from pipeline.query.answer import Answer, Trace
from pipeline.query.evidence.report_sources import FindingKey, ReportSources
from pipeline.query.index import Index
from pipeline.query.method import SearchCall
from pipeline.query.methods.dynamic_selection import ReportSelection, select_reports
from pipeline.query.methods.effort import CommunityTree
from pipeline.query.methods.global_search import LEAST_WORDS
from pipeline.query.methods.report_batches import bounded_batches
from pipeline.query.model_requests import WAVE, Deadline
from pipeline.runner.run import run_index
from pipeline.text.question.reading import read_question
from tests.corpora import indexed, project
from tests.query_cases import WEATHER, ask, check_answer, check_unanswered, faults, plainly, sample
from tests.scripted_backend import ScriptedBackend

THEMES = "What are the main themes?"
DETAIL = "Did the Duke of Alençon and Joan of Arc ever fight together again?"
WHO_HELD = "Who held La Charité-sur-Loire?"


def calls(answer: Answer) -> int:
    return sum(int(step.data.get("calls", 0)) for step in answer.steps)


def select(question: str, script: object = None, deadline: Deadline | None = None, **search: object) -> ReportSelection:
    generation = Index.open(sample()).generation
    reports = {row["community"]: row for row in generation.table("community_reports").to_pylist()}
    backend = ScriptedBackend({"rate_reports": script} if script else {})  # type: ignore[dict-item]
    settings = parse_settings({"search": {"level": "dynamic", **search}}).search
    service, clock = LanguageService(OfflineBackend(), Ledger(), backend), deadline or Deadline(None)
    tables, finder = {"communities": generation.rows("communities")}, Index.open(sample()).finder()
    call = SearchCall(read_question(question), tables, finder, settings, service, Trace())
    return select_reports(call, reports, clock)


@pytest.mark.parametrize("level", [None, 0, 1, "dynamic"])
def test_themes_are_answered_with_sources_at_every_level(level: int | str | None) -> None:
    answer = plainly(THEMES, "global", level=level)
    check_answer(answer)
    assert answer.supported and len(answer.sources) >= 4 and not answer.unsupported_sentences
    assert answer.coverage.share == 1


@pytest.mark.parametrize("level", [None, "dynamic"])
def test_what_the_corpus_does_not_hold_is_not_answered(level: str | None) -> None:
    answer = plainly(WEATHER, "global", level=level)
    check_unanswered(answer)


def test_a_question_on_the_whole_keeps_the_top_level() -> None:
    assert {report["level"] for report in select(THEMES).reports} == {0}


def test_a_question_on_a_detail_goes_down_to_where_it_is_said() -> None:
    answer = plainly(DETAIL, "global", level="dynamic")
    assert "never fought together again" in answer.text
    assert max(report["level"] for report in select(DETAIL).reports) > 0
    assert len(select(DETAIL).reports) < len(select(THEMES).reports)


def test_where_no_part_is_rated_higher_the_report_above_is_kept() -> None:
    def same(request: ReportsToRate) -> Ratings:
        return Ratings(ratings=[Rating(id=report.id, rating=3) for report in request.reports])

    assert {report["level"] for report in select(WHO_HELD, same).reports} == {0}


def test_parts_that_are_rated_higher_take_the_place_of_the_report_above() -> None:
    def deeper(request: ReportsToRate) -> Ratings:
        level = int(request.item.split()[1])
        return Ratings(ratings=[Rating(id=report.id, rating=min(2 + level, 4)) for report in request.reports])

    chosen = select(WHO_HELD, deeper).reports
    numbers = {report["community"] for report in chosen}
    rows = Index.open(sample()).generation.table("communities").to_pylist()
    above = {row["parent"] for row in rows if row["community"] in numbers}
    assert max(report["level"] for report in chosen) >= 2 and not above & numbers


def test_a_full_answer_is_not_looked_below() -> None:
    asked = []

    def full(request: ReportsToRate) -> Ratings:
        asked.append(request.item)
        return Ratings(ratings=[Rating(id=report.id, rating=5) for report in request.reports])

    select(WHO_HELD, full)
    assert {item.split()[1] for item in asked} == {"0"}


def test_where_nothing_at_the_top_is_relevant_its_parts_are_rated() -> None:
    def below(request: ReportsToRate) -> Ratings:
        rating = 3 if request.item.startswith("level 1") else 0
        return Ratings(ratings=[Rating(id=report.id, rating=rating) for report in request.reports])

    assert {report["level"] for report in select(WHO_HELD, below).reports} == {1}


def test_reports_that_could_not_be_rated_are_read_all_the_same_and_counted() -> None:
    selection = select(THEMES, lambda request: Failure("away"))
    assert selection.unrated == len(selection.reports) > 0 and "could not be rated" in selection.description


def test_ratings_take_at_most_half_of_the_calls() -> None:
    asked = []

    def low(request: ReportsToRate) -> Ratings:
        asked.append(request.item)
        return Ratings(ratings=[Rating(id=report.id, rating=0) for report in request.reports])

    select(THEMES, low, max_map_calls=6, context_tokens=400)
    assert len(asked) == 3


def test_a_rating_for_every_report_and_no_other_is_asked_for() -> None:
    reports = tuple(ReportToRate(f"r{i}", "t", 5.0, "text") for i in (1, 2))
    asked = ReportsToRate("x", THEMES, reports)
    kept = check(asked, Ratings(ratings=[Rating(id=i, rating=n) for i, n in (("[r2]", 1), ("r1", 4), ("r9", 5))]))
    assert [(one.id, one.rating) for one in kept.ratings] == [("r1", 4), ("r2", 1)]
    with pytest.raises(ValueError, match="r2"):
        check(asked, Ratings(ratings=[Rating(id="r1", rating=3)]))


def test_ratings_without_a_model_lie_in_their_range_and_fall_with_the_words_shared() -> None:
    texts = ("The storm broke the mole of Carrow.", "The storm was long.", "Nothing.")
    reports = tuple(ReportToRate(f"r{i}", "t", 9.0, text) for i, text in enumerate(texts))
    ratings = [
        one.rating for one in offline(ReportsToRate("x", "Which storm broke the mole of Carrow?", reports)).ratings
    ]
    assert ratings == sorted(ratings, reverse=True) and ratings[0] == 5 and ratings[-1] == 0


def test_map_calls_are_bounded_and_counted_beforehand() -> None:
    answer, backend = ask(THEMES, "global", level=1, context_tokens=400, max_map_calls=4)
    maps = [ask for name, ask in backend.asked if name == "map_reports"]
    assert len(maps) == 4 and calls(answer) == 5
    assert 0 < answer.coverage.share < 1 and answer.coverage.description.startswith("partial: ")
    check_answer(answer)


def test_the_most_important_reports_are_read_when_calls_are_short() -> None:
    reports = [{"id": str(i), "rank": float(i), "n_tokens": 100} for i in range(50)]
    settings = SearchSettings(context_tokens=200, max_map_calls=3)
    batches = bounded_batches(reports, settings)
    assert len(batches) <= 3
    assert {report["rank"] for batch in batches for report in batch} == set(range(44, 50))


def test_a_failed_batch_lowers_the_coverage_and_is_in_the_trace() -> None:
    def fail(request: ReportsToMap) -> Failure | None:
        return Failure("away") if request.item == "batch 2" else None

    answer, _ = ask(THEMES, "global", {"map_reports": fail}, context_tokens=1500)
    assert answer.supported and 0 < answer.coverage.share < 1
    assert any(step.data.get("failed") and "batch 2" in step.detail for step in answer.steps)


def test_when_every_batch_fails_the_reports_are_read_without_a_model_and_the_coverage_says_so() -> None:
    answer, _ = ask(
        THEMES, "global", {name: lambda request: Failure("away") for name in ("map_reports", "reduce_points")}
    )
    assert answer.supported and answer.coverage.share == 0
    assert "read without a model because it answered for none of them" in answer.coverage.description
    check_answer(answer)


def test_past_the_deadline_what_was_read_by_then_is_answered_from_and_labelled() -> None:
    def slow(request: ReportsToMap) -> None:
        time.sleep(0.1)

    answer, backend = ask(THEMES, "global", {"map_reports": slow}, level=1, context_tokens=100, max_seconds=3)
    maps = sum(name == "map_reports" for name, _ in backend.asked)
    assert maps == WAVE and answer.supported
    assert 0 < answer.coverage.share < 1 and answer.coverage.description.startswith("partial: ")
    assert any(step.name == "deadline" for step in answer.steps)
    check_answer(answer)


@pytest.mark.parametrize("level", [None, "dynamic"])
@pytest.mark.parametrize("salt", "abc")
def test_a_fifth_of_faults_still_gives_an_answer_that_states_its_coverage(level: str | None, salt: str) -> None:
    answer, backend = ask(THEMES, "global", faults(salt), level=level, context_tokens=400)
    check_answer(answer)
    failed = sum(bool(step.data.get("failed")) for step in answer.steps)
    assert answer.supported and (answer.coverage.share < 1) == bool(failed)
    assert answer.coverage.description.startswith("partial: ") == (answer.coverage.share < 1)
    assert len(backend.asked) <= 61


def test_reports_and_points_that_were_not_offered_are_removed_and_counted() -> None:
    def invent(request: ReportsToMap) -> Points:
        known = Point(description="Joan of Arc was captured outside Compiègne.", score=90, findings=["r1.1", "r999.1"])
        return Points(points=[known, Point(description="The moon landed.", score=99, findings=["r777"])])

    said = Prose(text="Joan of Arc was captured outside Compiègne. [p1] The moon landed. [p99] So it was [7].")
    answer, backend = ask(THEMES, "global", {"map_reports": invent, "reduce_points": lambda request: said})
    maps = sum(name == "map_reports" for name, _ in backend.asked)
    assert answer.removed_citations == 2 * maps + 2
    assert re.fullmatch(
        r"Joan of Arc was captured outside Compiègne\. \[1\](\[2\])?(\[3\])? The moon landed\. So it was\.", answer.text
    )
    assert answer.unsupported_sentences == ("The moon landed.", "So it was.")


def top_reports() -> list[dict[str, int]]:
    rows = Index.open(sample()).generation.table("community_reports").to_pylist()
    return [row for row in rows if row["level"] == 0]


def reading(**search: object) -> list[ReportsToMap]:
    _, backend = ask(THEMES, "global", **search)
    return [asked for _, asked in backend.asked if isinstance(asked, ReportsToMap)]


def test_more_effort_reads_more_reports_and_never_the_same_content_at_two_levels() -> None:
    generation = Index.open(sample()).generation
    reports = {row["community"]: row for row in generation.table("community_reports").to_pylist()}
    rows = {row["community"]: row for row in generation.table("communities").to_pylist()}
    sizes = []
    for budget in (1, 300, 1200, 2400, 10**6):
        chosen = CommunityTree(generation.rows("communities"), reports).within(budget)
        entities = [id for number in chosen for id in rows[number]["entity_ids"]]
        assert len(entities) == len(set(entities))
        assert len(chosen) == 1 or sum(reports[number]["n_tokens"] for number in chosen) <= budget
        sizes.append(len(entities))
    assert sizes == sorted(sizes) and sizes[-1] == len(generation.table("entities"))
    assert all(not rows[number]["children"] for number in chosen), "the finest cut holds leaves alone"
    assert sum(len(one.reports) for one in reading(effort="low")) <= sum(len(one.reports) for one in reading())


def test_calls_and_tokens_are_said_before_anybody_is_asked() -> None:
    answer, backend = ask(THEMES, "global")
    first = answer.steps[0]
    assert first.data["calls"] == len(backend.asked)
    assert first.data["tokens_in"] > sum(report["n_tokens"] for report in top_reports()) and first.data["tokens_out"]


def test_maps_are_shown_documents_by_title_and_date_and_findings_by_their_own_ids() -> None:
    shown = reading()[0]
    reports, documents = shown.shown("reports"), shown.shown("documents")
    first = shown.reports[0]
    assert f"[{first.id}] {first.title} (from d" in reports and f"[{first.findings[0].id}] " in reports
    assert documents.startswith("d1: ")


def test_a_finding_is_shown_with_the_line_that_names_its_subject() -> None:
    finding = FindingShown("r1.1", "Ada Thorne built the mole.", "She says so in her diary.")
    whole = FindingShown("r1.2", "The mole broke.", "The mole broke in 1901, in a storm.")
    asked = ReportsToMap("x", THEMES, (), (ReportShown("r1", "Carrow", 5.0, "", "A port.", (finding, whole)),))
    assert asked.shown("reports").splitlines() == [
        "[r1] Carrow: A port.",
        "[r1.1] Ada Thorne built the mole. She says so in her diary.",
        "[r1.2] The mole broke in 1901, in a storm.",
    ]


def test_of_a_summary_a_map_is_shown_what_the_findings_do_not_say() -> None:
    findings = (
        FindingShown("r1.1", "Ada Thorne built the mole in 1871.", ""),
        FindingShown("r1.2", "The storm of 1874 broke the mole.", ""),
    )

    def opening(summary: str) -> str:
        return ReportShown("r1", "Carrow", 5.0, "d1", summary, findings).as_section().splitlines()[0]

    repeated = "Ada Thorne built the mole. The storm of 1874 broke it."
    assert opening(repeated) == "[r1] Carrow (from d1)"
    for more in (
        "Nobody built the mole again.",
        "The storm of 1875 broke the mole.",
        "Edwin Marsh built the mole.",
    ):
        assert opening(f"{repeated} {more}") == f"[r1] Carrow (from d1): {more}"


def test_what_a_point_rests_on_for_sure_are_the_words_that_the_claims_of_its_findings_quote() -> None:
    index = Index.open(sample())
    names = ("community_reports", "communities", "entities", "relationships", "claims", "chunks")
    sources = ReportSources({name: index.generation.rows(name) for name in names})
    claims = index.claims.set_index("id")
    texts = dict(zip(index.chunks.id, index.chunks.text, strict=True))
    quoted = 0
    for report in sources.reports.values():
        for number, finding in enumerate(report["findings"], 1):
            cited = [id for id in dict.fromkeys(finding["citations"]) if id in claims.index]
            ground = sources.ground("A point.", [FindingKey(report["community"], number)])
            said = [texts[place.chunk_id][place.start : place.end] for place in ground.passages]
            assert said == list(dict.fromkeys(claims.quote[id] for id in cited))
            assert {place.chunk_id for place in ground.passages} <= set(ground.chunk_ids)
            quoted += len(said)
    assert quoted > 10


def test_the_answer_is_asked_for_no_more_words_than_its_points_hold_and_in_the_form_wanted() -> None:
    def short(request: ReportsToMap) -> Points:
        return Points(points=[Point(description=f"In {request.item} Joan won.", score=90, findings=["r1"])])

    _, backend = ask(THEMES, "global", {"map_reports": short}, form="one sentence")
    reduced = next(asked for name, asked in backend.asked if isinstance(asked, PointsToReduce))
    assert reduced.n_words == LEAST_WORDS and reduced.form == "one sentence"


def test_without_a_model_themes_are_named_with_how_often_they_recur_and_shown_in_the_words_of_their_sources() -> None:
    answer = plainly(THEMES, "global")
    headings = re.findall(r"^\*\*(.+?)\*\*$", answer.text, re.MULTILINE)
    counted = re.findall(r"^\*\*(.+?)\*\* \(in \d+ of 18 documents\b.*\)$", answer.text_with_notes, re.MULTILINE)
    assert len(headings) >= 5 and counted == headings
    assert answer.text in answer.to_dict()["text"] and "of 18" not in answer.text and "of 18" in str(answer)
    words = re.sub(r" \[\d+\]", "", answer.text)
    for source in answer.sources:
        assert " ".join(source.quote.split()) in words
    assert "- **" in plainly(THEMES, "global", form="list").text
    assert "\n" not in plainly(THEMES, "global", form="one sentence").text


@pytest.mark.parametrize("question", [THEMES, "What is this about?", "Fasse alles zusammen"])
def test_where_no_theme_recurs_a_question_on_the_whole_is_answered_with_what_each_text_says(
    tmp_path: Path, question: str
) -> None:
    texts = {"ferry.md": "# Ferry\n\nThe boat reached port at noon.\n", "rye.txt": "A baker sells bread.\n"}
    answer = Index.open(indexed(tmp_path, texts).store.folder).ask(question)
    assert "**Ferry**\nThe boat reached port at noon. [1]" in answer.text and "A baker sells bread. [2]" in answer.text
    assert answer.outcome == "answered" and answer.coverage.description == "rests on 2 documents of 2"


def test_a_sentence_that_ends_in_no_mark_does_not_run_into_the_next_one() -> None:
    whole = ThemeShown("Bells", (("Nobody in his dressing-gown against", "t1"), ("He wore his dressing-gown.", "t2")))
    reply = reduce_points.offline(PointsToReduce("answer", THEMES, (), "paragraphs", 100, (whole,)))
    assert reply.text == "**Bells**\nNobody in his dressing-gown against [t1]\n\nHe wore his dressing-gown. [t2]"


def test_what_comes_up_again_and_again_is_asked_of_all_texts_where_few_name_its_kind() -> None:
    answer = plainly("Which problems come up again and again?", "global")
    assert len(re.findall(r"^\*\*.+?\*\*$", answer.text, re.MULTILINE)) >= 5


def test_a_question_on_one_thing_is_answered_in_the_words_of_the_sources() -> None:
    answer = plainly(WHO_HELD, "global")
    assert answer.text_with_notes == answer.text and all(
        " ".join(source.quote.split()) in answer.text for source in answer.sources
    )
    assert answer.text == plainly(WHO_HELD, "basic").text
    assert "closest to the question" in answer.coverage.description


def test_a_question_on_one_thing_that_no_passage_answers_is_not_answered_from_reports() -> None:
    answer = plainly("Who pays for the ink that Joan of Arc wrote with?", "global")
    assert answer.outcome == "closest" and answer.closest
    short = plainly("Who pays for the ink that Joan of Arc wrote with?", "global", form="one sentence")
    assert (short.outcome, short.text) == (answer.outcome, answer.text)


def test_in_one_sentence_the_first_one_of_the_sources_answers() -> None:
    answer = plainly(WHO_HELD, "global", form="one sentence")
    assert len(answer.sources) == 1 and "\n" not in answer.text
    assert plainly(WHO_HELD, "global").text.startswith(answer.text)


def test_a_name_that_is_misspelt_is_read_as_meant_in_a_question_on_the_whole_too() -> None:
    assert "Alençon" in plainly("Did the Duke of Alencon and Joan of Arc ever fight together again?", "global").text


def test_a_model_that_cites_a_theme_it_was_not_shown_cites_nothing() -> None:
    said = Prose(text="Joan of Arc was seen at Waterloo by Napoleon. [t1]")
    answer, _ = ask(THEMES, "global", {"reduce_points": lambda request: said})
    assert not answer.sources and answer.removed_citations == 1
    assert answer.outcome == "closest" and "Waterloo" not in answer.text  # what rests on nothing is no answer


def test_the_same_question_gives_the_same_answer() -> None:
    assert plainly(THEMES, "global", level="dynamic") == plainly(THEMES, "global", level="dynamic")


def test_footnotes_of_the_texts_are_no_citations_of_an_answer_on_all_of_them(tmp_path: Path) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness", "Tolsta", "Voe", "Uig", "Ardvar")
    texts = {
        f"{town}.txt": f"The ferry [{n + 71}] brought {n + 20} passengers to the pier [{n + 3}] of {town} in the storm."
        for n, town in enumerate(towns)
    }
    made = project(tmp_path, texts)
    run_index(made)
    answer = Index.open(made.store.folder).ask("What are the main themes?", "global")
    assert answer.removed_citations == 0 and answer.sources
    assert re.search("\\[\u2060\\d+\\]", answer.text)


def test_a_level_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(QuestionError, match=r"no report is of level 99") as error:
        plainly(THEMES, "global", level=99)
    assert error.value.why == "the levels are 0 to 3"
