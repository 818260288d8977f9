"""The words by which questions ask, and the language that they show: what answers a question does not repeat them, so that they
rank no passage."""

from functools import cache

from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.kinds import kinds_of
from pipeline.text.question.names import WORD, capital_runs
from pipeline.text.question.nouns_too import nouns_among, only_noun
from pipeline.text.scripts import LANGUAGES, is_unspaced, language_of
from pipeline.text.tokenizer import fold_word, words


@cache
def asking_words(language: str) -> frozenset[str]:
    """Folded words by which questions ask in a language (ISO 639-1); empty for one without a list."""
    return frozenset(map(fold_word, QUESTIONS.by_language("asking").get(language, ())))


_TELLING = 4
"""Letters of a question below which its words show no language: "de" and "x" are words of several."""


FEW, SHOWN = 3, 1
"""Words of a question that are few, and function words of a language among them that do not show it."""


def question_language(question: str, corpus_language: str = "und") -> str:
    """Return the language most of whose function words a question holds; of equals that of the corpus, then the one that is
    recognised without its names, which may be foreign. Where nothing shows it, that of the corpus, else English.

    "How do I get to a port?" shares more short words with Polish than with the English of a page.
    """
    rest = question
    for name in capital_runs(question, ()):
        rest = rest.replace(name, " ")
    recognised = language_of(rest)
    unclear = recognised == "und"
    recognised = "en" if unclear and question.isascii() else recognised
    written = {word.casefold() for word in WORD.findall(question)}
    if any(map(is_unspaced, written)):
        if around := _language_around(question):
            return around
        is_japanese = recognised == "zh" and corpus_language == "ja" and not _is_chinese(question)
        return "ja" if is_japanese else recognised
    if sum(map(len, written)) < _TELLING:
        return corpus_language if corpus_language in LANGUAGES else "en" if question.isascii() else recognised
    counts = {code: len(written & (words.function | asking_words(code))) for code, words in LANGUAGES.items()}
    is_typed = question[:1].islower() and len(written) <= FEW and max(counts.values()) <= SHOWN
    if unclear and is_typed and corpus_language in LANGUAGES:  # "rechnungen pro kunde" has a word of Swedish
        return corpus_language
    if not any(counts.values()):
        return corpus_language if unclear and corpus_language in LANGUAGES else recognised
    recognised = "en" if is_typed and question.isascii() else recognised  # "deposit per borrower" has one of Italian
    return max(counts, key=lambda code: (counts[code], code == corpus_language, code == recognised))


def _language_around(question: str) -> str:
    """Return the language of a question that opens with a word by which one asks in it and says in a script without spaces only what
    it asks about, "Who is 田中さん?"; empty where it asks in such a script."""
    said = WORD.findall(question)
    if is_unspaced(said[0]) or any(kinds_of(question, code) for code in ("ja", "zh")):
        return ""
    opening, spaced = fold_word(said[0]), {word.casefold() for word in said if not is_unspaced(word)}
    counts = {
        code: len(spaced & (words.function | asking_words(code)))
        for code, words in LANGUAGES.items()
        if opening in asking_words(code)
    }
    best = max(counts, key=lambda code: (counts[code], code), default="")
    return best if best and counts[best] > SHOWN and len(spaced) > len(said) - len(spaced) else ""


def _is_chinese(question: str) -> bool:
    """Return whether a question in Han characters alone has a word by which Chinese ones ask, or "的"; Japanese may be typed without
    kana: "会員数"."""
    return any(word in question for word in (*QUESTIONS.by_language("asking")["zh"], "的", "了"))


def content_flags(question: str) -> list[bool]:
    """For each word of a question, as the tokenizer cuts it, whether it says something and does not merely ask.

    All do in a question of nothing but asking words.
    """
    language = question_language(question)
    asking, nouns = asking_words(language), nouns_among(question, language) | {only_noun(question, language)}
    content = [fold_word(word) not in asking or word.casefold() in nouns for word in words(question)]
    return content if any(content) else [True] * len(content)
