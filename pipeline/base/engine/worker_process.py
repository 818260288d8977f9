"""How a worker process starts: without the cycle collector, deaf to Ctrl-C, and gone as soon as its parent is."""

import gc
import os
import signal
import threading
from multiprocessing import connection, parent_process

from pipeline.base.release_memory import one_heap


def start_worker() -> None:
    """Prepare this process for its tasks; the initializer of a process pool.

    Replies hold no cycles, so nothing waits for the collector. Ctrl-C reaches the whole group of processes, and the
    parent ends its workers itself. A parent that was killed cannot: each worker watches for its end.
    """
    gc.disable()
    one_heap()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="parent-watch", daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is None:
        return
    connection.wait([parent.sentinel])  # readable when the parent has ended, however it did; no polling
    os._exit(1)
