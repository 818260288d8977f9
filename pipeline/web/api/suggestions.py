"""Questions to begin with, made from what the largest themes are about."""

from pipeline.query.messages import suggested
from pipeline.text.scripts import language_of
from pipeline.web.projects import OpenIndex

MOST = 6
SAMPLE = 20
"""Rows by whose text the language of the questions is chosen."""


def suggested_questions(opened: OpenIndex, communities: list[int]) -> list[str]:
    """Return questions in the corpus's language: on the whole, on the best-connected entities of themes, and on two together."""
    if not opened.count("entities"):
        return []
    sample = opened.columns.values("chunks", "text", range(min(SAMPLE, opened.count("chunks"))))
    language = language_of(" ".join(sample))
    questions = [suggested("whole", language)]
    named: list[str] = []
    for number in communities:
        row = opened.row("communities", "community", number, "community")
        members = opened.columns.values("communities", "entity_ids", [row])[0]
        rows = [found for id in members if (found := opened.by("entities", "id").row(id)) is not None]
        entities = opened.columns.rows("entities", ["title", "type", "degree"], rows)
        best = sorted(entities, key=lambda one: (-one["degree"], one["title"]))[:2]
        fresh = [one["title"] for one in best if one["title"] not in named]
        if fresh and best[0]["title"] in fresh:
            person = best[0]["type"] == "PERSON"
            questions.append(suggested("person" if person else "thing", language, (best[0]["title"],)))
        if len(best) == 2 and len(fresh) == 2:
            questions.append(suggested("pair", language, (best[0]["title"], best[1]["title"])))
        named += fresh
        if len(questions) >= MOST:
            break
    return questions[:MOST]
