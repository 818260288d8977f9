"""Which sentences are alike but for names and figures, and which say different things in few words."""

import pyarrow as pa
import pytest

from pipeline.text.summary.alike import patterns


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("This letter of 3 May is for Ann Thorne and for nobody else.", "This letter of 12 July is for Bob and for nobody else.", False),
        ("This letter is for Ann Thorne alone and may not be read by others.", "This letter is for Bob Cole alone and may not be read by others.", True),
        ("Order 17 is on its way and will be with you by tomorrow.", "Order 18 is on its way and will be with you by tomorrow.", True),
        ("Ann Thorne was born in Paris in 1950.", "Bob Cole was born in Rome in 1960.", False),
        ("Der Hund ist ein Tier der Menschen.", "Der Baum ist ein Holz der Menschen.", False),
        ("王小明在北京的学校里学习了三年。", "李小明在北京的学校里学习了三年。", False),
    ],
)  # fmt: skip
def test_sentences_with_enough_other_words_are_compared_by_these_alone(one: str, other: str, alike: bool) -> None:
    first, second = patterns(pa.array([one, other])).to_pylist()
    assert (first == second) == alike
