"""The cues of question_kinds.json as patterns: by what they show, and by language."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pipeline.text.lexicon.words import read_json
from pipeline.text.scripts import UNSPACED

_UNSPACED = re.compile(f"[{UNSPACED}]")
_NEVER = re.compile("(?!)")


def cues() -> dict[str, Any]:
    """Return the file as it is read."""
    return read_json(__package__, "question_kinds")


@cache
def asking(languages: frozenset[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the kinds that questions ask for, with the cues by which they do in some languages."""
    return tuple((kind, _pattern(by_language, languages)) for kind, by_language in cues()["asks"].items())


@cache
def showing(what: str, languages: frozenset[str]) -> re.Pattern[str]:
    """Return the cues of one thing in some languages; in all that have some where none of these has."""
    return _pattern(cues()[what], languages)


def has_cues(language: str) -> bool:
    """Return whether questions of a language have cues."""
    return language in cues()["asks"]["person"]


def _pattern(by_language: Mapping[str, Sequence[str]], languages: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern of cues; those in spaced scripts are at the bounds of words, marks and those of no language always
    count."""
    known = languages & by_language.keys() or by_language.keys()
    every = [cue for language in sorted({*known, *({""} & by_language.keys())}) for cue in by_language[language]]
    spaced = [cue for cue in every if not _UNSPACED.search(cue) and not cue.startswith(_MARKS)]
    parts = [rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)"] if spaced else []
    parts += [cue for cue in every if _UNSPACED.search(cue) or cue.startswith(_MARKS)]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else _NEVER


_MARKS = ("[$", "%")
