"""Basic search: the chunks closest to the question, and an answer from them; the plain way that others are measured by."""

from collections.abc import Sequence
from itertools import accumulate

from pipeline.base.schema import CHUNKS, DOCUMENTS, ENTITIES
from pipeline.base.task import NOT_SAID
from pipeline.language.tasks.search.answer_from_passages import answer_from_passages
from pipeline.query.answer import Answer, Coverage, noted
from pipeline.query.evidence.citations import guarded
from pipeline.query.evidence.cited_context import (
    ChunkSpan,
    Offered,
    Writer,
    chunks_by_document,
    closest_chunks,
    fit,
    n_words,
    read_chunks,
    read_closest,
    show_chunks,
)
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.lookups.meant_documents import files_by_title
from pipeline.query.lookups.mentions import Mentioning, MentionsFound, documents_without, find_mentions
from pipeline.query.lookups.rows import find_rows
from pipeline.query.lookups.sections import SectionFound, find_sections, fitting, in_chunks
from pipeline.query.lookups.summaries import find_summarised, summary_places
from pipeline.query.messages import listed, message
from pipeline.query.method import SearchCall, search
from pipeline.query.methods.row_answer import ROWS, answer_from_rows
from pipeline.text.inflection import in_number
from pipeline.text.question.row_questions import asked_cell, asked_rows, asks_for_one_row, asks_of_all_rows

OF_WHICH = frozenset({"list", "person"})
"""What else a question may ask for that asks which one has the most, and not how much that is."""
SECTION_WORDS = 1000
"""Words of sections that are printed, at most, where an answer may not have more: one asks for a section to read it."""


@search(reads=(CHUNKS, ENTITIES, DOCUMENTS), asks=(answer_from_passages,))
def basic_search(call: SearchCall) -> Answer:
    """Answer from the chunks closest to the question; from all that mention what it looks for where it asks which do."""
    question, settings, n_chunks = call.question, call.settings, call.tables["chunks"].num_rows
    asked = asked_rows(question.text, question.language)
    found = read_closest(call)
    rows = find_rows(asked or asked_cell(question.text, question.language), question.language, found, call.tables)
    if rows:
        return answer_from_rows(call, rows)
    mentions = find_mentions(question, call.tables, call.finder) if question.mention else None
    if mentions and question.is_mention_denied:
        return _not_mentioned(call, mentions)
    if mentions and mentions.found:
        return _mentioned(call, mentions)
    asked_for = find_sections(question, call.tables, call.finder)
    sections = [(one, places) for one in asked_for if (places := in_chunks(one, call.tables))]
    if sections:
        return _read_out(call, sections)
    if documents := find_summarised(question, call.tables):
        return _summarised(call, documents)
    read = fit(found, settings.context_tokens)
    call.trace.step(
        "find", f"{in_number(len(read), 'chunk')} of {n_chunks:,}, closest first", chunks=[one.id for one in read]
    )
    offered = Offered()
    shown = show_chunks(read, offered)
    excerpts = Excerpts(question, call.tables, call.finder)
    every = [*read, *excerpts.defining(read)]
    draft = excerpts.draft_from_chunks(every, offered)
    n_rows = excerpts.n_rows(every) if asked else 0
    which = asks_for_one_row(asked) and OF_WHICH.issuperset(question.kinds)
    if n_rows and (asks_of_all_rows(asked) or (which and n_rows > 1)):
        draft = NOT_SAID
    return Writer(call, "basic", offered).from_passages(shown, draft, closest_chunks(len(read), n_chunks))


def _mentioned(call: SearchCall, mentions: MentionsFound) -> Answer:
    """Answer from what mentions a thing: of each document a sentence without a model, and the chunk around it with one."""
    question, settings, found = call.question, call.settings, mentions.found
    language = question.answer_language
    shown = _within(found, n_words(settings))
    rows = {one.id: one for one in read_chunks([one.chunk_id for one in found], call.tables)}
    offered = Offered()
    parts = [f"**{guarded(question.mention)}**"]
    for one in shown:
        id = offered.chunk(one.chunk_id, rows[one.chunk_id].text)
        parts += [f"**{guarded(one.title)}**", f"{guarded(' '.join(one.sentence.split()))} [{id}]"]
    read = {one.id for one in fit([rows[one.chunk_id] for one in _most_first(found)], settings.context_tokens)}
    passages = show_chunks([one for one in rows.values() if one.id in read], offered)
    counted = _counted(mentions)
    call.trace.step("mentions", f"{question.mention}: {counted}", chunks=list(rows))
    left = f"; {len(shown)} are listed" if len(shown) < len(found) else ""
    coverage = Coverage(1.0, f"rests on {counted}{left}")
    answer = Writer(call, "basic", offered).from_passages(passages, "\n\n".join(parts), coverage)
    notes = {(question.mention, ""): message(mentions.unit, language, found=len(found), total=mentions.total)}
    for one, file in zip(shown, files_by_title((one.title, one.source) for one in shown), strict=True):
        id = one.document_id if mentions.unit == "documents" else one.chunk_id
        notes[one.title, id] = _both(file, f"{one.n_sentences}×" if one.n_sentences > 1 else "", language)
    return noted(answer, notes)


def _not_mentioned(call: SearchCall, mentions: MentionsFound) -> Answer:
    """Answer with the documents that do not mention a thing, each with what it begins with. No model is asked, which would see
    some of their texts; where there are none, or none mentions it, nothing is answered."""
    question, offered, language = call.question, Offered(), call.question.answer_language
    without, total = documents_without(mentions, call.tables), call.tables["documents"].num_rows
    counted = f"{in_number(len(without), 'document')} of {total:,}"
    call.trace.step("mentions", f"{question.mention}: not in {counted}")
    spans = chunks_by_document([one["id"] for one in without[:ROWS]], call.tables)
    printed = [one for one in without[:ROWS] if one["id"] in spans]
    excerpts = Excerpts(question, call.tables, call.finder)
    parts = [f"**{guarded(question.mention)}**"]
    for one, chunk in zip(printed, read_chunks([spans[one["id"]][0][0] for one in printed], call.tables), strict=True):
        said = excerpts.draft_of_units([(chunk, 0, len(chunk.text))], offered)
        parts.append(f"**{guarded(one['title'])}**\n\n{said}")
    left = f"; {len(printed)} are listed" if len(printed) < len(without) else ""
    coverage = Coverage(1.0, f"rests on {counted} that do not mention {question.mention}{left}")
    answer = Writer(call, "basic", offered).finish("\n\n".join(parts) if printed else NOT_SAID, coverage)
    notes = {(question.mention, ""): message("documents_without", language, found=len(without), total=total)}
    files = files_by_title((one["title"], one["source"]) for one in printed)
    notes |= {(one["title"], one["id"]): file for one, file in zip(printed, files, strict=True)}
    return noted(answer, notes)


def _read_out(call: SearchCall, sections: Sequence[tuple[SectionFound, Sequence[ChunkSpan]]]) -> Answer:
    """Answer with what sections say, word for word without a model, and from the chunks that hold them with one."""
    question, settings = call.question, call.settings
    excerpts, offered = Excerpts(question, call.tables, call.finder), Offered()
    parts, read = [], []
    n_printed = n_found = 0
    for one, places in sections:
        printed = fitting(places, max(SECTION_WORDS, n_words(settings)) // len(sections))
        parts.append(f"**{guarded(one.heading or one.title)}**\n{excerpts.draft_of_units(printed, offered)}")
        read += [chunk for chunk, _, _ in places]
        n_printed, n_found = n_printed + len(printed), n_found + len(places)
    titles = ", ".join(dict.fromkeys(one.title for one, _ in sections))
    call.trace.step(
        "sections", f"{in_number(len(sections), 'section')} of {titles}", chunks=[chunk.id for chunk in read]
    )
    passages = show_chunks(fit(list(dict.fromkeys(read)), settings.context_tokens), offered)
    left = "" if n_printed == n_found else f"; the first {n_printed} of {n_found} sentences and items are printed"
    coverage = Coverage(n_printed / n_found, f"rests on {in_number(len(sections), 'section')} of {titles}{left}")
    answer = Writer(call, "basic", offered).from_passages(passages, "\n\n".join(parts), coverage)
    files = files_by_title((one.title, one.source) for one, _ in sections)
    notes = {
        (one.heading or one.title, one.document_id): _both(
            one.title if one.heading else "", file, question.answer_language
        )
        for (one, _), file in zip(sections, files, strict=True)
    }
    return noted(answer, notes)


def _summarised(call: SearchCall, documents: Sequence[SectionFound]) -> Answer:
    """Answer with the sentences that say most of the documents that are to be summarised, and from all of their chunks with a model."""
    settings, offered = call.settings, Offered()
    excerpts = Excerpts(call.question, call.tables, call.finder)
    every = [in_chunks(one, call.tables) for one in documents]
    chosen = summary_places(documents, call.tables)
    parts = [
        f"**{guarded(one.title)}**\n{excerpts.draft_of_units(places, offered)}"
        for one, places in zip(documents, chosen, strict=True)
        if places
    ]
    read = fit(list(dict.fromkeys(chunk for places in every for chunk, _, _ in places)), settings.context_tokens)
    titles = ", ".join(one.title for one in documents)
    call.trace.step("summary", f"of {titles}", chunks=[chunk.id for chunk in read])
    passages = show_chunks(read, offered)
    n_printed, n_found = sum(map(len, chosen)), sum(map(len, every))
    coverage = Coverage(
        1.0, f"rests on {titles}: {n_printed} of {n_found} sentences and items, those that say most of it"
    )
    answer = Writer(call, "basic", offered).from_passages(passages, "\n\n".join(parts), coverage)
    files = files_by_title((one.title, one.source) for one in documents)
    return noted(answer, {(one.title, one.document_id): file for one, file in zip(documents, files, strict=True)})


def _both(one: str, other: str, language: str) -> str:
    return listed(filter(None, (one, other)), language)


def _most_first(found: Sequence[Mentioning]) -> list[Mentioning]:
    """Return what mentions a thing with the first of all first, then what does so most often."""
    return sorted(found, key=lambda one: (one != found[0], -one.n_sentences))


def _within(found: Sequence[Mentioning], most: int) -> list[Mentioning]:
    """Return those of them that have so many words together, in their order: one at least, the first, then the most frequent."""
    ranked = _most_first(found)
    words = accumulate(len(f"{one.title} {one.sentence}".split()) for one in ranked)
    kept = {one for one, so_far in zip(ranked, words, strict=True) if so_far <= most or one == ranked[0]}
    return [one for one in found if one in kept]


def _counted(mentions: MentionsFound) -> str:
    sentences = in_number(sum(one.n_sentences for one in mentions.found), "sentence")
    least, unit = "" if mentions.whole else "at least ", mentions.unit.removesuffix("s")
    return f"{least}{sentences} in {in_number(len(mentions.found), unit)} of {mentions.total:,}"
