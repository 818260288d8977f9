"""Memory is given back by a process that has grown, and by no other."""

import pytest

from pipeline.base import release_memory
from pipeline.base.release_memory import memory_of_a_run, release
from pipeline.text.scripts import fold


def test_a_process_that_has_hardly_grown_keeps_what_it_knows_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with memory_of_a_run():
        fold("Ann Thorne")
        known = fold.cache_info().currsize
        monkeypatch.setattr(release_memory, "GROWN", 1 << 20)
        release()
        assert not release_memory.peak_mb() or fold.cache_info().currsize == known
        monkeypatch.setattr(release_memory, "GROWN", -(1 << 20))
        release()
        assert fold.cache_info().currsize == 0
