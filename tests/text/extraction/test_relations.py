"""Relations: names of one sentence, each pair once, the sentence as description, never quadratic."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.extraction.annotate import annotate
from pipeline.text.extraction.relations import LOOSE, NEAREST, Relation, relate
from pipeline.text.spans import Match


def matches(text: str, *names: str) -> list[Match]:
    found = [
        Match(start, start + len(name), name, "PERSON")
        for name in names
        for start in range(len(text))
        if text.startswith(name, start)
    ]
    return sorted(found)


def related(text: str, names: list[Match]) -> list[Relation]:
    return relate(text, annotate(text, names))


TEXT = "Joan came to Rouen.\nJoan met Cauchon in Rouen. Nobody else came. Cauchon left."


def test_names_of_one_sentence_are_related_by_it() -> None:
    found = {(one.source, one.target): one for one in related(TEXT, matches(TEXT, "Joan", "Rouen", "Cauchon"))}
    assert set(found) == {("Joan", "Rouen"), ("Cauchon", "Joan"), ("Cauchon", "Rouen")}
    assert found["Joan", "Rouen"].weight == 2.0
    assert found["Joan", "Rouen"].description == "Joan came to Rouen."


def test_a_name_is_not_related_to_itself_nor_across_sentences() -> None:
    text = "Joan saw Joan. Rouen was far."
    assert related(text, matches(text, "Joan", "Rouen")) == []


def test_ends_are_ordered_and_pairs_sorted() -> None:
    found = related(TEXT, matches(TEXT, "Joan", "Rouen", "Cauchon"))
    assert all(one.source < one.target for one in found)
    assert all((one.source, one.target) < (other.source, other.target) for one, other in pairwise(found))


def test_a_long_list_relates_only_neighbours() -> None:
    names = [f"N{n:03}" for n in range(100)]
    text = ", ".join(names) + "."
    found = related(text, matches(text, *names))
    assert len(found) <= NEAREST * len(names)
    assert ("N000", "N001") in {(one.source, one.target) for one in found}
    assert ("N000", "N099") not in {(one.source, one.target) for one in found}


@given(st.lists(st.sampled_from(["Anna", "Bob", "Cid", ". ", " ", "\n\n"]), max_size=60).map("".join))
@settings(deadline=None, max_examples=150)
def test_every_pair_is_in_its_description(text: str) -> None:
    for relation in related(text, matches(text, "Anna", "Bob", "Cid")):
        assert relation.source in relation.description and relation.target in relation.description
        assert relation.weight >= LOOSE


def test_no_names_no_relations() -> None:
    assert related("", []) == [] and related("Nobody came.", []) == []


LISTED = "Present: Joan, Cauchon (chair), Bob.\n\nJoan asked Cauchon for a lawyer. Bob: And Cauchon?"


def test_a_list_of_who_was_there_weighs_less_and_describes_what_no_sentence_does() -> None:
    found = {(one.source, one.target): one for one in related(LISTED, matches(LISTED, "Joan", "Cauchon", "Bob"))}
    assert found["Cauchon", "Joan"].description == "Joan asked Cauchon for a lawyer."
    assert found["Cauchon", "Joan"].weight == 1.0
    assert found["Bob", "Joan"].description == "Present: Joan, Cauchon (chair), Bob."
    assert found["Bob", "Joan"].weight == LOOSE


def test_a_question_describes_a_relationship_only_where_nothing_else_does() -> None:
    text = "Bob: And Rouen? Bob lived in Rouen for a year."
    [found] = related(text, matches(text, "Bob", "Rouen"))
    assert found.description == "Bob lived in Rouen for a year." and found.weight == 1.0


def test_whoever_asks_somebody_a_question_states_something() -> None:
    text = 'Bob asked Joan: "When did you come?" Joan: And Bob?'
    [found] = related(text, matches(text, "Bob", "Joan"))
    assert found.description == 'Bob asked Joan: "When did you come?"' and found.weight == 1.0


def test_a_label_that_is_a_name_relates_it_to_those_behind_it() -> None:
    text = "Company: Joan, Cauchon (accounts)."
    found = {(one.source, one.target): one.weight for one in related(text, matches(text, "Company", "Joan", "Cauchon"))}
    assert found == {("Company", "Joan"): 1.0, ("Cauchon", "Company"): 1.0, ("Cauchon", "Joan"): LOOSE}


def test_a_line_whose_label_says_so_relates_a_name_to_the_one_that_opens_the_text() -> None:
    text = "# RFC 7: Queues on disc\n\nStatus: accepted\nSupersedes: RFC 5\n\nRFC 2 is older.\n"
    found = related(text, matches(text, "RFC 7", "RFC 5", "RFC 2"))
    assert [(one.source, one.target, one.description) for one in found] == [("RFC 5", "RFC 7", "Supersedes: RFC 5")]
    assert related(text.replace("Supersedes", "Seen with"), matches(text, "RFC 7")) == []


def test_what_one_is_or_does_to_the_other_describes_them_before_what_only_names_both() -> None:
    aside = "At the fair, where Ada Thorne had a stall, it was so hot that Ben Okar went home before noon."
    for said in (
        "Ben Okar is a cousin of Ada Thorne.",
        "Ada Thorne taught Ben Okar.",
        "Ada Thorne, solicitor of Ben Okar, wrote it.",
    ):
        text = f"{aside} {said}"
        [relation] = related(text, matches(text, "Ada Thorne", "Ben Okar"))
        assert relation.description == said and relation.weight == 2.0
    text = f"{aside} Ada Thorne is here. The taught cousin left. Ben Okar went."
    assert related(text, matches(text, "Ada Thorne", "Ben Okar"))[0].description == aside
