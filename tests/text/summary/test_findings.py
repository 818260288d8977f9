"""A finding can be read alone, and says nothing twice."""

from pipeline.text.summary.findings import finding_text


def test_the_line_that_names_the_subject_is_there_unless_the_explanation_repeats_it() -> None:
    assert finding_text("Ada Thorne built the mole.", "She says so in her diary.") == (
        "Ada Thorne built the mole. She says so in her diary."
    )
    assert (
        finding_text("The mole broke", "The mole broke in 1901, in a storm.") == "The mole broke in 1901, in a storm."
    )
    assert finding_text("CSAIL has 125 members.", "The lab has 125 members and much room.").startswith("CSAIL has")


def test_a_headline_is_closed_and_an_empty_part_leaves_the_other() -> None:
    assert finding_text("Thorne and the mole", "She built it.") == "Thorne and the mole. She built it."
    assert finding_text("Thorne built it.", " ") == "Thorne built it."
    assert finding_text("", "She built it.") == "She built it."
