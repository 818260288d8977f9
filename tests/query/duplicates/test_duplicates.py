"""Duplicates: copies and documents that share much are found with their shares and places; others are not."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from pipeline.base.arrow.lists import Lists
from pipeline.base.settings import write_settings
from pipeline.cli.app import app
from pipeline.query.duplicates.duplicates import Duplicates, find_duplicates
from pipeline.query.duplicates.shingles import SIZE, likely_pairs, shingles_of
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, project, write_texts

STORY = "\n\n".join(
    f"In the year {1800 + n} the keeper number {n} of the lighthouse wrote {n * 7} pages about tide {n * 3} and rock {n * 11}."
    for n in range(40)
)
CHANGED = STORY.replace("keeper number 20", "warden called Twenty")
PART = "A note by the archive.\n\n" + STORY[:1500]
RECORDS = "\n".join(json.dumps({"id": n, "title": f"Row {n}", "text": TEXTS["harbour.md"] + " " * n}) for n in range(3))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("project")
    (folder / "settings.yaml").write_text(write_settings(), encoding="utf-8")
    texts = {"story.md": STORY, "changed.md": CHANGED, "part.txt": PART, "same.md": STORY, "rows.jsonl": RECORDS}
    write_texts(folder / "input", {**texts, "railway.txt": TEXTS["railway.txt"]})
    run_index(Project.open(folder))
    return Project.open(folder)


@pytest.fixture(scope="module")
def found(made: Project) -> Duplicates:
    return find_duplicates(made.store.open())


def test_copies_are_found_among_documents_and_among_files_that_were_left_out(found: Duplicates) -> None:
    groups = sorted(tuple((one["file"], bool(one["id"])) for one in group) for group in found.copies)
    assert groups == [(("rows.jsonl", True),) * 3, (("same.md", True), ("story.md", False))]


def test_a_changed_document_and_a_part_are_found_with_their_shares_and_others_are_not(found: Duplicates) -> None:
    shares = {(one.file, other.file): (one.share, other.share) for one, other in found.near}
    assert set(shares) == {("changed.md", "same.md"), ("part.txt", "same.md"), ("changed.md", "part.txt")}
    assert all(0.9 < share < 1 for share in shares["changed.md", "same.md"])
    part, whole = shares["part.txt", "same.md"]
    assert part > 0.9 and whole < 0.5


def test_the_place_of_a_shared_stretch_is_in_both_files(found: Duplicates, made: Project) -> None:
    part, whole = next(pair for pair in found.near if (pair[0].file, pair[1].file) == ("part.txt", "same.md"))
    one, other = ((made.input / side.file).read_text(encoding="utf-8")[side.start : side.end] for side in (part, whole))
    assert part.place.startswith("lines 3-") and whole.place.startswith("lines 1-")
    assert one[:400] == other[:400] and len(one) > 1200


def test_no_text_is_a_duplicate_where_each_has_words_of_its_own(tmp_path: Path) -> None:
    there = project(tmp_path)
    run_index(there)
    assert find_duplicates(there.store.open()) == (3, [], [])


def test_the_command_names_files_shares_and_what_to_do(made: Project) -> None:
    def show(*words: str) -> str:
        return CliRunner().invoke(app, ["show", "duplicates", *words, "--root", str(made.root)]).stdout

    assert "same.md = story.md (not indexed)" in show() and "% of part.txt, lines 3-" in show()
    assert "input.exclude" in show()
    one = json.loads(show("part.txt", "--json"))
    assert len(one["near"]) == 2 and not one["copies"] and one["documents"] == 7


def test_shingles_stay_inside_their_list_and_say_which_it_is() -> None:
    words = np.arange(20)
    owners, hashes = shingles_of(Lists(np.array([0, 10, 12, 20]), words))
    assert owners.tolist() == [0] * (10 - SIZE + 1) + [2] * (8 - SIZE + 1) and len(set(hashes.tolist())) == len(hashes)
    again = shingles_of(Lists(np.array([0, 8]), words[12:]))[1]
    assert again.tolist() == hashes[-len(again) :].tolist()


def test_what_every_document_has_pairs_neighbours_and_not_all_with_all() -> None:
    n = 1000
    pairs = likely_pairs(np.arange(n), np.zeros(n, np.uint64), n, 0.5)
    assert len(pairs) < 10 * n
