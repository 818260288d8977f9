"""The support of an answer's sentences: confirmed by a model in batches, flagged or left out, the same in every way to ask."""

import json
from pathlib import Path

import pytest

from pipeline.base.task import Failure, Prose
from pipeline.language.backends.fake import Script
from pipeline.language.tasks.search.confirm_support import (
    BATCH,
    CitedSentence,
    SentencesToConfirm,
    SentenceVerdict,
    SentenceVerdicts,
    confirm_support,
)
from pipeline.query.answer import Answer, Coverage, Sentence
from pipeline.query.evidence.confirmation import confirming_calls, without_unsupported
from tests.lookalike import LookAlike
from tests.query.test_streaming import at, parted, text_of
from tests.query_cases import BATTLES, ask, check_answer, check_unanswered, plainly

SAID = "The assault on Paris failed. [c1] Joan of Arc flew to the moon. [c1] It was raised on 8 May. [c1]"
"""The second sentence is one that no passage carries."""
METHODS = ("basic", "entity", "fusion")


def verdicts(request: SentencesToConfirm) -> SentenceVerdicts:
    found = ["not supported" if "moon" in one.text else "supported" for one in request.sentences]
    given = zip(request.sentences, found, strict=True)
    return SentenceVerdicts.model_validate({"verdicts": [{"id": one.id, "verdict": verdict} for one, verdict in given]})


SCRIPTS: dict[str, Script] = {"answer_from_passages": lambda request: Prose(text=SAID), "confirm_support": verdicts}


@pytest.mark.parametrize("method", METHODS)
def test_a_model_confirms_the_sentences_of_an_answer_with_the_passages_they_cite_in_one_request(method: str) -> None:
    answer, backend = ask(BATTLES, method, SCRIPTS, check_support="model")
    (asked,) = (request for name, request in backend.asked if name == "confirm_support")
    assert isinstance(asked, SentencesToConfirm)
    assert [one.text for one in asked.sentences] == [answer.text[s.start : s.end] for s in answer.sentences]
    quotes = {source.number: source.quote for source in answer.sources}
    for one, sentence in zip(asked.sentences, answer.sentences, strict=True):
        assert [text for _, text in one.passages] == [quotes[number] for number in sentence.sources]
        assert all(heading for heading, _ in one.passages)
    assert [sentence.verdict for sentence in answer.sentences] == ["supported", "not supported", "supported"]
    assert answer.unsupported_sentences == ("Joan of Arc flew to the moon.",)
    assert "moon" in answer.text and answer.usage["calls"] == len(backend.asked)
    check_answer(answer)


def test_what_nothing_carries_is_left_out_where_settings_say_so() -> None:
    answer, _ = ask(BATTLES, "basic", SCRIPTS, check_support="model", unsupported="leave_out")
    assert "moon" not in answer.text and answer.supported and not answer.unsupported_sentences
    assert [answer.text[s.start : s.end] for s in answer.sentences] == [
        "The assault on Paris failed.",
        "It was raised on 8 May.",
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
    away: dict[str, Script] = {**SCRIPTS, "confirm_support": lambda request: Failure("away")}
    answer, _ = ask(BATTLES, "basic", away, check_support="model")
    assert all(sentence.verdict for sentence in answer.sentences)
    assert answer.coverage.description.startswith("partial: ") and "by their words" in answer.coverage.description
    words, _ = ask(BATTLES, "basic", SCRIPTS)
    assert [s.verdict for s in words.sentences] == [s.verdict for s in answer.sentences]


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
        if "You check the sentences" not in shown:
            return SAID
        ids = [f"s{n}" for n in (1, 2, 3)]
        given = [{"id": id, "verdict": "not supported" if id == "s2" else "supported"} for id in ids]
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


def test_the_calls_that_confirm_are_said_beforehand_and_never_passed() -> None:
    for method, step in (("drift", "plan"), ("fusion", "plan"), ("global", "reports")):
        answer, backend = ask(BATTLES, method, check_support="model")
        without, _ = ask(BATTLES, method)
        told = [next(one.data["calls"] for one in found.steps if one.name == step) for found in (answer, without)]
        assert told[0] > told[1] and len(backend.asked) <= told[0]
    from pipeline.base.settings import SearchSettings

    assert confirming_calls(600, SearchSettings()) == 0
    assert confirming_calls(600, SearchSettings(check_support="model")) == -(-600 // 240) >= 600 / 20 / BATCH


def test_every_sentence_that_was_shown_must_have_a_verdict() -> None:
    shown = tuple(CitedSentence(f"s{n}", "It rained.", (("Weather", "It rained all day."),), 1.0) for n in (1, 2))
    request = SentencesToConfirm("x", shown)
    assert confirm_support.check is not None
    one = SentenceVerdict(id="[s2]", verdict="partly")
    with pytest.raises(ValueError, match="s1"):
        confirm_support.check(request, SentenceVerdicts(verdicts=[one]))
    other = SentenceVerdict(id="s1", verdict="supported")
    kept = confirm_support.check(
        request, SentenceVerdicts(verdicts=[one, other, SentenceVerdict(id="s9", verdict="partly")])
    )
    assert [(v.id, v.verdict) for v in kept.verdicts] == [("s1", "supported"), ("s2", "partly")]
    assert "[s1] It rained.\nPassages:\n- Weather: It rained all day." in confirm_support.render(request)[1]


def test_a_heading_under_which_nothing_is_left_goes_with_it_and_code_stays_whole() -> None:
    parts = [
        ("## Moon", False, ()),
        ("She flew there.", True, ()),
        ("## Paris", False, ()),
        ("She lost.", True, (2,)),
        ("```\nx = a[1]\n```", True, (2,)),
    ]
    text = ""
    sentences = []
    for said, asserts, sources in parts:
        sentences.append(Sentence(len(text), len(text) + len(said), sources, asserts))
        text += said + "".join(f" [{n}]" for n in sources) + "\n"
    answer = Answer("?", "basic", text.rstrip(), (), (), Coverage(1, "all"), sentences=tuple(sentences))
    left = without_unsupported(answer)
    assert left.text == "## Paris\nShe lost. [2]\n```\nx = a[1]\n``` [2]"
    assert [left.text[s.start : s.end] for s in left.sentences] == ["## Paris", "She lost.", "```\nx = a[1]\n```"]


def test_a_sentence_that_cites_nothing_is_looked_for_in_the_corpus() -> None:
    said = Prose(text="The assault on Paris failed. Joan of Arc flew to the moon with Napoleon.")
    answer, _ = ask(BATTLES, "basic", {"answer_from_passages": lambda request: said})
    assert answer.text.startswith("The assault on Paris failed. [1]")
    assert answer.unsupported_sentences == ("Joan of Arc flew to the moon with Napoleon.",)
    check_answer(answer)
