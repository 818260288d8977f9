"""What a language task is: one question, one reply type, and two ways to it, by a model or without."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib import import_module
from string import Formatter
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from pipeline.base.errors import PlanError, SettingsError


@dataclass(frozen=True)
class Request:
    """What one question of a task is about; subclasses add fields.

    ``item`` names the row it concerns, for the ledger; it never shapes the reply. Of the other fields, those that the
    prompt names as ``{field}`` are shown to a model; the function without a model may use all of them.
    """

    item: str

    def shown(self, name: str) -> str:
        """Return the text of a field as the prompt shows it: texts, and what has a method ``as_line``, one a line; what has a
        method ``as_section`` with a blank line between them."""
        value = getattr(self, name)
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            if all(isinstance(one, str) for one in value):
                return "\n".join(value)
            if all(hasattr(one, "as_line") for one in value):
                return "\n".join(one.as_line() for one in value)
            if all(hasattr(one, "as_section") for one in value):
                return "\n\n".join(one.as_section() for one in value)
        return json.dumps(value, ensure_ascii=False, default=_plain)

    def content(self) -> dict[str, Any]:
        """Return all fields but ``item``: what shapes the offline reply."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "item"}


@dataclass(frozen=True)
class Failure:
    """Why a request has no reply, after ``attempts`` tries."""

    reason: str
    attempts: int = 1


ModelT = TypeVar("ModelT", bound=BaseModel)


def unchecked(model: type[ModelT], **values: Any) -> ModelT:
    """Return a reply of these values, all that it has, as they are: what a function of ours made need not be validated,
    which takes a third longer; pydantic's own way without validation looks at defaults and aliases and takes longer still."""
    made = object.__new__(model)
    _set_values(made, values)
    _set_names(made, {*values})
    _set_extra(made, None)
    _set_private(made, None)
    return made


_set_values, _set_names, _set_extra, _set_private = (
    vars(BaseModel)[name].__set__
    for name in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)
"""The slots of a model, which need not be found by their names each time."""


def one_question(written: str) -> str:
    """Return a question on one line; ValueError for an empty one, which is no reply."""
    question = " ".join(written.split())
    if not question:
        raise ValueError("the question is empty")
    return question


def short_ids(given: Iterable[str]) -> list[str]:
    """Return the short ids that a model gave, each once: without brackets around them, several in one text apart; what holds
    none as it is."""
    return list(dict.fromkeys(id for text in given for id in _SHORT_ID.findall(text.lower()) or [text]))


_SHORT_ID = re.compile(r"(?<![^\W_])[a-z]\d+(?:\.\d+)*(?![^\W_])")


class Prose(BaseModel):
    """The reply of tasks that answer in free text: no structure is requested, and the words can be streamed."""

    text: str


NOT_SAID = "The corpus does not say."
"""How an answer opens when nothing that it was given supports one."""
NOT_SAID_OF = NOT_SAID.rstrip(".")
"""How a sentence may open that names the part of a question that nothing answers, as prompts of one's own may ask for it."""
GAP = "x0"
"""What such a sentence has in place of ids of evidence, in whatever language it is written."""


@dataclass(frozen=True)
class Prompt:
    """The two parts of what a model is sent, ``system`` and ``user``; ``{field}`` means a field of the request."""

    system: str
    user: str

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The request's fields that the prompt shows, in order of first use."""
        named = [name for part in (self.system, self.user) for _, name, _, _ in Formatter().parse(part) if name]
        return tuple(dict.fromkeys(named))

    def render(self, values: Mapping[str, str]) -> tuple[str, str]:
        """Return system and user text; braces inside the values are left as they are."""
        return self.system.format_map(values), self.user.format_map(values)


RequestT = TypeVar("RequestT", bound=Request)
ReplyT = TypeVar("ReplyT", bound=BaseModel)


@dataclass(frozen=True)
class Task(Generic[RequestT, ReplyT]):
    """One question that the pipeline puts to language, whoever answers.

    ``offline`` answers without a model, as a pure function of the request. ``check`` looks at a reply in the light of its
    request (ids that were not offered, names that are not in the text) and returns the reply to use; it may raise
    ValueError with a reason, which counts as a reply that does not validate. With ``fallback``, a reply that the
    model failed to give is made by ``offline`` and marked so; without it the request fails. ``prompt`` None
    makes a task of statistics that is never put to a model; ``only_model`` one that only a model can add to, whose
    offline reply says nothing new and is not worth keeping. ``quick``: ``offline`` takes no longer than looking its reply up, which
    is therefore not stored, or than sending its request, which only many workers are worth.
    """

    name: str
    prompt: Prompt | None
    request: type[RequestT]
    reply: type[ReplyT]
    offline: Callable[[RequestT], ReplyT]
    check: Callable[[RequestT, ReplyT], ReplyT] | None = None
    fallback: bool = False
    only_model: bool = False
    quick: bool = False

    def __post_init__(self) -> None:
        if self.prompt is None:
            return
        known = {field.name for field in fields(self.request)} | COMMON
        unknown = [name for name in self.prompt.fields if name not in known]
        if unknown:
            raise PlanError(f"task {self.name}: its prompt names {unknown}, which its request does not have")

    def own_reply(self, request: RequestT) -> ReplyT:
        """Return the reply without a model, after the task's own check."""
        value = self.offline(request)
        return self.check(request, value) if self.check else value

    def render(
        self, request: RequestT, prompt: Prompt | None = None, common: Mapping[str, str] | None = None
    ) -> tuple[str, str]:
        """Return the system and user text for ``request``; ``prompt`` replaces the task's own, ``common`` fills COMMON."""
        used = prompt or self._prompted()
        common = common or {}
        values = {name: common[name] if name in common else _MARK.sub("‹", request.shown(name)) for name in used.fields}
        return used.render(values)

    def own_prompt(self, system: str, user: str, where: str) -> Prompt:
        """Return a prompt from settings after checking that it names only, and all, what the task's own prompt names."""
        try:
            prompt = Prompt(system, user)
            found = set(prompt.fields)
        except ValueError as error:
            raise SettingsError(
                f"{where}: {error}", "a brace opens a placeholder", "write {{ and }} for braces that are meant as such"
            ) from error
        expected = set(self._prompted().fields) - COMMON
        if found - COMMON != expected:
            raise SettingsError(
                f"{where}: its placeholders are {_braced(found - COMMON)}",
                f"the task {self.name} fills {_braced(expected)}",
                "name each of these, and no other",
            )
        return prompt

    def _prompted(self) -> Prompt:
        if self.prompt is None:
            raise SettingsError(
                f"task {self.name} has no prompt", "it is never put to a model", "take it out of settings"
            )
        return self.prompt


def _braced(names: Iterable[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"


def own_replies(module: str, task: str, requests: Sequence[Request]) -> list[str]:
    """Return the replies without a model, as JSON, of a task that ``module`` declares: what a worker is sent, which imports
    that module and what it needs, and no more of the program."""
    declared = (value for value in vars(import_module(module)).values() if isinstance(value, Task))
    found = next(value for value in declared if value.name == task)
    return [found.own_reply(request).model_dump_json() for request in requests]


_UNSEEN = (
    r"[\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]*+"
)
"""Invisible characters: space, controls, marks of direction, joiners, variation selectors, tags."""
_MARK = re.compile(rf"[<\uff1c\ufe64](?={_UNSEEN}(?:[/\uff0f]{_UNSEEN})?{_UNSEEN.join('material')})", re.IGNORECASE)
"""How the marks that prompts put around material open, also with unseen characters among their letters: in what is
shown another bracket is in their place, so that no text ends the material around it."""

COMMON = {"language", "answer_language", "entity_types"}
"""Placeholders that settings fill, for every task: the language of replies to texts and to questions, and the entity types."""


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump()
    if hasattr(value, "_asdict"):
        return value._asdict()
    raise TypeError(f"{type(value).__name__} cannot be shown in a prompt")
