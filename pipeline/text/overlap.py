"""How much of a question a sentence speaks of: the content words they share, endings aside."""

import re
from collections.abc import Set
from itertools import pairwise

from pipeline.text.scripts import UNSPACED, language_of, words_of

_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]{{2,}}")
_STEM = 5
"""Letters in which two forms of a word agree ("battle", "battles"); shorter words must be the same."""


def shortened(token: str) -> str:
    """Return what all forms of a word have in common: its first letters."""
    return token[:_STEM]


def content_words(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that carry meaning; function words of its language are left out.

    Scripts without spaces give pairs of characters.
    """
    function = words_of(language_of(text)).function
    tokens = _TOKEN.findall(text.casefold())
    if text.isascii():
        return frozenset([token[:_STEM] for token in tokens if token not in function])
    singles = {shortened(token) for token in tokens if token not in function and not _UNSPACED.match(token)}
    pairs = {part[i : i + 2] for part in _UNSPACED_RUN.findall(text) for i in range(len(part) - 1)}
    return frozenset(singles | pairs)


def asked_words(question: str) -> frozenset[str]:
    """Return the content words of a question without those that ask for the whole instead of naming something."""
    return content_words(_WHOLE_UNSPACED.sub(" ", question)) - _WHOLE


_WHOLE = frozenset(
    shortened(word)
    for word in [
        "main",
        "major",
        "key",
        "theme",
        "themes",
        "topic",
        "topics",
        "subject",
        "subjects",
        "overall",
        "overview",
        "summary",
        "summarise",
        "summarize",
        "corpus",
        "dataset",
        "data",
        "collection",
        "document",
        "documents",
        "text",
        "texts",
        "article",
        "articles",
        "book",
        "story",
        "important",
        "central",
        "common",
        "recurring",
        "trend",
        "trends",
        "pattern",
        "patterns",
        "general",
        "say",
        "tell",
        "describe",
        "explain",
        "list",
        "discuss",
        "discussed",
        "mention",
        "mentioned",
        "thema",
        "themen",
        "hauptthemen",
        "überblick",
        "zusammenfassung",
        "sammlung",
        "wichtig",
        "wichtigsten",
        "wichtige",
        "zentral",
        "thème",
        "thèmes",
        "sujet",
        "sujets",
        "résumé",
        "ensemble",
        "principal",
        "principaux",
        "importants",
        "tema",
        "temas",
        "resumen",
        "conjunto",
        "principales",
        "importantes",
        "тема",
        "темы",
        "обзор",
        "основные",
        "главные",
        "корпус",
        "temi",
        "principali",
        "argomenti",
        "riassunto",
        "assuntos",
        "resumo",
        "principais",
        "onderwerpen",
        "samenvatting",
        "المواضيع",
        "الموضوعات",
        "الرئيسية",
        "ملخص",
    ]
)
"""What a question about the whole corpus asks with, in a few languages; shortened as words are compared."""
_WHOLE_UNSPACED = re.compile(
    "主要|主题|主題|主旨|概要|概括|总结|總結|摘要|要点|整体|全体|文档|文件|资料|文書|資料|テーマ|トピック|まとめ|要約|主な|"
    "是什么|是什麼|有哪些|什么|什麼|哪些|これらの|この|について|は何ですか|何ですか|ですか|何|ください"
)
"""The same in scripts without spaces, with the words that ask; they are taken out before the others are distinguished."""


def match_share(wanted: Set[str], text: str) -> float:
    """Return which share of the wanted stems is in a text, 0 to 1; 0 when nothing is wanted."""
    if not wanted:
        return 0.0
    tokens = _TOKEN.findall(text.casefold())
    found = {token[:_STEM] for token in tokens}
    if any(len(word) == 2 for word in wanted):  # pairs of characters, of scripts without spaces
        found |= {a + b for a, b in pairwise(tokens) if len(a) == len(b) == 1}
    return len(wanted & found) / len(wanted)
