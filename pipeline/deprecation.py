"""How a public name goes: it works for two more minor versions and warns, naming what takes its place; then it is removed."""

import warnings

RULE = (
    "A public name that is to go keeps working for at least two minor versions. Meanwhile its use warns with a "
    "`DeprecationWarning` that says since when, what to use instead, and from which version on it is gone."
)
"""The rule as the reference states it."""


def warn_deprecated(name: str, *, since: str, instead: str, gone: str, stacklevel: int = 3) -> None:
    """Warn whoever called the function that calls this: ``name`` is deprecated ``since`` a version, and ``gone`` in one."""
    warnings.warn(
        f"{name} is deprecated since graphstrata {since} and will be gone in {gone}: use {instead}",
        DeprecationWarning,
        stacklevel=stacklevel,
    )
