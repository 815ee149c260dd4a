"""docs/mcp.md tells the tools as they are, and its configurations are ones that start them."""

import json
import re
from typing import Any

import pytest

from api.mcp.catalog import INSTRUCTIONS, TOOLS
from api.mcp.http import PATH
from cli.main import app
from dissolution.settings import Settings
from tests.architecture.project import ROOT

PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
ROWS: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", PAGE, re.MULTILINE))
SERVERS: list[dict[str, Any]] = [
    json.loads(block)["mcpServers"]["dissolution"] for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
]


def test_the_page_has_every_tool_with_every_argument() -> None:
    assert {name: set(re.findall(r"`(\w+)`", row)) for name, row in ROWS.items()} == {
        name: set(kind.takes.model_fields) for name, kind in TOOLS.items()
    }


@pytest.mark.parametrize("server", SERVERS, ids=["stdio", "http"])
def test_a_configuration_of_the_page_starts_what_there_is(server: dict[str, Any]) -> None:
    if "url" in server:
        assert server["url"] == f"http://127.0.0.1:{Settings().api_port}{PATH}"
        return
    assert server["command"] == "dissolve"
    commands = {one.callback.__name__ for one in app.registered_commands if one.callback is not None}
    assert set(server["args"]) <= commands
    fields = {f"DISSOLVE_{name.upper()}" for name in Settings.model_fields}
    assert set(server["env"]) <= fields


def test_agents_are_told_of_every_tool() -> None:
    assert [name for name in TOOLS if f"`{name}`" not in INSTRUCTIONS] == []
