"""Candidates in the scripts that put no space between words: Japanese by changes of script, Chinese between its function
characters, Thai and its neighbours by what repeats."""

import re
from collections import Counter

from pipeline.text.lexicon.cjk import CHINESE_BOUNDS, CHINESE_SURNAMES, CHINESE_TRANSLITERATION
from pipeline.text.names.tally import NameCue, Tally
from pipeline.text.scripts import HAN, HIRAGANA, KATAKANA, compiled

_BLOCK = 20_000  # characters of one run looked at together: bounds memory on a text without any punctuation
_LONGEST_WORD = 6  # characters of Chinese
_SHORTEST_REPEAT, _LONGEST_REPEAT = 3, 12  # characters
_KATAKANA = f"[{KATAKANA}・]+"
_JAPANESE = f"[{KATAKANA}{HAN}・]+"
_KANJI = f"[{HAN}]+"
_HAS_KANA = f"[{HIRAGANA}{KATAKANA}]"
_HAN = f"[{HAN}]"
_FOREIGN = "".join(sorted(CHINESE_TRANSLITERATION))
_FOREIGN_NAME = rf"[{_FOREIGN}]{{1,7}}(?:[·・][{_FOREIGN}]{{1,7}})+|[{_FOREIGN}]{{3,8}}"
_KOREAN_PARTICLE = re.compile(
    "(?<=[가-힣]{2})(?:에서는|에게|에서|으로|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)


def without_particle(word: str) -> str:
    """A Korean word without the particle at its end; any other word as it is."""
    return _KOREAN_PARTICLE.sub("", word)


def read_run(run: str, language: str, tally: Tally) -> None:
    """Counts the candidates of one run of characters between spaces and punctuation."""
    for start in range(0, len(run), _BLOCK):
        block = run[start : start + _BLOCK]
        if language == "ja" or compiled(_HAS_KANA).search(block):
            _read_japanese(block, tally)
        elif compiled(_HAN).search(block):
            _read_chinese(block, tally)
        else:
            tally.runs.append(block)


def _read_japanese(run: str, tally: Tally) -> None:
    for piece in compiled(_JAPANESE).findall(run):
        whole = piece.strip("・")
        parts = [part.strip("・") for part in compiled(_KATAKANA).findall(piece)]
        for name in parts:
            if "・" in name and len(name) <= 24:
                tally.add_name(name, [NameCue.MIDDLE])
        if "・" not in whole and 2 <= len(whole) <= 14:
            tally.add_phrase(whole, True, True)
            if compiled(_KANJI).fullmatch(whole):  # counted twice, as Chinese is
                tally.add_phrase(whole, False, True)
        if parts and parts[0] != whole:
            for part in [*parts, *compiled(_KANJI).findall(piece)]:
                if "・" not in part and 2 <= len(part) <= 14:
                    tally.add_phrase(part, False, True)
                    if compiled(_KANJI).fullmatch(part):
                        tally.add_phrase(part, True, True)


def _read_chinese(run: str, tally: Tally) -> None:
    for name in compiled(_FOREIGN_NAME).findall(run):
        tally.add_name(name, [NameCue.MIDDLE, NameCue.PERSON] if "·" in name else [NameCue.MIDDLE])
    pieces = "".join(
        " " if character in CHINESE_BOUNDS else character for character in compiled(_FOREIGN_NAME).sub(" ", run)
    ).split()
    for piece in pieces:
        if piece[0] in CHINESE_SURNAMES and len(piece) == 3:
            tally.add_name(piece, [NameCue.PERSON])
        # The opening and the end of a piece are ends of words: a word is what is seen at both, or alone.
        for size in range(2, min(len(piece), _LONGEST_WORD) + 1):
            tally.add_phrase(piece[:size], False, True)
            tally.add_phrase(piece[-size:], True, True)


def read_repeats(tally: Tally) -> None:
    """Strings that come twice in the kept runs of a chunk and are not merely part of a longer one that comes as often."""
    text = " ".join(tally.runs)[:_BLOCK]
    counts: Counter[str] = Counter()
    for size in range(_SHORTEST_REPEAT, _LONGEST_REPEAT + 1):
        counts.update(text[start : start + size] for start in range(len(text) - size + 1))
    repeated = {piece: n for piece, n in counts.items() if n > 1 and " " not in piece}
    inner = {part for piece, n in repeated.items() for part in (piece[1:], piece[:-1]) if repeated.get(part) == n}
    for piece, n in repeated.items():
        if piece not in inner:
            for _ in range(n):
                tally.add_phrase(piece, False, True)
