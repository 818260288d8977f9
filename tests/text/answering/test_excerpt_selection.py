"""Excerpts: the sentence, list, row or code that answers is chosen by what the question asks for, in any script, and printed
as its source has it."""

import math
from collections.abc import Sequence

import pytest

from pipeline.text.answering.decision import FARTHEST, LEAST, AnswerSigns
from pipeline.text.answering.excerpt_selection import select
from pipeline.text.answering.passage_units import PassageText
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
        spread_of_word = sum(bool(keys_of(word, "en") & keys) for keys in spread)
        return math.log(1 + len(texts) / spread_of_word) if spread_of_word else 0.0

    found = select(read_question(question, (), rarity, "en"), texts)
    return [texts[one.passage].text[one.start : one.end] for one in found.excerpts], found.answered


@pytest.mark.parametrize(
    ("question", "expected"),
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
def test_the_passage_that_answers_is_chosen_word_for_word(question: str, expected: str) -> None:
    texts, answered = answer(question)
    assert answered and any(expected in text for text in texts[:3])


@pytest.mark.parametrize(
    ("question", "text", "answered"),
    [
        ("When did Ada Orme die?", "Ada Orme opened the mill in 1931. Ada Orme sold it in 1944.", False),
        ("When did Ada Orme die?", "Ada Orme opened the mill in 1931. Ada Orme died in 1944.", True),
        ("When did Ada Orme die?", "Ada Orme, d. 1944, opened the mill.", True),
        ("When was Ada Orme born?", "Ada Orme opened the mill in 1931.", False),
        ("When did Ada Orme, born at the mill, move in?", "Ada Orme moved in on 3 May 1931, as the mill tells.", True),
        (
            "En quelle année est mort le père de Gaston Roux ?",
            "Le père de Gaston Roux vend du pain depuis 1954.",
            False,
        ),
        ("En quelle année est mort le père de Gaston Roux ?", "Le père de Gaston Roux mourut en 1954.", True),
        ("周德山是哪一年去世的？", "1927年，周德山开了船厂，世世代代。", False),
        ("周德山是哪一年去世的？", "1927年，周德山病故。", True),
    ],
)
def test_a_day_of_somebodys_life_is_not_that_of_a_birth_or_a_death(question: str, text: str, answered: bool) -> None:
    asked = read_question(question)
    assert select(asked, [PassageText("p", "Town", text)]).answered is answered


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
    printed, answered = answer("What fees are there?", PassageText("p", "Bath", PRICES.format(rows)))
    assert (printed, answered) == (rows.split("\n"), True)


def test_of_the_rows_of_a_table_the_one_whose_first_cell_is_asked_for_is_printed_alone() -> None:
    rows = "Item | Fee\nTowel | 2 crowns\nLocker | 5 crowns"
    printed, answered = answer("What is the fee of a locker?", PassageText("p", "Bath", PRICES.format(rows)))
    assert (printed, answered) == (["Item | Fee", "Locker | 5 crowns"], True)


def test_the_names_of_those_asked_about_are_not_those_asked_for() -> None:
    offer = "1. Mr and Mrs Lisle offer 372,000. They have two small children, and no chain behind them.\n2. A firm offers 380,000 in cash."
    _, answered = answer("What are the Lisles' two children called?", PassageText("o", "Offers", offer))
    assert not answered
    _, answered = answer(
        "What are the Lisles' two children called?",
        PassageText("o", "Offers", offer.replace("two small children,", "two small children, called Ada and Bram,")),
    )
    assert answered


def test_the_number_of_a_phone_is_no_other_number() -> None:
    duty = "Outside those hours the number goes to the duty phone. 204 loads were given to a second carrier."
    _, answered = answer("What is the number of the duty phone?", PassageText("d", "Duty", duty))
    assert not answered
    _, answered = answer(
        "What is the number of the duty phone?", PassageText("d", "Duty", f"{duty} The duty phone is +32 89 441 207.")
    )
    assert answered


FINDS = "SF | Object | Feature | Finder | Where now\nSF: 27 | Object: Bucket | Feature: Grave 4 | Finder: Idris Vaughan | Where now: Freezer B\nSF: 28 | Object: Coin | Feature: Grave 3 | Finder: Bex Lowe | Where now: Safe"


@pytest.mark.parametrize(
    "question", ["Where is the bucket from Grave 4 being kept?", "Who found the bucket of Grave 4?"]
)
def test_where_and_who_are_told_by_the_column_that_says_so(question: str) -> None:
    diary = "The block with the bucket of Grave 4 was lifted whole, which the people of Hull watched from the road."
    printed, answered = answer(question, PassageText("d", "Diary", diary), PassageText("f", "Finds", FINDS))
    assert answered and any("Bucket" in line for line in printed[:2])


CODES = "# Exit codes\n\n| Code | Meaning |\n|---|---|\n| 0 | All well |\n| 3 | Stored, some files unread |\n| 4 | The hook failed |\n\nScripts may stop at 4, since nothing was stored then."


@pytest.mark.parametrize("question", ["What is exit code 3?", "What does it mean when it exits with 3?"])
def test_a_code_is_looked_up_in_the_table_of_codes(question: str) -> None:
    printed, answered = answer(question, PassageText("c", "Manual", CODES))
    assert printed[:2] == ["| Code | Meaning |", "| 3 | Stored, some files unread |"] and answered
    assert "| 4 | The hook failed |" not in printed


def test_who_wrote_the_mail_that_is_quoted_is_not_who_wrote_what_it_is_about() -> None:
    mail = "The play is free for amateurs.\n\nOn 15 Jan 2024, at 21:30, Delia Prowse wrote:\n> We would like to perform The Glass Orchard in April."
    _, answered = answer("Who wrote The Glass Orchard?", PassageText("m", "Licence", mail))
    assert not answered


def test_what_the_passages_do_not_hold_is_not_answered() -> None:
    for question in ("Where was Zoltan Kovacs born?", "How many passengers does the ferry take?"):
        assert not answer(question)[1]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who paid?", "person"),
        ("Wann wurde das Schiff gebaut?", "date"),
        ("Combien de jours a-t-il fallu ?", "duration"),
        ("How long is the notice period of a tenant?", "duration"),
        ("¿Cuánto cuesta la entrada?", "money"),
        ("Где он родился?", "place"),
        ("なぜ休みですか？", "cause"),
        ("要多少钱？", "money"),
        ("How do I renew the key?", "how"),
        ("Welche Unterlagen brauche ich?", "list"),
        ("لماذا توقف العمل؟", "cause"),
        ("Who was Clara Lorenzen?", "definition"),
        ("What is a password?", "definition"),
        ("What is the code of the gate?", "secret"),
        ("Wie lautet das WLAN-Passwort?", "secret"),
        ("Quel est le code du portail ?", "secret"),
        ("¿Cuál es la contraseña del wifi?", "secret"),
        ("Qual è la combinazione della cassaforte?", "secret"),
        ("Какой код сигнализации?", "secret"),
        ("保险箱的密码是什么？", "secret"),
        ("金庫の暗証番号は何ですか？", "secret"),
    ],
)
def test_what_a_question_asks_for_is_recognised_in_many_languages(question: str, kind: str) -> None:
    assert kinds_of(question)[0] == kind


HOUSE = PassageText(
    "g",
    "The cottage",
    """The wifi password is bluefinch. The code of the gate is 4719.

Nobody may write down the alarm code. The PIN of the card is not kept here; the card is blue.
""",
)


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("What is the wifi password?", "The wifi password is bluefinch."),
        ("What is the code of the gate?", "The code of the gate is 4719."),
        ("What is the alarm code?", ""),
        ("What is the PIN of the card?", ""),
    ],
)
def test_a_code_is_answered_by_what_gives_it_and_not_by_the_code_of_another_thing(question: str, answered: str) -> None:
    said, is_answer = answer(question, HOUSE, MINUTES)
    assert is_answer == bool(answered) and (not answered or answered in said)


HARBOUR = PassageText("d", "Harbour > Ships", "The slow steamer was christened after Clara Holm. It burned much coal.")
PEOPLE = PassageText(
    "e", "People", "Clara Holm stayed until 1939. She died at Carrow in 1951. Nobody came to the grave."
)


def test_a_second_step_goes_on_from_the_name_that_the_first_one_brings_in() -> None:
    asked = "Where did the woman die after whom the slow steamer was christened?"
    looked_for: list[list[str]] = []

    def onward(words: Sequence[str]) -> list[PassageText]:
        looked_for.append([*words])
        return [PEOPLE]

    found = select(read_question(asked, (), lambda word: 1.0, "en"), [HARBOUR], onward=onward)
    texts = [HARBOUR, *found.added]
    said = [texts[one.passage].text[one.start : one.end] for one in found.excerpts]
    assert looked_for[0][0] == "Clara Holm"
    assert said.index("The slow steamer was christened after Clara Holm.") < said.index("She died at Carrow in 1951.")
    assert "Clara Holm stayed until 1939." in said and found.answered
    without = select(read_question(asked, (), lambda word: 1.0, "en"), [HARBOUR])
    assert not without.added and len(without.excerpts) < len(found.excerpts)


def test_the_second_step_is_what_is_asked_and_not_what_is_nearest_to_the_first() -> None:
    rescue = PassageText("f", "The flood", "Ada Brake had carried Wenna down from her roof. The goat came next.")
    others = PassageText(
        "g", "The village", "Ada Brake grumbled about the rain. Her brother Odo, as thin as Ada Brake was broad, sang."
    )
    said, _ = answer("Who is the brother of the woman who carried Wenna down from her roof?", rescue, others)
    assert said[0] == "Ada Brake had carried Wenna down from her roof."
    assert "Her brother Odo, as thin as Ada Brake was broad, sang." in said


def test_a_question_on_one_named_thing_follows_no_other_name() -> None:
    def onward(words: Sequence[str]) -> list[PassageText]:
        raise AssertionError(words)

    select(read_question("Where did Clara Holm live?", (), lambda word: 1.0, "en"), [HARBOUR, PEOPLE], onward=onward)


def test_a_choice_is_answered_where_both_sides_are_stated_though_not_in_its_words() -> None:
    fares = PassageText("f", "Fares", "Corvo takes 2.1 percent. Stella takes 1.6 percent and pays out daily.")
    said, answered = answer("Which is cheaper, Corvo or Stella?", fares)
    assert answered and said == ["Corvo takes 2.1 percent.", "Stella takes 1.6 percent and pays out daily."]


def test_who_somebody_is_is_found_where_nothing_marks_the_name() -> None:
    said, answered = answer("林德昌是谁？", PassageText("g", "茶厂", "工厂里有二十名工人。主任是老师傅的学生林德昌。"))
    assert answered and said[0] == "主任是老师傅的学生林德昌。"


def test_the_number_of_an_item_of_a_list_is_no_number() -> None:
    listed = PassageText(
        "h", "Wishes", "What they want:\n\n1. A list of tickets.\n2. To sell a ticket.\n\nWe sold 1,904 tickets."
    )
    said, _ = answer("How many tickets were sold?", listed)
    assert said[0] == "We sold 1,904 tickets."


MAIL = """From: Ada Vane <ada@boats.example>
To: Ben Odell
Subject: Two yards

I like the yard at Wick.

From: Ben Odell <ben@boats.example>
To: Ada Vane
Subject: Re: Two yards

Six metres of water is too little, because the Petrel draws seven.
"""


def test_who_wrote_a_mail_is_known_of_all_its_sentences() -> None:
    said, answered = answer("Why did Ben Odell think six metres too little?", PassageText("m", "Yards", MAIL))
    assert said[0] == "Six metres of water is too little, because the Petrel draws seven." and answered


def test_an_answer_must_hold_the_age_or_the_time_that_is_asked_for() -> None:
    passage = PassageText("n", "Staff", "Ada Vane is the agent of the harbour. We have 3,000 boxes.")
    assert not answer("How old is Ada Vane?", passage)[1]
    assert not answer("How long has Ada Vane been the agent of the harbour?", passage)[1]
    assert answer("Who is Ada Vane?", passage)[1]


def test_what_is_said_of_another_under_a_name_is_no_answer_about_it() -> None:
    passage = PassageText("o", "Ada Vane", "Her agent came from Wick. Ben Odell raised four children there.")
    assert not answer("Did Ada Vane have children?", passage)[1]
    assert answer("How many children did Ben Odell raise?", passage)[1]


@pytest.mark.parametrize(
    ("question", "text", "answered"),
    [
        ("What is the name of the mayor?", "Adam Vane wrote to the mayor a letter about the mill.", False),
        ("What is the name of the mayor?", "Our mayor, Adam Vane, wrote a letter about the mill.", True),
        ("What is the name of the mayor?", "The mayor of the mill town is called Vane.", True),
        ("Wie heißt der Bürgermeister?", "Der Bürgermeister heißt Adam Vane.", True),
        ("¿De qué murió Anselmo?", "Anselmo murió en 2011 en su casa.", False),
        ("¿De qué murió Anselmo?", "Anselmo murió de pulmonía en 2011.", True),
        (
            "What is the phone number of Adam Vane?",
            "Adam Vane is the mayor, and has a phone number at the mill.",
            False,
        ),
        ("What is the phone number of Adam Vane?", "Adam Vane, mayor, phone number 0161 496 0000.", True),
    ],
)
def test_an_answer_holds_the_attribute_that_is_asked_for(question: str, text: str, answered: bool) -> None:
    assert answer(question, PassageText("a", "", f"{text} It rained all day."))[1] is answered


def test_a_list_under_a_heading_with_the_name_is_an_answer_about_it() -> None:
    recipe = PassageText(
        "a", "", "# Kitchen\n\n## Orrin bread\n\nFor four loaves:\n\n1. Mix flour and water.\n2. Bake for an hour.\n"
    )
    texts, answered = answer("How do you bake Orrin bread?", recipe, TEA)
    assert answered and "1. Mix flour and water." in texts


def test_a_role_before_a_name_or_behind_it_says_who_somebody_is_and_what_they_just_did_does_not() -> None:
    role = PassageText(
        "a",
        "",
        "Ada Vane was mending a net. Present: Bo Lind, Cy Dorn, Ada Vane, Em Holt, Flo Ree. The clerk is Ada Vane.",
    )
    assert answer("Who is Ada Vane?", role)[0][0] == "The clerk is Ada Vane."


def test_a_pronoun_that_opens_a_sentence_stands_for_the_name_that_opens_the_one_before() -> None:
    vane = PassageText(
        "a", "", "Ada Vane was a potter from Lund. She was burned in her kiln in 1812, at the age of nineteen."
    )
    lind = PassageText("b", "", "Bo Lind died at the age of eighty. He knew Ada Vane.")
    texts, answered = answer("How old was Ada Vane when she died?", lind, vane)
    assert answered and "at the age of nineteen" in " ".join(texts[:2])


def test_rows_under_a_line_that_leads_to_them_answer_what_is_asked_in_the_plural() -> None:
    quotes = PassageText(
        "a",
        "",
        """Re: removals

Offers are in for moving the pallets:

  Brake Haulage        18,900   four days
  Lind and Daughters   16,200   seven days

1. Every pallet must be wrapped.
2. Nothing travels after dark.
""",
    )
    texts, answered = answer("Which prices did we get for moving the pallets?", quotes)
    assert answered and texts[1].startswith("Brake Haulage") and texts[2].lstrip().startswith("Lind and Daughters")


def test_which_of_two_is_asked_for_is_in_no_list_that_names_neither() -> None:
    rates = PassageText(
        "a",
        "",
        "Rates: the mill costs 31,000 a month, the barn 38,500 a month.\n\n- Bring a torch.\n- Wear boots for a month.\n",
    )
    assert answer("Which was dearer per month, the mill or the barn?", rates)[0][0].startswith("Rates")


def test_an_instruction_in_a_sentence_says_how_as_well_as_a_list_does() -> None:
    undo = PassageText(
        "a",
        "",
        "The import of the bays failed twice in May. To revert the import of the bays, press the red button within a day.",
    )
    texts, answered = answer("How do I undo the import of the bays?", undo)
    assert answered and any("press the red button" in text for text in texts[:2])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Quanto costò il mulino?", "Il mulino costò duemila lire."),
        ("¿Cuánto costó el molino?", "El molino costó trescientas pesetas."),
        ("Combien a coûté le moulin ?", "Le moulin a coûté quatre-vingts francs."),
        ("Was hat die Mühle gekostet?", "Die Mühle hat zweihundert Taler gekostet."),
        ("Сколько стоила мельница?", "Мельница стоила двести рублей."),
        ("كم كانت تكلفة البناء؟", "بلغت تكلفة البناء ثلاثمئة ليرة."),
    ],
)
def test_sums_in_words_are_sums_in_many_languages(question: str, text: str) -> None:
    texts, answered = answer(question, PassageText("a", "", text))
    assert answered and texts[0] == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Compare Ada Vane and Ben Moll",
            "Ada Vane built the crane at the north pier. Ben Moll sold the boats of the harbour.",
        ),
        (
            "Vergleiche Ada Vane und Ben Moll",
            "Ada Vane baute den Kran am Hafen. Ben Moll verkaufte seine Boote nach Riga.",
        ),
        ("Confronta Ada Vane con Ben Moll", "Ada Vane costruì la gru del porto. Ben Moll vendette le barche di Riga."),
    ],
)
def test_two_names_are_compared_by_what_is_said_of_each(question: str, text: str) -> None:
    found = select(read_question(question), [PassageText("a", "", text)])
    assert found.answered
    assert len(found.excerpts) == 2


def test_the_difference_between_two_things_is_told_by_what_each_of_them_is() -> None:
    text = (
        "# Pumps\n\nA lift pump is a pump that raises water by suction. It was painted red in May.\n\nThe lift pump and others are "
        "washed each night.\n\nA force pump is a pump that presses water up a pipe. It stands on the quay."
    )
    said, answered = answer("What is the difference between a lift pump and a force pump?", PassageText("a", "", text))
    assert answered
    assert {
        "A lift pump is a pump that raises water by suction.",
        "A force pump is a pump that presses water up a pipe.",
    } <= {*said}


@pytest.mark.parametrize(
    "passage",
    [
        "#### `--limit`\n\nHow many rows are read at most. More are left.\n\n#### `--fast`\n\nLeaves out the tests.",
        ".. option:: --limit\n\n   How many rows are read at most. More are left.\n\n.. option:: --fast\n\n   Leaves out the tests.",
    ],
)
def test_what_stands_below_the_name_that_is_asked_about_says_what_it_is(passage: str) -> None:
    use = PassageText("b", "Use", "Run `read --limit 5 --fast` in the morning. Then read `--limit 9`.")
    said, answered = answer("What does --limit mean?", use, PassageText("a", "Options", passage))
    assert answered and said[0] == "How many rows are read at most."


def test_of_sentences_that_may_answer_alike_the_short_ones_are_printed_first_so_that_more_fit() -> None:
    things = ["crew", "rope", "lamp", "tide", "fish", "coal", "rain", "mast", "sail", "bell", "oar", "hull"]

    def waits(sort: str, n: int) -> str:
        return f"The night ferry waits for {' and '.join(f'{sort} {thing}' for thing in things[:n])}."

    short = waits("dry", 7)
    text = " ".join([*(waits(sort, 12) for sort in ("old", "new", "red")), short])
    printed, _ = answer("What does the night ferry wait for?", PassageText("f", "Harbour", text))
    assert short in printed


def test_of_a_list_that_is_too_long_an_item_is_printed_below_what_introduces_it_and_that_never_alone() -> None:
    items = "\n".join(f"- step {n} of the long way to clean water that nobody likes to go" for n in range(9))
    led = f"The tank is emptied by the crew like this:\n\n{items}"
    passages = PassageText("a", "Boat", "The tank is emptied in spring."), PassageText("b", "Work", led)
    printed, _ = answer("When is the tank emptied?", *passages)
    assert printed[:2] == ["The tank is emptied in spring.", "The tank is emptied by the crew like this:"]
    assert printed[2].startswith("- step")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What did Petra Lind say about dredging?", "Dredging has cost us two summers. We want a wider gate."),
        ("What does Petra Lind think of the pilots?", "The pilots are paid too little. We want a wider gate."),
        (
            "Was hat Petra Lind über das Baggern gesagt?",
            "Das Baggern hat uns zwei Sommer gekostet. Wir wollen ein Tor.",
        ),
        ("Que dit Petra Lind du dragage ?", "Le dragage nous a coûté deux étés. Nous voulons une porte."),
    ],
)
def test_what_somebody_says_is_answered_by_a_text_that_is_theirs_by_its_title(question: str, text: str) -> None:
    speech, other = PassageText("a", "1998 Petra Lind", text), PassageText("b", "1997 Otto Brandt", text)
    said, answered = answer(question, other, speech)
    assert answered and said[0] == text[: text.index(".") + 1]
    assert not answer(question, other)[1]


def test_what_somebody_wrote_is_in_the_mail_from_them_and_not_in_the_one_to_them() -> None:
    hers = PassageText(
        "a", "Crane Lind Brandt", "Hi Otto,\n\nthe crane is worn out. It needs a new gearbox.\n\nPetra", "Petra Lind"
    )
    his = PassageText(
        "b",
        "Crane Brandt Lind",
        "Petra,\n\nthe crane must wait.\n\nPetra Lind wrote:\n> the crane is worn out.\n\nKind regards,\nOtto",
        "Otto Brandt",
    )
    said, answered = answer("What did Petra write about the crane?", his, hers)
    assert answered and said[0] == "the crane is worn out."
    assert not any(one.startswith((">", "Petra Lind wrote")) for one in said)
    said, answered = answer("What does Otto think about the crane?", hers, his)
    assert answered and said[0] == "the crane must wait."


def test_a_sentence_that_overlapping_passages_hold_is_printed_once() -> None:
    asked = "What do the gates of the lock do at night?"
    first = "The gates of the lock close at night. The gates of the lock also hum."
    second = "The gates of the lock also hum. Then the gates of the lock freeze, at night and in winter."
    said, _ = answer(asked, PassageText("a", "Lock", first), PassageText("b", "Lock", second))
    assert len(said) == len({*said})


def test_a_sentence_that_begins_to_say_how_is_printed_with_those_behind_it() -> None:
    text = (
        "A slipway is greased in two steps. First the rails are scraped clean. Then tallow is spread on them by hand. "
        "Nobody knows who began with it.\n\nThe quay is swept on Mondays."
    )
    said, _ = answer("How is a slipway greased?", PassageText("a", "Yard", text))
    assert said[:3] == [
        "A slipway is greased in two steps.",
        "First the rails are scraped clean.",
        "Then tallow is spread on them by hand.",
    ]


def test_the_value_below_the_setting_that_is_asked_about_answers_and_not_that_of_one_whose_name_begins_so() -> None:
    settings = (
        "## PUMP_DELAY_LIMIT\n\nDefault: `90`\n\nThe default limits `PUMP_DELAY` when the value of the tide is high.\n\n"
        "## PUMP_DELAY\n\nDefault: `4`\n\nSeconds between two strokes.\n\n## PUMP_OIL\n\nDefault: `7`\n\nDrops per stroke."
    )
    said, answered = answer("What is the default value of PUMP_DELAY?", PassageText("a", "Settings", settings))
    assert answered and said[0] == "Default: `4`"


def test_what_meets_little_of_a_question_is_no_answer_for_want_of_a_rival() -> None:
    unrivalled = AnswerSigns(
        printed=1.0, ahead=FARTHEST, together=0.3, lacking=0.0, number=0.0, length=3.0, best=1.0, scattered=0.0
    )
    assert unrivalled.likelihood < LEAST <= unrivalled._replace(best=9.0).likelihood


@pytest.mark.parametrize(
    ("question", "said", "answered"),
    [
        ("How many guests does the museum have each year?", "The museum has had 4,300 guests each year.", True),
        ("How many guests does the museum have each year?", "The museum has had 12 rooms since that year.", False),
        ("Wie heißt die Ehefrau von Otto Brandt?", "Otto Brandt hat eine Ehefrau namens Grete.", True),
        ("Wie heißt die Ehefrau von Otto Brandt?", "Otto Brandt hat einen Hund namens Kaptein.", False),
        ("罗雪梅的丈夫叫什么？", "罗雪梅的丈夫叫谢守义。", True),
        ("罗雪梅的丈夫叫什么？", "罗雪梅的儿子叫罗念谢。", False),
    ],
)
def test_a_number_or_a_name_answers_only_beside_what_is_counted_or_named(
    question: str, said: str, answered: bool
) -> None:
    assert answer(question, PassageText("a", "", said))[1] == answered


@pytest.mark.parametrize(
    "said",
    [
        "The grey dinghy of the club cost Ben 4 days of work. Then the painter of the mole came. He wanted £90 for it.",
        "| Boat | State | Crew |\n|---|---|---|\n| grey dinghy | cost unknown, patched | 1 |",
    ],
)
def test_a_sum_answers_only_beside_what_it_is_asked_of(said: str) -> None:
    question, other = "How much did the grey dinghy cost?", PassageText("b", "", "The shed is old.")
    assert not answer(question, PassageText("a", "", said), other)[1]
    assert answer(question, PassageText("a", "", "The grey dinghy lay at the mole. It cost Ben £90."), other)[1]


def test_items_that_sentences_part_are_printed_in_the_order_of_the_text() -> None:
    text = "These pumps are sold.\n\n- Heron\n\nIt is small.\n\n- Gull\n\nIt is loud, as pumps are.\n\n- Petrel of the pumps that are sold"
    said, _ = answer("Which pumps are sold?", PassageText("a", "Pumps", text))
    items = [one for one in said if one.startswith("- ")]
    assert len(items) > 1 and items == sorted(items, key=text.index)


def test_what_introduces_a_list_is_printed_before_its_items() -> None:
    text = (
        "Powers\n\nTogether, the members may:\n\n1. Elect the chair.\n\n2. Amend these rules by two thirds.\n\n"
        "They include the fees.\n\n1. A house rule is a rule on the slipway.\n\n2. The rules that members amend are house rules."
    )
    said, _ = answer("Who may amend the rules?", PassageText("a", "", text))
    lead = "Together, the members may:"
    assert lead in said and said.index(lead) < said.index("2. Amend these rules by two thirds.")


def test_who_has_a_post_is_not_answered_by_what_the_named_thing_is() -> None:
    install = PassageText("a", "", "Seagate: it is a direct maker of pumps.")
    assert not answer("Who is the director of Seagate?", install)[1]
    assert answer("Who is the director of Seagate?", PassageText("b", "", "The director of Seagate is Ada Thorne."))[1]


def test_who_was_present_and_who_signed_says_nothing_of_a_person_unless_it_is_asked_who_was_there() -> None:
    notes = PassageText(
        "n",
        "Weekly",
        "Present: Ada Vane (chair), Tom Okar, Ben Lund, Cora Hill\n\nThe pump runs again.\n\nTom Okar gets a second quote by Friday."
        "\n\nTom Okar\n\n(c) Vane & Okar 2025 | Imprint",
    )
    assert answer("What does Tom Okar have to do?", notes)[0] == ["Tom Okar gets a second quote by Friday."]
    assert answer("Who was present at the weekly?", notes)[0][0].startswith("Present: Ada Vane")


LETTERS = """Mails on the sheepfold

From: Ines Corrado <ines@fold.example>
To: Piet Maas <piet@fold.example>
Sent: 4 March

The wall has fallen in. Ines Corrado, the shepherd of the upper fold, found it open on Monday.

From: Piet Maas <piet@fold.example>
To: Ines Corrado <ines@fold.example>
Sent: 5 March

I will come with stones."""


@pytest.mark.parametrize(
    "question", ["Who is Ines Corrado?", "Ines Corrado, who is that?", "What does Ines Corrado do?"]
)
def test_the_line_of_a_mail_that_says_who_sent_it_or_to_whom_is_not_printed_as_what_that_person_is(
    question: str,
) -> None:
    said, _ = answer(question, PassageText("m", "", LETTERS))
    assert any("the shepherd of the upper fold" in one for one in said)
    assert not any(one.startswith(("From:", "To:")) for one in said)


def test_the_line_that_says_who_sent_a_mail_answers_where_it_has_the_address_or_the_post() -> None:
    assert answer("What is the email address of Ines Corrado?", PassageText("m", "", LETTERS))[0][0].endswith(
        "<ines@fold.example>"
    )
    posted = LETTERS.replace("From: Ines Corrado", "From: Ines Corrado (shepherd)").replace(
        ", the shepherd of the upper fold,", ""
    )
    assert any("(shepherd)" in one for one in answer("Who is Ines Corrado?", PassageText("m", "", posted))[0])


def test_numbered_paragraphs_of_minutes_are_read_sentence_by_sentence_and_short_items_as_they_are() -> None:
    minutes = PassageText(
        "m",
        "Board",
        "1. The minutes were approved.\n2. Accounts. The result fell from 1.9 to 1.2 million euros. The main cause was the price of energy."
        f" {'The auditor had no objection to any of the figures. ' * 8}\n3. Lease. The lease of the shed ends in 2026. The port offers a renewal, since"
        f" nobody else wants the shed. {'The members spoke of it at length. ' * 9}",
    )
    assert "2. Accounts." not in " ".join(answer("When does the lease of the shed end?", minutes)[0])
    assert answer("When does the lease of the shed end?", minutes)[0][0] == "The lease of the shed ends in 2026."


def test_the_third_item_of_a_list_and_who_holds_the_copyright_may_answer() -> None:
    lease = PassageText(
        "l", "Lease", "(c) the boat is insured with Vane & Sons.\n\nThe tenant pays the rent on the first."
    )
    assert answer("Which firm covers the vessel?", lease)[0][0].startswith("(c) the boat is insured")
    book = PassageText(
        "b", "Tale", "The tale has nine parts, all of them short.\n\nCopyright 2020 by Ada Thorne. No part may be sold."
    )
    assert any("Ada Thorne" in said for said in answer("Who holds the copyright of the tale?", book)[0])


QUOTING = PassageText(
    "q",
    "Re: Crane",
    """Silas,

the crane is not mended yet. Strand wants 900 euros.

Ruth

On Thu, 14 Mar 2024, Silas Marsh wrote:
> Ruth,
>
> I told the harbour master that
> the crane would be mended by Easter.
>
> The rope is in the shed.
""",
    "Ruth Vale",
)
WROTE = "On Thu, 14 Mar 2024, Silas Marsh wrote:"


def test_what_a_mail_quotes_is_printed_below_who_wrote_it() -> None:
    assert answer("Where is the rope?", QUOTING)[0] == [WROTE, "> The rope is in the shed."]


def test_what_a_mail_quotes_is_said_by_whom_the_line_above_it_names_and_not_by_who_wrote_the_mail() -> None:
    said, _ = answer("What did Silas tell the harbour master?", QUOTING)
    assert said[:2] == [WROTE, "> I told the harbour master that\n> the crane would be mended by Easter."]
    assert answer("What did Ruth say of the crane?", QUOTING)[0][0] == "the crane is not mended yet."


ERRORS = PassageText(
    "e",
    "Errors",
    """# Errors

## E1: port in use

Stop the other program.

## E2: disk full

Delete old files.

## E3: no key

Buy a key.
""",
)


def test_what_stands_below_the_heading_of_another_code_is_no_answer() -> None:
    said, answered = answer("What does E2 mean?", ERRORS)
    assert answered and said == ["## E2: disk full", "Delete old files."]


def test_the_day_in_a_heading_that_says_nothing_else_of_the_question_tells_when() -> None:
    notes = "## 14 June 2023, Ardnish\n\nFirst spat counted: 212.\n\n## 20 June 2023, Dun Bay\n\nLaid 65 tonnes of limestone."
    printed, answered = answer("When was limestone laid?", PassageText("n", "Field notes", notes))
    assert answered and printed[0] == "## 20 June 2023, Dun Bay"


def test_the_day_in_the_heading_of_a_diary_is_printed_above_what_was_done_then() -> None:
    diary = PassageText(
        "d", "Diary", "# Diary\n\n## 4 May 1871, the mole\n\nFinished the mole.\n\n## 6 June 1871\n\nRain.\n"
    )
    said, _ = answer("When was the mole finished?", diary)
    assert said[:2] == ["## 4 May 1871, the mole", "Finished the mole."]


@pytest.mark.parametrize(
    ("text", "question", "said"),
    [
        ("The seal arrives.\n\nLisa Keller\nPlant Manager", "Who is the plant manager?", "Lisa Keller\nPlant Manager"),
        ("The seal arrives.\n\nLisa Keller\nPlant Manager", "Who is Lisa Keller?", "Lisa Keller\nPlant Manager"),
        (
            "The roof leaks.\n\nAnna Weber (chair), Tom Brandt (treasurer)\n\nThe meeting is led by Tom Brandt.",
            "Who is the treasurer?",
            "Anna Weber (chair), Tom Brandt (treasurer)",
        ),
    ],
)
def test_who_has_a_post_is_told_by_a_signature_and_by_a_list_of_those_present(
    text: str, question: str, said: str
) -> None:
    assert answer(question, PassageText("s", "", text)) == ([said], True)


def test_what_stands_below_the_very_question_answers_it() -> None:
    faq = "# Questions\n\n**When do I get paid?**\nOn the 25th. If that is a weekend, on the Friday before.\n\n**Can I bring my dog?**\nNo, sorry."
    notes = "The move was put off to 15 June. Whoever is on leave gets paid in full from 3 May on."
    excerpts, answered = answer("When do I get paid?", PassageText("n", "Notes", notes), PassageText("f", "FAQ", faq))
    assert answered
    assert excerpts[0] == "On the 25th."


def test_a_signature_answers_only_what_signatures_tell() -> None:
    mail = PassageText(
        "m",
        "Chest organ",
        "The chest organ was dropped in Hale when the ramp slid.\n\n-- \nMarden Strings, chest organs and viols\nTel. 0123 4567",
    )
    assert "-- " not in "".join(answer("What happened to the chest organ?", mail)[0])
    assert any("0123 4567" in one for one in answer("What is the phone number of Marden Strings?", mail)[0])


def test_who_somebody_is_says_the_signature_below_the_mail_rather_than_a_sentence_that_names_somebody() -> None:
    mail = PassageText(
        "m", "Weir", "The weir holds.\n\nKind regards\n\nIngrid Holm\nHead of Pumps\nValley Water Board", "Ingrid Holm"
    )
    other = PassageText(
        "o", "Notes", "At the opening Ingrid Holm gave us a glass of juice, and we walked home at night."
    )
    excerpts, answered = answer("Who is Ingrid Holm?", other, mail)
    assert answered and excerpts[0].startswith("Ingrid Holm\nHead of Pumps")


def test_what_the_sender_says_in_the_first_person_is_said_of_the_sender() -> None:
    said = "No objection to the cat.\n\nI want to have these:\n\n- the lamp in the hall\n- the tool chest\n- a photograph of the weir"
    mail = PassageText("m", "Where we are", said, "Una Reed")
    other = PassageText("o", "Offers", "Everybody was asked which things they want. Ben Orr wants the sofa.", "Ben Orr")
    excerpts, _ = answer("Which things does Una Reed want to have?", other, mail)
    assert excerpts[0] == "I want to have these:" and "Ben Orr" not in "".join(excerpts)


def test_what_a_forwarded_mail_says_is_said_by_who_sent_that_one() -> None:
    text = (
        "The reply is below.\n\n---------- Forwarded message ---------\nFrom: Nell Gray <n@x.example>\n"
        "Date: 3 May 2024\nTo: Una Reed\n\nThe excess stays at £250. They asked for a sign at the gate."
    )
    mail = PassageText("m", "Goats (Una Reed)", text, "Una Reed")
    other = PassageText("o", "Fees", "Nell Gray was here in May, and the goats were let out.", "Ben Orr")
    excerpts, answered = answer("What did Nell Gray say about the excess?", other, mail)
    assert answered and excerpts[0] == "The excess stays at £250."


def test_other_figures_do_not_say_how_much_something_cost_that_no_passage_has() -> None:
    note = PassageText("n", "The hall", "The lamps of the hall cost the parish £1,880 a year.")
    assert answer("How much did the lamps of the hall cost the parish?", note)[1]
    assert not answer("How much did the resurfacing of the hall cost the parish?", note)[1]


def test_what_somebody_says_of_himself_is_printed_in_the_order_of_the_text() -> None:
    tale = '"Fenwick is dead. I am Abel Crouch. I keep the light till they send somebody." He nodded.'
    excerpts, answered = answer("Who keeps the light?", PassageText("t", "Tale", tale))
    assert answered
    places = [tale.index(one) for one in excerpts]
    assert places == sorted(places) and any("Abel Crouch" in one for one in excerpts)


def test_a_line_of_facts_without_a_full_stop_answers() -> None:
    notes = "Mrs Odile Lemoine, born 14/02/1951, retired (former teacher)\n\nShe sleeps well now. She takes her drops in the morning."
    excerpts, answered = answer("When was Mrs Lemoine born?", PassageText("p", "Notes", notes))
    assert answered and excerpts[0].startswith("Mrs Odile Lemoine, born 14/02/1951")


@pytest.mark.parametrize(
    "question", ["Who built the lighthouse?", "When was the school built?", "How much is the pension of Ada Thorne?"]
)
def test_what_has_no_noun_of_the_question_does_not_answer_it(question: str) -> None:
    pier = PassageText("p", "Carrow", "Ada Thorne built the east pier of Carrow in 1871 for 900 pounds. It is of oak.")
    assert not answer(question, pier)[1]
    assert answer("Who built the east pier?", pier)[1]


def test_how_something_stands_is_told_by_the_later_of_two_passages_that_say_it_alike() -> None:
    first = PassageText("a", "Notes", "The move is planned for the weekend of 25 May.", date="2024-01-22")
    last = PassageText("b", "Notes", "The move is planned for the weekend of 15 June.", date="2024-03-04")
    assert "15 June" in answer("For when is the move currently planned?", first, last)[0][0]
    assert "25 May" in answer("For when is the move planned?", first, last)[0][0]


def test_below_a_heading_on_what_is_asked_of_is_the_answer() -> None:
    minutes = """## 1. State of the network

Since 1 August there were eleven alarms SILENT. Nine of them were at Sallow Ford, where both operators are weak.

## 2. False alarm of 29 August

At 05:20 the alarm RISE came from Town Quay. The officer looked at the camera and saw that a barge had moored right under the sensor.
"""
    texts, answered = answer("What caused the false alarm of 29 August?", PassageText("m", "Minutes", minutes))
    assert answered and any("a barge had moored" in text for text in texts), texts


def test_who_was_absent_is_told_by_those_who_were_excused() -> None:
    minutes = "Date: 5 March\nPresent: Ada Berg (chair), Ben Orr\nApologies: Cora Vane\n\nThe budget stays as it is."
    texts, answered = answer("Who was absent from the kick-off?", PassageText("m", "Minutes: kick-off", minutes))
    assert answered and texts[0] == "Apologies: Cora Vane", texts


LODGER = PassageText(
    "l", "", "Guest: Mr F. G., born 1961, tuner\nRoom: 9\n\nHe wants a quiet room. The rent is 300 euros a month."
)
GUEST = PassageText(
    "m", "", "Guest: Mrs P. G., born 1970, nurse\nRoom: 4\n\nShe wants a bath. The rent is 420 euros a month."
)


@pytest.mark.parametrize(("who", "rent"), [("Mr G.", "300"), ("Mrs G.", "420"), ("Mr F. G.", "300")])
def test_what_is_below_the_fields_of_a_passage_is_about_whom_they_name(who: str, rent: str) -> None:
    printed, answered = answer(f"How high is the rent of {who}?", LODGER, GUEST)
    assert answered and rent in printed[0]


def test_somebody_else_with_a_letter_for_a_name_does_not_answer() -> None:
    assert not answer("How high is the rent of Mr S.?", LODGER, GUEST)[1]


@pytest.mark.parametrize(
    ("question", "page", "expected"),
    [
        (
            "How often is the boiler descaled?",
            "# Descale the boiler\n\nThe boiler takes twenty minutes.\n\n## How often\n\nTwice a year, in March and in October.\n",
            "Twice a year, in March and in October.",
        ),
        (
            "Wie oft wird der Kessel entkalkt?",
            "# Kessel entkalken\n\nDer Kessel braucht 20 Minuten.\n\n## Wie oft?\n\nZweimal im Jahr, im März und im Oktober.\n",
            "Zweimal im Jahr, im März und im Oktober.",
        ),
    ],
)
def test_what_is_below_a_heading_that_asks_the_same_answers(question: str, page: str, expected: str) -> None:
    printed, answered = answer(question, PassageText("k", "", page))
    assert answered and printed[0] == expected


def test_a_heading_that_asks_something_else_does_not() -> None:
    page = "# Descale the boiler\n\n## How long\n\nTwenty minutes at 60 degrees.\n\n## Who\n\nThe tenant of flat 2.\n"
    printed, _ = answer("Who descales the boiler?", PassageText("k", "", page))
    assert printed[0] == "The tenant of flat 2."


def test_the_date_below_the_title_of_what_is_asked_of_answers() -> None:
    note = "# RFC 7: Bell ropes\n\nDate: 9 May 2021\nState: accepted\n\n## Why\n\nThe ropes wear out.\n"
    other = "# RFC 8: Organ bench\n\nDate: 2 June 2022\nState: accepted\n\n## Why\n\nThe bench is too high.\n"
    printed, answered = answer(
        "When was RFC 7 accepted?",
        PassageText("r", "RFC 7: Bell ropes", note),
        PassageText("s", "RFC 8: Organ bench", other),
    )
    assert answered and printed[0] == "Date: 9 May 2021"


def test_a_word_or_two_is_no_further_answer() -> None:
    log = "# The bell\n\nThe sexton took the bell.\n\nAgain.\n\nThe sexton said no.\n"
    printed, answered = answer("Where was the bell?", PassageText("t", "The bell of the sexton", log))
    assert (printed, answered) == (["The sexton took the bell.", "The sexton said no."], True)


GATE = "# Gate 3: the lower lock\n\nState: shut\nWeight: 4 t\nDuration: 6 h\nReplaces: Gate 1\n\nThe gate was hit by a barge.\n"
BRIDGE = "# Gate 4: the upper lock\n\nState: open\nWeight: 5 t\n\nNobody has hit this gate.\n"


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("what is the state of gate 3?", "State: shut"),
        ("what is the weight of gate 3?", "Weight: 4 t"),
        ("how long did gate 3 take?", "Duration: 6 h"),
        ("which gate does gate 3 replace?", "Replaces: Gate 1"),
        ("is gate 3 repaired?", "State: shut"),
        ("is gate 4 closed?", "State: open"),
    ],
)
def test_a_field_below_the_title_of_what_is_asked_about_answers(question: str, field: str) -> None:
    printed, answered = answer(question, PassageText("g", "Gate 3", GATE), PassageText("h", "Gate 4", BRIDGE))
    assert answered and printed[0] == field


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("Ist das Tor 3 repariert?", "# Tor 3\n\nStatus: offen\n\nEin Kahn fuhr dagegen.\n"),
        ("La porte 3 est-elle fermée ?", "# Porte 3\n\nÉtat : ouverte\n\nUne péniche l'a heurtée.\n"),
        ("¿Está cerrada la puerta 3?", "# Puerta 3\n\nEstado: abierta\n\nUna barcaza la golpeó.\n"),
        ("È chiusa la porta 3?", "# Porta 3\n\nStato: aperta\n\nUna chiatta l'ha urtata.\n"),
        ("is gate 3 closed?", "# Gate 3\n\n## State\n\nopen\n\n## Cause\n\nA barge hit it.\n"),
    ],
)
def test_whether_something_is_in_a_state_is_told_by_the_field_of_its_state(question: str, page: str) -> None:
    printed, answered = answer(question, PassageText("g", "", page))
    assert answered and any(one.split()[-1] in ("offen", "ouverte", "abierta", "aperta", "open") for one in printed[:2])


def test_a_field_that_has_one_word_of_a_question_gives_nothing_that_it_asks_for() -> None:
    page = "# Report\n\nBarge: grey, with a red keel.\n\nThe owner of the barge at the upper lock is Ada Thorne.\n"
    printed, _ = answer("Who owns the barge at the upper lock?", PassageText("g", "", page))
    assert printed[0].startswith("The owner")


KNOBS = "# Organ\n\n- **tremulant**: Whether the sound trembles. Default: off.\n- **swell**: How far the box opens. Default: half.\n- **coupler_3**: What is coupled. Default: off.\n"


@pytest.mark.parametrize("name", ["swell", "coupler_3"])
def test_the_item_of_a_list_that_a_question_names_is_printed_alone(name: str) -> None:
    printed, answered = answer(f"what is the default of {name}?", PassageText("o", "Organ", KNOBS))
    assert answered and len(printed) == 1 and f"**{name}**" in printed[0]


BELLS = "# Bells\n\n## Why does no bell ring?\n\nThe sexton is careful. No bell rings on any of these days:\n\n{}\n\n## Ropes\n\nThey are of hemp.\n"


@pytest.mark.parametrize(
    "items", ["- Good Friday\n- the day of the fair", "```\nGood Friday\nthe day of the fair\n```"]
)
def test_a_sentence_that_announces_a_list_is_printed_with_it(items: str) -> None:
    printed, answered = answer("why does no bell ring?", PassageText("b", "", BELLS.format(items)))
    at = printed.index("No bell rings on any of these days:")
    assert answered and "Good Friday" in printed[at + 1]


def test_of_a_long_list_that_a_sentence_announces_the_beginning_is_printed() -> None:
    items = "\n".join(f"- day {n} of the great fair on the lower meadow" for n in range(40))
    printed, _ = answer("why does no bell ring?", PassageText("b", "", BELLS.format(items)))
    assert "- day 0 of the great fair on the lower meadow" in printed and len(printed) < 40


def test_a_sentence_that_announces_what_is_not_there_is_no_answer() -> None:
    page = "# Bells\n\nThe bell rings at noon, when the fair opens.\n\nOn these days the bell rings at the fair:\n"
    printed, _ = answer("When does the bell ring at the fair?", PassageText("b", "", page))
    assert printed == ["The bell rings at noon, when the fair opens."]


PUMP = """# Pump

## `--idle`

By default the pump runs at night as well. Enable this option to stop it in the dark.

## `--half-idle`

Like `--idle`, but the pump runs at half speed.

## `-R`

Empty the tank.

## `-r`

Turn the pump round. It takes a minute.
"""


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How do I stop the pump in the dark?", "## `--idle`"),
        ("what does --half-idle do?", "Like `--idle`, but the pump runs at half speed."),
        ("what does -r do?", "Turn the pump round."),
        ("what does -R do", "Empty the tank."),
    ],
)
def test_an_option_is_found_as_it_is_typed_and_its_name_printed_where_the_sentence_needs_it(
    question: str, first: str
) -> None:
    printed, answered = answer(question, PassageText("p", "", PUMP))
    assert answered and printed[0] == first


def test_what_needs_the_name_above_it_has_that_in_each_language() -> None:
    for question, said in (
        ("Wie halte ich die Pumpe im Dunkeln an?", "Diese Option hält die Pumpe im Dunkeln an."),
        ("Comment arrêter la pompe la nuit ?", "Cette option arrête la pompe la nuit."),
        ("¿Cómo se para la bomba de noche?", "Esta opción para la bomba de noche."),
        ("Come si ferma la pompa di notte?", "Questa opzione ferma la pompa di notte."),
    ):
        printed, _ = answer(question, PassageText("p", "", f"# idle\n\n{said}\n\n# rest\n\nx y z.\n"))
        assert printed[:2] == ["# idle", said]


@pytest.mark.parametrize("sides", ["idle and half-idle", "--idle and --half-idle"])
def test_two_options_that_differ_are_told_by_what_opens_their_sections_below_their_names(sides: str) -> None:
    printed, answered = answer(f"What is the difference between {sides}?", PassageText("p", "", PUMP))
    assert answered and {"## `--idle`", "## `--half-idle`", "Like `--idle`, but the pump runs at half speed."} <= {
        *printed
    }


def test_the_sentence_below_a_question_that_asks_the_same_answers_whatever_it_holds() -> None:
    page = "# FAQ\n\n## How many boats can I hire?\n\nAs many as are free.\n\n## When?\n\nAt noon 12 boats are hired.\n"
    printed, answered = answer("how many boats can I hire?", PassageText("f", "", page))
    assert answered and printed[0] == "As many as are free."


def test_the_line_above_an_entry_of_a_log_answers_only_when_it_was_and_who_wrote_it() -> None:
    log = PassageText(
        "log",
        "ticket.txt",
        "--- 04/03/2025 09:15  Customer (Ada Thorne)\nThe boiler drips. It has dripped for three weeks and the floor is wet.\n\n"
        "--- 05/03/2025 10:40  Ben Orr\nWe sent Ada two valves and a gasket. They should arrive on Monday, if not, ring us again.\n",
    )
    assert not any(said.startswith("---") for said in answer("What did we send Ada Thorne?", log)[0])
    assert any(said.startswith("---") for said in answer("When did Ada Thorne write?", log)[0])


@pytest.mark.parametrize(
    ("question", "beyond"),
    [
        ("what became of the lad with the kite and the barrow?", 1),
        ("list all the lads, kites and barrows", 0),
        ("what became of Ada Orme with the kite and the barrow?", 0),
        ("how many kites had the lad with the barrow?", 0),
    ],
)
def test_excerpts_of_many_passages_are_scattered_where_only_single_words_tie_them_to_the_question(
    question: str, beyond: int
) -> None:
    texts = [
        PassageText("a", "Fair", "The lad of Ada Orme sat on the wall at noon."),
        PassageText("b", "Shed", "Three barrow wheels were sold to Ada Orme."),
        PassageText("c", "Loft", "One kite of Ada Orme hung from the beam."),
    ]
    found = select(read_question(question), texts)
    assert len({one.passage for one in found.excerpts}) == 3 and found.signs and found.signs.scattered == beyond


def test_what_is_scattered_is_less_likely_an_answer() -> None:
    signs = AnswerSigns(0.5, 1.0, 0.5, 0.0, 0.0, 2.5, 6.0, scattered=0.0)
    assert signs.likelihood > signs._replace(scattered=1.0).likelihood > signs._replace(scattered=3.0).likelihood


@pytest.mark.parametrize(
    ("question", "text", "answered"),
    [
        ("Which boat did Ada Orme hire for the regatta?", "Ada Orme hired a boat for the regatta.", False),
        ("Which boat did Ada Orme hire for the regatta?", "Ada Orme hired a very old boat for the regatta.", False),
        ("Which boat did Ada Orme hire for the regatta?", "Ada Orme hired the old boat for the regatta.", True),
        ("Which boat did Ada Orme hire for the regatta?", "Ada Orme hired a boat from Ben Hurd for the regatta.", True),
        ("Which boat did Ada Orme hire for the regatta?", "Ada Orme hired a boat for the regatta: the blue one.", True),
        ("Did Ada Orme hire a boat for the regatta?", "Ada Orme hired a boat for the regatta.", True),
        ("Welches Boot hat Ada Orme gemietet?", "Ada Orme hat ein kleines Boot gemietet.", False),
        ("Welches Boot hat Ada Orme gemietet?", "Ada Orme hat das kleine Boot gemietet.", True),
        ("Quel bateau Ada Orme a-t-elle loué ?", "Ada Orme a loué un vieux bateau.", False),
        ("Quel bateau Ada Orme a-t-elle loué ?", "Ada Orme a loué le vieux bateau.", True),
    ],
)
def test_what_says_only_that_there_was_one_does_not_say_which_it_was(question: str, text: str, answered: bool) -> None:
    assert select(read_question(question), [PassageText("p", "Harbour", text)]).answered is answered


def test_who_somebody_is_comes_before_what_merely_names_them_and_no_head_of_a_mail_is_printed() -> None:
    mail = PassageText("a", "", "From: Ada Thorne\nTo: Ben Fisk\n\nThe boat is late.")
    diary = PassageText(
        "b", "", "They left it in Ada's car. The tea was cold. The talks were opened by Ada Thorne who runs the mill."
    )
    said, answered = answer("who's Ada again?", mail, diary)
    assert answered
    assert said[0].endswith("who runs the mill.")
    assert not any("From" in one or "To:" in one for one in said)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("How did Nora get the inspectors to leave the old chimney alone?", "Left: 40 tiles."),
        ("What did the inspectors want Nora to do before the firing of the bowls?", "Firing: Tuesdays, 8 am."),
    ],
)
def test_a_field_whose_name_a_question_says_by_the_way_does_not_answer_it(question: str, field: str) -> None:
    page = PassageText(
        "p",
        "Letters to Nora",
        "Subject: the kiln\n\nNora, the inspectors have written about the old chimney and want it down by June.\n\n"
        "Nora has her diploma and begins in May.\n\nLeft: 40 tiles.\n\nFiring: Tuesdays, 8 am.\n\nNora saw that the glazed bowls "
        "had cracks.\n\nThe baker came by.",
    )
    printed, _ = answer(question, page, MINUTES, TEA)
    assert printed[0] != field


@pytest.mark.parametrize(
    ("between", "is_printed"),
    [("Moved both tanks aft.", True), ("Moved " + "and moved again, " * 10 + "both tanks aft.", False)],
)
def test_the_short_sentence_between_two_that_are_printed_is_printed_too(between: str, is_printed: bool) -> None:
    opens, goes_on = "The ferry leaned to port all week.", "Since then the ferry has been level."
    page = f"# Log\n\n{opens} {between} {goes_on}\n\nThe baker came by. Nobody wants the old anchor.\n"
    question = read_question("How was the leaning ferry made level?", (), lambda _: 1.0, "en")
    found = select(question, [PassageText("f", "", page)], n_words=16)
    printed = [page[one.start : one.end] for one in found.excerpts]
    assert printed == ([opens, between, goes_on] if is_printed else [opens, goes_on])


def test_a_field_below_its_heading_is_not_asked_for_by_a_verb_of_the_question() -> None:
    page = "# Marsh, Thorne, Orr\n\n## inspectors\n\nThey looked at the clock. Marsh showed them the old plans, and they let it be. The baker came by. Nobody wants the old anchor. Left: 40 tiles.\n"
    question = "How did Marsh, Thorne and Orr get the inspectors to leave the tower clock alone?"
    printed, _ = answer(question, PassageText("t", "Marsh, Thorne, Orr", page))
    assert printed[0] != "Left: 40 tiles."


def test_what_is_behind_something_is_told_by_the_sentences_behind_the_one_that_says_it() -> None:
    page = "# Year\n\nWe had a spring full of quarrels. Not over money. Everybody was in a hurry and nobody read the rota.\n\nThe baker came by.\n"
    printed, answered = answer("What was really behind the quarrels of this spring?", PassageText("y", "", page), TEA)
    assert answered and printed[2] == "Everybody was in a hurry and nobody read the rota."


@pytest.mark.parametrize(
    ("text", "answered"),
    [
        ('It rained. "The oats are wet," said Orla. Nobody moved.', False),
        ('"Well, Orla, shut it then," he said. The wind rose.', False),
        ('It rained. "The oats are wet," said Orla. She was the carter of the valley. Nobody moved.', True),
        ('"The oats are wet," said Orla, the carter of the valley. Nobody moved.', True),
    ],
)
def test_who_somebody_is_is_not_told_by_what_they_say_or_are_told(text: str, answered: bool) -> None:
    assert answer("Who is Orla?", PassageText("o", "", text), TEA)[1] is answered


def test_who_did_something_to_a_thing_is_not_told_where_no_passage_has_that_thing() -> None:
    page = "# Evening\n\nBen Orr played during the supper, and everybody liked it. The baker came by.\n"
    assert answer("Who played the harp during the supper?", PassageText("e", "", page), TEA)[1] is False
    assert answer("Who played during the supper?", PassageText("e", "", page), TEA)[1] is True


def test_a_sentence_that_lists_things_behind_a_colon_answers_what_asks_for_a_list() -> None:
    page = """# Trips

Bring with you on the boat: a torch, a rope and gloves, two buckets.

To do on the boat before trips:

1. Sweep the deck.
2. Count the oars.
"""
    printed, answered = answer("Which things should I bring on the boat?", PassageText("t", "", page), TEA)
    assert answered and printed[0] == "Bring with you on the boat: a torch, a rope and gloves, two buckets."


def test_why_is_not_told_by_sentences_of_many_passages_that_give_no_cause() -> None:
    pages = [
        PassageText("1", "", "The Heron was the first boat. Salt is cheap."),
        PassageText("2", "", "A heron stands at the pond. The gate is green."),
        PassageText("3", "", "Stop at the gate. The Heron has two masts."),
        PassageText("4", "", "The boat yard sells herons made of tin."),
    ]
    question = read_question("Why did the boat stop being called Heron?", (), lambda _: 1.0, "en")
    scattered = select(question, pages).signs
    explained = select(
        question, [*pages[:3], PassageText("4", "", "The boat was called Heron because of its legs.")]
    ).signs
    assert scattered and scattered.scattered > 0
    assert explained and explained.scattered == 0
