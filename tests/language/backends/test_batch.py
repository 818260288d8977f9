"""Batch files of a provider: half the price, found again after a kill, and never paid for twice."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.errors import BudgetError, SettingsError
from pipeline.language.backends.batch import BatchBackend, batched
from pipeline.language.backends.chat import chat_backends
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.budget import Budget
from pipeline.language.cache import Cache, read_spent
from pipeline.language.language import Reply
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.spending import Spending
from tests.language_cases import READ, TASKS, chunks, settings_for
from tests.lookalike import LookAlike


class Ended(BaseException):
    """The end of a run that no handler catches."""


@pytest.fixture
def server() -> Iterator[LookAlike]:
    with LookAlike() as server:
        yield server


def service(server: LookAlike, folder: Path, limits: dict[str, Any] | None = None, **given: Any) -> LanguageService:
    settings = settings_for(server.url, limits, **{"batch": True, "price_in": 1, "price_out": 2, **given})
    ledger = Ledger("test")
    cache = Cache(folder / "cache.sqlite", 1)
    budget = Budget(settings.limits, spending=Spending(cache))
    model, _ = chat_backends(settings, ledger, budget, tasks=TASKS)
    assert model is not None
    backend = batched({"": model}, folder / "batches", cache, lambda line: None)[""]
    assert isinstance(backend, BatchBackend)
    backend.first_poll = 0.01
    return LanguageService(OfflineBackend(), ledger, backend, cache, at_once=1000)


def noted(folder: Path) -> int:
    return len(list((folder / "batches").glob("*.json")))


def test_a_map_is_one_batch_at_half_the_price_and_its_note_goes_when_its_replies_are_stored(
    server: LookAlike, tmp_path: Path
) -> None:
    with closing(service(server, tmp_path)) as batches:
        found = list(batches.map(READ, chunks(300)))
    assert [request.item for request, _ in found] == [one.item for one in chunks(300)]
    assert all(isinstance(reply, Reply) and reply.value.entities for _, reply in found)
    assert (len(server.batches.begun), len(server.batches.requests()), server.calls) == (1, 300, 0)
    totals = batches.ledger.totals()
    assert totals["cost"] == pytest.approx((totals["tokens_in"] + 2 * totals["tokens_out"]) / 1e6 / 2)
    assert noted(tmp_path) == 0
    spent = read_spent(tmp_path / "cache.sqlite")
    assert spent and spent[:3] == (300, totals["tokens_in"], totals["tokens_out"])
    assert spent.cost == pytest.approx(totals["cost"])
    with closing(service(server, tmp_path)) as again:
        assert all(isinstance(reply, Reply) and reply.cached for _, reply in again.map(READ, chunks(300)))
    assert len(server.batches.begun) == 1


def test_a_run_that_was_ended_while_it_waited_finds_its_batch_again(
    server: LookAlike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.language.backends import batch

    def end(*given: Any) -> Any:
        raise Ended

    with monkeypatch.context() as patched, pytest.raises(Ended), closing(service(server, tmp_path)) as batches:
        patched.setattr(batch, "collected", end)
        list(batches.map(READ, chunks(20)))
    assert noted(tmp_path) == 1
    with closing(service(server, tmp_path)) as batches:
        found = list(batches.map(READ, chunks(25)))
    assert all(isinstance(reply, Reply) for _, reply in found)
    assert (len(server.batches.begun), len(server.batches.requests()), server.calls) == (2, 25, 0)
    assert noted(tmp_path) == 0


def test_a_batch_whose_id_was_not_written_down_is_found_in_the_providers_list(
    server: LookAlike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.language.transport.batch_files import BatchRecords

    before = BatchRecords.note

    def note(self: BatchRecords, noted: Any) -> None:
        if noted.id:
            raise Ended
        before(self, noted)

    with (
        monkeypatch.context() as patched,
        pytest.raises(Ended),
        closing(service(server, tmp_path)) as batches,
    ):
        patched.setattr(BatchRecords, "note", note)
        list(batches.map(READ, chunks(20)))
    with closing(service(server, tmp_path)) as batches:
        assert all(isinstance(reply, Reply) for _, reply in batches.map(READ, chunks(20)))
    assert len(server.batches.begun) == 1


def test_what_a_batch_did_not_answer_is_asked_by_calls(server: LookAlike, tmp_path: Path) -> None:
    server.batches.left_out = 3
    with closing(service(server, tmp_path)) as batches:
        assert all(isinstance(reply, Reply) for _, reply in batches.map(READ, chunks(20)))
    assert (len(server.batches.begun), server.calls) == (1, 3)


def test_a_cap_is_kept_and_what_fits_below_it_is_stored(server: LookAlike, tmp_path: Path) -> None:
    with pytest.raises(BudgetError), closing(service(server, tmp_path, {"max_calls": 12})) as batches:
        list(batches.map(READ, chunks(20)))
    assert len(server.batches.requests()) == 12
    with closing(service(server, tmp_path)) as batches:
        assert sum(reply.cached for _, reply in batches.map(READ, chunks(20)) if isinstance(reply, Reply)) == 12


def test_a_provider_without_batches_is_an_error(server: LookAlike, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no batches"):
        service(server, tmp_path, provider="ollama")
