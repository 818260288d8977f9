"""Questions to begin with, made from what the largest themes are about."""

from typing import Any

from pipeline.query.evidence.suggested_questions import joined_in, questions_of_themes
from pipeline.text.scripts import language_of
from pipeline.web.projects import OpenIndex

SAMPLE = 20
"""Rows by whose text the language of the questions is chosen."""


def suggested_questions(opened: OpenIndex, communities: list[int]) -> list[str]:
    """Return questions in the corpus's language: on the whole, on the best-connected entities of themes, and on two together."""
    if not opened.count("entities"):
        return []
    language = corpus_language(opened)
    themes = (_members(opened, number) for number in communities)
    return questions_of_themes(language, themes, joined_in(opened.index.generation.rows, language))


def corpus_language(opened: OpenIndex) -> str:
    """Return the language of the first chunks."""
    sample = opened.columns.values("chunks", "text", range(min(SAMPLE, opened.count("chunks"))))
    return language_of(" ".join(sample))


def _members(opened: OpenIndex, community: int) -> list[dict[str, Any]]:
    row = opened.row("communities", "community", community, "community")
    members = opened.columns.values("communities", "entity_ids", [row])[0]
    rows = list(opened.by("entities", "id").first_rows(members).values())
    found = opened.columns.rows("entities", ["title", "type", "degree"], rows)
    if not opened.has("vocabulary"):
        return found
    known = opened.by("vocabulary", "title").first_rows(one["title"] for one in found)
    kinds = dict(zip(known, opened.columns.values("vocabulary", "kind", list(known.values())), strict=True))
    return [one for one in found if kinds.get(one["title"]) != "phrase"] or found
