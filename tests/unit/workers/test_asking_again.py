"""The fleet asked again about a few turns: with their own numbers, by whoever can, and told nothing else."""

from pathlib import Path

from dissolution.adjudication import Adjudication, ClaimPair, PairDecision, PairVerdict
from dissolution.answers import FailureClass, MemberKind, MemberTask, Reply
from dissolution.conversation import Snapshot
from dissolution.errors import MemberTimeout
from fleet.failures import member_failure
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.workers.probing_members import FACTS, TURNS, ProbingMember
from workers.asking_again import ask_about
from workers.repairing import DecidedBefore

TALK = a_conversation(*TURNS)


class Extracting(ProbingMember):
    """Stands for an extraction method: it reads the turns of its task and numbers them as they come."""

    def __init__(self) -> None:
        super().__init__("extractive-x", kind=MemberKind.EXTRACTIVE)
        self.read: list[Snapshot] = []

    async def answer(self, task: MemberTask) -> Reply:
        self.read.append(task.snapshot)
        said = "\n".join(f"- {turn.content.split('.')[0]}. [turn {turn.number}]" for turn in task.snapshot.turns)
        return (await super().answer(task)).model_copy(
            update={"text": f"KNOWN\n{said}\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone\n"}
        )


def test_each_kind_of_member_is_asked_as_it_can_be(tmp_path: Path) -> None:
    model, method = ProbingMember("ann"), Extracting()
    silent = ProbingMember("cem", says={"repair": MemberTimeout("cem", "slow")})
    recorded = ProbingMember("ben", kind=MemberKind.RECORDED)
    with running(tmp_path, [model, method, silent, recorded]) as services:
        job = a_job(services, TALK)
        heard = ask_about(services, job, TALK.snapshot(), (3, 7))
        again = ask_about(services, job, TALK.snapshot(), (3, 7))
    assert again == heard
    assert heard.answered == 2
    assert len(model.prompts) == len(method.prompts) == len(silent.prompts) == 1
    assert recorded.prompts == []
    assert [turn.content for turn in method.read[0].turns] == [TURNS[2], TURNS[6]]
    assert "[turn 3]" in model.prompts[0][1]
    assert "[turn 4]" not in model.prompts[0][1]
    by_member = {name: [one for one in heard.statements if one.member == name] for name in ("ann", "extractive-x")}
    assert [one.claim.turns for one in by_member["extractive-x"]] == [(3,), (7,)]
    assert [one.claim.turns for one in by_member["ann"]] == [(3,)] * 4 + [(7,)] * 4
    assert FACTS[8][0] in by_member["ann"][0].claim.text


def test_a_fleet_of_recordings_says_nothing_more(tmp_path: Path) -> None:
    with running(tmp_path, [ProbingMember("ben", kind=MemberKind.RECORDED)]) as services:
        heard = ask_about(services, a_job(services, TALK), TALK.snapshot(), (1,))
    assert (heard.statements, heard.answered) == ((), 0)


def test_what_was_decided_about_pairs_is_repeated_and_nobody_is_asked() -> None:
    pair = ClaimPair(first="a", second="b")
    decisions = tuple(
        PairDecision(pair=ClaimPair(first=verdict.value, second="x"), verdict=verdict, member="m", reason="r")
        for verdict in PairVerdict
    )
    before = DecidedBefore(Adjudication(member="m", doubtful=3, asked=3, decisions=decisions))
    pairs = [one.pair for one in decisions]
    said = before.adjudicate([*pairs, pair, ClaimPair(first="x", second=pairs[0].first)])
    assert isinstance(said, tuple)
    assert [None if one is None else one.verdict for one in said] == [*PairVerdict, None, PairVerdict.SAME]
    assert before.name == "m"
    failure = member_failure(FailureClass.TIMEOUT, "slow")
    failed = DecidedBefore(Adjudication(member="m", doubtful=1, asked=1, failure=failure))
    assert failed.adjudicate([pair]) == failure
