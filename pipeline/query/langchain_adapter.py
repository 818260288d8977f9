"""The index as LangChain sees it: a retriever of chunks, and a tool that answers questions. Imported when first asked for."""

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field, PrivateAttr

from pipeline.documents.places import PLACE_COLUMNS, file_place
from pipeline.query.answer import Answer
from pipeline.query.method import Search


class Retriever(BaseRetriever):
    """Finds the ``k`` chunks that fit a question best, by what every search finds with, without a model.

    A document's content is the text of the chunk; its metadata say where it is: ``file``, ``start`` and ``end`` in
    characters as a Source has them, ``place`` ("line 41", "page 3"), ``title``, ``anchor`` (the headings above),
    ``chunk_id``, ``document_id``, and a ``score`` that orders the documents of one question and means nothing beyond it.
    """

    index: Any = Field(repr=False)
    k: int = Field(10, ge=1)
    _finder: Any = PrivateAttr(None)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        if self._finder is None:
            self._finder = self.index.finder()
        hits = self._finder.find([query], self.k)[0]
        generation = self.index.generation
        columns = ["document_id", "start", "end", "anchor", "text"]
        chunks = generation.rows("chunks").by_id([hit.chunk_id for hit in hits], columns)
        documents = generation.rows("documents").by_id(
            [chunk["document_id"] for chunk in chunks.values()], ["title", "source", *PLACE_COLUMNS]
        )
        return [_document(hit.chunk_id, hit.score, chunks[hit.chunk_id], documents) for hit in hits]


def _document(id: str, score: float, chunk: dict[str, Any], documents: dict[str, dict[str, Any]]) -> Document:
    document = documents[chunk["document_id"]]
    place = file_place(document, chunk["start"], chunk["end"])
    about = {
        "file": document["source"],
        "place": place.label,
        "start": place.start,
        "end": place.end,
        "title": document["title"],
        "anchor": chunk["anchor"],
        "score": score,
        "chunk_id": id,
        "document_id": chunk["document_id"],
    }
    return Document(id=id, page_content=chunk["text"], metadata=about)


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
