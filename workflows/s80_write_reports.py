"""Stage 80: a report on each community, strictly bottom-up: parents are written from what their children's reports say."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.base.ids import content_id
from pipeline.base.schema import COMMUNITY_REPORTS
from pipeline.base.settings import ReportSettings
from pipeline.base.store import Rows
from pipeline.base.task import unchecked
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Notes, Parts
from pipeline.graph.contexts import Context, build_contexts
from pipeline.language.language import Dialogue, Language, Reply
from pipeline.language.tasks.indexing.write_report import (
    CommunityToReport,
    WrittenFinding,
    WrittenReport,
    write_report,
    write_small_report,
)
from pipeline.text.inflection import in_number
from pipeline.text.summary.findings import report_markdown
from pipeline.text.summary.quotable_sentences import Evidence
from workflows.shared.report_records import Level, Shown, Written


def run(
    communities: Rows,
    entities: Rows,
    relationships: Rows,
    claims: Rows,
    entity_mentions: Rows,
    aliases: Rows,
    settings: ReportSettings,
    language: Language,
    tokenizer: Tokenizer,
    notes: Notes,
) -> Parts:
    """Write level by level from the leaves; a level begins when every report below it is there."""
    shown = Shown(communities, entities, relationships, claims, entity_mentions, aliases, tokenizer)
    below: dict[int, Written] = {}
    few: set[int] = set()
    parts = []
    removed = omitted = n_cut = 0
    for level in reversed(range(shown.n_levels)):
        here = shown.level(level)
        children = shown.children(level, here.elements, settings.context_tokens, below)
        contexts = list(build_contexts(here.elements, shown.labels[level], settings.context_tokens, children))
        omitted += sum(context.omitted for context in contexts)
        n_cut += sum(context.omitted > 0 for context in contexts)
        few_below, few = few, shown.few(level, here.elements, settings)
        heirs = {
            whole: below[part]
            for whole, part in shown.heirs(level, here.elements).items()
            if part in below and (part not in few_below or whole in few)
        }
        below, lost = _write_level(shown, here, contexts, heirs, below, level, few, language, tokenizer)
        removed += lost
        parts.append(
            COMMUNITY_REPORTS.rows(sorted((written.row for written in below.values()), key=lambda row: row[1]))
        )
    if omitted:
        notes.report(
            f"{in_number(omitted, 'record')} of {in_number(n_cut, 'community')} had no room in the contexts of their"
            f" reports (reports.context_tokens is {settings.context_tokens:,})"
        )
    if removed:
        notes.report(f"{removed} citations of records that were not offered: removed")
    for part in reversed(parts):
        yield COMMUNITY_REPORTS, part


def _write_level(
    shown: Shown,
    here: Level,
    contexts: Sequence[Context],
    heirs: dict[int, Written],
    below: dict[int, Written],
    level: int,
    few: set[int],
    language: Language,
    tokenizer: Tokenizer,
) -> tuple[dict[int, Written], int]:
    """Return the reports of one level by community, and how many citations were removed. Communities in ``heirs`` take over the report
    on their only part; those in ``few`` have so few records that theirs are written without a model."""
    own = [context for context in contexts if context.community not in heirs]

    def asked(context: Context, evidence: Sequence[Evidence], rows: dict[str, str]) -> Dialogue[_CitedReport | None]:
        number = context.community
        task = write_small_report if number in few else write_report
        reply = yield task, CommunityToReport(shown.ids[number], tuple(evidence), here.hubs.get(number, ""))
        if not isinstance(reply, Reply):
            return None
        report, n_removed = _with_row_ids(reply.value, rows)
        return _CitedReport(context, report, n_removed, reply.by)

    reports = [_taken_over(context, heirs[context.community]) for context in contexts if context.community in heirs]
    # Small and large ones in one go: the former are written here while the latter wait for workers or for a model.
    replies = language.dialogues((asked(*one) for one in here.evidence(own, below)), len(shown.sizes))
    reports += [reply for reply in replies if reply]
    return _written(shown.ids, level, reports, tokenizer), sum(one.n_removed for one in reports)


class _CitedReport(NamedTuple):
    """A report that cites rows of tables: what it is on, how many citations were removed from it, and who wrote it."""

    context: Context
    report: WrittenReport
    n_removed: int
    by: str


def _taken_over(context: Context, heir: Written) -> _CitedReport:
    taken = context._replace(edges_shown=heir.edges_shown, children_used=[heir.community])
    return _CitedReport(taken, heir.report, 0, heir.by)


def _with_row_ids(report: WrittenReport, rows: dict[str, str]) -> tuple[WrittenReport, int]:
    """Return the report with row ids in place of short ones, and how many citations named no record that was offered."""
    summary, lost = _known(report.summary_citations, rows)
    findings = []
    for finding in report.findings:
        known, unknown = _known(finding.citations, rows)
        lost += unknown
        findings.append(unchecked(WrittenFinding, **finding.__dict__ | {"citations": known}))
    return unchecked(WrittenReport, **report.__dict__ | {"findings": findings, "summary_citations": summary}), lost


def _known(citations: Sequence[str], rows: dict[str, str]) -> tuple[list[str], int]:
    """Return the row ids behind cited short ids, and how many of these were not offered."""
    cited = [id.strip("[] ") for id in citations]
    return [rows[id] for id in dict.fromkeys(cited) if id in rows], sum(id not in rows for id in cited)


def _written(
    ids: dict[int, str], level: int, reports: Sequence[_CitedReport], tokenizer: Tokenizer
) -> dict[int, Written]:
    """Return the reports by community; their tokens are counted all at once."""
    contents = [
        report_markdown(one.title, one.summary, ((f.summary, f.explanation) for f in one.findings))
        for one in (cited.report for cited in reports)
    ]
    lengths = tokenizer.counts(contents)
    written = {}
    for (context, report, _, by), content, length in zip(reports, contents, lengths, strict=True):
        row = (
            content_id("report", ids[context.community], content),
            context.community,
            level,
            report.title,
            report.summary,
            report.summary_citations,
            [finding.__dict__ for finding in report.findings],
            report.rating,
            report.rating_explanation,
            content,
            length,
            "offline" if by == "offline" else "model",
            context.edges_owned,
            context.edges_shown,
            context.children_used,
        )
        written[context.community] = Written(row, report, context.community, by, context.edges_shown)
    return written
