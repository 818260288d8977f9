"""Who wrote a document that is one letter, to whom, and when, as metadata."""

from pipeline.documents.parsed import Parsed
from pipeline.text.extraction.letters import letter_of
from pipeline.text.metadata import ADDRESSED, SIGNED, is_written


def signed(parsed: Parsed) -> Parsed:
    """Return a document with who signed it, whom it greets and the day above that, as they are written, where it is a letter whose
    metadata name no writer. A record of a file is none."""
    letter = None if parsed.key or is_written(parsed.metadata) else letter_of(parsed.text)
    if letter is None:
        return parsed
    parsed.metadata[SIGNED] = letter.writer
    if letter.addressee:
        parsed.metadata[ADDRESSED] = letter.addressee
    if letter.day:
        parsed.metadata.setdefault("date", letter.day)
    return parsed
