"""What the data files beside this module hold, by language, and their reading when it is first needed."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from pipeline.text.lexicon.words import sections

WORDS: Final[Mapping[str, str]] = {
    "asking": "words by which questions ask, and which what answers them does not repeat",
    "saying_little": "titles of people and verbs that a question holds and whoever else writes of its subject may leave out",
    "analysis": "words by which a question says how its subject is to be looked at: role, change, reason",
    "opening": "words that a whole question begins with, after *and*",
    "section_nouns": "what a numbered section of a text is called",
    "what_it_says": "words by which one asks what a section says, and nothing else",
    "references": "what is before the number of a place of a text: article, page, figure",
    "abbreviated_references": "such words that are other words as well, unless a full stop or a capital letter shows them",
    "is": "forms of *to be* behind a noun, of which a sentence says what it means",
    "is_or_was": "forms of *to be* behind the name of a thing, of which a sentence says what it is, or how",
    "behind_people": "words behind the name of a person, of whom a sentence says who that is",
    "no_apposition": "words that open no apposition behind a name and a comma",
    "articles": "articles that open an apposition behind the name of a thing and a comma",
    "comprising": "verbs by which a contract says what a word of its includes",
    "adverbs": "words behind *is* by which a sentence says how a thing is, not what",
    "until_hour": "what is between two hours: from one *to* another",
    "document_agreement": "words, or the beginnings of words, by which one means a contract, whatever its title is",
    "document_rules": "such words for statutes and other rules",
    "document_manual": "such words for manuals",
    "document_licence": "such words for licences",
    "any_document": "such words for any text",
}
"""What the heads of words hold; the words are separated by blanks, and each may be a regular expression."""
PHRASES: Final[Mapping[str, str]] = {
    "short": "questions of a word or two that only mean something after another",
    "going_on": "how a question opens that goes on from the last",
    "pronouns": "pronouns behind their kind: m, f, thing, plural, place; any for those that stand for whatever was spoken of",
    "impersonal": "what follows an *it* that means nothing",
    "defining": "how statutes, contracts and manuals say what a word of theirs means: what is behind that word",
    "is_unspaced": "*is* in scripts without spaces",
    "means_unspaced": "the same of statutes and contracts in scripts without spaces",
    "within": "prepositions behind what a question asks the meaning of, before where it has that",
    "percent": "a share in hundredths, in words",
    "mentioning": "questions on where something is mentioned, from the first word on; the group x is what is looked for",
    "summarising": "questions that ask to summarise something, from the first word on; the group x is what is to be summarised",
}
"""What the heads of phrases hold; each line is a phrase, a regular expression."""


@cache
def by_language(head: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words or phrases below a head, by the ISO 639-1 codes of the languages that have some."""
    separate = str.split if head in WORDS else str.splitlines
    return {
        code: tuple(separate(found[head])) for code in _languages() if head in (found := sections(f"questions/{code}"))
    }


@cache
def of_all_languages(head: str) -> tuple[str, ...]:
    """Return the words or phrases below a head of all languages, each once: a question of a few words shows no language."""
    return tuple(dict.fromkeys(one for some in by_language(head).values() for one in some))


@cache
def one_of(head: str) -> str:
    """Return the source of a pattern that is any word or phrase below a head, of any language."""
    return f"(?:{'|'.join(of_all_languages(head))})"


@cache
def _languages() -> tuple[str, ...]:
    """Return the codes of the files, English first, which most texts are in: a pattern tries its words in this order."""
    codes = {name.removesuffix(".txt") for file in files(__package__).iterdir() if (name := file.name).endswith(".txt")}
    return tuple(sorted(codes, key=lambda code: (code != "en", code)))
