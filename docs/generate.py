"""Writes the pages of docs/ that are made from the code: tables, settings, the map of files, the library's reference.

``python docs/generate.py`` writes them; a test compares them with the code.
"""

import ast
import re
from pathlib import Path
from runpy import run_path

from pydantic import BaseModel

from pipeline.base.schema import TABLES
from pipeline.base.settings import ModelSettings, Settings, TaskSettings

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("graphstrata", "workflows", "pipeline", "benchmarks")
"""Folders of the map, in the order in which a newcomer reads them; sub-folders follow their parent."""


def data_dictionary() -> str:
    """Return one Markdown row a table: its name, what it holds, its columns; list columns are marked with []."""
    lines = ["| table | holds | columns |", "|---|---|---|"]
    for table in TABLES.values():
        columns = ", ".join(
            column.name + ("[]" if str(column.type).startswith("list") else "") for column in table.columns
        )
        lines.append(f"| `{table.name}` | {table.help} | {columns} |")
    return "\n".join(lines)


def settings_reference() -> str:
    """Return one section a section of settings.yaml: every key with its default and what it is for."""
    named = {"models": ("models.NAME", ModelSettings), "tasks": ("tasks.NAME", TaskSettings)}
    parts = []
    for name, field in Settings.model_fields.items():
        title, section = named.get(name, (name, field.annotation))
        assert isinstance(section, type)
        assert issubclass(section, BaseModel)
        rows = [
            f"| `{key}` | {_default(one.get_default())} | {(one.description or '').replace('|', '&#124;')} |"
            for key, one in section.model_fields.items()
        ]
        opening = " ".join((section.__doc__ or "").split("\n\n")[0].split())
        parts.append(
            "\n".join([f"## {title}", "", opening, "", "| key | default | what it is |", "|---|---|---|", *rows])
        )
    return "\n\n".join(parts)


def _default(value: object) -> str:
    if isinstance(value, str):
        return f"`{value}`" if value else "empty"
    if isinstance(value, tuple):
        return f"`[{', '.join(map(str, value))}]`"
    known = {"None": "`null`", "True": "`true`", "False": "`false`", "PydanticUndefined": "must be given"}
    return known.get(str(value), f"`{value}`")


def file_map(root: Path) -> str:
    """Return one line a file: the first sentence of its docstring, folder by folder."""
    parts = []
    for folder in _folders(root):
        files = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
        if not files:
            continue
        package = folder / "__init__.py"
        title = f"## {folder.relative_to(root).as_posix()}/\n\n{_opening(package) if package.exists() else ''}".rstrip()
        rows = [f"| `{path.name}` | {_opening(path)} |" for path in files]
        parts.append("\n".join([title, "", "| file | holds |", "|---|---|", *rows]))
    return "\n\n".join(parts)


def _folders(root: Path) -> list[Path]:
    below = [
        [root / package, *sorted(path.parent for path in (root / package).rglob("__init__.py"))] for package in PACKAGES
    ]
    return list(dict.fromkeys(folder for folders in below for folder in folders))


def _opening(path: Path) -> str:
    """Return the first sentence of a file's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z`])", paragraph)[0]
    return sentence.replace("|", "\\|")


def pages(root: Path = ROOT) -> dict[str, str]:
    """Return the generated pages by their path below ``root``."""
    return {
        "docs/reference/api.md": run_path(str(root / "docs" / "api_reference.py"))["api_reference"](),
        "docs/tables.md": (
            "# Tables\n\nEvery table that an index holds. List columns are marked with `[]`. Columns that end in `_id` or"
            " `_ids` refer to\nanother table's `id`; entities are referred to by their `title`.\n\n"
            f"{data_dictionary()}\n"
        ),
        "docs/settings.md": (
            "# Settings\n\nEvery key of `settings.yaml`. What you leave out is at its default; `graphstrata init` writes all"
            f" of them with their help.\n\n{settings_reference()}\n"
        ),
        "docs/files.md": (
            "# Files\n\nOne line a file, taken from the files themselves. Imports go down only: base; text and graph;"
            " documents, retrieval,\nlanguage and resolution; workflows, query and exchange; runner; web; cli.\n\n"
            f"{file_map(root)}\n"
        ),
    }


if __name__ == "__main__":
    for name, content in pages().items():
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_text(content, encoding="utf-8")
