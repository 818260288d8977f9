"""What an endpoint of the API is: a function whose parameters, body and reply are its own annotations, declared once.

From them come the checks of what is asked, and the OpenAPI document. The function runs in a thread, since it reads files
and counts; what it returns is written as JSON as it is.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from pipeline.base.errors import GraphstrataError, PlanError

LINES = "application/x-ndjson"
"""Media type of a reply that is written line by line, an object each."""


GIVEN = frozenset({"project", "projects", "questions", "body"})
"""Parameters that are no part of the address: the project, all of them, the questions under way, the request's body."""


class RequestError(GraphstrataError):
    """A request cannot be answered as it is; ``status`` says in HTTP's terms why."""

    status = HTTPStatus.BAD_REQUEST


class NotFoundError(RequestError):
    """There is no such row, project or page."""

    status = HTTPStatus.NOT_FOUND


class RefusedError(RequestError):
    """Whoever asks may not: the token is missing or wrong, or the request came by another site's page."""

    status = HTTPStatus.FORBIDDEN


class BusyError(RequestError):
    """As many requests as may be are being answered."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


class RequestModel(BaseModel):
    """What a request gives: nothing that is not declared, and errors repeat nothing of it."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


@dataclass(frozen=True, eq=False)
class Endpoint:
    """One path of the API under one method. ``parameters`` are those of path and query; ``body`` that of the request."""

    method: str
    path: str
    run: Callable[..., Any]
    parameters: type[BaseModel]
    in_path: frozenset[str]
    lists: frozenset[str]
    """Parameters that may be given more than once."""
    body: type[BaseModel] | None
    reply: Any
    """The type of the reply; of one line of it where it is written line by line."""
    media: str
    takes: frozenset[str]
    """Those of GIVEN that the function is called with."""
    at_once: int | None
    """How many requests of it are worked on at once, in threads of their own; None where it shares those of all others."""

    @property
    def name(self) -> str:
        """The name of the function, which is the operation's id."""
        return self.run.__name__

    @property
    def help(self) -> str:
        """What it answers, in a sentence or two."""
        return " ".join((self.run.__doc__ or "").split())

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters as the function takes them; RequestError for what does not fit."""
        try:
            model = self.parameters.model_validate(given)
        except ValidationError as error:
            raise misfit(error, "parameter") from error
        return {name: getattr(model, name) for name in self.parameters.model_fields}


def misfit(error: ValidationError, what: str) -> RequestError:
    """Return what does not fit a declaration, as an error for whoever asked."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = ".".join(str(part) for part in first["loc"]) or "the whole"
    found = f"{what} {name}: {first['msg']}"
    return RequestError(found, "the request was not carried out", "see /api/v1/openapi.json for what may be given")


Registry = list[Endpoint]


def endpoint(
    registry: Registry, method: str, path: str, media: str = "application/json", at_once: int | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as the endpoint at ``path``, whose parts in braces are parameters; ``{project}`` is the project.

    Parameters of GIVEN are handed over, ``body`` as a model that the request's JSON must fit; all others are of the path
    where it names them, and of the query. ``at_once`` is for what may take long: nobody else then waits for it. PlanError for a path without a parameter that it names.
    """

    def declare(run: Callable[..., Any]) -> Callable[..., Any]:
        hints = get_type_hints(run, include_extras=True)
        known = inspect.signature(run).parameters
        named = frozenset(re.findall(r"{(\w+)}", path)) - {"project"}
        if not named <= known.keys():
            raise PlanError(f"endpoint {path}: {run.__name__} lacks the parameters {sorted(named - known.keys())}")
        fields: dict[str, Any] = {}
        for name, parameter in known.items():
            if name not in GIVEN:
                default = ... if parameter.default is inspect.Parameter.empty else parameter.default
                fields[name] = (hints[name], default)
        registry.append(
            Endpoint(
                method=method,
                path=path,
                run=run,
                parameters=create_model(f"{run.__name__}_parameters", __base__=RequestModel, **fields),
                in_path=named,
                lists=frozenset(name for name, (hint, _) in fields.items() if _is_list(hint)),
                body=hints.get("body"),
                reply=hints["return"],
                media=media,
                takes=frozenset(GIVEN & known.keys()),
                at_once=at_once,
            )
        )
        return run

    return declare


def _is_list(hint: Any) -> bool:
    origin = get_origin(hint)
    if origin is not None and hasattr(hint, "__metadata__"):
        return _is_list(get_args(hint)[0])
    return origin in (list, tuple)


Offset = Field(0, ge=0, description="rows that are left out before the first")
Limit = Field(50, ge=1, le=500, description="most rows of one reply")
