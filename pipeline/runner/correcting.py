"""Corrections of names, looked at before they are written."""

from collections.abc import Iterable

from pipeline.base.errors import QuestionError
from pipeline.resolution.corrections import Correction, Corrections
from pipeline.resolution.preview import Preview, by_titles, preview
from pipeline.runner.project import Project


def previewed(project: Project, corrections: Iterable[Correction]) -> tuple[Corrections, Preview]:
    """Return a project's corrections with further ones added, and what those change in the published index.

    QuestionError for a correction that cannot be used, or of a name that no entity has. Nothing is written.
    """
    before = project.corrections()
    after, generation = before, project.store.open()
    try:
        for correction in corrections:
            after = after.adding(by_titles(generation, after, correction))
    except ValueError as error:
        raise QuestionError(str(error), "nothing was written", "see: graphstrata names --help") from error
    shown = preview(generation, before, after)
    for name, near in shown.unknown.items():
        raise QuestionError(
            f"no entity has the name {name!r}",
            f"did you mean {' or '.join(map(repr, near))}?" if near else "no name of the index is like it",
            "see: graphstrata show entity NAME",
        )
    return after, shown
