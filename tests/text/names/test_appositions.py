"""What a text says that a name is decides its type, and titles and offices are names as a whole."""

import pytest

from pipeline.text.names.chunk_scan import scan
from pipeline.text.names.vocabulary import Matcher, Name, choose


def names_of(*texts: str) -> dict[str, Name]:
    return {name.title: name for name in choose(scan(text, "") for text in texts)}


@pytest.mark.parametrize(
    ("sentence", "title", "expected"),
    [
        ("In 2009 they started a small company called Vantor in a garage.", "Vantor", "ORGANIZATION"),
        ("We used Vantor, a programming language from Finland, for everything.", "Vantor", "CONCEPT"),
        ("He sang in the film, The Paper Boat, and was paid badly.", "Paper Boat", "WORK"),
        ("My sister has seen all the Vantor movies twice.", "Vantor", "WORK"),
        ("There were startups like Vantor all over the place.", "Vantor", "ORGANIZATION"),
        ("A bed was to be had at the Three Herons for a shilling.", "Three Herons", "PLACE"),
        ("It was signed by Messrs. Pell and Tolhurst of this town.", "Messrs. Pell and Tolhurst", "ORGANIZATION"),
    ],
)
def test_a_name_is_what_the_words_beside_it_say(sentence: str, title: str, expected: str) -> None:
    assert names_of(sentence)[title].type == expected


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("She leads the 100 Year Starship with great patience.", "100 Year Starship"),
        ("I have read The Better Angels of Our Nature twice.", "Better Angels of Our Nature"),
        ("As a boy he watched Star Trek: The Next Generation.", "Star Trek: The Next Generation"),
        ("They dug for the Dunmere and Arrop Navigation in vain.", "Dunmere and Arrop Navigation"),
        ("It was lit on St. Brannock's Eve by the sexton.", "St. Brannock's Eve"),
        ("She helped to free Charles, Duke of Orléans, from prison.", "Charles, Duke of Orléans"),
    ],
)
def test_a_title_is_not_cut(sentence: str, title: str) -> None:
    assert title in names_of(sentence)


def test_a_count_is_no_part_of_a_name_and_names_behind_a_subtitle_are_found() -> None:
    found = names_of(
        "We met 12 Democrats and 9 Republicans.", "He praised Star Trek: The Next Generation, Ann Lind and Ben Hall."
    )
    assert {"Democrats", "Republicans", "Star Trek", "Ann Lind", "Ben Hall"} <= found.keys()
    assert not any(title[0].isdigit() for title in found)


def test_an_office_behind_a_full_name_is_a_form_of_it_and_nobody_where_two_people_have_it() -> None:
    one = names_of("They wrote to Richard Olivier, Bishop of Coutances. The Bishop of Coutances did not reply.")
    assert "Bishop of Coutances" in one["Richard Olivier"].forms
    two = (
        "They wrote to Richard Olivier, Bishop of Coutances. He was old.",
        "They wrote to Philibert Joly, Bishop of Coutances. He was young.",
        "The Bishop of Coutances did not reply.",
    )
    matcher = Matcher(choose(scan(text, "") for text in two))
    assert [[match.title for match in matcher.find(text)] for text in two] == [
        ["Richard Olivier"],
        ["Philibert Joly"],
        [],
    ]


def test_a_surname_of_two_people_is_nobody_but_beside_one_of_them() -> None:
    texts = (
        "Johann Hansen bought the yard. Hansen paid in gold.",
        "Marie Hansen kept the books. Nobody helped Marie Hansen.",
        "The letter named Hansen and the yard.",
    )
    matcher = Matcher(choose(scan(text, "") for text in texts))
    found = [[match.title for match in matcher.find(text)] for text in texts]
    assert found == [["Johann Hansen"] * 2, ["Marie Hansen"] * 2, []]


def test_in_one_book_a_man_who_is_called_by_his_surname_has_his_full_name_and_his_wife_has_not() -> None:
    texts = (
        "Mr. Pell sat down. 'Well,' said Pell. Mr. Pell was tired. Mr. Pell slept. Mr. Pell snored.",
        "Mrs. Pell came in. George Pell, for that was his name, woke up. 'Well,' said Mrs. Pell.",
    )
    names = names_of(*texts)
    assert {"Mr. Pell", "Pell"} <= set(names["George Pell"].forms)
    assert "Mrs. Pell" in names


def test_whoever_is_only_called_upon_is_no_entity() -> None:
    assert names_of("'Good Lord!' said Anna Pell. 'God bless you, Anna Pell, and God forgive us.'").keys() == {
        "Anna Pell"
    }


@pytest.mark.parametrize(
    ("text", "full", "short"),
    [
        ("My uncle Walter, whom the whole street called Bunny, kept hens. Bunny died in May.", "Walter", "Bunny"),
        ("Ada Thorne (better known as Quill) drew it. Quill sold it.", "Ada Thorne", "Quill"),
        ("Minnie's full name was Wilhelmina Ruth Orr. Minnie ran the shop.", "Wilhelmina Ruth Orr", "Minnie"),
        (
            "The lodger was Pavel. Pavel Anton Ruzek was his whole name. Pavel came at six.",
            "Pavel Anton Ruzek",
            "Pavel",
        ),
        ("They christened me Dorothea Ann, but my aunt called me Dot. Dot has it.", "Dorothea Ann", "Dot"),
        ("Friedrich Huber, genannt Fips, kam. Dann kam Fips wieder.", "Friedrich Huber", "Fips"),
        ("Jean Marchal dit Nono, est venu. On a vu Nono hier.", "Jean Marchal", "Nono"),
        ("Mi tío Esteban, al que todos llamaban Tito, vino. Luego Tito se fue.", "Esteban", "Tito"),
        ("Giovanni Berti, detto Nanni, venne. Poi Nanni partì.", "Giovanni Berti", "Nanni"),
    ],
)
def test_another_name_that_a_text_gives_somebody_is_one_of_his(text: str, full: str, short: str) -> None:
    found = [name for name in names_of(text).values() if short in name.forms]
    assert [full in name.forms for name in found] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "We bought a box by Corvane, known as Mule. The Mule is loud. Corvane sells it.",
        "Ben Thorne, who called Ada, came at six. Then Ada left with Ben Thorne.",
        "« Viens, Marie, dit Paul, il est tard. » Et Paul partit. Marie resta avec Paul.",
    ],
)
def test_who_made_a_thing_or_called_somebody_has_not_the_other_name(text: str) -> None:
    assert not [
        name
        for name in names_of(text).values()
        if len({"Corvane", "Mule", "Ada", "Ben Thorne", "Marie", "Paul"} & {*name.forms}) > 1
    ]
