"""In which order the help lists the commands: as a newcomer needs them."""

import typer
from typer.core import TyperGroup

ORDER = (
    *("init", "index", "query", "chat", "ask-me", "serve", "show", "status"),
    *("tune", "names", "prompts", "eval", "doctor", "verify", "rollback", "cache"),
    *("import", "export", "cypher", "load-neo4j", "mcp"),
)
"""From a folder to answers; then improving and checking an index; then other programs."""


class InOrderOfUse(TyperGroup):
    """Lists its commands in ORDER."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Return the names of the commands; those that ORDER lacks come last."""
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
