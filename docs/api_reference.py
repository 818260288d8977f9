"""The reference of the library: every public name of ``graphstrata`` with its signature and its documentation."""

import ast
import inspect
import textwrap
from typing import Any, get_args

import graphstrata
from pipeline.deprecation import RULE
from pipeline.query.method_names import DEFAULT_METHOD

INTRODUCTION = f"""# The library

```python
from graphstrata import Index, build

index = build({{"harbour": "Ada Thorne built the west mole of Carrow in 1871. It broke in the storm of 1874."}})
answer = index.ask("Who built the west mole?")
print(answer.to_markdown())
```

These names are public; whatever else can be imported may change without notice. {RULE}
"""
ORDER = ("build", "Index", "Indexes", "Answer", "Source", "Settings", "Method", "Effort", "GraphstrataError")


def api_reference() -> str:
    """Return the page."""
    names = [name for name in graphstrata.__all__ if not name.startswith("__")]
    ordered = sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    return "\n".join([INTRODUCTION, *(_entry(name, getattr(graphstrata, name)) for name in ordered)])


def _entry(name: str, value: Any) -> str:
    if get_args(value):
        values = ", ".join(f"`{one}`" for one in get_args(value))
        return f"## {name}\n\nA type: one of {values}.\n"
    if inspect.isfunction(value):
        return f"## {name}\n\n{_signature(name, value)}\n\n{inspect.getdoc(value)}\n"
    parts = [f"## {name}\n", f"{inspect.getdoc(value)}\n"]
    if name == "Settings":
        parts.append("Its sections and their keys are those of settings.yaml.\n")
        return "\n".join(parts)
    attributes = _attributes(value)
    if attributes:
        parts.append("\n".join(["| attribute | type | |", "|---|---|---|", *attributes]) + "\n")
    for member, found in vars(value).items():
        function = found.__func__ if isinstance(found, classmethod | staticmethod) else found
        if member.startswith("_") or not (inspect.isfunction(function) or isinstance(function, property)):
            continue
        if isinstance(function, property):
            parts.append(f"### {name}.{member}\n\n{inspect.getdoc(function)}\n")
        else:
            parts.append(
                f"### {name}.{member}\n\n{_signature(f'{name}.{member}', function)}\n\n{inspect.getdoc(function)}\n"
            )
    return "\n".join(parts)


def _signature(name: str, function: Any) -> str:
    """Return the signature as it is written, one parameter a line where it is long."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    node.args.args = [one for one in node.args.args if one.arg not in ("self", "cls")]
    for one in ast.walk(node):  # annotations are written as strings where their names are imported for checkers alone
        if isinstance(one, ast.arg) and isinstance(one.annotation, ast.Constant):
            one.annotation = ast.Name(str(one.annotation.value))
    returns = (
        node.returns.value if isinstance(node.returns, ast.Constant) else node.returns and ast.unparse(node.returns)
    )
    given = [part.strip() for part in _parameters(node.args)]
    line = f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}{name}({', '.join(given)}) -> {returns}"
    if len(line) > 100:
        line = line.replace(f"({', '.join(given)})", "(\n    " + ",\n    ".join(given) + ",\n)")
    return f"```py\n{line}\n```"


def _parameters(arguments: ast.arguments) -> list[str]:
    """Return each parameter with its type and default."""
    positional = arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    shown = [_parameter(one, default) for one, default in zip(positional, defaults, strict=True)]
    if arguments.kwonlyargs:
        shown.append("*")
        shown += [
            _parameter(one, default) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ]
    return [*shown, *([f"**{_parameter(arguments.kwarg, None)}"] if arguments.kwarg else [])]


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    kind = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
    return f"{argument.arg}{kind}" + (f" = {_default(default)}" if default is not None else "")


def _default(default: ast.expr) -> str:
    """Return a default as it is written; a constant of ours by its value."""
    return repr(DEFAULT_METHOD) if ast.unparse(default) == "DEFAULT_METHOD" else ast.unparse(default)


def _attributes(value: type) -> list[str]:
    """Return a row for each field of a dataclass: its name, its type, and the string below it."""
    body = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
    assert isinstance(body, ast.ClassDef)
    rows = []
    for node, after in zip(body.body, [*body.body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        kind = ast.unparse(node.annotation).replace("|", "\\|")
        rows.append(f"| `{node.target.id}` | `{kind}` | {' '.join(str(said).split()).replace('|', chr(92) + '|')} |")
    return rows
