"""Which blocks of a web page are its text and which are menus, notices and footers, by trafilatura (extra "web").

The library says what the text is; words and places are those of the page as it is read here, so they stay exact.
"""

from collections.abc import Callable

from pipeline.documents.parsed import imported

SHORT = 24
"""Letters up to which a block counts as text only where it is a whole line of it: "Home" is also a part of "homeland"."""


def main_text(page: str) -> Callable[[str], bool] | None:
    """Return what says of a block's text whether it belongs to the page's main text; None where none is found.

    InputError where trafilatura is not installed.
    """
    trafilatura = imported("trafilatura", "trafilatura", "web")
    found = trafilatura.extract(
        page, output_format="txt", include_comments=False, include_tables=True, favor_recall=True
    )
    lines = [_letters(line) for line in (found or "").splitlines()]
    known, whole = frozenset(lines), "".join(lines)
    if not whole:
        return None

    def belongs(block: str) -> bool:
        letters = _letters(block)
        return letters in known or (len(letters) > SHORT and letters in whole)

    return belongs


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
