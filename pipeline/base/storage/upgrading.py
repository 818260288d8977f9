"""Who brings an index of an earlier version into today's form: a function of a higher floor, set here by whoever opens indexes."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.base.store import Generation

upgrade: "Callable[[Generation], Generation] | None" = None
"""Returns the generation in today's form and leaves it as it is; None: an index of an earlier version is not opened."""
