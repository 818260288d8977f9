"""Reports of Microsoft GraphRAG as reports of ours: their words kept, their citations followed to rows."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.columns import IntArray, numbers, rows_of
from pipeline.base.ids import content_id
from pipeline.base.schema import COMMUNITY_REPORTS
from pipeline.base.tokens import Tokenizer
from pipeline.exchange.microsoft.citations import Citation, cited, without_citations
from pipeline.exchange.microsoft.communities import Tree
from pipeline.exchange.microsoft.folder import MicrosoftIndex
from pipeline.exchange.microsoft.graph import graph_of, shown_edges
from pipeline.exchange.microsoft.import_report import ImportLog


class Became(NamedTuple):
    """What Microsoft's rows became: by their number in citations, rows of our tables; -1 for none."""

    entities: Mapping[int, int]
    relationships: Mapping[int, int]
    claims: Mapping[int, int]
    edge_of: IntArray
    """For each of Microsoft's relationships, in the order of its table, the row of ours."""


class Reports:
    """Makes the rows of reports; made once the tables that they cite exist."""

    def __init__(
        self,
        index: MicrosoftIndex,
        became: Became,
        tree: Tree,
        tables: Mapping[str, pa.Table],
        tokenizer: Tokenizer,
        log: ImportLog,
    ) -> None:
        self.became, self.tree, self.tokenizer, self.log = became, tree, tokenizer, log
        entities, edges, claims, communities = (
            tables[name] for name in ("entities", "relationships", "claims", "communities")
        )
        self.ids = {"entities": entities["id"].to_pylist(), "relationships": edges["id"].to_pylist()}
        self.ids["claims"] = claims["id"].to_pylist()
        self.ends = [numbers(edges[end], entities["title"]) for end in ("source", "target")]
        self.subject = numbers(claims["subject"], entities["title"])
        self.community_id = dict(rows_of(communities, "community", "id"))
        self.level = dict(rows_of(communities, "community", "level"))
        self.owned = {number: set(ids) for number, ids in rows_of(communities, "community", "relationship_ids")}
        self.shown = self._shown(index)
        self.report_id: dict[int, str] = {}

    def table(self, index: MicrosoftIndex) -> pa.Table:
        """Return the reports, by level and number; one on a community that is not there is logged and left out."""
        found: dict[int, dict[str, Any]] = {}
        for report in index["community_reports"].to_pylist():
            number = report["community"]
            if number not in self.community_id:
                self.log.skip(f"report on {number}", "reports on communities without a member: left out")
            elif number in found:
                self.log.skip(f"report on {number}", "second reports on a community: left out")
            else:
                found[number] = report
        contents = {number: _content(report) for number, report in found.items()}
        self.report_id = {n: content_id("report", self.community_id[n], content) for n, content in contents.items()}
        ordered = sorted(found, key=lambda number: (self.level[number], number))
        rows = [self._row(number, found[number], contents[number]) for number in ordered]
        return COMMUNITY_REPORTS.rows([row[column.name] for column in COMMUNITY_REPORTS.columns] for row in rows)

    def _row(self, number: int, report: Mapping[str, Any], content: str) -> dict[str, object]:
        findings = [
            {
                "summary": without_citations(finding["summary"]),
                "explanation": without_citations(finding["explanation"]),
                "citations": self._resolved(number, finding["summary"] + finding["explanation"]),
            }
            for finding in report["findings"] or ()
        ]
        used = {c.number for c in cited(report["full_content"] or "") if c.kind == "reports"}
        children = sorted(child for child in used if self.tree.parent.get(child) == number and child in self.report_id)
        rank = float(report["rank"] or 0.0)
        why = report["rating_explanation"] or report["rank_explanation"] or ""
        return {
            "id": self.report_id[number],
            "community": number,
            "level": self.level[number],
            "title": report["title"] or f"Community {number}",
            "summary": without_citations(report["summary"] or ""),
            "summary_citations": self._resolved(number, report["summary"] or ""),
            "findings": findings,
            "rank": rank if math.isfinite(rank) else 0.0,
            "rank_explanation": without_citations(why),
            "full_content": content,
            "n_tokens": self.tokenizer.count(content),
            "written_by": "model",
            "edges_owned": len(self.owned[number]),
            "edges_shown": len(self.shown.get(number, set()) & self.owned[number]),
            "children_used": children,
        }

    def _resolved(self, community: int, text: str) -> list[str]:
        """Return the rows that a finding cites and that lie in its community; others are counted."""
        found: dict[str, None] = {}
        for citation in cited(text):
            id, state = self._followed(citation, community)
            self.log.count(f"citations {state}: left out", state != "")
            if id and not state:
                found[id] = None
        return list(found)

    def _followed(self, citation: Citation, community: int) -> tuple[str, str]:
        """Return the cited row's id, and what is wrong with the citation, "" for nothing."""
        if citation.kind == "reports":
            inside = self.tree.parent.get(citation.number) == community
            return self.report_id.get(citation.number, ""), "" if inside else "of rows outside the community"
        if citation.kind not in self.ids:
            return "", f"of {citation.kind}, which reports of ours do not cite"
        row = getattr(self.became, citation.kind).get(citation.number, -1)
        if row < 0:
            return "", "of rows that are not there"
        labels = self.tree.labels[self.level[community]]
        if citation.kind == "relationships":
            inside = all(labels[end[row]] == community for end in self.ends)
        else:
            inside = labels[row if citation.kind == "entities" else self.subject[row]] == community
        return self.ids[citation.kind][row], "" if inside else "of rows outside the community"

    def _shown(self, index: MicrosoftIndex) -> dict[int, set[str]]:
        """Return for each community the relationships of ours in its report's context, before any cut."""
        rows, edges = np.divmod(shown_edges(graph_of(index.tables)).shown, max(len(self.became.edge_of), 1))
        numbers_of = index["communities"]["community"].to_pylist()
        found: dict[int, set[str]] = {}
        for row, edge in zip(rows.tolist(), self.became.edge_of[edges].tolist(), strict=True):
            if edge >= 0:
                found.setdefault(numbers_of[row], set()).add(self.ids["relationships"][edge])
        return found


def _content(report: Mapping[str, Any]) -> str:
    """Return a report's text as it is, without the numbers that it cites: they mean nothing in our tables."""
    return without_citations(report["full_content"] or "")
