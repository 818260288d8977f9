"""Own prompts: files named in settings, read and checked before the first call; and what settings put into prompts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.base.errors import SettingsError, meant
from pipeline.base.settings import Settings
from pipeline.base.task import Prompt, Task

SAME = {"language": "the language of the text", "answer_language": "the language of the question"}
"""What fills these placeholders unless settings name a language."""


def common(settings: Settings) -> dict[str, str]:
    """Return the fillings of the placeholders that settings fill."""
    return {
        **{name: settings.language.output or same for name, same in SAME.items()},
        "entity_types": ", ".join(settings.graph.entity_types),
    }


def own_prompts(settings: Settings, root: Path, tasks: Mapping[str, Task[Any, Any]]) -> dict[str, Prompt]:
    """Return the own prompts of settings by task; SettingsError for an unknown task, a file that cannot be read or
    lies outside ``root``, and placeholders that are not those of the task's prompt."""
    found = {}
    for name, own in settings.tasks.items():
        if name not in tasks:
            hint = meant(name, tasks, 0.5, "") or f"tasks: {', '.join(tasks)}"
            raise SettingsError(f"settings: unknown task tasks.{name}", "no such task exists", hint)
        if tasks[name].prompt is None:
            raise SettingsError(f"settings: tasks.{name}", "it is never put to a model", "take it out of settings")
        if own.prompt is not None:
            found[name] = read_prompt(root, own.prompt, tasks[name])
    return found


def read_prompt(root: Path, file: str, task: Task[Any, Any]) -> Prompt:
    """Return the own prompt of ``task`` that ``file`` holds, a path below ``root``; SettingsError where it cannot be used."""
    where = f"tasks.{task.name}.prompt {file}"
    path = (root / file).resolve()
    if not path.is_relative_to(root.resolve()):
        raise SettingsError(
            f"{where}: outside the project's folder", "only files of the project are read", "move it in"
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{where}: {error}", "it must be a text file in UTF-8", "fix the file or its name"
        ) from None
    lines = text.splitlines()
    if "---" not in (stripped := [line.strip() for line in lines]):
        raise SettingsError(
            f"{where}: no line of ---",
            "an own prompt is the system part, a line of ---, and the user part",
            "put the line in; the system part is above it, the user part below",
        )
    cut = stripped.index("---")
    return task.own_prompt("\n".join(lines[:cut]).strip(), "\n".join(lines[cut + 1 :]).strip(), where)
