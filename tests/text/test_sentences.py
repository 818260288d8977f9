"""Sentences and paragraphs: where they end in many scripts, and that no character is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text import sentences

PIECES = st.lists(
    st.sampled_from(
        [
            "Mr. ",
            "Joan ",
            "went. ",
            "A. B. ",
            "\n",
            "\n\n",
            "\r\n",
            "said: ",
            '"',
            "(",
            ")",
            "...",
            "。",
            "！",
            "। ",
            "؟ ",
        ]
    )
    | st.text(max_size=8),
    max_size=40,
).map("".join)


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences.split(text)]


@pytest.mark.parametrize(
    "said",
    [
        ["It broke in 1871.[2]", "Ben repaired it.[1][3]", "It is 900 m long.[12]"],
        ["Élan was built.[12]", "He left."],
        ["橋は壊れた。[1]", "彼は直した。[2]"],
        ["Use .[0] or a.[1] as it is."],
        ["Mr.[1] Jones left."],
    ],
)
def test_numbers_of_footnotes_belong_to_the_sentence_that_they_are_behind(said: list[str]) -> None:
    assert cut(("" if "。" in said[0] else " ").join(said)) == said


@pytest.mark.parametrize(
    "said",
    [
        ["He left. [I. Getzler, **Kronstadt** , p. 179]", "In 1917 she came."],
        ['"They are free." [quoted by Avrich, Op. Cit. , p. 57]', "The soviet was pressed."],
        ["It works [Op. Cit., pp. 5-7].", "The next one follows."],
        ["It was so. (Smith 2003)", "Then it ended.", "(He came in 1990.)", "Nobody saw him."],
        ["See Lee et al. (2019) and Eq. 4 of Sect. 2.", "It holds."],
        ["They acted . . . and left . . .", "Then came the rest."],
    ],
)
def test_whom_a_sentence_quotes_belongs_to_it(said: list[str]) -> None:
    text = " ".join(said)
    assert [text[start:end] for start, end in sentences.split(text)] == said


@pytest.mark.parametrize("split", [sentences.split, sentences.paragraphs])
@given(text=PIECES)
@settings(deadline=None, max_examples=200)
def test_spans_are_ordered_disjoint_trimmed_and_hold_every_character(split, text: str) -> None:  # type: ignore[no-untyped-def]
    end = 0
    for start, stop in split(text):
        assert end <= start < stop
        assert text[start:stop] == text[start:stop].strip()
        assert not text[end:start].strip()
        end = stop
    assert not text[end:].strip()


@given(text=PIECES)
@settings(deadline=None, max_examples=100)
def test_a_sentence_never_crosses_a_paragraph(text: str) -> None:
    paragraphs = sentences.paragraphs(text)
    for start, end in sentences.split(text):
        assert any(first <= start and end <= last for first, last in paragraphs)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Scrooge met Dr. Watson of St. Paul's at 3.5 p.m. on Jan. 5.",
        "J. R. R. Tolkien wrote it.",
        "The U.S. Army won.",
        "It costs 3.50 dollars, e.g. in Spain.",
        '"What is that?" asked Joan.',
        "She waited... and left.",
        "A hard-wrapped line goes on\nin the next one\nand the one after.",
        "Am 12. Mai kam sie nach Reims.",
        "Das war z. B. in Rouen.",
        "He met\nJoan there.",
        "「行こう。」と彼は言った。",
        "Bestand am 31. 12. 2023 war hoch.",
        "Verboten nach § 9 Abs. 2 der Satzung.",
        "**4. Bees.**",
        "Workers take jobs by `SELECT ... FOR UPDATE SKIP LOCKED`.",
        "Call `stop(). Then wait` at once.",
        "1. Lehrjahr 800 €, 2. Lehrjahr 920 €, 3. Lehrjahr 1.050 € im Monat.",
        "Bitte an die Bäckerei Luttmann, z. Hd. Herrn Kunz, schicken.",
    ],
)
def test_one_sentence_stays_one(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He came. She left! Why? Nobody knew.", ["He came.", "She left!", "Why?", "Nobody knew."]),
        ('"Go." She went.', ['"Go."', "She went."]),
        ("he came. he saw. he won", ["he came.", "he saw.", "he won"]),
        ("It ended in 1431. Then came peace.", ["It ended in 1431.", "Then came peace."]),
        ("He liked Henry V. He hated war.", ["He liked Henry V.", "He hated war."]),
        ("They sold apples, etc. The market closed.", ["They sold apples, etc.", "The market closed."]),
        ("今日は寒い。本当？行こう！", ["今日は寒い。", "本当？", "行こう！"]),
        ("ما هذا؟ هذا كتاب.", ["ما هذا؟", "هذا كتاب."]),
        ("यह है। वह है।", ["यह है।", "वह है।"]),
        ("Why...? No.", ["Why...?", "No."]),
        ("Is it 5 a.m.? Yes, it is.", ["Is it 5 a.m.?", "Yes, it is."]),
        ("The fee is $5.50. Members pay less.", ["The fee is $5.50.", "Members pay less."]),
        ("The rate rose to 4.5%. Banks complained.", ["The rate rose to 4.5%.", "Banks complained."]),
    ],
)
def test_terminators_of_many_scripts_end_sentences(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    "messages",
    [
        [
            "[12.03.24, 18:22:01] Ada: Who has the key",
            "[12.03.24, 18:23:40] Ben: Me. In the kitchen",
            "[13.03.24, 9:01:02] Ben: Come",
        ],
        [
            "3/12/24, 6:22 PM - Ada: who has the key",
            "3/12/24, 6:23 PM - Ben: me. in the kitchen",
            "3/12/24, 6:25 PM - Ben: ok",
        ],
        ["18:22 <ada> who has the key", "18:23 <ben> me. in the kitchen", "18:25 <ben> ok"],
        [
            "2024-03-12 18:22:01 Ada: who has it",
            "2024-03-12T18:23:01Z Ben: me. in the kitchen",
            "2024-03-12 18:24 Ben: ok",
        ],
    ],
)
def test_each_message_of_a_chat_is_one_sentence_with_who_sent_it(messages: list[str]) -> None:
    text = "\n".join(messages)
    assert [text[start:end] for start, end in sentences.split(text)] == messages


def test_turns_of_speech_headings_and_lists_are_sentences_of_their_own() -> None:
    text = "KEVIN SCOTT: Hello.\nOh, fine.\nCHRISTINA WARREN: Hi\n\n[MUSIC]\nSTAVE ONE\nMarley was dead: to begin\nwith.\n\n- bread\n- butter"
    assert cut(text) == [
        "KEVIN SCOTT: Hello.",
        "Oh, fine.",
        "CHRISTINA WARREN: Hi",
        "[MUSIC]",
        "STAVE ONE",
        "Marley was dead: to begin\nwith.",
        "- bread",
        "- butter",
    ]


def test_a_word_and_a_colon_behind_a_wrapped_line_open_no_turn_of_speech() -> None:
    wrapped = (
        "You may copy the pages of this handbook and hand them on, as long as\n"
        "each copy carries on its cover, clearly and in full, both of these two\n"
        "Notes: the note of the board, and the note of the printer in the yard."
    )
    turns = (
        "Maren: you may copy the pages of this handbook and hand them on, then\n"
        "Jonas: and each copy carries on its cover both of these two short notes"
    )
    assert cut(wrapped) == [wrapped]
    assert cut(turns) == turns.split("\n")


def test_a_list_without_marks_is_cut_at_its_lines() -> None:
    assert cut("Bread\nButter\nMilk\nEggs") == ["Bread", "Butter", "Milk", "Eggs"]


def test_lines_of_a_table_of_contents_are_cut() -> None:
    assert cut("Chapter one      3\nChapter two      17") == ["Chapter one      3", "Chapter two      17"]


def test_rows_of_columns_set_with_spaces_or_dots_are_sentences_of_their_own() -> None:
    rows = ["12 June     Corn Hall, Amble     210 seats", "14 June     Old Barn, Wark       84 seats"]
    assert cut("\n".join(rows)) == rows
    cast = ["Inspector ........ Leo Marsh", "Nan Carter ....... Kay Moult"]
    assert not any("Marsh" in piece and "Nan" in piece for piece in cut("\n".join(cast)))


def test_an_abbreviated_title_ends_no_sentence() -> None:
    text = "La dott.ssa Bo ricorda che il sig. Rossi c'era. L'avv. Neri tace."
    assert cut(text) == ["La dott.ssa Bo ricorda che il sig. Rossi c'era.", "L'avv. Neri tace."]


def test_the_ending_of_a_firm_closes_a_sentence_where_the_text_writes_it_bare_or_a_person_comes_next() -> None:
    text = "Strand Ltd mended it. The bill went to Strand Ltd. Bricks are dear."
    assert cut(text) == ["Strand Ltd mended it.", "The bill went to Strand Ltd.", "Bricks are dear."]
    assert cut("We wrote to Holm & Co. Ruth Vale signed.") == ["We wrote to Holm & Co.", "Ruth Vale signed."]
    assert cut("We wrote to Holm & Co. Bristol about it.") == ["We wrote to Holm & Co. Bristol about it."]


def test_what_is_behind_the_sign_of_an_item_is_no_second_column() -> None:
    text = "-   The limit says how\n    much is read.\n-   The rest is\n    left."
    assert [" ".join(piece.split()) for piece in cut(text)] == [
        "- The limit says how much is read.",
        "- The rest is left.",
    ]


def test_each_row_of_a_table_is_a_sentence_however_long_its_lines_are() -> None:
    rows = [
        "Nordhav AS | Sigrid Moen | 3.1 million EUR | measures glazing itself; call, do not write",
        "Maison Leclerq | Étienne Leclerq | 7.4 million EUR | decides alone; hates price rises by mail",
        "Fischhaus Petersen | Uwe Petersen | 0.6 million EUR | picks up himself at 4.30 in the morning",
    ]
    text = "# Customers\n\n" + "\n".join(rows)
    assert [text[start:end] for start, end in sentences.split(text)][1:] == rows


def test_lines_of_an_address_are_sentences_where_the_text_wraps_no_lines() -> None:
    letter = "word " * 40 + "end.\n\nAnna Lind\nDirector, Lind Theatre Company\nThe Old Fire Station, Amble"
    assert cut(letter)[1:] == ["Anna Lind", "Director, Lind Theatre Company", "The Old Fire Station, Amble"]


def test_text_without_punctuation_is_cut_at_spaces_before_it_gets_too_long() -> None:
    text = "words without any end " * 500
    assert max(map(len, cut(text))) <= sentences.LONGEST
    assert " ".join(cut(text)) == text.strip()


@pytest.mark.parametrize(
    "unit", ["A ", "a", "(", ".", ". ", ". [", ". (p. 1 ", "\n", "x\n", "A.)", "A: ", "。", '"', "'. "]
)
def test_a_quarter_of_a_megabyte_of_anything_is_cut(unit: str) -> None:
    text = unit * (250_000 // len(unit))
    assert "".join("".join(cut(text)).split()) == "".join(text.split())


def test_a_letter_for_a_unit_closes_a_sentence_before_a_number_and_one_for_a_year_of_birth_does_not() -> None:
    assert cut("The pole is 5 m. 20 people can stand below it.") == [
        "The pole is 5 m.",
        "20 people can stand below it.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Anwesend: Jürgen Pfeiffer (1. Vorsitzender), Sabine Krall (Kassenwartin).",
        "Dieter hat zwei Angebote eingeholt: Metallbau Reusch 8.900 €, Fa. Schlosserei Böhm 7.450 €.",
        "The wall is taken out incl. Steel beam for 9,800 pounds.",
        "Der Kontostand zum 28.2. 14.382,17 € ist geprüft.",
        "Es leitet die 2. Vorsitzende.",
        "Josephine Pullen, b. 1944, daughter of Jack Pullen (d. 1969), ran the mill of c. 1898.",
        "Ada Brandt, geb. 1911, verh. 1934, ist hier gemeldet.",
        "Patient: Ms U. O., born 1990, seen by Dr I. A. at noon.",
        "El testigo es el Sr. S. O., vecino de la calle Mayor.",
    ],
)
def test_ordinals_days_and_abbreviations_of_lists_end_no_sentence(sentence: str) -> None:
    assert cut(sentence) == [sentence]


def test_the_numbers_of_tickets_behind_a_full_stop_are_of_its_sentence() -> None:
    log = "The pump stops. (#412) (#413) Nobody waits. :issue:`414`"
    assert [log[start:end] for start, end in sentences.split(log)] == [
        "The pump stops. (#412) (#413)",
        "Nobody waits. :issue:`414`",
    ]
    told = "It is done. #12 is open."
    assert [told[start:end] for start, end in sentences.split(told)] == ["It is done.", "#12 is open."]


def test_a_line_that_was_wrapped_before_a_link_goes_on() -> None:
    text = "The pump is a tool for the night and no other. Its many\n[parts](/tools/of/the/pump/parts.md) are listed here, all of them, but\nthe crank.\n"
    assert len(sentences.paragraphs(text)) == 1
