"""Verify finds what is wrong with an index of ours, and nothing in a good one."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.base.errors import StoreError, VerifyError
from pipeline.base.input_files import InputFiles
from pipeline.base.schema import CHUNKS, EMBEDDINGS, FACTS, SENTENCES
from pipeline.cli.commands.exchange_commands import verify_index
from pipeline.exchange.verify.check import Check, as_json, as_text, impossible, unchecked
from pipeline.exchange.verify.origins import check_fact_texts
from pipeline.exchange.verify.verify import verify
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, project
from tests.documents.kinds.test_kinds import EPUB, MAIL, VTT, archive, slides, spreadsheet
from tests.documents.office.test_office import pdf, word
from tests.exchange_cases import Row, change, copy_of, first, make_index, opened, save_manifest, write
from workflows.stages import index_passages

Rows = list[Row]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_index(tmp_path_factory.mktemp("good"))


def faults(index: Path) -> dict[str, int]:
    kind, checks = verify(index, retrieval=index_passages)
    assert kind == "graphstrata"
    return {check.name: check.faults for check in checks if check.faults}


def some(rows: Rows, test: Callable[[Row], object] = lambda row: True) -> Row:
    return next(row for row in rows if test(row))


def altered_text(rows: Rows) -> Rows:
    rows[0]["text"] = rows[0]["text"].replace("Ada", "Eva", 1) + "."
    return rows


def swapped_positions(rows: Rows) -> Rows:
    later = some(rows, lambda row: row["position"] == 1)
    earlier = some(rows, lambda row: row["document_id"] == later["document_id"] and row["position"] == 0)
    later["position"], earlier["position"] = 0, 1
    return rows


def dangling_chunk(rows: Rows) -> Rows:
    rows[0]["chunk_ids"] = [*rows[0]["chunk_ids"], "0" * 20]
    return rows


def moved(column: str, by: int) -> Callable[[Rows], Rows]:
    def how(rows: Rows) -> Rows:
        row = some(rows, lambda row: row["start"] is not None)
        row["start"], row["end"] = row["start"] + by, row["end"] + by
        return rows

    return how


def raised(column: str, by: float) -> Callable[[Rows], Rows]:
    def how(rows: Rows) -> Rows:
        rows[0][column] += by
        return rows

    return how


def without_last(rows: Rows) -> Rows:
    return rows[:-1]


def turned_round(rows: Rows) -> Rows:
    rows[0]["source"], rows[0]["target"] = rows[0]["target"], rows[0]["source"]
    return rows


def second_row(**values: object) -> Callable[[Rows], Rows]:
    return lambda rows: [*rows, rows[0] | values]


def homeless(rows: Rows) -> Rows:
    lost = some(rows, lambda row: row["level"] == 0)["entity_ids"][0]
    for row in rows:
        row["entity_ids"] = [id for id in row["entity_ids"] if id != lost]
    return rows


def in_two_places(rows: Rows) -> Rows:
    one, two, *_ = [row for row in rows if row["level"] == 0]
    two["entity_ids"] = [*two["entity_ids"], one["entity_ids"][0]]
    return rows


def strange_child(rows: Rows) -> Rows:
    child = some(rows, lambda row: row["level"] == 1)
    other = some(rows, lambda row: row["level"] == 0 and row["community"] != child["parent"])
    child["entity_ids"] = [*child["entity_ids"], other["entity_ids"][0]]
    return rows


def disowned_child(rows: Rows) -> Rows:
    some(rows, lambda row: row["children"])["children"] = []
    return rows


def missing_part(rows: Rows) -> Rows:
    child = some(rows, lambda row: row["level"] == 1 and row["size"] > 1)
    child["entity_ids"] = child["entity_ids"][1:]
    return rows


def emptied(column: str) -> Callable[[Rows], Rows]:
    def how(rows: Rows) -> Rows:
        some(rows, lambda row: row[column])[column] = []
        return rows

    return how


def shown_too_many(rows: Rows) -> Rows:
    rows[0]["edges_shown"] = rows[0]["edges_owned"] + 1
    return rows


def citing(id: str) -> Callable[[Rows], Rows]:
    def how(rows: Rows) -> Rows:
        some(rows, lambda row: row["findings"])["findings"][0]["citations"].append(id)
        return rows

    return how


def moved_name(rows: Rows) -> Rows:
    some(rows, lambda row: "" in row["roles"])["starts"][0] += 1
    return rows


def overlapping(rows: Rows) -> Rows:
    rows[1]["start"] = rows[0]["end"] - 1
    return rows


def with_a_gap(rows: Rows) -> Rows:
    rows[0]["place_offsets"] = [1, *rows[0]["place_offsets"][1:]]
    return rows


def shifted(rows: Rows) -> Rows:
    for row in rows:
        row["place_starts"] = [start + 3 for start in row["place_starts"]]
    return rows


def widened(rows: Rows) -> Rows:
    some(rows, lambda row: row["entity"] is None and row["level"] == 0)["radius"] *= 3
    return rows


def also_called(name: str) -> Callable[[Rows], Rows]:
    def how(rows: Rows) -> Rows:
        rows[0]["aliases"] = [*rows[0]["aliases"], name]
        return rows

    return how


INVENTED = "A comet struck the lighthouse keeper's submarine beneath Valparaiso during Thursday's banquet."


def put(column: str, value: object) -> Callable[[Rows], Rows]:
    """Return a change of one row of a table."""

    def how(rows: Rows) -> Rows:
        rows[0][column] = value
        return rows

    return how


def in_finding(key: str, value: object) -> Callable[[Rows], Rows]:
    """Return a change of one finding of a report, in its text, too."""

    def how(rows: Rows) -> Rows:
        row = some(rows, lambda row: row["findings"])
        finding = row["findings"][0]
        finding[key] = value
        row["full_content"] += "\n\n" + finding["explanation"]
        return rows

    return how


def of_several(column: str, how: Callable[[list[object]], list[object]]) -> Callable[[Rows], Rows]:
    """Return a change of the first list of two or more."""

    def changed(rows: Rows) -> Rows:
        row = some(rows, lambda row: len(row[column]) > 1)
        row[column] = how(row[column])
        return rows

    return changed


def told_once(rows: Rows) -> Rows:
    """Another description of an entity that one chunk alone describes."""
    some(rows, lambda row: row["frequency"] == 1)["description"] += " So it is."
    return rows


def dated(**values: object) -> Callable[[Rows], Rows]:
    def how(rows: Rows) -> Rows:
        row = some(rows, lambda row: row["date_starts"])
        row |= {column: [value] * len(row["date_starts"]) for column, value in values.items()}
        return rows

    return how


ALIAS_OF_NOBODY = {
    "name": "X",
    "entity": "Nobody",
    "joined": True,
    "evidence": "words",
    "score": 1.0,
    "by": "rule",
    "reason": "",
    "type": None,
}
PLANTED: dict[str, tuple[str, Callable[[Rows], Rows], str]] = {
    "a chunk whose text is not its document's": ("chunks", altered_text, "chunks are their document's text"),
    "a span that is off by two": ("chunks", moved("start", 2), "chunks are their document's text"),
    "chunks in the wrong order": ("chunks", swapped_positions, "chunks in reading order"),
    "a reference to a chunk that is not there": ("entities", dangling_chunk, "references"),
    "a stretch of a text that leads nowhere": ("documents", with_a_gap, "places of documents are whole"),
    "a name where it is not": ("sentences", moved_name, "names are where they should be"),
    "sentences that overlap": ("sentences", overlapping, "names are where they should be"),
    "a quote where it is not": ("claims", moved("start", 3), "quotes are in their chunk"),
    "a sentence that a fact was not made from": ("facts", moved("start", 1), "sentences of facts are in their chunk"),
    "a frequency that its mentions do not make": ("entities", raised("frequency", 1), "frequencies from mentions"),
    "a mention that was lost": ("entity_mentions", without_last, "frequencies from mentions"),
    "a weight that its mentions do not sum to": ("relationships", raised("weight", 0.5), "weights from mentions"),
    "a relationship that was lost": ("relationships", without_last, "weights from mentions"),
    "a name of nobody": (
        "aliases",
        lambda rows: [*rows, ALIAS_OF_NOBODY],
        "names are of one entity",
    ),
    "a name that nobody decided": ("entities", also_called("X"), "names are of one entity"),
    "a wrong degree": ("entities", raised("degree", 1), "degrees from relationships"),
    "a wrong combined degree": ("relationships", raised("combined_degree", 2), "degrees from relationships"),
    "ends out of order": ("relationships", turned_round, "ends in order, pairs once"),
    "a pair with two rows": ("relationships", second_row(id="f" * 20), "ends in order, pairs once"),
    "a key that is there twice": ("facts", second_row(), "no key twice"),
    "a title that is there twice": ("entities", second_row(id="f" * 20), "no key twice"),
    "a fact that its key elements do not name": ("key_elements", emptied("fact_ids"), "facts and key elements agree"),
    "a key element that its facts do not name": ("facts", emptied("key_element_ids"), "facts and key elements agree"),
    "a key element's wrong frequency": ("key_elements", raised("frequency", 1), "facts and key elements agree"),
    "an entity without a community": ("communities", homeless, "no entity without a community"),
    "an entity in two communities": ("communities", in_two_places, "each level a partition"),
    "a child with a member its parent lacks": ("communities", strange_child, "children within parents"),
    "a parent that does not know its children": ("communities", disowned_child, "children within parents"),
    "a member that no part has": ("communities", missing_part, "children within parents"),
    "a community without its relationships": ("communities", emptied("relationship_ids"), "what communities hold"),
    "a community's wrong size": ("communities", raised("size", 1), "what communities hold"),
    "an entity without a place": ("layout", lambda rows: rows[1:], "a place on the map"),
    "a community drawn into its siblings": ("layout", widened, "a place on the map"),
    "an entity drawn outside its community": ("layout", raised("x", 50), "a place on the map"),
    "a report that was lost": ("community_reports", without_last, "a report for each community"),
    "a report that miscounts what it owns": ("community_reports", raised("edges_owned", 1), "relationships owned"),
    "a report that shows more than there is": ("community_reports", shown_too_many, "relationships shown"),
    "a description that nobody gave": ("entities", put("description", INVENTED), "descriptions follow from mentions"),
    "a relationship that nobody described": (
        "relationships",
        put("description", INVENTED),
        "descriptions follow from mentions",
    ),
    "a fact that nobody stated": ("facts", put("text", INVENTED), "facts follow from their chunks"),
    "a report of another text": (
        "community_reports",
        put("full_content", INVENTED),
        "texts of reports are their findings",
    ),
    "a rank out of range": ("community_reports", put("rank", 99.0), "ranks from 0 to 10"),
    "a finding without citations": ("community_reports", in_finding("citations", []), "findings cite rows"),
    "a finding that its rows do not say": (
        "community_reports",
        in_finding("explanation", INVENTED),
        "findings follow from what they cite",
    ),
    "a passage with other words": ("retrieval_passages", emptied("tokens"), "retrieval tables are made of the texts"),
    "a word in other passages": ("retrieval_terms", emptied("postings"), "retrieval tables are made of the texts"),
    "a name that was lost to retrieval": ("retrieval_names", without_last, "retrieval tables are made of the texts"),
    "a form of another name": ("retrieval_forms", emptied("form_names"), "retrieval tables are made of the texts"),
    "a citation of nothing": ("community_reports", citing("0" * 20), "citations resolve"),
    "an id that is no hash": ("relationships", put("id", "f" * 20), "ids are hashes of their rows"),
    "a document of another file": ("documents", put("source", "elsewhere.txt"), "ids are hashes of their rows"),
    "a claim that said something else": ("claims", put("description", INVENTED), "ids are hashes of their rows"),
    "a fact with a word changed": ("facts", put("text", "Ada Thorne built it."), "ids are hashes of their rows"),
    "members in another order": (
        "communities",
        of_several("entity_ids", lambda ids: ids[::-1]),
        "ids are hashes of their rows",
    ),
    "a status that there is not": ("claims", put("status", "MAYBE"), "values are as declared"),
    "a date that is none": ("claims", put("start_date", "last week"), "values are as declared"),
    "a name of an unknown kind": ("vocabulary", put("kind", "nickname"), "values are as declared"),
    "a name without a form": ("vocabulary", put("forms", []), "values are as declared"),
    "a name that is nowhere": ("vocabulary", put("spread", 0), "values are as declared"),
    "a report of an unknown hand": ("community_reports", put("written_by", "nobody"), "values are as declared"),
    "a document without a title": ("documents", put("title", ""), "values are as declared"),
    "metadata that are no object": ("documents", put("metadata", "[]"), "values are as declared"),
    "a file whose lines begin at 2": ("documents", put("place_first", 2), "values are as declared"),
    "a sentence in no language": ("sentences", put("language", "English"), "values are as declared"),
    "a date outside its sentence": ("sentences", dated(date_starts=9999, date_ends=10_000), "values are as declared"),
    "a date that ends before it begins": ("sentences", dated(date_lasts="0001-01-01"), "values are as declared"),
    "a row that is twice in a list": (
        "key_elements",
        of_several("fact_ids", lambda ids: [*ids, ids[0]]),
        "values are as declared",
    ),
    "a text with other tokens": ("chunks", raised("n_tokens", 1), "lengths in tokens"),
    "a fact with a place and no quote": ("facts", put("quote", None), "sentences of facts are in their chunk"),
    "an entity of another type": ("entities", put("type", "BIRD"), "types follow from mentions"),
    "a description with a sentence more": ("entities", told_once, "descriptions follow from mentions"),
    "a community by another name": ("communities", put("title", "X"), "what communities hold"),
    "a community without its chunks": ("communities", emptied("chunk_ids"), "what communities hold"),
    "a community at another level of the map": ("layout", raised("level", 1), "a place on the map"),
    "a place that is no number": ("layout", put("x", float("nan")), "a place on the map"),
    "an entity with a disk": ("layout", put("radius", 1.0), "a place on the map"),
    "an entity of no community": ("layout", put("community", None), "a place on the map"),
    "a finding that the report's text has twice": (
        "community_reports",
        in_finding("summary", ""),
        "texts of reports are nothing else",
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_it_finds(fault: str, good: Path, tmp_path: Path) -> None:
    table, how, expected = PLANTED[fault]
    index = copy_of(good, tmp_path / "index")
    change(index, table, how)
    assert expected in faults(index)


@pytest.mark.parametrize(
    ("table", "how"),
    [
        ("chunks", without_last),
        ("chunks", put("document_id", "0" * 20)),
        ("documents", without_last),
        ("documents", put("metadata", "{")),
        ("entity_mentions", put("chunk_id", "0" * 20)),
    ],
)
def test_rows_that_contradict_each_other_are_faults_and_not_the_end(
    table: str, how: Callable[[Rows], Rows], good: Path, tmp_path: Path
) -> None:
    index = copy_of(good, tmp_path / "index")
    change(index, table, how)
    assert faults(index)


def test_where_the_tokenizer_of_an_index_is_not_at_hand_lengths_are_not_checked_and_that_is_said(
    good: Path, tmp_path: Path
) -> None:
    index = copy_of(good, tmp_path / "index")
    manifest = json.loads((index / "manifest.json").read_text())
    save_manifest(index, manifest | {"tokenizer": "no_such_encoding"})
    (lengths,) = [check for check in verify(index)[1] if check.name == "lengths in tokens"]
    assert lengths.faults == 0 and lengths.note.startswith("not checked")


def test_a_fact_that_has_a_name_where_its_sentence_has_a_pronoun_follows_from_its_chunk() -> None:
    said = "Er könnte den Wald angezündet haben."
    fact = said.replace("Er", "Arkadius Leonhard Brenner")
    chunk, quote = ("c", "d", 0, 0, len(said), "", said, 7), ("f", fact, said, 0, len(said), ["c"], [])
    sentence = ("c", 0, len(said), "de", ["Arkadius Leonhard Brenner"], [0], [2], ["subject"], [], [], [], [])
    tables = {"chunks": CHUNKS.rows([chunk]), "facts": FACTS.rows([quote])}
    assert check_fact_texts({**tables, "sentences": SENTENCES.rows([sentence])}).faults == 0
    assert check_fact_texts({**tables, "sentences": SENTENCES.empty()}).faults == 1


def test_a_finding_may_give_the_dates_of_the_claim_that_it_cites(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    change(index, "claims", first(description="He lived.", quote="", start_date="0101-01-01", end_date="0200-12-31"))
    claim = opened(index).table("claims")["id"][0].as_py()
    told = {"summary": "", "explanation": "He lived. (0101-01-01 to 0200-12-31)", "citations": [claim]}
    change(index, "community_reports", first(findings=[told]))
    assert "findings follow from what they cite" not in faults(index)
    change(index, "claims", first(start_date=None, end_date=None))
    assert "findings follow from what they cite" in faults(index)


def test_it_finds_places_that_are_not_where_the_files_have_the_words(tmp_path: Path) -> None:
    made = project(tmp_path / "made")
    run_index(made)
    files = InputFiles(made.input, made.settings.input)

    def found() -> dict[str, tuple[int, str]]:
        return {check.name: (check.faults, check.note) for check in verify(made.store.folder, files)[1]}

    name = "places are those of the files"
    assert found()[name] == (0, "")
    change(made.store.folder, "documents", shifted)
    assert found()[name] == (len(TEXTS), "")
    change(made.store.folder, "documents", put("source", "elsewhere.txt"))
    assert found()[name][0] == len(TEXTS)
    (made.input / "railway.txt").write_text("other words")
    files = InputFiles(made.input, made.settings.input)
    assert found()[name] == (0, "not checked: the input files are others than those that were indexed")


def test_it_finds_a_citation_of_a_row_outside_the_community(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    report = some(opened(index).table("community_reports").to_pylist(), lambda row: row["findings"])
    others = some(
        opened(index).table("communities").to_pylist(),
        lambda row: row["level"] == report["level"] and row["community"] != report["community"],
    )
    change(index, "community_reports", citing(others["entity_ids"][0]))
    assert set(faults(index)) == {"citations lie in their community"}


def test_a_good_index_has_no_fault_and_every_promise_was_looked_into(good: Path) -> None:
    assert faults(good) == {}
    _, checks = verify(good, retrieval=index_passages)
    assert {check.name for check in checks} >= {expected for _, _, expected in PLANTED.values()}
    assert all(check.looked_at for check in checks if check.name != "vectors match rows")


def test_an_index_of_every_kind_of_file_has_no_fault(tmp_path: Path) -> None:
    kinds: dict[str, str | bytes] = {
        "a.html": "<h1>Mills</h1><p>Ruth Vale built the mill of Carrow.</p><table><tr><td>wheel</td><td>12</td></tr></table>",
        "b.csv": "id,note\nT-1,Ruth Vale mended the wheel of the mill.\n",
        "c.jsonl": '{"id": "T-2", "text": "Ruth Vale sold the mill to Ada Thorne."}\n',
        "d.rst": "Mills\n=====\n\nRuth Vale lived at Carrow.\n",
        "e.org": "* Mills\nRuth Vale died at Leith.\n",
        "f.vtt": VTT,
        "g.eml": MAIL,
        "h.epub": archive(**EPUB),
        "i.docx": word("<w:p><w:r><w:t>Ruth Vale drew the plans of the mill.</w:t></w:r></w:p>"),
        "j.pdf": pdf(["Ruth Vale came to Carrow.", "She left in 1874."]),
        "k.xlsx": spreadsheet(("part", "maker", "price"), ("wheel", "Ruth Vale", 12.0)),
        "l.pptx": slides(),
        "m.xlsx": spreadsheet(
            ("Mills",), ("no", "miller", "paid"), (), ("North",), (1, "Omar", None), (), ("South",), (2, "Ada", 7)
        ),
    }
    made = project(tmp_path / "made")
    for name, content in kinds.items():
        (made.input / name).write_bytes(content.encode() if isinstance(content, str) else content)
    run_index(made)
    assert opened(made.store.folder).table("failures").num_rows == 0
    checks = verify(made.store.folder, InputFiles(made.input, made.settings.input), index_passages)[1]
    assert {check.name: check.examples for check in checks if check.faults} == {}


def vectors(good: Path) -> Iterator[tuple[str, str, int, list[float]]]:
    for name in ("chunks", "entities"):
        for id in opened(good).table(name)["id"].to_pylist():
            yield name, id, 0, [0.6, 0.8]


def test_vectors_of_every_row_are_no_fault(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    write(index, "embeddings", EMBEDDINGS.rows(vectors(good)))
    assert faults(index) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        ("chunks", "0" * 20, [0.6, 0.8]),
        ("nothing", "0" * 20, [0.6, 0.8]),
        ("chunks", None, [0.6, 0.7]),
        ("chunks", None, [1.0]),
        ("chunks", None, [float("nan"), 1.0]),
        ("chunks", None, None),
    ],
    ids=["of no row", "of no table", "not of unit length", "of another size", "not a number", "none for a row"],
)
def test_it_finds_a_vector(wrong: tuple[str, str | None, list[float] | None], good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    (table, id, numbers), (_, first, *whole), *rest = wrong, *vectors(good)
    replaced = [] if numbers is None else [(table, id or first, 0, numbers)]
    kept = rest if id is None else [("chunks", first, *whole), *rest]
    write(index, "embeddings", EMBEDDINGS.rows([*replaced, *kept]))
    assert set(faults(index)) == {"vectors match rows"}


def test_it_finds_another_schema_version(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    manifest = json.loads((index / "manifest.json").read_text())
    manifest["tables"]["claims"]["version"] += 1
    save_manifest(index, manifest)
    assert set(faults(index)) == {"schema versions"}


def test_it_finds_a_file_that_is_not_what_the_manifest_says(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    before = (index / "manifest.json").read_bytes()
    change(index, "claims", first(type="something else"))
    (index / "manifest.json").write_bytes(before)
    assert set(faults(index)) == {"files as published"}


def test_it_finds_a_plain_file_that_is_not_the_published_table(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    (index / "claims.parquet").unlink()
    (index / "facts.parquet").write_bytes(b"PAR1")
    assert faults(index) == {"files as published": 2}


def test_a_damaged_file_is_a_fault_and_not_the_end(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    path = index / opened(index).manifest.tables["relationships"].file
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    found = faults(index)
    assert found["files as published"] == 1 and "degrees" in found and "chunks in reading order" not in found


def test_a_column_of_another_type_is_a_fault_and_not_the_end(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    table = opened(index).table("entities")
    place = table.column_names.index("degree")
    write(index, "entities", table.set_column(place, "degree", table["degree"].cast(pa.string())))
    assert "tables fit their declaration" in faults(index)


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no index in"):
        verify(tmp_path)


def test_a_file_outside_the_index_is_not_read(good: Path, tmp_path: Path) -> None:
    index = copy_of(good, tmp_path / "index")
    path = index / opened(index).manifest.tables["claims"].file
    path.replace(tmp_path / "claims.parquet")
    path.symlink_to(tmp_path / "claims.parquet")
    assert "files as published" in faults(index)


def test_the_command_prints_every_check_and_exits_with_10_on_faults(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verify_index(tmp_path, good, json=False)
    assert "ok    references" in capsys.readouterr().out
    index = copy_of(good, tmp_path / "index")
    change(index, "chunks", altered_text)
    with pytest.raises(VerifyError, match="chunks are their document's text") as error:
        verify_index(tmp_path, index, json=True)
    assert error.value.exit_code == 10
    printed = json.loads(capsys.readouterr().out)
    assert printed["index"] == "graphstrata" and printed["faults"] >= 1


def test_shares_and_examples_are_printed_in_lines_that_a_terminal_can_show() -> None:
    check = Check("promise", 200, 3, ("one\x1b[31m",), "a note")
    assert check.share == 0.015
    assert as_text([check]).splitlines()[0].endswith("3 of 200 (1.5%); a note")
    assert as_text([check]).endswith("\n0 of 1 check found no fault")
    assert json.loads(as_json("graphstrata", [check]))["checks"][0]["share"] == 0.015


def test_a_check_that_could_not_be_made_says_why_and_counts_nothing() -> None:
    printed = as_text([unchecked("quotes", ["claims"]), impossible("degrees", ValueError("no such row"))])
    assert "FAULT quotes  not checked, for claims cannot be read" in printed
    assert "FAULT degrees not checked, for its tables contradict each other" in printed
    assert " of 0" not in printed and "%" not in printed
