"""Corrections of names: those of corrections.yaml, what more would change, and writing it."""

from typing import Annotated

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from pipeline.resolution.corrections import Correction, Merge, Rename, Retype, Split
from pipeline.resolution.corrections_file import CORRECTIONS_FILE, write_corrections
from pipeline.resolution.preview import describe
from pipeline.runner.correcting import previewed
from pipeline.web.endpoint import Registry, RequestModel, endpoint
from pipeline.web.projects import ServedProject

ENDPOINTS: Registry = []

Name = Annotated[str, Field(min_length=1, max_length=500)]


class CorrectionBody(RequestModel):
    """One correction: merge names into one, split names off an entity, rename one, or give it another type."""

    merge: Annotated[list[Name], Field(max_length=100)] | None = Field(None, description="names of one entity")
    into: Name | None = Field(None, description="what the merged entity is called")
    split: Name | None = Field(None, description="the entity that some names do not belong to")
    names: Annotated[list[Name], Field(max_length=100)] | None = Field(None, description="the names to split off")
    rename: Name | None = Field(None, description="the entity to rename")
    to: Name | None = Field(None, description="its new name")
    retype: Name | None = Field(None, description="the entity that is of another type")
    type: Name | None = Field(None, description="its new type")

    @model_validator(mode="after")
    def _is_one(self) -> "CorrectionBody":
        pairs = (("merge", "into"), ("split", "names"), ("rename", "to"), ("retype", "type"))
        given = [pair for pair in pairs if any(getattr(self, name) is not None for name in pair)]
        if len(given) != 1 or any(not getattr(self, name) for name in given[0]):
            raise ValueError("one of merge and into, split and names, rename and to, retype and type is needed")
        return self

    def corrections(self) -> list[Correction]:
        """Return the corrections that it asks for."""
        if self.merge and self.into:
            others = tuple(dict.fromkeys(name for name in self.merge if name != self.into))
            return [Merge(others, self.into)]
        if self.split and self.names:
            return [Split(name, self.split) for name in self.names]
        if self.rename and self.to:
            return [Rename(self.rename, self.to)]
        return [Retype(str(self.retype), str(self.type))]


class CorrectionList(TypedDict):
    """The corrections that are made, a line each; ``file`` is where."""

    file: str
    corrections: list[str]


class CorrectionPreview(TypedDict):
    """What would change, a line each, and how many rows of each table would be made again."""

    changes: list[str]
    rows: dict[str, int]


class CorrectionWritten(TypedDict):
    """What was written where, and what carries it out."""

    written: str
    changes: list[str]
    next: str


@endpoint(ENDPOINTS, "GET", "/projects/{project}/corrections")
def list_corrections(project: ServedProject) -> CorrectionList:
    """The corrections of names that the next run applies."""
    return {"file": CORRECTIONS_FILE, "corrections": [describe(one) for one in project.project().corrections()]}


@endpoint(ENDPOINTS, "POST", "/projects/{project}/corrections/preview")
def preview_correction(project: ServedProject, body: CorrectionBody) -> CorrectionPreview:
    """What a correction would change; nothing is written."""
    _, shown = previewed(project.project(), body.corrections())
    return {"changes": shown.changes or ["it is so already"], "rows": shown.rows}


@endpoint(ENDPOINTS, "POST", "/projects/{project}/corrections")
def write_correction(project: ServedProject, body: CorrectionBody) -> CorrectionWritten:
    """A correction written to corrections.yaml; the next index run carries it out."""
    own = project.project()
    after, shown = previewed(own, body.corrections())
    write_corrections(own.root / CORRECTIONS_FILE, after)
    return {"written": CORRECTIONS_FILE, "changes": shown.changes, "next": "graphstrata index"}
