"""The context over HTTP: the boundary with the last turns, for each kind of interface, within its budget."""

from pathlib import Path

from fastapi.testclient import TestClient

from dissolution.triggering import TriggerState, TurnSurprise
from tests.stating import STATING
from tests.unit.api.serving import TURNS, Served, dissolved, problem, served, stored
from tests.unit.store.evaluations import an_evaluation
from tests.unit.workers.probing_members import FACTS, ProbingMember
from tests.unit.workers.probing_members import TURNS as FACT_TURNS

AT = "/v1/conversations/talk/context"


def test_without_a_boundary_the_last_turns_stand_alone(client: TestClient) -> None:
    stored(client)

    whole = client.get(AT).json()
    assert (whole["source"], whole["boundary_version"], len(whole["messages"])) == ("history", 0, 4)
    assert [one["role"] for one in whole["messages"]] == ["user", "assistant", "user", "assistant"]
    long = [{"role": "user", "content": "words " * 150} for _ in range(3)]
    client.post("/v1/conversations/talk/turns", json={"turns": long})
    cut = client.get(f"{AT}?budget=400").json()
    assert (len(cut["messages"]), cut["left_out"]["turns"]) == (2, 5)
    assert cut["tokens"] <= 400
    client.post("/v1/conversations/talk/turns", json={"turns": [{"role": "user", "content": "words " * 900}]})
    problem(client.get(f"{AT}?budget=200"), 422, "invalid_input")


def test_system_messages_at_the_beginning_stand_first_word_for_word(api: Served, client: TestClient) -> None:
    rules = {"role": "system", "content": "You are the scribe.\nNever name prices."}
    later = [{"role": "user", "content": f"Note {n}: " + "words " * 60} for n in range(5)]
    client.post("/v1/conversations", json={"name": "talk", "turns": [rules, *TURNS, *later]})

    before = client.get(f"{AT}?budget=400").json()
    assert before["messages"][0] == rules
    assert 0 < before["left_out"]["turns"] < len(TURNS) + len(later)
    assert before["tokens"] <= 400
    without = client.get(f"{AT}?budget=400&operator=false").json()
    assert rules not in without["messages"]
    assert without["left_out"]["operator_turns"] == 0
    dissolved(api, client)
    after = client.get(f"{AT}?recent=1&budget=2000").json()["messages"][0]["content"]
    assert after.startswith("Nobody has read this conversation for me")
    assert "The operator instructs in turn 1, word for word:\nYou are the scribe.\nNever name prices.\n\n" in after
    assert "operator" not in client.get(f"{AT}?recent=1&budget=2000&operator=false").json()["messages"][0]["content"]


def test_the_last_turn_comes_before_the_first_message_where_both_do_not_fit(client: TestClient) -> None:
    long = {"role": "system", "content": "rules " * 90}
    client.post(
        "/v1/conversations", json={"name": "talk", "turns": [long, {"role": "user", "content": "words " * 130}]}
    )

    told = client.get(f"{AT}?budget=200").json()
    assert [one["role"] for one in told["messages"]] == ["user"]
    assert told["left_out"] == {"claims": {}, "turns": 0, "operator_turns": 1, "excerpts": 0}


def test_a_boundary_that_saves_nothing_stands_and_the_history_is_given(api: Served, client: TestClient) -> None:
    stored(client)
    job = dissolved(api, client)

    told = client.get(f"{AT}?recent=1&budget=2000").json()
    assert (told["source"], told["boundary_version"], told["through"]) == ("history", 1, 4)
    assert [one["content"] for one in told["messages"]] == [turn["content"] for turn in TURNS]
    assert told["notes"][-1] == "this conversation is shorter than its boundary would be: send the history"
    assert told["size"]["after_tokens"] >= told["size"]["before_tokens"] > 0
    shown = client.get(f"/v1/dissolutions/{job}").json()
    assert shown["status"] == "committed"
    assert shown["size"] == told["size"]
    assert set(told["notes"]) <= set(shown["notes"])
    assert any(one.startswith("history sent 0.0 times") for one in shown["notes"])  # nobody was asked in words


def test_the_boundary_stands_before_the_last_turns(api: Served, client: TestClient) -> None:
    notes = [{"role": "user", "content": f"Note {n}: " + "words " * 60} for n in range(5)]
    client.post("/v1/conversations", json={"name": "talk", "turns": [*notes, *TURNS]})
    dissolved(api, client)

    told = client.get(f"{AT}?recent=1&budget=2000").json()
    assert (told["source"], told["boundary_version"], told["through"]) == ("boundary", 1, 9)
    assert told["size"]["after_tokens"] < told["size"]["before_tokens"]
    assert "send the history" not in str(told["notes"])
    assert told["messages"][0]["role"] == "system"
    assert told["messages"][-1]["content"] == "I will never deploy on Fridays."
    assert told["tokens"] <= told["budget_tokens"] == 2000
    apart = client.get(f"{AT}?format=anthropic").json()
    assert apart["system"] == client.get(AT).json()["messages"][0]["content"]
    assert {one["role"] for one in apart["messages"]} == {"user", "assistant"}
    text = client.get(f"{AT}?format=text")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert apart["system"] in text.text
    assert client.get(f"{AT}?format=text", headers={"if-none-match": text.headers["etag"]}).status_code == 304


def test_a_budget_that_cannot_hold_what_is_decided_names_one_that_can(tmp_path: Path) -> None:
    work = (
        "Anna harbour ferries",
        "Boris bakery bread",
        "Chen library archive",
        "Dana clinic nurses",
        "Emil orchard apples",
        "Fay museum tickets",
        "Goran stadium lights",
        "Hanna theatre costumes",
    )
    turns = [
        {
            "role": "user",
            "content": f"We decided that {name} owns the {place} project from now on, keeps all {thing} records in one "
            f"written ledger, and reports all {thing} costs of the {place} to the whole board in plain words.",
        }
        for name, place, thing in (one.split() for one in work)
    ]
    with served(tmp_path, STATING) as api:
        client = api.client(api.key())
        stored(client, turns=[*turns, *TURNS])
        dissolved(api, client)

        told = problem(client.get(f"{AT}?budget=200"), 422, "invalid_input")

        needed = told["detail"].rpartition("budget=")[2].split()[0]
        assert client.get(f"{AT}?budget={needed}").status_code == 200
        for query in ("budget=100", "budget=x", "recent=-1", "format=odd"):
            problem(client.get(f"{AT}?{query}"), 422, "invalid_request")


def test_claims_of_notable_turns_enter_a_context_that_cannot_hold_all(tmp_path: Path) -> None:
    with served(tmp_path, [ProbingMember(name) for name in ("ann", "ben", "cem")]) as api:
        assert_notable_enter(api, api.client())


def assert_notable_enter(api: Served, client: TestClient) -> None:
    stored(client, turns=[{"role": "user", "content": content} for content in FACT_TURNS])
    dissolved(api, client)

    def told(budget: int) -> str:
        reply = client.get(f"{AT}?budget={budget}&recent=0&format=text")
        return reply.text if reply.status_code == 200 else ""

    whole = told(4000)
    tight = next(budget for budget in range(200, 4000, 50) if sum(fact[0] in told(budget) for fact in FACTS) > 1)
    before = told(tight)
    left_out = [(place // 4 + 1, fact[0]) for place, fact in enumerate(FACTS) if fact[0] in whole]
    turn, fact = next((turn, fact) for turn, fact in left_out if fact not in before)
    with api.services.unit_of_work() as work:
        (facts,) = work.service.listing.conversations("default", None, 10)
        surprise = TurnSurprise(bits_per_token=9.0, tokens=12, estimator="words", notable=True)
        notable = an_evaluation(turn, conversation=facts.id).model_copy(update={"surprise": surprise})
        work.triggers.save(TriggerState(conversation=facts.id, through=len(FACT_TURNS)), [notable])
        work.commit()
    assert fact in told(tight)
