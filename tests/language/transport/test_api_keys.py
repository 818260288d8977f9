"""Keys: an error at once when they are no keys, never shown anywhere."""

import pytest

from pipeline.base.errors import ModelError
from pipeline.base.settings import ModelSettings
from pipeline.language.transport.api_keys import read_key, redact, shown_address

HOSTED = ModelSettings(model="gpt", api_key_env="A_KEY")


PLACEHOLDERS = (
    "<your key>|<API_KEY>|your-api-key|YOUR_OPENAI_API_KEY|sk-...|sk-xxxxxxxx|sk-|changeme|change me|xxxx|***|...|"
    "${OPENAI_API_KEY}|{{key}}|insert your key here|paste-key-here|none|TODO|sk-proj-...|my_api_key|two words|clé"
)


@pytest.mark.parametrize("value", PLACEHOLDERS.split("|"))
def test_a_placeholder_is_an_error_without_a_call(value: str) -> None:
    with pytest.raises(ModelError, match="A_KEY holds a placeholder"):
        read_key("big", HOSTED, {"A_KEY": value})


@pytest.mark.parametrize(
    "value", ["sk-proj-4f9aQ", "a1b2c3d4e5f6", "EMPTY", "test-key-1", "ollama", " sk-real-12345\n"]
)
def test_what_may_be_a_key_is_taken_for_one(value: str) -> None:
    key = read_key("big", HOSTED, {"A_KEY": value})
    assert key is not None and key.get_secret_value() == value.strip()


def test_a_missing_and_an_empty_variable_have_different_messages() -> None:
    with pytest.raises(ModelError, match="A_KEY is not set"):
        read_key("big", HOSTED, {})
    with pytest.raises(ModelError, match="A_KEY is empty"):
        read_key("big", HOSTED, {"A_KEY": "  "})


def test_what_to_do_without_a_key_is_nothing_that_is_redacted() -> None:
    with pytest.raises(ModelError) as error:
        read_key("big", HOSTED, {})
    assert "set A_KEY in the environment" in error.value.fix and redact(error.value.fix) == error.value.fix
    with pytest.raises(ModelError) as error:
        read_key("big", ModelSettings(model="x"), {})
    assert redact(error.value.fix) == error.value.fix


@pytest.mark.parametrize("provider", ["openai", "azure", "anthropic"])
def test_a_provider_that_wants_a_key_is_not_asked_without_one(provider: str) -> None:
    with pytest.raises(ModelError, match="names no api_key_env"):
        read_key("big", ModelSettings(model="x", provider=provider), {"OPENAI_API_KEY": "sk-not-to-be-taken"})


def test_a_server_of_ones_own_needs_no_key_and_is_sent_none_of_ours() -> None:
    own = ModelSettings(model="x", base_url="http://localhost:11434/v1")
    assert read_key("small", own, {"OPENAI_API_KEY": "sk-not-to-be-taken"}) is None


def test_a_key_is_hidden_in_its_own_repr() -> None:
    key = read_key("big", HOSTED, {"A_KEY": "sk-canary-123456"})
    assert "canary" not in f"{key!r} {key}"


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdef123456.",
        "headers: {'Authorization': 'Bearer abcdef123456'}",
        "api_key=abcdef123456, model=x",
        'x-api-key: "abcdef123456"',
        "GET https://me:abcdef123456@host/v1 failed",
        "the value was planted-value-77",
    ],
)
def test_no_key_survives_redaction(text: str) -> None:
    shown = redact(text, {"MY_SECRET": "planted-value-77", "HOME": "/home/me"})
    assert "abcdef123456" not in shown and "planted-value" not in shown and "[key]" in shown


def test_a_key_that_was_read_is_redacted_whatever_its_variable_is_called() -> None:
    read_key("big", ModelSettings(model="x", api_key_env="ACCESS"), {"ACCESS": "quite-plain-value"})
    assert redact("server says: quite-plain-value is wrong", {}) == "server says: [key] is wrong"


def test_ordinary_words_are_left_alone() -> None:
    assert redact("the keyboard took a token of thanks", {"A_TOKEN": "ab"}) == "the keyboard took a token of thanks"


def test_an_address_is_shown_without_user_password_path_and_query() -> None:
    assert shown_address("https://me:pass@host:8443/v1/s3cret-path/?key=abc") == "https://host:8443"
    assert shown_address(None) == ""


def test_a_secret_in_the_path_or_query_of_an_address_is_redacted() -> None:
    url = "https://host:8443/proxy/tEnAnT-77abc/v1?sig=Zq81xxPQ"
    read_key("m", ModelSettings(model="x", base_url=url))
    redacted = redact("no route /proxy/tEnAnT-77abc/v1/chat/completions?sig=Zq81xxPQ at the proxy")
    assert "tEnAnT" not in redacted and "Zq81" not in redacted and "/v1/chat/completions" in redacted
