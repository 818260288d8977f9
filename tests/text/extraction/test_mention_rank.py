"""How much a sentence says of a name in it, and which descriptions of a name are kept for that."""

import pytest

from pipeline.language.tasks.indexing.summarise_descriptions import ManyDescriptions, offline
from pipeline.text.extraction.mention_rank import MentionRank, mention_rank, rank_of_mention


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ann Thorne is the engineer of the mole.", MentionRank.DEFINES),
        ("Ann Thorne, an engineer, built the mole.", MentionRank.DEFINES),
        ("Ann Thorne built the mole of Carrow in May.", MentionRank.OPENS),
        ("The mole of Carrow was built by Ann Thorne.", MentionRank.MENTIONS),
        ("Did they say that Ann Thorne built it all?", MentionRank.FRAGMENT),
        ("Ann Thorne: Yeah, that is so very interesting.", MentionRank.LABEL),
        ("To: Ann Thorne; Ben Cole; Carla Dunn; Dora Eames", MentionRank.LABEL),
        ("Dear Ann Thorne,", MentionRank.LABEL),
    ],
)
def test_what_a_sentence_says_of_a_name(sentence: str, expected: int) -> None:
    at = sentence.index("Ann Thorne")
    assert mention_rank(sentence, 0, len(sentence), at, at + len("Ann Thorne")) == expected
    assert rank_of_mention("Ann Thorne", sentence) == expected


def test_a_speaker_is_described_by_what_is_said_of_him_and_not_by_what_he_says() -> None:
    spoken = [f"ANN THORNE: Yeah, number {n} is so very interesting." for n in range(60)]
    told = ["And our guest Ann Thorne built the mole of Carrow.", "Ann is the chief engineer of the harbour."]
    written = offline(ManyDescriptions("Ann Thorne", "Ann Thorne", (*spoken, *told), 40)).description
    assert written.splitlines() == [told[1], told[0]]
    only = offline(ManyDescriptions("Ann Thorne", "Ann Thorne", tuple(spoken), 40)).description
    assert only.startswith("ANN THORNE: ")
