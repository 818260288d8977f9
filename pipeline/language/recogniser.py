"""Recognisers of names beside the rules: models of spaCy and GLiNER that a person has, behind one interface."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from pipeline.base.errors import ModelError
from pipeline.text.lexicon.lexicon import CONCEPT, EVENT, ORGANIZATION, PERSON, PLACE, WORK
from pipeline.text.names.vocabulary import Recognised
from pipeline.text.sentences import split

SPACY_TYPES: Final[Mapping[str, str]] = {
    "PERSON": PERSON,
    "PER": PERSON,
    "ORG": ORGANIZATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "EVENT": EVENT,
    "WORK_OF_ART": WORK,
    "PRODUCT": CONCEPT,
    "LAW": CONCEPT,
    "MISC": CONCEPT,
}
"""What spaCy's labels are here; dates, amounts and the like, which are not listed, are no names."""
GLINER_TYPES: Final[Mapping[str, str]] = {
    "person": PERSON,
    "organization": ORGANIZATION,
    "location": PLACE,
    "event": EVENT,
    "work of art": WORK,
    "product": CONCEPT,
}
"""What GLiNER is asked for, and what its labels are here."""
THRESHOLD: Final = 0.5
"""Score from which GLiNER's spans count; its own default."""
PIECE: Final = 1200
"""Characters that GLiNER reads at a time; it takes some 380 words and cuts off what is longer."""
_UNUSED: Final = ("tagger", "morphologizer", "parser", "lemmatizer", "trainable_lemmatizer", "attribute_ruler")
"""Parts of a spaCy pipeline that recognise no names."""


class Recogniser(Protocol):
    """Finds names in texts."""

    def find(self, texts: Sequence[str]) -> Iterator[list[Recognised]]:
        """Yield for each text the names in it, each with its type, in reading order."""
        ...


def open_recogniser(name: str) -> Recogniser | None:
    """Return the recogniser that ``names.recogniser`` names, None for the rules; ModelError where it cannot be used."""
    kind, _, model = name.partition(":")
    if kind == "rules":
        return None
    return SpacyRecogniser(model) if kind == "spacy" else GlinerRecogniser(model)


class SpacyRecogniser:
    """A pipeline of spaCy (spacy.io) with a recogniser of entities."""

    def __init__(self, model: str) -> None:
        try:
            import spacy
        except ImportError as error:
            raise _missing("spacy", model, "spaCy") from error
        try:
            self._pipeline: Any = spacy.load(model)
        except OSError as error:
            raise _unknown("spacy", model, error, f"run: python -m spacy download {model}") from error
        self._unused = [part for part in _UNUSED if part in self._pipeline.pipe_names]

    def find(self, texts: Sequence[str]) -> Iterator[list[Recognised]]:
        """Yield the names of each text."""
        for document in self._pipeline.pipe(texts, disable=self._unused):
            found = ((_tidy(span.text), SPACY_TYPES.get(span.label_, "")) for span in document.ents)
            yield [Recognised(text, type) for text, type in found if text and type]


class GlinerRecogniser:
    """A model of GLiNER (arXiv 2311.08526), which takes in words what to look for."""

    def __init__(self, model: str) -> None:
        try:
            from gliner import GLiNER
        except ImportError as error:
            raise _missing("gliner", model, "GLiNER") from error
        try:
            self._model: Any = GLiNER.from_pretrained(model)
        except (OSError, ValueError) as error:
            raise _unknown(
                "gliner", model, error, "give the path of a model, or a name that can be downloaded"
            ) from error

    def find(self, texts: Sequence[str]) -> Iterator[list[Recognised]]:
        """Yield the names of each text, which is read in pieces that end with a sentence."""
        labels = list(GLINER_TYPES)
        for text in texts:
            spans = [
                span
                for piece in _pieces(text)
                for span in self._model.predict_entities(piece, labels, threshold=THRESHOLD)
            ]
            found = ((_tidy(span["text"]), GLINER_TYPES.get(span["label"], "")) for span in spans)
            yield [Recognised(text, type) for text, type in found if text and type]


def _pieces(text: str) -> Iterator[str]:
    start = last = 0
    for _, end in split(text):
        if end - start > PIECE and last > start:
            yield text[start:last]
            start = last
        last = end
    yield text[start:]


def _tidy(text: str) -> str:
    """Return a span as a name: one line, without quotes around it and a possessive ending."""
    return re.sub(r"['’]s$", "", " ".join(text.split()).strip("\"'“”‘’«»,;: "))


def _missing(kind: str, model: str, product: str) -> ModelError:
    return ModelError(
        f"names.recogniser is {kind}:{model}, and {product} is not installed",
        "names are recognised by it; nothing was changed",
        f"pip install 'graphstrata[{kind}]', or set names.recogniser to rules",
    )


def _unknown(kind: str, model: str, error: Exception, fix: str) -> ModelError:
    return ModelError(
        f"names.recogniser is {kind}:{model}, which cannot be loaded: {error}",
        "nothing was changed",
        f"{fix}, or set names.recogniser to rules",
    )
