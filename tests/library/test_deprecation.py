"""Names that are to go keep working, and say until when."""

import pytest

from pipeline.deprecation import warn_deprecated


def test_a_deprecated_name_warns_its_caller_with_what_to_use_until_when() -> None:
    def old() -> None:
        warn_deprecated("old", since="0.1", instead="new", gone="0.3")

    with pytest.warns(
        DeprecationWarning, match=r"old is deprecated since graphstrata 0\.1 .* gone in 0\.3: use new"
    ) as warned:
        old()
    assert warned[0].filename == __file__
