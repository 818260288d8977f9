"""Words and phrases that show what kind a claim is, whether it is denied, and whether it is only supposed."""

import re
from collections.abc import Mapping

from pipeline.text.lexicon.words import Words, listed, sections

OTHER = "OTHER"
"""Kind of a claim that no word shows."""

_LISTS = sections("claim_cues")
CUES: Mapping[str, str] = {
    head.replace("_", " ").upper(): words
    for head, words in _LISTS.items()
    if head not in ("won", "auxiliaries", "irregular", "hedges")
}
"""Words that show the kind of a claim, the more specific kinds first; English before other languages."""

_KINDS: dict[str, str] = {}
for _kind, _words in CUES.items():
    for _word in _words.split():
        _KINDS.setdefault(_word, _kind)
_EAST_ASIAN = (
    (re.compile("出生|生于|生於|生まれ|誕生|逝世|死于|死去|没し|去世|亡くな|火刑"), "BIRTH OR DEATH"),
    (re.compile("攻|包囲|包围|戦|战|俘|捕ら|征服|解放"), "MILITARY ACTION"),
    (re.compile("加冕|戴冠|即位|就任|当选|任命"), "OFFICE"),
    (re.compile("建立|创立|設立|创作|著|発表|出版|创建"), "CREATION"),
    (re.compile("结婚|結婚"), "RELATION"),
)
_WON = listed(_LISTS["won"])
_WHAT_WAS_WON = (
    (
        re.compile(
            r"\b(?:battle|siege|war|victor|campaign|fight|skirmish|Schlacht|Krieg|bataille|guerre|batalla|битв)",
            re.IGNORECASE,
        ),
        "MILITARY ACTION",
    ),
    (
        re.compile(r"\b(?:award|prize|medal|championship|title|cup|trophy|Preis|prix|premio|преми)", re.IGNORECASE),
        "AWARD",
    ),
)
_AUXILIARIES = listed(_LISTS["auxiliaries"])
_IRREGULAR = listed(_LISTS["irregular"])
_HEDGES = re.compile(
    r"\b(?:allegedly|reportedly|supposedly|apparently|perhaps|probably|possibly|presumably|likely|might|(?-i:may(?=\s[a-z]))|rumou?red"
    r"|suspected|according to|(?:is|was|are|were) (?:believed|thought|said|considered|assumed|alleged) to|it is (?:believed|thought|said)"
    r"|believed (?:to|that)|legend (?:has|says|tells|holds)|unclear|uncertain|(?:is|are|was|were|remains?|been) disputed|angeblich|vermutlich|wahrscheinlich|möglicherweise|vielleicht|soll"
    r"|peut-être|probablement|selon|aurait|serait|supuestamente|probablemente|quizás|según|tal vez"
    r"|вероятно|возможно|якобы|по слухам|предположительно)\b|据说|据称|可能|とされる|らしい|かもしれない|ربما|يُقال",
    re.IGNORECASE,
)
# One of these is in every hedge of plain letters, so that the pattern is seldom tried.
_HEDGE_WORDS = listed(_LISTS["hedges"])
_NEGATIONS = re.compile(
    r"\b(?:not(?! only\b)|never|no longer|cannot|neither|nicht|nie|niemals|kein\w*|ne .{1,40}\b(?:pas|jamais|plus)|n['’]\w+ (?:pas|jamais)"
    r"|nunca|jamás|(?<=\w\s)no(?=\s(?:se|fue|era|pudo|había|ha|tuvo|quiso)\b)|не|никогда)\b|n['’]t\b|没有|未曾|ません|なかった|لم ",
    re.IGNORECASE,
)
_CALLED_FALSE = re.compile(
    r"^\W*(?:it (?:is|was) (?:false|untrue|not true|wrong|a lie|a myth)(?: to say)? that|es (?:stimmt nicht|ist (?:falsch|unwahr)), dass"
    r"|il (?:est|était) faux que|(?:es|era) falso que|è falso che|неправда, что)\b",
    re.IGNORECASE,
)
_INNER = re.compile(r",|\b(?:that|if|because|whether|dass|weil|que|parce|porque|что|если)\b")
_CONTRAST = re.compile(r",? but\b|;")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def is_verb(word: str, vocabulary: Words) -> bool:
    """Return whether a word in lower case is likely a finite verb or auxiliary."""
    if word in _AUXILIARIES or word in _IRREGULAR or word in _KINDS or word in vocabulary.verbs:
        return True
    return len(word) > 4 and word.endswith("ed")


def kind_of(text: str, start: int, end: int) -> str:
    """Return the kind that the first of these words in a predicate shows, before any "but"; OTHER where there is none."""
    contrast = _CONTRAST.search(text, start, end)
    for word in _WORD.finditer(text, start, contrast.start() if contrast else end):
        lower = word[0].lower()
        kind = _won(text, word.end(), end) if lower in _WON else _KINDS.get(lower, "")
        if kind and word[0] == lower and text[max(0, word.start() - 2) : word.start()] != "- ":
            return kind
    return next((kind for pattern, kind in _EAST_ASIAN if pattern.search(text, start, end)), OTHER)


def _won(text: str, start: int, end: int) -> str:
    """Whether a battle or a prize was won or lost."""
    return next((kind for pattern, kind in _WHAT_WAS_WON if pattern.search(text, start, end)), "")


def is_hedged(clause: str) -> bool:
    """Return whether a clause reports, supposes or doubts what it says."""
    if clause.isascii() and _HEDGE_WORDS.isdisjoint(_WORD.findall(clause.lower())):
        return False
    return bool(_HEDGES.search(clause))


def is_denied(text: str, start: int, verb: int, end: int) -> bool:
    """Return whether a predicate is negated: between ``start`` and shortly after ``verb``, before any clause inside it."""
    near = min(end, verb + 40)
    inner = _INNER.search(text, verb, near)
    return bool(_NEGATIONS.search(text, start, inner.start() if inner else near))


def is_called_false(sentence: str) -> bool:
    """Return whether a sentence says of all that it tells that it is false: "It is untrue that ..."."""
    return _CALLED_FALSE.search(sentence) is not None
