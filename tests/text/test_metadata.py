"""Metadata are read by column, and what a question may name of them can be looked for."""

from pipeline.text.metadata import correspondents, full_title, labels, read_metadata, sent_by, sent_from_to


def test_values_inside_others_have_a_dotted_column_in_lower_case() -> None:
    assert read_metadata('{"Author":{"Name":"Ruth Vale"},"tags":["a"]}') == {"author.name": "Ruth Vale", "tags": ["a"]}


def test_a_document_without_metadata_has_no_column() -> None:
    assert read_metadata(None) == read_metadata("") == read_metadata("null") == {}


def test_labels_hold_values_and_the_month_of_a_date_and_nothing_of_how_a_document_was_read() -> None:
    stored = '{"record":"T-17","encoding":"utf-8","customer":"Acme Corp","date":"2025-03-19T10:00:00Z","open":true,"tags":["late",2]}'
    assert labels(stored) == "Acme Corp March 2025 late 2"


def test_a_long_value_is_no_label() -> None:
    assert labels('{"note":"' + "x" * 201 + '"}') == ""


def test_a_title_has_the_date_of_its_document_once() -> None:
    assert full_title("Minutes", '{"Date": "2024-03-11"}') == "Minutes (2024-03-11)"
    assert full_title("2024-03-11 Minutes", '{"date": "2024-03-11"}') == "2024-03-11 Minutes"
    assert full_title("Minutes", '{"updated": "2024"}') == full_title("Minutes", None) == "Minutes"


def test_beside_the_title_of_a_mail_stand_who_sent_it_and_to_whom_and_how_many_others() -> None:
    many = ", ".join(f"P{n} <p{n}@x.example>" for n in range(8))
    stored = f'{{"date": "2024-03-11", "from": "Jane Hill <j@x.example>", "to": "{many}"}}'
    assert full_title("Roof", stored) == "Roof (2024-03-11, from Jane Hill to P0, P1, P2, P3, P4, P5 and 2 others)"
    letter = '{"signed": "Edmund Vane", "addressed": "Miss Thorne", "date": "1874-03-12"}'
    assert full_title("Mole", letter) == "Mole (1874-03-12, from Edmund Vane to Miss Thorne)"
    assert sent_by(letter) == "Edmund Vane, 1874-03-12" and correspondents(letter) == (["Edmund Vane"], ["Miss Thorne"])
    assert sent_from_to('{"from": "jane@x.example", "to": ""}') == "from jane@x.example"
    assert sent_from_to('{"from": "Leeds", "to": "York"}') == sent_from_to("{}") == sent_from_to(None) == ""


def test_a_mail_says_who_sent_it_and_when_and_a_table_with_a_column_from_does_not() -> None:
    assert sent_by('{"from": "Jane Hill <jane@x.example>", "date": "2024-03-04"}') == "Jane Hill, 2024-03-04"
    assert sent_by('{"from": "jane@x.example"}') == "jane@x.example"
    assert sent_by('{"from": "Corvane Safety", "date": "2024-03-04"}') == sent_by("{}") == sent_by(None) == ""


def test_who_sent_a_mail_and_whom_it_is_to_are_told_by_name_and_only_of_mails() -> None:
    stored = '{"from":"Ruth Vale <r@vale.example>","to":"Tom Hall <t@hall.example>, office@hall.example, \\"Lee, Ann\\" <a@lee.example>"}'
    assert correspondents(stored) == (["Ruth Vale"], ["Tom Hall", "Lee, Ann"])
    assert correspondents('{"from":"Leeds","to":"York"}') == correspondents(None) == ([], [])
