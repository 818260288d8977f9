"""What tune takes for no entity: what opens a line with a number, and what is rare; not what few texts name inside sentences."""

from pathlib import Path

from pipeline.runner.tuning.tune import tune
from tests.corpora import project

TEXTS = {
    "knee.txt": "Harold Ellery came with a swollen knee. The cause was gout, said Dr Orme, and not Hashimoto.\n\nPulse 96, warm joint.",
    "thyroid.txt": "Halina Dudek is tired and cold. Dr Orme thinks that it is Hashimoto again.\n\nPulse 54, slow.",
    "pump.txt": "Dr Orme lent us the pump. They call the one in the cellar Pump 4, and Pump 4 leaks. Dr Orme knows.",
}


def test_a_word_with_a_number_that_opens_lines_is_stopped_and_a_name_inside_sentences_of_few_texts_is_kept(
    tmp_path: Path,
) -> None:
    stops = set(tune(project(tmp_path, TEXTS)).proposal.stop_phrases)
    assert {"Pulse 96", "Pulse 54"} <= stops
    assert not stops & {"Hashimoto", "Pump 4", "Dr Orme", "Halina Dudek"}
