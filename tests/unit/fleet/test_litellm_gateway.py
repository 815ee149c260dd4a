"""Which models' own vocabularies are at hand. Calls themselves: tests/integration/fleet."""

import subprocess
import sys

import pytest

from fleet.litellm_gateway import CONNECTIONS, openai_vocabulary
from tests.architecture.project import ROOT


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-5-mini", "o200k_base"),
        ("openai/gpt-4o-2024-11-20", "o200k_base"),
        ("openai/gpt-4", "cl100k_base"),
        ("openrouter/openai/gpt-4.1", "o200k_base"),
    ],
)
def test_openai_models_have_one_behind_a_gateway_too(model: str, name: str) -> None:
    vocabulary = openai_vocabulary(model)
    assert vocabulary is not None
    assert vocabulary.name == name


@pytest.mark.parametrize(
    "model",
    [
        "anthropic/claude-sonnet-4-5",
        "openai/my-own-server",
        "openai/",
        "openai/davinci",  # a vocabulary that would have to be fetched
        "gemini/gemini-2.5-pro",
        "ollama_chat/qwen3:8b",
    ],
)
def test_others_have_none(model: str) -> None:
    assert openai_vocabulary(model) is None


@pytest.mark.usefixtures("processes")
def test_no_call_waits_in_the_librarys_pool() -> None:
    asked = "import fleet.litellm_gateway as g; g.load_litellm(); from litellm import constants as c; "
    asked += "print(c.AIOHTTP_CONNECTOR_LIMIT, c.AIOHTTP_CONNECTOR_LIMIT_PER_HOST)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == [str(CONNECTIONS)] * 2
