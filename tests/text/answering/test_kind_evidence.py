"""How surely a sentence says what the question asks for."""

import pytest

from pipeline.text.answering.kind_evidence import (
    STATED,
    SUM,
    defines,
    does_another,
    evidence_of_kind,
    logged,
    says_what,
    shows,
)
from pipeline.text.question.reading import read_question


@pytest.mark.parametrize(
    ("question", "says", "uses"),
    [
        (
            "What is a sluice?",
            "A :term:`sluice` is a gate that lets water through.",
            "It depends on how the sluice is built whether it leaks.",
        ),
        ("What is a sluice?", "Sluices are gates that let water through.", "sluice = Gate(1, 'sluice') is called."),
        (
            "Was ist eine Schleuse?",
            "Eine Schleuse ist ein Tor im Kanal.",
            "Danach wird die Schleuse geöffnet, sie ist alt.",
        ),
        ("What is Esker?", "Esker, a language for gates, is new.", "We met at the inn with Esker in spring."),
        ("Was ist Esker?", "Esker ist eine Sprache für Tore.", "Die Esker-Gruppe ist eine Runde in Linz."),
        ("What is Esker?", "Esker is a language for gates.", "Esker Policy is a handbook."),
        ("What does TWG stand for?", "The Tidal Wave Gauge (TWG) is at the mole.", "They read the list (TWG) at noon."),
        (
            "What is a Hire Boat?",
            '1.3. "Hire Boat"\n   means a boat let for a day.',
            "You may lend a Hire Boat of the club under terms of your choice.",
        ),
        ("What is a covered boat?", 'A "covered boat" means one with a roof.', "You may let covered boats to others."),
        (
            "What is a hire boat in the Harbour Rules?",
            '"Hire boat" refers to a boat let for a day.',
            "The Harbour Rules are short.",
        ),
        ("What counts as hire boat?", "“Hire boats” are boats let for a day.", "What is paid counts as rent."),
        ("Was gilt als Mietboot?", "„Mietboot“ bezeichnet ein Boot, das vermietet wird.", "Das Mietboot liegt am Kai."),
        ("What is Tidekeeper?", "Tidekeeper is a program for gauges.", "Tidekeeper is very strict about gauges."),
        ("Cos'è Mareografo?", "Mareografo è un programma.", "Mareografo è molto severo."),
        ("Wofür steht TWG?", "Der Tide-Wellen-Geber (TWG) misst.", "Der TWG-Leser steht am Kai."),
    ],
)
def test_what_says_what_a_thing_is_opens_with_it_and_goes_on_so(question: str, says: str, uses: str) -> None:
    asked = read_question(question)
    assert defines(says, asked) == 1.0 > defines(uses, asked)


def test_when_a_message_was_sent_is_no_number_and_a_weaker_date_than_one_in_its_words() -> None:
    sent, dated = (
        "[12.03.24, 18:22:01] Tom: He can start soon",
        "[12.03.24, 18:23:01] Tom: He can start on 4 April 2024",
    )
    when, how_many = read_question("When can he start?"), read_question("How many can start?")
    shown = [evidence_of_kind(text, when, frozenset(), frozenset({"en"})) for text in (sent, dated)]
    assert 0 < shown[0] < shown[1]
    assert evidence_of_kind(sent, how_many, frozenset(), frozenset({"en"})) == 0


@pytest.mark.parametrize(
    ("question", "measured", "other"),
    [
        ("How deep is the lock?", "The lock is 4.2 m from sill to floor.", "The lock has 12 gates."),
        ("How long is the quay?", "The quay runs for forty yards.", "The quay has forty bollards."),
        ("How heavy is the crane?", "The crane stands there with its 12 tonnes.", "The crane has 12 wheels."),
        ("How hot does the kiln get?", "The kiln reaches 1,240 °C.", "The kiln holds 1,240 cups."),
        ("How often is the pump oiled?", "The pump is oiled every Tuesday.", "The pump is oiled by 2 men."),
        ("How fast does the ferry go?", "The ferry does 12 knots.", "The ferry takes 12 cars."),
        ("Wie tief ist die Schleuse?", "Die Schleuse misst vier Meter.", "Die Schleuse hat vier Tore."),
        ("Quelle est la largeur du trou ?", "Le trou fait vingt-six mètres.", "Le trou a deux bords."),
        ("¿Cuánto pesa la campana?", "La campana pesa 300 kilos.", "La campana tiene 300 años."),
        ("Какая глубина шлюза?", "В шлюзе четыре метра.", "В шлюзе четыре лодки."),
    ],
)
def test_a_measure_is_shown_by_its_units_and_less_by_any_number(question: str, measured: str, other: str) -> None:
    asked = read_question(question)
    languages = frozenset({asked.language})
    shown = [evidence_of_kind(text, asked, frozenset(), languages) for text in (measured, other)]
    assert shown[0] == 1.0 > shown[1]


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("What colour is the door?", "The door is dark-green now.", 1.0),
        ("What colour is the door?", "The door is two metres high.", 0.0),
        ("Welche Farbe hat die Tür?", "Die Tür ist dunkelblau.", 1.0),
        ("Какого цвета дверь?", "Дверь тёмно-зелёная.", 1.0),
        ("How old is Anton?", "Anton weighed her: she was 96.5 before.", 0.2),
        ("How old is Anton?", "Anton is 96.", 1.0),
    ],
)
def test_a_colour_is_shown_by_the_word_for_one_and_an_age_by_no_decimal(question: str, said: str, shown: float) -> None:
    asked = read_question(question)
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == shown


@pytest.mark.parametrize(
    ("question", "other", "counts"),
    [
        ("How many visitors fit in the tower?", "With 5 kW the lift takes twelve years to pay.", "Twelve at a time."),
        ("How many boats may lie there?", "It costs £30, due on 3 May 2021.", "Up to about ten craft."),
        ("How many clients can log in?", "Set `level = 3` on the host.", "Set it to 3 on the host."),
        ("Combien de visiteurs peuvent monter ?", "À 8h30 il reste 40 litres et 3 mètres.", "Douze personnes."),
        ("Wie viele Gäste passen hinein?", "Nach zwanzig Minuten sind 3 kg weg.", "Nicht mehr als zwanzig."),
    ],
)
def test_a_measure_a_sum_or_a_time_is_no_count_of_something(question: str, other: str, counts: str) -> None:
    asked = read_question(question)
    shown = [evidence_of_kind(text, asked, frozenset(), frozenset({asked.language})) for text in (other, counts)]
    assert shown[0] <= 0.4 < shown[1]


@pytest.mark.parametrize(
    ("said", "is_hers"),
    [
        ("Dana Fell (29 years old) works for Ada Orme.", False),
        ("Dana Fell, 29 years old, and Ben Hurd (aged 31) came with Ada Orme.", False),
        ("Ada Orme (29 years old) works for Dana Fell.", True),
        ("She was 29 years old.", True),
        ("When she met Dana Fell at the mill she was 29 years old.", True),
    ],
)
def test_an_age_that_is_added_to_another_name_is_that_of_its_bearer(said: str, is_hers: bool) -> None:
    asked = read_question("How old is Ada Orme?")
    assert (evidence_of_kind(said, asked, frozenset(), frozenset({"en"})) > 0.5) is is_hers


@pytest.mark.parametrize(
    ("question", "other", "pay"),
    [
        (
            "What is Ada Orme paid as chair?",
            "Ada Orme as chair agreed to the sale of the mill for £950.",
            "For the work as chair Ada Orme gets £950 each quarter.",
        ),
        (
            "How much does Ada Orme earn?",
            "Ada Orme bought the two old boats of the mill for £950.",
            "The wage of Ada Orme at the mill is £950 now.",
        ),
        (
            "Wie viel verdient Ada Orme im Jahr?",
            "Ada Orme hat die zwei alten Boote für 950 Euro gekauft.",
            "Ada Orme bekommt für die Arbeit in der Mühle 950 Euro.",
        ),
        (
            "Combien gagne Ada Orme ?",
            "Ada Orme a acheté les deux vieux bateaux pour 950 euros.",
            "Le salaire de Ada Orme au moulin est de 950 euros.",
        ),
    ],
)
def test_a_sum_is_what_somebody_earns_only_in_what_speaks_of_pay(question: str, other: str, pay: str) -> None:
    asked = read_question(question)
    shown = [evidence_of_kind(text, asked, frozenset(), frozenset({asked.language})) for text in (other, pay)]
    assert shown[0] <= 0.4 < shown[1]
    assert evidence_of_kind("Ada Orme: £950", asked, frozenset(), frozenset({asked.language})) > 0.4


def test_a_count_behind_a_noun_that_may_be_numbered_is_a_count_and_a_reference_is_none() -> None:
    asked = read_question("How many guests sat down?")
    for said in ("At the table 12 guests sat down.", "There are no 12 guests.", "He studied art 12 years ago."):
        assert evidence_of_kind(said, asked, frozenset(), frozenset({"en"})) > 0
    for said in ("See table 12.", "Table 12 lists them.", "The guests are listed in art. 12.", "It is in No. 12."):
        assert evidence_of_kind(said, asked, frozenset(), frozenset({"en"})) == 0


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Calibrations are kept in TAMP (Test And Measurement Protocols).", 1.0),
        ("The Test And Measurement Protocols (TAMP) came first.", 1.0),
        ("TAMP stands for nothing at all.", 1.0),
        ("TAMP is slow on Mondays.", 0.0),
        ("The lab stands for quality.", 0.0),
    ],
)
def test_what_letters_stand_for_is_said_only_where_they_are_spelt_out(said: str, shown: float) -> None:
    question = read_question("What does TAMP stand for?")
    assert question.kind == "expansion"
    assert evidence_of_kind(said, question, frozenset(), frozenset({"en"})) == shown


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("Which version of PostgreSQL do I need?", "PostgreSQL 14 or newer", 1.0),
        ("Which version of PostgreSQL do I need?", "PostgreSQL is needed.", 0.0),
        ("Which version dropped PostgreSQL 12?", "Dropped PostgreSQL 12.", 0.0),
        ("Which version dropped PostgreSQL 12?", "## 2.1.0 - 2023-11-02", 1.0),
        ("Ab welcher Version geht das?", "Das geht seit Version 3.", 1.0),
        ("Ab welcher Version geht das?", "Das geht seit dem 12.03.1998.", 0.0),
        ("À partir de quelle version ?", "Il y a 3 filtres et 14 jauges.", 0.0),
    ],
)
def test_a_version_is_a_number_of_parts_or_one_behind_its_name(question: str, said: str, shown: float) -> None:
    asked = read_question(question)
    assert asked.kind == "version"
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == shown


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("How much did the smith ask?", "He was paid 2,310 in May.", SUM),
        ("How much did the smith ask?", "The shoeing costs 85 a horse.", SUM),
        ("How much did the smith ask?", "His wage is 14.50 an hour.", SUM),
        ("How much did the smith ask?", "He was paid 2,310 euros in May.", 1.0),
        ("How much did the smith ask?", "He came with 2,310 nails.", 0.4),
        ("How much did the smith ask?", "He was paid for 14 horses.", 0.4),
        ("How much did the smith ask?", "He was paid on 14 March.", 0.4),
        ("How much did the smith ask?", "He was paid in 2019.", 0.2),
        ("How much did the smith ask?", "The debt of file (053) was paid.", 0.4),
        ("Wie viel kostete der Beschlag?", "Gezahlt wurden 2.310, davon die Hälfte sofort.", SUM),
        ("Combien coûte le ferrage ?", "Le maréchal a été payé 2.310 en mai.", SUM),
        ("¿Cuánto cuesta el herraje?", "Pagó 85 por cada caballo.", SUM),
        ("Quanto costa la ferratura?", "Ha pagato 85 per ogni cavallo.", SUM),
    ],
)
def test_a_number_without_a_currency_is_a_sum_beside_a_word_of_paying(question: str, said: str, shown: float) -> None:
    asked = read_question(question)
    assert asked.kind == "money"
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == shown


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("Who wound the clock?", "The clock was wound by the sexton on Friday.", 0.0),
        ("Who wound the clock?", "The clock was wound in April.", 0.0),
        ("Who wound the clock?", "The clock shows K17 when it was wound.", 0.0),
        ("Who wound the clock?", "The clock was wound by Jan in April.", 0.6),
        ("Qui a remonté l'horloge ?", "On l'a remontée en Avril.", 0.0),
        ("¿Quién dio cuerda al reloj?", "El reloj fue parado en Abril.", 0.0),
        ("Chi ha caricato l'orologio?", "L'orologio è fermo da Aprile.", 0.0),
    ],
)
def test_a_month_a_day_and_a_code_are_nobody(question: str, said: str, shown: float) -> None:
    asked = read_question(question)
    assert asked.kind == "person"
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == shown


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("What is the sluice?", "**Sluice** - the gate that lets the pond run off.", 1.0),
        ("What is the sluice?", "- Sluice: the gate that lets the pond run off", 1.0),
        ("What is the sluice?", "Sluice | the gate that lets the pond run off", 1.0),
        ("What is the sluice?", "The sluice is the gate of the pond.", 1.0),
        ("What is the sluice?", "The sluice is opened in spring.", STATED),
        ("What is the sluice?", "Sluice: 40 cm", 0.3),
        ("What is the sluice?", "The men at the sluice: old and tired all three.", 0.3),
        ("Was ist das Wehr?", "Wehr: die Mauer, die den Teich staut", 1.0),
        ("Qu'est-ce que la vanne ?", "Vanne : la porte qui retient l'eau", 1.0),
        ("¿Qué es la compuerta?", "Compuerta: la puerta que retiene el agua", 1.0),
        ("Cos'è la chiusa?", "Chiusa: la porta che trattiene l'acqua", 1.0),
    ],
)
def test_an_entry_of_a_glossary_says_what_something_is(question: str, said: str, shown: float) -> None:
    asked = read_question(question)
    assert "definition" in asked.kinds
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == shown


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("What is the sluice?", ("definition",)),
        ("What is the price?", ("money",)),
        ("What is the depth of the pond?", ("number",)),
        ("What is the next step?", ()),
        ("What is the name of the mill?", ("name",)),
    ],
)
def test_what_the_thing_is_asks_for_a_definition_where_it_asks_for_nothing_else(
    question: str, kinds: tuple[str, ...]
) -> None:
    assert read_question(question).kinds == kinds


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("When was the organ sold?", "The organ cost 31.50 euros in all.", 0.0),
        ("When was the organ sold?", "The organ was sold for £4,200.", 0.0),
        ("When was the organ sold?", "We sell the organ at 129.", 0.0),
        ("When was the organ sold?", "The organ was paid at 14.30.", 1.0),
        ("When was the organ sold?", "The organ was sold for £4,200 in 1962.", 1.0),
        ("When did the reef form?", "The reef formed 3 million years ago.", 0.5),
        ("Wann wurde die Orgel verkauft?", "Die Orgel kostete 4.200 Euro.", 0.0),
        ("Quand l'orgue a-t-il été vendu ?", "L'orgue a coûté 4.200 euros.", 0.0),
    ],
)
def test_a_sum_of_money_does_not_say_when_something_was(question: str, said: str, shown: float) -> None:
    asked = read_question(question)
    assert asked.kind == "date"
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == shown


def test_of_code_only_the_lines_of_a_log_say_when_something_was() -> None:
    assert logged('copy --until="2021-03-04"\nstart organ') == ""
    assert logged("[2021-03-04 10:00] organ started\norgan --stop") == "[2021-03-04 10:00] organ started"


@pytest.mark.parametrize(
    ("question", "said", "sure"),
    [
        ("How many sheep graze here?", "The sheep graze on 12 fields.", False),
        ("How many sheep graze here?", "On the fields 80 white sheep graze.", True),
        ("How many sheep graze here?", "There were 80 of them.", True),
        ("How large was the herd?", "The herd was entered in list b12 for the 3.0 edition (#441).", False),
        ("How large was the herd?", "The herd had 80 heads.", True),
        ("How old was Tilda when she married?", "Tilda married when I was twelve and the mill stood.", False),
        ("How old was Tilda when she married?", "Tilda was nineteen when she married.", True),
        ("How old was I when Tilda married?", "Tilda married when I was twelve and the mill stood.", True),
        ("What was the miller's dentist called?", "The miller had no dentist until Friday.", False),
        ("What was the miller's dentist called?", "The miller's dentist Odo Grimm came late.", True),
        ("What make is the tractor?", "The tractor is green and old.", False),
        ("What make is the tractor?", "The tractor is a Fendt.", True),
        ("What was Tilda's dog's name?", "Tilda's dog slept in the mill of Grimm.", False),
        ("Which version of Corvid do we run?", "Corvid cost 2.4 million euros.", False),
        ("Which version of Corvid do we run?", "We run Corvid 2.4.", True),
        ("Who wrote the manual?", "- Updated: the manual is written to YAML files.", False),
        ("Who wrote the manual?", "The manual was written by Odo Grimm.", True),
        ("Who were the two men we hired?", "We hired two men in the spring.", False),
    ],
)
def test_what_is_asked_for_must_be_said_of_what_it_is_asked_of(question: str, said: str, sure: bool) -> None:
    asked = read_question(question, corpus_language="en")
    assert (evidence_of_kind(said, asked, frozenset(), frozenset({"en"})) > 0.5) is sure


@pytest.mark.parametrize(
    ("said", "another"),
    [
        ("Odo Grimm resigned in May, Tilda Moss took his place.", True),
        ("Tilda Moss resigned in May.", False),
        ("Tilda Moss heard that Odo Grimm resigned.", False),
        ("She met Odo Grimm, resigned and left.", False),
        ("Everybody resigned.", False),
    ],
)
def test_what_somebody_else_did_is_told_of_that_one(said: str, another: bool) -> None:
    asked = read_question("Why did Tilda Moss resign?", corpus_language="en")
    key = next(term.key for term in asked.terms if not term.name)
    assert does_another(said, key, asked) is another


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("How did Ada's father die?", "He was killed in the quarry.", 1.0),
        ("How did Ada's father die?", "He fell from the mast in May.", 1.0),
        ("How did Ada's father die?", "The rain fell in May.", 0.0),
        ("Wie starb Adas Vater?", "Er ist im Krieg gefallen.", 1.0),
        ("Come è morto Ugo?", "Cadde dal tetto della chiesa.", 1.0),
    ],
)
def test_who_was_killed_drowned_or_fell_died_of_that(question: str, said: str, shown: float) -> None:
    asked = read_question(question)
    assert asked.kind == "death"
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == shown


def test_how_long_something_is_let_or_closed_asks_for_a_time_and_how_long_a_thing_is_for_its_length() -> None:
    assert read_question("How long is the bridge closed?").kind == "duration"
    assert read_question("how long is the old boat leased to Ada").kind == "duration"
    assert read_question("How long is the old shed?").kind == "number"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("昨日、森さんという人が畑を見に来た。", 1.0),
        ("森さんは隣村の大工です。", 1.0),
        ("森さんは来なかった。", 0.3),
    ],
)
def test_a_sentence_says_who_somebody_is_with_a_polite_title(said: str, shown: float) -> None:
    assert says_what(said, ["森"], "ja") == shown


@pytest.mark.parametrize(
    ("said", "shows_why"),
    [
        ("屋根が漏るから休んだ。", True),
        ("大雪のため休んだ。", True),
        ("雨が降ったので休んだ。", True),
        ("大阪から来た人が店を継いだ。", False),
        ("山田さんから聞いた。", False),
        ("子どものころのものでした。", False),
    ],
)
def test_where_or_from_whom_something_comes_is_no_cause_in_japanese(said: str, shows_why: bool) -> None:
    assert (shows("cause", said, "なぜ?", frozenset(), frozenset({"ja"})) == 1.0) is shows_why


@pytest.mark.parametrize(
    ("said", "surely"), [("弟子がほしい。七十四になった。", True), ("三枝さんと千代さん。", False)]
)
def test_an_age_in_characters_is_one_behind_which_somebody_becomes_so_old(said: str, surely: bool) -> None:
    assert (shows("age", said, "いくつ?", frozenset(), frozenset({"ja"})) == 1.0) is surely


@pytest.mark.parametrize(("said", "names"), [("釜は北山製作所に頼んだ。", True), ("釜は一つ三万円。", False)])
def test_which_firm_it_is_the_name_of_one_says_in_japanese(said: str, names: bool) -> None:
    assert (shows("name", said, "釜はどこの会社の製品？", frozenset(), frozenset({"ja"})) > 0) is names


@pytest.mark.parametrize(
    "said",
    [
        "Громова починила калитку.",
        "Горохов потом принёс лестницу.",
        "Елена не нашла ключей.",
    ],
)
def test_a_russian_sentence_that_begins_with_a_name_and_what_its_bearer_did_tells_of_a_person(said: str) -> None:
    assert shows("person", said, "Кто это сделал?", frozenset(), frozenset({"ru"})) > 0


@pytest.mark.parametrize("said", ["Машина сломалась у моста.", "Калитка упала.", "Остров затопило."])
def test_a_frequent_russian_word_with_the_ending_of_a_surname_is_nobody(said: str) -> None:
    assert shows("person", said, "Кто это сделал?", frozenset(), frozenset({"ru"})) == 0


@pytest.mark.parametrize(
    "said", ["Замок — 950 р., петли в подарок.", "Ключ сделали за 200 руб.", "Всего 3 тыс. на всё."]
)
def test_roubles_may_be_cut_short(said: str) -> None:
    assert shows("money", said, "Сколько стоил замок?", frozenset(), frozenset({"ru"})) == 1.0


def test_the_sign_of_a_birth_is_no_rouble() -> None:
    assert (
        shows("money", "Горохов И. П. (р. 1941), сторож.", "Сколько стоил замок?", frozenset(), frozenset({"ru"})) < 1.0
    )


def test_what_asks_in_russian_who_somebody_is_is_no_word_of_the_question() -> None:
    asked = read_question("Кто такая Елена Громова?")
    assert [term.word for term in asked.terms] == ["Елена", "Громова"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How much was the pony?", "They gave forty florins for the pony."),
        ("How much was the pony?", "The pony went for nine guineas."),
        ("Was kostete das Pony?", "Für das Pony gab er dreißig Gulden."),
        ("Combien a coûté le poney ?", "Pour le poney il donna trente écus."),
        ("¿Cuánto costó el poni?", "Por el poni dio treinta ducados."),
        ("Quanto è costato il pony?", "Per il pony diede trenta fiorini."),
    ],
)
def test_coins_of_other_times_and_countries_are_money(question: str, said: str) -> None:
    asked = read_question(question)
    assert evidence_of_kind(said, asked, frozenset(), frozenset({asked.language})) == 1.0
