"""From a statement of a community report back to the words of a chunk: report, finding, cited rows, chunks, sentence."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from pipeline.base.store import Rows
from pipeline.query.evidence.citations import Place, nearest_sentence, place_sentence

CHUNKS_LOOKED_AT = 40
"""Chunks of one statement that are searched for its words."""


class ReportSources:
    """Resolves statements of reports. A sentence that a chunk says in the same words is found there; one that a model
    put in its own words is followed to the closest sentence of the chunks behind the rows that its finding cites.
    """

    def __init__(
        self,
        reports: dict[int, dict[str, Any]],
        communities: Rows,
        entities: Rows,
        relationships: Rows,
        claims: Rows,
        chunks: Rows,
    ) -> None:
        self._reports, self._communities, self._chunks = reports, communities, chunks
        self._tables = (entities, relationships, claims)

    def place(self, communities: Sequence[int], statement: str) -> Place | None:
        """Return the passage that a statement of these communities' reports rests on; None when there is none."""
        cited = [id for number in communities for id in self._cited(self._reports[number], statement)]
        texts = self._texts(cited)
        exact = place_sentence(statement, texts)
        if exact:
            return exact
        wider = self._texts(id for number in communities for id in self._community_chunks.get(number, ()))
        return place_sentence(statement, wider) or nearest_sentence(statement, texts or wider)

    def of(self, community: int) -> Callable[[str], Place | None]:
        """Return what finds the passage behind a sentence that cites the report of a community."""
        return lambda sentence: self.place([community], sentence)

    def _cited(self, report: dict[str, Any], statement: str) -> list[str]:
        """Return the chunks behind the rows that the finding with the statement cites, of child reports theirs."""
        said = [(report["summary"], report["summary_citations"])]
        said += [
            (f"{finding['explanation']} {finding['summary']}", finding["citations"]) for finding in report["findings"]
        ]
        chunks: list[str] = []
        for text, citations in said:
            for id in citations if statement in text else ():
                child = self._by_report_id.get(id)
                chunks += self._cited(child, statement) if child else self._chunks_of.get(id, [])
        return chunks

    def _texts(self, ids: Iterable[str]) -> list[tuple[str, str]]:
        wanted = list(dict.fromkeys(ids))[:CHUNKS_LOOKED_AT]
        rows = self._chunks.by_id(wanted, ["text"])
        return [(id, rows[id]["text"]) for id in wanted if id in rows]

    @cached_property
    def _by_report_id(self) -> dict[str, dict[str, Any]]:
        return {report["id"]: report for report in self._reports.values()}

    @cached_property
    def _community_chunks(self) -> dict[int, list[str]]:
        table = self._communities.table(["community", "chunk_ids"]).to_pydict()
        return dict(zip(table["community"], table["chunk_ids"], strict=True))

    @cached_property
    def _chunks_of(self) -> dict[str, list[str]]:
        entities, relationships, claims = self._tables
        found: dict[str, list[str]] = {}
        for rows in (entities, relationships):
            table = rows.table(["id", "chunk_ids"]).to_pydict()
            found |= zip(table["id"], table["chunk_ids"], strict=True)
        table = claims.table(["id", "chunk_id"]).to_pydict()
        return found | {id: [chunk] for id, chunk in zip(table["id"], table["chunk_id"], strict=True)}
