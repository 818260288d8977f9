"""Sentences that are alike but for the names and figures in them: lines of a form, footers of mail, one text in several versions."""

from typing import Any, Final

import numpy as np
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, to_numpy

_NAMES_AND_FIGURES: Final = r"[\p{Lu}\p{N}][\p{L}\p{N}]*"
_BLANK: Final = "*"
FEWEST: Final = 8
"""Other words that a sentence has at least before it is compared by these alone: short ones differ in nothing but names, and
say different things ("Ann Thorne was born in Paris")."""
MOST_NAMES: Final = 3
"""At most one word in so many is a name or a figure; where more are, they are what the sentence says."""


def patterns(sentences: Any) -> Any:
    """Return an Arrow array of texts with each sentence's pattern, equal for those that are alike: the sentence with blanks for
    its names and figures, or the sentence itself where it has too few other words. Without spaces there are no words."""
    blanked = pc.replace_substring_regex(sentences, pattern=_NAMES_AND_FIGURES, replacement=_BLANK)
    names = to_numpy(pc.count_substring(blanked, _BLANK))
    words = to_numpy(pc.count_substring(blanked, " ")) + 1
    by_pattern = (words - names >= FEWEST) & (names.astype(np.int64) * MOST_NAMES <= words)
    return pc.if_else(array(by_pattern), blanked, sentences)
