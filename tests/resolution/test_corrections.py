"""Corrections contradict nothing, the newer wins, and their file keeps what a person wrote in it."""

from pathlib import Path

import pytest

from pipeline.base.errors import SettingsError
from pipeline.resolution.corrections import Correction, Corrections, Merge, Rename, Retype, Split
from pipeline.resolution.corrections_file import (
    CORRECTIONS_FILE,
    parse_corrections,
    read_corrections,
    write_corrections,
)

LAB = Merge(("CSAIL", "MIT CSAIL"), "The Lab")


def test_a_name_becomes_what_merges_and_renamings_lead_to() -> None:
    corrections = Corrections.of(LAB, Rename("The Lab", "Laboratory"))
    assert [corrections.title_of(name) for name in ("csail", "The  lab", "Other")] == [
        "Laboratory",
        "Laboratory",
        "Other",
    ]


@pytest.mark.parametrize(
    ("corrections", "why"),
    [
        ([LAB, Merge(("CSAIL",), "Other")], "becomes both"),
        ([Merge(("A",), "B"), Merge(("B",), "A")], "becomes itself"),
        ([LAB, Split("CSAIL", "The Lab")], "other entries make them one entity"),
        ([LAB, Split("CSAIL", "MIT CSAIL")], "other entries make them one entity"),
        ([LAB, Retype("CSAIL", "PLACE"), Retype("The Lab", "PERSON")], "retyped to both"),
        ([Merge(("A", " a "), "A")], "with itself only"),
        ([Split("Ann", "ann")], "from itself"),
        ([Rename(" ", "B")], "blank"),
    ],
)
def test_corrections_that_contradict_each_other_are_refused(corrections: list[Correction], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Corrections.of(*corrections)


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (LAB, Split("CSAIL", "The Lab"), [Merge(("MIT CSAIL",), "The Lab"), Split("CSAIL", "The Lab")]),
        (LAB, Split("CSAIL", "MIT CSAIL"), [Merge(("MIT CSAIL",), "The Lab"), Split("CSAIL", "MIT CSAIL")]),
        (Split("CSAIL", "The Lab"), LAB, [LAB]),
        (Merge(("A",), "B"), Merge(("A",), "C"), [Merge(("A",), "C")]),
        (Merge(("A",), "B"), Merge(("B",), "A"), [Merge(("B",), "A")]),
        (Rename("A", "B"), Rename("A", "C"), [Rename("A", "B"), Rename("B", "C")]),
        (Rename("A", "B"), Rename("B", "A"), [Rename("B", "A")]),
        (Rename("A", "B"), Split("A", "B"), [Split("A", "B")]),
        (Retype("A", "X"), Retype("a", "Y"), [Retype("a", "Y")]),
        (LAB, LAB, [LAB]),
    ],
)
def test_a_newer_correction_takes_the_place_of_those_that_it_contradicts(
    old: Correction, new: Correction, left: list[Correction]
) -> None:
    assert list(Corrections.of(old).adding(new)) == left


def test_a_correction_can_be_taken_back() -> None:
    one = Corrections.of(LAB)
    assert one.adding(Retype("CSAIL", "PLACE")).without(Retype("CSAIL", "PLACE")) == one


def test_the_order_of_entries_does_not_shape_the_tables() -> None:
    one, other = Merge(("A",), "B"), Merge(("C",), "D")
    assert Corrections.of(one, other).hash == Corrections.of(other, one).hash != Corrections.of(one).hash


def test_only_splits_shape_what_only_splits_apply_to() -> None:
    assert Corrections.of(LAB).splits_hash == Corrections().splits_hash
    assert Corrections.of(Split("A", "B")).splits_hash != Corrections().splits_hash


ALL = Corrections.of(
    LAB, Split("Charles Simon", "Charles Simonyi"), Rename("Ann's father", "Ben: 2"), Retype("x", "PLACE")
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / CORRECTIONS_FILE
    assert read_corrections(path) == Corrections()
    write_corrections(path, ALL)
    assert read_corrections(path) == ALL
    first = path.read_bytes()
    write_corrections(path, read_corrections(path))
    assert path.read_bytes() == first


def test_comments_and_order_of_the_file_stay(tmp_path: Path) -> None:
    path = tmp_path / CORRECTIONS_FILE
    path.write_text(
        "# Ours\nrename:\n  # he said so\n  - {entity: A, to: B}  # in 2020\nmerge:\n  - names: [C, D]\n    into: E\n"
    )
    write_corrections(path, read_corrections(path).adding(Split("D", "E")).adding(Merge(("F",), "G")))
    text = path.read_text()
    assert all(comment in text for comment in ("# Ours", "# he said so", "# in 2020"))
    assert text.index("rename") < text.index("names: [C]") < text.index("names: [F]")
    assert list(read_corrections(path)) == [Merge(("C",), "E"), Merge(("F",), "G"), Split("D", "E"), Rename("A", "B")]


def test_a_file_of_comments_alone_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / CORRECTIONS_FILE
    path.write_text("# nothing yet\n")
    write_corrections(path, Corrections.of(LAB))
    assert path.read_text().startswith("# nothing yet\n") and read_corrections(path) == Corrections.of(LAB)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("merge: 3", "merge holds a int"),
        ("merge: [{names: A, into: B}]", "names is 'A'"),
        ("join: []", "join is no kind"),
        ("[]", "list is no kind"),
        ("split: [{name: A}]", "split, entry 1 holds name"),
        ("retype: [{entity: 3, type: X}]", "3 is no name"),
        ("merge: [", "corrections.yaml, line 1"),
        ("merge: [{names: [A], into: A}]", "with itself only"),
    ],
)
def test_what_cannot_be_used_is_refused_in_three_lines(text: str, found: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse_corrections(text)
    assert found in error.value.found and error.value.why and error.value.fix
