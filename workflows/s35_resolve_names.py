"""Stage 35: which names are one entity, by corrections and by rules; each decision is a row of the table aliases."""

from pipeline.base.arrow.columns import codes_of
from pipeline.base.schema import ALIASES, ENTITY_MENTIONS, VOCABULARY
from pipeline.base.store import Rows
from pipeline.base.workflow import CORRECTIONS, Notes, Parts, workflow
from pipeline.resolution.corrections import Corrections, names_of
from pipeline.resolution.resolve import KnownNames, alias_rows, resolve


@workflow(reads=(VOCABULARY, ENTITY_MENTIONS, CORRECTIONS), writes=(ALIASES,))
def resolve_names(vocabulary: Rows, entity_mentions: Rows, corrections: Corrections, notes: Notes) -> Parts:
    """Group the titles of all mentions, and the forms under which the vocabulary knows them, into entities."""
    codes, titles = codes_of(entity_mentions.table(["title"], coded=["title"])["title"])
    known = KnownNames.of(titles.to_pylist(), codes, vocabulary.table(["title", "forms"]))
    resolved = resolve(known, corrections)
    unknown = sorted({name for one in corrections for name in names_of(one) if not resolved.has(name)})
    if unknown:
        notes.report(f"corrections of names that are no entity's: {', '.join(map(repr, unknown))}")
    yield ALIASES, ALIASES.rows(alias_rows(resolved, corrections))
