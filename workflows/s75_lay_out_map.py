"""Stage 75: where the map draws entities and communities; what did not change since the last run keeps its place."""

from pipeline.base.schema import LAYOUT
from pipeline.base.store import Rows
from pipeline.base.workflow import Parts
from pipeline.graph.convert import community_labels
from pipeline.graph.layout import Before
from pipeline.graph.layout_table import layout_rows, read_layout


def run(
    entities: Rows,
    relationships: Rows,
    communities: Rows,
    previous_communities: Rows | None,
    previous_layout: Rows | None,
) -> Parts:
    """Lay communities out as nested disks and entities inside them, from the last layout on where there is one."""
    before = None
    nodes = entities.table(["id", "title", "degree"])
    if previous_communities is not None and previous_layout is not None:
        labels = community_labels(previous_communities.table(["level", "community", "entity_ids"]), nodes["id"])
        before = Before(labels, read_layout(previous_layout.table(), nodes["id"]))
    yield (
        LAYOUT,
        layout_rows(
            nodes,
            relationships.table(["source", "target", "weight"]),
            communities.table(["community", "level", "entity_ids"]),
            before,
        ),
    )
