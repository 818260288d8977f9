"""What is found by looking through all that there is as an answer: what mentions a thing, or does not; sections, and summaries."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from pipeline.base.task import NOT_SAID
from pipeline.language.tasks.search.answer_from_passages import PassageShown
from pipeline.query.answer import Answer, Coverage, noted
from pipeline.query.evidence.citations import as_heading, guarded
from pipeline.query.evidence.cited_context import (
    ChunkSpan,
    Offered,
    Writer,
    chunks_by_document,
    fit,
    n_words,
    read_chunks,
    show_chunks,
)
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.lookups.meant_documents import files_by_title
from pipeline.query.lookups.mentions import Mentioning, MentionsFound, documents_without
from pipeline.query.lookups.sections import SectionFound, fitting, in_chunks
from pipeline.query.lookups.summaries import summary_places
from pipeline.query.messages import listed, message
from pipeline.query.method import SearchCall
from pipeline.query.methods.row_answer import ROWS
from pipeline.text.inflection import in_number

SECTION_WORDS = 1000
"""Words of sections that are printed, at most, where an answer may not have more: one asks for a section to read it."""


class _Headed(NamedTuple):
    """What an answer says of a document, below its title, or of a section, below the heading that it has."""

    title: str
    source: str
    """The path of its file."""
    id: str
    """Of the document or passage that is cited."""
    said: str | None
    """None where nothing of it is printed."""
    heading: str = ""
    note: str = ""


def answer_from_mentions(call: SearchCall, mentions: MentionsFound) -> Answer:
    """Answer from what mentions a thing: of each document a sentence without a model, and the chunk around it with one."""
    question, settings, found = call.question, call.settings, mentions.found
    shown = _within(found, n_words(settings))
    cited = [id for one in found for id in (one.chunk_id, *(id for id, _ in one.others))]
    rows = {one.id: one for one in read_chunks(list(dict.fromkeys(cited)), call.tables)}
    offered = Offered()
    parts = []
    for one in shown:
        said = " ".join(
            f"{guarded(' '.join(sentence.split()))} [{offered.chunk(id, rows[id].text)}]"
            for id, sentence in ((one.chunk_id, one.sentence), *one.others)
        )
        id = one.document_id if mentions.unit == "documents" else one.chunk_id
        times = f"{one.n_sentences}×" if one.n_sentences > 1 else ""
        parts.append(_Headed(one.title, one.source, id, said, note=times))
    read = {one.id for one in fit([rows[one.chunk_id] for one in _most_first(found)], settings.context_tokens)}
    passages = show_chunks([one for one in rows.values() if one.id in read], offered)
    counted = _counted(mentions)
    call.trace.step("mentions", f"{question.mention}: {counted}", chunks=list(rows))
    left = f"; {len(shown)} are listed" if len(shown) < len(found) else ""
    coverage = Coverage(1.0, f"rests on {counted}{left}")
    note = message(mentions.unit, question.answer_language, found=len(found), total=mentions.total)
    return _headed(call, offered, parts, coverage, passages, (question.mention, note))


def answer_from_others(call: SearchCall, mentions: MentionsFound) -> Answer:
    """Answer with the documents that do not mention a thing, each with what it begins with. No model is asked, which would see
    some of their texts; where there are none, or none mentions it, nothing is answered."""
    question, offered = call.question, Offered()
    without, total = documents_without(mentions, call.tables), call.tables["documents"].num_rows
    counted = f"{in_number(len(without), 'document')} of {total:,}"
    call.trace.step("mentions", f"{question.mention}: not in {counted}")
    spans = chunks_by_document([one["id"] for one in without[:ROWS]], call.tables)
    printed = [one for one in without[:ROWS] if one["id"] in spans]
    excerpts = Excerpts(question, call.tables, call.finder)
    first = read_chunks([spans[one["id"]][0][0] for one in printed], call.tables)
    parts = [
        _Headed(one["title"], one["source"], one["id"], excerpts.draft_of_units([(chunk, 0, len(chunk.text))], offered))
        for one, chunk in zip(printed, first, strict=True)
    ]
    left = f"; {len(printed)} are listed" if len(printed) < len(without) else ""
    coverage = Coverage(1.0, f"rests on {counted} that do not mention {question.mention}{left}")
    note = message("documents_without", question.answer_language, found=len(without), total=total)
    return _headed(call, offered, parts, coverage, None, (question.mention, note))


def answer_from_sections(call: SearchCall, sections: Sequence[tuple[SectionFound, Sequence[ChunkSpan]]]) -> Answer:
    """Answer with what sections say, word for word without a model, and from the chunks that hold them with one."""
    excerpts, offered = Excerpts(call.question, call.tables, call.finder), Offered()
    parts, read = [], []
    n_printed = n_found = 0
    for one, places in sections:
        printed = fitting(places, max(SECTION_WORDS, n_words(call.settings)) // len(sections))
        said = excerpts.draft_of_units(printed, offered)
        parts.append(_Headed(one.title, one.source, one.document_id, said, one.heading))
        read += [chunk for chunk, _, _ in places]
        n_printed, n_found = n_printed + len(printed), n_found + len(places)
    titles = ", ".join(dict.fromkeys(one.title for one, _ in sections))
    call.trace.step(
        "sections", f"{in_number(len(sections), 'section')} of {titles}", chunks=[chunk.id for chunk in read]
    )
    passages = show_chunks(fit(list(dict.fromkeys(read)), call.settings.context_tokens), offered)
    left = "" if n_printed == n_found else f"; the first {n_printed} of {n_found} sentences and items are printed"
    coverage = Coverage(n_printed / n_found, f"rests on {in_number(len(sections), 'section')} of {titles}{left}")
    return _headed(call, offered, parts, coverage, passages)


def answer_from_summary(call: SearchCall, documents: Sequence[SectionFound]) -> Answer:
    """Answer with the sentences that say most of the documents that are to be summarised, and from all of their chunks with a model."""
    excerpts, offered = Excerpts(call.question, call.tables, call.finder), Offered()
    every = [in_chunks(one, call.tables) for one in documents]
    chosen = summary_places(documents, call.tables)
    parts = [
        _Headed(one.title, one.source, one.document_id, excerpts.draft_of_units(places, offered) if places else None)
        for one, places in zip(documents, chosen, strict=True)
    ]
    read = fit(list(dict.fromkeys(chunk for places in every for chunk, _, _ in places)), call.settings.context_tokens)
    titles = ", ".join(one.title for one in documents)
    call.trace.step("summary", f"of {titles}", chunks=[chunk.id for chunk in read])
    passages = show_chunks(read, offered)
    n_printed, n_found = sum(map(len, chosen)), sum(map(len, every))
    coverage = Coverage(
        1.0, f"rests on {titles}: {n_printed} of {n_found} sentences and items, those that say most of it"
    )
    return _headed(call, offered, parts, coverage, passages)


def _headed(
    call: SearchCall,
    offered: Offered,
    parts: Sequence[_Headed],
    coverage: Coverage,
    passages: Sequence[PassageShown] | None,
    above: tuple[str, str] | None = None,
) -> Answer:
    """Return the answer that prints some parts below their headings, or what a model writes from ``passages`` where there are any to
    show it. Beside each heading is noted what sets it apart from others; ``above`` is a heading of them all, and its note."""
    language, writer = call.question.answer_language, Writer(call, "basic", offered)
    gap = "\n\n" if above else "\n"
    said = [f"{as_heading(one.heading or one.title)}{gap}{one.said}" for one in parts if one.said is not None]
    draft, notes = "\n\n".join(said), {}
    if above:
        draft, notes[above[0], ""] = f"{as_heading(above[0])}\n\n{draft}", above[1]
    for one, file in zip(parts, files_by_title((one.title, one.source) for one in parts), strict=True):
        where = filter(None, (one.title if one.heading else "", file, one.note))
        notes[one.heading or one.title, one.id] = listed(where, language)
    if passages is None:
        return noted(writer.finish(draft if said else NOT_SAID, coverage), notes)
    return noted(writer.from_passages(passages, draft, coverage), notes)


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
