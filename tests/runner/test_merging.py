"""What the merging of a name that a whole archive mentions asks of a model, and how it looks in the tables."""

import random
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.base.schema import ALIASES, CHUNKS, ENTITIES, ENTITY_MENTIONS, RELATIONSHIP_MENTIONS
from pipeline.base.settings import GraphSettings
from pipeline.base.storage.parquet import MemoryRows
from pipeline.base.store import Rows, write_apart
from pipeline.base.table import Table
from pipeline.base.tokens import Estimate
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.indexing.summarise_descriptions import Description, ManyDescriptions
from tests.scripted_backend import ScriptedBackend
from workflows import s40_merge_graph
from workflows.s40_merge_graph import MOST_ALIKE, MOST_DESCRIPTIONS, run


class Noted:
    """Keeps the lines that a stage reports."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def report(self, line: str) -> None:
        self.lines.append(line)

    def problem(self, item: str, reason: str, kind: str, task: str = "reading") -> None:
        raise AssertionError((item, reason))


def rows(table: Table, **columns: Sequence[object]) -> Rows:
    return MemoryRows(table, pa.table({name: pa.array(values) for name, values in columns.items()}))


def described(said: Sequence[str], title: str, backend: ScriptedBackend, notes: Noted) -> list[dict[str, object]]:
    """The entities of a corpus in which every chunk says one of these sentences of a name, and the first one more."""
    ids = [f"{number:020x}" for number in range(len(said))]
    mentions = {"chunk_id": [*ids, ids[0]], "title": [title] * len(said) + ["Ada"]}
    parts = run(
        rows(CHUNKS, id=ids),
        rows(ENTITY_MENTIONS, **mentions, type=["PLACE"] * len(said) + ["PERSON"], description=[*said, "She waits."]),
        MemoryRows(RELATIONSHIP_MENTIONS, RELATIONSHIP_MENTIONS.schema.empty_table()),
        MemoryRows(ALIASES, ALIASES.schema.empty_table()),
        GraphSettings(),
        LanguageService(ScriptedBackend({}, paid=False), Ledger("s40_merge_graph"), backend),
        Estimate(),
        notes,
    )
    return [row for table, part in parts if table is ENTITIES for row in part.to_pylist()]


def test_a_name_with_thousands_of_descriptions_is_summarised_from_some_of_all_over_the_texts() -> None:
    n = 5000
    said = [f"Carrow ship number {number} went out with the tide." for number in range(n)]
    backend = ScriptedBackend({"summarise_descriptions": lambda request: Description(description="A port.")})
    notes = Noted()
    entities = described(said, "Carrow", backend, notes)
    assert [(row["title"], row["description"]) for row in entities] == [("Ada", "She waits."), ("Carrow", "A port.")]
    ((_, request),) = backend.asked
    assert isinstance(request, ManyDescriptions)
    assert len(request.descriptions) == MOST_DESCRIPTIONS
    assert list(request.descriptions) == [said[number] for number in range(0, n, n // MOST_DESCRIPTIONS)]
    assert entities[1]["frequency"] == n and entities[1]["chunk_ids"] == [f"{number:020x}" for number in range(n)]
    assert [line for line in notes.lines if "1 rows of entity mentions have more than" in line]


def test_sentences_alike_but_for_names_and_figures_are_summarised_from_a_few_and_counted() -> None:
    form = "To {0} we say that all the goods of order {1} left our yard in Carrow and will be with you soon."
    alike = [form.format(name, number) for number, name in enumerate(["Ann", "Bob", "Cy", "Dan"] * 10)]
    others = [f"Carrow {what} the sea since the old days." for what in ("fears", "loves", "fights")]
    backend, notes = ScriptedBackend({}), Noted()
    carrow = described([*alike, *others], "Carrow", backend, notes)[1]
    assert carrow["description"] == " ".join([*alike[:MOST_ALIKE], *others]) and not backend.asked
    assert carrow["frequency"] == len(alike) + len(others)
    (line,) = notes.lines
    assert line.startswith(f"{len(alike) - MOST_ALIKE} descriptions of entity mentions are as {MOST_ALIKE} others")
    few = alike[: MOST_ALIKE + 2]
    assert described(few, "Carrow", backend, Noted())[1]["description"] == " ".join(few), "all where there is room"


def test_a_graph_that_does_not_fit_the_memory_is_merged_in_parts_into_the_same_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(s40_merge_graph, "ROWS_AT_ONCE", 8)
    monkeypatch.setattr(s40_merge_graph, "release", lambda: None)  # a part of eight rows gives nothing back
    chance = random.Random(7)
    ids, names = [f"{number:020x}" for number in range(60)], [f"Name {number:02}" for number in range(50)]
    seen = [(id, *chance.sample(names, 2), f"Line {chance.randrange(40)}.") for id in ids for _ in range(9)]
    entity_mentions = [
        (id, name.upper() if chance.random() < 0.2 else name, "PLACE", line) for id, name, _, line in seen
    ]
    edges = [(*row, 1.0 + place % 3) for place, row in enumerate(seen)]

    def merged(parts: int) -> list[tuple[str, dict[str, object]]]:
        monkeypatch.setattr(s40_merge_graph, "parts_within_memory", lambda n_bytes: parts)
        stored = [
            (CHUNKS, [(id, "d", at, 0, 1, "", "x", 1) for at, id in enumerate(ids)]),
            (ENTITY_MENTIONS, entity_mentions),
            (RELATIONSHIP_MENTIONS, edges),
            (ALIASES, [("Name 01", "Name 02", True, "form", 1.0, "rule", "", "PERSON")]),
        ]
        reads = []
        for table, tuples in stored:
            write_apart(table, table.rows(tuples), tmp_path / f"{table.name}.parquet")
            reads.append(Rows(table, tmp_path / f"{table.name}.parquet"))
        service = LanguageService(ScriptedBackend({}, paid=False), Ledger("s40_merge_graph"))
        made = list(run(*reads, GraphSettings(), service, Estimate(), Noted()))
        sizes.append([part.num_rows for _, part in made])
        return [(table.name, row) for table, part in made for row in part.to_pylist()]

    sizes: list[list[int]] = []
    assert merged(1) == merged(3) == merged(70)
    assert sizes[0] == sizes[1] == sizes[2] and len(sizes[0]) > 20
