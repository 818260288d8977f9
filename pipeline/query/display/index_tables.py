"""The tables of an index as HTML, for notebooks: their rows, and what they hold."""

from html import escape

from pipeline.base.schema import TABLES
from pipeline.base.store import Generation


def index_html(generation: Generation) -> str:
    """Return the tables of an index with their rows and what they hold."""
    manifest = generation.manifest
    rows = "".join(
        f"<tr><td><code>{name}</code></td><td style='text-align:right'>{entry.rows:,}</td>"
        f"<td style='text-align:left'>{escape(TABLES[name].help)}</td></tr>"
        for name, entry in manifest.tables.items()
        if name in TABLES
    )
    head = f"Index in <code>{escape(str(generation.folder))}</code>, generation {manifest.generation}"
    return f"<div>{head}, {escape(manifest.status)}<table>{rows}</table></div>"
