"""Looking at an index: its tables, and single rows with everything that is linked to them."""

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import typer

from pipeline.base.arrow.columns import whole
from pipeline.base.errors import QuestionError
from pipeline.base.schema import TABLES
from pipeline.base.store import Generation
from pipeline.base.tokens import choose
from pipeline.cli.bars import bars, histogram
from pipeline.cli.failed_items import named_items
from pipeline.cli.terminal import as_json, folded
from pipeline.language.ledger import FailureRow
from pipeline.runner.project import Project
from pipeline.runner.stage_notes import grouped
from pipeline.text.inflection import in_number
from pipeline.text.quotes import shorten

FIRST = 10
"""Rows of a list that a person is shown."""


def show_index(root: Path, what: str, name: str, json: bool) -> None:
    """Print one view of the index; QuestionError when the named row is not there."""
    view, text = VIEWS[what]
    project = Project.open(root)
    generation = project.store.open()
    value = view(generation, name)
    if what == "failures":
        value = value if json else {kind: _named(generation, rows) for kind, rows in value.items()}
        value |= {"not read": others} if (others := project.files_not_read()) and not name else {}
    typer.echo(as_json(value) if json else folded(text(value)))


def _tables(generation: Generation, name: str) -> dict[str, Any]:
    return {
        table: {"rows": entry.rows, "hash": entry.hash, "help": TABLES[table].help}
        for table, entry in generation.manifest.tables.items()
        if not name or name == table
    }


def _tables_text(value: dict[str, Any]) -> str:
    return "\n".join(f"{table:22} {entry['rows']:>10,}  {entry['help']}" for table, entry in value.items())


def _stats(generation: Generation, _: str) -> dict[str, Any]:
    tokenizer, _note = choose("auto", generation.manifest.tokenizer)
    facts = generation.table("facts", ["text"])["text"].to_pylist()
    sizes = tokenizer.counts(facts)
    order = sorted(range(len(facts)), key=lambda i: (sizes[i], facts[i]))
    levels = generation.table("communities", ["level"])["level"]
    return {
        "rows": generation.manifest.rows,
        "tokens_per_fact": sizes,
        "shortest_facts": [facts[i] for i in order[:3]],
        "longest_facts": [facts[i] for i in order[::-1][:3]],
        "key_elements": _most(generation, "key_elements", "frequency"),
        "entities": _most(generation, "entities", "degree"),
        "communities_per_level": {
            str(level["values"]): level["counts"]
            for level in sorted(pc.value_counts(levels).to_pylist(), key=lambda level: level["values"])
        },
    }


def _most(generation: Generation, table: str, by: str) -> dict[str, int]:
    rows = generation.table(table, ["title", by])
    best = rows.sort_by([(by, "descending"), ("title", "ascending")]).slice(0, FIRST)
    return dict(zip(best["title"].to_pylist(), best[by].to_pylist(), strict=True))


def _stats_text(value: dict[str, Any]) -> str:
    parts = [
        bars("Rows per table", list(value["rows"].items())),
        histogram("Tokens per fact", value["tokens_per_fact"], 10),
        "Shortest facts\n" + "\n".join(f"  {fact}" for fact in value["shortest_facts"]),
        "Longest facts\n" + "\n".join(f"  {shorten(fact, 200)}" for fact in value["longest_facts"]),
        bars("Key elements with most facts", list(value["key_elements"].items())),
        bars("Entities with most relationships", list(value["entities"].items())),
        bars("Communities per level", [(f"level {k}", v) for k, v in value["communities_per_level"].items()]),
    ]
    return "\n\n".join(parts)


def _entity(generation: Generation, name: str) -> dict[str, Any]:
    table = generation.table("entities")
    titled = pc.equal(pc.utf8_lower(table["title"]), name.lower())
    if not pc.any(titled).as_py():
        aliases = table["aliases"].to_pylist()
        titled = pa.array([name.lower() in map(str.lower, others) for others in aliases], pa.bool_())
    names = [*table["title"].to_pylist(), *(other for others in table["aliases"].to_pylist() for other in others)]
    row = _one(table, titled, "entity", name, names)
    edges = generation.table("relationships")
    either = pc.or_(pc.equal(edges["source"], row["title"]), pc.equal(edges["target"], row["title"]))
    claims = generation.table("claims")
    row["relationships"] = edges.filter(either).sort_by([("weight", "descending"), ("id", "ascending")]).to_pylist()
    row["claims"] = claims.filter(pc.equal(claims["subject"], row["title"])).to_pylist()
    communities = generation.table("communities", ["community", "level", "title", "entity_ids"]).to_pylist()
    reports = generation.table("community_reports", ["community", "title"]).to_pylist()
    titles = {report["community"]: report["title"] for report in reports if report["title"].strip()}
    row["communities"] = [
        {"community": c["community"], "level": c["level"], "title": titles.get(c["community"], c["title"])}
        for c in communities
        if row["id"] in c["entity_ids"]
    ]
    return row


def _entity_text(row: dict[str, Any]) -> str:
    kind = f" ({row['type']})" if row["type"] else ""
    counts = f"in {in_number(row['frequency'], 'chunk')}, {in_number(row['degree'], 'relationship')}"
    lines = [f"{row['title']}{kind}, {counts}"]
    if row["aliases"]:
        lines.append("also: " + ", ".join(row["aliases"]))
    lines += ["", row["description"]] if row["description"] else []
    lines += ["", "Relationships"] if row["relationships"] else []
    for edge in row["relationships"][:FIRST]:
        other = edge["target"] if edge["source"] == row["title"] else edge["source"]
        said = f": {shorten(edge['description'], 160)}" if edge["description"] else ""
        lines.append(f"  {other} ({edge['weight']:g}){said}")
    if row["claims"]:
        lines += ["", "Claims"] + [f"  {c['status']}: {shorten(c['description'], 160)}" for c in row["claims"][:FIRST]]
    lines += ["", "Communities"]
    lines += [f"  level {c['level']}: {c['community']} {c['title']}" for c in row["communities"]]
    return "\n".join(lines)


def _community(generation: Generation, name: str) -> dict[str, Any]:
    table = generation.table("communities")
    row = _one(table, pc.equal(table["community"].cast(pa.string()), name), "community", name, [])
    reports = generation.table("community_reports")
    found = reports.filter(pc.equal(reports["community"], row["community"])).to_pylist()
    row["report"] = found[0] if found else None
    entities = generation.table("entities", ["id", "title"])
    row["entities"] = entities.filter(pc.is_in(entities["id"], value_set=pa.array(row["entity_ids"])))[
        "title"
    ].to_pylist()
    return row


def _community_text(row: dict[str, Any]) -> str:
    parent = "none" if row["parent"] < 0 else row["parent"]
    kin = f"parent {parent}, children {', '.join(map(str, row['children'])) or 'none'}"
    lines = [f"community {row['community']}, level {row['level']}, {kin}", "members: " + ", ".join(row["entities"])]
    report = row["report"]
    if report:
        by = "without a model" if report["written_by"] == "offline" else f"by {report['written_by']}"
        shown = f"{report['edges_shown']} of {report['edges_owned']} relationships shown"
        lines += [
            "",
            f"report (importance {report['rank']:g}, {by}, {shown})",
            "",
            report["full_content"],
        ]
    return "\n".join(lines)


def _chunk(generation: Generation, name: str) -> dict[str, Any]:
    table = generation.table("chunks")
    row = _one(table, pc.starts_with(table["id"], name or "-"), "chunk", name, [])
    documents = generation.table("documents", ["id", "title", "source"])
    row["document"] = documents.filter(pc.equal(documents["id"], row["document_id"])).to_pylist()[0]
    for other in ("entities", "facts"):
        listed = generation.table(other, ["id", "chunk_ids", "title" if other == "entities" else "text"])
        parents = pc.list_parent_indices(whole(listed["chunk_ids"]))
        inside = pc.equal(whole(listed["chunk_ids"]).flatten(), row["id"])
        row[other] = listed.take(pc.unique(parents.filter(inside))).column(2).to_pylist()
    return row


def _chunk_text(row: dict[str, Any]) -> str:
    head = f"{row['document']['source']} {row['start']}-{row['end']}, chunk {row['position']}, {row['n_tokens']} tokens"
    entities = "entities: " + ", ".join(row["entities"])
    return "\n".join([head, row["anchor"], "", row["text"], "", entities, "facts:", *(f"  {f}" for f in row["facts"])])


def _duplicates(generation: Generation, name: str) -> dict[str, Any]:
    from pipeline.query.duplicates.duplicates import find_duplicates

    found = find_duplicates(generation)
    near = [[stretch._asdict() for stretch in pair] for pair in found.near]

    def about(documents: list[dict[str, Any]]) -> bool:
        return not name or any(
            name.casefold() in (one["file"].casefold(), one["title"].casefold()) for one in documents
        )

    return {
        "documents": found.n_documents,
        "copies": list(filter(about, found.copies)),
        "near": list(filter(about, near)),
    }


def _duplicates_text(value: dict[str, Any]) -> str:
    copies, near = value["copies"], value["near"]
    n_copies = sum(len(group) - 1 for group in copies)
    pairs = in_number(len(near), "pair")
    lines = [f"{in_number(value['documents'], 'document')}: {n_copies:,} copied, {pairs} with much text in common"]
    lines += ["", "Copies, word for word"] if copies else []
    lines += ["  " + " = ".join(_file_of(one, group) for one in group) for group in copies]
    lines += ["", "Share of the words of one that are in the other, and the longest passage they share"] if near else []
    for pair in near:
        sides = [
            f"{one['share']:.0%} of {_file_of(one, pair)}" + (f", {one['place']}" if one["place"] else "")
            for one in pair
        ]
        lines.append("  " + "; ".join(sides))
    if copies or near:
        lines += ["", "To leave a file out, name it under input.exclude in settings.yaml, and index again."]
    return "\n".join(lines)


def _failures(generation: Generation, name: str) -> dict[str, Any]:
    """All items, or those whose name, stage or kind is ``name``."""
    rows = generation.table("failures").to_pylist()
    about = [row for row in rows if not name or name in (row["item"], row["workflow"], row["kind"])]
    return {kind: [row for row in about if row["kind"] == kind] for kind in ("failed", "skipped")}


def _named(generation: Generation, rows: list[dict[str, Any]]) -> list[str]:
    return grouped(named_items(generation, (FailureRow(**row) for row in rows)))


def _failures_text(value: dict[str, Any]) -> str:
    lines = [f"{kind}: {line}" for kind, shown in value.items() for line in shown]
    return "\n".join(lines) or "nothing failed, and nothing was skipped"


def _file_of(one: dict[str, Any], among: Iterable[dict[str, Any]]) -> str:
    """Return a document's file, with its title where another of the documents is in the same file."""
    same = sum(other["file"] == one["file"] for other in among)
    name = f"{one['file']} ({one['title']})" if same > 1 else str(one["file"])
    return name if one["id"] else f"{name} (not indexed)"


CALLED_BY = {"community": "number", "chunk": "id"}
"""What rows that have no name are looked up by."""


def _one(table: pa.Table, mask: Any, what: str, name: str, near: Iterable[str]) -> dict[str, Any]:
    called = CALLED_BY.get(what, "name")
    if not name:
        raise QuestionError(
            f"no {what} is named",
            f"the {called} of the {what} is missing",
            f"write it behind: graphstrata show {what} {called.upper()}",
        )
    found = table.filter(mask)
    if not found.num_rows:
        import difflib

        written: dict[str, str] = {}
        for one in sorted(near):
            for form in (one, *one.split()):
                written.setdefault(form.lower(), one)
        close = [*dict.fromkeys(written[one] for one in difflib.get_close_matches(name.lower(), written, 3, 0.6))]
        fix = f"graphstrata show {what} {shlex.quote(close[0])}" if close else "graphstrata show stats"
        raise QuestionError(
            f"no {what} {name!r} in this index" + (f"; did you mean {close[0]}?" if close else ""),
            f"near are: {'; '.join(close)}" if close else f"there are {table.num_rows:,}, and none has that {called}",
            f"run: {fix}",
        )
    row: dict[str, Any] = found.slice(0, 1).to_pylist()[0]
    return row


VIEWS: dict[str, tuple[Callable[[Generation, str], dict[str, Any]], Callable[[dict[str, Any]], str]]] = {
    "tables": (_tables, _tables_text),
    "stats": (_stats, _stats_text),
    "entity": (_entity, _entity_text),
    "community": (_community, _community_text),
    "chunk": (_chunk, _chunk_text),
    "duplicates": (_duplicates, _duplicates_text),
    "failures": (_failures, _failures_text),
}
"""What each view shows as values, and these as text."""
