"""What a reader asks: the question with everything that shapes its answer, and the index under those settings."""

from typing import Annotated, Any

from pydantic import Field

from pipeline.query.index import Index
from pipeline.query.method_names import DEFAULT_METHOD, Effort, Method
from pipeline.web.endpoint import RequestModel


class PastTurnBody(RequestModel):
    """A question that was asked before, and its answer."""

    question: Annotated[str, Field(max_length=8000)]
    answer: Annotated[str, Field(max_length=40_000)]


class QuestionBody(RequestModel):
    """A question, and how it is to be answered."""

    question: Annotated[str, Field(min_length=1, max_length=8000, description="the question")]
    method: Method = Field(DEFAULT_METHOD, description="search method; auto picks one")
    effort: Effort | None = Field(None, description="how much a global question may read; null for what settings say")
    form: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="form of a global answer: list, one paragraph, ...; null for what settings say"
    )
    where: Annotated[str, Field(max_length=2000)] | None = Field(
        None, description="condition on the metadata of documents, such as customer = X and date >= 2024"
    )
    conversation: Annotated[list[PastTurnBody], Field(max_length=20)] = Field(
        default_factory=list, description="questions and answers before this one, oldest first"
    )
    accept_cost: bool = Field(False, description="whether the question may be asked although a model is paid for it")

    def options(self) -> dict[str, Any]:
        """Return the options of ``Index.ask`` beside question and method."""
        where = self.where.strip() if self.where else ""
        history = [(turn.question, turn.answer) for turn in self.conversation]
        return {"history": history, **({"where": where} if where else {})}

    def index(self, index: Index, max_cost: float | None = None) -> Index:
        """Return the index under the settings that the question asks for; a model may cost ``max_cost`` at most."""
        search = {name: value for name in ("effort", "form") if (value := getattr(self, name)) is not None}
        changes: dict[str, dict[str, Any]] = {"search": search} if search else {}
        if max_cost is not None:
            known = index.settings.limits.max_cost
            changes["limits"] = {"max_cost": max_cost if known is None else min(known, max_cost)}
        return index.with_settings(changes) if changes else index
