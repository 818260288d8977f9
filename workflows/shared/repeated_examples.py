"""Records that a model repeated from the example in its prompt, as small ones do where a chunk holds little."""

import re
from typing import Any

from pipeline.base.task import Task
from pipeline.base.workflow import Notes
from pipeline.language.language import Language
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.text.keys import content_keys
from pipeline.text.scripts import fold, language_of


class RepeatedExamples:
    """Finds what is in the prompts of some tasks and not in the chunk that a model was to read, and counts it."""

    def __init__(self, language: Language, *tasks: Task[Any, Any]) -> None:
        prompts = [task.prompt for task in tasks if task.prompt and language.adds(task)]
        self._shown = [f" {_words(prompt.system)} " for prompt in prompts]
        self._found = 0

    def __bool__(self) -> bool:
        """Whether a model is shown any."""
        return bool(self._shown)

    def names(self, title: str, request: ChunkToExtract) -> bool:
        """Return whether a title is in a prompt and no word of it in the chunk or its heading."""
        if not self._shows(title):
            return False
        read = f"{request.anchor}\n{request.text}"
        language = language_of(read)
        return self._counted(content_keys(title, language).isdisjoint(content_keys(read, language)))

    def says(self, statement: str, request: ChunkToExtract) -> bool:
        """Return whether a statement is in a prompt and not, in these words, in the chunk."""
        return self._shows(statement) and self._counted(_words(statement) not in _words(request.text))

    def report(self, notes: Notes, records: str) -> None:
        """Report how many records were left out, if any were."""
        if self._found:
            notes.report(
                f"{self._found:,} {records} left out: they repeat the example of the prompt and are not in their chunk"
            )

    def _shows(self, said: str) -> bool:
        return any(f" {_words(said)} " in shown for shown in self._shown)

    def _counted(self, repeats: bool) -> bool:
        self._found += repeats
        return repeats


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))
