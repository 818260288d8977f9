"""A proposal as changes of settings.yaml and of prompt files: as a diff, and written; comments stay where they are."""

import difflib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.base.errors import SettingsError, meant
from pipeline.base.settings import SETTINGS_FILE, Settings, parse_settings, read_own_text
from pipeline.base.storage.disk import disk_errors, write_whole
from pipeline.language.tasks.registry import TASKS
from pipeline.language.transport.custom_prompts import read_prompt
from pipeline.runner.tuning.proposal import Proposal

PROMPTS_FOLDER = "prompts"
_ON_ONE_LINE = 12


@dataclass(frozen=True)
class ProposedChanges:
    """The content of each file before and after; a file that is not there yet is empty before."""

    files: dict[str, tuple[str, str]]

    def diff(self) -> str:
        """Return a unified diff of all files; empty where nothing changes."""
        parts = []
        for name, (before, after) in self.files.items():
            lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), name, name, n=1)
            parts.append("".join(lines))
        return "".join(parts)

    def write(self, root: Path) -> list[str]:
        """Write the files that change, and return their names."""
        written = []
        for name, (before, after) in self.files.items():
            if before != after:
                path = root / name
                with disk_errors(path):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_whole(path, after.encode("utf-8"))
                written.append(name)
        return written


def changes_of(proposal: Proposal, settings: Settings, root: Path) -> ProposedChanges:
    """Return the changes that a proposal makes in the project at ``root``, those of prompts unless there is an own one already.
    What settings have stopped stays stopped."""
    values: dict[str, dict[str, object]] = {"graph": {"entity_types": list(proposal.entity_types)}}
    stops = [*settings.extraction.stop_phrases, *proposal.stop_phrases]
    values["extraction"] = {"stop_phrases": list(dict.fromkeys(stops))}
    if proposal.claims:
        values["claims"] = {"about": proposal.claims}
    files = {}
    tuned = "extract_all" if settings.extraction.one_pass else "extract_graph"
    own = settings.tasks.get(tuned)
    if (proposal.examples or proposal.domain) and (own is None or own.prompt is None):
        name = f"{PROMPTS_FOLDER}/{tuned}.txt"
        values["tasks"] = {tuned: {"prompt": name}}
        before = read_own_text(root / name) or ""
        files[name] = (before, _prompt(tuned, proposal))
    before = read_own_text(root / SETTINGS_FILE) or ""
    return ProposedChanges({SETTINGS_FILE: (before, edited(before, values)), **files})


def edited(content: str, values: dict[str, dict[str, object]]) -> str:
    """Return settings.yaml with these values in it, whatever else it holds as it was; SettingsError where it does not fit."""
    import yaml
    from ruamel.yaml import YAML

    editor = YAML()
    editor.preserve_quotes = True
    editor.width = 10_000
    editor.representer.add_representer(type(None), _null)
    loaded = editor.load(content) or {}
    for section, changes in values.items():
        if not isinstance(loaded.get(section), dict):
            loaded[section] = {}
        for key, value in changes.items():
            known = loaded[section].get(key)
            if isinstance(value, dict) and isinstance(known, dict):
                known.update(value)
            else:
                loaded[section][key] = _written(value)
    written = io.StringIO()
    editor.dump(loaded, written)
    parse_settings(yaml.safe_load(written.getvalue()), SETTINGS_FILE)
    return written.getvalue()


def _null(representer: Any, value: None) -> Any:
    return representer.represent_scalar("tag:yaml.org,2002:null", "null")


def _written(value: object) -> object:
    """Return a value as settings.yaml shows it: short lists on one line."""
    if not isinstance(value, list) or len(value) > _ON_ONE_LINE:
        return value
    from ruamel.yaml.comments import CommentedSeq

    listed = CommentedSeq(value)
    listed.fa.set_flow_style()
    return listed


def default_prompt(task: str) -> str:
    """Return the default prompt of a task as a file of an own one holds it; SettingsError for a task without one."""
    known = TASKS.get(task)
    if known is None or known.prompt is None:
        names = [name for name, one in TASKS.items() if one.prompt]
        raise SettingsError(
            f"no prompt of a task {task!r}{meant(task, names, 0.5)}",
            "own prompts take the place of those that tasks have",
            "graphstrata prompts list shows them",
        )
    return f"{known.prompt.system}\n---\n{known.prompt.user}\n"


def checked_prompt(root: Path, file: str, task: str) -> None:
    """Raise SettingsError where the own prompt in ``file`` cannot be used for ``task``."""
    read_prompt(root, file, TASKS[task])


def _prompt(task: str, proposal: Proposal) -> str:
    """Return the default prompt of a task with the domain and the examples of entities and relationships behind it."""
    system, _, user = default_prompt(task).partition("\n---\n")
    parts = [system]
    if proposal.domain:
        parts.append(f"The texts speak above all of: {_literal(proposal.domain)}.")
    if proposal.examples:
        parts.append(
            "Entities and relationships of texts of this collection:\n\n"
            + "\n\n".join(map(_literal, proposal.examples))
        )
    return "\n\n".join(parts) + f"\n---\n{user}"


def _literal(text: str) -> str:
    """Return a text in which no brace opens a placeholder, and no line parts the prompt."""
    return text.replace("{", "{{").replace("}", "}}").replace("\n---\n", "\n- - -\n")
