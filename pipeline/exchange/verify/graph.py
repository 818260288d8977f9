"""Checks of the graph: frequencies, weights and degrees counted anew from the mentions, ends in order, facts and key elements."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import BoolArray, FloatArray, IntArray, numbers, pairs, ranges, texts, whole
from pipeline.base.arrow.lists import Lists, by_row, lengths, members
from pipeline.exchange.verify.check import Check, checked
from pipeline.exchange.verify.tables import Tables
from pipeline.graph.merge import fold_title, names_to_entities

CLOSE = 1e-9
"""Relative difference of two sums of the same weights, whatever their order."""


def check_frequencies(tables: Tables) -> Check:
    """An entity belongs to the chunks that mention it, and its frequency is their number."""
    entities, mentions, chunks = tables["entities"], tables["entity_mentions"], tables["chunks"]["id"]
    entity = _resolved(mentions["title"], tables)
    mentioned = np.unique(pairs(entity, numbers(mentions["chunk_id"], chunks), len(chunks)))
    owner, ids = members(entities["chunk_ids"])
    recorded = pairs(owner, numbers(ids, chunks), len(chunks))
    twice = np.bincount(owner, minlength=entities.num_rows) - np.bincount(
        np.unique(recorded[recorded >= 0]) // max(len(chunks), 1), minlength=entities.num_rows
    )
    differing = np.setxor1d(mentioned[mentioned >= 0], recorded[recorded >= 0]) // max(len(chunks), 1)
    odd = (whole(entities["frequency"]).to_numpy() != lengths(entities["chunk_ids"])) | (twice > 0)
    odd[differing] = True
    wrong = (
        f"{title!r}: frequency {frequency}, {size} chunks listed, mentioned in {count}"
        for title, frequency, size, count in _rows(
            entities, odd, ("title", "frequency"), lengths(entities["chunk_ids"]), _counts(mentioned, chunks, len(odd))
        )
    )
    return checked("frequencies from mentions", entities.num_rows, wrong, int(odd.sum()))


def _counts(keys: IntArray, second: pa.ChunkedArray, n: int) -> IntArray:
    return np.bincount(keys[keys >= 0] // max(len(second), 1), minlength=n).astype(np.int64)


def check_weights(tables: Tables) -> Check:
    """A relationship weighs as much as its mentions together, belongs to their chunks, and none of them is lost."""
    edges, mentions, chunks = tables["relationships"], tables["relationship_mentions"], tables["chunks"]["id"]
    n, n_edges = tables["entities"].num_rows, edges.num_rows
    a, b = (_resolved(mentions[end], tables) for end in ("source", "target"))
    kept = (a >= 0) & (b >= 0) & (a != b)
    mentioned = pairs(np.minimum(a, b), np.maximum(a, b), n)[kept]
    row = numbers(array(mentioned), array(_edge_keys(tables)))
    extra = np.unique(mentioned[row < 0])
    weight = np.bincount(row[row >= 0], whole(mentions["weight"]).to_numpy()[kept][row >= 0], minlength=n_edges)
    stated = whole(edges["weight"]).to_numpy()
    chunk = numbers(mentions["chunk_id"], chunks)[kept]
    mentioned = np.unique(pairs(row, chunk, len(chunks)))
    owner, ids = members(edges["chunk_ids"])
    recorded = pairs(owner, numbers(ids, chunks), len(chunks))
    odd = ~np.isclose(stated, weight, rtol=CLOSE, atol=0)
    odd[np.setxor1d(mentioned[mentioned >= 0], recorded[recorded >= 0]) // max(len(chunks), 1)] = True
    shown = _rows(edges, odd, ("source", "target", "weight"), weight)
    wrong = [f"{s!r} - {t!r}: weight {w:g}, its mentions {sum:g}" for s, t, w, sum in shown]
    titles = whole(tables["entities"]["title"])
    for key in extra[:3].tolist():
        ends = texts(titles, [key // max(n, 1), key % max(n, 1)])
        wrong.append(f"{ends[0]!r} - {ends[1]!r} is mentioned and has no row")
    return checked("weights from mentions", n_edges, wrong, int(odd.sum()) + len(extra))


def _edge_keys(tables: Tables) -> IntArray:
    """Return each relationship as the pair of its entities."""
    titles = tables["entities"]["title"]
    a, b = (numbers(tables["relationships"][end], titles) for end in ("source", "target"))
    low = np.minimum(a, b)
    return np.where(low < 0, -1, pairs(low, np.maximum(a, b), len(titles)))


def check_degrees(tables: Tables) -> Check:
    """An entity's degree is the number of its relationships; a combined degree is the sum over both ends."""
    entities, edges = tables["entities"], tables["relationships"]
    a, b = (numbers(edges[end], entities["title"]) for end in ("source", "target"))
    ends = np.concatenate([a, b])
    degree = np.bincount(ends[ends >= 0], minlength=entities.num_rows)
    wrong_node = whole(entities["degree"]).to_numpy() != degree
    wrong_edge = whole(edges["combined_degree"]).to_numpy() != degree[a] + degree[b]
    wrong = [
        f"{title!r}: degree {stated}, it has {count} relationships"
        for title, stated, count in _rows(entities, wrong_node, ("title", "degree"), degree)
    ]
    wrong += [
        f"{source!r} - {target!r}: combined degree {stated}, not {count}"
        for source, target, stated, count in _rows(
            edges, wrong_edge, ("source", "target", "combined_degree"), degree[a] + degree[b]
        )
    ]
    faults = int(wrong_node.sum() + wrong_edge.sum())
    return checked("degrees from relationships", entities.num_rows + edges.num_rows, wrong, faults)


def check_ends(tables: Tables) -> Check:
    """A relationship's source comes before its target in code point order, and each pair has one row."""
    edges = tables["relationships"]
    source, target = (edges[end].to_pylist() for end in ("source", "target"))
    wrong = [f"{a!r} - {b!r}: not in the order of titles" for a, b in zip(source, target, strict=True) if a >= b]
    seen: set[tuple[str, str]] = set()
    for a, b in zip(source, target, strict=True):
        pair = (a, b) if a <= b else (b, a)
        if pair in seen:
            wrong.append(f"{a!r} - {b!r}: a second row for the pair")
        seen.add(pair)
    return checked("ends in order, pairs once", edges.num_rows, wrong, len(wrong))


def check_facts(tables: Tables) -> Check:
    """Facts name the key elements that name them, and a key element counts its facts and lists their chunks."""
    facts, elements, chunks = tables["facts"], tables["key_elements"], tables["chunks"]["id"]
    n = elements.num_rows
    fact, ids = members(facts["key_element_ids"])
    forth = pairs(fact, numbers(ids, elements["id"]), n)
    element, fact_ids = members(elements["fact_ids"])
    of = numbers(fact_ids, facts["id"])
    back = pairs(of, element, n)
    differing = np.setxor1d(forth[forth >= 0], back[back >= 0])
    wrong = [f"fact {f} and key element {e} do not name each other" for f, e in _named(differing, facts, elements)]
    odd = whole(elements["frequency"]).to_numpy() != lengths(elements["fact_ids"])
    owner, chunk_ids = members(facts["chunk_ids"])
    stated = by_row(owner, numbers(chunk_ids, chunks), facts.num_rows)
    mentioned = _through(element, of, stated, len(chunks))
    at, listed = members(elements["chunk_ids"])
    recorded = np.unique(pairs(at, numbers(listed, chunks), len(chunks)))
    odd[np.setxor1d(mentioned, recorded[recorded >= 0]) // max(len(chunks), 1)] = True
    wrong += [f"key element {title!r} miscounts its facts or chunks" for (title,) in _rows(elements, odd, ("title",))]
    return checked("facts and key elements agree", len(forth) + n, wrong, len(differing) + int(odd.sum()))


def _named(keys: IntArray, facts: pa.Table, elements: pa.Table) -> Iterator[tuple[str, str]]:
    first, second = np.divmod(keys[:3], max(elements.num_rows, 1))
    yield from zip(texts(facts["id"], first), texts(elements["title"], second), strict=True)


def _through(element: IntArray, fact: IntArray, stated: Lists, n: int) -> IntArray:
    """Return the distinct pairs of key element and chunk that lead over a fact."""
    starts, chunk = stated.offsets, stated.items
    element, fact = element[fact >= 0], fact[fact >= 0]
    first, end = starts[fact], starts[fact + 1]
    found = np.unique(pairs(np.repeat(element, end - first), chunk[ranges(first, end)], n))
    return found[found >= 0]


def _resolved(titles: pa.ChunkedArray, tables: Tables) -> IntArray:
    """Return the entity that each title names: the one that the table aliases says, else that of the same folded title."""
    entity_of = names_to_entities(tables["aliases"])
    number = {fold_title(title): i for i, title in enumerate(tables["entities"]["title"].to_pylist())}
    coded = whole(titles).dictionary_encode()
    named = (entity_of.get(fold_title(title), title) for title in coded.dictionary.to_pylist())
    of = np.array([number.get(fold_title(title), -1) for title in named], np.int64)
    codes = coded.indices.to_numpy(zero_copy_only=False)
    return of[codes] if len(of) else np.zeros(0, np.int64)


def _rows(
    table: pa.Table, mask: BoolArray, names: tuple[str, ...], *also: IntArray | FloatArray
) -> Iterator[tuple[object, ...]]:
    """Yield the named columns, and those of ``also``, of the first rows where ``mask`` is set."""
    at = np.flatnonzero(mask)[:5]
    yield from zip(*(texts(table[name], at) for name in names), *(column[at].tolist() for column in also), strict=True)
