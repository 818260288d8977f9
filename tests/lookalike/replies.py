"""Valid replies made from a JSON schema, the same for the same question, and vectors made from a text."""

import json
import math
from hashlib import blake2b
from typing import Any


def schema_of(body: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema that a request names, by response format or by tool; None when it names none."""
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        return dict(form["json_schema"]["schema"])
    if body.get("tools"):
        return dict(body["tools"][0]["function"]["parameters"])
    if form.get("type") == "json_object":
        # No schema travels in JSON mode but the one that the system text ends with, where a product writes it there.
        last = body["messages"][0]["content"].rpartition("\n")[2]
        return dict(json.loads(last)) if last.startswith("{") else None
    return None


def valid(schema: dict[str, Any], seed: str) -> Any:
    """Return a value that fits ``schema``: two items in every list, words from ``seed`` in every text."""
    return _value(schema, schema.get("$defs", {}), seed, 0)


def _value(schema: dict[str, Any], defs: dict[str, Any], seed: str, depth: int) -> Any:
    if "$ref" in schema:
        return _value(defs[schema["$ref"].rsplit("/", 1)[-1]], defs, seed, depth)
    for union in ("anyOf", "allOf"):
        if union in schema:
            return _value(schema[union][0], defs, seed, depth)
    if "enum" in schema:
        return schema["enum"][_number(seed) % len(schema["enum"])]
    if "const" in schema:
        return schema["const"]
    kind = schema["type"][0] if isinstance(schema["type"], list) else schema["type"]
    if kind == "object":
        return {
            name: _value(part, defs, f"{seed}/{name}", depth + 1) for name, part in schema.get("properties", {}).items()
        }
    if kind == "array":
        count = 2 if depth < 6 else 0
        return [_value(schema["items"], defs, f"{seed}/{i}", depth + 1) for i in range(count)]
    plain: dict[str, Any] = {
        "string": f"words {_number(seed) % 1000} of {seed.rsplit('/', 1)[-1]}",
        "integer": 1 + _number(seed) % 9,
        "number": 0.5 + _number(seed) % 9,
        "boolean": bool(_number(seed) % 2),
        "null": None,
    }
    return plain[kind]


def vector(text: str, size: int) -> list[float]:
    """Return a vector that depends on ``text`` alone, not of unit length."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    return [math.sin(digest[i % 32] + i) for i in range(size)]


def tokens(text: object) -> int:
    """Return the tokens that this server counts for ``text``: one for every four bytes."""
    written = text if isinstance(text, str) else json.dumps(text)
    return 1 + len(written.encode("utf-8", "surrogatepass")) // 4


def _number(seed: str) -> int:
    return int.from_bytes(blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")
