"""Excerpts: the sentence, list, row or code that answers is chosen by what the question asks for, in any script, and printed
as its source has it."""

import math

import pytest

from pipeline.text.answering.excerpt_selection import PassageText, select
from pipeline.text.keys import keys_of
from pipeline.text.question.kinds import kinds_of
from pipeline.text.question.reading import read_question

MINUTES = PassageText(
    "a",
    "Harbour > Minutes",
    """# Minutes

Present: Ada, Ben and Cora Vane from the insurer.

The crane stopped because salt had got into the gearbox. It stood still for six weeks.

| Pier | Length |
|---|---|
| North | 120 m |
| South | 90 m |

To bring for the inspection:

- the log of the crane
- a torch

To restart the pump:

```sh
pump restart --all
x = a[0]
```
""",
)
TEA = PassageText("b", "茶厂", "龙溪茶厂由林德昌于1912年创办。工厂里有二十名工人。茶厂的门是红色的。")
WATCH = PassageText("c", "博物館", "博物館は1999年に開館した。休館日は火曜日です。入場料は五百円です。")


def answer(question: str, *passages: PassageText) -> tuple[list[str], bool]:
    texts = passages or (MINUTES, TEA, WATCH)
    spread = [keys_of(passage.text, "en") | keys_of(passage.title, "en") for passage in texts]

    def rarity(word: str) -> float:
        held = sum(bool(keys_of(word, "en") & keys) for keys in spread)
        return math.log(1 + len(texts) / held) if held else 0.0

    found = select(read_question(question, (), rarity, "en"), texts)
    return [texts[one.passage].text[one.start : one.end] for one in found.excerpts], found.answered


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("Why did the crane stop?", "The crane stopped because salt had got into the gearbox."),
        ("How long did the crane stand still?", "It stood still for six weeks."),
        ("How long is the South pier?", "| South | 90 m |"),
        ("What should we bring for the inspection?", "- a torch"),
        ("How do I restart the pump?", "pump restart --all"),
        ("Who is Cora Vane?", "Present: Ada, Ben and Cora Vane from the insurer."),
        ("茶厂是谁创办的？", "龙溪茶厂由林德昌于1912年创办。"),
        ("博物館の休館日は何曜日ですか？", "休館日は火曜日です。"),
    ],
)
def test_the_passage_that_answers_is_chosen_word_for_word(question: str, held: str) -> None:
    texts, answered = answer(question)
    assert answered and any(held in text for text in texts[:3])


def test_a_row_is_read_under_the_head_of_its_table_and_a_list_under_its_lead() -> None:
    rows, _ = answer("How long is the South pier?")
    assert rows.index("| Pier | Length |") < rows.index("| South | 90 m |")
    items, _ = answer("What should we bring for the inspection?")
    assert items[:3] == ["To bring for the inspection:", "- the log of the crane", "- a torch"]


PRICES = "# Prices\n\nSee the desk.\n\n{}\n\nMeals are served in the hall, and nobody pays for water."


def test_a_row_that_names_its_columns_is_printed_below_their_head() -> None:
    rows = "Item | Fee | Unit\nItem: Towel | Fee: 2 crowns | Unit: day\nItem: Locker | Fee: 5 crowns | Unit: week"
    printed, answered = answer("What is the fee of a locker?", PassageText("p", "Bath", PRICES.format(rows)))
    assert printed[:2] == ["Item | Fee | Unit", "Item: Locker | Fee: 5 crowns | Unit: week"] and answered


def test_rows_without_names_are_printed_below_their_head() -> None:
    rows = "Item | Fee\nTowel | 2 crowns\nLocker | 5 crowns"
    printed, answered = answer("What is the fee of a locker?", PassageText("p", "Bath", PRICES.format(rows)))
    assert (printed, answered) == (rows.split("\n"), True)


def test_what_the_passages_do_not_hold_is_not_answered() -> None:
    for question in ("Where was Zoltan Kovacs born?", "How many passengers does the ferry take?"):
        assert not answer(question)[1]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who paid?", "person"),
        ("Wann wurde das Schiff gebaut?", "date"),
        ("Combien de jours a-t-il fallu ?", "duration"),
        ("¿Cuánto cuesta la entrada?", "money"),
        ("Где он родился?", "place"),
        ("なぜ休みですか？", "cause"),
        ("要多少钱？", "money"),
        ("How do I renew the key?", "how"),
        ("Welche Unterlagen brauche ich?", "list"),
        ("لماذا توقف العمل؟", "cause"),
        ("Who was Clara Lorenzen?", "definition"),
    ],
)
def test_what_a_question_asks_for_is_told_in_many_languages(question: str, kind: str) -> None:
    assert kinds_of(question)[0] == kind
