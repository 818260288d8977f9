"""The index as LangChain sees it: a retriever of chunks, and a tool that answers questions."""

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field

from pipeline.query.adapters.found_chunks import found_chunks
from pipeline.query.answer import Answer
from pipeline.query.method import Search


class Retriever(BaseRetriever):
    """Finds the ``k`` chunks that fit a question best. A document's content is the text of the chunk; its metadata are
    those of ``FoundChunk``."""

    index: Any = Field(repr=False)
    k: int = Field(10, ge=1)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = found_chunks(self.index, query, self.k)
        return [Document(id=one.id, page_content=one.text, metadata=one.metadata) for one in found]


class _Question(BaseModel):
    question: str = Field(description="a whole question that can be understood by itself")


def search_tool(index: Any, search: Search, method: str) -> StructuredTool:
    """Return a tool named after the search method: its content is the answer with its numbered sources, its artifact
    the ``Answer``."""

    def answer(question: str) -> tuple[str, Answer]:
        found: Answer = index.ask(question, method)
        return str(found), found

    return StructuredTool.from_function(
        func=answer,
        name=f"{method}_search",
        description=f"Answers a question about the corpus, with sources. {search.help}",
        args_schema=_Question,
        response_format="content_and_artifact",
    )
