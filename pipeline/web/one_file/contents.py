"""What is in the file: the replies of the API that its page asks for, and the texts of documents as far as they are small."""

import json
from collections.abc import Iterator
from typing import Any

from pipeline.web.api.communities import list_themes, read_community
from pipeline.web.api.documents import list_documents, read_document
from pipeline.web.api.entities import read_entity
from pipeline.web.api.map import read_map
from pipeline.web.api.overview import read_overview
from pipeline.web.api.recurring import read_recurring
from pipeline.web.projects import ServedProject
from pipeline.web.replies import encode

MOST_TEXT = 4_000_000
"""Most characters of documents in the file; where the corpus has more, the file has none of them, and says so."""
PAGE = 500
"""Documents of one listing."""


def contents(project: ServedProject) -> dict[str, Any]:
    """Return the replies: overview, what recurs, map with what differs by level, themes, reports, entities, documents."""
    overview = read_overview(project)
    first = _plain(read_map(project, 0))
    maps = [first, *(_plain(read_map(project, level)) for level in range(1, first["levels"]))]
    tree = _plain(list_themes(project))
    documents = list(_documents(project))
    texts = sum(one["characters"] for one in documents) <= MOST_TEXT
    return {
        "overview": _plain(overview),
        "recurring": _plain(read_recurring(project)),
        "map": first,
        "levels": [{"level": one["level"], "leaf": one["nodes"]["leaf"], "bundles": one["bundles"]} for one in maps],
        "themes": tree,
        "reports": {str(row["community"]): _plain(read_community(project, row["community"])) for row in tree["tree"]},
        "entities": {id: _plain(read_entity(project, id)) for id in first["nodes"]["id"]},
        "documents": [one | _text(project, one["id"]) if texts else one for one in documents],
    }


def _plain(reply: Any) -> Any:
    """Return a reply as values; some are kept as JSON between requests."""
    return json.loads(encode(reply).plain)


def _documents(project: ServedProject) -> Iterator[dict[str, Any]]:
    offset, total = 0, 1
    while offset < total:
        found = _plain(list_documents(project, offset, PAGE))
        total = found["total"]
        offset += PAGE
        yield from found["items"]


def _text(project: ServedProject, document: str) -> dict[str, Any]:
    """Return a whole document with its marks and chunks, from as many replies as it takes."""
    page = _plain(read_document(project, document))
    text, marks = page["text"], {_key(mark): mark for mark in page["marks"]}
    while page["end"] < page["length"]:
        at = page["end"]
        page = _plain(read_document(project, document, at))
        text += page["text"][at - page["start"] :]
        marks |= {_key(mark): mark for mark in page["marks"]}
    return {"text": text, "marks": list(marks.values()), "chunk_spans": page["chunks"]}


def _key(mark: Any) -> tuple[int, int, str, str]:
    return mark["start"], mark["end"], mark["kind"], mark["id"]
