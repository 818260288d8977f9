"""The API: every reply is as OpenAPI describes it, and says what the tables say."""

import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pipeline.base.store import Generation, Store
from pipeline.web.replies import to_json
from tests.query_cases import plainly, sample
from tests.web.server_cases import Running

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")


@cache
def published() -> Generation:
    return Store(sample()).open()


def rows(table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = published().table(table).to_pylist()
    return found


def checked(server: Running, operation: str, path: str, **query: Any) -> Any:
    """Return the reply of an operation, validated against what the OpenAPI document says of it."""
    described = server.api("openapi.json")
    [(template, one)] = [
        (template, one["get"])
        for template, one in described["paths"].items()
        if one.get("get", {}).get("operationId") == operation
    ]
    found = server.api(path, **query)
    schema = one["responses"]["200"]["content"]["application/json"]["schema"]
    strict = json.loads(json.dumps(schema).replace("#/components/schemas/", "#/$defs/"))
    definitions = json.loads(
        json.dumps(described["components"]["schemas"]).replace("#/components/schemas/", "#/$defs/")
    )
    jsonschema.Draft202012Validator({**strict, "$defs": definitions}).validate(found)
    assert template.count("/") == f"/api/v1/{path}".count("/")
    return found


def test_the_document_is_openapi_and_describes_every_path_once(server: Running) -> None:
    described = server.api("openapi.json")
    assert described["openapi"].startswith("3.1")
    names = [one["operationId"] for path in described["paths"].values() for one in path.values()]
    assert len(names) == len(set(names))
    for path in described["paths"].values():
        for one in path.values():
            assert one["summary"].endswith(".") and "200" in one["responses"] and "default" in one["responses"]


def test_the_overview_counts_and_names_themes_and_questions(server: Running, at: str) -> None:
    found = checked(server, "read_overview", at)
    assert found["counts"]["entities"] == published().manifest.tables["entities"].rows
    assert 1 <= len(found["themes"]) <= 12 and all(theme["title"] and theme["summary"] for theme in found["themes"])
    assert 3 <= len(found["questions"]) <= 6
    assert found["model"] is None and not any(method["costs"] for method in found["methods"])


def test_what_recurs_is_served_as_an_answer_without_a_model_names_it_each_with_a_question(
    server: Running, at: str
) -> None:
    found = checked(server, "read_recurring", f"{at}/recurring")["items"]
    assert found and all(one["title"] in one["question"] and 1 < one["found_in"] <= one["total"] for one in found)
    answered = plainly("What are the main themes?", "global").text_with_notes
    notes = {one["title"].casefold(): f"in {one['found_in']} of {one['total']} {one['unit']}" for one in found}
    for title, note in list(notes.items())[:3]:
        assert f"**{title}** ({note}" in answered.casefold()


def test_the_map_names_the_best_connected_first_and_the_others_when_asked(server: Running, at: str) -> None:
    whole, some = (checked(server, "read_map", f"{at}/map", **query)["nodes"] for query in ({}, {"named": 5}))
    names = checked(server, "read_map_names", f"{at}/map/names")
    assert names == {"id": whole["id"], "name": whole["name"]}
    named = [row for row, name in enumerate(some["name"]) if name]
    assert len(named) == 5 and [some["name"][row] for row in named] == [whole["name"][row] for row in named]
    assert min(whole["degree"][row] for row in named) >= sorted(whole["degree"])[-5]
    others = ("type", "degree", "x", "y", "community", "leaf")
    assert all(some[column] == whole[column] for column in others)
    assert checked(server, "read_map", f"{at}/map", named=10**6)["nodes"] == whole


def test_the_map_places_every_entity_and_names_its_communities(server: Running, at: str) -> None:
    found = checked(server, "read_map", f"{at}/map", level=1)
    nodes, communities = found["nodes"], found["communities"]
    assert nodes["id"] == [row["id"] for row in rows("entities")]
    assert {len(column) for name, column in nodes.items() if name != "types"} == {len(nodes["id"])}
    places = {row["entity"]: (row["x"], row["y"]) for row in rows("layout") if row["entity"]}
    for id, x, y in zip(nodes["id"], nodes["x"], nodes["y"], strict=True):
        assert (x, y) == pytest.approx(places[id], abs=0.01)
    members = {row["community"]: (row["level"], row["entity_ids"]) for row in rows("communities")}
    for id, top, leaf in zip(nodes["id"], nodes["community"], nodes["leaf"], strict=True):
        assert id in members[communities["id"][top]][1] and members[communities["id"][top]][0] == 0
        assert id in members[communities["id"][leaf]][1] and members[communities["id"][leaf]][0] <= 1
    assert len(found["edges"]["source"]) == len(rows("relationships"))
    between = sum(found["bundles"]["weight"])
    inside = sum(
        row["weight"]
        for row, a, b in zip(rows("relationships"), found["edges"]["source"], found["edges"]["target"], strict=True)
        if nodes["leaf"][a] == nodes["leaf"][b]
    )
    assert between + inside == pytest.approx(sum(row["weight"] for row in rows("relationships")), abs=1)


def test_edges_in_focus_are_those_of_the_entity_the_community_or_the_entities(server: Running, at: str) -> None:
    entity = max(rows("entities"), key=lambda row: row["degree"])
    found = checked(server, "read_edges", f"{at}/map/edges", entity=entity["id"])
    assert found["total"] == entity["degree"] == len(found["edges"]["id"])
    assert all(entity["id"] in pair for pair in zip(found["edges"]["source"], found["edges"]["target"], strict=True))
    community = max(rows("communities"), key=lambda row: len(row["relationship_ids"]))
    inside = checked(server, "read_edges", f"{at}/map/edges", community=community["community"])
    assert set(inside["edges"]["id"]) == set(community["relationship_ids"])
    pair = ",".join({found["edges"]["source"][0], found["edges"]["target"][0]})
    assert found["edges"]["id"][0] in checked(server, "read_edges", f"{at}/map/edges", ids=pair)["edges"]["id"]
    assert server.ask(f"/api/v1/{at}/map/edges").status == 400


def test_filters_of_the_map_leave_the_entities_of_a_document_or_of_a_time(server: Running, at: str) -> None:
    document = server.api(f"{at}/documents")["items"][0]["id"]
    entities = rows("entities")
    chunks = {one["id"] for one in rows("chunks") if one["document_id"] == document}
    mentioned = [one["id"] for one in entities if chunks & set(one["chunk_ids"])]
    assert server.api(f"{at}/map/members", document=document)["ids"] == mentioned
    times = [(one["subject"], one["start_date"], one["end_date"]) for one in rows("claims")]
    dated = {
        subject
        for subject, start, end in times
        if (start or end) and (start or end) <= "1429-12-31" and (end or start) >= "1429-01-01"
    }
    found = server.api(f"{at}/map/members", since="1429", until="1429")["ids"]
    assert found == [one["id"] for one in entities if one["title"] in dated]
    assert set(server.api(f"{at}/map/members", since="1429-05", until="1429-05-31")["ids"]) <= set(found)


def test_names_are_found_by_beginning_word_alias_and_near_spelling(server: Running, at: str) -> None:
    def first(typed: str) -> dict[str, Any]:
        found: dict[str, Any] = checked(server, "search_names", f"{at}/search", q=typed)["items"][0]
        return found

    assert first("Joan of Arc")["name"] == first("joan of")["name"] == "Joan of Arc"
    assert first("Compeigne")["name"] == "Compiègne"
    aliased = next(row for row in rows("entities") if row["aliases"])
    assert aliased["id"] in [one["id"] for one in server.api(f"{at}/search", q=aliased["aliases"][0])["items"]]
    assert first("ALENÇON")["name"] == first("alencon")["name"]
    assert server.api(f"{at}/search", q="  ")["items"] == []


def test_an_entity_is_found_by_id_title_and_alias_with_all_that_is_linked(server: Running, at: str) -> None:
    row = next(row for row in rows("entities") if row["title"] == "Joan of Arc")
    found = checked(server, "read_entity", f"{at}/entities/{row['id']}")
    assert found == server.api(f"{at}/entities/Joan of Arc") == server.api(f"{at}/entities/joan of arc")
    edges = [one for one in rows("relationships") if row["title"] in (one["source"], one["target"])]
    assert {one["id"] for one in found["relationships"]} == {one["id"] for one in edges}
    weights = [one["weight"] for one in found["relationships"]]
    assert weights == sorted(weights, reverse=True)
    claims = {one["id"] for one in rows("claims") if one["subject"] == row["title"]}
    assert {one["id"] for one in found["claims"]} == claims and found["totals"]["claims"] == len(claims)
    assert [one["id"] for one in found["chunks"]] == row["chunk_ids"]
    assert [one["level"] for one in found["communities"]] == list(range(len(found["communities"])))
    assert {one["name"] for one in found["aliases"]} == set(row["aliases"])


def test_every_report_is_served_and_its_citations_lead_to_words_of_a_chunk(server: Running, at: str) -> None:
    chunks = {row["id"]: row["text"] for row in rows("chunks")}
    tree = checked(server, "list_themes", f"{at}/themes")["tree"]
    assert {row["community"] for row in tree} == {row["community"] for row in rows("communities")}
    placed = 0
    for row in tree[:12]:
        report = checked(server, "read_report", f"{at}/reports/{row['community']}")
        assert report["title"] == row["title"] and report["size"] == len(report["entities"])
        checked(server, "read_community", f"{at}/communities/{row['community']}")
        for finding in report["findings"]:
            for citation in finding["citations"]:
                if citation["start"] is not None:
                    placed += 1
                    assert chunks[citation["chunk"]][citation["start"] : citation["end"]].strip()
    assert placed > 20


def test_a_document_is_read_in_stretches_whose_marks_are_where_they_say(server: Running, at: str) -> None:
    listed = checked(server, "list_documents", f"{at}/documents", limit=5, offset=2)
    assert listed["total"] == len(rows("documents")) and len(listed["items"]) == 5
    texts = {row["id"]: row["text"] for row in rows("documents")}
    names = {row["id"]: {row["title"], *row["aliases"]} for row in rows("entities")}
    claims = {row["id"]: row["quote"] for row in rows("claims")}
    for document in (one["id"] for one in listed["items"]):
        page = checked(server, "read_document", f"{at}/documents/{document}")
        assert page["text"] == texts[document][page["start"] : page["end"]] and page["length"] == len(texts[document])
        assert {mark["kind"] for mark in page["marks"]} >= {"entity", "fact"}
        for mark in page["marks"]:
            said = texts[document][mark["start"] : mark["end"]]
            assert mark["kind"] != "entity" or mark["label"] in names[mark["id"]]
            assert mark["kind"] != "claim" or said == claims[mark["id"]]
    part = server.api(f"{at}/documents/{document}", start=300, end=320)
    assert part["start"] <= 300 and part["end"] >= min(320, part["length"])


def test_a_chunk_names_its_neighbours_and_its_entities(server: Running, at: str) -> None:
    row = next(row for row in rows("chunks") if row["position"] == 1)
    found = checked(server, "read_chunk", f"{at}/chunks/{row['id']}")
    assert found["text"] == row["text"] and found["previous"] and found["place"]
    assert server.api(f"{at}/chunks/{found['previous']}")["next"] == row["id"]
    titles = {one["id"]: one["title"] for one in rows("entities")}
    assert found["entities"] and all(titles[one["id"]] == one["name"] for one in found["entities"])


def test_tables_are_filtered_sorted_and_paged(server: Running, at: str) -> None:
    listed = checked(server, "list_tables", f"{at}/tables")["tables"]
    assert {one["name"] for one in listed} == set(published().manifest.tables)
    for one in listed:
        page = checked(server, "read_table", f"{at}/tables/{one['name']}", limit=3)
        assert page["total"] == one["rows"] and len(page["items"]) == min(3, one["rows"])
    path = f"{at}/tables/entities"
    people = server.api(
        path, columns="title,degree", filter=["type:eq:PERSON", "degree:ge:3"], sort="-degree", limit=500
    )
    expected = [row for row in rows("entities") if row["type"] == "PERSON" and row["degree"] >= 3]
    assert people["total"] == len(expected) == len(people["items"])
    assert [row["degree"] for row in people["items"]] == sorted((row["degree"] for row in expected), reverse=True)
    later = server.api(path, columns="title", filter="type:eq:PERSON", sort="-degree", offset=2, limit=2)
    assert later["items"] == [{"title": row["title"]} for row in people["items"][2:4]]
    chunk = rows("chunks")[0]["id"]
    found = server.api(path, columns="title", filter=f"chunk_ids:contains:{chunk}")
    assert found["total"] == sum(chunk in row["chunk_ids"] for row in rows("entities"))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("projects/none", 404),
        ("{at}/entities/nobody at all", 404),
        ("{at}/reports/99999", 404),
        ("{at}/chunks/zzz", 404),
        ("{at}/tables/secrets", 404),
        ("{at}/tables/entities?columns=nothing", 400),
        ("{at}/tables/entities?filter=degree", 400),
        ("{at}/tables/entities?filter=degree:eq:many", 400),
        ("{at}/tables/entities?filter=chunk_ids:lt:3", 400),
        ("{at}/tables/entities?limit=501", 400),
        ("{at}/tables/entities?limit=1&limit=2", 400),
        ("{at}/map?level=-1", 400),
        ("{at}/map?colour=red", 400),
        ("{at}/nothing", 404),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_three_lines(server: Running, at: str, path: str, status: int) -> None:
    where, _, query = path.format(at=at).partition("?")
    reply = server.ask(f"/api/v1/{quote(where)}" + (f"?{query}" if query else ""))
    assert reply.status == status
    assert set(reply.json["error"]) == {"cause", "consequence", "fix"} and all(reply.json["error"].values())


def test_large_replies_are_compressed_for_who_can_read_that(server: Running, at: str) -> None:
    import gzip

    plain = server.ask(f"/api/v1/{at}/map")
    packed = server.ask(f"/api/v1/{at}/map", headers={"Accept-Encoding": "br, gzip;q=0.8"})
    assert packed.headers["content-encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2


def test_json_has_null_for_what_is_no_number_and_a_mark_for_half_a_character() -> None:
    assert json.loads(to_json({"a": float("nan"), "b": [float("inf"), 0.1, 1e22]})) == {
        "a": None,
        "b": [None, 0.1, 1e22],
    }
    assert to_json({"ä": "x\ud800y", "p": Path("a")}) == '{"ä":"x?y","p":"a"}'.encode()
