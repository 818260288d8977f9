"""What a process imports before it forks others that index or answer: once here, not in every fork."""

from importlib import import_module
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext

from pipeline.base.source_hash import source_hash
from workflows.stages import STAGES


def import_stages() -> None:
    """Import the module of every stage, and read the sources by which a run knows whether it is out of date."""
    for stage in STAGES:
        source_hash(stage.module)
        import_module(stage.module)


def forking() -> ForkServerContext:
    """Return what starts processes by forking one that has indexed and answered (tests/warm.py), where the program starts each anew:
    for tests that start many, of what happens with a process and not of how it begins. A process of the tests has one of these."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.warm"])
    return context
