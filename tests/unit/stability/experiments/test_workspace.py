"""Members that are asked for summaries now: what comes back, who fails, and what it may cost."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from devtools.scripted import SCRIPTED_USAGE, Fail, Say, ScriptedMember
from dissolution.answers import MemberTask, Usage
from dissolution.conversation import Snapshot
from dissolution.errors import BudgetExceeded, MemberTimeout
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings
from dissolution.values import NotMeasured
from stability.experiments.data import DataFolder
from stability.experiments.workspace import NO_PROSE, Choice, answers_to_dissolve, dissolved, summaries, workspace
from tests.running import a_member, running
from tests.unit.stability.experiments.tiny import NAME, answer, tiny_data


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tiny_data(tmp_path_factory.mktemp("workspace") / "data")
    (made / "fleet.toml").write_text("# asked by scripts in these tests\n", encoding="utf-8")
    return made


def asking(folder: Path, **rest: object) -> Choice:
    return Choice(DataFolder(folder), fleet=str(folder / "fleet.toml"), **rest)  # pyright: ignore[reportArgumentType] - fields by name


def take_any_roster(monkeypatch: pytest.MonkeyPatch) -> None:
    """The roster file is a stand-in: the members are scripts, so nothing of it is checked."""

    def checked(_fleet: str, _snapshot: Snapshot) -> None:
        """Whatever it is."""

    def settled(policy: Policy, _settings: Settings, _fleet: str) -> Policy:
        return policy

    monkeypatch.setattr("stability.experiments.workspace.check_fleet", checked)
    monkeypatch.setattr("stability.experiments.workspace.settled_policy", settled)


def summarised(tmp_path: Path, folder: Path, members: Sequence[ScriptedMember], **rest: object) -> object:
    choice = asking(folder, **rest)
    with running(tmp_path, members) as services:
        return summaries(services, choice, choice.data.planted()[0])


def test_each_member_is_asked_once_and_a_failed_one_is_left_out(tmp_path: Path, folder: Path) -> None:
    members = [a_member("a", Say("They met.")), a_member("b", Fail(MemberTimeout)), a_member("c", Say("They agreed."))]
    assert summarised(tmp_path, folder, members) == {"a": "They met.", "c": "They agreed."}
    assert [member.asked for member in members] == [1, 1, 1]


def test_when_all_fail_there_is_no_summary(tmp_path: Path, folder: Path) -> None:
    found = summarised(tmp_path, folder, [a_member("a", Fail(MemberTimeout))])
    assert found == NotMeasured(not_measured=f"no member summarised {NAME}")


def test_nobody_is_asked_when_it_could_cost_more_than_the_cap(tmp_path: Path, folder: Path) -> None:
    class Dear(ScriptedMember):
        """Costs three dollars a call."""

        def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's signature
            return SCRIPTED_USAGE.model_copy(update={"cost_usd": Decimal(3)})

    members = [Dear(a_member(name, Say("x")).card, (Say("x"),)) for name in ("a", "b")]
    policy = Policy()
    with pytest.raises(BudgetExceeded, match=r"USD 6 .* 5"):
        summarised(tmp_path, folder, members, policy=policy)
    assert [member.asked for member in members] == [0, 0]


def test_a_roster_is_asked_for_its_answers_by_a_job(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_any_roster(monkeypatch)
    members = [a_member(name, Say(answer())) for name in ("a", "b", "c")]
    choice = asking(folder)
    with running(tmp_path, members) as services:
        found = answers_to_dissolve(services, choice, choice.data.planted()[0])
    assert found == dict.fromkeys(("a", "b", "c"), answer())


def test_a_job_without_a_boundary_is_told_with_its_reason(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_any_roster(monkeypatch)
    choice = asking(folder)
    with running(tmp_path, [a_member("a", Fail(MemberTimeout))]) as services:
        found = dissolved(services, choice, choice.data.planted()[0])
    assert isinstance(found, NotMeasured)
    assert found.not_measured.startswith(f"{NAME}: no boundary was committed (")


def test_recorded_and_extractive_fleets_are_asked_for_nothing(tmp_path: Path, folder: Path) -> None:
    recorded = Choice(DataFolder(folder))
    one = recorded.data.planted()[0]
    with running(tmp_path, [a_member("a", Say("x"))]) as services:
        assert set(summaries(services, recorded, one)) == {"writer-a", "writer-e", "writer-f"}  # pyright: ignore[reportArgumentType] - by writer
        assert summaries(services, Choice(recorded.data, fleet="extractive"), one) == NO_PROSE


def test_nothing_is_left_of_a_workspace() -> None:
    with workspace(Settings(embedder="hashing")) as services:
        database = Path(services.settings.db.removeprefix("sqlite:///"))
        assert database.is_file()
    assert not database.parent.exists()
