"""Scans of single chunks: what is a candidate, with which cues; the same in, the same out; nothing crashes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.names.chunk_scan import Scan, scan
from pipeline.text.names.tally import NameCue


def names(text: str, anchor: str = "") -> set[str]:
    return set(scan(text, anchor).names)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("They saw Joan of Arc there.", "Joan of Arc"),
        ("He served Charles VII of France well.", "Charles VII of France"),
        ("We met Mr. Scrooge and St. Peter.", "Mr. Scrooge"),
        ("It was Vincent van Gogh who came.", "Vincent van Gogh"),
        ("She read J. R. R. Tolkien aloud.", "J. R. R. Tolkien"),
        ("They saw Marley's Ghost again.", "Marley's Ghost"),
        ("He joined the Institute for Advanced Study in May.", "Institute for Advanced Study"),
        ("She flew on Apollo 11 that day.", "Apollo 11"),
        ("He works for NASA now.", "NASA"),
        ("They met the Ghost of Christmas Yet to Come there.", "Ghost of Christmas Yet to Come"),
        ("Welcome to Behind the Tech again.", "Behind the Tech"),
        ("She sold the mill to Cole & Sons. They were glad.", "Cole & Sons"),
        ("The bill went to Strand Ltd.", "Strand Ltd"),
        ("Strand Ltd. mended it.", "Strand Ltd."),
        ("Elle admirait Jeanne d'Arc et la France.", "Jeanne d'Arc"),
        ("Dann kam Johanna von Orléans nach Reims.", "Johanna von Orléans"),
        ("Она видела Жанну д'Арк и Орлеан.", "Жанну д'Арк"),
        ("昨日ジャンヌ・ダルクが来た。", "ジャンヌ・ダルク"),
        ("他看见皮埃尔·科雄在那里。", "皮埃尔·科雄"),
    ],
)
def test_names_are_found_whole(text: str, name: str) -> None:
    assert name in names(text)


def test_connectors_do_not_join_two_people() -> None:
    assert {"Scrooge", "Marley"} <= names("They knew Scrooge and Marley well.")


def test_function_words_days_and_interjections_are_no_names() -> None:
    assert not names("However, he left on Monday. Yes! Well, the rest came in December. Oh no, I said.")


def test_an_opening_word_is_marked_as_one() -> None:
    found = scan("Marley was dead. They knew Marley.", "").names["Marley"]
    assert (found.count(NameCue.OPENING), found.count(NameCue.MIDDLE)) == (1, 1)


def test_cues_beside_a_name_are_counted() -> None:
    assert scan("They live in Rouen.", "").names["Rouen"].count(NameCue.PLACE) == 1
    assert scan("'Humbug!' said Scrooge.", "").names["Scrooge"].count(NameCue.PERSON) == 1
    assert scan("KEVIN SCOTT: Hello there.", "").names["KEVIN SCOTT"].count(NameCue.PERSON) == 1
    assert scan("He saw the Church.", "").names["Church"].count(NameCue.DETERMINED) == 1
    assert scan("We ate Christmas dinner.", "").names["Christmas"].count(NameCue.MODIFIER) == 1


def test_a_title_in_quotation_marks_needs_capitals_and_a_cue() -> None:
    assert scan('He made the film "Night Boat" in 1946.', "").names["Night Boat"].count(NameCue.QUOTED) == 1
    assert "What do you want" not in names('He said "What do you want" to them.')
    assert scan("他读了《圣女贞德》。", "").names["圣女贞德"].count(NameCue.QUOTED) == 1


def test_noun_phrases_are_found_between_function_words_and_verbs() -> None:
    found = scan("He sat in his old counting-house. The machine learning system learns to recognise faces.", "")
    assert found.words["counting-house"][1] == 1
    assert "machine learning system" in found.phrases and "learning system" in found.phrases
    assert not any("learns" in phrase or "recognise" in phrase for phrase in found.phrases)


def test_what_a_name_owns_and_what_befell_a_place_are_phrases() -> None:
    found = scan("Scrooge's nephew came. They fought at the siege of Orléans.", "").phrases
    assert "Scrooge's nephew" in found and "siege of Orléans" in found


def test_short_forms_that_the_text_introduces_are_aliases() -> None:
    assert scan("The World Health Organization (WHO) met.", "").aliases == [("World Health Organization", "WHO")]


@pytest.mark.parametrize(
    ("anchor", "text", "expected"),
    [
        ("Theodred II (Bishop of Elmham)", "He was a bishop.", ("Theodred II (Bishop of Elmham)", "Theodred II")),
        ("Joan of Arc", "She won.", ("Joan of Arc",)),
        ("Early life", "She won.", ()),
        ("Machine learning", "It uses machine learning.", ("Machine learning",)),
        ("EP_03_Behind_the_Tech.txt", "Hello.", ()),
        ("", "Hello.", ()),
    ],
)
def test_an_anchor_is_a_name_where_it_is_no_mere_heading(anchor: str, text: str, expected: tuple[str, ...]) -> None:
    assert scan(text, anchor).anchored == expected


def test_in_a_row_the_cells_are_names_and_neither_columns_nor_codes() -> None:
    row = "Ticket: T0 | Severity: S1 | assignee: Priya Raman | Planned GBP: 300 | supplier: Holm & Sons"
    found = scan(row, "T0")
    assert {"Priya Raman", "Holm & Sons"} <= set(found.names) and not {"Ticket", "T0", "S1", "Planned GBP"} & set(
        found.names
    )
    assert NameCue.PERSON in found.names["Priya Raman"] and not found.anchored


def test_a_sum_behind_a_name_is_no_part_of_it() -> None:
    assert {"Grafana", "Loki", "Tempo"} <= names("Costs a year: Grafana 2,400 EUR, Loki 780, Tempo 165 (shared).")
    assert {"Windows 11", "Python 3", "Boeing 747"} <= names("We flew a Boeing 747 and ran Python 3 on Windows 11.")
    assert "Opus 109" in names("She plays Opus 109, 110 and 111.")


def test_what_code_writes_small_is_a_name_all_the_same() -> None:
    text = "The standby is in Gothenburg. Check the lag: `pgctl lag gothenburg`."
    assert "Gothenburg" in names(text) and "gothenburg" not in scan(text, "").words


def test_what_somebody_is_called_in_a_chat_is_no_word_in_small_letters() -> None:
    chat = scan("2024-08-05 09:14 ada.thorne: the index is mine\n@ada.thorne is right", "")
    assert not {"ada", "thorne"} & set(chat.words)


def test_a_scan_survives_json() -> None:
    found = scan("Joan of Arc (JA) came to Orléans. The siege of Orléans ended.", "Joan of Arc")
    assert Scan.model_validate_json(found.model_dump_json()) == found


@given(st.text(max_size=300), st.text(max_size=30))
@settings(deadline=None, max_examples=300)
def test_no_text_makes_a_scan_crash(text: str, anchor: str) -> None:
    found = scan(text, anchor)
    assert found == scan(text, anchor)
    assert all(found.names.values())


@pytest.mark.parametrize(
    "unit",
    [
        "A ",
        "a",
        "(",
        "Aa Bb ",
        "A of ",
        "A's ",
        '"A',
        "A.",
        "A B (AB) ",
        "http://",
        "a@",
        "贞德王",
        "โจน",
        "ア・",
        "جان ",
    ],
)
def test_a_quarter_of_a_megabyte_on_one_line_is_scanned(unit: str) -> None:
    assert scan(unit * (250_000 // len(unit)), "").n_words >= 0


def test_a_first_name_alone_below_a_message_is_that_of_its_writer() -> None:
    assert scan("I took the key from the drawer.\n\nClara\n", "").names["Clara"] == [NameCue.MIDDLE, NameCue.PERSON]
    assert scan("I took the key from the drawer.\n\nTotal\n", "").names["Total"] == [NameCue.OPENING]
