"""Words and phrases that rules go by, by language: a folder of data files, one a language, each read when it is first needed."""

import re
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files

from pipeline.text.lexicon.words import sections

_HEAD = re.compile(r"<<(\w+)>>")


class LanguageFiles:
    """The data files of a folder of this package: what the heads in them hold, and their words and phrases."""

    def __init__(self, folder: str, words: Mapping[str, str], phrases: Mapping[str, str]) -> None:
        self.folder = folder
        self.words, self.phrases = words, phrases
        self._read: dict[str, Mapping[str, tuple[str, ...]]] = {}
        self._together: dict[str, tuple[str, ...]] = {}
        self._sets: dict[str, frozenset[str]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The codes of the files, English first, which most texts are in: a pattern tries its words in this order."""
        names = (file.name for file in files(__package__).joinpath(self.folder).iterdir())
        codes = {name.removesuffix(".txt") for name in names if name.endswith(".txt")}
        return tuple(sorted(codes, key=lambda code: (code != "en", code)))

    def by_language(self, head: str) -> Mapping[str, tuple[str, ...]]:
        """Return the words or phrases below a head, by the ISO 639-1 codes of the languages that have some."""
        if head not in self._read:
            separate = str.split if head in self.words else str.splitlines
            texts = {code: sections(f"{self.folder}/{code}").get(head, "") for code in self.languages}
            self._read[head] = {code: tuple(separate(text)) for code, text in texts.items() if text}
        return self._read[head]

    def of_all(self, head: str) -> tuple[str, ...]:
        """Return the words or phrases below a head of all languages, each once: few words show no language."""
        if head not in self._together:
            every = (one for some in self.by_language(head).values() for one in some)
            self._together[head] = tuple(dict.fromkeys(every))
        return self._together[head]

    def set_of(self, head: str) -> frozenset[str]:
        """Return the same to be looked up in."""
        if head not in self._sets:
            self._sets[head] = frozenset(self.of_all(head))
        return self._sets[head]

    def pattern(self, head: str) -> re.Pattern[str]:
        """Return the pattern, in any case, of a whole word or phrase below a head of any language; of those below ``head`` with
        "_anywhere", where there is one, also within words."""
        anywhere = f"{head}_anywhere"
        within = f"|<<{anywhere}>>" if anywhere in self.words or anywhere in self.phrases else ""
        return self.compiled(rf"(?i)\b<<{head}>>\b{within}")

    def compiled(self, form: str) -> re.Pattern[str]:
        """Return a form as a pattern; ``<<head>>`` in it is any word or phrase below a head, of any language."""
        if form not in self._patterns:
            self._patterns[form] = re.compile(_HEAD.sub(lambda head: self.one_of(head[1]), form))
        return self._patterns[form]

    def one_of(self, head: str) -> str:
        """Return the source of a pattern that is any word or phrase below a head, of any language; nothing where there is none."""
        return f"(?:{'|'.join(self.of_all(head)) or '(?!)'})"
