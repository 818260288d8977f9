"""Themes: what recurs over documents has a name, boilerplate and what is beside everything has none."""

from pathlib import Path

import pytest

from pipeline.base.settings import parse_settings
from pipeline.query.evidence.themes import Theme, ThemeFinder
from pipeline.query.index import Index
from pipeline.query.method_names import Method
from pipeline.query.methods import global_search
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.text.question.asking_words import question_language
from pipeline.text.question.scope.whole import asked_keys
from tests.corpora import indexed

LICENCE = "Permission is granted under the licence of Carrow Press. All rights reserved by Carrow Press and its heirs."


def themes(folder: Path, texts: list[str]) -> list[Theme]:
    (folder / "input").mkdir(exist_ok=True)
    for place, text in enumerate(texts):
        (folder / "input" / f"{place:02}.txt").write_text(text, encoding="utf-8")
    project = Project(folder, parse_settings({}))
    run_index(project)
    rows = Index.open(project.store.folder).generation.rows
    return ThemeFinder(*map(rows, ("facts", "key_elements", "chunks", "entities", "documents"))).find((), "en", 8)


def test_what_documents_share_is_named_with_its_count_and_a_licence_in_all_of_them_is_not(tmp_path: Path) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness", "Tolsta", "Voe", "Uig", "Ardvar")
    texts = [
        f"The ferry brought {n + 20} passengers to the pier of {town} in the storm. The weather in {town} was dull.\n\n{LICENCE}"
        for n, town in enumerate(towns)
    ]
    found = themes(tmp_path, texts)
    named = " ".join(name.lower() for theme in found for name in (theme.title, *theme.related))
    assert any(word in named for word in ("ferry", "pier", "storm", "passengers"))
    assert "licence" not in named and "carrow" not in named
    best = found[0]
    assert best.unit == "documents" and best.found_in == best.total == len(towns)
    for text, place in best.sentences:
        assert place.end - place.start >= len(text) > 0


def test_the_running_head_of_a_transcript_is_no_theme_and_sentences_that_can_be_read_alone_are_shown(
    tmp_path: Path,
) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness", "Tolsta", "Voe", "Uig", "Ardvar")
    texts = [
        f"Tape_{n}_Transcript.txt the pier of {town}.\n\nAnd then it broke the old pier of {town} in the storm, I think.\n\n"
        f"The council of {town} repaired the pier after the storm in {1880 + n}."
        for n, town in enumerate(towns)
    ]
    found = themes(tmp_path, texts)
    assert found and not any("txt" in theme.title.lower() for theme in found)
    shown = [text for theme in found for text, _ in theme.sentences]
    assert any(text.startswith("The council") for text in shown) and not any(".txt" in text for text in shown)


def test_greetings_of_a_broadcast_show_no_theme_and_no_sentence_is_shown_twice(tmp_path: Path) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness", "Tolsta", "Voe", "Uig", "Ardvar")
    texts = [
        f"Hello and welcome to Harbour Radio, the programme on the pier and the ferry of {town}.\n\n"
        f"The pier of {town} was built of granite for the ferry. The ferry from {town} carries herring and peat to the pier.\n\n"
        f"The herring of {town} is salted in barrels, and its peat is cut on the moor. Thank you for listening to Harbour Radio."
        for town in towns
    ]
    found = themes(tmp_path, texts)
    shown = [text for theme in found for text, _ in theme.sentences]
    assert len(found) > 1 and len(set(shown)) == len(shown)
    assert not any("Radio" in text for text in shown)


def test_in_few_texts_what_recurs_is_a_theme_also_where_nothing_recurs_with_it(tmp_path: Path) -> None:
    deeds = "sold rye;mended a violin;raised geese;painted boats;dug a well;kept a diary;tuned organs;bound books;caught eels"
    leases = (
        "The lease of the barn ends in May.",
        "Nobody in Leith signed the lease.",
        "A clerk from Corvo lost the lease in a fire.",
    )
    others = [f"A neighbour in Farra {deed} last winter." for deed in f"{deeds};wove baskets".split(";")]
    found = themes(tmp_path, [*others, *leases])
    assert "lease" in [theme.title.lower() for theme in found]


def test_nothing_recurs_in_texts_that_share_nothing(tmp_path: Path) -> None:
    assert themes(tmp_path, ["The ferry reached Farra.", "A baker in Corvo sells rye bread."]) == []


@pytest.mark.parametrize(
    "question",
    [
        "主要主题是什么？",
        "主なテーマは何ですか？",
        "Quali sono i temi principali?",
        "¿Cuáles son los temas principales?",
        "Какие основные темы?",
        "Quels sont les thèmes principaux ?",
    ],
)
def test_a_question_on_the_whole_names_nothing_in_any_of_these_languages(question: str) -> None:
    assert not asked_keys(question, question_language(question))


def test_the_names_of_the_fields_of_records_are_no_themes(tmp_path: Path) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness")
    texts = [
        f"order: {n + 100} | carrier: Northmail | share_eur: 30 | description: The pump of the ferry leaked at the pier of {town}."
        for n, town in enumerate(towns)
    ]
    named = {theme.title.lower() for theme in themes(tmp_path, texts)}
    assert not named & {"order", "carrier", "description", "eur"}


def test_a_part_of_a_path_is_no_theme(tmp_path: Path) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness", "Tolsta", "Voe", "Uig", "Ardvar")
    texts = [
        f"The pump of {town} writes its log to /usr/local/{town}. The ferry of {town} has a pump." for town in towns
    ]
    named = {theme.title.lower() for theme in themes(tmp_path, texts)}
    assert "usr" not in named and {"pump", "ferry"} & named


def test_a_theme_is_what_the_texts_have_oftener_than_any_text_of_their_language(tmp_path: Path) -> None:
    months = ("январе", "феврале", "марте", "апреле", "мае", "июне", "июле", "августе", "сентябре", "октябре")
    texts = [
        f"Паромщик говорил, что на пароме в {month} двадцать телег. Канат парома порвался, и паромщик чинил канат."
        f" Он говорил об этом в волости, и канат держал паром до утра."
        for month in months
    ]
    titles = {theme.title.lower() for theme in themes(tmp_path, texts)}
    assert any(title.startswith(("паром", "канат")) for title in titles)
    assert titles.isdisjoint({"говорил", "двадцать", "чинил"})


def test_a_theme_is_named_by_whole_words(tmp_path: Path) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness", "Tolsta", "Voe", "Uig", "Ardvar")
    texts = [
        f"The two-factor login of {town} failed. We had asked for the two-factor login of {town} to stay."
        for town in towns
    ]
    titles = [theme.title.lower() for theme in themes(tmp_path, texts)]
    assert any("login" in title for title in titles) and not any(title.startswith("factor") for title in titles)


def test_the_records_of_one_file_are_one_document_beside_texts(tmp_path: Path) -> None:
    towns = ("Farra", "Corvo", "Lundy", "Gannoch", "Heron", "Skerry", "Brae", "Ness", "Tolsta", "Voe", "Uig", "Ardvar")
    (tmp_path / "input").mkdir()
    rows = "\n".join(f"{n},The label of carton {n} was torn at the quay" for n in range(60))
    (tmp_path / "input" / "complaints.csv").write_text(f"id,text\n{rows}\n", encoding="utf-8")
    texts = [
        f"The ferry brought {n + 20} passengers to the pier of {town} in the storm." for n, town in enumerate(towns)
    ]
    found = themes(tmp_path, texts)
    assert found and all(theme.total == len(towns) + 1 for theme in found)
    assert not any(word in theme.title.lower() for theme in found for word in ("label", "carton", "quay"))


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def test_a_noun_is_known_also_behind_another_word_and_in_singular_and_plural(tmp_path: Path) -> None:
    texts = [
        f"On {day} the crew of boat {n} fought with dripping hatches. A hatch cost {n} hours."
        for n, day in enumerate(DAYS)
    ]
    assert any("hatch" in theme.title.lower() for theme in themes(tmp_path, texts))


def test_the_count_beside_a_theme_of_two_words_is_that_of_both(tmp_path: Path) -> None:
    texts = [
        f"The {'rain' if n < 4 else 'fuel'} barrel of cottage {n} leaked on {day}, and the garden by the barrel was wet."
        for n, day in enumerate(DAYS)
    ]
    [barrel] = [theme for theme in themes(tmp_path, texts) if "barrel" in theme.title.lower()]
    assert barrel.title.lower() != "rain barrel" or barrel.found_in == 4


LOG = {
    "january.md": "# January\n\nThe winch of the slip failed twice in a week. Wilma Brand greased the chain on the next day. Nobody was hurt.\n",
    "february.md": "# February\n\nThe winch of the slip is broken again since Tuesday. Otto Lind and Wilma Brand ate soup in Skerry.\n",
    "march.md": "# March\n\nThe winch of the slip jammed on the ninth of March. Wilma Brand said that the weather was mild.\n",
    "april.md": '# April\n\n"The sea is no problem," said Otto Lind in Skerry. He bought blue paint.\n',
}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.open(indexed(tmp_path_factory.mktemp("log"), LOG).store.folder)


@pytest.mark.parametrize("question", ["What are the main problems?", "What went wrong?"])
def test_problems_are_what_failed_and_not_where_the_word_problem_is(log: Index, question: str) -> None:
    answer = log.ask(question)
    assert answer.outcome == "answered" and answer.method.startswith("global")
    assert sum(word in answer.text for word in ("failed twice", "broken again", "jammed")) >= 2
    assert "weather" not in answer.text and "soup" not in answer.text and "paint" not in answer.text
    assert not answer.closest


def test_the_main_persons_are_those_that_most_texts_mention_each_with_a_sentence(log: Index) -> None:
    answer = log.ask("Who are the main characters?")
    assert answer.text.index("Wilma Brand") < answer.text.index("Otto Lind") and "greased the chain" in answer.text
    notes = [sentence.note for sentence in answer.sentences if sentence.note]
    assert notes[0].startswith("in 3 of 4") and notes[1].startswith("in 2 of 4")


def test_where_hardly_a_problem_recurs_the_documents_that_tell_of_some_are_named(tmp_path: Path) -> None:
    texts = {
        "mill.md": "# The mill\n\nThe old millstone cracked in the frost of May. The miller whistled on his way to the village.\n",
        "barn.md": "# The barn\n\nThe hay of the lower meadow is late this year. The owls under the roof are well and loud.\n",
    }
    answer = Index.open(indexed(tmp_path, texts).store.folder).ask("What are the main problems?")
    assert (
        "**The mill**" in answer.text
        and "millstone cracked" in answer.text
        and "hay of the lower meadow is late" in answer.text
    )
    assert "whistled" not in answer.text and "owls" not in answer.text
    assert not any(sentence.note for sentence in answer.sentences)


def test_beside_as_many_themes_as_are_shown_no_document_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = (
        "bell of the chapel cracked in frost",
        "roof of the mill leaked into flour",
        "pump of the well jammed with sand",
    )
    texts = {
        f"{n}.md": f"# Note {n}\n\nThe old winch of the slip failed again on day {n} of May. The {other} that year.\n"
        for n, other in enumerate(others)
    }
    opened = Index.open(indexed(tmp_path, texts).store.folder)
    monkeypatch.setattr(global_search, "THEMES", 1)
    answer = opened.ask("What are the main problems?", "global")
    assert answer.text.count("**") == 2 and "Note" not in answer.text


NOTEBOOK = {
    "may.txt": "The committee agreed to sell the barge. The kettle was on the stove, and the cat slept under it. Since then the ferry runs every hour.\n",
    "june.txt": "The barge was sold for 900 pounds. Ruth brought a cake with plums. The ferryman no longer takes bicycles.\n",
}


@pytest.mark.parametrize(
    ("question", "told", "left_out"),
    [
        ("What was decided?", "agreed to sell the barge", "kettle"),
        ("what changed over the years", "no longer takes bicycles", "cake"),
        ("how did it end", "barge was sold", "kettle"),
    ],
)
@pytest.mark.parametrize("method", ["auto", "global"])
def test_what_was_decided_changed_or_came_of_it_is_what_says_so(
    tmp_path: Path, question: str, told: str, left_out: str, method: Method
) -> None:
    answer = Index.open(indexed(tmp_path, NOTEBOOK).store.folder).ask(question, method)
    assert answer.method.startswith("global") and told in answer.text and left_out not in answer.text


def test_the_disclaimer_of_a_mail_is_nothing_that_has_to_be_done(tmp_path: Path) -> None:
    footer = "If you have received it in error, you must please delete it."
    texts = {
        f"{n}.txt": f"The pier of Corvo has yet to be mended, says {name}.\n\n{footer}"
        for n, name in enumerate(("Ada", "Ben"))
    }
    answer = Index.open(indexed(tmp_path, texts).store.folder).ask("What still has to be done?", "auto")
    assert "yet to be mended" in answer.text and "received it in error" not in answer.text
