"""Clients are built as each provider documents, and what is lacking is an error before any call."""

import pytest

from pipeline.base.errors import ModelError
from pipeline.base.settings import ModelSettings, parse_settings
from pipeline.language.backends.chat import chat_backends
from pipeline.language.ledger import Ledger
from pipeline.language.transport.providers import chat_client, embedding_client
from tests.language_cases import READ, TASKS, answered, chunks
from tests.lookalike import LookAlike


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER_KEY", "sk-canary-provider-1")


def model(**given: object) -> ModelSettings:
    return ModelSettings.model_validate({"model": "m", "api_key_env": "PROVIDER_KEY", **given})


def test_openai_is_asked_at_its_own_address_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    client = chat_client("big", model(max_output_tokens=50))
    assert str(client.chat.root_async_client.base_url) == "https://api.openai.com/v1/"
    assert client.chat.max_tokens == 50 and client.chat.max_retries == 0 and client.body == {}
    embeddings, _ = embedding_client("e", model(kind="embedding"))
    assert embeddings.openai_api_base == "https://api.openai.com/v1" and not embeddings.check_embedding_ctx_length


def test_no_key_is_in_the_repr_of_a_client() -> None:
    assert "canary" not in repr(chat_client("big", model()))


@pytest.mark.parametrize("lacking", ["base_url", "api_version"])
def test_azure_needs_an_endpoint_and_a_version(lacking: str) -> None:
    given = {"base_url": "https://x.openai.azure.com", "api_version": "2024-10-21"}
    del given[lacking]
    with pytest.raises(ModelError, match=lacking):
        chat_client("az", model(provider="azure", **given))


def test_azure_is_asked_at_its_deployment_with_its_own_header() -> None:
    with LookAlike(models=("deployed",)) as server:
        given = model(
            provider="azure", model="deployed", base_url=server.url.removesuffix("/v1"), api_version="2024-10-21"
        )
        content = {"models": {"az": given.model_dump(exclude_none=True)}, "language": {"default": "az"}}
        backend, _ = chat_backends(parse_settings(content), Ledger(), tasks=TASKS)
        assert backend is not None
        ((_, reply),) = answered(backend, READ, chunks(1))
        backend.close()
        assert server.headers[0]["api-key"] == "sk-canary-provider-1" and server.calls == 1
    assert reply.attempts == 1


def test_a_provider_without_its_package_is_an_error_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.language.transport.providers.find_spec", lambda name: None)
    with pytest.raises(ModelError) as error:
        chat_client("big", model(provider="anthropic"))
    assert error.value.fix == "pip install langchain-anthropic"
    with pytest.raises(ModelError) as error:
        chat_client("big", model(provider="oepnai"))
    assert error.value.fix.endswith("did you mean openai?")


@pytest.mark.parametrize("structured", ["json_schema", "function_calling"])
def test_anthropic_is_built_with_its_key_and_without_its_own_retries(structured: str) -> None:
    pytest.importorskip("langchain_anthropic")
    client = chat_client("big", model(provider="anthropic", model="claude-sonnet-5", max_output_tokens=900))
    assert client.chat.max_retries == 0 and client.chat.max_tokens == 900 and "canary" not in repr(client.chat)


def test_ollama_is_built_without_a_key() -> None:
    pytest.importorskip("langchain_ollama")
    given = {"provider": "ollama", "api_key_env": None, "context_tokens": 16000, "base_url": "http://127.0.0.1:9"}
    client = chat_client("small", model(**given))
    assert client.chat.num_ctx == 16000 and client.chat.base_url == "http://127.0.0.1:9"
