"""The server that most tests of tests/web share."""

from collections.abc import Iterator

import pytest

from tests.query_cases import sample
from tests.web.server_cases import Running, running, write_settings


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """A server of the sample corpus."""
    with running([write_settings(sample().parent)]) as found:
        yield found


@pytest.fixture(scope="session")
def at(server: Running) -> str:
    """The path of the sample project under the API."""
    return f"projects/{server.api('projects')['projects'][0]['id']}"
