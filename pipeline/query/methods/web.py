"""Web search for fusion search: a small protocol, Tavily behind it as an extra, and none by default."""

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pipeline.base.errors import ModelError, SettingsError
from pipeline.language.transport.api_keys import redact
from pipeline.query.evidence.citations import Page

TAVILY_KEY = "TAVILY_API_KEY"
LONGEST = 10_000
"""Characters of a page that are read."""


class WebSearch(Protocol):
    """Anything that finds pages on the web."""

    def search(self, query: str, k: int) -> list[Page]:
        """Return at most ``k`` pages, best first. WebError when the search cannot be made."""
        ...


class WebError(Exception):
    """A web search that failed, and why; the answer is then given without it and says so."""


class Tavily:
    """Tavily's search by its own client (the extra ``web``). The key comes from the environment and goes nowhere else."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        key = environ.get(TAVILY_KEY, "").strip()
        if not key:
            # The client would go on without one, and send the question out on a public quota.
            raise ModelError(
                f"search.web is tavily, and {TAVILY_KEY} is not set",
                "Tavily is asked with a key of your own, or not at all",
                "set it in the environment, or set search.web to null",
            )
        try:
            from tavily import TavilyClient
        except ImportError as error:
            raise ModelError(
                "the package tavily-python is not installed",
                "search.web is tavily, and it is asked by its own client",
                "install the extra: pip install 'graphstrata[web]'",
            ) from error
        self._client: Any = TavilyClient(key)

    def search(self, query: str, k: int) -> list[Page]:
        """Return pages with the text that Tavily extracted from them."""
        try:
            found = self._client.search(query=query[:400], max_results=k, timeout=30)
        except Exception as error:
            raise WebError(redact(f"{type(error).__name__}: {error}")) from error
        return pages(found)


def pages(found: Mapping[str, Any]) -> list[Page]:
    """Return the pages of a reply of Tavily's; those without address or text are left out."""
    results = found.get("results") or []
    return [
        Page(str(one["url"]), str(one.get("title") or one["url"]), str(one["content"])[:LONGEST])
        for one in results
        if one.get("url") and one.get("content")
    ]


WEB_SEARCHES: dict[str, Callable[[], WebSearch]] = {"tavily": Tavily}
"""Web searches by the name that ``search.web`` gives them; add one of your own here."""


def web_search(name: str | None) -> WebSearch | None:
    """Return the web search called ``name``, None for none; SettingsError when there is no such, ModelError without key."""
    if name is None:
        return None
    if name not in WEB_SEARCHES:
        raise SettingsError(
            f"settings: search.web is {name!r}",
            f"the web searches are {', '.join(WEB_SEARCHES)}",
            "name one of them, or null for none",
        )
    return WEB_SEARCHES[name]()
