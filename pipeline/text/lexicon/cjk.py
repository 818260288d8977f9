"""Chinese and Japanese: the characters that bound words, and the endings that show what a name names."""

from pipeline.text.lexicon.words import sections

_SECTIONS = sections("cjk")
CHINESE_BOUNDS = frozenset("".join(_SECTIONS["chinese_bounds"].split()))
"""Characters that are mostly function words by themselves; a run of Chinese is cut at them, but names may contain them."""
CHINESE_SURNAMES = frozenset("".join(_SECTIONS["chinese_surnames"].split()))
CHINESE_TRANSLITERATION = frozenset("".join(_SECTIONS["chinese_transliteration"].split()))
"""Characters that write foreign names; several in a row are one."""
SUFFIXES = tuple((type_, _SECTIONS[type_].split()) for type_ in ("PERSON", "PLACE", "ORGANIZATION", "EVENT", "WORK"))
"""Endings of names by type, longest match wins."""
