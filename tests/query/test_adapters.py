"""The index in the hands of other libraries: nodes of LangGraph and retrievers of LlamaIndex, each with places in files."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from typing_extensions import TypedDict

from pipeline.base.errors import QuestionError
from pipeline.base.settings import Settings
from pipeline.query.answer import Answer
from pipeline.query.index import Index
from tests.query_cases import BATTLES, sample


def index() -> Index:
    return Index.open(sample(), Settings())


class Asked(TypedDict, total=False):
    question: str
    answer: Answer


def test_a_node_answers_the_question_of_a_state() -> None:
    graph = StateGraph(Asked)
    graph.add_node("ask", index().as_node("basic"))  # type: ignore[call-overload]
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    assert graph.compile().invoke({"question": BATTLES})["answer"].sources


def test_a_node_answers_the_last_of_a_states_messages() -> None:
    graph = StateGraph(MessagesState)
    graph.add_node("ask", index().as_node("basic"))  # type: ignore[call-overload]
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    said = graph.compile().invoke({"messages": [HumanMessage(BATTLES)]})["messages"][-1]
    assert said.type == "ai" and "Sources" in said.content
    assert said.additional_kwargs["answer"]["sources"][0]["file"]


def test_a_state_without_a_question_is_refused() -> None:
    with pytest.raises(QuestionError, match="it holds topic"):
        index().as_node()({"topic": "x"})


def test_nodes_of_llama_index_say_where_their_texts_are() -> None:
    pytest.importorskip("llama_index.core", reason="the extra llama-index is not installed")
    nodes = index().as_llama_index_retriever(k=3).retrieve(BATTLES)
    assert len(nodes) == 3 and nodes[0].score >= nodes[-1].score
    files = [node.node.metadata["file"] for node in nodes]
    assert "joan-of-arc.md" in files and all(node.node.get_content() for node in nodes)
