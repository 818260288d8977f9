"""What tests of retrieval look up in: an index of passages made and opened in memory."""

from collections.abc import Iterable, Sequence

from pipeline.retrieval.indexing.build import index_passages
from pipeline.retrieval.lookup_arrays import lookup_arrays
from pipeline.retrieval.search import RetrievalIndex


def build(
    texts: Sequence[str], anchors: Sequence[str], names: Iterable[tuple[str, Sequence[str]]] = ()
) -> RetrievalIndex:
    """Index passages and open them; see ``index_passages``."""
    return RetrievalIndex(lookup_arrays(index_passages(texts, anchors, names)))
