"""What the data files beside this module hold, by language."""

from typing import Final

from pipeline.text.lexicon.language_files import LanguageFiles

KINDS: Final = (
    "birth_or_death",
    "military_action",
    "crime_or_accusation",
    "office",
    "ownership",
    "creation",
    "relation",
    "statement",
    "award",
    "education",
    "journey",
)
"""Kinds of claims, the more telling ones first: each is a head of words that show it."""
_EAST: Final = ("birth_or_death", "military_action", "office", "creation", "relation")
SENTENCES: Final = LanguageFiles(
    "sentences",
    {
        **dict.fromkeys(KINDS, "words that show the kind of a claim"),
        **{f"{kind}_anywhere": "the same in scripts without spaces" for kind in _EAST},
        "won": "verbs of winning and losing: the kind of a claim is in what was won",
        "battles": "beginnings of words for what is won in war",
        "prizes": "beginnings of words for what is won otherwise",
        "auxiliaries": "auxiliaries and modal verbs",
        "irregular_verbs": "past forms that do not end as most do",
        "in_hedges": "words one of which is in every hedge of plain letters, so that the patterns are seldom tried",
        "clause_openers": "what opens a clause inside a predicate",
        "after_possessives": "function words that may follow a possessive",
        "singular_in_n": "verbs in -n of the singular",
        "of_a_thing": "what is behind an *it was* that speaks of something",
        "impersonal_clauses": "what opens the clause that an *it was* only announces",
        "placed_after": "prepositions before a place",
        "and": "what joins two subjects",
        "honours": "what is behind the *his* or *her* of a title: Her Majesty",
        "definite_openers": "articles and demonstratives with which a sentence opens",
        "groups": "groups that a name before them describes and does not name",
        "noun_endings": "endings of nouns",
        "everyday_events": "events that befall everybody",
        "in_licence_terms": "parts of words, one of which is in every term of licences: most texts have none, which is found sooner",
        "after_and": "what opens a main clause behind *and*",
        "verbs_after_and": "verbs that go on with the subject behind *and*",
        "subordinate": "what opens a clause that states nothing by itself",
        "before_subjects": "words between what joins two main clauses and the subject of the second",
        "before_verbs": "words between a subject and its verb",
        "until": "what is between two dates",
        "divisions": "what divisions of a book are called",
        "titled_divisions": "the same where a title is behind the number",
        "main_verbs": "verbs of main clauses, but for those that end as most do",
    },
    {
        "hedges": "words by which one reports, supposes or doubts what one says",
        "hedges_anywhere": "the same within words, or in scripts without spaces",
        "denials": "words by which one denies what one says",
        "denials_anywhere": "the same within words, or in scripts without spaces",
        "called_false": "how a sentence begins that says of all that it tells that it is false",
        "third_persons": "pronouns of the third person with their kind (m, f, thing, plural) and role",
        "third_persons_opening": "pronouns that can open a sentence, behind their kind",
        "impersonal_verbs": "what is behind a pronoun that means nothing",
        "impersonal_is": "the same where a clause must follow: *it is clear that*",
        "licence_terms": "terms of licences",
        "joining_clauses": "what joins two main clauses",
        "division_numbers": "numbers of divisions, in words",
        "subordinating": "what ends a main clause",
    },
)
"""Words, separated by blanks, and phrases, a line each; both may be regular expressions."""
