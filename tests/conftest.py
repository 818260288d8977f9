"""What holds for all tests: those of a module run in one process, processes that they start find bytecode, none speaks TLS, and
none waits for a disk."""

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.paths import ROOT

NAMED = 40
"""Characters of a parameter that name its test."""

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each of two hundred processes would compile what it imports anew
sys.dont_write_bytecode = False
# No test speaks TLS, and each client of a model would read the two hundred certificates of the system, twice.
os.environ["SSL_CERT_FILE"] = str(ROOT / "tests" / "nobody.pem")
# Nobody pulls the plug of this machine, and a run waits for its disk thirty times. A handle that cannot be synced is still an error.
os.fsync = os.fstat  # type: ignore[assignment]
# No test asserts a time, Hypothesis neither: machines may be busy.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_xdist_auto_num_workers() -> int:
    """Have two processes for each core: half of the time tests wait for servers, for clocks, and for processes that end."""
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 2 * n_cores


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no cycles among what is imported, now or later: that takes a tenth of the time that it takes to find the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[pytest.CollectReport]:
    """Have each process of the tests begin to read them at another folder: what one has compiled the others find."""
    report = yield
    if isinstance(collector, pytest.Directory) and report.passed:
        processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
        own = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        first = len(report.result) * (own % processes) // processes
        report.result = report.result[first:] + report.result[:first]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have the tests of a module run in one process, and those of a few modules with them that are marked so: what they share is made
    once. The process that is free first takes the module with the most tests of those that are left, after those of tests marked
    ``long``: at the end all others would wait for them."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    sizes = Counter(map(_group, items))
    long = {_group(item) for item in items if item.get_closest_marker("long")}
    items.sort(
        key=lambda item: (_group(item) not in long, -sizes[_group(item)], _group(item), item.nodeid.partition("::")[0])
    )


def _group(item: pytest.Item) -> str:
    marker = item.get_closest_marker("xdist_group")
    return str(marker.args[0]) if marker else ""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Have a test of a long text named by how that begins: each process of the tests sends all names to the one that shares them out."""
    return (
        f"{val[:NAMED]!r} and {len(val) - NAMED} more"
        if isinstance(val, str | bytes) and len(val) > 2 * NAMED
        else None
    )
