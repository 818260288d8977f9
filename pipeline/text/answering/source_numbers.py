"""The numbers of its sources in the text of an answer: "The mill burnt down in 1820. [3]"."""

import re
from collections.abc import Iterable, Mapping

SOURCE_NUMBER = re.compile(r"\[(\d+)\]")


def without_source_numbers(text: str) -> str:
    """Return a text of an answer without the numbers of all sources."""
    return re.sub(r"[ \t]*\[\d+\]", "", text)


def without_numbers(text: str, numbers: Iterable[int]) -> str:
    """Return a text of an answer without the numbers of these sources."""
    for number in numbers:
        text = re.sub(rf"[ \t]?\[{number}\]", "", text)
    return text


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Return a text of an answer with other numbers for some of its sources."""
    return SOURCE_NUMBER.sub(lambda mark: f"[{numbers.get(int(mark[1]), mark[1])}]", text)
