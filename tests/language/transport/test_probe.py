"""The probe: what a model can do, by one small call each, and what to set when it cannot."""

import pytest

from pipeline.base.settings import ModelSettings
from pipeline.language.transport.probe import probe
from tests.lookalike import LookAlike


def test_each_mode_is_tried_and_the_one_that_works_is_named() -> None:
    with LookAlike(modes=("function_calling",)) as server:
        found = probe(ModelSettings(model="look-alike", base_url=server.url), "small")
        assert server.calls <= 5
    assert found.reachable and found.structured == {"json_schema": False, "function_calling": True, "json_mode": False}
    assert "set models.small.structured to function_calling" in found.message


def test_a_model_that_can_do_everything_gets_no_message() -> None:
    with LookAlike() as server:
        found = probe(ModelSettings(model="look-alike", base_url=server.url, price_in=1, price_out=1))
    assert all(found.structured.values()) and found.context_ok and found.price_known and not found.message


def test_a_server_that_ignores_the_schema_is_found_out() -> None:
    with LookAlike(lambda body: "Anna, I think.") as server:
        found = probe(ModelSettings(model="look-alike", base_url=server.url))
    assert not any(found.structured.values()) and "no structured mode works" in found.message


def test_a_server_that_cuts_questions_without_a_word_is_found_out() -> None:
    with LookAlike(longest=2048) as server:
        found = probe(ModelSettings(model="look-alike", base_url=server.url))
    assert found.context == 2048 and found.context_ok is False and "cuts questions" in found.message


def test_the_size_of_an_embedding_is_found() -> None:
    with LookAlike(size=12) as server:
        model = ModelSettings(model="look-alike-embedding", kind="embedding", base_url=server.url, price_in=0.1)
        found = probe(model)
    assert found.reachable and found.embedding_size == 12 and found.price_known and not found.structured


def test_a_wrong_model_is_reported_with_the_nearest_names() -> None:
    with LookAlike() as server:
        found = probe(ModelSettings(model="look-a-like", base_url=server.url))
    assert not found.reachable and "near it: look-alike" in found.message


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ModelSettings(model="x", base_url="http://127.0.0.1:9/v1"), "cannot be reached"),
        (ModelSettings(model="x", api_key_env="NO_SUCH_KEY_HERE"), "NO_SUCH_KEY_HERE is not set"),
        (ModelSettings(model="x", provider="nowhere"), "the model model"),
        (ModelSettings(model="x", kind="embedding", base_url="http://127.0.0.1:9/v1"), "cannot be reached"),
    ],
)
def test_nothing_is_raised_whatever_is_amiss(model: ModelSettings, message: str) -> None:
    found = probe(model)
    assert not found.reachable and message in found.message


def test_a_wrong_key_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOK_ALIKE_KEY", "sk-canary-wrong-key-1")
    with LookAlike(key="another") as server:
        found = probe(ModelSettings(model="look-alike", base_url=server.url, api_key_env="LOOK_ALIKE_KEY"))
    assert not found.reachable and "401" in found.message and "canary" not in found.message
