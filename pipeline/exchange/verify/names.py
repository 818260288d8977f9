"""Checks of names: each is one of one entity, entities list what the table aliases decides, corrected types hold."""

from pipeline.exchange.verify.check import Check, listed
from pipeline.exchange.verify.tables import Tables
from pipeline.graph.merge import fold_title

DECIDERS = ("rule", "model", "correction")


def check_aliases(tables: Tables) -> Check:
    """A name that is joined is listed by its entity and by no other, and what entities list was decided."""
    rows = tables["aliases"].to_pylist()
    entities = {row["title"]: row for row in tables["entities"].select(["title", "type", "aliases"]).to_pylist()}
    wrong = []
    entity_of: dict[str, str] = {}
    decided: dict[str, set[str]] = {title: set() for title in entities}
    for row in rows:
        name, title = row["name"], row["entity"]
        if row["by"] not in DECIDERS or not 0 <= row["score"] <= 1:
            wrong.append(f"{name!r}: decided by {row['by']!r} with score {row['score']:g}")
        if title not in entities:
            wrong.append(f"{name!r} is a name of {title!r}, which is no entity")
        elif row["joined"]:
            decided[title].add(name)
            if entity_of.setdefault(fold_title(name), title) != title:
                wrong.append(f"{name!r} is a name of both {entity_of[fold_title(name)]!r} and {title!r}")
            if row["type"] is not None and entities[title]["type"] != row["type"]:
                wrong.append(f"{title!r} is a {entities[title]['type']}, and was corrected to {row['type']}")
    for title, entity in entities.items():
        odd = (decided[title] - {title}) ^ set(entity["aliases"])
        wrong += [f"{title!r}: {name!r} is listed or decided, not both" for name in sorted(odd)]
    return listed("names are of one entity", len(rows) + len(entities), wrong)
