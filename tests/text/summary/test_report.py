"""Reports: what is in them, that every sentence is quoted from the evidence, and that they read as prose."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.graph.member_descriptions import APART
from pipeline.language.tasks.indexing.write_report import CommunityToReport, offline, record_line
from pipeline.text.sentences import split
from pipeline.text.summary.report import EMPTY, Evidence, Report, write_report

SAID = {
    "Joan of Arc": "Joan of Arc led French soldiers in the last phase of the Hundred Years' War.",
    "Orléans": "Orléans was besieged by the English from October 1428.",
    "Charles VII": "Charles VII was crowned at Reims on 17 July 1429, while the English still held Paris.",
    "Pierre Cauchon": "Pierre Cauchon presided over the trial of Joan of Arc at Rouen.",
    "Rouen": "Rouen was the centre of English rule in Normandy.",
    "banner": "She carried a banner of white cloth.",
}
CONNECTED = {
    (
        "Joan of Arc",
        "Orléans",
    ): "Joan of Arc lifted the siege of Orléans in May 1429, which changed the course of the war.",
    ("Joan of Arc", "Rouen"): "Joan of Arc was burned at Rouen on 30 May 1431.",
    ("Charles VII", "Joan of Arc"): "Charles VII did not ransom Joan of Arc.",
    ("Joan of Arc", "Pierre Cauchon"): "Pierre Cauchon presided over the trial of Joan of Arc at Rouen.",
}


def evidence() -> list[Evidence]:
    rows = [Evidence(f"e{i}", "entity", name, text, 6 - i) for i, (name, text) in enumerate(SAID.items(), 1)]
    rows += [
        Evidence(f"r{i}", "relationship", f"{source} - {target}", text, 5)
        for i, ((source, target), text) in enumerate(CONNECTED.items(), 1)
    ]
    claim = 'Joan of Arc may have been born in 1412. (left open: "She may have been born in 1412")'
    return [*rows, Evidence("c1", "claim", "Joan of Arc", claim, 1)]


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


def test_the_title_names_what_is_central() -> None:
    title = write_report(evidence()).title
    assert title.startswith("Joan of Arc")
    assert " and " in title


def test_no_name_in_the_title_holds_another() -> None:
    rows = [
        Evidence("e1", "entity", "Orléans", "Orléans is a city on the river Loire.", 3),
        Evidence("e2", "entity", "Siege of Orléans", "The Siege of Orléans ended in May 1429.", 2),
        Evidence("e3", "entity", "La Hire", "La Hire fought beside Joan of Arc at Orléans.", 1),
    ]
    assert write_report(rows).title == "Orléans and La Hire"


def test_every_sentence_is_quoted_and_its_row_cited() -> None:
    report = write_report(evidence())
    texts = {row.id: row.text for row in evidence()}
    for finding in report.findings:
        cited = " ".join(texts[id] for id in finding.citations)
        assert all(sentence in cited for sentence in sentences(finding.explanation))
    cited = " ".join(texts[id] for id in report.summary_citations)
    assert all(sentence in cited for sentence in sentences(report.summary))


def test_a_sentence_that_two_rows_state_cites_both() -> None:
    report = write_report(evidence())
    citations = [finding.citations for finding in report.findings if "Cauchon presided" in finding.explanation]
    citations += [report.summary_citations] if "Cauchon presided" in report.summary else []
    assert {"e4", "r4"} <= set(citations[0])


def test_no_sentence_is_repeated_and_none_begins_with_a_pronoun() -> None:
    report = write_report(evidence())
    said = sentences(report.summary) + [s for finding in report.findings for s in sentences(finding.explanation)]
    assert len(set(said)) == len(said)
    assert not any(sentence.startswith(("She ", "He ", "It ")) for sentence in said)


def test_there_are_three_to_eight_findings_with_headlines_of_their_own() -> None:
    report = write_report(evidence())
    headlines = [finding.summary for finding in report.findings]
    assert 3 <= len(headlines) <= 8
    assert len(set(headlines)) == len(headlines)
    assert not any(headline.endswith(".") for headline in headlines)


def test_a_headline_is_the_main_clause_where_it_is_short_enough() -> None:
    row = Evidence("r1", "relationship", "Joan of Arc - Orléans", CONNECTED["Joan of Arc", "Orléans"], 1)
    assert write_report([row]).findings[0].summary == "Joan of Arc lifted the siege of Orléans in May 1429"


def test_the_rating_grows_with_the_community_and_says_why() -> None:
    small, large = write_report(evidence()[:1]), write_report(evidence())
    assert 0 < small.rating < large.rating < 10
    assert small.rating_explanation == "Rated 0.5 of 10 for its size: 1 entity."
    assert "6 entities, 4 relationships and 1 claim" in large.rating_explanation


def test_one_row_is_enough_and_none_is_said_to_be_none() -> None:
    report = write_report(evidence()[:1])
    assert (report.title, report.summary) == ("Joan of Arc", SAID["Joan of Arc"])
    assert report.findings[0].citations == ("e1",)
    assert write_report([]) == EMPTY


def test_rows_without_text_give_a_report_that_says_so() -> None:
    report = write_report([Evidence("e1", "entity", "Orléans", "", 1)])
    assert (report.title, report.summary, report.findings) == (
        "Orléans",
        "The texts say nothing more about Orléans.",
        (),
    )


def test_where_no_sentence_stands_alone_the_name_goes_before_it() -> None:
    report = write_report([Evidence("e1", "entity", "banner", SAID["banner"], 1)])
    assert report.summary == "Banner: She carried a banner of white cloth."


def test_reports_on_parts_are_quoted_without_their_headings() -> None:
    text = "# Joan of Arc and Rouen\n\nJoan of Arc was burned at Rouen.\n\n## Trial\n\nPierre Cauchon led the trial at Rouen."
    report = write_report([Evidence("p1", "report", "Joan of Arc and Rouen", text, 1)])
    assert report.title in ("Joan of Arc and Rouen", "Rouen and Joan of Arc")
    assert "#" not in report.summary
    assert "Trial" not in report.summary.split()


def test_other_scripts_have_reports() -> None:
    rows = [
        Evidence("e1", "entity", "贞德", "贞德于1412年出生在栋雷米村。", 3),
        Evidence("e2", "entity", "查理七世", "查理七世于1429年在兰斯加冕。", 2),
    ]
    report = write_report(rows)
    assert report.title == "贞德、查理七世"
    assert report.summary in ("贞德于1412年出生在栋雷米村。", "查理七世于1429年在兰斯加冕。")


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.builds(
            Evidence,
            st.integers(1, 30).map(lambda number: f"e{number}"),
            st.sampled_from(["entity", "relationship", "claim", "report"]),
            st.text(max_size=15) | st.sampled_from(list(SAID)),
            st.text(max_size=60) | st.sampled_from([*SAID.values(), *CONNECTED.values()]),
            st.floats(),
        ),
        max_size=12,
    )
)
def test_any_evidence_gives_a_report_that_cites_only_it(rows: list[Evidence]) -> None:
    report = write_report(rows)
    assert isinstance(report, Report)
    assert report == write_report(rows)
    assert report.title
    assert report.summary
    assert 0 <= report.rating <= 10
    known = {row.id for row in rows}
    assert set(report.summary_citations) <= known
    for finding in report.findings:
        assert finding.summary
        assert finding.explanation
        assert finding.citations
        assert set(finding.citations) <= known


def test_a_denied_claim_is_quoted_in_the_words_that_deny_it() -> None:
    claim = 'Joan of Arc was a queen. (denied: "Joan of Arc was never a queen of any country.")'
    report = write_report([Evidence("c1", "claim", "Joan of Arc", claim, 1)])
    said = " ".join([report.summary, *(finding.explanation for finding in report.findings)])
    assert "never a queen" in said and "was a queen. (" not in said


def test_the_report_on_few_records_holds_all_that_they_say_by_what_they_are_about() -> None:
    rows = [
        Evidence("e1", "entity", "Dune", "Novel by Ada Thorne, which Otto Pell read twice.", 3),
        Evidence("e2", "entity", "Ada Thorne", "Author of Dune. She keeps bees.", 2),
        Evidence("r1", "relationship", "Ada Thorne - Dune", "Ada Thorne wrote it at Carrow.", 2),
        Evidence("c1", "claim", "Dune", 'Otto Pell did not finish Dune. (denied: "he did in the end")', 1),
        Evidence("c2", "claim", "Dune", "Otto Pell read Dune.", 1),
        Evidence("c3", "claim", "Dune", "Dune was printed at Carrow in 1871.", 1),
    ]
    report = write_report(rows, whole=True)
    said = " ".join([report.summary, *(finding.explanation for finding in report.findings)])
    for words in (
        "Ada Thorne: She keeps bees.",
        "wrote it at Carrow",
        "printed at Carrow in 1871",
        "Novel by Ada Thorne",
    ):
        assert said.count(words) == 1, words
    assert 'did not finish Dune (denied: "he did in the end").' in said
    assert {finding.summary for finding in report.findings} <= {"Dune", "Ada Thorne"}
    cited = {*report.summary_citations, *(id for finding in report.findings for id in finding.citations)}
    assert cited == {row.id for row in rows}


def test_a_description_that_does_not_name_what_it_describes_is_quoted_behind_its_name() -> None:
    rows = [Evidence("e1", "entity", "Ada Thorne", "Author of the novel Dune.", 2)]
    assert write_report(rows).summary == "Ada Thorne: Author of the novel Dune."


def test_descriptions_of_one_entity_are_sentences_apart_and_shown_to_people_with_a_space() -> None:
    hall, walls = "The hall of Carrow was built by Ole Strand jr.", "iPads hang on the walls of the hall of Carrow now."
    sign = "[10:12] The hall of Carrow is closed on Mondays."
    text = APART.join([sign, hall, walls])
    written = write_report([Evidence("e1", "entity", "Hall of Carrow", text, 1)], whole=True)
    quoted = written.summary + " ".join(found.explanation for found in written.findings)
    assert hall in quoted and f"{hall} {walls}" not in quoted and f"Hall of Carrow: {walls}" in quoted
    assert sign.partition("] ")[2] in quoted
    assert record_line("e1", "Hall", text) == f"[e1] Hall: {sign} {hall} {walls}"


def test_a_list_of_who_was_present_is_in_no_report_where_a_relationship_states_something() -> None:
    listed = Evidence(
        "r1", "relationship", "Ada Thorne and Mary Voss", "Present: Ada Thorne, Ben Okar, Mary Voss.", 3.0
    )
    stated = Evidence(
        "r2", "relationship", "Ada Thorne and Ben Okar", "Ada Thorne demanded damages of Ben Okar for the roof.", 1.0
    )
    report = offline(CommunityToReport("1", (listed, stated)))
    assert "Present" not in report.summary and "r1" not in report.summary_citations
    assert "Present" in offline(CommunityToReport("1", (listed,))).summary
