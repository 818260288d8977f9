"""The files of the page: read from one folder when the server starts, and again when they change; nothing else is served."""

import mimetypes
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from pipeline.web.endpoint import NotFoundError
from pipeline.web.replies import Encoded, accepts_gzip

PAGE = Path(__file__).parent / "page"
PACKED = ".br"
"""Ending of a file's form that is compressed with Brotli; it lies beside the file."""
TEXTS = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml",
         ".json": "application/json", ".txt": "text/plain", ".woff2": "font/woff2"}  # fmt: skip


class Asset(NamedTuple):
    """A file as it is sent."""

    changed: int
    etag: str
    encoded: Encoded
    brotli: bytes


class Assets:
    """The files under one folder, by their paths in it. What is asked for is looked up, and never made a path of."""

    def __init__(self) -> None:
        self._found: dict[str, Asset] = {}
        paths = sorted(path for path in PAGE.rglob("*") if path.is_file() and not path.is_symlink())
        self._paths = {path.relative_to(PAGE).as_posix(): path for path in paths if path.suffix != PACKED}

    def __contains__(self, name: str) -> bool:
        return name in self._paths

    def response(self, request: Request, name: str) -> Response:
        """Return a file; NotFoundError where the page has none of that name."""
        asset = self._asset(name)
        headers = {"ETag": asset.etag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == asset.etag:
            return Response(status_code=304, headers=headers)
        if asset.brotli and "br" in request.headers.get("accept-encoding", "") and accepts_gzip(request.headers):
            headers |= {"Content-Encoding": "br", "Vary": "Accept-Encoding"}
            return Response(asset.brotli, 200, headers, asset.encoded.media)
        return asset.encoded.response(request.headers, headers)

    def _asset(self, name: str) -> Asset:
        path = self._paths.get(name)
        if path is None:
            raise NotFoundError(f"no file {name!r} in the page", "nothing is served from elsewhere", "open /")
        changed = path.stat().st_mtime_ns
        known = self._found.get(name)
        if known is None or known.changed != changed:
            content = path.read_bytes()
            media = TEXTS.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
            media += "; charset=utf-8" if media.startswith("text/") else ""
            packed = path.with_name(path.name + PACKED)
            brotli = packed.read_bytes() if packed.is_file() else b""
            etag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
            known = Asset(changed, etag, Encoded(content, media, 9), brotli)
            self._found[name] = known
        return known
