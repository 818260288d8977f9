"""What the data files beside this module hold, by language."""

from typing import Final

from pipeline.text.lexicon.language_files import LanguageFiles

QUESTIONS: Final = LanguageFiles(
    "questions",
    {
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
        "negating": "words that say no",
        "broad": "words beside a name by which one asks for whatever is known of it",
        "one": "the indefinite article, before one of a kind of things",
    },
    {
        "short": "questions of a word or two that only mean something after another",
        "going_on": "how a question opens that goes on from the last",
        "pronouns": "pronouns behind their kind: m, f, thing, plural, place; any for those that stand for whatever was spoken of",
        "asides": "what a question says by the way, of no thing that it asks for: in the end, these days",
        "spelling_out": "how a sentence says what letters stand for",
        "impersonal": "what follows an *it* that means nothing",
        "defining": "how statutes, contracts and manuals say what a word of theirs means: what is behind that word",
        "is_unspaced": "*is* in scripts without spaces",
        "means_unspaced": "the same of statutes and contracts in scripts without spaces",
        "within": "prepositions behind what a question asks the meaning of, before where it has that",
        "percent": "a share in hundredths, in words",
        "mentioning": "questions on where something is mentioned, from the first word on; the group x is what is looked for",
        "not_mentioning": "how such a question says no; without that, but with the group kept, it asks where the same is mentioned",
        "summarising": "questions that ask to summarise something, from the first word on; the group x is what is to be summarised",
        "negating_anywhere": "what says no within words, or in scripts without spaces",
        "recurring": "how a question asks for what comes up most often",
        "recurring_questions": "questions on what comes up again and again, from the first word on",
        "on_the_whole": "what a question on the whole of the texts asks with",
        "on_the_whole_anywhere": "the same in scripts without spaces",
        "themes": "what runs through the whole, where that is what is asked for",
        "what_is": "how a question begins that asks what one of a kind of things is",
    },
)
"""Words, separated by blanks, and phrases, a line each; both may be regular expressions."""
