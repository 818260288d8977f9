"""The command import microsoft: an output folder of Microsoft GraphRAG becomes a published generation of ours.

Everything that its indexer wrote is kept; what our tables need and it does not have (vocabulary, facts, key elements,
places of text units, reports on entities that it left outside) is made by our own stages, without a model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.columns import numbers, pairs, rows_of, whole
from pipeline.base.arrow.lists import members
from pipeline.base.ids import content_id
from pipeline.base.lock import only_writer
from pipeline.base.schema import (
    ALIASES,
    CALLS,
    CHUNKS,
    CLAIMS,
    COMMUNITIES,
    COMMUNITY_REPORTS,
    DOCUMENTS,
    ENTITIES,
    ENTITY_MENTIONS,
    FAILURES,
    RELATIONSHIP_MENTIONS,
    RELATIONSHIPS,
)
from pipeline.base.settings import Settings
from pipeline.base.storage.parquet import MemoryRows
from pipeline.base.store import Draft, Rows, Stage, Store, file_hash
from pipeline.base.table import Table
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import CORRECTIONS, SPLITS, Parts, Workflow
from pipeline.exchange.microsoft.chunks import Texts, read_texts
from pipeline.exchange.microsoft.communities import communities_table, read_tree
from pipeline.exchange.microsoft.folder import NEEDED, MicrosoftIndex, read_microsoft
from pipeline.exchange.microsoft.graph import by_number
from pipeline.exchange.microsoft.import_report import STAGE, ImportLog
from pipeline.exchange.microsoft.mentions import Mentions, claims_table, known_forms, read_claims
from pipeline.exchange.microsoft.reports import Became, Reports
from pipeline.graph.convert import entity_rows, first_documents, joined_names, relationship_rows
from pipeline.graph.merge import fold_title, merge_graph, names_to_entities, with_entity_titles
from pipeline.language.backends.embedder import Embedder
from pipeline.language.service import LanguageService
from pipeline.resolution.corrections import Corrections
from pipeline.retrieval.chunk_search import write_array_files


@dataclass(frozen=True)
class Stages:
    """The stages of ours that an import runs: each makes tables that Microsoft's index does not have."""

    vocabulary: Workflow
    names: Workflow
    facts: Workflow
    layout: Workflow
    reports: Workflow
    retrieval: Workflow
    vectors: Workflow


@dataclass(frozen=True)
class Imported:
    """The generation that was published and its status, rows by table, and what was left out or put otherwise, as lines."""

    generation: int
    status: str
    rows: dict[str, int]
    notes: list[str]


def read_microsoft_index(folder: Path) -> MicrosoftIndex:
    """Return an output folder of Microsoft GraphRAG that has texts; InputError otherwise."""
    return read_microsoft(folder, (*NEEDED, "documents", "text_units"))


def import_microsoft(
    folder: Path,
    store: Store,
    settings: Settings,
    tokenizer: Tokenizer,
    service: LanguageService,
    stages: Stages,
    embedder: Embedder | None = None,
    line: Callable[[str], None] = lambda line: None,
    corrections: Corrections | None = None,
    read: Callable[[Path], MicrosoftIndex] = read_microsoft_index,
) -> Imported:
    """Publish the index in ``folder``, as ``read`` brings it into this form, as the next generation of ``store``.

    ``service`` answers what the stages ask; ``embedder`` makes vectors anew (Microsoft's are not read); ``corrections`` of
    names are applied. Raises InputError
    where the folder cannot be read, StoreError or LockError where the store cannot be written; whatever happens, the
    last published generation stays as it is.
    """
    index = read(folder)
    files = sorted(path for path in (folder.iterdir() if folder.is_dir() else [folder]) if path.is_file())
    mark = content_id(*(part for path in files for part in (path.name, file_hash(path))))
    log = ImportLog(line)
    store.prepare()
    with only_writer(store.folder):
        draft = store.draft()
        corrections = corrections or Corrections()
        _Import(index, draft, _own_names(settings), tokenizer, service, embedder, corrections, log).run(stages)
        failures = FAILURES.rows(sorted({*log.rows, *service.ledger.failures}))
        draft.write((FAILURES, CALLS), iter([(FAILURES, failures), (CALLS, service.ledger.calls_table())]))
        failed = failures["kind"].to_pylist().count("failed")
        marks = {STAGE: Stage(fingerprint=mark, failed=failed)}
        status = "partial" if failed else "complete"
        write_array_files(draft, draft.path, None, line)
        generation = store.publish(
            draft, status, tokenizer.name, marks, settings.output.keep_generations, "", corrections.hash
        )
    rows = generation.manifest.rows
    return Imported(generation.manifest.generation, status, rows, log.lines())


class ImportedGraph(NamedTuple):
    """Entities and relationships as merged from mentions, and the row of ``entities`` of each folded title."""

    entities: pa.Table
    relationships: pa.Table
    number: dict[str, int]


class _Import:
    """One import in progress: what its steps share."""

    def __init__(
        self,
        index: MicrosoftIndex,
        draft: Draft,
        settings: Settings,
        tokenizer: Tokenizer,
        service: LanguageService,
        embedder: Embedder | None,
        corrections: Corrections,
        log: ImportLog,
    ) -> None:
        self.corrections = corrections
        self.index, self.draft, self.settings, self.log = index, draft, settings, log
        self.tokenizer, self.service, self.embedder = tokenizer, service, embedder

    def run(self, stages: Stages) -> None:
        """Write all tables, in the order in which they refer to each other."""
        texts = read_texts(self.index, self.settings.chunks, self.tokenizer, self.log)
        self._write((DOCUMENTS, texts.documents), (CHUNKS, texts.chunks))
        self._derive(stages.vocabulary)
        known = known_forms(self.draft.rows("vocabulary").table())
        mentions = Mentions(self.index, texts.chunk_of, known, self.log)
        claimed = read_claims(self.index, mentions, dict(rows_of(texts.chunks, "id", "text")))
        mentions.drop_unmentioned()
        graph = self._write_graph(mentions, texts, stages.names)
        titles = graph.entities["title"].to_pylist()
        chosen = {name: titles[row] for name, row in graph.number.items()}
        claims, claim_ids = claims_table(claimed, chosen, self.log)
        self._write((CLAIMS, claims))
        self._derive(stages.facts)
        self._write_reports(graph, claims, claim_ids, texts, stages.reports)
        self._derive(stages.layout)
        self._derive(stages.retrieval)
        self._derive(stages.vectors)

    def _write(self, *tables: tuple[Table, pa.Table]) -> None:
        self.draft.write([table for table, _ in tables], iter(tables))

    def _derive(self, stage: Workflow) -> None:
        self.draft.write(stage.writes, self._parts(stage, {}))

    def _parts(self, stage: Workflow, instead: Mapping[str, Rows]) -> Parts:
        """Run a stage over the draft's tables; ``instead`` replaces some of them."""
        sources = {CORRECTIONS: self.corrections, SPLITS: self.corrections.split}
        return stage.call(
            lambda read: (
                (instead.get(read.name) or self.draft.rows(read.name)) if isinstance(read, Table) else sources[read]
            ),
            self.settings,
            self.service,
            lambda table: None,
            {"tokenizer": self.tokenizer, "embedder": self.embedder, "notes": self.log},
        )

    def _write_graph(self, mentions: Mentions, texts: Texts, names: Workflow) -> ImportedGraph:
        """Merge the mentions as our own stages do, and write all five tables."""
        of_entities, of_edges = mentions.tables()
        self._write((ENTITY_MENTIONS, of_entities), (RELATIONSHIP_MENTIONS, of_edges))
        self.draft.write(names.writes, self._aliases(names, of_entities))
        aliases = self.draft.rows("aliases").table()
        entity_of = names_to_entities(aliases)
        of_entities = with_entity_titles(of_entities, ["title"], entity_of)
        of_edges = with_entity_titles(of_edges, ["source", "target"], entity_of)
        merged = merge_graph(of_entities, of_edges, texts.chunks["id"])
        entities = entity_rows(merged.entities, _joined(merged.entities), joined_names(aliases))
        relationships = relationship_rows(merged.relationships, _joined(merged.relationships))
        self._write((ENTITIES, entities))
        self._write((RELATIONSHIPS, relationships))
        number = {fold_title(title): i for i, title in enumerate(merged.entities["title"].to_pylist())}
        number |= {name: number[fold_title(title)] for name, title in entity_of.items() if fold_title(title) in number}
        return ImportedGraph(entities, relationships, number)

    def _aliases(self, names: Workflow, mentions: pa.Table) -> Parts:
        """Yield the table of aliases: what our own stage finds and, of an index that was exported from here, its own."""
        made = {row["name"]: row for _, part in self._parts(names, {}) for row in part.to_pylist()}
        titles = {fold_title(title) for title in mentions["title"].to_pylist()}
        for row in self.index["aliases"].to_pylist():
            known = fold_title(row["entity"] or "") in titles and fold_title(row["name"] or "") not in titles
            if known and row["name"] not in made and row["joined"]:
                made[row["name"]] = row
        columns = [column.name for column in ALIASES.columns]
        ordered = sorted(made.values(), key=lambda row: (row["entity"], row["name"]))
        yield ALIASES, ALIASES.rows([row[column] for column in columns] for row in ordered)

    def _write_reports(
        self, graph: ImportedGraph, claims: pa.Table, claim_ids: Mapping[str, str], texts: Texts, stage: Workflow
    ) -> None:
        """Write communities, and reports: Microsoft's, and where it has none, those of our own stage."""
        titles = rows_of(self.index["entities"], "id", "title")
        entity_of = {id: graph.number[fold_title(t)] for id, t in titles if fold_title(t or "") in graph.number}
        groups = first_documents(graph.entities, texts.chunks)
        tree = read_tree(
            self.index, entity_of, graph.entities, graph.relationships, groups, self.settings.communities, self.log
        )
        communities = communities_table(tree, graph.entities, graph.relationships)
        self._write((COMMUNITIES, communities))
        tables = {"entities": graph.entities, "relationships": graph.relationships, "claims": claims}
        became = _became(self.index, graph, claims, claim_ids, entity_of)
        reports = Reports(self.index, became, tree, tables | {"communities": communities}, self.tokenizer, self.log)
        kept = reports.table(self.index)
        there = pc.is_in(communities["community"], value_set=whole(kept["community"]))
        others = communities.filter(pc.invert(there))
        what = "without a report: written" if kept.num_rows else "were found, and reported on"
        self.log.count(f"communities {what} from their records", others.num_rows)
        own = self._parts(stage, _alone(others, tables)) if others.num_rows else iter(())
        found = pa.concat_tables([kept, *(part for _, part in own)]).sort_by(
            [("level", "ascending"), ("community", "ascending")]
        )
        self._write((COMMUNITY_REPORTS, found))


def _alone(communities: pa.Table, tables: Mapping[str, pa.Table]) -> dict[str, Rows]:
    """Return some communities as an index of their own: with their entities, and what lies among these."""
    entities = tables["entities"]
    entities = entities.filter(pc.is_in(entities["id"], value_set=pc.unique(members(communities["entity_ids"])[1])))
    titles = whole(entities["title"])
    edges, claims = tables["relationships"], tables["claims"]
    inside = pc.and_(*(pc.is_in(edges[end], value_set=titles) for end in ("source", "target")))
    about = pc.is_in(claims["subject"], value_set=titles)
    return {
        "communities": MemoryRows(COMMUNITIES, communities),
        "entities": MemoryRows(ENTITIES, entities),
        "relationships": MemoryRows(RELATIONSHIPS, edges.filter(inside)),
        "claims": MemoryRows(CLAIMS, claims.filter(about)),
    }


def _own_names(settings: Settings) -> Settings:
    """Return settings by which no names are joined but those that Microsoft's indexer joined, or corrections do."""
    return settings.model_copy(update={"names": settings.names.model_copy(update={"resolve": False})})


def _joined(merged: pa.Table) -> list[str]:
    return [" ".join(some) for some in merged["descriptions"].to_pylist()]


def _became(
    index: MicrosoftIndex,
    graph: ImportedGraph,
    claims: pa.Table,
    claim_ids: Mapping[str, str],
    entity_of: Mapping[str, int],
) -> Became:
    """Return which rows of ours Microsoft's numbers mean now."""
    n = graph.entities.num_rows
    own = [numbers(graph.relationships[end], graph.entities["title"]) for end in ("source", "target")]
    row_of = {key: row for row, key in enumerate(pairs(np.minimum(*own), np.maximum(*own), n).tolist())}
    edges = []
    for ends in rows_of(index["relationships"], "source", "target"):
        a, b = sorted(graph.number.get(fold_title(end or ""), -1) for end in ends)
        edges.append(row_of.get(a * n + b, -1) if a >= 0 else -1)
    claim_row = {id: row for row, id in enumerate(claims["id"].to_pylist())}
    entities = [entity_of.get(id, -1) for id in index["entities"]["id"].to_pylist()]
    claimed = [claim_row.get(claim_ids.get(id, ""), -1) for id in index["covariates"]["id"].to_pylist()]
    of_entities, of_edges, of_claims = (
        {number: rows[row] for number, row in by_number(index[name]).items()}
        for name, rows in (("entities", entities), ("relationships", edges), ("covariates", claimed))
    )
    return Became(of_entities, of_edges, of_claims, np.array(edges, np.int64))
