"""The index as a vault of notes (Obsidian and other Markdown tools): a note for each entity and theme, linked both ways."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.base.store import Generation
from pipeline.documents.places import file_place
from pipeline.exchange.folder import Exported, prepare, write_text

ENTITIES, THEMES, START = "Entities", "Themes", "Start here"
_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]+')
"""What a note's name cannot hold, on one system or another."""
_LONGEST_NAME = 80
_QUOTED = 5
"""Passages that are quoted in a note on an entity."""


def export_obsidian(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write the vault; names of notes are those of entities and reports, made unique regardless of case."""
    prepare(folder, force)
    for name in (ENTITIES, THEMES):
        (folder / name).mkdir(exist_ok=True)
    vault = _Vault(generation)
    for id, name in vault.entity_names.items():
        write_text(folder / ENTITIES, f"{name}.md", vault.entity(id))
    for number, name in vault.theme_names.items():
        write_text(folder / THEMES, f"{name}.md", vault.theme(number))
    write_text(folder, f"{START}.md", vault.start())
    return Exported(folder, {"entities": len(vault.entity_names), "themes": len(vault.theme_names)})


class _Vault:
    def __init__(self, generation: Generation) -> None:
        rows = {name: generation.table(name).to_pylist() for name in ("entities", "relationships", "claims")}
        self._entities = {row["id"]: row for row in rows["entities"]}
        self._id_of = {row["title"]: row["id"] for row in rows["entities"]}
        self._edges: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
        for row in rows["relationships"]:
            for one, other in ((row["source"], row["target"]), (row["target"], row["source"])):
                self._edges[one].append((-row["weight"], other, row["description"]))
        self._claims: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows["claims"]:
            self._claims[row["subject"]].append(row)
        communities = generation.table(
            "communities", ["community", "level", "parent", "children", "entity_ids", "size"]
        )
        reports = generation.table(
            "community_reports", ["community", "title", "summary", "findings", "rank"]
        ).to_pylist()
        self._reports = {row["community"]: row for row in reports}
        self._communities = {row["community"]: row for row in communities.to_pylist()}
        self._themes_of: dict[str, list[int]] = defaultdict(list)
        for number, row in sorted(self._communities.items()):
            for id in row["entity_ids"] if number in self._reports else ():
                self._themes_of[id].append(number)
        self._places = _Places(generation)
        taken: set[str] = set()
        self.entity_names = {id: _unique(row["title"], taken) for id, row in self._entities.items()}
        self.theme_names = {number: _unique(row["title"], taken) for number, row in self._reports.items()}

    def entity(self, id: str) -> str:
        """Return the note on an entity."""
        row = self._entities[id]
        title = row["title"]
        others = [name for name in row["aliases"] if name != title]
        lines = [
            "---",
            f"aliases: {json.dumps(others, ensure_ascii=False)}",
            f"type: {json.dumps(row['type'], ensure_ascii=False)}",
            f"degree: {row['degree']}",
            "---",
            f"# {title}",
            "",
            row["description"],
        ]
        edges = sorted(self._edges.get(title, ()))
        lines += _part("Relationships", (f"- {self._link(other)}: {_line(text)}" for _, other, text in edges))
        claims = sorted(self._claims.get(title, ()), key=lambda claim: (claim["start_date"] or "9", claim["id"]))
        lines += _part("Claims", (f"- {_dated(claim)}{_line(claim['description'])}" for claim in claims))
        themes = sorted(self._themes_of.get(id, ()), key=lambda number: (self._communities[number]["level"], number))
        lines += _part("Themes", (f"- [[{self.theme_names[number]}]]" for number in themes))
        lines += _part("Sources", (f"- {place}" for place in self._places.of(row["chunk_ids"][:_QUOTED])))
        return "\n".join(lines) + "\n"

    def theme(self, number: int) -> str:
        """Return the note on a theme: the report on a community, with links to what it is about."""
        report, community = self._reports[number], self._communities[number]
        lines = ["---", f"level: {community['level']}", f"rank: {report['rank']:g}", "---", f"# {report['title']}", ""]
        if community["parent"] in self.theme_names:
            lines += [f"Part of [[{self.theme_names[community['parent']]}]]", ""]
        lines.append(report["summary"])
        for finding in report["findings"]:
            lines += ["", f"## {_line(finding['summary'])}", "", finding["explanation"]]
        parts = [child for child in community["children"] if child in self.theme_names]
        lines += _part("Parts", (f"- [[{self.theme_names[child]}]]" for child in parts))
        members = sorted(community["entity_ids"], key=lambda id: (-self._entities[id]["degree"], id))
        lines += _part("Entities", (f"- [[{self.entity_names[id]}]]" for id in members))
        return "\n".join(lines) + "\n"

    def start(self) -> str:
        """Return the note to begin with: the broadest themes, the most important first."""
        top = [number for number in self.theme_names if self._communities[number]["level"] == 0]
        order = sorted(top, key=lambda number: (-self._communities[number]["size"], number))
        themes = (
            f"- [[{self.theme_names[number]}]] ({self._communities[number]['size']} entities)" for number in order
        )
        return "\n".join(["# Start here", *_part("Themes", themes)]) + "\n"

    def _link(self, title: str) -> str:
        name = self.entity_names[self._id_of[title]]
        return f"[[{name}]]" if name == title else f"[[{name}|{_line(title).replace(']', '').replace('|', '/')}]]"


class _Places:
    """Where chunks are, for people."""

    def __init__(self, generation: Generation) -> None:
        self._chunks = {id: rest for id, *rest in generation.values("chunks", "id", "document_id", "start", "end")}
        self._documents = {row["id"]: row for row in generation.table("documents").to_pylist()}

    def of(self, chunk_ids: Iterable[str]) -> list[str]:
        """Return the file of each chunk and where in it the chunk is."""
        found = []
        for document_id, start, end in (self._chunks[id] for id in chunk_ids):
            document = self._documents[document_id]
            label = file_place(document, start, end).label
            found.append(f"{document['source']}{f', {label}' if label else ''}")
        return found


def _part(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return ["", f"## {title}", "", *found] if found else []


def _dated(claim: dict[str, Any]) -> str:
    dates = [day for day in (claim["start_date"], claim["end_date"]) if day]
    return f"{' to '.join(dict.fromkeys(dates))}: " if dates else ""


def _line(text: str) -> str:
    return " ".join((text or "").split())


def _unique(title: str, taken: set[str]) -> str:
    """Return a name for a note that no other note has, also where upper and lower case count as the same."""
    plain = " ".join(_FORBIDDEN.sub(" ", title).split()).strip(". ")[:_LONGEST_NAME].strip() or "untitled"
    name, number = plain, 1
    while name.casefold() in taken:
        number += 1
        name = f"{plain} ({number})"
    taken.add(name.casefold())
    return name
