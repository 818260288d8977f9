"""Vectors: of unit length, asked for once, kept, of one size; texts that cannot be embedded are named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.base.errors import BudgetError, ModelError, SettingsError
from pipeline.base.settings import parse_settings
from pipeline.language.backends import embedder as module
from pipeline.language.backends.embedder import Embedder, embedder
from pipeline.language.cache import Cache
from pipeline.language.ledger import Ledger
from pipeline.language.transport import rate_limit
from tests.lookalike import LookAlike

TEXTS = [f"text {i} of Carrow" for i in range(300)]


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    yield


@contextmanager
def made(
    server: LookAlike, folder: Path | None = None, limits: dict[str, Any] | None = None, **more: Any
) -> Iterator[Embedder]:
    model = {"model": "look-alike-embedding", "kind": "embedding", "base_url": server.url, "max_attempts": 3, **more}
    settings = parse_settings({"models": {"e": model}, "language": {"embedding": "e"}, "limits": limits or {}})
    cache = Cache(folder / "cache.sqlite", 1) if folder else None
    found = embedder(settings, Ledger("s90_embed"), cache=cache)
    assert found is not None
    try:
        yield found
    finally:
        found.close()
        if cache:
            cache.close()


def test_vectors_have_unit_length_and_the_order_of_the_texts() -> None:
    with LookAlike(size=16) as server, made(server) as each:
        done = each.embed(TEXTS)
        again = each.embed(TEXTS[::-1])
        assert server.asked[0]["encoding_format"] == "float" and isinstance(server.asked[0]["input"][0], str)
    assert done.vectors.shape == (300, 16) and done.vectors.dtype == np.float32 and not done.failures
    assert np.allclose(np.linalg.norm(done.vectors, axis=1), 1, atol=1e-6)
    assert np.array_equal(done.vectors, again.vectors[::-1])


def test_a_text_is_asked_for_once_in_a_run_and_never_again_in_the_next(tmp_path: Path) -> None:
    with LookAlike() as server:
        with made(server, tmp_path, price_in=2.0) as each:
            first = each.embed([*TEXTS[:50], *TEXTS[:50]])
            assert server.counts["texts"] == 50 and each.ledger.totals()["cost"] > 0
        with made(server, tmp_path, price_in=2.0) as each:
            second = each.embed(TEXTS[:60])
            assert server.counts["texts"] == 60
            assert [row[4] for row in each.ledger.calls] == [True, False]
    assert np.array_equal(first.vectors[:50], second.vectors[:50]) and np.array_equal(
        first.vectors[:50], first.vectors[50:]
    )


def test_another_model_misses_the_cache(tmp_path: Path) -> None:
    with LookAlike(models=("look-alike-embedding", "other")) as server:
        for name in ("look-alike-embedding", "other"):
            with made(server, tmp_path, model=name) as each:
                each.embed(TEXTS[:10])
        assert server.counts["texts"] == 20


def test_calls_are_batched() -> None:
    with LookAlike() as server, made(server) as each:
        each.embed(TEXTS)
        assert server.counts["/embeddings"] == -(-len(TEXTS) // module.BATCH_TEXTS)


def test_a_vector_of_another_size_than_the_index_is_an_error(tmp_path: Path) -> None:
    with LookAlike(size=8) as server:
        with made(server, tmp_path) as each:
            with pytest.raises(ModelError, match="vectors of 8 and 1536"):
                each.embed(TEXTS[:3], size=1536)
            assert each.embed(TEXTS[:3], size=8).vectors.shape == (3, 8)
        with made(server, tmp_path) as each, pytest.raises(ModelError, match="8 and 9"):
            each.embed(TEXTS[:3], size=9)


def test_an_empty_text_has_no_vector_and_is_not_sent() -> None:
    with LookAlike() as server, made(server) as each:
        done = each.embed(["a text", "", "  \n"])
        assert server.counts["texts"] == 1
    assert sorted(done.failures) == [1, 2] and not done.vectors[1].any() and done.vectors[0].any()


def test_a_text_that_the_server_refuses_is_found_by_halving_and_named() -> None:
    class Picky(LookAlike):
        def _chosen(self, content: bytes) -> str:
            return "too_long" if b"far too long" in content else ""

    with Picky() as server, made(server) as each:
        done = each.embed([*TEXTS[:20], "far too long", *TEXTS[20:30]])
    assert list(done.failures) == [20] and done.failures[20].reason.startswith("too_long")
    assert np.count_nonzero(done.vectors.any(axis=1)) == 30


def test_faults_are_tried_again_and_counted() -> None:
    with LookAlike(faults={"429": 0.2, "500": 0.2}) as server, made(server, max_attempts=9) as each:
        many = [f"{text} {i}" for i in range(8) for text in TEXTS]
        done = each.embed(many)
        assert not done.failures and sum(each.ledger.faults.values()) == sum(server.injected().values()) > 0


def test_where_every_call_fails_every_text_is_a_failure() -> None:
    with LookAlike(faults={"503": 1.0}) as server, made(server) as each:
        done = each.embed(TEXTS[:5])
    assert len(done.failures) == 5 and done.failures[0].attempts == 3


def test_what_came_before_a_cap_is_kept(tmp_path: Path) -> None:
    with LookAlike() as server:
        with made(server, tmp_path, limits={"max_calls": 1}) as each, pytest.raises(BudgetError):
            each.embed(TEXTS)
        with made(server, tmp_path) as each:
            each.embed(TEXTS)
        assert server.counts["texts"] == len(TEXTS)


def test_no_texts_no_calls() -> None:
    with LookAlike() as server, made(server) as each:
        assert each.embed([], size=8).vectors.shape == (0, 8)
        assert not server.counts


def test_no_embedding_model_no_embedder_and_a_cap_needs_a_price() -> None:
    assert embedder(parse_settings({}), Ledger()) is None
    with LookAlike() as server, pytest.raises(SettingsError, match="no price_in"), made(server, limits={"max_cost": 1}):
        pass


def test_pruning_forgets_vectors_that_the_last_run_did_not_use(tmp_path: Path) -> None:
    first, second = Cache(tmp_path / "c.sqlite", 1), None
    first.put_vectors([("a", b"1"), ("b", b"2")], "s90_embed")
    first.put_vectors([("q", b"3")], "query")
    first.close()
    second = Cache(tmp_path / "c.sqlite", 2)
    assert second.get_vectors(["a"], "s90_embed") == {"a": b"1"}
    second.prune()
    assert second.get_vectors(["a", "b", "q"], "query") == {"a": b"1", "q": b"3"}
    second.close()


def test_questions_and_texts_are_sent_behind_what_the_model_wants_before_each_and_kept_apart(tmp_path: Path) -> None:
    with LookAlike() as server, made(server, tmp_path, question_prefix="query: ", text_prefix="passage: ") as each:
        each.embed(["Carrow", ""])
        each.embed(["Carrow"], questions=True)
        each.embed(["Carrow"], questions=True)
        assert [one["input"] for one in server.asked] == [["passage: Carrow"], ["query: Carrow"]]
        with made(server) as plain:
            assert plain.signature() != each.signature()
