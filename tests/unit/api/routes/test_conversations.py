"""Conversations over HTTP: stored once, grown by whoever knows how far they are, read, erased."""

import pytest
from fastapi.testclient import TestClient

from dissolution.service import ExtraPattern, IntakeRules
from tests.unit.api.serving import TURNS, Served, dissolved, problem, stored
from tests.unit.language.intake.foreign.support import FIXTURES


def test_what_is_stored_is_read_back_and_told_where(client: TestClient) -> None:
    reply = client.post("/v1/conversations", json={"name": "talk", "title": "Launch", "turns": TURNS})

    assert reply.status_code == 201
    assert reply.headers["location"] == "/v1/conversations/talk"
    told = reply.json()["conversation"]
    assert (told["name"], told["title"], told["turns"], told["boundary_version"]) == ("talk", "Launch", 4, 0)
    found = client.get(reply.headers["location"])
    assert found.json() == told
    assert found.headers["etag"] == reply.headers["etag"]
    turns = client.get("/v1/conversations/talk/turns?limit=3").json()
    assert [turn["content"] for turn in turns["items"]] == [turn["content"] for turn in TURNS[:3]]
    rest = client.get(f"/v1/conversations/talk/turns?after={turns['next']}").json()
    assert ([turn["number"] for turn in rest["items"]], rest["next"]) == ([4], None)


def test_a_name_is_made_where_none_is_given_and_taken_once(client: TestClient) -> None:
    one, other = (
        client.post("/v1/conversations", json={"turns": TURNS}).json()["conversation"]["name"] for _ in range(2)
    )
    assert one != other
    stored(client)
    problem(client.post("/v1/conversations", json={"name": "talk", "turns": TURNS}), 409, "conversation_exists")


def test_a_file_of_another_program_is_read_by_its_structure(client: TestClient) -> None:
    text = (FIXTURES / "chatgpt.json").read_text(encoding="utf-8")
    body = {"name": "salt", "text": text, "pick": "6957a0b0-0000-8000-8000-000000000001"}
    answer = client.post("/v1/conversations", json=body)

    assert answer.status_code == 201
    told = answer.json()
    assert (told["conversation"]["title"], told["conversation"]["turns"]) == ("Salt demo", 7)
    assert told["warnings"][0] == "read as chatgpt: conversations with a mapping of nodes"
    session = (FIXTURES / "claude_code.jsonl").read_text(encoding="utf-8")
    told = client.post("/v1/conversations", json={"name": "s", "text": session}).json()
    assert told["conversation"]["turns"] == 17


def test_a_text_that_cannot_be_read_is_refused_with_what_it_is_most_like(client: TestClient) -> None:
    several = (FIXTURES / "chatgpt.json").read_text(encoding="utf-8")
    for body, words in (
        ({"text": several}, "holds 2 conversations"),
        ({"text": several, "pick": "none"}, "holds no conversation 'none'"),
        ({"text": '{"uuid": "1", "name": "n", "created_at": "x"}'}, "nearest is claude_ai"),
        ({"text": "nobody speaks here"}, "none of the forms that are read"),
        ({"text": "[" * 100_000}, "nested too deeply"),
    ):
        told = problem(client.post("/v1/conversations", json=body), 422, "invalid_conversation")
        assert words in told["detail"]
    for body in ({"text": several, "messages": [{"role": "user", "content": "x"}]}, {"turns": TURNS, "pick": "x"}):
        problem(client.post("/v1/conversations", json=body), 422, "invalid_request")


def test_messages_of_model_interfaces_are_read(client: TestClient) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "We use Postgres."}]},
        {"role": "assistant", "content": "Fine."},
    ]
    assert client.post("/v1/conversations", json={"name": "m", "messages": messages}).status_code == 201
    roles = [turn["role"] for turn in client.get("/v1/conversations/m/turns").json()["items"]]
    assert roles == ["system", "user", "assistant"]


@pytest.mark.parametrize(
    ("messages", "roles"),
    [
        (
            [
                {"role": "user", "content": "Where?"},
                {"type": "function_call", "call_id": "c", "name": "where", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c", "output": "Bonn"},
            ],
            ["user", "assistant", "tool"],
        ),
        (
            [{"type": "human", "data": {"content": "Where?"}}, {"type": "ai", "data": {"content": "Bonn."}}],
            ["user", "assistant"],
        ),
        (
            [{"role": "user", "parts": [{"text": "Where?"}]}, {"role": "model", "parts": [{"text": "Bonn."}]}],
            ["user", "assistant"],
        ),
    ],
    ids=["responses", "langchain", "gemini"],
)
def test_messages_of_other_programs_are_told_by_their_structure(
    client: TestClient, messages: list[dict[str, object]], roles: list[str]
) -> None:
    assert client.post("/v1/conversations", json={"name": "m", "messages": messages}).status_code == 201
    assert client.post("/v1/conversations/m/turns", json={"messages": messages}).status_code == 201
    told = [turn["role"] for turn in client.get("/v1/conversations/m/turns").json()["items"]]
    assert told == [*roles, *roles]
    broken = [*messages, {"data": 3, "parts": 3}]
    assert problem(client.post("/v1/conversations", json={"messages": broken}), 422, "invalid_conversation")["detail"]


def test_turns_are_added_by_whoever_knows_how_far_it_is(client: TestClient) -> None:
    stored(client)
    more = {"turns": [{"role": "user", "content": "One more."}]}

    reply = client.post("/v1/conversations/talk/turns", json={**more, "expected_turns": 4})
    assert (reply.status_code, reply.json()["added"], reply.json()["turns"]) == (201, 1, 5)
    told = problem(
        client.post("/v1/conversations/talk/turns", json={**more, "expected_turns": 4}), 409, "turns_conflict"
    )
    assert "has 5 turns, not 4" in told["detail"]
    etag = client.get("/v1/conversations/talk").headers["etag"]
    assert client.post("/v1/conversations/talk/turns", json=more, headers={"if-match": etag}).status_code == 201
    stale = client.post("/v1/conversations/talk/turns", json=more, headers={"if-match": etag})
    problem(stale, 412, "precondition_failed")
    assert client.get("/v1/conversations/talk").json()["turns"] == 6
    problem(client.post("/v1/conversations/none/turns", json=more), 404, "not_found")


def test_pages_go_through_all_without_gaps(client: TestClient) -> None:
    for number in range(5):
        stored(client, f"talk-{number}")
    names: list[str] = []
    cursor = ""
    while True:
        page = client.get(f"/v1/conversations?limit=2{cursor}").json()
        names += [one["name"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert names == [f"talk-{number}" for number in range(5)]
    for bad in ("x", "bm8", "WyJhIiwiYiJd", "!!!!"):
        told = problem(client.get(f"/v1/conversations?cursor={bad}"), 422, "invalid_request")
        assert told["errors"][0]["field"] == "query.cursor"


def test_what_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    stored(client)
    first = client.get("/v1/conversations/talk")
    again = client.get("/v1/conversations/talk", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    client.post("/v1/conversations/talk/turns", json={"turns": TURNS[:1]})
    changed = client.get("/v1/conversations/talk", headers={"if-none-match": first.headers["etag"]})
    assert changed.status_code == 200


def test_erasing_leaves_the_record_alone(api: Served, client: TestClient) -> None:
    stored(client)
    job = dissolved(api, client)

    reply = client.delete("/v1/conversations/talk?reason=asked")

    assert reply.status_code == 200
    assert (reply.json()["conversation"], reply.json()["turns"], reply.json()["jobs"]) == ("talk", 4, 1)
    problem(client.get("/v1/conversations/talk"), 404, "not_found")
    problem(client.get(f"/v1/dissolutions/{job}"), 404, "not_found")
    problem(client.delete("/v1/conversations/talk?reason=asked"), 404, "not_found")
    problem(client.delete("/v1/conversations/talk"), 422, "invalid_request")


def test_what_is_replaced_is_listed_by_kind_and_nowhere_else(api: Served, client: TestClient) -> None:
    with api.services.unit_of_work() as work:
        rules = IntakeRules(patterns=(ExtraPattern(kind="badge", pattern=r"B-\d{6}"),), personal_data="presidio")
        work.service.intake.set_rules("default", rules, api.clock.now())
        work.commit()
    said = "Badge B-123456, password=hunter2horse99, write to ann@example.com."

    stored(client, turns=[{"role": "user", "content": said}])

    told = client.get("/v1/conversations/talk/redactions").json()
    assert told["kinds"] == {"badge": 1, "email_address": 1, "password": 1}
    content = client.get("/v1/conversations/talk/turns").json()["items"][0]["content"]
    for secret in ("B-123456", "hunter2horse99", "ann@example.com"):
        assert secret not in content
    assert all(one["placeholder"] in content for one in told["items"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body"),
        ({"turns": []}, "body.turns"),
        ({"turns": [{"role": "user"}]}, "body.turns.0.content"),
        ({"turns": [{"role": "user", "content": 5}]}, "body.turns.0.content"),
        ({"turns": [{"role": "user", "content": "x", "said_at": "2026-03-01T09:00:00"}]}, "body.turns.0.said_at"),
        ({"turns": [{"role": "user", "content": "x", "said_at": "5"}]}, "body.turns.0.said_at"),
        ({"turns": [{"role": "user", "content": "x", "said_at": "0001-01-01T00:00:00+14:00"}]}, "body.turns.0.said_at"),
        ({"turns": TURNS, "messages": []}, "body.messages"),
        ({"turns": TURNS, "odd": 1}, "body.odd"),
        ({"turns": TURNS, "name": "a/b"}, "body.name"),
        ({"turns": TURNS, "name": ".."}, "body.name"),
        ({"turns": TURNS, "name": "acme\u241ftalk"}, "body.name"),
        ({"turns": TURNS, "name": "x" * 121}, "body.name"),
    ],
)
def test_each_value_that_cannot_be_used_is_named(client: TestClient, body: object, field: str) -> None:
    told = problem(client.post("/v1/conversations", json=body), 422, "invalid_request")

    assert field in [error["field"] for error in told["errors"]]


def test_turns_that_cannot_be_read_say_which(client: TestClient) -> None:
    told = problem(
        client.post("/v1/conversations", json={"turns": [{"role": "user", "content": "  "}]}),
        422,
        "invalid_conversation",
    )
    assert "turn 1 is empty" in told["detail"]


def test_a_list_tells_how_each_conversation_stands(api: Served, client: TestClient) -> None:
    stored(client)
    (before,) = client.get("/v1/conversations").json()["items"]
    assert (before["last_dissolution"], before["size"]) == (None, None)
    assert before["characters"] == sum(len(turn["content"]) for turn in TURNS)
    alone = client.get("/v1/conversations/talk").json()
    assert {name: before[name] for name in alone} == alone

    done = client.get(f"/v1/dissolutions/{dissolved(api, client)}").json()
    (after,) = client.get("/v1/conversations").json()["items"]
    assert after["last_dissolution"] == {
        name: done[name] for name in ("id", "status", "through", "created_at", "ended_at")
    }
    assert after["boundary_version"] == 1
    assert after["size"] == done["size"] is not None
