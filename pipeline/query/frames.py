"""Tables as pandas DataFrames whose list columns hold plain Python lists."""

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd


def to_frame(table: pa.Table) -> "pd.DataFrame":
    """Return ``table`` as a DataFrame of its own memory; values of list columns are lists, where pyarrow gives arrays."""
    import pandas as pd

    nested = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    frame = table.drop_columns(nested).to_pandas()
    lists = {name: pd.Series(table[name].to_pylist(), dtype=object) for name in nested}
    return pd.DataFrame({name: lists[name] if name in lists else frame[name] for name in table.column_names})
