import logging

import pytest

from dissolution.errors import InputError, InvalidPolicy, ModelAssetError, NoCalibration
from dissolution.installed import CHOSEN, HASHING, MODEL, default_embedder, is_installed, is_light
from dissolution.policy.job_policy import ConsensusPolicy, Policy
from dissolution.settings import Settings
from reports.drawing import check_charts
from tests.refusing import refused
from workers.bootstrap import settled_policy
from workers.checks import doctor
from workers.checks.diagnosis import State
from workers.concurrency.forking import refuse_without_fork
from workers.embedding_choice import check_embedder, chosen_words

LEFT_OUT = ("sentence_transformers", "matplotlib")


def test_the_whole_installation_takes_the_model_and_says_nothing() -> None:
    assert (is_light(), default_embedder()) == (False, MODEL)
    assert chosen_words(Settings()) is None
    check_embedder(Settings())


def test_a_light_one_chooses_by_itself_and_logs_it(caplog: pytest.LogCaptureFixture) -> None:
    with refused(*LEFT_OUT), caplog.at_level(logging.INFO, "workers"):
        assert not is_installed("matplotlib")
        settings = Settings()
        check_embedder(settings)
    assert settings.embedder == HASHING
    assert chosen_words(settings) == CHOSEN
    assert caplog.messages == [CHOSEN]


def test_who_names_the_hashing_embedder_is_told_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with refused(*LEFT_OUT), caplog.at_level(logging.INFO, "workers"):
        check_embedder(Settings(embedder=HASHING))
    assert chosen_words(Settings(embedder=HASHING)) is None
    assert caplog.messages == []


def test_what_a_light_one_lacks_is_refused_with_what_to_do() -> None:
    with refused(*LEFT_OUT):
        with pytest.raises(ModelAssetError, match=r"light install.*DISSOLVE_EMBEDDER"):
            check_embedder(Settings(embedder=MODEL))
        named = Policy(consensus=ConsensusPolicy(embedder=MODEL))
        with pytest.raises(InvalidPolicy, match=r"light install.*'hashing'"):
            settled_policy(named, Settings(), "extractive")
        with pytest.raises(InputError, match="pip install matplotlib"):
            check_charts()
    check_charts()


def test_an_embedder_without_thresholds_is_refused_everywhere() -> None:
    with pytest.raises(NoCalibration, match="'my-model'"):
        check_embedder(Settings(embedder="my-model"))


@pytest.mark.parametrize(
    ("embedder", "state", "remedy"),
    [(HASHING, State.DOUBTFUL, "install the project whole"), (MODEL, State.WRONG, "unset DISSOLVE_EMBEDDER")],
)
def test_doctor_tells_a_light_install(embedder: str, state: State, remedy: str) -> None:
    with refused(*LEFT_OUT):
        (found,) = doctor.model_checks(Settings(embedder=embedder))
    assert found.state is state
    assert "light install" in found.words
    assert remedy in found.remedy


def test_what_forks_is_refused_where_nothing_can(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_without_fork("dissolve up")
    monkeypatch.delattr("os.fork")
    with pytest.raises(InputError, match=r"`dissolve up`.*WSL"):
        refuse_without_fork("dissolve up")
