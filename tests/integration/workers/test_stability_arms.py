"""Arms of a stability run whose members are asked over real HTTP: a self-ensemble, a summary, and who is asked what."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from devtools.loopback import LoopbackProvider
from devtools.loopback_spec import LoopbackAct, LoopbackStep, ModelScript
from dissolution.framing import FramePolicy
from dissolution.job import JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from dissolution.settings import Settings
from dissolution.stability import Arm, Cell, CycleFigures, RunStatus
from dissolution.values import NotMeasured
from stability.run import Runner, start_run
from tests.integration.providing import providing
from tests.unit.stability.runs import TALK, a_plan
from workers.bootstrap import ROSTER, open_services
from workers.services import Services

FOUR = """KNOWN
- The metrics server listens on port 9090.

DECIDED
- Nobody deploys on a Friday.

EDGES
none

IDENTITY
- I write the release notes every Thursday."""
PROSE = "The team talks about its metrics server on port 9090. It also agrees that nobody deploys on a Friday."
ENTRY = """[[member]]
name = "{name}"
model = "openai/{name}"
family = "{name}"
api_base = "{base}/v1"
price = {{ input_usd = 1, output_usd = 4 }}
max_attempts = 1

"""
MODELS = {
    "ann": ModelScript(template=FOUR),
    "prose": ModelScript(template=PROSE),
    "shy": ModelScript(template=FOUR, steps=(LoopbackStep(act=LoopbackAct.REFUSAL, times=99),)),
}


@pytest.fixture(scope="module")
def provider() -> Iterator[LoopbackProvider]:
    """A provider in a thread of its own."""
    with providing(MODELS) as serving:
        yield serving


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    settings = Settings(db=f"sqlite:///{tmp_path / 'ledger.sqlite3'}", embedder="hashing")
    with open_services(settings) as opened:
        with opened.unit_of_work() as work:
            work.conversations.extend(TALK)
            work.commit()
        yield opened


def cells_of(
    services: Services, provider: LoopbackProvider, folder: Path, arm: Arm, *names: str, replicates: int = 1
) -> tuple[Cell, ...]:
    """The cells of a run of two cycles, neither probed nor audited: what is asked of whom is what counts here."""
    roster = folder / "fleet.toml"
    roster.write_text("".join(ENTRY.format(name=name, base=provider.base_url) for name in names), encoding="utf-8")
    policy = Policy(probe=ProbePolicy(on=False), frame=FramePolicy(audit=False))
    plan = a_plan(services, arm, fleet=f"{ROSTER}{roster}", checkpoints=(2, 6), replicates=replicates, policy=policy)
    run = start_run(services, plan)
    assert Runner(replace(services), run).go_on().status is RunStatus.DONE
    with services.unit_of_work() as work:
        return work.stability.cells(run.id)


def test_a_self_ensemble_asks_one_member_three_times_each_cycle(
    services: Services, provider: LoopbackProvider, tmp_path: Path
) -> None:
    before = provider.served["ann"].requests
    cells = cells_of(services, provider, tmp_path, Arm.SELF_ENSEMBLE, "ann")
    assert provider.served["ann"].requests - before == 6
    assert all(isinstance(cell.figures, CycleFigures) and cell.figures.claims > 0 for cell in cells)
    with services.unit_of_work() as work:
        answers = work.jobs.answers(str(cells[0].job))
    assert [answer.member.name for answer in answers] == ["ann#1", "ann#2", "ann#3"]
    assert {answer.member.family for answer in answers} == {"ann"}


def test_a_summary_is_asked_for_by_the_control_prompt_over_all_turns_and_measured_as_it_is(
    services: Services, provider: LoopbackProvider, tmp_path: Path
) -> None:
    before = len(provider.bodies)
    cells = cells_of(services, provider, tmp_path, Arm.SUMMARY, "prose")
    asked = [str(body) for body in provider.bodies[before:]]
    assert len(asked) == 2
    assert all("The following is a conversation. Summarise it." in prompt for prompt in asked)
    assert all("KNOWN" not in prompt for prompt in asked)
    assert TALK.turns[0].content in asked[1]  # the second reads everything again
    for cell in cells:
        assert isinstance(cell.figures, CycleFigures)
        assert cell.figures.claims == 2
        assert not isinstance(cell.figures.usd, NotMeasured)
        assert cell.figures.usd > 0
    with services.unit_of_work() as work:
        assert {work.jobs.get(str(cell.job)).status for cell in cells} == {JobStatus.HISTORY_KEPT}


def test_a_refused_summary_is_no_summary_and_each_replicate_asks_another_member(
    services: Services, provider: LoopbackProvider, tmp_path: Path
) -> None:
    cells = cells_of(services, provider, tmp_path, Arm.SUMMARY, "prose", "shy", replicates=2)
    assert [cell.members for cell in cells] == [("prose",)] * 2 + [("shy",)] * 2
    assert all(isinstance(cell.figures, CycleFigures) for cell in cells[:2])
    reasons = [cell.figures.not_measured for cell in cells[2:] if isinstance(cell.figures, NotMeasured)]
    assert len(reasons) == 2
    assert all("shy" in reason or "no answer" in reason for reason in reasons)
