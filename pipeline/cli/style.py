"""Bold and quiet text for terminals that show it; plain text everywhere else, and where NO_COLOR is set."""

import os
import re
from typing import TextIO

from pipeline.cli.terminal import Styled

_CITED = re.compile(r"(\[\d+\])")
BOLD, QUIET, OFF = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Style:
    """How text is shown on one stream."""

    def __init__(self, stream: TextIO) -> None:
        """Styles are used on a terminal that is not "dumb", unless NO_COLOR is set to anything (no-color.org)."""
        self.is_used = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def numbers(self, text: str) -> str:
        """Return a text with the numbers of its sources in bold."""
        if not self.is_used:
            return text
        parts = _CITED.split(text)
        return Styled([part if place % 2 == 0 else (BOLD, part, OFF) for place, part in enumerate(parts)])

    def bold(self, text: str) -> str:
        """Return a text in bold."""
        return Styled([(BOLD, text, OFF)]) if self.is_used else text

    def quiet(self, text: str) -> str:
        """Return a text that draws less attention than others."""
        return Styled([(QUIET, text, OFF)]) if self.is_used else text
