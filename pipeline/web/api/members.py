"""Which entities a filter of the map leaves: those that a document names, or of whom something is claimed in a span of time."""

from typing import Annotated

import numpy as np
import pyarrow.compute as pc
from pydantic import Field
from typing_extensions import TypedDict

from pipeline.base.arrow.build import array, to_numpy
from pipeline.web.endpoint import Registry, RequestError, endpoint
from pipeline.web.projects import OpenIndex, ServedProject
from pipeline.web.reading.marks import chunks_of

ENDPOINTS: Registry = []

DATE = r"^(-?\d{1,6}(-\d{2}){0,2})?$"

FIRST, LAST = (1, 1), (12, 31)


class MembersReply(TypedDict):
    """Ids of entities, in the order of the table."""

    ids: list[str]


@endpoint(ENDPOINTS, "GET", "/projects/{project}/map/members")
def read_members(
    project: ServedProject,
    document: Annotated[str, Field(description="id of a document: the entities that it mentions")] = "",
    since: Annotated[str, Field(pattern=DATE, description="year, month or day from which claims count")] = "",
    until: Annotated[str, Field(pattern=DATE, description="year, month or day up to which claims count")] = "",
) -> MembersReply:
    """The entities that a document mentions, or that have a dated claim between two dates; exactly one of the two."""
    if bool(document) == bool(since or until):
        raise RequestError(
            "a document or a span of time is needed", "there is nothing to filter by", "give one of them"
        )
    opened = project.open()
    return {"ids": _of_document(opened, document) if document else _of_time(opened, since, until)}


def _of_document(opened: OpenIndex, document: str) -> list[str]:
    opened.row("documents", "id", document, "document")
    chunks = array([chunk["id"] for chunk in chunks_of(opened, document)], opened.columns.get("chunks", "id").type)
    mentioned = opened.columns.get("entities", "chunk_ids")
    inside = pc.is_in(pc.list_flatten(mentioned), value_set=chunks)
    rows = np.unique(to_numpy(pc.list_parent_indices(mentioned).filter(inside)))
    return [str(id) for id in opened.columns.values("entities", "id", rows.tolist())]


def _of_time(opened: OpenIndex, since: str, until: str) -> list[str]:
    claims = opened.columns.all("claims", "subject", "start_date", "end_date")
    first, last = _day(since or "0", FIRST), _day(until or "0", LAST)
    subjects = {
        subject
        for subject, start, end in claims
        if (start or end)
        and (not since or _day(end or start, LAST) >= first)
        and (not until or _day(start or end, FIRST) <= last)
    }
    return [id for id, title in opened.columns.all("entities", "id", "title") if title in subjects]


def _day(date: str, missing: tuple[int, int]) -> tuple[int, int, int]:
    """Return a year, month or day as a day that sorts; what is ``missing`` of month and day is filled in."""
    sign = -1 if date.startswith("-") else 1
    year, *rest = (int(part) for part in date.lstrip("-").split("-"))
    month, day = (*rest, *missing[len(rest) :])
    return sign * year, month, day
