"""An answer shown while it is written: what is shown only ever grows, and is the answer in the end."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.query.answer import Piece, Place, Trace
from pipeline.query.evidence.citations import Sources, cite
from pipeline.query.streaming import Live

OFFERED = {"c1": Place("a", 0, 4), "c2": Place("a", 5, 9), "p3": Place("b", 0, 4), "f4": None}


class NoRows:
    def table(self, columns: Any = None) -> Any:
        raise AssertionError("nothing is looked up before sources are listed")


ROWS: Any = NoRows()


def resolve(id: str, sentence: str) -> Place | None:
    # Of a long text that was offered, the passage depends on the sentence.
    place = OFFERED[id]
    return Place(place.chunk_id, len(sentence), len(sentence) + 1) if place and id == "c2" else place


def final(text: str) -> str:
    return cite(text.strip(), OFFERED, resolve, Sources(ROWS, ROWS)).text


def shown(parts: list[str]) -> list[Piece]:
    pieces: list[Piece] = []
    trace = Trace(listen=pieces.append)
    live = Live(trace, OFFERED, resolve, ROWS, ROWS)
    for place, part in enumerate(parts):
        live(part, place == 0)
    trace.show(final("".join(parts)), whole=True)
    return pieces


def cut(text: str, seed: int) -> list[str]:
    """Cut a text into pieces of one to six characters, as models send them."""
    chance = random.Random(seed)
    parts = []
    while text:
        size = chance.randint(1, 6)
        parts.append(text[:size])
        text = text[size:]
    return parts


TEXTS = [
    "She lost at Paris. [c1] She was beaten at La Charité, too [c2]. Nobody was there. She left [p3][c1].",
    "The mole fell [c1, c2], and was built again. It cost much. [x9]\n\nMr. Vane paid. [p3] Then he left [c2] for Leith.",
    "Themes:\n\n- Loss runs through it. [c1]\n- Gain too [c2]\n\n# After\nIt ended in 1431. [f4]",
    "她在北京。[c1]他没有来。【c2】然后走了。",
    "One sentence without an end [c1]",
    "An open bracket [c1 that never closes. And more follows here. [c2]",
    "The corpus does not say.",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("seed", range(6))
def test_the_pieces_are_the_answer_and_nothing_shown_is_taken_back(text: str, seed: int) -> None:
    pieces = shown(cut(text, seed))
    assert [piece.begins for piece in pieces] == [True, *[False] * (len(pieces) - 1)]
    assert "".join(piece.text for piece in pieces) == final(text)


def test_words_are_shown_as_they_come_and_numbers_when_their_sentence_has_ended() -> None:
    pieces: list[Piece] = []
    trace = Trace(listen=pieces.append)
    live = Live(trace, OFFERED, resolve, ROWS, ROWS)
    seen = []
    for place, part in enumerate(["She ", "lost ", "at Paris.", " [c", "1] The", " next ", "began."]):
        live(part, place == 0)
        seen.append(trace.shown)
    assert seen == [
        "She",
        "She lost",
        "She lost at Paris.",
        "She lost at Paris.",
        "She lost at Paris.",
        "She lost at Paris. [1] The next",
        "She lost at Paris. [1] The next began.",
    ]


def test_ids_that_were_not_offered_are_never_shown() -> None:
    for seed in range(5):
        for piece in shown(cut("It fell [x7]. It rose [c1]. It fell again [c99, f1]. End.", seed)):
            assert "[x" not in piece.text and "c99" not in piece.text and "f1" not in piece.text


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.sampled_from(
            [
                "She lost.",
                "It fell",
                " [c1]",
                "[c2]",
                "[z1]",
                "[[x9]1]",
                "\n",
                "\n\n- ",
                " ",
                "Mr.",
                "Vane",
                "。",
                "北",
                "[",
                "]",
                ":",
                " Then",
            ]
        ),
        max_size=25,
    ),
    st.integers(0, 1000),
)
def test_whatever_a_model_writes_what_is_shown_last_is_the_answer(words: list[str], seed: int) -> None:
    text = "".join(words)
    pieces = shown(cut(text, seed))
    text_shown = ""
    for piece in pieces:
        text_shown = piece.text if piece.begins else text_shown + piece.text
    assert text_shown == final(text)


def test_without_listeners_nothing_is_made() -> None:
    trace = Trace()
    trace.show("It fell.")
    assert not trace.heard and trace.shown == ""
