"""Batches of the look-alike: files that are sent, batches that end after some looks, and their output."""

import json
from collections.abc import Callable
from typing import Any

Body = dict[str, Any]


class Batches:
    """What was sent and begun; ``answer`` replies to the body of one request. ``looks``: times that a batch is under way
    when it is looked at. ``left_out`` requests at the end of each batch get no answer, and the batch expires."""

    def __init__(self, answer: Callable[[Body], Body]) -> None:
        self._answer = answer
        self.files: dict[str, str] = {}
        self.begun: dict[str, Body] = {}
        self.looks, self.left_out = 2, 0
        self._seen: dict[str, int] = {}

    def requests(self) -> list[Body]:
        """Return all requests of all batches that were begun."""
        return [
            json.loads(line) for one in self.begun.values() for line in self.files[one["input_file_id"]].splitlines()
        ]

    def send(self, content: bytes, kind: str) -> Body:
        """Keep a file that came as a form."""
        boundary = kind.partition("boundary=")[2].strip('"').encode()
        parts = content.split(b"--" + boundary)
        (text,) = (part.partition(b"\r\n\r\n")[2] for part in parts if b'name="file"' in part)
        return self._kept(text.removesuffix(b"\r\n").decode())

    def _kept(self, text: str) -> Body:
        id = f"file-{len(self.files)}"
        self.files[id] = text
        return {"id": id, "object": "file", "bytes": len(text), "created_at": 0, "filename": "f", "purpose": "batch"}

    def begin(self, body: Body) -> Body:
        """Begin a batch."""
        id = f"batch_{len(self.begun)}"
        self.begun[id] = {"id": id, **body}
        return self.look(id)

    def listed(self) -> Body:
        """Return all batches."""
        return {"object": "list", "data": [self._state(id) for id in self.begun], "has_more": False}

    def look(self, id: str) -> Body:
        """Return the state of a batch, which goes on by being looked at."""
        self._seen[id] = self._seen.get(id, 0) + 1
        if self._seen[id] == self.looks + 1:
            lines = self.files[self.begun[id]["input_file_id"]].splitlines()
            answered = [json.loads(line) for line in lines[: len(lines) - self.left_out]]
            replies = [
                {"custom_id": one["custom_id"], "response": {"status_code": 200, "body": self._answer(one["body"])}}
                for one in answered
            ]
            self.begun[id]["output"] = self._kept("\n".join(json.dumps(reply) for reply in reversed(replies)))["id"]
        return self._state(id)

    def _state(self, id: str) -> Body:
        one = self.begun[id]
        done = "output" in one
        status = ("expired" if self.left_out else "completed") if done else "in_progress"
        total = len(self.files[one["input_file_id"]].splitlines())
        return {
            "id": id,
            "object": "batch",
            "endpoint": one["endpoint"],
            "input_file_id": one["input_file_id"],
            "completion_window": "24h",
            "created_at": 0,
            "status": status,
            "output_file_id": one.get("output"),
            "request_counts": {"total": total, "completed": total if done else 0, "failed": 0},
        }
