"""What an answer says in words of its own where no model writes it, in the language of the question; the texts are in messages.json."""

from collections.abc import Iterable
from typing import Literal

from pipeline.text.lexicon.genders import is_name
from pipeline.text.lexicon.words import read_json

Message = Literal[
    "closest",
    "nothing",
    "no_words",
    "foreign",
    "missing",
    "suggestion",
    "more",
    "documents",
    "files",
    "documents_without",
    "passages",
    "sources",
    "passages_listed",
    "rows",
    "all_rows",
    "rows_with",
    "rows_other",
    "rows_filled",
    "rows_empty",
    "rows_shown",
    "rows_different",
    "rows_sum",
    "rows_mean",
    "unsupported",
    "rows_most",
    "rows_rank",
    "rows_least",
    "rows_latest",
    "rows_earliest",
]


def message(which: Message, language: str, names: tuple[str, ...] = (), **counts: int) -> str:
    """Return a message in a language (ISO 639-1), in English where there is no other; ``names`` and ``counts`` fill it."""
    texts: dict[str, str] = read_json(__package__, "messages")[which]
    return texts.get(language, texts["en"]).format(names=listed(names, language), **counts)


def listed(names: Iterable[str], language: str) -> str:
    """Return names one after the other, as a language separates them."""
    return ("、" if language in ("ja", "zh") else "، " if language == "ar" else ", ").join(names)


def suggested(which: Literal["whole", "person", "thing", "pair"], language: str, names: tuple[str, ...] = ()) -> str:
    """Return a question to begin with, on the whole corpus or on the entities named, in a language where there is one; a
    common noun among them is put in quotation marks, since nobody knows which article it takes."""
    texts: dict[str, dict[str, str]] = read_json(__package__, "suggested")
    noun = texts["noun"].get(language, texts["noun"]["en"])
    written = [name if is_name(name) else noun.format(name) for name in names]
    return texts[which].get(language, texts[which]["en"]).format(*written)
