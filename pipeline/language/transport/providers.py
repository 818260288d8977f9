"""Clients of model servers, built from settings: langchain-openai for its protocol and Azure, others by their package."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pipeline.base.errors import ModelError, meant
from pipeline.base.settings import ModelSettings
from pipeline.base.task import Prose
from pipeline.language.transport.api_keys import KEYLESS, read_key, redact
from pipeline.language.transport.structured import Form

OPENAI = "https://api.openai.com/v1"
"""Given explicitly, so that no variable of the environment sends questions elsewhere than settings say."""

_PROTOCOL = {"openai", "azure"}
_CHAT = {"anthropic": ("langchain_anthropic", "ChatAnthropic"), "ollama": ("langchain_ollama", "ChatOllama")}
_EMBEDDING = {"ollama": ("langchain_ollama", "OllamaEmbeddings")}


T = TypeVar("T")


@dataclass
class Client:
    """A LangChain chat model, and how a structured reply is requested."""

    chat: Any
    provider: str
    body: dict[str, Any] = field(default_factory=dict)
    """Fields of the request that langchain-openai would rename or drop."""
    http: Any = None

    @property
    def protocol(self) -> bool:
        """Whether this is a client of the standard protocol: openai, azure, and servers of one's own."""
        return self.provider in _PROTOCOL

    def sender(self, form: Form[Any], mode: str) -> Callable[[list[Any]], Awaitable[Any]]:
        """Return what sends messages and brings the model's message, requested as ``form`` says."""
        if not self.protocol:
            return self._foreign(form, mode)
        parameters = dict(form.parameters)
        if not getattr(self.chat, "use_responses_api", None):
            # As an extra field, response_format reaches the server as it is, and the reply comes back unread; as a
            # parameter, the client would parse it, raise on what it cannot parse, and take half as long again.
            extra = {key: parameters.pop(key) for key in ("response_format",) if key in parameters}
            parameters["extra_body"] = {**self.body, **extra}
        return lambda messages: self.chat.ainvoke(messages, **parameters)

    async def close(self) -> None:
        """Close the connections."""
        if self.http is not None:
            await self.http.aclose()

    def _foreign(self, form: Form[Any], mode: str) -> Callable[[list[Any]], Awaitable[Any]]:
        if form.task.reply is Prose or (mode == "json_mode" and self.provider != "ollama"):
            return lambda messages: self.chat.ainvoke(messages)
        described = form.task.reply.__doc__ or form.task.name
        schema = {"title": form.task.name, "description": described, **form.schema}
        bound = self.chat.with_structured_output(schema, method=mode, include_raw=True)

        async def ask(messages: list[Any]) -> Any:
            return (await bound.ainvoke(messages))["raw"]

        return ask


def messages_of(system: str, user: str) -> list[Any]:
    """Return the messages of a question."""
    from langchain_core.messages import HumanMessage, SystemMessage

    return [*([SystemMessage(system)] if system.strip() else []), HumanMessage(user)]


def chat_client(name: str, model: ModelSettings) -> Client:
    """Return the client of the chat model called ``name``; ModelError when its key, package or settings are amiss."""
    key = _key(name, model)
    if model.provider in _PROTOCOL:
        return _built(name, lambda: _protocol_chat(model, key))
    return _built(name, lambda: Client(_foreign_chat(name, model, key), model.provider))


def embedding_client(name: str, model: ModelSettings) -> tuple[Any, Any]:
    """Return (the LangChain embedding model, its HTTP client or None) of the model called ``name``."""
    key = _key(name, model)
    if model.provider in _PROTOCOL:
        return _built(name, lambda: _protocol_embedding(model, key))
    return _built(name, lambda: (_foreign_embedding(name, model, key), None))


def own_server(model: ModelSettings) -> bool:
    """Return whether the server is neither OpenAI's nor Azure's but one that speaks their protocol."""
    host = urlsplit(model.base_url or OPENAI).hostname or ""
    return model.provider == "openai" and not host.endswith(("openai.com", "azure.com"))


def _protocol_chat(model: ModelSettings, key: Any) -> Client:
    from langchain_openai import AzureChatOpenAI, ChatOpenAI
    from openai import DefaultAsyncHttpxClient

    # A client of our own: the default one is shared by all that live in this process, whatever their event loop.
    http = DefaultAsyncHttpxClient(timeout=model.timeout_seconds)
    common: dict[str, Any] = {
        "temperature": model.temperature,
        "seed": model.seed,
        "timeout": model.timeout_seconds,
        "max_retries": 0,
        "stream_usage": True,
        "http_async_client": http,
        "api_key": key or KEYLESS,
    }
    body: dict[str, Any] = {}
    if model.max_output_tokens is not None:
        # max_completion_tokens is what OpenAI takes now; other servers document max_tokens (Ollama knows no other).
        if own_server(model):
            body["max_tokens"] = model.max_output_tokens
        else:
            common["max_completion_tokens"] = model.max_output_tokens
    if model.provider == "azure":
        place = {"azure_endpoint": model.base_url, "azure_deployment": model.model, "api_version": model.api_version}
        return Client(_forgiving(AzureChatOpenAI)(**place, **common, azure_ad_token=None), "azure", body, http)
    chat = _forgiving(ChatOpenAI)(model=model.model, base_url=model.base_url or OPENAI, **common)
    return Client(chat, "openai", body, http)


@cache
def _forgiving(kind: Any) -> Any:
    """Return a subclass of a chat model of langchain-openai that takes a malformed ``usage`` for none.

    The original raises on it (TypeError, ValidationError), and the reply, which is paid for, would be lost.
    """

    class ForgivingChat(kind):  # type: ignore[misc]
        def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> Any:
            if isinstance(response, dict):
                response = response if _is_account(response.get("usage")) else {**response, "usage": None}
            elif not _is_account(response.usage):
                response.usage = None
            return super()._create_chat_result(response, generation_info)

        def _convert_chunk_to_generation_chunk(self, chunk: dict[str, Any], *given: Any) -> Any:
            chunk = chunk if _is_account(chunk.get("usage")) else {**chunk, "usage": None}
            return super()._convert_chunk_to_generation_chunk(chunk, *given)

    ForgivingChat.__name__ = kind.__name__
    return ForgivingChat


def _is_account(usage: Any) -> bool:
    """Return whether ``usage``, if there is any, has the form of the protocol: counts of tokens by their names."""
    if usage is None:
        return True
    given = usage if isinstance(usage, dict) else getattr(usage, "__dict__", None)
    if not isinstance(given, dict):
        return False
    counts = (given.get(name, 0) for name in ("prompt_tokens", "completion_tokens", "total_tokens"))
    details = (given.get(f"{name}_tokens_details") for name in ("prompt", "completion"))
    return all(isinstance(count, int) for count in counts) and not any(
        isinstance(one, str | list | int) for one in details
    )


def _protocol_embedding(model: ModelSettings, key: Any) -> tuple[Any, Any]:
    from langchain_openai import AzureOpenAIEmbeddings, OpenAIEmbeddings
    from openai import DefaultAsyncHttpxClient

    http = DefaultAsyncHttpxClient(timeout=model.timeout_seconds)
    common: dict[str, Any] = {
        "model": model.model,
        "api_key": key or KEYLESS,
        "timeout": model.timeout_seconds,
        "max_retries": 0,
        "check_embedding_ctx_length": False,
        "http_async_client": http,
    }
    if model.provider == "azure":
        place = {"azure_endpoint": model.base_url, "azure_deployment": model.model, "api_version": model.api_version}
        return AzureOpenAIEmbeddings(**place, **common, azure_ad_token=None), http
    common["base_url"] = model.base_url or OPENAI
    return OpenAIEmbeddings(**common), http


def _foreign_chat(name: str, model: ModelSettings, key: Any) -> Any:
    given: dict[str, Any] = {"model": model.model, "temperature": model.temperature, "base_url": model.base_url}
    if model.provider == "ollama":
        # Ollama cuts questions to num_ctx without a word, and loads the model for that length: so only when it is set.
        context = model.context_tokens if "context_tokens" in model.model_fields_set else None
        given |= {"seed": model.seed, "num_predict": model.max_output_tokens, "num_ctx": context}
        given["async_client_kwargs"] = {"timeout": model.timeout_seconds}
        if key is not None:
            given["async_client_kwargs"]["headers"] = {"Authorization": f"Bearer {key.get_secret_value()}"}
    else:
        given |= {"max_tokens": model.max_output_tokens, "timeout": model.timeout_seconds, "api_key": key}
        given["max_retries"] = 0
    given = {field: value for field, value in given.items() if value is not None}
    if model.provider in _CHAT:
        return _class(name, *_CHAT[model.provider])(**given)
    init = _of_langchain(name, model, "chat_models").init_chat_model
    return init(given.pop("model"), model_provider=model.provider, **given)


def _foreign_embedding(name: str, model: ModelSettings, key: Any) -> Any:
    own = _EMBEDDING.get(model.provider)
    given = {"model": model.model, "base_url": model.base_url, "api_key": None if own else key}
    given = {field: value for field, value in given.items() if value is not None}
    if own:
        return _class(name, *own)(**given)
    init = _of_langchain(name, model, "embeddings").init_embeddings
    return init(given.pop("model"), provider=model.provider, **given)


def _of_langchain(name: str, model: ModelSettings, module: str) -> Any:
    """Return a module of langchain, which knows further providers; ModelError where it is not installed."""
    if find_spec("langchain") is None:
        raise _no_package(name, model.provider, f"langchain langchain-{model.provider.replace('_', '-')}")
    return import_module(f"langchain.{module}")


def _class(name: str, package: str, kind: str) -> Any:
    if find_spec(package) is None:
        raise _no_package(name, package.removeprefix("langchain_"), package.replace("_", "-"))
    return getattr(import_module(package), kind)


def _built(name: str, build: Callable[[], T]) -> T:
    """Build a client; what its package objects to in the settings becomes a ModelError."""
    try:
        return build()
    except ImportError as error:
        found, fix = f"the model {name} cannot be used: {redact(error)}", "install the package that it names"
        raise ModelError(found, "its provider's package is not installed", fix) from None
    except (ValueError, TypeError) as error:
        found = f"the model {name} cannot be used: {redact(error)}"
        raise ModelError(found, "its client refuses these settings; no call was made", f"fix models.{name}") from None


def _key(name: str, model: ModelSettings) -> Any:
    """Return the key of a model; ModelError where it has none and needs one, or lacks what else its provider needs."""
    key = read_key(name, model)
    lacking = [setting for setting in ("base_url", "api_version") if getattr(model, setting) is None]
    if lacking and model.provider == "azure":
        raise ModelError(
            f"models.{name} is served by azure and lacks {' and '.join(lacking)}",
            "an Azure deployment is found by its endpoint (https://NAME.openai.azure.com) and API version",
            f"set models.{name}.{lacking[0]}; its model is the name of the deployment",
        )
    return key


def _no_package(name: str, provider: str, packages: str) -> ModelError:
    known = ("openai", "azure", *_CHAT)
    hint = "" if provider in known else meant(provider, known, before="; or ")
    return ModelError(
        f"the model {name} is served by {provider}, whose package is not installed",
        "graphstrata brings the clients of OpenAI, of servers of that protocol, and of Azure; others are extras",
        f"pip install {packages}{hint}",
    )
