"""The OpenAPI document, made from the declarations of the endpoints."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, TypeAdapter

from pipeline import __version__
from pipeline.web.endpoint import Endpoint

REFERENCES = "#/components/schemas/{model}"

ERROR = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["cause", "consequence", "fix"],
            "additionalProperties": False,
            "properties": {name: {"type": "string"} for name in ("cause", "consequence", "fix")},
        }
    },
}


def openapi(endpoints: Iterable[Endpoint], prefix: str) -> dict[str, Any]:
    """Return the description of the API, version 3.1, whose paths are under ``prefix``."""
    schemas: dict[str, Any] = {"Error": ERROR}
    paths: dict[str, Any] = {}
    for one in endpoints:
        paths.setdefault(prefix + one.path, {})[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "graphstrata",
            "version": __version__,
            "description": "Indexes as JSON: the map, themes, entities, documents, tables, and questions to them. Where the "
            "server was started with a token, every request needs it.",
        },
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(one: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": one.name, "summary": one.help, "parameters": _parameters(one, schemas)}
    if one.body is not None:
        content = {"application/json": {"schema": _schema(one.body, schemas)}}
        operation["requestBody"] = {"required": True, "content": content}
    reply = {"description": one.help, "content": {one.media: {"schema": _schema(one.reply, schemas)}}}
    error = {
        "description": "What was found, what follows from it, and what to do.",
        "content": {"application/json": {"schema": {"$ref": REFERENCES.format(model="Error")}}},
    }
    operation["responses"] = {"200": reply, "default": error}
    return operation


def _parameters(one: Endpoint, schemas: dict[str, Any]) -> list[dict[str, Any]]:
    described = _schema(one.parameters, {})
    properties, required = described.get("properties", {}), described.get("required", [])
    schemas |= described.get("$defs", {})
    found = []
    if "{project}" in one.path:
        schema = {"type": "string"}
        found.append({"name": "project", "in": "path", "required": True, "schema": schema, "description": "project id"})
    for name, schema in properties.items():
        schema = {key: value for key, value in schema.items() if key != "title"}
        help = schema.pop("description", "")
        place = "path" if name in one.in_path else "query"
        found.append({"name": name, "in": place, "required": name in required, "schema": schema, "description": help})
    return found


def _schema(type_: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type; what it refers to by name goes into ``schemas``."""
    mode = "validation" if isinstance(type_, type) and issubclass(type_, BaseModel) else "serialization"
    schema = TypeAdapter(type_).json_schema(ref_template=REFERENCES, mode=mode)  # type: ignore[arg-type]
    schemas |= schema.pop("$defs", {})
    return schema
