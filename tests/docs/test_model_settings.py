"""Every block of settings that the guide on models shows answers a question at a look-alike of that server."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.base.settings import parse_settings
from pipeline.query.index import Index
from tests.docs.blocks import Block, blocks
from tests.lookalike import LookAlike
from tests.paths import ROOT
from tests.query_cases import sample

SHOWN = [block for block in blocks(ROOT / "docs" / "guides" / "models.md") if block.note.startswith("model: ")]


def settings_of(block: Block, server: LookAlike) -> dict[str, Any]:
    """Return the settings of a block with the server's own address in place of the one shown."""
    content: dict[str, Any] = yaml.safe_load(block.text)
    for model in content["models"].values():
        bare = model.get("provider") in ("azure", "anthropic")
        model["base_url"] = server.url.removesuffix("/v1") if bare else server.url
    return content


@pytest.mark.parametrize("block", SHOWN, ids=lambda block: f"line {block.line}")
def test_settings_that_the_guide_shows_reach_the_server_that_they_name(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if block.note == "model: anthropic":
        pytest.importorskip("langchain_anthropic")
    output = Path(shutil.copytree(sample(), tmp_path / "output"))
    content = yaml.safe_load(block.text)
    names = tuple(model["model"] for model in content["models"].values())
    key = "k-0123456789" if any("api_key_env" in model for model in content["models"].values()) else None
    for model in content["models"].values():
        if "api_key_env" in model:
            monkeypatch.setenv(model["api_key_env"], key or "")
    with LookAlike(models=names, key=key) as server:
        index = Index.open(output, parse_settings(settings_of(block, server)))
        answer = index.ask("Who was crowned at Reims?", "basic")
        assert server.calls == 1
        assert answer.usage["calls"] == 1
        assert server.asked[-1].get("model", names[0]) == names[0]
