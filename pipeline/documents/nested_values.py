"""Groups and lists among the values of a record: each value under one name, such as "address.city", or in words."""

from collections.abc import Mapping
from typing import Any

from pipeline.documents.parsed import Scalar, name_of, scalar

DEEPEST = 4
"""Levels of groups and lists that are read; what is deeper is left out, and counted."""
_NESTED = (list, tuple, dict, set)


def unnested(record: Mapping[str, Any], whole: str | None) -> Mapping[str, Any]:
    """Return a record with each value of a group under a name of its own, the group's name and its own with a full stop between them;
    the value ``whole``, of the column that holds the text, as it is. An empty group is no value."""
    if not any(isinstance(value, dict) for value in record.values()):
        return record
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and name != whole:
            found |= {key: one for key, one in _members(name_of(name), value, 1).items() if key not in record}
        else:
            found[name] = value
    return found


def in_words(value: Any) -> Scalar:
    """Return a value as it is written in one cell: the values of a list, or of a group with their names, as a text; those of a set in
    the order of their texts. None where it holds something deeper than DEEPEST."""
    if not isinstance(value, _NESTED):
        return scalar(value)
    try:
        return _written(value, DEEPEST)
    except _TooDeepError:
        return None


class _TooDeepError(ValueError):
    """A value has more levels than are read."""


def _members(name: str, group: Mapping[Any, Any], level: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in group.items():
        own = f"{name}.{name_of(key)}"
        if isinstance(value, dict) and level < DEEPEST:
            found |= _members(own, value, level + 1)
        else:
            found[own] = value
    return found


def _written(value: Any, levels: int) -> str:
    if not isinstance(value, _NESTED):
        return name_of(scalar(value))
    if levels == 0:
        raise _TooDeepError
    if isinstance(value, dict):
        return ", ".join(f"{name_of(key)}: {_written(one, levels - 1)}" for key, one in value.items())
    items = [_written(one, levels - 1) for one in value]
    apart = "; " if any(isinstance(one, _NESTED) for one in value) else ", "
    return apart.join(sorted(items) if isinstance(value, set) else items)
