"""Who wrote to whom: the heads of letters in a text, and the headers of a mail that its text does not have."""

from pipeline.text.extraction.annotate import annotate
from pipeline.text.extraction.correspondents import letters, mails, written_pairs
from pipeline.text.extraction.relations import relate
from tests.text.extraction.test_relations import matches, related

LETTER = "From: Ada Thorne\nTo: Ben Okar\nCc: Mary Voss\nSubject: The west mole\n\nDear Ben,\n\nThe mole has sunk by a foot.\n"


def test_the_head_of_a_letter_relates_who_wrote_it_to_whom_and_says_so() -> None:
    found = {
        (one.source, one.target): one for one in related(LETTER, matches(LETTER, "Ada Thorne", "Ben Okar", "Mary Voss"))
    }
    assert set(found) == {("Ada Thorne", "Ben Okar")}
    head = found["Ada Thorne", "Ben Okar"]
    assert (
        head.description == "From: Ada Thorne To: Ben Okar Cc: Mary Voss Subject: The west mole" and head.weight == 1.0
    )


def test_without_a_subject_its_first_sentence_says_what_a_letter_is_about() -> None:
    text = "Von: Petra Kern\nAn: Jonas Vogt\n\nLieber Jonas,\n\ndas Dach ist seit Montag undicht.\n"
    [letter] = letters(text, annotate(text, matches(text, "Petra Kern", "Jonas Vogt")))
    assert letter.pairs == (("Petra Kern", "Jonas Vogt"),)
    assert letter.description == "Von: Petra Kern An: Jonas Vogt. das Dach ist seit Montag undicht."


def test_a_head_that_names_one_of_them_only_relates_nobody() -> None:
    text = "From: Ada Thorne\nSubject: The west mole\n\nBen Okar is well.\n"
    assert list(letters(text, annotate(text, matches(text, "Ada Thorne", "Ben Okar")))) == []


def test_the_headers_of_a_mail_name_the_entities_of_the_corpus_or_those_that_its_text_calls_shorter() -> None:
    text = "Dear Ben,\n\nthe mole has sunk by a foot since May.\n\nAda"
    reading = annotate(text, matches(text, "Ben", "Ada"))
    known = {"Ada Thorne": "Ada Thorne"}
    pairs = written_pairs(["Ada Thorne"], ["Ben Okar", "Mary Voss"], text, reading, lambda name: known.get(name, ""))
    assert pairs == (("Ada Thorne", "Ben"),)
    [mail] = mails(text, reading, pairs)
    assert mail.pairs == pairs and mail.description == "the mole has sunk by a foot since May."


def test_a_greeting_means_whom_the_text_means_by_it() -> None:
    text = "Dear Mrs Okar,\n\nthe mole has sunk by a foot since May.\n\nYours,\nAda Thorne"
    found = [
        one._replace(title="Mary Okar") if one.title == "Mrs Okar" else one
        for one in matches(text, "Mrs Okar", "Ada Thorne")
    ]
    pairs = written_pairs(["Ada Thorne"], ["Mrs Okar"], text, annotate(text, found), lambda name: "")
    assert pairs == (("Ada Thorne", "Mary Okar"),)


def test_whom_the_writer_of_a_mail_calls_kin_is_related_to_the_writer() -> None:
    text = (
        "Dear Mary,\n\nI lent the coat to my cousin Ben. Tom Hall has a sister Eve.\n\n> My uncle Carl is well.\n\nAda"
    )
    names = matches(text, "Ben", "Eve", "Tom Hall", "Carl", "Ada")
    reading = annotate(text, names)
    pairs = written_pairs(["Ada Thorne"], ["Mary Voss"], text, reading, lambda _: "")
    assert pairs == (("Ada", "Ada"),)
    found = {(one.source, one.target): one.description for one in relate(text, reading, pairs)}
    assert found["Ada", "Ben"] == "I lent the coat to my cousin Ben."
    assert ("Ada", "Eve") not in found and ("Ada", "Carl") not in found
    spanish = "El abrigo se lo presté a mi primo Ben.\n\nAda"
    reading = annotate(spanish, matches(spanish, "Ben", "Ada"))
    assert [one.target for one in relate(spanish, reading, [("Ada", "Ada")])] == ["Ben"]
