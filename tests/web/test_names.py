"""Names are found by what their words begin with, as a look at each of them would find them."""

import random

from pipeline.web.reading.names import BEGINS, EXACT, SORTED, NamedRow, NameSearch

LONG = "incomprehensibilities of the antidisestablishmentarians"
assert len(LONG) > 2 * SORTED


def search(*names: str) -> NameSearch:
    return NameSearch(NamedRow(name, "entity", row, 1.0) for row, name in enumerate(names))


def found(names: NameSearch, typed: str) -> set[str]:
    return {hit.name for hit in names.find(typed, 1000)}


def test_all_names_are_found_that_have_a_word_with_such_a_beginning() -> None:
    chance = random.Random(5)
    words = ["".join(chance.choice("abö") for _ in range(chance.randint(1, 4))) for _ in range(60)]
    given = sorted({" ".join(chance.choices(words, k=chance.randint(1, 3))) for _ in range(300)})
    names = search(*given)
    for typed in {word[:2] for word in words}:
        plain = typed.replace("ö", "o")
        expected = {name for name in given if any(part.startswith(plain) for part in name.replace("ö", "o").split())}
        assert found(names, typed) >= expected
        whole = [hit.name for hit in names.find(typed, 1000) if hit.score > BEGINS]
        assert set(whole) == {name for name in given if name.replace("ö", "o") == plain}


def test_what_is_longer_than_the_part_that_is_in_order_is_compared_to_its_end() -> None:
    names = search(LONG, f"{LONG[:-1]}x", f"The {LONG}")
    assert found(names, LONG) == {LONG, f"The {LONG}"}
    assert [hit.name for hit in names.find(LONG, 5) if hit.score > EXACT - 0.2] == [LONG]
