"""Over small corpora made at random: no two different people are one entity, and what is certainly one name is one entity."""

import random
from pathlib import Path

import pytest

from pipeline.runner.project import Project
from pipeline.runner.run import run_index

WOMEN = ["Anna", "Marta", "Lucía", "Ingrid", "Fatima", "Chloé", "Sofia", "Greta", "Nadia", "Helen"]
MEN = ["Karl", "Tomás", "Pierre", "Omar", "Viktor", "James", "Robert", "Hugo", "Anders", "Peter"]
SURNAMES = [
    "Bergström",
    "Holm",
    "Delacroix",
    "Okafor",
    "Müller",
    "Novák",
    "Pereira",
    "Whitlock",
    "Castellan",
    "Žižka",
    "Haverstock",
]
PLAIN = str.maketrans("öüáíéŽž", "ouaieZz")
SENTENCES = (
    "On the ridge {} met {} by the old mill.",
    "It was {} who wrote to {} about the harvest.",
    "Then {} said that {} had sold the boat.",
    "Nobody but {} believed what {} told the council.",
)


class Family:
    """A corpus at random, and who may be meant by each form in it."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        pairs = {(chance.choice(WOMEN if chance.random() < 0.5 else MEN), chance.choice(SURNAMES)) for _ in range(6)}
        self.people = [" ".join(pair) for pair in sorted(pairs)]
        self.documents = [" ".join(self._sentence(chance) for _ in range(10)) for _ in range(4)]

    def _sentence(self, chance: random.Random) -> str:
        one, other = chance.sample(self.people, 2)
        first, last = one.split()
        title = "Mrs." if first in WOMEN else "Mr."
        rank = "Queen" if first in WOMEN else "King"
        forms = [one, one, one, first, last, f"{title} {last}", f"Dr. {one}", f"{first[0]}. {last}", f"{rank} {first}"]
        forms += [f"Saint {first}", one.translate(PLAIN), f"the {last}s"]
        return chance.choice(SENTENCES).format(chance.choice(forms), other)

    def may_be(self, form: str) -> set[str]:
        """The people whom a form may name: of its documents, or of any where these have none; no one after a rank."""
        texts = " ".join(text for text in self.documents if form in text)
        near = [one for one in self.people if one in texts or one.translate(PLAIN) in texts]
        return self._fitting(form, near) or self._fitting(form, self.people)

    def _fitting(self, form: str, people: list[str]) -> set[str]:
        *before, last = form.split()
        if before[:1] in (["King"], ["Queen"], ["Saint"]):
            return set()
        given = [word.rstrip(".") for word in before if word not in ("Mr.", "Mrs.", "Dr.")]
        words = {one: {*one.split(), *one.translate(PLAIN).split()} for one in people}
        fits = {one for one in people if last in words[one]}
        if given:
            return {one for one in fits if any(word.startswith(given[0]) for word in words[one] - {last})}
        bearers = {"Mr.": MEN, "Mrs.": WOMEN}.get(before[0]) if before else None
        return {one for one in fits if one.split()[0] in bearers} if bearers else fits


def entities(folder: Path, documents: list[str]) -> dict[str, str]:
    """Index some texts; the entity of each name."""
    (folder / "input").mkdir()
    (folder / "settings.yaml").write_text("input: {folder: input}\n", encoding="utf-8")
    for number, text in enumerate(documents):
        (folder / "input" / f"{number}.txt").write_text(text, encoding="utf-8")
    made = Project.open(folder)
    run_index(made)
    rows = made.store.open().table("entities", ["title", "aliases"]).to_pylist()
    return {name: row["title"] for row in rows for name in (row["title"], *row["aliases"])}


@pytest.mark.parametrize("seed", range(5))
def test_no_two_people_are_joined_and_a_name_that_only_one_of_them_bears_is_hers(seed: int, tmp_path: Path) -> None:
    family = Family(seed)
    entity_of = entities(tmp_path, family.documents)
    people = {entity_of[one]: one for one in family.people if one in entity_of}
    assert len(people) == sum(one in entity_of for one in family.people)
    for form, entity in entity_of.items():
        assert entity not in people or family.may_be(form) == {people[entity]}, (form, entity)
    for one in family.people:
        for form in (f"Dr. {one}", one.translate(PLAIN)):
            assert entity_of.get(form) in (None, entity_of.get(one)), form


CERTAIN = [
    (
        "Henry V of England landed at Harfleur. Henry V marched on Calais. King Henry V won.",
        ["Henry V", "King Henry V"],
    ),
    ("They met Dr. Ida Brandvold. Ida Brandvold left. In the end Brandvold wrote.", ["Dr. Ida Brandvold", "Brandvold"]),
    ("They hired Zoë Lindqvist. We asked Zoe Lindqvist. A letter from Z. Lindqvist came.", ["Zoe Lindqvist"]),
]
APART = [
    (
        "Henry V of England won. Henry VI of England lost. They say Henry V died young.",
        "Henry V",
        "Henry VI of England",
    ),
    ("They hired Dr. Paul Quist. His wife, Mrs. Quist, sang. We saw Paul Quist.", "Mrs. Quist", "Dr. Paul Quist"),
    ("Catherine of Valois wed him. She prayed to Saint Catherine.", "Saint Catherine", "Catherine of Valois"),
    ("We heard Sammy Holm Jr. play. We heard Sammy Holm sing.", "Sammy Holm Jr.", "Sammy Holm"),
    ("They met Ann Price and Joan Price. We asked Price twice.", "Price", "Ann Price"),
]


@pytest.mark.parametrize(("text", "names"), CERTAIN)
def test_titles_initials_accents_and_places_of_origin_make_no_second_entity(
    text: str, names: list[str], tmp_path: Path
) -> None:
    entity_of = entities(tmp_path, [text])
    assert len({entity_of[name] for name in names} | set(entity_of.values())) == 1 + ("Calais" in entity_of) * 2


@pytest.mark.parametrize(("text", "one", "other"), APART)
def test_what_may_be_somebody_else_stays_apart(text: str, one: str, other: str, tmp_path: Path) -> None:
    entity_of = entities(tmp_path, [text])
    assert one not in entity_of or entity_of[one] != entity_of.get(other)
