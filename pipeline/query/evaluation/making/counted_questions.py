"""Questions made from statements without a model: who or what did it, when, who somebody is, how two are related."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from pipeline.base.store import Generation
from pipeline.query.evaluation.eval_questions import Example
from pipeline.query.evaluation.making.statements import (
    NamedThing,
    Statement,
    question_words,
    sampled_statements,
)
from pipeline.query.evaluation.making.unanswerable import unanswerable_questions
from pipeline.query.messages import suggested
from pipeline.text.keys import base_forms, irregular_lines
from pipeline.text.scripts import is_unspaced, words_of

_BEFORE_DATE = re.compile(r"\s+(?:in|on|at|since|by|from|during)(?: the)?\s*$", re.IGNORECASE)
_COMMA = re.compile(r"[,，、;；](?!\d)")
_JOINED = re.compile(r",|;|\d|\band (?:was|were|had|has|is)\b")
"""What shows that a clause has more than one predicate or date."""
FEWEST_WORDS = 4
"""Words of a clause that says enough by itself."""
_PASSAGES = 3
"""Passages of a question on two names, at most."""


class MadeQuestion(NamedTuple):
    """A question with the statement it was made from, the answers, and which of its names is the answer, if one is."""

    kind: str
    question: str
    answers: tuple[str, ...]
    statement: Statement
    answer: NamedThing | None

    def example(self, number: int) -> Example:
        """Return it as a line of a question set."""
        passage = self.statement.passage
        return Example(number, self.question, self.answers, (passage.document,), (passage,), True, self.kind)


def counted_questions(generation: Generation, count: int, unanswerable: float, seed: int) -> list[Example]:
    """Return at most ``count`` questions, each with its answer and passage; a share ``unanswerable`` of them asks what the
    corpus does not hold.

    Kinds are taken in turn, and documents in turn within a kind. The same index and seed give the same questions.
    """
    statements = sampled_statements(generation, count, seed)
    aliases = {row["title"]: row["aliases"] for row in generation.table("entities", ["title", "aliases"]).to_pylist()}
    kinds: dict[str, list[MadeQuestion]] = {"who": [], "when": [], "about": []}
    for statement in statements:
        for one in _made(statement, aliases):
            kinds[one.kind].append(one)
    n_missing = round(count * unanswerable)
    found = _in_turn([*kinds.values()], _pairs(statements), count - n_missing)
    if len(found) < count - n_missing:  # the share is of what could be made
        n_missing = round(len(found) * unanswerable / (1 - unanswerable))
    missing = unanswerable_questions(generation, kinds["who"], n_missing, seed)
    return numbered([*found, *missing])


def numbered(examples: Sequence[Example]) -> list[Example]:
    """Return questions as the lines of a file."""
    return [replace(one, number=number) for number, one in enumerate(examples, 1)]


def _in_turn(kinds: list[list[MadeQuestion]], pairs: list[Example], most: int) -> list[Example]:
    """Return the first of each kind, then the second, and so on; no question twice."""
    queues: list[list[Example]] = [*([one.example(0) for one in kind] for kind in kinds), pairs]
    found: dict[str, Example] = {}
    for place in range(max(map(len, queues), default=0)):
        for queue in queues:
            if place < len(queue) and len(found) < most:
                found.setdefault(queue[place].question, queue[place])
    return list(found.values())


def _made(statement: Statement, aliases: Mapping[str, list[str]]) -> Iterator[MadeQuestion]:
    subject = _subject(statement)
    if subject is None:
        return
    written = statement.text[subject.start : subject.end]
    answers = tuple(dict.fromkeys([written, subject.title, *aliases.get(subject.title, ())]))
    rest = _first_clause(statement, subject)
    forms = question_words()[statement.language]
    if not any(answer.casefold() in rest.casefold() for answer in answers):
        form = forms["who" if subject.type == "PERSON" else "what"]
        yield MadeQuestion("who", form.format(rest), answers, statement, subject)
    asked = _when(statement, subject)
    if asked:
        yield MadeQuestion("when", asked, (statement.text[slice(*statement.dates[-1])],), statement, None)
    first, _, further = rest.partition(" ")
    is_defined = further.partition(" ")[0].casefold() in words_of(statement.language).determiners
    if first in forms["defining"].split() and is_defined:
        which: Literal["person", "thing"] = "person" if subject.type == "PERSON" else "thing"
        yield MadeQuestion("about", suggested(which, statement.language, (subject.title,)), (), statement, subject)


def _first_clause(statement: Statement, subject: NamedThing) -> str:
    """Return what is said of the subject, up to the first comma where that says enough: a name or a date besides."""
    rest = statement.text[subject.end :].strip(" .。")
    comma = _COMMA.search(rest)
    if comma is None:
        return rest
    end = subject.end + len(statement.text[subject.end :]) - len(statement.text[subject.end :].lstrip()) + comma.start()
    named = any(subject.end < name.start and name.end <= end for name in statement.names)
    dated = any(to <= end for _, to in statement.dates)
    enough = len(rest[: comma.start()].split()) >= FEWEST_WORDS or is_unspaced(statement.language)
    return rest[: comma.start()] if (named or dated) and enough else rest


def _subject(statement: Statement) -> NamedThing | None:
    """Return the name that a statement begins with, where a verb follows at once; None where it does not."""
    if not statement.names:
        return None
    name = statement.names[0]
    if statement.without_article(name.start) or not name.type:
        return None
    if is_unspaced(statement.language):
        return name
    rest = re.match(r" ([^\W\d_]+)\s+\S", statement.text[name.end :])
    return name if rest and _is_verb(rest[1], statement.language) else None


def _is_verb(word: str, language: str) -> bool:
    """Whether a word behind a name is a verb: an auxiliary, a frequent form, or in English a past tense."""
    known = words_of(language)
    if word in question_words()[language]["verbs"].split() or word in known.verbs:
        return True
    if language != "en" or word in known.function:
        return False
    return word in _past_forms() or (word.islower() and word.endswith("ed") and len(word) > 4)


def _past_forms() -> frozenset[str]:
    return frozenset(forms[0] for _, *forms in irregular_lines() if forms) & base_forms().keys()


def _when(statement: Statement, subject: NamedThing) -> str | None:
    """Return the English question for the date that ends a clause of "was" or "were"; None for others."""
    if statement.language != "en" or not statement.dates:
        return None
    at, to = statement.dates[-1]
    before = statement.text[subject.end : at]
    verb, _, predicate = before.strip().partition(" ")
    cut = _BEFORE_DATE.sub("", predicate)
    is_clause = verb in ("was", "were") and len(cut.split()) >= 1 and not _JOINED.search(cut)
    if not is_clause or cut == predicate or to < len(statement.text.rstrip(" .。")):
        return None
    named = statement.text[: subject.end]
    article, space, bare = named.partition(" ")
    named = f"{article.lower()} {bare}" if space and article in ("The", "A", "An") else named
    return f"When {verb} {named} {cut}?"


def _pairs(statements: list[Statement]) -> list[Example]:
    """Return questions on how two names are related that statements name together, those first that most of them name."""
    together: dict[tuple[str, str], list[Statement]] = {}
    for statement in statements:
        known = sorted({name.title for name in _apart(statement) if name.type not in ("", "CONCEPT")})
        for place, one in enumerate(known):
            for other in known[place + 1 :]:
                together.setdefault((one, other), []).append(statement)
    ordered = sorted(together, key=lambda pair: (-len(together[pair]), pair))
    asked: set[str] = set()
    found = []
    for pair in ordered:
        if not asked.isdisjoint(pair):
            continue
        asked.update(pair)
        passages = tuple(one.passage for one in together[pair][:_PASSAGES])
        question = suggested("pair", together[pair][0].language, pair)
        documents = tuple(dict.fromkeys(passage.document for passage in passages))
        found.append(Example(0, question, (), documents, passages, True, "pair"))
    return found


def _apart(statement: Statement) -> Iterator[NamedThing]:
    """Yield the names of a statement but those right behind another, which say more of it: "John, Duke of Bedford"."""
    end = -1
    for name in statement.names:
        if end < 0 or any(map(str.isalnum, statement.text[end : name.start])):
            yield name
        end = name.end
