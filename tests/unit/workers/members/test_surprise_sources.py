"""Who measures surprise: by the settings, by the roster, or by words; and what is stored of it."""

from pathlib import Path

import pytest

from dissolution.settings import Settings
from dissolution.surprise import SurpriseEstimator
from language.surprise.backoff import NAME as WORDS
from language.surprise.logprobs import LogProbEstimator
from tests.running import running
from tests.unit.workers.triggers.test_evaluation import NAME, QUIET, append, said, watch
from workers.bootstrap import open_services
from workers.members.surprise_sources import surprise_for
from workers.triggers.evaluation import after_append

MEMBER = (
    '[[member]]\nname = "m"\nmodel = "hosted_vllm/small"\nfamily = "f"\napi_base = "http://127.0.0.1:1/v1"\n'
    "prompt_logprobs = {given}\n{price}"
)
PRICE = "[member.price]\ninput_usd = 1\noutput_usd = 1\n"


def a_roster(folder: Path, *, given: str = "true", price: str = "") -> str:
    file = folder / "roster.toml"
    file.write_text(MEMBER.format(given=given, price=price), encoding="utf-8")
    return f"roster:{file}"


def test_without_a_word_of_it_words_are_counted(tmp_path: Path) -> None:
    find = surprise_for(Settings())
    assert find("extractive").name == WORDS
    assert find(a_roster(tmp_path, given="false")).name == WORDS
    assert find(f"roster:{tmp_path / 'gone.toml'}").name == WORDS


def test_a_member_of_the_roster_that_gives_log_probabilities_is_asked(tmp_path: Path) -> None:
    fleet = a_roster(tmp_path, price=PRICE)
    find = surprise_for(Settings())
    assert find(fleet).name == "logprobs-1:hosted_vllm/small"
    assert find(fleet) is find(fleet)
    with open_services(Settings(db=f"sqlite:///{tmp_path / 'a.sqlite3'}", embedder="hashing")) as services:
        assert services.surprise(fleet).name == "logprobs-1:hosted_vllm/small"


@pytest.mark.parametrize("cap", ["day_usd", "tenant_day_usd"])
def test_what_belongs_to_no_job_is_not_bought_where_a_day_has_a_cap(tmp_path: Path, cap: str) -> None:
    capped = surprise_for(Settings.model_validate({cap: 5}))
    assert capped(a_roster(tmp_path, price=PRICE)).name == WORDS
    assert surprise_for(Settings.model_validate({cap: 5}))(a_roster(tmp_path)).name != WORDS


def test_the_model_of_the_settings_goes_before_all_and_loads_nothing_yet(tmp_path: Path) -> None:
    find = surprise_for(Settings(surprise_model=str(tmp_path / "none")))
    fleet = a_roster(tmp_path)
    assert type(find("extractive")).__name__ == "CausalEstimator"
    assert find(fleet) is not None
    assert not isinstance(find(fleet), LogProbEstimator)


def test_another_estimator_begins_anew_and_each_value_has_its_name(tmp_path: Path) -> None:
    def letters(_before: str, text: str) -> list[float]:
        return [-1.0] * len(text.split())

    other: SurpriseEstimator = LogProbEstimator("letters", letters)
    with running(tmp_path, []) as services:
        watch(services, QUIET, 12)
        after_append(services, NAME)
        with services.unit_of_work() as work:
            before = work.triggers.state(NAME)
            turn = work.triggers.turns_after(NAME, 11, 1)[0].model_copy(update={"number": 13, "content": said(13)})
            work.conversations.append(NAME, (turn,))
            work.commit()
        after_append(services, NAME, estimator=other)
        after_append(services, NAME)
        append(services, turn.model_copy(update={"number": 14, "content": said(14)}))
        with services.unit_of_work() as work:
            found = [one.surprise for one in work.triggers.evaluations(NAME) if one.surprise is not None]
            after = work.triggers.state(NAME)
    assert before is not None
    assert after is not None
    assert [one.estimator for one in found] == [*[WORDS] * 12, "logprobs-1:letters", WORDS]
    assert len(after.memory) < len(before.memory)  # nothing of the first twelve turns was taken over
