"""Who may ask, how much and for how long; and that nothing of a corpus is ever markup."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from pipeline.base.errors import SettingsError
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.web import server as server_module
from pipeline.web.guard import LOCAL, Access, Bounds
from pipeline.web.server import Address
from tests.paths import ROOT
from tests.query_cases import sample
from tests.web.server_cases import Running, running, write_settings


def raw(port: int, text: bytes, wait: float = 10) -> bytes:
    """Send bytes as they are and return all that comes until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        found = b""
        with suppress(ConnectionResetError, BrokenPipeError):  # closed while more was being sent
            connection.sendall(text)
            while part := connection.recv(65536):
                found += part
    return found


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "evil.example:80", "", "[::1", "::ffff:1.2.3.4"])  # fmt: skip
def test_another_name_than_its_own_is_refused(server: Running, host: str) -> None:
    reply = server.ask("/api/v1/projects", headers={"Host": host})
    assert reply.status in (400, 403)
    assert b"projects" not in reply.body.replace(b"/api/v1/projects", b"") or reply.status == 400


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:80", "LOCALHOST:8741", "[::1]:8741"])
def test_names_of_this_machine_are_its_own(server: Running, host: str) -> None:
    assert server.ask("/api/v1/projects", headers={"Host": host}).status == 200


def test_two_host_headers_are_refused(server: Running) -> None:
    head = b"GET /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert re.match(rb"HTTP/1.1 40[03]", raw(server.port, head))


def test_a_page_of_another_site_may_ask_nothing(server: Running, at: str) -> None:
    body = {"question": "x"}
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert server.ask(f"/api/v1/{at}/questions/estimate", "POST", body, headers).status == 403
        reply = server.ask(f"/api/v1/{at}", headers=headers)
        assert reply.status == 403 and not any(name.startswith("access-control") for name in reply.headers)
    own = {"Origin": f"http://127.0.0.1:{server.port}", "Sec-Fetch-Site": "same-origin"}
    assert server.ask(f"/api/v1/{at}/questions/estimate", "POST", body, own).status == 200


def test_every_reply_carries_the_policy_and_forbids_sniffing(server: Running, at: str) -> None:
    for path in (
        "/api/v1/projects",
        f"/api/v1/{at}/none",
        "/p/none/",
        "/assets/none",
        "/",
        f"/p/{at.split('/')[1]}/reports",
    ):
        reply = server.ask(path)
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff" and "server" not in reply.headers


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../server.py",
        "/assets/..%2fserver.py",
        "/assets/%2e%2e/%2e%2e/base/settings.py",
        "/assets//etc/passwd",
        "/assets/..\\server.py",
        "/assets/page%00.js",
        "/p/..%2f..%2fsettings.yaml",
        "/api/v1/projects/..%2f..",
    ],
)
def test_no_path_leads_out_of_the_page(server: Running, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    reply = raw(server.port, request)
    assert re.match(rb"HTTP/1.1 (404|400|307)", reply) and b"import " not in reply and b"root:" not in reply


def test_without_the_token_nothing_of_the_corpus_is_given(tmp_path: Path) -> None:
    root = write_settings(sample().parent)
    with running([root], Access(LOCAL, "a-long-token")) as server:
        for path in ("/api/v1/projects", "/api/v1/openapi.json", f"/p/{server_id(root)}/reports", "/mcp"):
            for headers in (
                {},
                {"Authorization": "Bearer a-long-toke"},
                {"Authorization": "Basic a-long-token"},
                {"Authorization": "Bearer é"},
            ):
                reply = server.ask(path, headers={k: v.encode().decode("latin-1") for k, v in headers.items()})
                assert reply.status == 401 and reply.headers["www-authenticate"] == "Bearer"
        assert server.ask("/assets/reports.css").status == 200
        assert server.ask("/api/v1/projects", headers={"Authorization": "Bearer a-long-token"}).status == 200


def test_reports_open_by_navigation_once_their_link_had_the_token(tmp_path: Path) -> None:
    root = write_settings(sample().parent)
    page = f"/p/{server_id(root)}/reports"
    with running([root], Access(LOCAL, "a-long-token")) as server:
        refused = server.ask(page, token="another")
        assert refused.status == 401 and "set-cookie" not in refused.headers and b"<dt>fix</dt>" in refused.body
        opened = server.ask(page, token="a-long-token")
        assert opened.status == 200 and f'content="0;url={page}"'.encode() in opened.body
        cookie = opened.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/p/"} <= set(cookie.split("; ")) and "a-long-token" not in cookie
        given = {"Cookie": cookie.partition(";")[0]}
        read = server.ask(page, headers=given)
        assert read.status == 200 and b"<section id=" in read.body
        assert server.ask(page, "POST", headers=given).status == 401
        assert server.ask("/api/v1/projects", headers=given).status == 401
        assert server.ask("/api/v1/projects", token="a-long-token").status == 401
    with running([root], Access(LOCAL, "a-new-token")) as server:
        assert server.ask(page, headers=given).status == 401


def server_id(root: Path) -> str:
    return re.sub(r"[^\w-]+", "-", root.name.casefold()).strip("-")


def test_an_address_of_other_machines_gets_a_token_of_its_own() -> None:
    assert Address("127.0.0.1").access().token is None and Address("localhost", token="t").access().token == "t"
    one, other = Address("0.0.0.0").access(), Address("0.0.0.0").access()
    assert one.token and len(one.token) >= 32 and one.token != other.token
    assert Address("192.0.2.7").access().hosts == LOCAL | {"192.0.2.7"}


def test_a_body_that_is_too_large_is_refused_however_it_comes(server: Running, at: str) -> None:
    path = f"/api/v1/{at}/questions/estimate"
    announced = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000001\r\nConnection: close\r\n\r\n"
    assert raw(server.port, announced.encode()).startswith(b"HTTP/1.1 413")
    chunks = b"".join(b"10000\r\n" + b"x" * 65536 + b"\r\n" for _ in range(17)) + b"0\r\n\r\n"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n".encode()
    )
    assert raw(server.port, head + chunks)[:12] in (b"", b"HTTP/1.1 413")


def test_a_head_that_is_too_large_is_refused(server: Running) -> None:
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 400_000 + b"\r\n\r\n"
    assert raw(server.port, head)[:12] in (b"", b"HTTP/1.1 431", b"HTTP/1.1 400")


def test_who_sends_too_slowly_is_let_go_and_delays_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "HEADER_SECONDS", 0.5)
    with running([write_settings(sample().parent)], bounds=Bounds(body_seconds=0.5)) as server:
        slow = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(100)]
        for connection in slow:
            connection.sendall(b"GET /api/v1/projects HTTP/1.1\r\nHost: loc")
        assert server.ask("/api/v1/projects").status == 200
        assert all(connection.recv(100) == b"" for connection in slow)
        for connection in slow:
            connection.close()
        project = server.api("projects")["projects"][0]["id"]
        head = f"POST /api/v1/projects/{project}/questions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{{"
        assert raw(server.port, head.encode()).startswith(b"HTTP/1.1 408")
        silent = raw(server.port, b"GET /api/v1/projects HTTP/1.1\r\nHost: localhost\r\n\r\nGET /again")
        assert silent.count(b"HTTP/1.1 200") == 1


def test_more_requests_at_once_than_are_allowed_get_a_503() -> None:
    with running([write_settings(sample().parent)], bounds=Bounds(at_once=0)) as server:
        assert server.ask("/api/v1/projects").status == 503


HOSTILE = "<script>alert(1)</script>"


def test_a_hostile_corpus_is_text_on_the_page_of_reports(tmp_path: Path) -> None:
    texts = (
        f"# {HOSTILE}\n\nAda <img src=x onerror=alert(1)> Thorne built the \x1b[31mmole\x1b[0m of Carrow. "
        f'Ada Thorne\'s "{HOSTILE}" & friends built Carrow. Ada Thorne lived in Carrow. Carrow loved Ada Thorne.\n'
    )
    root = tmp_path / 'a"><b>'
    (root / "input").mkdir(parents=True)
    (root / "input" / "x.md").write_text(texts)
    (root / "input" / "long.txt").write_text("<b>" * 400_000 + " Ada Thorne met Carrow in Leith.\n")
    write_settings(root)
    run_index(Project.open(root))
    with running([root, sample().parent]) as server:
        project = server.api("projects")["projects"][0]["id"]
        for path in (f"/p/{project}/reports", "/"):
            page = server.ask(path).body.decode()
            own = '<script type="module" src="/assets/projects.js"></script>'  # the only script, of the list alone
            assert page.count(own) == (path == "/")
            page = page.replace(own, "")
            tags = set(re.findall(r"<(\w+)", page))
            assert tags <= {"html", "head", "meta", "title", "link", "body", "main", "h1", "h2", "h3", "h4", "h5", "h6", "nav", "ul", "li", "a", "section", "p", "small", "ol", "strong"}  # fmt: skip
            assert not re.search(r"<[^>]*\son\w+=", page)
        reply = server.ask(f"/api/v1/projects/{project}/documents")
        assert reply.headers["content-type"] == "application/json" and HOSTILE in json.dumps(reply.json)


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pipeline", "serve", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def test_the_command_says_where_it_serves_and_ends_in_good_order() -> None:
    root = write_settings(sample().parent)
    process = start(str(root), "--port", "0", "--token", "t0ken")
    assert process.stderr is not None
    address = next(
        found for line in process.stderr if (found := re.search(r"http://127.0.0.1:(\d+)/#token=t0ken", line))
    )
    connection = http.client.HTTPConnection("127.0.0.1", int(address[1]), timeout=20)
    connection.request("GET", "/api/v1/projects", headers={"Authorization": "Bearer t0ken"})
    assert connection.getresponse().status == 200
    connection.close()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert "stopped" in process.stderr.read()


def test_a_server_that_was_killed_is_started_again_and_serves_the_same() -> None:
    root = write_settings(sample().parent)
    counts = []
    for _ in range(2):
        process = start(str(root), "--port", "0")
        assert process.stderr is not None
        port = next(int(found[1]) for line in process.stderr if (found := re.search(r"127.0.0.1:(\d+)/", line)))
        counts.append(Running(port).api("projects")["projects"])
        process.kill()
        process.wait(20)
        process.stderr.close()
    assert counts[0] == counts[1] and counts[0][0]["state"] == "ready"


def test_a_port_that_is_taken_and_a_folder_that_is_not_there_are_errors_of_three_lines(server: Running) -> None:
    with pytest.raises(SettingsError, match="cannot listen") as raised:
        server_module.serve([sample().parent], Address(port=server.port), lambda line: None)
    assert "--port" in raised.value.fix
    with pytest.raises(SettingsError, match="no folder"):
        server_module.serve([sample() / "nowhere"], Address(port=0), lambda line: None)


def test_files_of_the_page_are_sent_again_only_when_they_changed(server: Running) -> None:
    first = server.ask("/assets/reports.css")
    assert first.status == 200 and first.headers["content-type"].startswith("text/css")
    again = server.ask("/assets/reports.css", headers={"If-None-Match": first.headers["etag"]})
    assert again.status == 304 and not again.body
