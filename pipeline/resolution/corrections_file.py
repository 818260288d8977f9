"""The file corrections.yaml: read with suspicion, and written so that comments and order stay where they are."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import SettingsError
from pipeline.base.settings import read_own_text, read_yaml
from pipeline.base.storage.disk import disk_errors, write_whole
from pipeline.resolution.corrections import Correction, Corrections, Merge, Rename, Retype, Split

if TYPE_CHECKING:
    from ruamel.yaml.comments import CommentedMap

CORRECTIONS_FILE = "corrections.yaml"
"""The file's name, beside settings.yaml."""
HEADER = (
    "# Corrections of names. They overrule rules and models in every run: graphstrata names --help\n"
    "# merge: {names, into}; split: {name, from}; rename: {entity, to}; retype: {entity, type}\n"
)
FORMS: dict[str, tuple[tuple[str, str], Callable[..., Correction]]] = {
    "merge": (("names", "into"), lambda names, into: Merge(tuple(names), into)),
    "split": (("name", "from"), Split),
    "rename": (("entity", "to"), Rename),
    "retype": (("entity", "type"), lambda entity, type: Retype(entity, type.upper())),
}
"""The two keys of an entry of each kind, and how it is made of them."""


def read_corrections(path: Path) -> Corrections:
    """Return the corrections of the file at ``path``, none where there is no file; SettingsError for what cannot be used."""
    text = read_own_text(path)
    return Corrections() if text is None else parse_corrections(text, path.name)


def parse_corrections(text: str, where: str = CORRECTIONS_FILE) -> Corrections:
    """Return the corrections in a YAML text; SettingsError names the entry that does not fit."""
    content = read_yaml(text, where)
    content = {} if content is None else content
    unknown = sorted(map(str, set(content) - set(FORMS))) if isinstance(content, dict) else [type(content).__name__]
    if unknown:
        raise SettingsError(
            f"{where}: {', '.join(unknown)} is no kind of correction",
            f"the kinds are {', '.join(FORMS)}, each with a list of entries",
            "name one of these, or take the entry out",
        )
    found = [
        _entry(entry, kind, f"{where}: {kind}, entry {number}")
        for kind in FORMS
        for number, entry in enumerate(_listed(content.get(kind), f"{where}: {kind}"), 1)
    ]
    try:
        return Corrections.of(*found)
    except ValueError as error:
        raise SettingsError(
            f"{where}: {error}", "corrections must not contradict each other", "keep one of them"
        ) from error


def _listed(value: object, where: str) -> Sequence[object]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise SettingsError(
            f"{where} holds a {type(value).__name__}", "it must hold a list of entries", "begin each with -"
        )
    return value


def _entry(entry: object, kind: str, where: str) -> Correction:
    keys, make = FORMS[kind]
    if not isinstance(entry, dict) or set(entry) != set(keys):
        found = ", ".join(map(str, entry)) if isinstance(entry, dict) else repr(entry)
        raise SettingsError(
            f"{where} holds {found}", f"an entry has the keys {' and '.join(keys)}", "write both, no other"
        )
    first, second = entry[keys[0]], entry[keys[1]]
    texts = first if kind == "merge" and isinstance(first, list) else [first]
    for text in (*texts, second):
        if not isinstance(text, str) or not text.strip():
            raise SettingsError(
                f"{where}: {text!r} is no name", "names are texts that are not blank", "put it in quotes"
            )
    if kind == "merge" and not isinstance(first, list):
        raise SettingsError(f"{where}: names is {first!r}", "it must be a list", "write it as [one name, another]")
    return make(first, second)


def write_corrections(path: Path, corrections: Corrections) -> None:
    """Write ``corrections`` to ``path`` in place of those in it, by one swap of the file.

    Entries that stay are left as they are written, with their comments; new ones come after them, in the given order;
    kinds come in the order of FORMS. SettingsError for a file that cannot be read as corrections.
    """
    read_corrections(path)
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    editor = YAML()
    editor.width = 4096
    editor.indent(mapping=2, sequence=4, offset=2)
    try:
        written = path.read_text(encoding="utf-8-sig") if path.exists() else HEADER
        content = editor.load(written)
        if content is None:  # comments alone
            content = editor.load(f"{written}\n{{}}\n")
    except YAMLError as error:
        raise SettingsError(f"{path.name}: {error}", "it is not valid YAML", "fix that line") from error
    content.fa.set_block_style()
    for kind in FORMS:
        _write_kind(content, kind, [one for one in corrections if type(one).__name__.lower() == kind])
    text = io.StringIO()
    editor.dump(content, text)
    with disk_errors(path.parent):
        write_whole(path, text.getvalue().encode())


def _write_kind(content: "CommentedMap", kind: str, wanted: Sequence[Correction]) -> None:
    """Edit the entries of one kind in place: what is not wanted goes or takes other names, what is missing is appended."""
    entries = content.get(kind)
    if entries is None:
        if not wanted:
            return
        before = [other for other in FORMS if other in content and list(FORMS).index(other) < list(FORMS).index(kind)]
        content.insert(len(before), kind, entries := [])
    present = [_entry(dict(entry), kind, kind) for entry in entries]
    missing = [one for one in wanted if one not in present]
    for place in reversed(range(len(present))):
        old = present[place]
        if old in wanted:
            continue
        new = next((one for one in missing if isinstance(one, Merge) and one.into == old.into), None)  # type: ignore[union-attr]
        if new is None:
            del entries[place]
        else:
            missing.remove(new)
            entries[place].update(_as_entry(new, kind))
    entries += [_as_entry(correction, kind) for correction in missing]
    if not entries:
        del content[kind]


def _as_entry(correction: Correction, kind: str) -> dict[str, Any]:
    from ruamel.yaml.comments import CommentedSeq

    keys, _ = FORMS[kind]
    if isinstance(correction, Merge):
        names = CommentedSeq(correction.names)
        names.fa.set_flow_style()
        return dict(zip(keys, (names, correction.into), strict=True))
    return dict(zip(keys, vars(correction).values(), strict=True))
