"""What README.md generates from the code: the data dictionary and the map of files.

``python -m pipeline.cli.dictionary`` puts both into README.md of the current folder, between their marks.
"""

import ast
import re
from pathlib import Path

from pipeline.base.tables import TABLES

ROOMS = (
    "workflows",
    "pipeline",
    "pipeline/base",
    "pipeline/text",
    "pipeline/graph",
    "pipeline/language",
    "pipeline/language/tasks",
    "pipeline/query",
    "pipeline/exchange",
    "pipeline/runner",
    "pipeline/cli",
    "benchmarks",
    "benchmarks/rivals",
)
"""Folders of the map, in the order in which a newcomer reads them."""


def data_dictionary() -> str:
    """Return one Markdown row a table: its name, what it holds, its columns; list columns are marked with []."""
    lines = ["| table | holds | columns |", "|---|---|---|"]
    for table in TABLES.values():
        columns = ", ".join(
            column.name + ("[]" if str(column.type).startswith("list") else "") for column in table.columns
        )
        lines.append(f"| `{table.name}` | {table.help} | {columns} |")
    return "\n".join(lines)


def file_map(root: Path) -> str:
    """Return one line a file: the first sentence of its docstring, folder by folder."""
    parts = []
    for room in ROOMS:
        files = sorted((root / room).glob("*.py"))
        own = [path for path in files if path.name != "__init__.py"]
        if not own:
            continue
        lines = [
            f"**{room}/** {_opening(room_file) if (room_file := root / room / '__init__.py').exists() else ''}".rstrip()
        ]
        lines += ["", "| file | what stands there |", "|---|---|"]
        lines += [f"| `{path.name}` | {_opening(path)} |" for path in own]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _opening(path: Path) -> str:
    """Return the first sentence of a file's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z`])", paragraph)[0]
    return sentence.replace("|", "\\|")


def fill(readme: str, root: Path) -> str:
    """Return README.md with both generated parts as they are now."""
    for mark, content in (("tables", data_dictionary()), ("map", file_map(root))):
        begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
        head, rest = readme.split(begin)
        readme = f"{head}{begin}\n{content}\n{end}{rest.split(end)[1]}"
    return readme


if __name__ == "__main__":
    page = Path("README.md")
    page.write_text(fill(page.read_text(encoding="utf-8"), Path()), encoding="utf-8")
