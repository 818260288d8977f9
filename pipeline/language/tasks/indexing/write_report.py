"""The report on a community of entities, from its records or from the reports on its parts (Edge et al. 2024, 3.1.4)."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.text.summary import report as extractive
from pipeline.text.summary.report import Evidence


class Finding(BaseModel):
    """One finding of a report."""

    summary: str = Field(description="the finding in one short sentence", min_length=1)
    explanation: str = Field(description="two to five sentences that explain it from the records")
    citations: list[str] = Field(description="ids of the records that it rests on, such as e3, r12, c4, p1")


class Report(BaseModel):
    """A community report."""

    title: str = Field(description="short, specific, with the names that matter most", min_length=1)
    summary: str = Field(
        description="what the community is, what holds it together, what is worth knowing", min_length=1
    )
    summary_citations: list[str] = Field(description="ids of the records that the summary rests on")
    rating: float = Field(description="importance of the community in the corpus, from 0 to 10", ge=0, le=10)
    rating_explanation: str = Field(description="one sentence that says why")
    findings: list[Finding] = Field(description="three to ten findings, the most important first")


@dataclass(frozen=True)
class Community(Request):
    """The records of a community, in order of weight, under short ids: e entities, r relationships, c claims, p reports."""

    records: tuple[Evidence, ...]

    def shown(self, name: str) -> str:
        """Return the records as lines of id, name and text."""
        if name != "records":
            return super().shown(name)
        return "\n".join(record_line(record.id, record.title, record.text) for record in self.records)


def record_line(id: str, title: str, text: str) -> str:
    """Return one record as prompts show it; its length in tokens is what budgets count."""
    return f"[{id}] {title}: {text}"


def offline(request: Community) -> Report:
    """Return an extractive report: the sentences that say most, each with its record."""
    written = extractive.write_report(request.records)
    return Report(
        title=written.title,
        summary=written.summary,
        summary_citations=list(written.summary_citations),
        rating=written.rating,
        rating_explanation=written.rating_explanation,
        findings=[
            Finding(summary=found.summary, explanation=found.explanation, citations=list(found.citations))
            for found in written.findings
        ],
    )


SYSTEM = f"""You write a report on a community: a group of entities that belong together. Others will answer questions
about the whole corpus from your report alone, so say what matters, precisely, with names, dates and numbers.

You are given records, each with an id in square brackets: entities (e), relationships (r), claims (c), and reports on
parts of the community (p). Rest every finding on records and cite their ids, only ids that are given. Claim nothing that
no record says. Weigh claims that contradict each other and say that they do.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """<material>
{records}
</material>

Write the report."""

write_report = Task("write_report", Prompt(SYSTEM, USER), Community, Report, offline, fallback=True)
write_small_report = Task("write_small_report", None, Community, Report, offline)
