"""Global search: map-reduce over community reports, of one level or of those that rate as relevant (Edge et al. 2024, 3.1.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate, count
from typing import Any

from pipeline.base.schema import (
    CHUNKS,
    CLAIMS,
    COMMUNITIES,
    COMMUNITY_REPORTS,
    DOCUMENTS,
    ENTITIES,
    FACTS,
    KEY_ELEMENTS,
    RELATIONSHIPS,
    SENTENCES,
)
from pipeline.base.settings import SearchSettings
from pipeline.base.task import NOT_SAID, short_ids
from pipeline.language.tasks.search.choose_method import MAY_BE_WHOLE
from pipeline.language.tasks.search.map_reports import ReportsToMap, map_reports
from pipeline.language.tasks.search.rate_reports import rate_reports
from pipeline.language.tasks.search.reduce_points import PointShown, PointsToReduce, ThemeShown, reduce_points
from pipeline.query.answer import Answer, Coverage, Grounds, Place, Sentence
from pipeline.query.evidence.citations import Sources, as_heading, cite, guarded
from pipeline.query.evidence.cited_context import (
    Offered,
    Writer,
    answer_of,
    closest_chunks,
    fit,
    read_closest,
    words_in_tokens,
)
from pipeline.query.evidence.confirmation import HEADED, confirming_cost
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.evidence.report_sources import FindingKey, ReportSources
from pipeline.query.evidence.themes import Theme, ThemeFinder
from pipeline.query.lookups.listings import find_listed
from pipeline.query.lookups.summaries import introduction, overview_places
from pipeline.query.messages import listed, message
from pipeline.query.method import SearchCall, search
from pipeline.query.methods.dynamic_selection import select_reports
from pipeline.query.methods.effort import Chosen, choose_by_level, effort_of
from pipeline.query.methods.report_batches import ReportContext, bounded_batches
from pipeline.query.model_requests import Deadline, request_all, write
from pipeline.query.streaming import Live
from pipeline.text.inflection import in_number
from pipeline.text.keys import content_keys
from pipeline.text.question.question import Question
from pipeline.text.question.scope.listings import Listed, asked_listing
from pipeline.text.question.scope.whole import (
    asked_keys,
    asks_for_overview,
    asks_what_recurs,
    entities_asked,
    general_keys,
    matter_asked,
)

FORM = f"paragraphs, under headings where the answer is longer than about {HEADED} words (## and what the part says, not its topic)"
"""The form of an answer where settings name none."""
SHARE_OF_POINTS = 1.0
"""Words of an answer, at most, as a share of those of its points."""
THEMES, FEW_THEMES = 8, 3
"""Themes of an answer without a model, and how few are none where a question does not ask for the whole."""
LISTED_FROM: Mapping[Listed, str] = {
    "sums": "rests on the sums of money that the texts name beside a currency",
    "dates": "rests on the dates that sentences name, and those of the documents",
}
"""What an answer without a model rests on that is a list."""
BROAD = 2
"""Words of a question that names nothing, at most, with which it is one on the whole although it does not say so."""
ENOUGH_POINTS, WEAK = 20, 0.6
"""Points beside which weaker ones are left out, and the share of the best score below which a point is weak."""
LEAST_WORDS = 60
"""Words that an answer may have however little its points hold."""
PROMPT_TOKENS = 450
"""Tokens of the instructions and the reply's schema around what one call is shown, about."""


@dataclass(frozen=True)
class Scored:
    """A point that a map found, and the findings it rests on."""

    score: int
    description: str
    findings: tuple[FindingKey, ...]


@search(
    reads=(
        COMMUNITY_REPORTS, COMMUNITIES, ENTITIES, RELATIONSHIPS, CLAIMS, CHUNKS, FACTS, KEY_ELEMENTS, DOCUMENTS,
        SENTENCES,
    ),
    asks=(rate_reports, map_reports, reduce_points),
)  # fmt: skip
def global_search(call: SearchCall) -> Answer:
    """Answer what runs through the whole corpus, from the reports on its communities."""
    question, tables, settings, trace = call.question, call.tables, call.settings, call.trace
    chunks, documents = tables["chunks"], tables["documents"]
    deadline = Deadline(settings.max_seconds)
    resolver = ReportSources(tables)
    chosen, share = choose_reports(call, resolver.reports, deadline)
    batches = bounded_batches(chosen.reports, settings)
    _announce(chosen, batches, call)
    shown = ReportContext(batches, tables)
    found = _map(call, shown, deadline)
    coverage = _coverage(found, sum(map(len, batches)), chosen, share, settings)
    best = fill(found.points, settings.context_tokens)
    finder = ThemeFinder(tables["facts"], tables["key_elements"], chunks, tables["entities"], documents)
    listing = asked_listing(question.text, question.language)
    listed_parts = find_listed(listing, tables, question.language, THEMES) if listing else []
    themes = listed_parts or find_themes(question, finder)
    trace.step("themes", f"{len(themes)} that recur: {', '.join(theme.title for theme in themes) or 'none'}")
    passages = Offered()
    draft, drafted_from = (_opening(call, passages), coverage) if themes else _draft(call, passages)
    if listing and listed_parts:
        drafted_from = Coverage(1.0, LISTED_FROM[listing.of])
    if not best and not themes:  # of what no report speaks no model is asked
        return Writer(call, "global", passages).finish(draft or NOT_SAID, drafted_from if draft else coverage)
    quoted = {f"t{i}": place for i, (_, place) in enumerate((one for theme in themes for one in theme.sentences), 1)}

    @cache
    def place(id: str, sentence: str) -> Place | None:
        if id in passages:
            return passages.resolve(id, sentence)
        return quoted[id] if id in quoted else resolver.place(best[int(id[1:]) - 1].findings, sentence)

    @cache
    def behind(ids: tuple[str, ...]) -> Grounds:
        cited = [best[int(id[1:]) - 1] for id in ids if id in points]
        return tuple(resolver.ground(one.description, one.findings) for one in cited)

    points = {f"p{i}" for i in range(1, len(best) + 1)}
    words = {*quoted, *passages}
    live = Live(trace, points | words, place, chunks, documents, behind=behind)
    request = _points(question.text, best, themes, draft, settings)
    without = reduce_points.offline(request).text
    text, by = (
        write(reduce_points, request, call.language, live) if best else (without, "rules: no report speaks of it")
    )
    trace.step("answer", f"out of {len(best)} points, by {by}")
    sources = Sources(chunks, documents, carry=trace.carry, behind=behind)
    # A model was shown neither themes nor passages, so only the answer without one may cite them.
    in_words = text == without
    cited = cite(text, points | words if in_words else points, place, sources)
    if in_words and (listed_parts or not themes):
        coverage = drafted_from
    if in_words and themes:
        cited = cited._replace(sentences=_noted(cited.sentences, cited.text, themes, question.language))
    return answer_of(call, "global", cited, sources.listed(), coverage, found.removed)


def _draft(call: SearchCall, offered: Offered) -> tuple[str, Coverage]:
    """Return the answer without a model where no theme recurs, and what it covers: to a question on the whole what says most of each
    document, to one on one thing what the other searches give, from the chunks closest to it."""
    excerpts = Excerpts(call.question, call.tables, call.finder)
    if not asked_keys(call.question.text, call.question.language) - general_keys(call.question.language):
        chosen = overview_places(call.tables)
        parts = [f"{as_heading(one.title)}\n{excerpts.draft_of_units(some, offered)}" for one, some in chosen if some]
        n_all = call.tables["documents"].num_rows
        return "\n\n".join(parts), Coverage(
            len(parts) / max(n_all, 1), f"rests on {in_number(len(parts), 'document')} of {n_all:,}"
        )
    read = fit(read_closest(call), call.settings.context_tokens)
    draft = excerpts.draft_from_chunks([*read, *excerpts.defining(read)], offered)
    return draft, closest_chunks(len(read), call.tables["chunks"].num_rows)


def _opening(call: SearchCall, offered: Offered) -> str:
    """Return what an introduction says that the whole is, below its title, where a question asks for an overview."""
    first = introduction(call.tables) if asks_for_overview(call.question.text, call.question.language) else None
    if not first:
        return ""
    said = Excerpts(call.question, call.tables, call.finder).draft_of_units(first[1], offered)
    return f"{as_heading(first[0].title)}\n{said}"


def find_themes(question: Question, finder: ThemeFinder) -> list[Theme]:
    """Return the themes of what a question asks for as a whole; none where it asks for one thing, which it names or of which it asks
    when, who or how much, or where little recurs. What recurs most is asked of all the texts where few speak of its kind by its name: a complaint hardly says "problem". Of persons,
    places and firms those that most texts mention are the themes; of problems and the like, where few recur, also the
    documents with others."""
    if matter := matter_asked(question.text, question.language, bare=True):
        found = finder.find((), question.language, THEMES, matter)
        room = THEMES - len(found)
        return [*found, *finder.documents(matter, question.language, room, found)] if room else found
    if type := entities_asked(question.text, question.language, bare=True):
        return finder.entities(type, question.language, THEMES)
    asked = asked_keys(question.text, question.language)
    whole = asked != content_keys(question.text, question.language)
    recurs = asks_what_recurs(question.text)
    on_parts = 0 < len(asked) <= BROAD and not question.names and MAY_BE_WHOLE.issuperset(question.kinds)
    themes = finder.find(asked, question.language, THEMES) if whole or recurs or on_parts else []
    if len(themes) >= FEW_THEMES or not asked:
        return themes
    return finder.find((), question.language, THEMES) if recurs else themes if on_parts else []


def _noted(sentences: Sequence[Sentence], text: str, themes: Sequence[Theme], language: str) -> tuple[Sentence, ...]:
    """Return the sentences of an answer's text, those that name a theme with a note on how often it recurs and with what."""
    notes = {}
    for theme in themes:
        if theme.unit is None:
            continue
        count = message(theme.unit, language, found=theme.found_in, total=theme.total)
        notes[theme.title.casefold()] = ": ".join(filter(None, (count, listed(theme.related, language))))
    return tuple(
        one if one.asserts else replace(one, note=notes.get(text[one.start : one.end].strip("*- ").casefold(), ""))
        for one in sentences
    )


def choose_reports(call: SearchCall, reports: dict[int, dict[str, Any]], deadline: Deadline) -> tuple[Chosen, float]:
    """Return the reports to read, by rating or by level as settings say, and the share of reports that were rated of
    those that should have been."""
    if call.settings.level == "dynamic":
        selection = select_reports(call, reports, deadline)
        return Chosen(selection.reports, selection.description, selection.relevant), selection.share
    return choose_by_level(call.tables["communities"], reports, call.settings), 1.0


def _announce(chosen: Chosen, batches: Sequence[Sequence[dict[str, Any]]], call: SearchCall) -> None:
    """Enter what is going to be asked before it is: calls, and about how many tokens they may take with a model."""
    settings = call.settings
    tokens = sum(report["n_tokens"] for batch in batches for report in batch)
    answer = effort_of(settings).answer_tokens
    confirming = confirming_cost(words_in_tokens(answer), settings, call.language)
    calls = len(batches) + 1 + confirming.calls
    tokens_in = tokens + min(tokens, settings.context_tokens) + calls * PROMPT_TOKENS
    tokens_in += confirming.tokens_in
    tokens_out = answer + tokens // 4 + confirming.tokens_out
    detail = f"{settings.effort} effort: {chosen.description}, {tokens:,} tokens, read in {in_number(len(batches), 'call')}; one more answers"
    detail += f", and {confirming.calls} confirm it" if confirming.calls else ""
    read = [report["community"] for batch in batches for report in batch]
    call.trace.step("reports", detail, calls=calls, tokens_in=tokens_in, tokens_out=tokens_out, communities=read)


@dataclass
class Mapped:
    """What the maps brought: points, reports that no map read, and citations of findings that were not offered."""

    points: list[Scored] = field(default_factory=list)
    unread: int = 0
    removed: int = 0
    offline: bool = False
    """Whether the model answered no map, and all were therefore made without it."""


def _map(call: SearchCall, shown: ReportContext, deadline: Deadline) -> Mapped:
    found = Mapped()
    requests = [ReportsToMap(item, call.question.text, *parts) for item, parts in shown.items()]
    asked = request_all(map_reports, requests, call.language, deadline, call.trace)
    found.unread = sum(len(request.reports) for request in asked.missing)
    found.offline = bool(requests) and not asked.replies
    for request, reply in asked.replies or [(request, map_reports.offline(request)) for request in requests]:
        keys = shown.keys[request.item]
        for point in reply.points:
            cited = short_ids(point.findings)
            known = [id for id in cited if id in keys]
            found.removed += len(cited) - len(known)
            if point.score > 0 and known:
                findings = tuple(dict.fromkeys(keys[id] for id in known))
                found.points.append(Scored(point.score, point.description, findings))
        call.trace.step("map", f"{request.item}: {len(reply.points)} points")
    return found


def fill(points: Sequence[Scored], budget: int) -> list[Scored]:
    """Return the best points, each said once, as many as fit a budget of tokens (four characters each, about); weak ones only
    where strong ones are few."""
    best: list[Scored] = []
    said = set()
    room = budget * 4
    least = WEAK * max((point.score for point in points), default=0)
    for point in sorted(points, key=lambda point: (-point.score, point.description)):
        if point.description in said:
            continue
        if len(best) >= ENOUGH_POINTS and point.score < least:
            break
        room -= len(point.description)
        if room < 0 and best:
            break
        said.add(point.description)
        best.append(point)
    return best


def _points(
    question: str, best: Sequence[Scored], themes: Sequence[Theme], draft: str, settings: SearchSettings
) -> PointsToReduce:
    points = tuple(PointShown(f"p{i}", one.description, one.score) for i, one in enumerate(best, 1))
    said = sum(len(point.description.split()) for point in best)
    allowed = words_in_tokens(effort_of(settings).answer_tokens)
    most = min(allowed, max(int(SHARE_OF_POINTS * said), LEAST_WORDS))
    ids = (f"t{i}" for i in count(1))
    shown = tuple(
        ThemeShown(
            guarded(theme.title),
            tuple((guarded(text), next(ids)) for text, _ in theme.sentences),
        )
        for theme in _within(themes, allowed)
    )
    return PointsToReduce("answer", question, points, settings.form or FORM, most, shown, draft)


def _within(themes: Sequence[Theme], n_words: int) -> list[Theme]:
    """Return as many themes as have so many words, one at least."""
    words = accumulate(
        len(f"{theme.title} {' '.join(text for text, _ in theme.sentences)}".split()) for theme in themes
    )
    return [
        theme for place, (theme, so_far) in enumerate(zip(themes, words, strict=True)) if so_far <= n_words or not place
    ]


def _coverage(found: Mapped, offered: int, chosen: Chosen, considered: float, settings: SearchSettings) -> Coverage:
    read = offered - found.unread
    share = considered * (read / chosen.total if chosen.total else 1.0)
    if found.offline:
        return Coverage(
            share, f"partial: {chosen.description}, read without a model because it answered for none of them"
        )
    rest = (
        f"rests on {chosen.description}" if read == len(chosen.reports) else f"rests on {read} of {chosen.description}"
    )
    if read == chosen.total:
        return Coverage(share, rest if considered == 1 else f"partial: {rest}")
    if found.unread:
        return Coverage(share, rest).but("the others failed, or came after the deadline")
    effort = f"{settings.effort} effort and {settings.max_map_calls} calls allow no more of {chosen.total}"
    return Coverage(share, rest).but(effort)
