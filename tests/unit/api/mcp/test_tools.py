"""The tools over services in memory: what the acceptance tests of real processes leave out."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.errors import TooManyJobs
from api.mcp.importing import import_text
from api.mcp.inputs import ContextInput, DissolveInput, FrameInput, ImportInput, JobInput, Message, RecallInput
from api.mcp.tools import context, dissolve, frame, recall, status
from api.state import Caller
from dissolution.errors import InputError, NotFound
from dissolution.job import JobStatus
from dissolution.premises import PremiseStatus
from dissolution.service import KeyScope
from tests.factories import INSTANT
from tests.stating import STATING
from tests.unit.api.serving import TURNS, Served, served

MESSAGES = [Message.model_validate(turn) for turn in TURNS]


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Served]:
    policies = tmp_path / "policies"
    policies.mkdir()
    (policies / "quick.toml").write_text('name = "quick"\n', encoding="utf-8")
    with served(tmp_path, STATING, api_queued_jobs=2) as made:
        yield made


def caller_of(api: Served, tenant: str = "acme") -> Caller:
    return Caller(tenant=tenant, client="c", scopes=(KeyScope.WRITE,), name="agent", api=api.app.state.api)


def test_a_conversation_without_a_name_is_given_one(api: Served) -> None:
    caller = caller_of(api)
    first, second = (dissolve(caller, DissolveInput(messages=MESSAGES)) for _ in range(2))
    assert first.conversation.startswith("c-")
    assert first.conversation != second.conversation  # nobody said that they are one
    assert status(caller, JobInput(conversation=first.conversation)).job == first.job


def test_before_it_has_run_the_history_holds_and_the_frame_is_read_now(api: Served) -> None:
    caller = caller_of(api)
    asked = dissolve(caller, DissolveInput(messages=MESSAGES, conversation="talk"))
    assert (asked.status, asked.ended) == (JobStatus.QUEUED, False)
    told = context(caller, ContextInput(conversation="talk", format="text"))
    assert (told.source, told.boundary_version, told.through) == ("history", 0, 0)
    assert told.text is not None
    assert "Never deploy on Fridays" in told.text
    assert recall(caller, RecallInput(conversation="talk")).boundary_version == 0
    frames = frame(caller, FrameInput(job=asked.job, limit=1))
    assert frames.findings is None
    assert frames.not_run
    assert (frames.through, len(frames.premises)) == (4, 1)
    none = frame(caller, FrameInput(job=asked.job, status=PremiseStatus.INJECTED))
    assert (none.premises, none.premises_total) == ([], 0)


def test_asking_again_makes_a_second_job_only_when_it_is_another_one(api: Served) -> None:
    caller = caller_of(api)
    asked = dissolve(caller, DissolveInput(messages=MESSAGES, conversation="talk"))
    again = dissolve(caller, DissolveInput(conversation="talk"))
    assert (again.job, again.repeated) == (asked.job, True)
    held = dissolve(caller, DissolveInput(conversation="talk", hold=True))
    assert held.job != asked.job
    with pytest.raises(TooManyJobs, match="2 dissolutions"):
        dissolve(caller, DissolveInput(conversation="talk", through=2))
    api.run(held.job)
    assert status(caller, JobInput(job=held.job)).status is JobStatus.HELD
    api.run(asked.job)
    after = dissolve(caller, DissolveInput(conversation="talk", policy="quick"))
    assert after.job not in {asked.job, held.job}


def test_what_another_program_wrote_is_stored_grows_and_can_be_searched_and_dissolved(api: Served) -> None:
    caller = caller_of(api)
    said = [json.dumps({"role": turn["role"], "content": turn["content"]}) for turn in TURNS]
    first = import_text(caller, ImportInput(text="\n".join(said[:2]), conversation="session"))
    assert (first.conversation, first.turns, first.new_turns) == ("session", 2, 2)
    grown = import_text(caller, ImportInput(text="\n".join(said), conversation="session"))
    assert (grown.turns, grown.new_turns) == (4, 2)
    assert import_text(caller, ImportInput(text="\n".join(said), conversation="session")).new_turns == 0
    found = recall(caller, RecallInput(conversation="session", query="Fridays"))
    assert found.turns[0].turn in {3, 4}
    assert dissolve(caller, DissolveInput(conversation="session")).through == 4
    with pytest.raises(InputError, match="turn 1 differs"):
        import_text(caller, ImportInput(text=said[1], conversation="session"))
    assert import_text(caller, ImportInput(text=said[0])).conversation.startswith("c-")


def test_of_several_conversations_in_a_file_one_is_picked_by_its_id(api: Served) -> None:
    caller = caller_of(api)
    text = "\n".join(json.dumps({"id": name, "turns": TURNS[:2]}) for name in ("x", "y"))
    with pytest.raises(InputError, match=r"2 conversations \('x', 'y'\).*MCP, `pick`"):
        import_text(caller, ImportInput(text=text))
    taken = import_text(caller, ImportInput(text=text, pick="y"))
    assert (taken.turns, taken.new_turns) == (2, 2)
    with pytest.raises(InputError, match="none of the forms"):
        import_text(caller, ImportInput(text="{}"))


def test_secrets_of_an_imported_text_are_replaced_and_told(api: Served) -> None:
    caller, secret = caller_of(api), "Xk9" + "&pQ7zLm2R"
    told = import_text(caller, ImportInput(text=f"Ann: The password={secret} is set.\nBob: Good.", conversation="talk"))
    assert any("secret" in warning for warning in told.warnings)
    with api.services.unit_of_work() as work:
        assert secret not in work.conversations.get("acme␟talk").model_dump_json()


def test_a_policy_is_named_by_the_operator(api: Served) -> None:
    with pytest.raises(InputError, match=r"'wild'.*use 'default' or 'quick'"):
        dissolve(caller_of(api), DissolveInput(messages=MESSAGES, policy="wild"))


def test_a_conversation_that_was_never_dissolved_has_no_job(api: Served) -> None:
    caller = caller_of(api)
    api.client(api.key()).post("/v1/conversations", json={"name": "still", "turns": TURNS}).raise_for_status()
    with pytest.raises(NotFound, match="'still'"):
        status(caller, JobInput(conversation="still"))
    asked = dissolve(caller, DissolveInput(conversation="still"))
    with pytest.raises(NotFound, match=asked.job):
        status(caller_of(api, "other"), JobInput(job=asked.job))
    with pytest.raises(NotFound, match="still"):
        frame(caller_of(api, "other"), FrameInput(conversation="still"))


def test_what_is_no_json_is_refused(api: Served) -> None:
    odd = Message.model_validate({"role": "user", "content": "Hello.", "score": float("nan")})
    with pytest.raises(InputError, match="JSON values"):
        dissolve(caller_of(api), DissolveInput(messages=[odd]))


def test_claims_are_found_also_when_they_have_ended(api: Served) -> None:
    caller = caller_of(api)
    api.run(dissolve(caller, DissolveInput(messages=MESSAGES, conversation="talk")).job)
    claim = recall(caller, RecallInput(conversation="talk", query="Oslo")).claims[0]
    act = {"kind": "retracted", "claim": claim.id, "reason": "we launch in Rome"}
    reply = api.client(api.key()).post("/v1/conversations/talk/acts", json=act)
    assert reply.status_code == 201, reply.text
    assert claim.id not in {one.id for one in recall(caller, RecallInput(conversation="talk")).claims}
    ended = [one for one in recall(caller, RecallInput(conversation="talk", state="all")).claims if one.id == claim.id]
    assert ended[0].ended_because
    assert recall(caller, RecallInput(conversation="talk", query=" ", limit=1)).claims


def test_a_conversation_that_has_grown_is_taken_whole_when_a_secret_came_back_bare(api: Served) -> None:
    caller, secret = caller_of(api), "Xk9" + "&pQ7zLm2R"
    turns = [*TURNS, {"role": "user", "content": f"The password={secret} is set."}]
    more = [{"role": "assistant", "content": f"I use {secret} then."}, {"role": "user", "content": "Good."}]
    dissolve(caller, DissolveInput(messages=[Message.model_validate(one) for one in turns], conversation="talk"))
    reply = api.client(api.key()).post("/v1/conversations/talk/turns", json={"turns": more[:1]})
    assert reply.status_code == 201

    whole = [Message.model_validate(one) for one in [*turns, *more]]
    grown = dissolve(caller, DissolveInput(messages=whole, conversation="talk"))

    assert grown.new_turns == 1
    with api.services.unit_of_work() as work:
        assert secret not in work.conversations.get("acme␟talk").model_dump_json()


def test_a_conversation_stored_before_secrets_were_remembered_is_still_taken_whole(api: Served) -> None:
    caller, secret = caller_of(api), "Xk9" + "&pQ7zLm2R"
    turns = [{"role": "user", "content": f"The password={secret} is set."}, {"role": "user", "content": f"{secret}!"}]
    messages = [Message.model_validate(one) for one in turns]
    dissolve(caller, DissolveInput(messages=messages, conversation="talk"))
    with api.services.unit_of_work() as work:  # as an earlier release has stored it
        stored = work.conversations.get("acme␟talk")
        bare = stored.turns[1].model_copy(update={"content": f"{secret}!"})
        work.ledger.erase(stored.id, INSTANT, actor="ann", reason="to store it anew")
        work.conversations.extend(stored.model_copy(update={"turns": (stored.turns[0], bare), "known": ()}))
        work.commit()

    more = Message.model_validate({"role": "user", "content": "Good."})
    assert dissolve(caller, DissolveInput(messages=[*messages, more], conversation="talk")).new_turns == 1


def test_a_conversation_that_one_job_cannot_read_is_refused_with_the_figure(tmp_path: Path) -> None:
    with served(tmp_path, STATING, max_job_turns=3) as api:
        with pytest.raises(InputError, match=r"4 turns.* 3: .*through"):
            dissolve(caller_of(api), DissolveInput(messages=MESSAGES, conversation="talk"))
        with api.services.unit_of_work() as work:
            assert work.conversations.ids() == ()
