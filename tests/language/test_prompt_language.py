"""In which language replies are asked for: what is said of a text in the text's, what answers a question in the question's."""

from pipeline.base.settings import parse_settings
from pipeline.language.tasks.registry import TASKS
from pipeline.language.transport.custom_prompts import common

ANSWERS = {
    "answer_from_passages",
    "answer_from_notebook",
    "map_reports",
    "reduce_points",
    "write_opening",
    "prime_question",
    "answer_follow_up",
    "reduce_answers",
}


def test_what_answers_a_question_is_written_in_its_language_and_what_tells_of_a_text_in_the_texts() -> None:
    prompted = {name: task.prompt.fields for name, task in TASKS.items() if task.prompt}
    assert {name for name, fields in prompted.items() if "answer_language" in fields} == ANSWERS
    assert {"extract_graph", "write_report", "read_chunk"} <= {
        name for name, fields in prompted.items() if "language" in fields
    }
    filled = common(parse_settings({}))
    assert (filled["language"], filled["answer_language"]) == (
        "the language of the text",
        "the language of the question",
    )


def test_a_language_that_settings_name_is_that_of_everything_written() -> None:
    filled = common(parse_settings({"language": {"output": "German"}}))
    assert filled["language"] == filled["answer_language"] == "German"
