"""The index as LlamaIndex sees it: a retriever of chunks as text nodes (extra "llama-index")."""

from typing import TYPE_CHECKING, Any

from pipeline.base.errors import SettingsError
from pipeline.query.adapters.found_chunks import found_chunks

if TYPE_CHECKING:
    from pipeline.query.index import Index


def llama_index_retriever(index: "Index", k: int) -> Any:
    """Return a LlamaIndex retriever of the ``k`` chunks that fit a question best; SettingsError without its package.

    A node's metadata are those of the LangChain retriever's documents; its score orders the nodes of one question and
    means nothing beyond it.
    """
    try:
        from llama_index.core.retrievers import BaseRetriever
        from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
    except ImportError:
        raise SettingsError(
            "LlamaIndex is not installed",
            "a LlamaIndex retriever is made of its classes",
            "pip install 'graphstrata[llama-index]'",
        ) from None

    class _Retriever(BaseRetriever):  # type: ignore[misc]
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [
                NodeWithScore(node=TextNode(id_=one.id, text=one.text, metadata=one.metadata), score=one.score)
                for one in found_chunks(index, query_bundle.query_str, k)
            ]

    return _Retriever()
