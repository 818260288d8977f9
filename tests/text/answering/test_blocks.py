"""Blocks: a text falls into headings, sentences, list items, table rows and code, none cut in two and none lost."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.answering.blocks import columns_above, units
from pipeline.text.answering.windows import LENGTH, closest_window
from pipeline.text.question.reading import read_question


def test_what_somebody_says_in_a_chat_is_a_statement_and_no_heading() -> None:
    chat = "[1.3.24, 8:22] Bob: Yes\n[1.3.24, 8:23] Anna: The roof leaks\n[1.3.24, 8:24] Bob: Oh no"
    talk = "HOST: Our guest today\n\nADA: Good to be here\n\nHOST: The mole\n\nADA: It broke in a storm\n"
    for text in (chat, talk):
        assert {unit.kind for unit in units(text)} == {"prose"}


NOTE = """# Key

Renew it every May:

```sh
key rotate --now

# then restart
```

1. Stop the service.
2. Start it again.

| Name | Fee |
|---|---|
| Corvo | 2.1 % |

It is done. Nobody waits.
"""


def test_lists_tables_and_code_are_blocks_of_their_own() -> None:
    found = [(unit.kind, NOTE[unit.start : unit.end].split("\n")[0]) for unit in units(NOTE)]
    assert found == [
        ("heading", "# Key"),
        ("prose", "Renew it every May:"),
        ("code", "```sh"),
        ("item", "1. Stop the service."),
        ("item", "2. Start it again."),
        ("row", "| Name | Fee |"),
        ("row", "|---|---|"),
        ("row", "| Corvo | 2.1 % |"),
        ("prose", "It is done."),
        ("prose", "Nobody waits."),
    ]
    blocks = [unit.block for unit in units(NOTE)]
    assert blocks == [0, 1, 2, 3, 3, 4, 4, 4, 5, 5]


@given(st.text(alphabet="ab.|#-`1) \n。", max_size=200))
def test_units_are_in_order_and_hold_all_that_is_no_space(text: str) -> None:
    found = units(text)
    at = 0
    for unit in found:
        assert not text[at : unit.start].strip() and unit.start < unit.end
        at = unit.end
    assert not text[at:].strip()


def test_the_window_of_a_long_passage_is_where_the_question_is_spoken_of() -> None:
    text = "\n\n".join(["Nothing of note happened."] * 40 + ["The port is 5020."] + ["Rain fell."] * 40)
    start, end, value = closest_window(text, read_question("5020"))
    assert "5020" in text[start:end] and end - start <= LENGTH and value == 1.0


def kinds(text: str) -> list[tuple[str, str]]:
    return [(unit.kind, text[unit.start : unit.end]) for unit in units(text)]


def test_a_short_numbered_line_above_text_is_its_title_and_no_item() -> None:
    assert kinds("1. Fees\nThe fee is 25 crowns. It goes up.\n\n2. Boats") == [
        ("heading", "1. Fees"),
        ("prose", "The fee is 25 crowns."),
        ("prose", "It goes up."),
        ("item", "2. Boats"),
    ]


def test_a_numbered_title_that_is_alone_is_a_heading_and_numbered_lines_in_a_row_are_items() -> None:
    text = (
        "2.4. Later Licences\n\nNo one may pass it on.\n\n3. Rent\n-------\n\nIt is due in May.\n\n1. Oars\n\n2. Lamps"
    )
    found = [kind for kind, said in kinds(text) if said.strip("-")]
    assert found == ["heading", "prose", "heading", "prose", "item", "item"]


def test_lines_in_columns_are_rows_and_bold_text_is_no_item() -> None:
    assert kinds("Harker, Hyde    £18,900   four days\nOdell & Sons    £16,200   seven days") == [
        ("row", "Harker, Hyde    £18,900   four days"),
        ("row", "Odell & Sons    £16,200   seven days"),
    ]
    assert kinds("**Happened twice** is the job that we ran.")[0][0] == "prose"
    assert kinds("It ended.  Nobody came.\nIt rained.  It snowed.")[0][0] == "prose"


def test_a_title_in_the_first_line_of_a_paragraph_is_a_heading_and_a_bold_question_or_word_is_none() -> None:
    assert kinds("**4. Bees.** The family has two hives.") == [
        ("heading", "**4. Bees.**"),
        ("prose", "The family has two hives."),
    ]
    assert kinds("**What happened.** The job ran twice.")[0] == ("heading", "**What happened.**")
    assert kinds("**Are they encrypted?** No.")[0][0] == "prose"
    assert kinds("**Give notice** in good time. It must be on paper.")[0][0] == "prose"
    minutes = [f"{n}. Figures. It was hot. {'It rained on the hall and on the field. ' * 9}" for n in (1, 2, 3)]
    assert [text for kind, text in kinds("\n\n".join(minutes)) if kind == "heading"] == [
        "1. Figures.",
        "2. Figures.",
        "3. Figures.",
    ]


def test_a_numbered_paragraph_is_not_parted_from_its_title() -> None:
    more = " ".join(["It rained on the hut and on the hedge."] * 20)
    text = f"1. **Water.** Jarvis mended the pipe. {more} All agreed.\n2. **Open day.** Saturday 13 July, 11 to 4. {more} All agreed."
    said = [text for _, text in kinds(text)]
    assert said[0] == "1. **Water.** Jarvis mended the pipe." and "2. **Open day.** Saturday 13 July, 11 to 4." in said


def test_tasks_to_be_ticked_off_are_items() -> None:
    text = "[ ] cut chapter 3, deadline 15 February\n[x] ask the supervisor\n[ ] order the maps"
    assert kinds(text) == [("item", line) for line in text.split("\n")]


def test_a_row_of_a_table_has_the_names_of_its_columns_above_it() -> None:
    text = "Shops.\n\n| Shop | Manager |\n|---|---|\n| Quayside | Dilys |\n| Station | Fatou |\n\nAfter it."
    assert columns_above(text, text.index("| Quayside")) == "Shop | Manager" == columns_above(text, text.index("Fatou"))
    assert columns_above(text, text.index("|---")) == "Shop | Manager"
    assert columns_above(text, text.index("| Shop")) == "", "they are in it"
    assert columns_above(text, 0) == columns_above(text, text.index("After")) == ""
    assert columns_above("| a | b |\n| c | d |", 12) == "", "no line says that the first row is a head"


def test_each_field_of_a_record_is_a_unit_or_several_sentences() -> None:
    record = "id: B-7\ndepartment: Bakery\nbody: The oven is cold. We bake at five.\nresolution: A fuse, replaced."
    assert [record[unit.start : unit.end] for unit in units(record)] == [
        "id: B-7",
        "department: Bakery",
        "body: The oven is cold.",
        "We bake at five.",
        "resolution: A fuse, replaced.",
    ]


def test_a_paragraph_with_a_colon_in_some_lines_stays_one() -> None:
    text = "Remember: the oven is\ncold in the morning.\nFuse: in the cellar."
    assert [unit.start for unit in units(text)] == [0, text.index("Fuse")]


def test_what_is_set_in_below_two_colons_or_a_directive_of_code_is_code_and_the_directive_says_nothing() -> None:
    text = "Run it::\n\n    $ run\n\n    $ stop\n\n.. code-block:: sh\n   :caption: x\n\n   $ go\n\nIt runs.\n\n.. _label:\n\n.. note::\n\n   Mind it."
    assert kinds(text) == [
        ("prose", "Run it::"),
        ("code", "    $ run\n\n    $ stop"),
        ("mark", ".. code-block:: sh\n   :caption: x"),
        ("code", "   $ go"),
        ("prose", "It runs."),
        ("mark", ".. _label:\n\n.. note::"),
        ("prose", "Mind it."),
    ]


def test_a_directive_that_describes_something_is_its_heading_and_a_value_is_none() -> None:
    assert kinds(".. option:: --port\n\n   The port.\n\n   Default: ``5020``") == [
        ("heading", ".. option:: --port"),
        ("prose", "The port."),
        ("prose", "Default: ``5020``"),
    ]


def test_a_note_between_fences_is_text_and_a_text_may_begin_inside_a_fence() -> None:
    assert kinds("```{note}\nMind it.\n```\n\n```{contents}\n:depth: 2\n```") == [
        ("mark", "```{note}"),
        ("prose", "Mind it."),
        ("mark", "```"),
        ("mark", "```{contents}\n:depth: 2\n```"),
    ]
    assert kinds("x = 1\n```\n\nIt counts.\n\n```py\ny = 2\n```") == [
        ("code", "x = 1\n```"),
        ("prose", "It counts."),
        ("code", "```py\ny = 2\n```"),
    ]


def test_a_fence_that_ends_behind_the_text_makes_no_code_of_what_is_before_it() -> None:
    assert kinds("# Keys\n\nA key opens.\n\n```\nopen --key\nshut") == [
        ("heading", "# Keys"),
        ("prose", "A key opens."),
        ("code", "```\nopen --key\nshut"),
    ]


def test_an_item_whose_text_is_set_off_by_blanks_is_no_row() -> None:
    assert kinds("-   Oars\n-   Sails") == [("item", "-   Oars"), ("item", "-   Sails")]


def test_terms_of_asciidoc_are_headings_of_what_explains_them_and_only_what_a_blank_line_parts_is_code() -> None:
    text = (
        "[[def_slip]]slipway::\n\tA ramp on which ships are built.\n\t+\n\tIt is greased.\n\n"
        "--dry::\n\tChecks only.\n\nRun it so::\n\n\tslip --dry\n"
    )
    kinds = [(unit.kind, text[unit.start : unit.end].strip()) for unit in units(text) if unit.kind != "mark"]
    assert kinds[0] == ("heading", "slipway::") and kinds[1][0] == "prose"
    assert ("heading", "--dry::") in kinds and ("prose", "Checks only.") in kinds
    assert kinds[-1] == ("code", "slip --dry")


def test_what_is_between_two_lines_of_hyphens_is_code_only_where_it_looks_like_code() -> None:
    code = "So it runs:\n\n------\n$ pump start\n$ pump stop --now\n------\n\nThen it stops."
    assert [unit.kind for unit in units(code)] == ["prose", "mark", "code", "mark", "prose"]
    for text in (
        "------------\nSection 3. Fees\n------------\n\nThey are due in May.",
        "---------\n\nThe pump runs.\n\n---------\n\nThe pump stops.",
        "------\nThe pump runs by day.\nThe pump rests by night.\n------\n\nThat is all.",
    ):
        assert "code" not in [unit.kind for unit in units(text)]


def test_how_a_letter_ends_is_no_statement_and_a_quoted_sentence_is_one_over_its_lines() -> None:
    mail = "You wrote:\n> The brake is worn and\n> needs oil. It squeaks.\n>\n>> Which one?\n\nThe left one.\n\nKind regards,\nOtto Brandt"
    found = [(unit.kind, mail[unit.start : unit.end]) for unit in units(mail)]
    assert ("prose", "> The brake is worn and\n> needs oil.") in found
    assert ("prose", "It squeaks.") in found and ("prose", ">> Which one?") in found
    assert found[-1] == ("heading", "Kind regards,\nOtto Brandt")


def test_a_line_in_small_letters_behind_a_dash_is_an_item_and_no_heading() -> None:
    assert [kind for kind, _ in kinds("— keys: gave out 71\n— cameras for the gate: put off till spring\n")] == [
        "item",
        "item",
    ]


def test_a_signature_is_one_unit_up_to_the_next_blank_line_and_ends_what_is_before_it() -> None:
    text = "We go with radar.\n\n-- \nAda Berg\nHead of Pumps\nTel. 123 456\n\nOn Monday Ben Orr wrote:\n> Which one?"
    found = [(unit.kind, text[unit.start : unit.end]) for unit in units(text)]
    assert found == [
        ("prose", "We go with radar."),
        ("mark", "-- "),
        ("signature", "Ada Berg\nHead of Pumps\nTel. 123 456"),
        ("prose", "On Monday Ben Orr wrote:"),
        ("prose", "> Which one?"),
    ]


def test_the_name_and_post_below_the_line_that_closes_a_letter_are_one_signature() -> None:
    text = "The weir holds.\n\nKind regards,\n\nIngrid\n\nMrs I. Holm\nHead of Pumps\nOpen on Mondays, 9 to 12\n\nPlease do not print."
    found = [(unit.kind, text[unit.start : unit.end]) for unit in units(text)]
    assert ("signature", "Mrs I. Holm\nHead of Pumps\nOpen on Mondays, 9 to 12") in found
    assert found[-1] == ("prose", "Please do not print.")


def test_what_stands_below_the_line_that_closes_a_letter_and_gives_no_post_is_no_signature() -> None:
    for below in ("Pip", "Pip\nPS Can you ring Ben", "Pip\nI forgot the keys.", "Pip\n\nMinutes\nPresent: Ada Berg"):
        assert not [unit for unit in units(f"All is well.\n\nLove,\n{below}\n") if unit.kind == "signature"]


def test_a_line_that_says_who_wrote_and_when_is_the_heading_of_what_is_below_it() -> None:
    ticket = "--- 08/05/2024 11:40  Client (Ana Gil)\nThe pump stops.\n\n[12:10 Ben, by phone]\nWhich pump?"
    assert [unit.kind for unit in units(ticket)] == ["heading", "prose", "heading", "prose"]
    assert units("10:00 Opening of the fair by Ada Berg\n11:00 Tea is served by Ben Orr")[0].kind != "heading"


def test_a_field_below_another_is_no_heading() -> None:
    text = "# Minutes\n\nDate: 5 March\nPresent: Ada Berg, Ben Orr\nApologies: Cora Vane\n\n## Purpose\n\nThe budget stays."
    assert [unit.kind for unit in units(text)] == ["heading", "prose", "prose", "prose", "heading", "prose"]


def test_the_title_that_begins_a_numbered_item_of_minutes_is_its_heading_and_its_sentences_are_units() -> None:
    item = "2. The pump. Ada Berg tells of the pump. It was bought in Hull. The key is with Ben Orr."
    text = f"{item}\n\n3. The gate. It is shut."
    found = [(unit.kind, text[unit.start : unit.end]) for unit in units(text)]
    assert found[:2] == [("heading", "2. The pump."), ("prose", "Ada Berg tells of the pump.")]
    assert found[3:] == [
        ("prose", "The key is with Ben Orr."),
        ("heading", "3. The gate."),
        ("prose", "It is shut."),
    ]
    steps = "1. Open the valve. Wait a minute.\n2. close the lid"
    assert [unit.kind for unit in units(steps)] == ["item", "item"]


def test_a_field_below_a_heading_is_a_statement_and_a_title_with_a_colon_none() -> None:
    for field in ("State: shut", "**State:** shut", "State: shut\nKeeper: Ada Thorne"):
        kinds = [unit.kind for unit in units(f"# Gate 3\n\n{field}\n\nThe gate was hit by a barge.\n")]
        assert kinds[0] == "heading" and {*kinds[1:]} == {"prose"}
    assert [unit.kind for unit in units("# Log\n\nPart 2: the barge\n\nIt came at night.\n")][:2] == ["heading"] * 2


def test_a_word_that_is_all_there_is_below_a_heading_is_a_statement() -> None:
    kinds = [unit.kind for unit in units("# Gate 3\n\n## State\n\nshut\n\n## Cause\n\nA barge hit it.\n")]
    assert kinds == ["heading", "heading", "prose", "heading", "prose"]


def test_two_colons_alone_are_no_statement() -> None:
    text = "Set the pump up:\n\n::\n\n    pump: half\n\nIt runs.\n"
    assert [unit.kind for unit in units(text)] == ["prose", "mark", "code", "prose"]
