"""What tune takes for no entity by what is around it: code, menus, longer titles, labels, numbers; and names that it keeps."""

from pathlib import Path

import pytest

from pipeline.runner.run import run_index
from pipeline.runner.tuning.phrases import Phrases
from pipeline.runner.tuning.sample_texts import SampleTexts
from pipeline.runner.tuning.tune import tune
from pipeline.text.extraction.stop_phrases import StopPhrases
from tests.corpora import project

MANUAL = {
    "start.md": "# Start\n\nInstall Larkspur and press Ctrl+Q, or Ctrl+X, or Ctrl+V. Larkspur reads $GANTDIR/lists/a.conf and\n"
    "$GANTDIR/lists/b.conf, says Ada Thorne. Larkspur and Gannet read the same lists, and Gannet writes them.\n\n"
    "LogPath = /var/log/larkspur; LogMode = {full};\nLogPath = /tmp; LogMode = {quiet};\n",
    "menus.md": "# Menus\n\nChoose Filters → Sharpen → Gannet. Then Filters → Sharpen → Larkspur. Ada Thorne prefers Gannet.\n\n"
    "NOTE Gannet is slow.\n\nNOTE Larkspur is fast.\n\nTIP Gannet may be stopped.\n\nTIP Larkspur starts.\n\nNOTE All of it is free.\n",
    "more.md": '# More\n\n## Using Both Tools Together\n\nHow both work, see Section 3.1. Ada Thorne wrote "Letters to the Sleeping Harbour" and\n'
    '"Letters to the Open Sea" for Larkspur. For Gannet see Section 4.2, and for the rest see Section 5 and Section 7.\n\n'
    "# Rename To\n\nLarkspur asks Gannet for a new name.\n",
}


def _stopped(tmp_path: Path, texts: dict[str, str]) -> tuple[set[str], set[str]]:
    """Return the entities that the stop phrases stop, and the others."""
    made = project(tmp_path, texts)
    run_index(made)
    found = set(made.store.open().table("entities")["title"].to_pylist())
    stops = StopPhrases(list(tune(made).proposal.stop_phrases))
    return {title for title in found if stops.stops(title)}, {title for title in found if not stops.stops(title)}


def test_pieces_of_code_menus_references_and_headings_of_doing_are_stopped_and_products_are_kept(
    tmp_path: Path,
) -> None:
    stopped, kept = _stopped(tmp_path, MANUAL)
    assert {"Larkspur", "Gannet", "Ada Thorne"} <= kept
    noise = (
        "Ctrl",
        "GANTDIR",
        "LogPath",
        "LogMode",
        "Sharpen",
        "Section",
        "See Section",
        "Rename To",
        "Sleeping Harbour",
    )
    assert not set(noise) & kept
    assert not {title for title in kept if title.startswith(("Using ", "NOTE ", "TIP "))}
    assert stopped, "the texts have something to stop"


NAMES = {
    "mail.txt": "From: Gideon Marsh\nTo: Leopold Marsh, Keziah Moult\n\nGideon Marsh met Leopold Marsh and Keziah Moult in Wrathe.\n",
    "notes.txt": "Present all week: GM, LM, KM.\n\nLM finds the coat warm. KM came late to Wrathe with Gideon Marsh.\n",
}


def test_initials_that_are_listed_with_those_of_others_are_stopped(tmp_path: Path) -> None:
    _, kept = _stopped(tmp_path, NAMES)
    assert "Gideon Marsh" in kept and not {"GM", "LM", "KM"} & kept


RELEASES = {
    f"{number}.md": f"# Notes {number}\n\nGannet {number} was made by Ada Thorne in Leith. Gannet Harbour and Gannet Unstable use it, "
    f"and Gannet Harbour was tried by Ada Thorne. Both run with Gannet {number}.\n"
    for number in range(5, 10)
}


def test_versions_of_a_product_do_not_stop_what_else_begins_with_its_name(tmp_path: Path) -> None:
    stopped, _ = _stopped(tmp_path, RELEASES)
    assert not {"Gannet Harbour", "Gannet Unstable", "Gannet"} & stopped


@pytest.mark.parametrize("word", ["Skerryx", "Tcpd"])
def test_a_rare_name_that_only_opens_items_is_kept_unless_it_is_an_ordinary_word(tmp_path: Path, word: str) -> None:
    texts = {
        "a.md": f"Some are old, e.g. {word}, and Ada Thorne knows Harriet Loss.\n\n- {word}: by Ada Thorne and Harriet Loss.\n"
    }
    stopped, _ = _stopped(tmp_path, texts)
    assert word not in stopped


DOUBLES = {
    "ward.md": "Nurse Ada Thorne spoke to Harriet Loss. Ada Thorne and Harriet Loss know Gannet Delegate. Gannet Delegate and Harriet Loss\n"
    "met all Gannet Delegates. Nurse Ada Thorne was there with the Gannet Delegates and Gannet Delegate.\n",
}


def test_plurals_of_names_and_people_with_what_they_are_are_no_entities_of_their_own(tmp_path: Path) -> None:
    _, kept = _stopped(tmp_path, DOUBLES)
    assert "Ada Thorne" in kept and not {"Nurse Ada Thorne", "Gannet Delegates"} & kept


LINKS = {
    f"{one}.md": f"# List {one}\n\nSet GANNET_{one}_HOME and GANNET_{one}_PATH = $GANNET_{one}_LISTS, and see {{GANNET}} or -DGANNET={one}.\n\n{text}\n"
    for one, text in (
        ("AB", "Ada Thorne wrote Gannet in Leith."),
        ("CD", "Harriet Loss sold it."),
        ("EF", "Ada Thorne met Edmund Vane."),
    )
}


def test_lines_of_code_in_no_known_language_are_read(tmp_path: Path) -> None:
    stopped, kept = _stopped(tmp_path, LINKS)
    assert "DGANNET" in stopped and "Ada Thorne" in kept


FILES = {
    "a.md": "# A\n\nA file is a list of keys. Each key has a file, and the file has a key, says Ada Thorne. The key list is a file; "
    "the lamp file is a key. Sort the file by key, and the key by file. Copy a file for each key, and keep the key of a file.\n\n"
    "The file of a lamp is no key. Where a key has no file, write one file for the key. A key file is rare.\n\n"
    "The tide table of Leith is old. Ada Thorne wrote the tide table. A boat needs the tide table in Leith.\n",
}


def test_a_phrase_is_loose_where_both_its_words_are_mostly_in_others(tmp_path: Path) -> None:
    made = project(tmp_path, FILES, chunks={"size": 600})
    run_index(made)
    phrases = Phrases(SampleTexts(made.store.open()), ["key file", "tide table"])
    assert phrases.is_loose("key file")
    assert not any(map(phrases.is_loose, ("tide table", "Leith", "harbour wall")))


FIELDS = {
    f"{number}.md": f"# Field {number}\n\nThe field {name} is an optional string specifying the {name} of a boat. A string specifying the "
    f"{what} may be left out by Ada Thorne{when}.\n"
    for number, (name, what, when) in enumerate(
        (
            ("harbour", "mole", " in Leith"),
            ("pier", "tide", ""),
            ("cargo", "weight of it", " of Carrow"),
            ("crew", "master", " and others"),
        )
    )
}


def test_a_phrase_that_takes_an_object_behind_it_ends_in_a_verb_and_is_stopped(tmp_path: Path) -> None:
    stopped, kept = _stopped(tmp_path, FIELDS)
    assert "Ada Thorne" in kept and "specifying" in stopped
