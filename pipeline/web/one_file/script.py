"""The page's modules as one script, for a file that is opened from disk, where modules cannot import each other."""

import re
from pathlib import PurePosixPath

from pipeline.base.errors import GraphstrataError
from pipeline.web.assets import PAGE

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "([^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("([^"]+)"\)')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) ?(\w+))", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:async )?(?:function\*?|class|const) (\w+)", re.MULTILINE)
_BUNDLED = re.compile(r"export\{([^}]*)\};?\s*$")


class ScriptError(GraphstrataError):
    """A module of the page is written in a way that cannot be put into one script."""


def one_script(entry: str, instead: dict[str, str]) -> str:
    """Return the module ``entry`` and all that it imports, each in a function of its own, in the order of need.

    ``instead`` replaces modules by others: ``{"core/api.js": "static/api.js"}``. The modules import by names in one
    line, and export functions, classes and constants where they are declared; ScriptError for anything else.
    """
    order: dict[str, str] = {}
    _collect(entry, instead, order)
    bodies = [f"modules[{_quoted(name)}] = (() => {{\n{body}\n}})();" for name, body in order.items()]
    return "\n".join(['"use strict";', "const modules = {};", *bodies, ""])


def _collect(name: str, instead: dict[str, str], order: dict[str, str]) -> None:
    if name in order:
        return
    source = (PAGE / name).read_text(encoding="utf-8")

    def resolved(target: str) -> str:
        parts: list[str] = []
        for part in (PurePosixPath(name).parent / target).parts:
            if part == "..":
                parts.pop()
            else:
                parts.append(part)
        path = "/".join(parts)
        return instead.get(path, path)

    for target in [*(found[1] for found in _IMPORT.findall(source)), *_LATER.findall(source)]:
        _collect(resolved(target), instead, order)
    bundled = _BUNDLED.search(source)
    names = {one: one for one in _EXPORTED.findall(source)}
    if bundled:
        source = source[: bundled.start()]
        names = {new: old for old, new in (pair.split(" as ") for pair in bundled[1].split(","))}
    source = _IMPORT.sub(
        lambda found: f"const {{ {found[1].replace(' as ', ': ')} }} = modules[{_quoted(resolved(found[2]))}];", source
    )
    source = _LATER.sub(lambda found: f"Promise.resolve(modules[{_quoted(resolved(found[1]))}])", source)
    source = _EXPORT.sub("", source)
    left = re.search(r"^(?:import|export)\b.*", source, re.MULTILINE)
    if left:
        raise ScriptError(
            f"{name} says {left[0][:80]!r}",
            "the page cannot be put into one file",
            "import names in one line, and export where they are declared",
        )
    returned = ", ".join(f"{new}: {old}" if new != old else new for new, old in names.items())
    order[name] = f"{source}\nreturn {{ {returned} }};"


def _quoted(name: str) -> str:
    return f'"{name}"'
