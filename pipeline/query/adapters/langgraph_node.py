"""The index as a node of a LangGraph graph: a question in the state, its answer back into the state."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import QuestionError
from pipeline.query.method_names import Method

if TYPE_CHECKING:
    from pipeline.query.index import Index


def answer_node(index: "Index", method: Method) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a function from a state to what it changes of the state.

    Where the state has a ``question``, its ``answer`` is an ``Answer``. Where it has ``messages``, the last one is the
    question, and an AI message with the answer's text and sources is added, the answer as plain values being in its
    ``additional_kwargs["answer"]``.
    """

    def answer(state: Mapping[str, Any]) -> dict[str, Any]:
        if state.get("question"):
            return {"answer": index.ask(str(state["question"]), method)}
        messages = state.get("messages")
        if not messages:
            raise QuestionError(
                f"the state has no question: it holds {', '.join(map(str, state)) or 'nothing'}",
                "the node answers the state's question, or the last of its messages",
                "add one of these keys to the state",
            )
        from langchain_core.messages import AIMessage

        last = messages[-1]
        found = index.ask(_words(last.content if hasattr(last, "content") else last["content"]), method)
        return {"messages": [AIMessage(content=str(found), additional_kwargs={"answer": found.to_dict()})]}

    return answer


def _words(content: Any) -> str:
    """Return the text of a message's content, which may be a list of blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(block if isinstance(block, str) else block.get("text", "") for block in content)
