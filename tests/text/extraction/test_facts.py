"""Facts: sentences that can be read alone, and what they rest on."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.extraction.annotate import annotate
from pipeline.text.extraction.facts import CONTEXT, Fact, find_facts
from tests.text.extraction.test_pronouns import NAMES, matches_in


def facts(text: str, anchor: str = "") -> list[Fact]:
    return find_facts(text, annotate(text, matches_in(text), anchor), anchor)


def texts(text: str, anchor: str = "") -> list[str]:
    return [fact.text for fact in facts(text, anchor)]


def test_one_sentence_is_one_fact_with_its_pronoun_replaced() -> None:
    text = "Joan of Arc came to Rouen. She was burned on 30 May 1431."
    first, second = facts(text)
    assert second.text == "Joan of Arc was burned on 30 May 1431."
    assert text[second.start : second.end] == "She was burned on 30 May 1431."
    assert first.text == "Joan of Arc came to Rouen."


def test_a_sentence_keeps_the_list_or_the_code_that_it_introduces() -> None:
    text = "Rouen has three great churches:\n\n- the cathedral\n- the abbey\n\nJoan of Arc came to Rouen."
    first = facts(text)[0]
    assert first.text == "Rouen has three great churches: - the cathedral - the abbey"
    assert text[first.start : first.end].endswith("- the abbey")


def test_identifiers_keep_their_letters() -> None:
    assert texts("httpx.get sends a request to Google in 1998.") == ["httpx.get sends a request to Google in 1998."]


def test_key_elements_are_names_dates_and_words_that_carry_meaning() -> None:
    (fact,) = facts("On 30 May 1431 Joan of Arc was slowly burned by the executioner in Rouen.")
    assert fact.key_elements == ("Joan of Arc", "Rouen", "30 May 1431", "1431", "executioner")


def test_articles_before_a_vowel_and_the_roles_of_links_are_no_part_of_a_key_element() -> None:
    (fact,) = facts("La cour a jugé que l'employeur savait, et qu'elle doit annuler le licenciement.")
    assert {"employeur", "licenciement"} <= set(fact.key_elements) and not any("'" in one for one in fact.key_elements)
    (fact,) = facts("The :meth:`send` of a socket and its :class:`Buffer` fill the queue.")
    assert {"meth", "class"}.isdisjoint(fact.key_elements) and "queue" in fact.key_elements


def test_a_name_that_was_a_pronoun_is_a_key_element() -> None:
    assert "Joan of Arc" in facts("Joan of Arc came to Rouen. Her banner hung in the cathedral.")[1].key_elements


def test_an_open_subject_keeps_the_sentence_before() -> None:
    text = "Nobody slept in the city of Rouen that night. This frightened the soldiers of the garrison."
    assert texts(text)[1] == f"{text}"


def test_a_bare_noun_as_subject_keeps_the_title() -> None:
    (fact,) = facts("The town surrendered in October 1429 to the French army.", "Siege of Troyes > The end")
    assert fact.text == "Siege of Troyes: The town surrendered in October 1429 to the French army."


def test_a_title_that_only_says_what_somebody_is_does_not_read_like_a_speaker() -> None:
    text = "The clock on the landing had said nine since the first of October 1429."
    assert texts(text, "Constable") == [text]


def test_context_is_bounded() -> None:
    long = "Rouen lies on the Seine " + "and has many old houses " * 30 + "in it."
    fact = texts(f"{long} This pleases the visitors from England.")[1]
    assert len(fact) < CONTEXT + 60
    assert "…" in fact


def test_what_people_say_of_themselves_keeps_the_speaker() -> None:
    text = "KEVIN SCOTT: My wife and our children watched the old pianist.\nADA STONE: I founded a company in Rouen."
    assert texts(text) == [
        "Kevin Scott: My wife and our children watched the old pianist.",
        "Ada Stone: I founded a company in Rouen.",
    ]


def test_letters_that_stand_for_nobody_known_end_what_somebody_else_says() -> None:
    text = "Ada Stone: I ask about the caravan in Rouen.\n\nM: I rent a caravan in Rouen for 520 pounds a month."
    assert texts(text)[1] == "M: I rent a caravan in Rouen for 520 pounds a month."


def test_a_negation_in_front_is_no_tie_to_what_was_said_before() -> None:
    assert texts("No customer of Acme Corp lost the fee in June.") == ["No customer of Acme Corp lost the fee in June."]
    assert texts("No, Joan of Arc went to Rouen in winter.") == ["Joan of Arc went to Rouen in winter."]


def test_greetings_headings_questions_and_fragments_are_no_facts() -> None:
    text = "# The Trial of Joan of Arc\n\nHi, everyone.\n\nStick around.\n\nWhere was Joan of Arc born in France?\n\n[MUSIC]\n\nThe Siege of Rouen"
    assert texts(text) == []


def test_a_conjunction_or_list_mark_in_front_is_left_out() -> None:
    assert texts("- But Joan of Arc went to Rouen in winter.") == ["Joan of Arc went to Rouen in winter."]


def test_line_breaks_inside_a_sentence_become_spaces() -> None:
    assert texts("Joan of Arc went to the\nold city of Rouen\nwith the army.") == [
        "Joan of Arc went to the old city of Rouen with the army."
    ]


def test_the_same_sentence_in_two_windows_is_the_same_fact() -> None:
    shared = "Joan of Arc came to Rouen with an army. She saw the castle of the duke."
    first = texts(f"Rain fell on the fields of Normandy. {shared}", "Joan of Arc")
    second = texts(f"{shared} Rain fell on the fields of Normandy.", "Joan of Arc")
    assert set(first) == set(second)


def test_a_sentence_said_twice_is_one_fact() -> None:
    assert len(texts("Joan of Arc came to Rouen. Joan of Arc came to Rouen.")) == 1


def test_languages_without_spaces_and_without_capitals_have_facts() -> None:
    assert len(texts("贞德于1412年出生在栋雷米村。查理七世在兰斯加冕。")) == 2
    assert len(texts("توفيت جان دارك في روان يوم 30 مايو 1431.")) == 1
    (fact,) = facts("シャルル七世は1429年7月17日にランスで戴冠した。")
    assert "戴冠" in fact.key_elements


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.sampled_from(
            [
                *NAMES,
                "he",
                "She",
                "the town",
                "This",
                "I",
                "said",
                "was",
                ". ",
                "! ",
                "? ",
                ": ",
                "\n",
                "KEVIN SCOTT: ",
                "1429",
                "- ",
                "他",
                "。",
            ]
        ),
        max_size=50,
    )
)
def test_facts_lie_in_the_text_in_order_and_rest_on_something(words: list[str]) -> None:
    text = " ".join(words)
    at = 0
    for fact in facts(text, "Title"):
        assert at <= fact.start < fact.end <= len(text)
        assert fact.text
        assert fact.text == " ".join(fact.text.split())
        assert len(set(fact.key_elements)) == len(fact.key_elements)
        assert all(fact.key_elements)
        at = fact.start


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_is_read(text: str, anchor: str) -> None:
    assert find_facts(text, annotate(text, [], anchor), anchor) == find_facts(text, annotate(text, [], anchor), anchor)
