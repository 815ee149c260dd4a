"""The same question has the same answer over HTTP, over MCP and on the command line."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from api.mcp.inputs import DissolveInput, Message, RecallInput
from api.mcp.tools import dissolve, recall
from api.state import Caller
from cli.ledger.recall import RecallOptions
from cli.ledger.recall import recall as on_the_command_line
from cli.run.asof import NOW
from cli.shared.exits import Exit
from dissolution.recall_kinds import RecallBy, RecallKind
from dissolution.service import KeyScope
from tests.stating import STATING
from tests.unit.api.serving import TURNS, Served, served
from workers.services import Services

MESSAGES = [Message.model_validate(turn) for turn in TURNS]
Found = list[tuple[int, str, str]]


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """All three over one store."""
    with served(tmp_path, STATING) as made:

        def opened(*_: object, **__: object) -> nullcontext[Services]:
            return nullcontext(made.services)

        monkeypatch.setattr("cli.ledger.recall.open_services", opened)
        caller = Caller(tenant="default", client="c", scopes=(KeyScope.WRITE,), name="agent", api=made.app.state.api)
        made.run(dissolve(caller, DissolveInput(messages=MESSAGES, conversation="talk")).job)
        yield made


def over_http(api: Served, words: str, match: RecallBy, kinds: tuple[RecallKind, ...]) -> tuple[str, Found]:
    params = {"q": words, "match": match.value, "kind": [kind.value for kind in kinds], "state": "all"}
    reply = api.client(api.key(tenant="default")).get("/v1/conversations/talk/recall", params=params)
    assert reply.status_code == 200, reply.text
    told = reply.json()
    assert [one["id"] for one in told["results"] if one["kind"] == "claim"] == [one["id"] for one in told["claims"]]
    return told["matched_by"], [(one["rank"], one["kind"], one["id"]) for one in told["results"]]


def over_mcp(api: Served, words: str, match: RecallBy, kinds: tuple[RecallKind, ...]) -> tuple[str, Found]:
    caller = Caller(tenant="default", client="c", scopes=(KeyScope.READ,), name="agent", api=api.app.state.api)
    asked = RecallInput(conversation="talk", query=words, match=match, kind=list(kinds) or None, state="all")
    told = recall(caller, asked)
    found = [
        *((one.rank, "claim", one.id) for one in told.claims),
        *((one.rank, "dissent", one.id) for one in told.dissent),
        *((one.rank, "turn", str(one.turn)) for one in told.turns),
    ]
    return told.matched_by.value, sorted(found)


def on_a_terminal(
    api: Served, words: str, match: RecallBy, kinds: tuple[RecallKind, ...], capsys: pytest.CaptureFixture[str]
) -> tuple[str, Found]:
    asked = RecallOptions(
        conversation="talk",
        text=words,
        section=None,
        when=NOW,
        every_state=True,
        limit=20,
        db=None,
        as_json=True,
        kinds=kinds,
        match=match,
    )
    capsys.readouterr()
    assert on_the_command_line(asked) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    return told["matched_by"], [(one["rank"], one["kind"], one["id"]) for one in told["results"]]


@pytest.mark.parametrize("match", [RecallBy.WORDS, RecallBy.MEANING])
@pytest.mark.parametrize("kinds", [(), (RecallKind.TURN,), (RecallKind.CLAIM, RecallKind.DISSENT)], ids=len)
def test_all_three_answer_alike(
    api: Served, match: RecallBy, kinds: tuple[RecallKind, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = "launch in Oslo"
    terminal = on_a_terminal(api, words, match, kinds, capsys)  # makes the vectors that lack, so it goes first

    assert terminal[1]
    assert over_http(api, words, match, kinds) == over_mcp(api, words, match, kinds) == terminal
    assert terminal[0] == match.value


def test_words_are_shown_on_a_terminal(api: Served, capsys: pytest.CaptureFixture[str]) -> None:
    asked = RecallOptions(
        conversation="talk", text="deploy Fridays", section=None, when=NOW, every_state=False, limit=20,
        db=None, as_json=False,
    )  # fmt: skip
    capsys.readouterr()
    assert on_the_command_line(asked) is Exit.OK
    told = capsys.readouterr().out
    assert "found in 'talk'" in told
    assert "Never deploy on Fridays" in told
    assert "turn " in told
