"""MCP by the SDK's own client, over standard input and output and over HTTP."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pipeline.query.index import Index
from pipeline.web.guard import LOCAL, Access
from tests.paths import ROOT
from tests.query_cases import BATTLES, sample
from tests.web.server_cases import running, write_settings

# The SDK is imported where it is used: every process that runs tests imports this module, and one of them runs them.
pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed")
TOOLS = {"ask", "find_entities", "get_entity", "neighbours", "get_report", "read_passage", "list_themes"}
TOOLS |= {"query_graph"} if find_spec("ladybug") else set()


async def looked_through(client: Any) -> None:
    """Go the way of a model: ask, follow a source, look up an entity and its neighbours, a theme and its report."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == TOOLS
    assert all(len(str(tool.description)) > 60 and tool.output_schema for tool in tools.values())

    async def call(tool: str, **given: Any) -> Any:
        result = await client.call_tool(tool, given)
        assert not result.is_error, result.content
        return result.structured_content

    answer = await call("ask", question=BATTLES, method="basic")
    expected = Index.open(sample()).ask(BATTLES, "basic")
    assert answer["text"] == expected.text and answer["outcome"] == "answered"
    source = answer["sources"][0]
    passage = await call("read_passage", chunk=source["chunk"])
    assert source["quote"] in passage["text"]
    found = (await call("find_entities", name="joan"))["found"][0]
    assert found["name"] == "Joan of Arc"
    entity = await call("get_entity", entity=found["id"])
    edges = await call("neighbours", entity="Joan of Arc")
    assert edges["total"] == entity["degree"]
    themes = await call("list_themes")
    report = await call("get_report", community=themes["themes"][0]["community"])
    assert report["findings"] and report["title"] == themes["themes"][0]["title"]
    failed = await client.call_tool("get_entity", {"entity": "Nobody Atall"})
    assert failed.is_error and "Nobody Atall" in str(failed.content)
    templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
    assert len(templates) == 2
    project = sample().parent.name.casefold().strip("-")
    resource = await client.read_resource(f"graphstrata://{project}/reports/{report['community']}")
    assert report["title"] in str(resource.contents)
    if "query_graph" in tools:
        assert "(:Entity {" in str(tools["query_graph"].description)
        counted = await call("query_graph", query="MATCH (e:Entity) RETURN count(*) AS n")
        assert counted == {"columns": ["n"], "rows": [[Index.open(sample()).count("entities")]], "more": False}
        refused = await client.call_tool("query_graph", {"query": "MATCH (e:Entity) DELETE e"})
        assert refused.is_error and "only reads" in str(refused.content)
    text = await client.read_resource(f"graphstrata://{project}/documents/{source['document']}")
    assert source["quote"].split("\n")[0] in text.contents[0].text


def run(transport: Any, what: Callable[[Any], Awaitable[None]] = looked_through) -> None:
    from mcp.client.client import Client

    async def main() -> None:
        async with Client(transport) as client:
            await what(client)

    asyncio.run(asyncio.wait_for(main(), 120))


def test_a_program_reads_the_index_over_standard_input_and_output() -> None:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    root = write_settings(sample().parent)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pipeline", "mcp", str(root)]
    run(stdio_client(StdioServerParameters(command=command[0], args=command[1:], env=environment)))


def test_a_program_reads_the_index_over_http() -> None:
    from mcp.client.streamable_http import streamable_http_client

    with running([write_settings(sample().parent)]) as server:
        run(streamable_http_client(f"http://127.0.0.1:{server.port}/mcp"))


def test_mcp_needs_the_token_where_the_server_has_one() -> None:
    import httpx2
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    root = write_settings(sample().parent)
    with running([root], Access(LOCAL, "secret")) as server:
        refused = server.ask("/mcp", "POST", {"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert refused.status == 401
        url = f"http://127.0.0.1:{server.port}/mcp"

        async def main() -> None:
            async with (
                httpx2.AsyncClient(headers={"Authorization": "Bearer secret"}, timeout=60) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS

        asyncio.run(asyncio.wait_for(main(), 60))


def test_without_the_sdk_the_command_and_the_address_say_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pipeline.web.mcp.serving.find_spec", lambda name: None)
    with running([write_settings(sample().parent)]) as server:
        reply = server.ask("/mcp", "POST", {})
        assert reply.status == 503 and "graphstrata[mcp]" in reply.json["error"]["fix"]
