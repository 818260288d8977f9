"""From a statement of a community report back to the words of a chunk: report, finding, cited rows, chunks, sentence."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from pipeline.base.store import Rows
from pipeline.query.answer import Ground, Place
from pipeline.query.evidence.citations import nearest_sentence, place_sentence
from pipeline.text.scripts import language_of
from pipeline.text.summary.findings import finding_text

CHUNKS_LOOKED_AT = 40
"""Chunks that are searched for the words of one sentence."""


class FindingKey(NamedTuple):
    """A finding of the report on a community: ``number`` counts from 1, 0 is the report's summary."""

    community: int
    number: int


class ReportSources:
    """Resolves what rests on findings of reports: finding, cited rows, chunks. A sentence that a chunk says in the same words
    is found there; another one is followed to the closest sentence of the chunks behind the findings it was written from.

    ``tables`` holds community_reports, communities, entities, relationships, claims and chunks by name.
    """

    def __init__(self, tables: Mapping[str, Rows]) -> None:
        self._tables, self._chunks = tables, tables["chunks"]
        self._reported: dict[int, tuple[str, ...]] = {}

    @cached_property
    def reports(self) -> dict[int, dict[str, Any]]:
        """The reports by their community."""
        return {report["community"]: report for report in self._tables["community_reports"].table().to_pylist()}

    def ground(self, text: str, findings: Sequence[FindingKey]) -> Ground:
        """Return a text that was written from these findings with the chunks behind the rows that they cite, each once, in the
        order of the findings, and the words that claims among these rows quote."""
        rows = dict.fromkeys(row for finding in findings for row in self._rows(*finding))
        quoted = (Place(*self._quoted[row]) for row in rows if row in self._quoted)
        return Ground(self._in_words_of_texts(text, findings), tuple(self._behind(findings)), tuple(quoted))

    def place(self, findings: Sequence[FindingKey], sentence: str) -> Place | None:
        """Return the passage that a sentence written from these findings rests on; None when there is none."""
        texts = self._texts(self._behind(findings))
        exact = place_sentence(sentence, texts)
        if exact:
            return exact
        wider = self._texts(
            dict.fromkeys(
                id
                for number in dict.fromkeys(key.community for key in findings)
                for id in self._community_chunks[number]
            )
        )
        said = self._in_words_of_texts(sentence, findings)
        return place_sentence(sentence, wider) or nearest_sentence(said, texts or wider)

    def _in_words_of_texts(self, text: str, findings: Sequence[FindingKey]) -> str:
        """Return what was written from findings; what they say instead where it is in another language than they are."""
        own = "\n".join(self._said(*finding) for finding in findings)
        return text if len({language_of(text), language_of(own)} - {"und"}) < 2 else own

    def _said(self, community: int, number: int) -> str:
        report = self.reports[community]
        finding = report["findings"][number - 1] if number else {"summary": report["summary"], "explanation": ""}
        return finding_text(finding["summary"], finding["explanation"])

    def of(self, community: int) -> Callable[[str], Place | None]:
        """Return what finds the passage behind a sentence that cites the report of a community as a whole."""

        def resolve(sentence: str) -> Place | None:
            report = self.reports[community]
            said = [report["summary"], *(f"{one['explanation']} {one['summary']}" for one in report["findings"])]
            own = [FindingKey(community, number) for number, text in enumerate(said) if sentence in text]
            return self.place(own or [FindingKey(community, number) for number in range(len(said))], sentence)

        return resolve

    def _behind(self, findings: Iterable[FindingKey]) -> Iterator[str]:
        """Yield the ids of the chunks behind some findings, each once, as far as they are wanted: a report on all has thousands
        behind it."""
        seen: set[str] = set()
        for finding in findings:
            for chunk in self._cited(*finding):
                if chunk not in seen:
                    seen.add(chunk)
                    yield chunk

    def _cited(self, community: int, number: int) -> Iterator[str]:
        """Yield the chunks behind the rows that a finding cites; of the report on a part, those behind all it says."""
        for row in self._rows(community, number):
            part = self._by_report_id.get(row)
            if part is None:
                yield from self._chunks_of.get(row, ())
            else:
                yield from self._behind_report(part["community"])

    def _rows(self, community: int, number: int) -> list[str]:
        """Return the ids of the rows that a finding cites."""
        report = self.reports[community]
        rows: list[str] = report["findings"][number - 1]["citations"] if number else report["summary_citations"]
        return rows

    def _behind_report(self, community: int) -> tuple[str, ...]:
        """Return the chunks behind all that a report says, which many sentences of the reports above it rest on."""
        found = self._reported.get(community)
        if found is None:
            every = range(len(self.reports[community]["findings"]) + 1)
            found = self._reported[community] = tuple(self._behind(FindingKey(community, number) for number in every))
        return found

    def _texts(self, ids: Iterable[str]) -> list[tuple[str, str]]:
        """Return the first of these chunks, which come each once, with their texts."""
        some = list(islice(ids, CHUNKS_LOOKED_AT))
        rows = self._chunks.by_id(some, ["text"])
        return [(id, rows[id]["text"]) for id in some if id in rows]

    @cached_property
    def _by_report_id(self) -> dict[str, dict[str, Any]]:
        return {report["id"]: report for report in self.reports.values()}

    @cached_property
    def _community_chunks(self) -> dict[int, list[str]]:
        return dict(self._tables["communities"].values("community", "chunk_ids"))

    @cached_property
    def _quoted(self) -> dict[str, tuple[str, int, int]]:
        """Where the words are that each claim quotes, by the claim's id: chunk, start, end."""
        rows = self._tables["claims"].values("id", "chunk_id", "start", "end")
        return {id: (chunk, start, end) for id, chunk, start, end in rows if start is not None}

    @cached_property
    def _chunks_of(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in ("entities", "relationships"):
            found |= self._tables[name].values("id", "chunk_ids")
        return found | {id: [chunk] for id, chunk in self._tables["claims"].values("id", "chunk_id")}


def report_text(report: Mapping[str, Any]) -> str:
    """Return a report as a prompt shows it: its summary, then its findings, a line each."""
    findings = (finding_text(finding["summary"], finding["explanation"]) for finding in report["findings"])
    return "\n".join([report["summary"], *findings])
