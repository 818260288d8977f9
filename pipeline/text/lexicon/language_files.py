"""Words and phrases that rules go by, by language: a folder of data files, one a language, each read when it is first needed."""

import re
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from itertools import chain

from pipeline.text.lexicon.words import sections
from pipeline.text.scripts import UNSPACED_CHARACTER

ANY = "any"
"""What the file is called that holds figures and signs of no language, which count in texts of each."""
_FIRST = (ANY, "en")
_HEAD = re.compile(r"<<(\w+)>>")


class LanguageFiles:
    """The data files of a folder of this package: what the heads in them hold, and their words and phrases."""

    def __init__(self, folder: str, words: Mapping[str, str], phrases: Mapping[str, str]) -> None:
        self.folder = folder
        self.words, self.phrases = words, phrases
        self._read: dict[str, Mapping[str, tuple[str, ...]]] = {}
        self._together: dict[str, tuple[str, ...]] = {}
        self._sets: dict[str, frozenset[str]] = {}
        self._patterns: dict[tuple[str, ...], re.Pattern[str]] = {}
        self._compiled: dict[str, re.Pattern[str]] = {}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The names of the files: of that for any language, then English, which most texts are in, and the codes of others. A
        pattern tries its words in this order."""
        names = (file.name for file in files(__package__).joinpath(self.folder).iterdir())
        codes = {name.removesuffix(".txt") for name in names if name.endswith(".txt")}
        return tuple(sorted(codes, key=lambda code: (code not in _FIRST, code)))

    def __contains__(self, head: str) -> bool:
        return head in self.words or head in self.phrases

    def by_language(self, head: str) -> Mapping[str, tuple[str, ...]]:
        """Return the words or phrases below a head, by the names of the files that have some: ISO 639-1 codes, most of them."""
        if head not in self._read:
            if head not in self:
                raise KeyError(head)
            separate = str.split if head in self.words else str.splitlines
            texts = {code: sections(f"{self.folder}/{code}").get(head, "") for code in self.languages}
            self._read[head] = {code: tuple(separate(text)) for code, text in texts.items() if text}
        return self._read[head]

    def of(self, head: str, *languages: str) -> tuple[str, ...]:
        """Return the words or phrases below a head of some languages, each once; of all where none of these has any, as few words
        show no language. Those of no language are always among them."""
        by_language = self.by_language(head)
        known = {*languages} & by_language.keys()
        some = (by_language[code] for code in by_language if not known or code in known or code == ANY)
        return tuple(dict.fromkeys(chain.from_iterable(some)))

    def of_all(self, head: str) -> tuple[str, ...]:
        """Return those of all languages."""
        if head not in self._together:
            self._together[head] = self.of(head)
        return self._together[head]

    def set_of(self, head: str) -> frozenset[str]:
        """Return the same to be looked up in."""
        if head not in self._sets:
            self._sets[head] = frozenset(self.of_all(head))
        return self._sets[head]

    def pattern(self, head: str, *languages: str) -> re.Pattern[str]:
        """Return the pattern, in any case, of a whole word or phrase below a head, of the languages that count by ``of``; also
        within words where it is in a script without spaces, or below the head with "_anywhere"."""
        key = (head, *languages)
        if key not in self._patterns:
            every = self.of(head, *languages)
            whole = [one for one in every if not UNSPACED_CHARACTER.search(one)]
            forms = [rf"(?<!\w)(?:{'|'.join(whole)})(?!\w)"] if whole else []
            forms += filter(UNSPACED_CHARACTER.search, every)
            forms += self.of(anywhere, *languages) if (anywhere := f"{head}_anywhere") in self else ()
            self._patterns[key] = re.compile("|".join(forms) or "(?!)", re.IGNORECASE)
        return self._patterns[key]

    def compiled(self, form: str) -> re.Pattern[str]:
        """Return a form as a pattern; ``<<head>>`` in it is any word or phrase below a head, of any language."""
        if form not in self._compiled:
            self._compiled[form] = re.compile(_HEAD.sub(lambda head: self.one_of(head[1]), form))
        return self._compiled[form]

    def one_of(self, head: str) -> str:
        """Return the source of a pattern that is any word or phrase below a head, of any language; nothing where there is none."""
        return f"(?:{'|'.join(self.of_all(head)) or '(?!)'})"
