"""What tests of retrieval look up in: an index of passages made and opened in memory."""

from collections.abc import Iterable, Sequence

from pipeline.retrieval.index_arrays import Passages, StoredPassages
from pipeline.retrieval.indexing.build import index_passages
from pipeline.retrieval.lookup_arrays import LookupArrays, flat_arrays
from pipeline.retrieval.search import RetrievalIndex


def lookup_arrays(passages: Passages | StoredPassages) -> LookupArrays:
    """Return the arrays of an index, made in memory."""
    return LookupArrays.of_flat(dict(flat_arrays(passages)))


def build(
    texts: Sequence[str], anchors: Sequence[str], names: Iterable[tuple[str, Sequence[str]]] = ()
) -> RetrievalIndex:
    """Index passages and open them; see ``index_passages``."""
    return RetrievalIndex(lookup_arrays(index_passages(texts, anchors, names)))
