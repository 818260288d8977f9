"""Schemas that strict servers take: every field required, nothing else allowed, nothing lost."""

from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, RootModel

from pipeline.base.errors import PlanError
from pipeline.language.transport.schema import strict_schema


class Colour(StrEnum):
    red = "red"
    blue = "blue"


class Inner(BaseModel):
    """An inner thing."""

    name: str = Field(description="its name", min_length=2)
    colour: Colour = Field(Colour.red, description="its colour")


class Outer(BaseModel):
    """An outer thing."""

    inner: Inner = Field(description="the one inside")
    others: list[Inner] = Field(default_factory=list, description="more of them", max_length=5)
    note: str | None = Field(None, description="a note, if any")
    kind: Literal["a", "b"] = "a"
    rank: float = Field(0, ge=0, le=10, description="importance")
    either: int | str = 0
    only: Literal["x"] = "x"


class Tree(BaseModel):
    name: str
    children: list["Tree"]


class Wood(BaseModel):
    trees: list[Tree]


def objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for item in schema for found in objects(item)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for item in schema.values() for found in objects(item)]


@pytest.mark.parametrize("reply", [Outer, Tree, Wood])
def test_every_object_requires_all_its_fields_and_allows_no_other(reply: type[BaseModel]) -> None:
    found = objects(strict_schema(reply))
    assert found
    for each in found:
        assert each["required"] == list(each["properties"]) and each["additionalProperties"] is False


@pytest.mark.parametrize("reply", [Outer, Tree, Wood])
def test_no_word_is_used_that_strict_servers_refuse(reply: type[BaseModel]) -> None:
    written = str(strict_schema(reply))
    for word in ("'default'", "'title'", "minLength", "maxItems", "'minimum'", "'const'", "allOf", "oneOf"):
        assert word not in written


def test_descriptions_are_kept_and_bounds_are_put_into_words() -> None:
    fields = strict_schema(Outer)["properties"]
    assert fields["inner"]["description"] == "the one inside"
    assert fields["inner"]["properties"]["name"]["description"] == "its name (at least 2 characters)"
    assert fields["others"]["description"] == "more of them (at most 5 items)"
    assert fields["rank"]["description"] == "importance (at least 0, at most 10)"


def test_choices_optionals_and_unions_keep_their_meaning() -> None:
    fields = strict_schema(Outer)["properties"]
    assert fields["note"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert fields["kind"]["enum"] == ["a", "b"] and fields["only"]["enum"] == ["x"]
    assert fields["inner"]["properties"]["colour"]["enum"] == ["red", "blue"]
    assert fields["either"]["anyOf"] == [{"type": "integer"}, {"type": "string"}]


def test_references_are_inlined_but_where_something_holds_itself() -> None:
    assert "$ref" not in str(strict_schema(Outer))
    tree = strict_schema(Tree)
    assert tree["type"] == "object" and tree["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert list(strict_schema(Wood)["$defs"]) == ["Tree"]


class Mapping(BaseModel):
    pairs: dict[str, int]


class Anything(BaseModel):
    value: Any


class Pair(BaseModel):
    pair: tuple[str, int]


class Rows(RootModel[list[str]]):
    pass


@pytest.mark.parametrize("reply", [Mapping, Anything, Pair, Rows])
def test_what_strict_output_cannot_express_is_an_error_when_the_task_is_built(reply: type[BaseModel]) -> None:
    with pytest.raises(PlanError, match=r"cannot be requested|must be an object"):
        strict_schema(reply)
