"""A chat model that a program hands over as a LangChain object: used as the models of settings are, through the same
limits, cache and ledger."""

import copy
import re
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.base.errors import ModelError
from pipeline.base.ids import content_id, dump
from pipeline.base.settings import ModelSettings
from pipeline.language.transport.providers import Client

GIVEN = "given"
"""The name of a given model where settings name none that it takes the place of."""
_NOT_SHAPING = re.compile(
    r"key\Z|token\Z|secret|password|credential|header|cookie|url|endpoint|api_base|host|proxy|timeout|retr(?:y|ies)|client"
    r"|organi[sz]ation|project|stream|callback|verbose|cache|batch",
    re.IGNORECASE,
)
"""Names of parameters that do not shape what a model replies: secrets, where the server is, how a call is made."""
_KNOWN = re.compile(r"temperature|top_[pk]|seed|penalty|tokens|stop|reason|think|effort|num_|format|kwargs|body")
"""Names of parameters that are looked at each time, since programs change them on a model that was in use."""
_seen: dict[int, tuple["weakref.ref[Any]", dict[str, Any]]] = {}


@dataclass(frozen=True)
class GivenModel:
    """A LangChain chat model, which a program has built with keys and parameters of its own."""

    chat: Any

    def __post_init__(self) -> None:
        from langchain_core.language_models import BaseChatModel

        if not isinstance(self.chat, BaseChatModel):
            kind = f"{type(self.chat).__module__}.{type(self.chat).__qualname__}"
            raise ModelError(
                f"the model that was given is a {kind}",
                "it has to be a LangChain chat model (a subclass of BaseChatModel), such as ChatOpenAI",
                "give the chat model itself, without bind, with_retry, with_structured_output or a parser behind it",
            )

    @property
    def name(self) -> str:
        """The name of the model, or of its class where it has none."""
        for attribute in ("model_name", "model", "model_id", "deployment_name"):
            name = getattr(self.chat, attribute, None)
            if isinstance(name, str) and name:
                return name
        return type(self.chat).__name__

    def settings(self, named: ModelSettings | None) -> ModelSettings:
        """Return the settings that it is used under: limits and prices are those of ``named``, where there are any."""
        own: dict[str, Any] = {"provider": _class_name(self.chat), "model": self.name}
        if named is None or "structured" not in named.model_fields_set:
            own["structured"] = self._structured
        content = named.model_dump(exclude_unset=True) if named else {}
        return ModelSettings.model_validate({**content, **own})

    def shaping(self) -> dict[str, str]:
        """Return what shapes its replies: its class, its name, and a hash of its parameters without secrets."""
        parameters = dump([_as_first_seen(self.chat), _parameters(self.chat, _KNOWN.search)])
        return {"provider": _class_name(self.chat), "model": self.name, "parameters": content_id(parameters)}

    def client(self) -> Client:
        """Return the client through which it is asked."""
        return Client(self.chat, "openai" if self._speaks_openai else "given")

    @property
    def _structured(self) -> Literal["json_schema", "function_calling", "json_mode"]:
        """How it is asked for structured replies: as its kind can; a model without tools is asked for JSON in words."""
        from langchain_core.language_models import BaseChatModel

        if self._speaks_openai:
            return "json_schema"
        overridden = ("bind_tools", "with_structured_output")
        able = any(getattr(type(self.chat), name) is not getattr(BaseChatModel, name) for name in overridden)
        return "function_calling" if able else "json_mode"

    @property
    def _speaks_openai(self) -> bool:
        return any(kind.__module__.startswith("langchain_openai.") for kind in type(self.chat).__mro__)


def _as_first_seen(chat: Any) -> dict[str, Any]:
    """Return the parameters of a model as they were when this process first met it: what counts its calls, or notes its
    questions, among its fields is no parameter."""
    known = _seen.get(id(chat))
    if known is None or known[0]() is not chat:
        known = _seen[id(chat)] = weakref.ref(chat), copy.deepcopy(_parameters(chat, lambda name: True))
    return known[1]


def _parameters(chat: Any, wanted: Callable[[str], object]) -> dict[str, Any]:
    """Return the plain values among a model's own fields; secrets, addresses and clients shape no reply."""
    from langchain_core.language_models import BaseChatModel

    fields: Mapping[str, Any] = vars(chat)
    own = [name for name in type(chat).model_fields if name not in BaseChatModel.model_fields and name in fields]
    return {
        name: fields[name] for name in own if wanted(name) and not _NOT_SHAPING.search(name) and _plain(fields[name])
    }


def _class_name(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _plain(value: object) -> bool:
    """Return whether a value is one that JSON writes: clients and functions are no parameters."""
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _plain(item) for key, item in value.items())
    if isinstance(value, list | tuple):
        return all(map(_plain, value))
    return value is None or isinstance(value, str | int | float | bool)
