"""The report on a community of entities, from its records or from the reports on its parts (Edge et al. 2024, 3.1.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task, unchecked
from pipeline.graph.member_descriptions import APART
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.text.extraction.relations import states_nothing
from pipeline.text.summary import report as extractive
from pipeline.text.summary.quotable_sentences import REMEMBERED, sentence_spans
from pipeline.text.summary.report import Evidence


class WrittenFinding(BaseModel):
    """One finding of a report."""

    summary: str = Field(
        description="the finding in one sentence that names who and what it is about, with the date or number",
        min_length=1,
    )
    explanation: str = Field(
        description="what else the records hold on it, without repeating the finding: who says so, reasons, examples, numbers; "
        "one to five sentences, empty when there is nothing else"
    )
    citations: list[str] = Field(description="ids of the records that it rests on, such as e3, r12, c4, p1")


class WrittenReport(BaseModel):
    """A community report."""

    title: str = Field(description="short, specific: the names that matter most and what binds them", min_length=1)
    summary: str = Field(
        description="what it is about, what holds it together, and what is most worth knowing, in one to four sentences",
        min_length=1,
    )
    summary_citations: list[str] = Field(description="ids of the records that the summary rests on")
    rating: float = Field(
        description="importance in the corpus, from 0 to 10: 1 for a detail, 5 for what matters to one of its subjects, 10 for what a summary of all of it must name",
        ge=0,
        le=10,
    )
    rating_explanation: str = Field(description="one sentence that says why")
    findings: list[WrittenFinding] = Field(description="the findings, the most important first")


@dataclass(frozen=True)
class CommunityToReport(Request):
    """The records of a community, in order of weight, under short ids: e entities, r relationships, c claims, p reports.

    ``hub`` names the entity outside that most of them have to do with, if there is one.
    """

    records: tuple[Evidence, ...]
    hub: str = ""

    def shown(self, name: str) -> str:
        """Return the records as lines of id, name and text, and the hub as a line."""
        if name == "hub":
            return (
                f"Half of these or more are related to {self.hub}, on which there is another report.\n"
                if self.hub
                else ""
            )
        if name != "records":
            return super().shown(name)
        return "\n".join(record_line(record.id, record.title, record.text) for record in self.records)


def record_line(id: str, title: str, text: str) -> str:
    """Return one record as prompts show it; its length in tokens is what budgets count."""
    return f"[{id}] {title}: {text.replace(APART, ' ')}"


def offline(request: CommunityToReport) -> WrittenReport:
    """Return an extractive report: the sentences that say most, each with its record."""
    return _extracted(request, whole=False)


def all_records(request: CommunityToReport) -> WrittenReport:
    """Return an extractive report with all that few records say."""
    return _extracted(request, whole=True)


def _extracted(request: CommunityToReport, whole: bool) -> WrittenReport:
    written = extractive.write_report(_stating(request.records), whole)
    return unchecked(
        WrittenReport,
        title=written.title,
        summary=written.summary,
        summary_citations=list(written.summary_citations),
        rating=written.rating,
        rating_explanation=written.rating_explanation,
        findings=[
            unchecked(
                WrittenFinding, summary=found.summary, explanation=found.explanation, citations=list(found.citations)
            )
            for found in written.findings
        ],
    )


def _stating(records: Sequence[Evidence]) -> Sequence[Evidence]:
    """Return the records, of relationships with only what states something, which lists of who was present do not; a relationship of
    which nothing is left is left out where one is not."""
    kept: list[Evidence] = []
    for record in records:
        if record.kind != "relationship":
            kept.append(record)
            continue
        text = _stated(record.text)
        if text or not record.text:
            kept.append(record if text == record.text else record._replace(text=text))
    return kept if any(record.kind == "relationship" for record in kept) else records


@lru_cache(maxsize=REMEMBERED)
def _stated(text: str) -> str:
    """Return the sentences of a description that state something, the text as it is where all do."""
    said = [text[start:end] for start, end in sentence_spans(text)]
    stating = [sentence for sentence in said if not states_nothing(sentence)]
    return text if len(stating) == len(said) else APART.join(stating)


SYSTEM = f"""You write a report on entities that belong together. Others will answer questions about the whole corpus from your
report alone, often from a single finding of it, so each finding must be understood by itself: full names in place of "she" or
"the project", who says or does it, when, and the number or example that carries it.

You are given records, each with an id in square brackets: entities (e), relationships (r), claims (c), and reports on
parts of the group (p), whose findings are the group's own. Behind a claim stands in brackets when the text denies it or leaves
it open, with the text's words; where these plainly say what the claim says, go by them.
- Write a finding for each thing worth knowing: one or two where the records are few, up to ten where they are many. Never say
  the same in two findings, and leave out what tells nobody anything: courtesies, tastes and examples in passing.
- Rest every finding on the records that carry it, five at most, and cite their ids, only ids that are given. Of an entity, a
  relationship and a claim that say the same, cite the claim. Say nothing that no record says.
- Write about the world, never about records, reports or the group, nor about what they lack or how they are marked.
- Tell what is denied as denied, and what is expected, believed or guessed as the view of whoever does. Where records differ
  on something that matters, give both; pass over it otherwise. Use one name for what has several, the fullest.
- Where the material says that there is another report on somebody or something, mention that where a finding needs it, and make no
  finding that is about that alone.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """<material>
{hub}{records}
</material>

Write the report."""

write_report = Task("write_report", Prompt(SYSTEM, USER), CommunityToReport, WrittenReport, offline, fallback=True)
write_small_report = Task("write_small_report", None, CommunityToReport, WrittenReport, all_records, quick=True)
