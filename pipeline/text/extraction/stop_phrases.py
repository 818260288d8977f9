"""Names and phrases that are no entities, as settings list them: whole titles, whatever their case, with * for any letters."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from pipeline.text.scripts import fold


class StopPhrases:
    """Decides which titles the settings stop."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._pattern = _pattern(tuple(phrases))

    def __bool__(self) -> bool:
        """Whether any are stopped."""
        return self._pattern is not None

    def stops(self, title: str) -> bool:
        """Return whether ``title`` is no entity."""
        return self._pattern is not None and self._pattern.fullmatch(fold(title)) is not None


@lru_cache(maxsize=32)
def _pattern(phrases: Sequence[str]) -> re.Pattern[str] | None:
    kinds = sorted({fold(phrase) for phrase in phrases if phrase.strip()})
    if not kinds:
        return None
    return re.compile("|".join(".*".join(map(re.escape, phrase.split("*"))) for phrase in kinds))
