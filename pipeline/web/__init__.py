"""The server: a JSON API over indexes, the page that uses it, and MCP; the only package that imports Starlette and uvicorn."""
