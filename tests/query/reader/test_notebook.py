"""The graph of facts and the notebooks: look-ups that agree with the tables, evidence listed once and where it says."""

from functools import cache
from pathlib import Path

import pytest

from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.language.tasks.indexing.extract_facts import ExtractedFact, Facts
from pipeline.query.answer import Place
from pipeline.query.evidence.entity_linker import link, types_of
from pipeline.query.index import Index
from pipeline.query.reader.fact_graph import FactGraph
from pipeline.query.reader.notebook import Note, collect, place_of, without_repeats
from pipeline.runner.run import run_index
from pipeline.text.keys import keys_of
from pipeline.text.question.reading import names_among
from tests.corpora import project
from tests.query_cases import sample
from tests.scripted_backend import ScriptedBackend


@cache
def index() -> Index:
    return Index.open(sample())


@cache
def graph() -> FactGraph:
    return FactGraph({name: index().generation.rows(name) for name in ("facts", "key_elements", "chunks", "documents")})


def test_facts_of_nodes_and_of_chunks_are_those_of_the_tables() -> None:
    for row in index().key_elements.head(40).itertuples():
        assert [fact.id for fact in graph().facts_of(row.id)] == list(row.fact_ids)
    for row in index().chunks.itertuples():
        stated = {fact.id for fact in index().facts.itertuples() if row.id in fact.chunk_ids}
        assert {fact.id for fact in graph().facts_in([row.id])} == stated


def test_every_fact_is_found_in_its_chunk_by_most_of_its_words() -> None:
    for row in index().facts.itertuples():
        fact = graph().fact(row.id)
        place = place_of(fact, graph())
        assert place is not None and place.chunk_id in fact.chunk_ids
        said = keys_of(graph().chunk(place.chunk_id).text[place.start : place.end], "en")
        assert len(said & keys_of(fact.text, "en")) >= 0.5 * len(said)


def test_a_fact_and_its_sentence_are_one_piece() -> None:
    fact = next(fact for fact in map(graph().fact, index().facts.id) if "lost the battle for Paris" in fact.text)
    place = place_of(fact, graph())
    assert place is not None
    by_fact, by_quote = Note("a", "", (fact.id,), ()), Note("b", "", (), (place,))
    collected = collect([[by_fact, by_quote], [by_quote], []], graph())
    (piece,) = collected.evidence
    assert piece.id == "f1" and piece.place == place
    assert collected.notebooks == ((("a", ("f1",)), ("b", ("f1",))), (("b", ("f1",)),), ())


def test_evidence_has_all_facts_of_its_sentence_and_all_that_was_quoted(tmp_path: Path) -> None:
    text = "Nigel offered cover for £1,340, and every pallet had to be photographed. The lorry left at noon."
    stated = ("Nigel offered cover for £1,340.", "Every pallet had to be photographed.")

    def facts(request: ChunkToExtract) -> Facts:
        return Facts(facts=[ExtractedFact(text=one, key_elements=["cover", "pallet"]) for one in stated])

    made = project(tmp_path, {"mail.txt": text})
    run_index(made, default=ScriptedBackend({"extract_facts": facts}))
    rows = Index.open(made.store.folder)
    own = FactGraph({name: rows.generation.rows(name) for name in ("facts", "key_elements", "chunks", "documents")})
    (chunk,) = rows.chunks.id
    notes = [Note("a", "", tuple(rows.facts.id), ())]
    (piece,) = collect([notes], own).evidence
    assert all(one in piece.text for one in stated) and text[piece.place.start : piece.place.end].endswith(
        "photographed."
    )
    (piece,) = collect([[*notes, Note("b", "", (), (Place(chunk, 0, len(text)),))]], own).evidence
    assert piece.quote == text


def test_what_readers_see_of_a_chunk_and_of_evidence_has_the_date_of_its_document(tmp_path: Path) -> None:
    made = project(tmp_path, {"minutes.md": "---\ndate: 2024-03-11\n---\n\n# Minutes\n\nAda Thorne left Carrow.\n"})
    run_index(made)
    rows = Index.open(made.store.folder)
    own = FactGraph({name: rows.generation.rows(name) for name in ("facts", "key_elements", "chunks", "documents")})
    (chunk,) = rows.chunks.id
    assert own.name_of(chunk) == "Minutes, part 1 of 1, 2024-03-11"
    (piece,) = collect([[Note("a", "", (), (Place(chunk, 11, 20),))]], own).evidence
    assert piece.title == "Minutes (2024-03-11)"


def test_evidence_says_who_says_it_where_the_text_shows_that_only_farther_above(tmp_path: Path) -> None:
    talk = "HOST: Our guest built the mole.\n\nADA THORNE: I came to Carrow.\n\nThe mole broke in the storm.\n\nHOST: Ah.\n\nADA THORNE: Yes."
    made = project(tmp_path, {"talk.txt": talk})
    run_index(made)
    rows = Index.open(made.store.folder)
    own = FactGraph({name: rows.generation.rows(name) for name in ("facts", "key_elements", "chunks", "documents")})
    (chunk,) = rows.chunks.id
    said = [Place(chunk, talk.index(words), talk.index(words) + 20) for words in ("The mole broke", "HOST: Our")]
    late, first = collect([[Note("a", "", (), (place,)) for place in said]], own).evidence
    assert late.title.endswith("; ADA THORNE") and not first.title.endswith("HOST")


def test_what_two_readers_noted_of_one_thing_is_in_one_notebook() -> None:
    first = (("Ada Thorne built the mole in 1871.", ("c1",)), ("It broke.", ("c2",)))
    said = without_repeats([first, (("Ada Thorne built the mole in 1871 at Carrow.", ("c1", "c3")),)])
    assert said == [(("Ada Thorne built the mole in 1871 at Carrow.", ("c1", "c3")), first[1]), ()]
    again = without_repeats([first, (("Ada Thorne built the mole in 1871.", ("c4",)),)])
    assert again == [(("Ada Thorne built the mole in 1871.", ("c1", "c4")), first[1]), ()]


@pytest.mark.parametrize(
    "other",
    [
        "Ada Thorne did not build the mole in 1871.",
        "Ada Thorne built the mole in 1872.",
        "Edwin Marsh says that Ada Thorne built the mole in 1871, which nobody at Carrow believes.",
    ],
)
def test_notes_that_say_something_of_their_own_stay(other: str) -> None:
    books = [(("Ada Thorne built the mole in 1871.", ("c1",)),), ((other, ("c2",)),)]
    assert without_repeats(books) == books


def test_the_notes_behind_a_sentence_are_those_that_rest_on_what_it_cites() -> None:
    fact, other = (graph().fact(id) for id in index().facts.id[:2])
    both, one = Note("both", "", (fact.id, other.id), ()), Note("one", "", (other.id,), ())
    collected = collect([[both], [one]], graph())
    places = tuple(item.place for item in collected.evidence)
    assert [ground.text for ground in collected.grounds(["f2"])] == ["both", "one"]
    assert [ground.text for ground in collected.grounds(["f1"])] == ["both"]
    assert collected.grounds(["f1"])[0].passages == places and not collected.grounds(["d1"])


def test_a_sentence_that_no_fact_states_is_evidence_by_itself() -> None:
    chunk = graph().chunk(index().chunks.id[0])
    collected = collect([[Note("a", "", (), (Place(chunk.id, 0, 9),))]], graph())
    assert collected.evidence[0].id in ("c1", "f1")
    assert collected.evidence[0].place == Place(chunk.id, 0, 9)


def test_names_of_a_question_are_found_longest_first_and_in_lower_case_where_all_is() -> None:
    entities = index().generation.rows("entities")

    def names(question: str) -> set[str]:
        return set(names_among(question, link(question, entities)))

    assert names("Did Joan of Arc see Charles VII at Chinon?") == {"Joan of Arc", "Charles VII", "Chinon"}
    assert "joan of arc" in names("did joan of arc lose any battles")
    assert not names("What is a battle?")


def test_types_are_those_of_the_entities() -> None:
    assert dict(types_of(["Joan of Arc", "nobody"], index().generation.rows("entities"))) == {"Joan of Arc": "PERSON"}
