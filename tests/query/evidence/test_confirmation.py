"""The support of an answer's sentences: confirmed by a model in batches, flagged or left out, the same in every way to ask."""

import json
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from pydantic import ValidationError

from pipeline.base.task import Failure, Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.confirm_support import (
    BATCH,
    CandidatePassage,
    SentencesToConfirm,
    SentenceToConfirm,
    SentenceVerdict,
    SentenceVerdicts,
    confirm_support,
)
from pipeline.query.answer import Answer, Coverage, Ground, Place, Sentence, Source
from pipeline.query.evidence.carrier import Carrier
from pipeline.query.evidence.confirmation import ConfirmingCost, confirming_cost
from pipeline.query.evidence.rewriting import Rewritten, rewritten
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from pipeline.text.answering.support import PASSAGE
from tests.corpora import project
from tests.lookalike import LookAlike
from tests.query.test_streaming import at, parted, text_of
from tests.query_cases import BATTLES, ask, check_answer, check_unanswered, plainly, sample
from tests.scripted_backend import Script, ScriptedBackend

SAID = (
    "Her assault on Paris was a failure. [c1] Joan of Arc flew to the moon. [c1] The siege was given up on 8 May. [c1]"
)
"""The second sentence is one that no passage carries."""
METHODS = ("basic", "entity", "fusion")


def verdict(sentence: SentenceToConfirm) -> SentenceVerdict:
    if "moon" in sentence.text:
        return SentenceVerdict(id=sentence.id, passages=[], verdict="not supported")
    return SentenceVerdict(id=sentence.id, passages=list(sentence.passages), verdict="supported")


def verdicts(request: SentencesToConfirm) -> SentenceVerdicts:
    return SentenceVerdicts(verdicts=[verdict(one) for one in request.sentences])


SCRIPTS: dict[str, Script] = {"answer_from_passages": lambda request: Prose(text=SAID), "confirm_support": verdicts}


def test_a_passage_that_is_to_be_confirmed_says_who_speaks_there_and_when(tmp_path: Path) -> None:
    talk = "---\ndate: 2024-03-11\n---\n\nHOST: Our guest built the mole.\n\nADA THORNE: I came to Carrow.\n\nThe mole broke in the storm of 1874.\n\nHOST: Ah."
    made = project(tmp_path, {"talk.md": talk + "\n\nADA THORNE: Thank you."})
    run_index(made)
    said = Prose(text="Ada Thorne says that the mole broke in the storm of 1874. [c1]")
    backend = ScriptedBackend({"answer_from_passages": lambda request: said, "confirm_support": verdicts})
    index = Index.open(made.store.folder)
    index.ask("When did the mole break?", "basic", language=LanguageService(OfflineBackend(), Ledger(), backend))
    (asked,) = (request for _, request in backend.asked if isinstance(request, SentencesToConfirm))
    (passage,) = (one for one in asked.passages if one.text.startswith("The mole broke"))
    assert passage.heading.endswith(" (2024-03-11)") and passage.above == "ADA THORNE"
    assert f"[{passage.id}] (ADA THORNE) The mole broke" in asked.shown("passages")


@pytest.mark.parametrize("named", [False, True])
def test_an_answer_in_another_language_than_its_source_is_given_a_passage_of_it_and_no_whole_chunk(
    tmp_path: Path, named: bool
) -> None:
    counted = [f"The keeper counted {number} ships and wrote them into the book of Carrow." for number in range(2, 60)]
    told = " ".join([*counted[:30], "In the end nobody came back.", *counted[30:]])
    made = project(tmp_path, {"mole.md": told}, chunks={"size": 2000})
    run_index(made)
    told_of = "Nach Carrow kehrte zuletzt niemand zurück" if named else "Zuletzt kehrte niemand zurück"
    said = Prose(text=f"{told_of}. [c1] Wer davon berichtete, bleibt offen. [x0]")

    def last_one(request: SentencesToConfirm) -> SentenceVerdicts:
        (passage,) = (one.id for one in request.passages if "nobody came back" in one.text)
        assert all(len(one.text) <= PASSAGE for one in request.passages)
        assert "".join(one.text for one in request.passages).count("The keeper") == len(counted)
        return SentenceVerdicts(
            verdicts=[SentenceVerdict(id=one.id, passages=[passage], verdict="supported") for one in request.sentences]
        )

    backend = ScriptedBackend({"answer_from_passages": lambda request: said, "confirm_support": last_one})
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    answer = Index.open(made.store.folder).ask("Wer kam nach Carrow zurück, und wer sah es?", "basic", language=service)
    (source,) = answer.sources
    assert "nobody came back" in source.quote and len(source.quote) <= PASSAGE
    assert "bleibt offen." in answer.text and not answer.unsupported_sentences


@pytest.mark.parametrize("method", METHODS)
def test_a_model_confirms_the_sentences_of_an_answer_among_passages_in_one_request(method: str) -> None:
    by_words, _ = ask(BATTLES, method, SCRIPTS, check_support="words")
    answer, backend = ask(BATTLES, method, SCRIPTS, check_support="model", unsupported="flag")
    (asked,) = (request for name, request in backend.asked if name == "confirm_support")
    assert isinstance(asked, SentencesToConfirm)
    shown = {passage.id: passage for passage in asked.passages}
    assert len(shown) == len(asked.passages) and all(passage.heading for passage in asked.passages)
    for one in asked.sentences:
        sentence = by_words.sentences[int(one.id[1:]) - 1]
        assert one.text == by_words.text[sentence.start : sentence.end]
        quotes = [source.quote for source in by_words.sources if source.number in sentence.sources]
        assert all(any(quote in shown[id].text for id in one.passages) for quote in quotes)
    chosen = {shown[id].text for one in asked.sentences for id in one.passages if "moon" not in one.text}
    assert chosen & {source.quote for source in answer.sources}
    found = [sentence.verdict for sentence in answer.sentences]
    assert found == ["supported", "not supported", "supported"]
    assert answer.unsupported_sentences == ("Joan of Arc flew to the moon.",)
    assert "moon" in answer.text and answer.usage["calls"] == len(backend.asked)
    check_answer(answer)


def test_the_passages_that_a_model_chose_are_the_sources_of_the_sentence() -> None:
    picked: list[CandidatePassage] = []

    def last(request: SentencesToConfirm) -> SentenceVerdicts:
        picked.append(request.passages[-1])
        replies = [
            SentenceVerdict(id=one.id, passages=[request.passages[-1].id], verdict="partly")
            for one in request.sentences
        ]
        return SentenceVerdicts(verdicts=replies)

    answer, _ = ask(BATTLES, "basic", SCRIPTS | {"confirm_support": last}, check_support="model")
    confirmed = [one for one in answer.sentences if one.verdict == "partly"]
    assert confirmed and picked
    quotes = {source.number: source.quote for source in answer.sources}
    assert all([quotes[number] for number in one.sources] == [picked[0].text] for one in confirmed)
    check_answer(answer)


def test_a_sentence_that_says_more_than_its_passages_is_narrowed_and_what_nothing_says_is_left_out() -> None:
    narrow = "The assault on Paris did not succeed."

    def revise(request: SentencesToConfirm) -> SentenceVerdicts:
        given = [
            verdict(one)
            if "moon" in one.text
            else verdict(one).model_copy(update={"verdict": "partly", "revised": narrow})
            for one in request.sentences
        ]
        return SentenceVerdicts(verdicts=given)

    scripts: dict[str, Script] = {
        "answer_from_passages": lambda request: Prose(
            text="The worst defeat, the assault on Paris, failed. [c1] Joan of Arc flew to the moon. [c1]\n\n- The same. [c1]"
        ),
        "confirm_support": revise,
    }
    answer, _ = ask(BATTLES, "basic", scripts, check_support="model")
    assert answer.text.startswith(f"{narrow} [1]") and "moon" not in answer.text and "worst" not in answer.text
    assert answer.sentences[0].verdict == "supported" and not answer.unsupported_sentences
    assert f"\n- {narrow} [" in answer.text
    check_answer(answer)
    kept, _ = ask(BATTLES, "basic", scripts, check_support="model", unsupported="flag")
    assert "worst" in kept.text and "moon" in kept.text and kept.sentences[0].verdict == "partly"


def test_a_heading_is_shown_with_the_sentences_and_written_anew_where_it_says_more_than_they() -> None:
    def revise(request: SentencesToConfirm) -> SentenceVerdicts:
        given = [
            verdict(one)
            if one.asserts
            else SentenceVerdict(id=one.id, passages=[], verdict="supported", revised="## Paris, 1429")
            for one in request.sentences
        ]
        return SentenceVerdicts(verdicts=given)

    scripts: dict[str, Script] = {
        "answer_from_passages": lambda request: Prose(text=f"## Paris was her worst defeat\n\n{SAID}"),
        "confirm_support": revise,
    }
    answer, backend = ask(BATTLES, "basic", scripts, check_support="model")
    (asked,) = (request for name, request in backend.asked if name == "confirm_support")
    assert isinstance(asked, SentencesToConfirm)
    assert asked.sentences[0].text == "## Paris was her worst defeat" and not asked.sentences[0].asserts
    assert answer.text.startswith("## Paris, 1429\n\nHer assault") and answer.sentences[0].verdict is None
    check_answer(answer)


def test_the_sentences_before_a_batch_are_shown_with_it() -> None:
    many = " ".join(f"Her assault on Paris was failure number {n}. [c1]" for n in range(BATCH + 1))
    scripts: dict[str, Script] = {**SCRIPTS, "answer_from_passages": lambda request: Prose(text=many)}
    _, backend = ask(BATTLES, "basic", scripts, check_support="model")
    first, second = sorted(
        (request for _, request in backend.asked if isinstance(request, SentencesToConfirm)),
        key=lambda request: int(request.sentences[0].id[1:]),
    )
    assert not first.before and second.before.endswith(f"failure number {BATCH - 1}.")
    assert second.before in confirm_support.render(second)[1].replace(
        "\n", " "
    ) or f"number {BATCH - 1}." in second.shown("before")


def test_passages_of_one_document_are_shown_under_it_once_in_the_order_of_its_text() -> None:
    passages = (
        CandidatePassage("q1", "Weather", "", "It rained."),
        CandidatePassage("q2", "Weather", "ADA THORNE", "It\nsnowed."),
        CandidatePassage("q3", "Ships", "", "She sank."),
    )
    shown = SentencesToConfirm("x", passages, ()).shown("passages")
    assert shown == "Weather:\n[q1] It rained.\n[q2] (ADA THORNE) It snowed.\n\nShips:\n[q3] She sank."
    _, backend = ask(BATTLES, "fusion", SCRIPTS, check_support="model")
    (asked,) = (request for name, request in backend.asked if name == "confirm_support")
    assert isinstance(asked, SentencesToConfirm)
    headings = [heading for heading, _ in groupby(asked.passages, key=lambda one: one.heading)]
    assert len(headings) == len(set(headings)) and [one.id for one in asked.passages] == [
        f"q{n}" for n in range(1, len(asked.passages) + 1)
    ]


def test_what_a_sentence_cited_and_what_its_notes_rest_on_are_among_the_passages_shown() -> None:
    index = Index.open(sample())
    texts = dict(zip(index.chunks.id, index.chunks.text, strict=True))
    (first, second, third), said = list(texts)[:3], "Nothing of this is anywhere."
    cited, noted = Place(first, 0, 30), Place(second, 0, 30)
    carrier = Carrier(index.generation.rows("chunks"), index.generation.rows("documents"), index.finder())
    carrier(said, [cited], (Ground("A note.", (third,), (noted,)),))
    shown = carrier.passages(said, [], 3)
    for wanted in (cited, noted):
        assert any(one.chunk_id == wanted.chunk_id and one.start <= 0 and one.end >= 30 for one in shown)
    assert all(len(texts[one.chunk_id][one.start : one.end]) <= PASSAGE for one in shown)
    spans = sorted((one.chunk_id, one.start, one.end) for one in shown)
    assert all(a[0] != b[0] or a[2] <= b[1] for a, b in pairwise(spans))


def test_a_sentence_on_several_people_may_rest_on_as_many_passages() -> None:
    passages = tuple(CandidatePassage(f"q{n}", "Weather", "", "It rained.") for n in range(1, 8))
    names = ["Ada Thorne", "Edwin Marsh", "Joan Gray", "Paul Hume", "Mary Leith", "Tom Vane"]
    assert confirm_support.check is not None
    for n, most in ((1, 3), (4, 4), (6, 5)):
        text = f"It rained on {', '.join(names[:n])}."
        one = SentenceVerdict(id="s1", passages=[passage.id for passage in passages], verdict="supported")
        request = SentencesToConfirm("x", passages, (SentenceToConfirm("s1", text, (), 1.0),))
        (kept,) = confirm_support.check(request, SentenceVerdicts(verdicts=[one])).verdicts
        assert len(kept.passages) == most


LONG = f"It is told here. [c1]\n\n## Paris\n\n{SAID}\n\n## Orléans\n\nThe siege of Orléans was given up. [c1]"


def opened(reply: str) -> tuple[Answer, list[str]]:
    scripts: dict[str, Script] = {
        **SCRIPTS,
        "answer_from_passages": lambda request: Prose(text=LONG),
        "write_opening": lambda request: Prose(text=reply),
    }
    answer, backend = ask(BATTLES, "basic", scripts, check_support="model")
    check_answer(answer)
    return answer, [name for name, _ in backend.asked]


def test_the_opening_of_a_long_answer_is_written_from_the_rest_after_that_is_confirmed() -> None:
    answer, asked = opened("She lost at Paris. [q1]")
    assert answer.text.startswith("She lost at Paris. [1]\n\n## Paris\n\nHer assault") and "moon" not in answer.text
    assert answer.sentences[0].sources == (1,) and answer.sentences[0].verdict
    assert asked == ["answer_from_passages", "confirm_support", "write_opening"]
    assert [step.name for step in answer.steps][-2:] == ["confirm_support", "write_opening"]


def test_an_opening_has_no_more_sentences_than_it_had() -> None:
    answer, _ = opened("She lost. [q1] At Paris. [q1]")
    assert answer.text.startswith("She lost. [1]\n\n## Paris")


@pytest.mark.parametrize("reply", ["She lost in 1999. [q1]", "", "No source says so."])
def test_an_opening_with_a_new_number_or_no_source_is_not_taken(reply: str) -> None:
    answer, _ = opened(reply)
    assert answer.text.startswith("It is told here. [1]\n\n## Paris")


@pytest.mark.parametrize("revised", ["", "It failed in 1999.", "word " * 40])
def test_a_revision_with_a_new_number_or_much_longer_is_not_taken(revised: str) -> None:
    def revise(request: SentencesToConfirm) -> SentenceVerdicts:
        changed = [
            one.model_copy(update={"verdict": "partly", "revised": revised}) for one in verdicts(request).verdicts
        ]
        return SentenceVerdicts(verdicts=changed)

    scripts: dict[str, Script] = {
        "answer_from_passages": lambda request: Prose(text="The assault on Paris failed badly. [c1]"),
        "confirm_support": revise,
    }
    answer, _ = ask(BATTLES, "basic", scripts, check_support="model")
    assert answer.text.startswith("The assault on Paris failed badly. [1]") and answer.sentences[0].verdict == "partly"


def test_no_model_is_asked_to_confirm_what_is_printed_as_its_source_has_it() -> None:
    same = {"answer_from_passages": lambda request: Prose(text=request.draft)}
    answer, backend = ask(BATTLES, "basic", same, check_support="model")
    assert answer.supported and [name for name, _ in backend.asked] == ["answer_from_passages"]


def test_what_nothing_carries_is_left_out_where_settings_say_so() -> None:
    answer, _ = ask(BATTLES, "basic", SCRIPTS, check_support="model", unsupported="leave_out")
    assert "moon" not in answer.text and answer.supported and not answer.unsupported_sentences
    assert [answer.text[s.start : s.end] for s in answer.sentences] == [
        "Her assault on Paris was a failure.",
        "The siege was given up on 8 May.",
    ]
    check_answer(answer)


def test_an_answer_of_which_nothing_is_left_shows_the_closest_passages() -> None:
    scripts: dict[str, Script] = {
        **SCRIPTS,
        "answer_from_passages": lambda request: Prose(text="Joan of Arc flew to the moon. [c1]"),
    }
    answer, _ = ask(BATTLES, "basic", scripts, check_support="model", unsupported="leave_out")
    check_unanswered(answer)


def test_without_a_confirmation_the_words_decide_and_that_is_said() -> None:
    said = Prose(text=SAID.replace("Joan of Arc", "Zora Quell"))
    unsure: dict[str, Script] = {"answer_from_passages": lambda request: said}
    away: dict[str, Script] = {**unsure, "confirm_support": lambda request: Failure("away")}
    answer, _ = ask(BATTLES, "basic", away, check_support="model")
    assert "moon" not in answer.text and answer.supported and len(answer.sentences) == 2
    assert all(sentence.verdict for sentence in answer.sentences)
    assert answer.coverage.description.startswith("partial: ") and "by their words" in answer.coverage.description
    flagged, _ = ask(BATTLES, "basic", away, check_support="model", unsupported="flag")
    words, _ = ask(BATTLES, "basic", unsure)
    assert [s.verdict for s in words.sentences] == [s.verdict for s in flagged.sentences]
    assert [sentence for sentence in flagged.unsupported_sentences if "moon" in sentence]


def test_of_an_answer_that_neither_a_model_nor_its_words_confirm_nothing_is_printed() -> None:
    away: dict[str, Script] = {
        "answer_from_passages": lambda request: Prose(text="Zora Quell flew to the moon. [c1]"),
        "confirm_support": lambda request: Failure("away"),
    }
    answer, _ = ask(BATTLES, "basic", away, check_support="model")
    check_unanswered(answer)


@pytest.mark.parametrize("method", ["global", "local", "entity", "drift", "basic", "fusion"])
def test_words_of_the_corpus_are_supported_without_a_model_whatever_the_setting(method: str) -> None:
    answer = plainly(BATTLES, method, check_support="model")
    assert answer.text == plainly(BATTLES, method).text and answer.usage["calls"] == 0
    assert all(s.verdict == "supported" for s in answer.sentences if s.asserts and s.support == 1)


def test_nothing_is_checked_where_that_is_switched_off() -> None:
    answer, backend = ask(BATTLES, "basic", SCRIPTS, check_support="off", unsupported="leave_out")
    assert "moon" in answer.text and all(s.verdict is None and s.support is None for s in answer.sentences)
    assert [name for name, _ in backend.asked] == ["answer_from_passages"]


def test_over_http_confirming_is_one_call_streamed_or_not_and_is_paid_for_once(tmp_path: Path) -> None:
    def reply(body: dict[str, object]) -> str:
        shown = str(body["messages"])
        if "You check an answer" not in shown:
            return SAID
        ids = [f"s{n}" for n in (1, 2, 3)]
        given = [
            {"id": id, "passages": ["q1"], "verdict": "not supported" if id == "s2" else "supported", "revised": ""}
            for id in ids
        ]
        return json.dumps({"verdicts": given})

    search = {"check_support": "model", "unsupported": "leave_out"}
    with LookAlike(reply) as server:
        index = at(server, tmp_path, price_in=1.0, price_out=1.0).with_settings({"search": search})
        _, pieces, answer = parted(index.stream(BATTLES, "basic"))
        assert "moon" not in answer.text and text_of(pieces) == answer.text
        assert server.calls == answer.usage["calls"] == 2 and answer.usage["cost"] > 0
        assert any("moon" in piece.text for piece in pieces) or sum(piece.begins for piece in pieces) == 1
        again = index.ask(BATTLES, "basic")
        assert server.calls == 2 and again.usage["cached"] == 2
        assert (again.text, again.sources, again.sentences) == (answer.text, answer.sources, answer.sentences)
        assert again.to_dict()["sentences"][0]["verdict"] == "supported"
        check_answer(answer)


def test_the_calls_that_confirm_are_counted_beforehand_and_never_exceeded() -> None:
    for method, step in (("drift", "plan"), ("fusion", "plan"), ("global", "reports")):
        answer, backend = ask(BATTLES, method, check_support="model")
        without, _ = ask(BATTLES, method)
        planned = [next(one.data["calls"] for one in found.steps if one.name == step) for found in (answer, without)]
        assert planned[0] > planned[1] and len(backend.asked) <= planned[0]
    from pipeline.base.settings import SearchSettings

    model = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({}))
    nothing = ConfirmingCost(0, 0, 0)
    assert confirming_cost(600, SearchSettings(check_support="words"), model) == nothing
    assert confirming_cost(600, SearchSettings(), LanguageService(OfflineBackend(), Ledger())) == nothing
    assert confirming_cost(200, SearchSettings(), model).calls == 1
    with_opening = -(-600 // (20 * BATCH)) + 1  # an answer so long has headings
    assert confirming_cost(600, SearchSettings(), model).calls == with_opening > 600 / 20 / BATCH


def test_every_sentence_that_was_shown_must_have_a_verdict() -> None:
    shown = tuple(SentenceToConfirm(f"s{n}", "It rained.", ("q1",), 1.0) for n in (1, 2))
    request = SentencesToConfirm("x", (CandidatePassage("q1", "Weather", "", "It rained all day."),), shown)
    assert confirm_support.check is not None
    one = SentenceVerdict(id="[s2]", passages=["[q1]", "q9"], verdict="partly", revised="It rained [q1]\nfor long.")
    with pytest.raises(ValueError, match="s1"):
        confirm_support.check(request, SentenceVerdicts(verdicts=[one]))
    other = SentenceVerdict(id="s1", passages=[], verdict="supported")
    extra = SentenceVerdict(id="s9", passages=[], verdict="partly")
    kept = confirm_support.check(request, SentenceVerdicts(verdicts=[one, other, extra]))
    assert [(v.id, v.passages, v.verdict, v.revised) for v in kept.verdicts] == [
        ("s1", [], "not supported", ""),
        ("s2", ["q1"], "partly", "It rained for long."),
    ]
    with pytest.raises(ValueError, match="s1"):
        invented = SentenceVerdict(id="s1", passages=["q9"], verdict="supported")
        confirm_support.check(request, SentenceVerdicts(verdicts=[one, invented]))
    prompt = confirm_support.render(request)[1]
    assert "Weather:\n[q1] It rained all day.\n" in prompt and "[s1] It rained.\n[s2] It rained." in prompt


def test_a_verdict_is_read_however_a_model_writes_it() -> None:
    reply = {"id": "s1", "passages": [], "verdict": "Not_supported.", "revised": None}
    one = SentenceVerdict.model_validate(reply)
    assert (one.verdict, one.revised) == ("not supported", "")
    for other in ("unsupported", "", 1):
        with pytest.raises(ValidationError):
            SentenceVerdict.model_validate(reply | {"verdict": other})


def test_a_heading_under_which_nothing_is_left_goes_with_it_and_code_stays_whole() -> None:
    parts = [
        ("## Moon", False, ()),
        ("She flew there.", True, ()),
        ("## Paris", False, ()),
        ("She lost.", True, (2,)),
        ("```\nx = a[1] + a[2]\n```", True, (2,)),
    ]
    text = ""
    sentences = []
    for said, asserts, sources in parts:
        sentences.append(Sentence(len(text), len(text) + len(said), sources, asserts))
        text += said + "".join(f" [{n}]" for n in sources) + "\n"
    sources = (Source(1, "c", "d", "t", "f", 0, 4, "moon"), Source(2, "c", "d", "t", "f", 5, 9, "lost"))
    answer = Answer("?", "basic", text.rstrip(), sources, (), Coverage(1, "all"), sentences=tuple(sentences))
    left = rewritten(answer, {1: Rewritten(dropped=True)})
    assert left.text == "## Paris\nShe lost. [1]\n```\nx = a[1] + a[2]\n``` [1]"
    assert [source.quote for source in left.sources] == ["lost"]
    assert [left.text[s.start : s.end] for s in left.sentences] == [
        "## Paris",
        "She lost.",
        "```\nx = a[1] + a[2]\n```",
    ]


def test_a_sentence_that_cites_nothing_is_looked_for_in_the_corpus() -> None:
    said = Prose(text="The assault on Paris failed. Joan of Arc flew to the moon with Napoleon.")
    answer, _ = ask(BATTLES, "basic", {"answer_from_passages": lambda request: said})
    assert answer.text.startswith("The assault on Paris failed. [1]")
    assert answer.unsupported_sentences == ("Joan of Arc flew to the moon with Napoleon.",)
    check_answer(answer)


def test_numbers_inside_a_sentence_are_set_apart_however_many_ids_were_there() -> None:
    said = Prose(text="Her assault on Paris was a failure [c1][c2]. The siege was given up. [c1]")
    answer, _ = ask(BATTLES, "basic", {"answer_from_passages": lambda request: said})
    assert "failure [1]" in answer.text
