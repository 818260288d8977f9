"""Questions on the whole of the texts that a list answers: the largest sums, or what happened when."""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from pipeline.text.dates import MONTHS, find_dates
from pipeline.text.keys import content_keys
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.scope.question_forms import forms_of, without_marks
from pipeline.text.question.scope.whole import general_keys

Listed = Literal["sums", "dates"]
"""What such a question wants a list of."""
_LISTED: tuple[Listed, ...] = ("sums", "dates")
RECENT = 100
"""Questions of which is remembered what they want listed: the choice of a method and the method both ask."""
_MONTH_OPENING = 12
"""Characters that may be before a month without a year: "the month of"."""


class ListingAsked(NamedTuple):
    """What a question wants a list of, and of which days, ISO 8601 and inclusive; of which month of any year, 1 to 12, where it names
    one without a year."""

    of: Listed
    first: str = ""
    last: str = ""
    month: int = 0


@lru_cache(maxsize=RECENT)
def asked_listing(question: str, language: str) -> ListingAsked | None:
    """Return what a question in a language (ISO 639-1) wants listed; None where it asks for something else, or for what happened at
    a time that is no date: "during the storm"."""
    plain = " ".join(without_marks(question).split())
    plain = re.sub(rf"[\s,]+(?:{'|'.join(QUESTIONS.of('listing_times', language))})$", "", plain, flags=re.IGNORECASE)
    for of in _LISTED:
        for form in forms_of(f"listing_{of}", language):
            found = form.fullmatch(plain)
            when = next((value for value in found.groupdict().values() if value), "") if found else ""
            asked = _of_days(of, when, language) if found else None
            if asked:
                return asked
    return None


def _of_days(of: Listed, when: str, language: str) -> ListingAsked | None:
    """Return what is asked for with the time that ``when`` names; None where that is no date, and no whole year or month."""
    if not when:
        return ListingAsked(of)
    dates = find_dates(when) or find_dates(f"in {when}")
    if dates:
        return ListingAsked(of, dates[0].first, dates[0].last)
    *before, last = when.casefold().split()
    if (month := MONTHS.get(last)) and len(" ".join(before)) <= _MONTH_OPENING:
        return ListingAsked(of, month=month)
    return None if content_keys(when, language) - general_keys(language) else ListingAsked(of)
