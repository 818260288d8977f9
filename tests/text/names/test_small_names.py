"""Names in small letters and in emphasis are entities where a corpus uses them as names, and no other words are."""

from pipeline.text.names.chunk_scan import scan
from pipeline.text.names.vocabulary import Matcher, Name, choose

TOOL = (
    "_Slate_ is a linter for shell scripts. You run _Slate_ on a folder. Click **Save** when _Slate_'s window opens.",
    "`slatesrv` is the server of _Slate_. It listens on port 80. Nobody but slatesrv writes there. Click **Save** once more.",
    "`slatesrv` keeps no state, so that slatesrv may stop at any time; restart slatesrv with slatesrv itself. Click **Save** to go on.",
    "- [shfold](https://shfold.example) folds lines. _Slate_ calls shfold, and shfold reads its output. Run shfold first.",
    "### shfold\n\nOther folders fail where shfold works, as shfold itself says.",
)


def chosen(*texts: str) -> dict[str, Name]:
    return {name.title: name for name in choose(scan(text, "") for text in texts)}


def test_what_texts_write_small_or_in_emphasis_and_speak_of_is_an_entity() -> None:
    found = chosen(*TOOL)
    assert {"Slate", "slatesrv", "shfold"} <= set(found) and "Save" not in found
    matched = Matcher(found.values()).find("Then Slate asks slatesrv.")
    assert [match.title for match in matched] == ["Slate", "slatesrv"]


def test_a_plural_that_does_what_one_thing_does_is_a_name() -> None:
    text = "Turnips is a tagger. Import a disc with turnips and look at it. It is turnips and nothing else that tags."
    assert "turnips" in chosen(text, text.replace("disc", "file"))
    assert "turnips" not in chosen(
        text.replace("Turnips is a tagger", "Turnips are roots"), text.replace("is a tagger", "are roots")
    )


def test_a_service_that_a_table_lists_is_an_entity_and_a_mark_of_state_is_none() -> None:
    table = (
        "Service: metering | Owner: Ada Thorne\nService: biller | Owner: Ben Okar\nService: feed-relay | State: wontfix"
    )
    prose = (
        "The biller writes to the disc. The feed-relay passes on what the biller sends.",
        "The biller was slow, and the feed-relay tried again. We stopped the biller and the feed-relay.",
        "The feed-relay is run by Ada Thorne. Nobody asked the biller. It was wontfix, wontfix and again wontfix.",
    )
    found = chosen(table, *prose)
    assert {"biller", "feed-relay"} <= set(found) and "wontfix" not in found


def test_an_instruction_is_no_part_of_a_name_and_a_heading_of_manuals_none() -> None:
    found = chosen(
        "# Installation\n\n- Adds DrumKit\n- Updated URLs\n- Raise QueueError\n- Move Files\n",
        "# Using the Sorter\n\nThe configuration is kept in one place.\n\n## See Also\n\n## Getting Started\n",
    )
    assert {"DrumKit", "QueueError"} <= set(found)
    assert not {"Adds DrumKit", "Updated URLs", "Move Files", "Installation", "See Also", "Getting Started"} & set(
        found
    )
