"""What a question is read as: its names and words with weights that follow the corpus, and how much of it a text meets."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.answering.kind_evidence import shows
from pipeline.text.question.kinds import compared, kinds_of, offers_choice, sets_against
from pipeline.text.question.names import names_in
from pipeline.text.question.question import RELATED, LinkedEntity, Question
from pipeline.text.question.reading import read_question
from pipeline.text.question.scope.whole import asks_for_whole

MAID = LinkedEntity("1", "Joan of Arc", "PERSON", "maid of orleans", 9, ("maid of orleans",))


def words(question: Question) -> dict[str, int]:
    return {term.word: term.name for term in question.terms}


def read_among(question: str, passages: dict[str, int], n: int) -> Question:
    """Read a question over ``n`` passages, of which so many hold each word, and one each other word."""
    return read_question(question, (), lambda word: math.log(1 + n / passages[word]) if word in passages else 0.0)


def test_names_are_distinguished_from_words_and_what_only_asks_is_left_out() -> None:
    assert words(read_question("Did Joan of Arc lose any battles?")) == {"Joan": 1, "Arc": 1, "lose": 0, "battles": 0}
    assert words(read_question("Tell me about Gilles de Rais.")) == {"Gilles": 1, "Rais": 1}
    asked = words(read_question("What is La Charité-sur-Loire?"))
    assert asked.keys() == {"Charité", "sur", "Loire"} and set(asked.values()) == {1}


def test_a_word_that_any_text_of_its_language_has_weighs_less_than_one_that_is_as_rare_here() -> None:
    read = read_among("Where did the velvet coat go?", {"velvet": 2, "go": 2, "coat": 2}, 40)
    weights = {term.word: term.weight for term in read.terms}
    assert weights["go"] < weights["coat"] <= weights["velvet"] == pytest.approx(math.log(21))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the price?", {"price": 0}),
        ("What is the URL of page two?", {"url": 0, "page": 0, "two": 0}),
        ("Who came second?", {"came": 0, "second": 0}),
        ("Was steht in Kapitel drei?", {"steht": 0, "kapitel": 0, "drei": 0}),
    ],
)
def test_numbers_parts_of_a_text_and_what_alone_is_asked_for_say_something(question: str, said: dict[str, int]) -> None:
    assert words(read_question(question)) == said


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does url_for do?", {"url": 1, "for": 1}),
        ("Where is MAX_SIZE set?", {"MAX": 1, "SIZE": 1}),
        ("When does readLine return?", {"readLine": 1}),
        ("What does --max-cost stop?", {"max": 1, "cost": 1}),
        ("What does `flask run` print?", {"flask": 1, "run": 1}),
    ],
)
def test_what_is_written_as_code_is_one_name_and_met_as_it_is_written(question: str, name: dict[str, int]) -> None:
    read = read_question(question)
    assert {term.word: term.name for term in read.terms if term.name} == name
    written = read.as_written[0][1]
    assert read.named(read.met_by(f"Then {written} is called.")) == {1}
    assert read.named(read.met_by(f"Then {' and '.join(name)} are called.")) != {1} or len(name) == 1


def test_entities_count_as_names_in_any_case_and_by_any_form() -> None:
    question = read_question("when did the maid of orleans die", [MAID])
    assert words(question)["maid"] == 1
    assert question.named(question.met_by("Joan of Arc died in 1431.")) == {1}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Whom did Mrs. Thorne marry in Carrow?", {"Thorne": 1, "marry": 0, "Carrow": 2}),
        ("Where was Dr. J. R. Holm born?", {"Holm": 1, "born": 0}),
        ("Quand Mme Holm est-elle née ?", {"Holm": 1, "née": 0}),
    ],
)
def test_no_passage_must_call_somebody_by_the_title_that_a_question_does(question: str, said: dict[str, int]) -> None:
    assert words(read_question(question)) == said


def test_the_point_behind_an_initial_or_a_saint_is_inside_a_name() -> None:
    assert names_in("He saw George W. Bush near St. Michael's. Carrow was empty.") == [
        "George W. Bush",
        "St. Michael",
        "Carrow",
    ]


def test_years_are_demanded_like_names() -> None:
    question = read_question("Who was executed at Rouen in 1431?")
    assert len(question.names) == 2
    assert question.named(question.met_by("The sentence was read at Rouen in 1456.")) != question.names


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who crowned Charles VII?", "person"),
        ("When was she burned?", "date"),
        ("In which year was he born?", "date"),
        ("Where did he die?", "place"),
        ("How many men came?", "number"),
        ("Why did it fail?", "cause"),
        ("Did she visit any cities where she won?", ""),
        ("Wann starb er?", "date"),
        ("Qui a gagné?", "person"),
        ("Wofür steht LVM?", "expansion"),
        ("À quoi sert la jauge ?", "definition"),
        ("¿Para qué sirve la esclusa?", "definition"),
        ("A cosa serve la chiusa?", "definition"),
        ("Зачем нужен шлюз?", "definition"),
        ("What did they charge us for the tuning?", "money"),
        ("What did the coat go for at the sale?", "money"),
        ("What did he pay with?", ""),
        ("Was hat die Orgel gekostet?", "money"),
        ("Сколько она заплатила за дом?", "money"),
        ("At what river level is the alarm raised?", "number"),
        ("Which part broke?", ""),
        ("In which part of London did he live?", "place"),
        ("Which hospital was she taken to?", "place"),
    ],
)
def test_the_kind_of_answer_is_shown_by_the_word_that_asks(question: str, kind: str) -> None:
    assert next(iter(kinds_of(question)), "") == kind


def test_a_number_is_more_than_a_date() -> None:
    def surely(kind: str, text: str) -> bool:
        return shows(kind, text, "", frozenset()) > 0.5

    assert surely("number", "for 10,000 livres") and surely("number", "forty times")
    assert surely("number", "ten ships in May 1430") and not surely("number", "on 23 May 1430")
    assert surely("date", "on 23 May 1430") and not surely("date", "10,000 livres")
    assert surely("cause", "because it rained") and not surely("cause", "it rained")


def test_rare_words_weigh_more_and_a_long_name_not_more_than_its_rarest_word() -> None:
    question = read_among("Did Joan of Arc lose?", {"Joan": 90, "Arc": 90, "lose": 3}, 100)
    weights = {term.word: term.weight for term in question.terms}
    assert weights["lose"] > weights["Joan"] + weights["Arc"]
    unmet = read_among("When did Joan of Arc visit Japan?", {"Joan": 90, "Arc": 90, "visit": 9}, 100)
    japan = next(term for term in unmet.terms if term.word == "Japan")
    assert not japan.known and japan.weight == max(term.weight for term in unmet.terms)


def test_a_name_is_met_by_most_of_it() -> None:
    question = read_among("Who was Charles VII?", {"Charles": 20, "VII": 15}, 100)
    assert question.named(question.met_by("Charles VII was king."))
    assert not question.named(question.met_by("Charles VI was king."))


def test_of_several_things_a_statement_need_speak_of_one_only() -> None:
    question = read_question("Who is older, Ada Thorne or Bela Quist?")
    assert question.several and question.closeness("Ada Thorne is older.") == 1


def test_names_in_a_text_keep_their_connectors() -> None:
    text = "In 1429 the Duke of Alençon and Joan of Arc came to Saint-Denis. Charles VII's army left."
    assert names_in(text) == ["Duke of Alençon", "Joan of Arc", "Saint-Denis", "Charles VII"]


@settings(deadline=None, max_examples=80)
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=20))
def test_any_question_and_any_text_can_be_measured(text: str, statement: str, heading: str) -> None:
    question = read_question(text)
    assert all(0 <= met <= 1 for met in question.met_under(statement, heading))
    assert 0 <= question.closeness(statement, heading) <= 1 + 1e-9
    assert question.named(question.met_by(statement)) <= question.names


@pytest.mark.parametrize(
    ("question", "language", "kinds"),
    [
        ("What must I change when I upgrade?", "en", ("how",)),
        ("Who met the guest who was late when it rained?", "en", ("person",)),
        ("Where did it stop and when?", "en", ("place", "date")),
        ("How old is Ada Thorne?", "en", ("age",)),
        ("What was the first name of her mother?", "en", ("name",)),
        ("Wie hieß ihre Mutter?", "de", ("name",)),
        ("Quel âge a Odile ?", "fr", ("age",)),
        ("What's the greatest number of boats?", "en", ("number",)),
        ("At what temperature does it freeze?", "en", ("number",)),
        ("Quelle température faisait-il ?", "fr", ("number",)),
        ("¿A qué temperatura se guarda?", "es", ("number",)),
        ("Какова глубина колодца?", "ru", ("number",)),
        ("What commands start it?", "en", ("how",)),
        ("Wie stellt man den Port ein?", "de", ("how",)),
        ("Как очистить фильтр?", "ru", ("how",)),
        ("Come cambiare il filtro?", "it", ("how",)),
        ("¿Qué hago si suena la alarma?", "es", ("how",)),
    ],
)
def test_a_relative_clause_asks_for_nothing(question: str, language: str, kinds: tuple[str, ...]) -> None:
    assert kinds_of(question, language) == kinds


def test_cues_of_one_language_are_none_of_another() -> None:
    english = frozenset({"en"})
    assert shows("cause", "I'll move it in my own car.", "", frozenset(), english) == 0
    assert shows("cause", "Il est resté, car il pleuvait.", "", frozenset(), frozenset({"fr"})) == 1
    assert not offers_choice("Who is the owner of the boat?", "en") and offers_choice("Thee of koffie?", "nl")


@pytest.mark.parametrize("said", ["on 7 December", "December 7th", "am 7. Dezember", "le 7 décembre", "7 декабря"])
def test_a_day_of_a_month_is_a_date_also_without_a_year(said: str) -> None:
    assert shows("date", said, "", frozenset()) == 1
    assert shows("date", "They may march 5 miles.", "", frozenset()) < 1


def test_an_age_is_more_than_a_number() -> None:
    assert shows("age", "She was eighty-one years old.", "", frozenset(), frozenset({"en"})) == 1
    assert shows("age", "They sent 3,000 boxes.", "", frozenset(), frozenset({"en"})) < 0.5
    assert shows("date", "Open from 10 to 17.", "", frozenset(), frozenset({"en"})) == 1


def test_a_word_that_only_asks_is_no_name_at_the_beginning_of_a_question() -> None:
    question = read_question("Qu'est-ce qui bouchait la conduite ?", corpus_language="fr")
    assert not question.names


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Why did Ada quit the firm?", "Ada left the company after a row about the pay."),
        ("Wer hat die Mühle gebaut?", "Die Mühle errichtete Jan Prell."),
        ("¿Cuándo regresó Inés?", "Inés volvió en 1912."),
        ("Кто основал театр?", "Театр создал Пётр Новиков."),
        ("谁购买了磨坊？", "安娜买下磨坊。"),
    ],
)
def test_words_that_are_used_for_the_same_meet_a_question_less_than_its_own(question: str, statement: str) -> None:
    read = read_question(question)
    assert RELATED in [
        how_far for term, how_far in zip(read.terms, read.met_by(statement), strict=True) if not term.name
    ]


def test_a_name_is_met_by_no_other_word() -> None:
    read = read_question("What did King sell?")
    assert read.names and not read.named(read.met_by("The queen sold a horse."))


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Quanto costa il furgone?", "it"),
        ("Combien coûte le four ?", "fr"),
        ("Wie teuer war das?", "de"),
        ("¿Cuánto cuesta?", "es"),
    ],
)
def test_a_short_question_is_in_the_language_whose_words_ask_it(question: str, language: str) -> None:
    assert read_question(question).language == language


@pytest.mark.parametrize(
    ("question", "asked_for"),
    [
        ("How many old boats are in the harbour?", ["old", "boats"]),
        ("Combien de lettres Anna a-t-elle écrites ?", ["lettres"]),
        ("Сколько кораблей было в порту?", ["кораблей"]),
        ("信一共有多少封？", ["封"]),
        ("What is the ferryman's dog called?", ["ferryman", "dog"]),
        ("Come si chiama il cane di Anna Rossi?", ["cane"]),
        ("高橋美咲の夫の名前は何ですか？", ["夫"]),
        ("How tall is the chimney?", []),
        ("Who lit the fire?", []),
    ],
)
def test_what_is_counted_or_named_is_told_from_what_else_a_question_says(question: str, asked_for: list[str]) -> None:
    read = read_question(question)
    assert {read.terms[place].word for place in read.asked_for} <= set(asked_for)
    assert bool(read.asked_for) == bool(asked_for)


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("What is the difference between a merge and a rebase?", {"merge", "rebase"}),
        ("What is the difference between the old pump and the new pump?", {"old", "new"}),
        ("Was ist der Unterschied zwischen einem Frachter und einem Tanker?", {"Frachter", "Tanker"}),
        ("Quelle est la différence entre un bac et un chaland ?", {"bac", "chaland"}),
        ("¿Qué diferencia hay entre el dique y el muelle?", {"dique", "muelle"}),
        ("Qual è la differenza tra il molo e la banchina?", {"molo", "banchina"}),
        ("В чём разница между доком и причалом?", {"доком", "причалом"}),
    ],
)
def test_the_things_whose_difference_is_asked_for_are_looked_for_like_names(question: str, sides: set[str]) -> None:
    read = read_question(question)
    assert {term.word for term in read.terms if term.name} == sides
    assert not any(sets_against(term.word, read.language) for term in read.terms)


def test_a_choice_between_things_asks_for_no_difference() -> None:
    assert compared("Is it between the mole and the dock, or behind them?", "en") is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How big is the deposit in the end?", ["deposit"]),
        ("Wie viel hat der Brunnen am Schluss gekostet?", ["brunnen", "gekostet"]),
        ("How many people can we seat these days?", ["people", "seat"]),
        ("How long is the notice period?", ["notice", "period"]),
    ],
)
def test_what_is_asked_of_stays_and_what_is_said_by_the_way_goes(question: str, said: list[str]) -> None:
    assert [term.word for term in read_question(question).terms] == said


def test_a_verb_behind_a_thing_makes_no_list_of_it() -> None:
    assert "list" not in kinds_of("which machine runs the portal", "en")
    assert "list" in kinds_of("Which board members voted against it?", "en")
    assert "list" in kinds_of("Which ships sailed to Genoa?", "en")


@pytest.mark.parametrize(
    ("question", "language", "kind"),
    [
        ("What roles can people have on the system?", "en", "list"),
        ("What special conditions did the estate set?", "en", "list"),
        ("What places for the station did the committee look at?", "en", "list"),
        ("¿Qué vinos vendíamos en el 62?", "es", "list"),
        ("Welche alten Bücher fehlen?", "de", "list"),
        ("What was the program called before it got its present name?", "en", "name"),
        ("What's the name of the foreman?", "en", "name"),
        ("¿Qué apellido usaba Mateo en la costa?", "es", "name"),
        ("What wages was she given?", "en", "money"),
        ("What were they offering for the place?", "en", "money"),
        ("What did the shop sell the fur coat for?", "en", "money"),
        ("¿A cómo nos cobró Lapuerta cada barrica?", "es", "money"),
        ("Was bietet das Museum für sein Schiff?", "de", "money"),
        ("What's the longest a pump may run in one go?", "en", "duration"),
        ("What did the bell turn out to weigh?", "en", "number"),
        ("Come mai il 10 giugno non si è cantato?", "it", "cause"),
        ("What was really behind the quarrel over the weir?", "en", "cause"),
        ("What was behind the closure of the quay?", "en", "cause"),
        ("What lay behind her leaving?", "en", "cause"),
        ("What triggered the flood warning?", "en", "cause"),
        ("Was steckt hinter dem Streit um das Wehr?", "de", "cause"),
        ("Was hat den Rohrbruch ausgelöst?", "de", "cause"),
        ("Qu'est-ce qui se cache derrière cette panne ?", "fr", "cause"),
        ("À quoi est dû le retard ?", "fr", "cause"),
        ("¿Qué había detrás de la pelea?", "es", "cause"),
        ("¿Cuál fue el motivo del cierre?", "es", "cause"),
        ("Cosa c'era dietro la lite?", "it", "cause"),
        ("A cosa è dovuto il ritardo?", "it", "cause"),
        ("Из-за чего перестали выпускать синь?", "ru", "cause"),
        ("In welchem Krankenhaus wurde Heinz operiert?", "de", "place"),
        ("¿Cuánto sale al mes la cuota?", "es", "money"),
        ("¿En cuánto tasaron la barca?", "es", "money"),
        ("¿Cuánto rato tarda en secar?", "es", "duration"),
        ("¿En qué meses abre la piscina?", "es", "date"),
        ("¿Cómo cambio el filtro?", "es", "how"),
        ("La carte, ça coûte combien ?", "fr", "money"),
        ("On nous a remboursé combien pour la barque ?", "fr", "money"),
        ("prix de la pompe", "fr", "money"),
        ("C'est combien de jours ?", "fr", "duration"),
        ("Quels jours ouvre la piscine ?", "fr", "date"),
        ("Was bekommt man pro Stunde fürs Aushelfen?", "de", "money"),
        ("An welchen Tagen ist das Bad offen?", "de", "date"),
        ("Quanto viene l'ingresso?", "it", "money"),
        ("Quante ore ci vogliono?", "it", "duration"),
        ("Почём билеты?", "ru", "money"),
        ("Сколько сосед просил за лодку?", "ru", "money"),
        ("Во сколько закрывают склад?", "ru", "date"),
        ("На какую сумму выписан счёт?", "ru", "money"),
        ("后来赔了他多少？", "zh", "money"),
        ("What did the jumble sale make?", "en", "money"),
        ("What did the two repairs come to in the end?", "en", "money"),
        ("What did Nan have to fork out for the new boiler?", "en", "money"),
        ("What did the ramp set us back?", "en", "money"),
        ("How much a week was the caravan?", "en", "money"),
        ("What are the vouchers worth?", "en", "money"),
        ("Deposit for the marquee?", "en", "money"),
        ("Le couvreur, il nous a pris combien ?", "fr", "money"),
        ("Les rideaux sont revenus à combien ?", "fr", "money"),
        ("Combien on leur réclamait pour le quai ?", "fr", "money"),
        ("Loyer du hangar ?", "fr", "money"),
        ("A quanto è arrivato il conto del falegname?", "it", "money"),
        ("Quanto abbiamo tirato fuori per il furgone?", "it", "money"),
        ("Caparra per la sala?", "it", "money"),
        ("Was hat der Flohmarkt eingebracht?", "de", "money"),
        ("Auf wie viel kam die neue Heizung?", "de", "money"),
        ("Kaution für das Zelt?", "de", "money"),
        ("¿A cuánto ascendió la reparación?", "es", "money"),
        ("¿Cuánto recaudamos en la rifa?", "es", "money"),
        ("Who's Wilhelmina again?", "en", "definition"),
        ("Hugo, who’s he again?", "en", "definition"),
        ("Who is Bruno, the man they rang in May?", "en", "definition"),
        ("C'est qui, Mireille ?", "fr", "definition"),
        ("Le vieux Firmin, c'est qui déjà ?", "fr", "definition"),
        ("Qui c'est, ce Gaspard ?", "fr", "definition"),
        ("Chi sarebbe questo Baldini?", "it", "definition"),
        ("¿Quién será esa Remedios?", "es", "definition"),
    ],
)
def test_what_is_asked_for_shows_in_many_ways_of_asking(question: str, language: str, kind: str) -> None:
    assert kind in kinds_of(question, language)


@pytest.mark.parametrize(
    ("question", "language", "kind"),
    [
        ("Which plot was Mrs Tutchell given?", "en", "list"),
        ("Which hospital did Tobias go to?", "en", "list"),
        ("Welche Firma kümmert sich um den Aufzug?", "de", "list"),
        ("What would it cost according to our price list?", "en", "list"),
        ("Who was cast as the fishwives?", "en", "definition"),
        ("What was he told?", "en", "definition"),
        ("Who's paying for the van?", "en", "definition"),
        ("Who's got the keys?", "en", "definition"),
        ("Who's in on the plan?", "en", "definition"),
        ("C'est qui qui a pris les clés ?", "fr", "definition"),
    ],
)
def test_one_thing_or_a_detail_is_no_list_and_no_definition(question: str, language: str, kind: str) -> None:
    assert kind not in kinds_of(question, language)


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("Wer war nochmal Hanne Rüsch?", "de", "nochmal"),
        ("Was zahlt die Stadt fürs Dach?", "de", "fürs"),
        ("Remind me who Miss Crowhurst is", "en", "Remind"),
        ("¿Quién era el tal Serapio?", "es", "tal"),
        ("Di che colore dev'essere quest'anno la sciarpa?", "it", "quest"),
    ],
)
def test_what_is_said_by_the_way_is_not_looked_for(question: str, language: str, said: str) -> None:
    assert said.casefold() not in {
        term.word.casefold() for term in read_question(question, corpus_language=language).terms
    }


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("Deposit for the marquee?", "en", "deposit"),
        ("What rent does the club pay?", "en", "rent"),
        ("Loyer du hangar ?", "fr", "loyer"),
        ("Kaution für das Zelt?", "de", "kaution"),
    ],
)
def test_what_a_sum_is_for_is_looked_for_as_texts_say_it_too(question: str, language: str, said: str) -> None:
    assert said in {term.word.casefold() for term in read_question(question, corpus_language=language).terms}


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Worum geht es hier insgesamt?", "de"),
        ("¿De qué trata la historia?", "es"),
        ("О чём эта книга?", "ru"),
        ("What is the novel about?", "en"),
    ],
)
def test_what_a_book_is_about_is_asked_of_the_whole(question: str, language: str) -> None:
    assert asks_for_whole(question, language)


@pytest.mark.parametrize(
    ("asked", "said", "is_met"),
    [
        ("When was Ada Pullen born?", "Ada Pullen, b. 1944, netting hand.", True),
        ("When was Ada Pullen born?", "Ada Pullen (* 12 May 1944)", True),
        ("When did Ada Pullen die?", "Ada Pullen, d. 1972.", True),
        ("Wann ist Ada Pullen gestorben?", "Ada Pullen, gest. 1972", True),
        ("When did Ada Pullen die?", "Ada D. Pullen came in 1972.", False),
        ("When did Ada Pullen die?", "Ada Pullen, b. 1944", False),
        ("When did Ada Pullen leave?", "Ada Pullen, d. 1972", False),
    ],
)
def test_born_and_died_are_met_by_the_signs_that_texts_write_for_them_before_a_date(
    asked: str, said: str, is_met: bool
) -> None:
    question = read_question(asked)
    (*_, last) = zip(question.terms, question.met_by(said), strict=True)
    assert last[0].word in ("born", "die", "gestorben", "leave") and (last[1] >= RELATED) is is_met


@pytest.mark.parametrize(
    ("question", "language", "kind"),
    [
        ("¿Cuánto aceite vendieron en mayo?", "es", "money"),
        ("¿Cómo murió el barquero?", "es", "how"),
        ("Quanto viene usato il forno?", "it", "money"),
        ("Was macht das Gerät?", "de", "money"),
        ("Qui a reçu le prix de poésie ?", "fr", "money"),
        ("花了多少天？", "zh", "money"),
        ("What did the committee come to decide?", "en", "money"),
        ("What did Tom do at the sale?", "en", "money"),
        ("How does the price of eggs compare?", "en", "money"),
        ("Il a pris combien de jours ?", "fr", "money"),
    ],
)
def test_words_of_paying_ask_for_a_sum_only_where_a_sum_is_asked_for(question: str, language: str, kind: str) -> None:
    assert kind not in kinds_of(question, language)


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("¿Quién retiró el tablón de anuncios?", "En mayo se quitó el tablón de anuncios."),
        ("Combien de temps prend la livraison ?", "On livre en quatre jours."),
        ("Wann wurde der Pegel gemessen?", "Die Messung war im Mai."),
        ("水管什么时候检修？", "水管五月修理。"),
    ],
)
def test_a_text_meets_a_question_by_words_of_one_family_and_others_for_the_same(question: str, statement: str) -> None:
    asked = read_question(question)
    met = dict(zip((term.word for term in asked.terms), asked.met_by(statement), strict=True))
    assert [word for word, share in met.items() if share == RELATED]


def test_as_it_should_be_gives_no_reason_in_spanish() -> None:
    languages = frozenset({"es"})
    assert shows("cause", "Cerró debido a la riada.", "", frozenset(), languages) == 1.0
    assert shows("cause", "Cerró la puerta, como es debido.", "", frozenset(), languages) < 1.0


def test_what_a_question_writes_in_another_script_is_a_name_without_its_polite_title() -> None:
    terms = read_question("Who is 田中さん?").terms
    assert [(one.word, one.name) for one in terms] == [("田中", 1)]


def test_a_polite_title_behind_a_name_says_nothing() -> None:
    assert "さん" not in [one.word for one in read_question("田中さんはどこに住んでいますか?").terms]
    assert "模様" in [one.word for one in read_question("皿の模様はどんな色ですか?").terms]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("柵の修理、結局いくらかかったんだっけ？", {"修理"}),
        ("直す所を全部教えて", {"直", "所"}),
        ("倉庫到底是谁烧的？", {"仓库", "倉庫", "烧"}),
    ],
)
def test_words_by_the_way_in_scripts_without_spaces_are_not_looked_for(question: str, said: set[str]) -> None:
    terms = {one.word for one in read_question(question).terms}
    assert terms & said and not terms & {"結局", "くら", "全部", "部教", "えて", "到底"}


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("What does Ada Thorne do in the club?", "club"),
        ("Who is Ada Thorne in this story?", "story"),
        ("Was macht Ada Thorne im Verein?", "verein"),
        ("Que fait Ada Thorne dans l'association ?", "association"),
        ("¿Qué hace Ada Thorne en el proyecto?", "proyecto"),
        ("Che cosa fa Ada Thorne nel progetto?", "progetto"),
    ],
)
def test_what_a_question_calls_the_whole_of_the_texts_is_looked_for_only_where_they_call_it_so(
    question: str, whole: str
) -> None:
    def terms(rarity: float) -> set[str]:
        ada = LinkedEntity("a", "Ada Thorne", "PERSON", "Ada Thorne", 1, ())
        read = read_question(question, [ada], lambda word: rarity if word == whole else 1.0)
        return {one.word.casefold() for one in read.terms}

    assert whole in terms(1.0)
    assert whole not in terms(0.0) and "thorne" in terms(0.0)


def test_the_whole_of_the_texts_is_looked_for_where_a_question_names_nothing_else() -> None:
    assert "club" in {one.word for one in read_question("Who is in the club?", (), lambda _: 0.0).terms}
