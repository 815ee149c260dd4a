"""The composition root refuses what cannot work before anything is stored, and closes what it opened."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from dissolution.errors import InvalidPolicy, InvalidRoster, InvalidSettings, NoCalibration
from dissolution.framing import FramePolicy
from dissolution.policy.job_policy import ConsensusPolicy, Policy, RollingPolicy
from dissolution.settings import Settings
from language.tokens import ApproximateTokenCounter
from tests.factories import a_conversation, a_snapshot
from tests.running import a_job
from workers.bootstrap import (
    build_embedder,
    build_fleet,
    check_fleet,
    open_services,
    reader_counter,
    settled_policy,
)

ROOT = Path(__file__).parents[3]


def settings_in(folder: Path, **more: object) -> Settings:
    return Settings.model_validate({"db": f"sqlite:///{folder / 'ledger.sqlite3'}", "embedder": "hashing", **more})


def test_a_settled_policy_names_the_embedder_that_will_run() -> None:
    policy = settled_policy(Policy(), Settings(embedder="hashing"), "roster:x")
    assert policy.consensus.embedder == "hashing"
    named = Policy(consensus=ConsensusPolicy(embedder="hashing"))
    assert settled_policy(named, Settings(embedder="hashing"), "roster:x") == policy


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Policy(prompt_version=99), "prompt_version', value 99: choose one of 1, 2, 3, 4"),
        (
            Policy(consensus=ConsensusPolicy(embedder="foo/bar")),
            "consensus.embedder', value 'foo/bar': the settings name",
        ),
    ],
)
def test_a_policy_this_installation_cannot_follow_is_refused(policy: Policy, message: str) -> None:
    with pytest.raises(InvalidPolicy, match=message.replace(".", r"\.")):
        settled_policy(policy, Settings(), "roster:x")


ROSTER = """
name = "two"
[[member]]
name = "judge"
model = "openai/m"
family = "f"
api_base = "http://127.0.0.1:1/v1"
"""


@pytest.mark.parametrize("frame", [{"reviewers": ("nobody",)}, {"extractor": ("nobody",)}, {"challenger": "nobody"}])
def test_who_audits_reads_or_questions_the_frame_must_be_a_language_model_of_the_fleet(
    frame: dict[str, object],
) -> None:
    policy = Policy(frame=FramePolicy.model_validate(frame))
    (field,) = frame
    with pytest.raises(InvalidPolicy, match=rf"frame\.{field}', value 'nobody'.*no language model"):
        settled_policy(policy, Settings(), "extractive")


def test_a_fleet_description_that_names_none_is_refused() -> None:
    with pytest.raises(InvalidRoster, match="fleet 'gpt': give `extractive`"):
        check_fleet("gpt", a_snapshot("One."))
    with pytest.raises(InvalidRoster, match="fleet 'gpt'"):
        build_fleet("gpt", lambda: build_embedder(Settings(embedder="hashing")))


def test_the_extractive_fleet_is_built_over_the_embedder_of_the_settings() -> None:
    fleet = build_fleet("extractive", lambda: build_embedder(Settings(embedder="hashing")))
    assert len({member.card.family for member in fleet}) == 4
    assert any("hashing" in member.card.model for member in fleet)


def test_an_embedder_without_calibration_is_refused_before_a_database_exists(tmp_path: Path) -> None:
    with pytest.raises(NoCalibration, match="'my-model'"), open_services(settings_in(tmp_path, embedder="my-model")):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_deployment_needs_a_key_of_its_own(tmp_path: Path) -> None:
    keyless = settings_in(tmp_path, environment="deployment")
    with pytest.raises(InvalidSettings, match="its own"), open_services(keyless):
        pass
    key = SecretStr("3f7a9c20d18e46b5a7720c9be41d5f68")
    keyed = settings_in(tmp_path, environment="deployment", installation_key=key)
    with open_services(keyed) as services, services.unit_of_work() as work:
        assert work.installation_key()


def test_members_that_hold_connections_are_closed_with_the_services(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []

    class Holding:
        """Stands for a member with connections."""

        async def aclose(self) -> None:
            closed.append("closed")

    def holding_fleet(_description: str, _embedder: object, _limiter: object) -> tuple[Holding, ...]:
        return (Holding(),)

    monkeypatch.setattr("workers.bootstrap.build_fleet", holding_fleet)
    with open_services(settings_in(tmp_path)) as services:
        services.fleet(a_job(services, a_conversation("One.")))
        assert closed == []
    assert closed == ["closed"]


def test_a_reader_counts_by_its_own_vocabulary_where_it_is_at_hand() -> None:
    assert reader_counter(None).name == reader_counter("ollama/llama3").name == ApproximateTokenCounter().name
    counter = reader_counter("openai/gpt-4o")
    assert counter.name == "o200k_base"
    assert counter.count("Hello, world") == 3


def test_a_rolling_prompt_that_does_not_exist_is_refused() -> None:
    policy = Policy(rolling=RollingPolicy(prompt_version=9))
    with pytest.raises(InvalidPolicy, match=r"'rolling\.prompt_version', value 9: .* 1, 2, 3, 4, 5, 6"):
        settled_policy(policy, Settings(embedder="hashing"), "extractive")
    policy = Policy(frame=FramePolicy(review_version=9))
    with pytest.raises(InvalidPolicy, match=r"'frame\.review_version', value 9: .* 1, 2, 3"):
        settled_policy(policy, Settings(embedder="hashing"), "extractive")
