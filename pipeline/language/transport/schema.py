"""A pydantic reply as the JSON schema that servers with strict structured output take."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from pipeline.base.errors import PlanError

_IN_WORDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "above {}",
    "exclusiveMaximum": "below {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "pattern": "matching {}",
    "format": "as {}",
}
"""Bounds that not every server's decoder knows: they are described in words, and checked when the reply comes."""


def strict_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of ``reply``: every field required, no other allowed, references inlined, bounds in words.

    Descriptions are those of the fields. Raises PlanError for what strict output cannot express: free-form mappings,
    tuples of mixed types, fields of any type, and replies that are not objects.
    """
    made = reply.model_json_schema()
    schema = _convert(made, made.get("$defs", {}), (), reply.__name__)
    if schema.get("type") != "object":
        raise PlanError(f"reply {reply.__name__}: a reply must be an object with fields")
    used = _references(schema)
    if used:
        # What refers to itself cannot be inlined.
        definitions = made["$defs"]
        names = sorted(_closure(used, definitions))
        schema["$defs"] = {name: _convert(definitions[name], definitions, (name,), name) for name in names}
    return schema


def _convert(part: Mapping[str, Any], defs: Mapping[str, Any], inside: tuple[str, ...], where: str) -> dict[str, Any]:
    """Convert one part of a schema; ``inside`` names the definitions that are being inlined around it."""
    if "$ref" in part:
        name = str(part["$ref"]).rsplit("/", 1)[-1]
        if name in inside:
            return {"$ref": part["$ref"]}
        merged = {**defs[name], **{key: value for key, value in part.items() if key != "$ref"}}
        return _convert(merged, defs, (*inside, name), where)
    if len(part.get("allOf", ())) == 1:
        rest = {key: value for key, value in part.items() if key != "allOf"}
        return _convert({**part["allOf"][0], **rest}, defs, inside, where)
    made: dict[str, Any] = {}
    for key in ("type", "description", "enum"):
        if key in part:
            made[key] = part[key]
    if "const" in part:
        made["enum"] = [part["const"]]
    for union in ("anyOf", "oneOf"):
        if union in part:
            made["anyOf"] = [_convert(option, defs, inside, where) for option in part[union]]
    _nest(made, part, defs, inside, where)
    if not {"type", "enum", "anyOf"} & set(made):
        raise PlanError(f"reply {where}: a field of any type cannot be requested of a model; give it a type")
    bounds = ", ".join(words.format(part[key]) for key, words in _IN_WORDS.items() if key in part)
    if bounds:
        made["description"] = f"{made['description']} ({bounds})" if "description" in made else bounds
    return made


def _nest(
    made: dict[str, Any], part: Mapping[str, Any], defs: Mapping[str, Any], inside: tuple[str, ...], where: str
) -> None:
    """Convert the fields of an object and the items of a list."""
    if part.get("type") == "object":
        if part.get("additionalProperties") not in (None, False) or "properties" not in part:
            raise PlanError(f"reply {where}: a free-form mapping cannot be requested of a model; use a list of pairs")
        made["properties"] = {
            name: _convert(field, defs, inside, f"{where}.{name}") for name, field in part["properties"].items()
        }
        made["required"] = list(part["properties"])
        made["additionalProperties"] = False
    if part.get("type") == "array":
        if "prefixItems" in part or "items" not in part:
            raise PlanError(f"reply {where}: a tuple cannot be requested of a model; use a list or an object")
        made["items"] = _convert(part["items"], defs, inside, where)


def _references(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {name for item in schema for name in _references(item)}
    if not isinstance(schema, dict):
        return set()
    found = {str(schema["$ref"]).rsplit("/", 1)[-1]} if isinstance(schema.get("$ref"), str) else set()
    return found | {name for item in schema.values() for name in _references(item)}


def _closure(names: set[str], defs: Mapping[str, Any]) -> set[str]:
    """Return ``names`` and every definition that they lead back to without being inlined."""
    found: set[str] = set()
    while left := names - found:
        name = min(left)
        found.add(name)
        names = names | _references(_convert(defs[name], defs, (name,), name))
    return found
