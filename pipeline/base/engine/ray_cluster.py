"""A Ray cluster as an engine: tasks for parts, actors for calls; on loopback alone unless settings name an address.

Ray Core moves the bytes and starts workers anew; what is done in which order, under which limits and at what price is
decided by the one process that has the engine (the head), which also writes the cache, the ledger and the tables.
"""

import asyncio
import itertools
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import Any

from pipeline.base.engine.engine import AHEAD, LOSSES, Call, PartT, ResultT, lost
from pipeline.base.engine.ray_worker import Outcome, program
from pipeline.base.errors import EngineError

_LOOPBACK = "127.0.0.1"
_OBJECTS_MB = 256
"""Memory for parts and results on their way, of a cluster that is started here; parts are far below a megabyte."""
_CALLS_AT_ONCE = 10_000
"""Calls that one actor takes; how many there are is the head's to limit."""


class RayEngine:
    """Works on parts in the workers of a cluster: the one at ``address``, or one of ``workers`` processes on this machine."""

    inline = False

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._ray = _loaded(address)
        self.same_disk = address is None
        self._ours = not self._ray.is_initialized()
        if self._ours:
            _connect(self._ray, address, workers)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        self.workers = workers or max(cores, 1)
        self._program = program()
        self._task = self._ray.remote(num_cpus=1, max_retries=LOSSES - 1)(_task())

    def map(self, work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
        """Yield ``work(part)`` of each part, in their order."""
        under_way: deque[Any] = deque()
        try:
            for part in parts:
                under_way.append(self._task.remote(self._program, work, part))
                if len(under_way) > AHEAD * self.workers:
                    yield self._result(under_way)
            while under_way:
                yield self._result(under_way)
        finally:
            for reference in under_way:
                self._ray.cancel(reference)

    def calls(self, build: Callable[[], Call]) -> Call | None:
        """Return what has the workers answer requests, in turn, once they are ready. A call whose worker ended raises ConnectionError."""
        # A call waits for a server: it takes no core from those that work on parts.
        options = {"num_cpus": 0, "scheduling_strategy": "SPREAD"}
        host = self._ray.remote(max_concurrency=_CALLS_AT_ONCE, **options)(_host())
        hosts = [host.remote(self._program, build) for _ in range(self.workers)]
        starting: set[int] = set()
        places = itertools.cycle(range(len(hosts)))
        try:
            for outcome in self._ray.get([one.start.remote() for one in hosts]):
                self._value(outcome)
        except self._ray.exceptions.RayActorError as error:
            raise self._not_started(error) from error

        def begin_again(place: int) -> None:
            hosts[place] = host.remote(self._program, build)
            starting.add(place)
            hosts[place].start.remote().future().add_done_callback(lambda done: starting.discard(place))

        async def call(request: Any) -> Any:
            turns = itertools.islice(places, len(hosts))
            ready = next((turn for turn in turns if turn not in starting), None)
            place = next(places) if ready is None else ready
            chosen = hosts[place]
            reference = chosen.call.remote(request)
            try:
                return self._value(await reference)
            except (
                asyncio.CancelledError
            ):  # nobody waits for the reply any more: it must not be paid for beside another try
                self._ray.cancel(reference)
                raise
            except self._ray.exceptions.RayActorError as error:
                if hosts[place] is chosen:
                    begin_again(place)
                raise ConnectionError("the worker that made the call has ended") from error

        return call

    def _not_started(self, error: Exception) -> EngineError:
        if "No module named" in str(error):
            return self._other_program("none that can make calls")
        return EngineError(
            f"a worker of the cluster ended while it started: {' '.join(str(error).split())[:300]}",
            "there is nobody to make calls to models; nothing was asked",
            "see that the cluster runs (ray status) and has memory, then run the same command again",
        )

    def close(self) -> None:
        """Leave the cluster, and end it when it was started here."""
        if self._ours and self._ray.is_initialized():
            self._ray.shutdown()

    def _result(self, under_way: deque[Any]) -> Any:
        try:
            outcome = self._ray.get(under_way[0])
        except self._ray.exceptions.WorkerCrashedError as error:
            raise lost("a worker of the cluster") from error
        except self._ray.exceptions.RayError as error:
            if "No module named" in str(error) or "Can't get attribute" in str(error):
                raise self._other_program("none that can do this work") from error
            raise EngineError(
                f"the cluster lost a part of the work: {' '.join(str(error).split())[:300]}",
                "nothing was published; what was finished before is in the reply cache and is not done again",
                "see that the cluster runs (ray status), then run the same command again",
            ) from error
        under_way.popleft()
        return self._value(outcome)

    def _value(self, outcome: Outcome) -> Any:
        kind, value = outcome
        if kind == "value":
            return value
        if kind == "error":
            raise value
        raise self._other_program(value)

    def _other_program(self, found: str) -> EngineError:
        return EngineError(
            f"a worker of the cluster has another program: {found}; the head has {self._program}",
            "its results might differ from those of the others, so none of them is used",
            "install the same version of graphstrata on every machine of the cluster, then start its workers anew",
        )


def _task() -> Callable[..., Outcome]:
    """Return what Ray runs. A function inside a function is sent whole: a worker may have another version of this module."""

    def work_on(expected: str, work: Callable[[Any], Any], part: Any) -> Outcome:
        from pipeline.base.engine.ray_worker import run_part

        return run_part(expected, work, part)

    return work_on


def _host() -> type:
    """Return what Ray makes actors of, sent whole as well."""

    class Host:
        def __init__(self, expected: str, build: Callable[[], Call]) -> None:
            from pipeline.base.engine.ray_worker import CallHost

            self._host = CallHost(expected, build)

        async def start(self) -> Outcome:
            return await self._host.start()

        async def call(self, request: Any) -> Outcome:
            return await self._host.call(request)

    return Host


def _loaded(address: str | None) -> Any:
    """Return the module ray; EngineError where it is not installed."""
    if find_spec("ray") is None:
        raise EngineError(
            "engine.kind is ray, and the package ray is not installed",
            "the engine cannot be started; nothing was done",
            "pip install 'graphstrata[ray]', or set engine.kind to local",
        )
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if address is None:
        os.environ.setdefault("RAY_AUTH_MODE", "token")  # other users of this machine stay out
    if address is None or _host_of(address) in (_LOOPBACK, "localhost"):
        # Ray replaces the loopback address by one that other machines can reach, unless clusters are switched off.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray

    return ray


def _host_of(address: str) -> str:
    return address.removeprefix("ray://").rpartition(":")[0] or address


def _connect(ray: Any, address: str | None, workers: int | None) -> None:
    started: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False, "_node_ip_address": _LOOPBACK}
    started["object_store_memory"] = _OBJECTS_MB * 2**20
    signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        context = ray.init(
            **({"address": address} if address else {"address": "local", **started}),
            log_to_driver=False,
            configure_logging=False,
        )
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise EngineError(
            f"no Ray cluster at {address or 'this machine'}: {' '.join(str(error).split())[:300]}",
            "engine.kind is ray, so there is nothing to work with; nothing was done",
            "start one (ray start --head), name its address in engine.address, or set engine.kind to local",
        ) from error
    finally:
        for number, handler in signals.items():  # Ray takes them over; the command ends by its own
            signal.signal(number, handler)
    _keep_stdout_clean(ray)
    if address is None and context.address_info["node_ip_address"] != _LOOPBACK:
        ray.shutdown()
        raise EngineError(
            f"Ray listens on {context.address_info['node_ip_address']} and not on loopback alone",
            "other machines could reach it, so it was ended again; nothing was done",
            "import graphstrata before ray, or name the address of a cluster of your own in engine.address",
        )


def _keep_stdout_clean(ray: Any) -> None:
    """Send what Ray says of lost workers to standard error: it prints it where the results of commands go."""
    module = ray._private.worker
    before = getattr(module, "print_to_stdstream", None)
    if before is not None:
        module.print_to_stdstream = lambda data, **more: before({**data, "is_err": True}, **more)
