"""What tune takes for no entity: what opens a line with a number, and what is rare; not what few texts name inside sentences."""

from pathlib import Path

from pipeline.runner.run import run_index
from pipeline.runner.tuning.tune import tune
from pipeline.text.extraction.stop_phrases import StopPhrases
from tests.corpora import project

TEXTS = {
    "knee.txt": "Harold Ellery came with a swollen knee. The cause was gout, said Dr Orme, and not Hashimoto.\n\nPulse 96, warm joint.",
    "thyroid.txt": "Halina Dudek is tired and cold. Dr Orme thinks that it is Hashimoto again.\n\nPulse 54, slow.",
    "pump.txt": "Dr Orme lent us the pump. They call the one in the cellar Pump 4, and Pump 4 leaks. Dr Orme knows.",
}


def test_a_word_with_a_number_that_opens_lines_is_stopped_and_a_name_inside_sentences_of_few_texts_is_kept(
    tmp_path: Path,
) -> None:
    made = project(tmp_path, TEXTS)
    run_index(made)
    stops = set(tune(made).proposal.stop_phrases)
    found = set(made.store.open().table("entities")["title"].to_pylist())
    assert not {"Pulse 96", "Pulse 54"} & (found - stops)
    assert not stops & {"Hashimoto", "Pump 4", "Dr Orme", "Halina Dudek"}


MANUAL = {
    "settings.md": "# Settings\n\nThe settings are in one file. Write the path of the file as FILE, or send 20 GB to Larkspur.\n",
    "save.md": "# Saving\n\nsave FILE\n\nIt reads the file and writes 3 GB to Larkspur. All settings matter to CircuitOpen.\n\n"
    "| Applies | Key |\n|---|---|\n| to all | `Retry-After` |\n",
    "people.md": "# People\n\nStan Orley and Margit Garnett wrote it, says a file.\n\nSO: I wrote the settings.\n\nSO: Margit wrote the rest.\n\n"
    "Rehearsals:\n\n14 March Corn Hall\n\n15 March Corn Hall\n\nAll met at Corn Hall in Leith, and Corn Hall was cold.\n",
    "Coffee.md": "# Coffee\n\nCoffee is a drink. Most coffee is brewed at Corn Hall, and some coffee is sold to Margit Garnett.\n",
    "tea.md": "# Tea\n\nSome prefer coffee, and say so in the settings.\n",
}


def test_units_placeholders_and_headings_are_stopped_and_identifiers_names_and_subjects_are_kept(
    tmp_path: Path,
) -> None:
    made = project(tmp_path, MANUAL)
    run_index(made)
    found = made.store.open().table("entities")["title"].to_pylist()
    stops = StopPhrases(list(tune(made).proposal.stop_phrases))
    assert {name for name in found if stops.stops(name)} == {"Saving", "People", "Tea"}
    assert not {"GB", "FILE", "March Corn Hall", "Settings"} & set(found)
    kept = {"Larkspur", "CircuitOpen", "Retry-After", "Corn Hall", "Coffee", "Margit Garnett", "Stan Orley"}
    assert kept <= {name for name in found if not stops.stops(name)}


WIKI = {
    "retrospective.md": "# Retrospective\n\nRetrospective\n\nAda Thorne spoke of Gannet. Edmund Vane left early with Ada Thorne.\n",
    "gannet.md": "# Gannet\n\nThe ferry Gannet runs to Leith. Ada Thorne sailed on Gannet with Edmund Vane.\n\nSee Gannet\n",
    "case.md": "# Thorne against Vane\n\nHearing 19 April 2021\n\nDecision 10 May 2021\n\nAda Thorne told Edmund Vane of Leith.\n",
    "song.md": '# Virus\n\n"Virus" is a song by Harriet Loss. Harriet Loss wrote it in Leith for Ada Thorne.\n',
}


def test_ordinary_words_that_are_only_headings_and_words_with_dates_are_stopped_and_subjects_kept(
    tmp_path: Path,
) -> None:
    made = project(tmp_path, WIKI)
    run_index(made)
    found = set(made.store.open().table("entities")["title"].to_pylist())
    stops = StopPhrases(list(tune(made).proposal.stop_phrases))
    assert not {
        name for name in found if name.startswith(("Retrospective", "Hearing", "Decision")) and not stops.stops(name)
    }
    assert not any(map(stops.stops, ("Gannet", "Virus", "Ada Thorne", "Harriet Loss", "Leith")))
