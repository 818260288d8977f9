"""What a process imports before it forks others that index: once here, not in every fork."""

from importlib import import_module

from pipeline.base.source_hash import source_hash
from workflows.stages import STAGES


def import_stages() -> None:
    """Import the module of every stage, and read the sources by which a run knows whether it is out of date."""
    for stage in STAGES:
        source_hash(stage.module)
        import_module(stage.module)
