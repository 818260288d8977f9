"""A loopback server that speaks the standard protocol of chat and embedding servers, and can be told to misbehave."""

from tests.lookalike.faults import HTTP_FAULTS, SPOILED
from tests.lookalike.server import LookAlike

__all__ = ["HTTP_FAULTS", "SPOILED", "LookAlike"]
