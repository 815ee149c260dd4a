"""A snapshot that one job cannot read within its limits is refused with the first figure that is too large."""

import pytest

from dissolution.conversation import Role, Snapshot, Turn
from dissolution.errors import SnapshotTooLarge
from dissolution.settings import Settings
from dissolution.sizes import LITTLE_MB, TURN_BYTES, TURN_MB, SnapshotSize, refuse_too_large, size_of
from tests.factories import INSTANT

FIT = int(LITTLE_MB / TURN_MB)


def snapshot_of(*texts: str) -> Snapshot:
    turns = (
        Turn(number=number, role=Role.USER, speaker="user", content=text, recorded_at=INSTANT)
        for number, text in enumerate(texts, start=1)
    )
    return Snapshot(conversation="talk", turns=tuple(turns))


def words(text: str) -> int:
    return len(text.split())


def test_bytes_are_those_of_the_text_in_utf_8() -> None:
    assert size_of(snapshot_of("é", "会议")) == SnapshotSize(turns=2, bytes=8)


@pytest.mark.parametrize(
    ("size", "work"),
    [
        pytest.param(SnapshotSize(40, 40 * 10), 40, id="short turns count as turns"),
        pytest.param(SnapshotSize(2, 5 * TURN_BYTES), 5, id="a long turn counts as several"),
    ],
)
def test_expected_work_grows_with_turns_and_with_their_length(size: SnapshotSize, work: int) -> None:
    assert size.work == work


def test_a_step_that_takes_little_needs_no_room_for_the_model() -> None:
    assert SnapshotSize(FIT, 0).memory_mb == 0
    assert SnapshotSize(FIT + 1000, 0).memory_mb > LITTLE_MB


@pytest.mark.parametrize(
    ("limits", "texts", "said"),
    [
        pytest.param({"max_job_turns": 2}, ["a", "b", "c"], "3 turns; one job may have 2", id="turns"),
        pytest.param({"max_job_mb": 1}, ["a" * 1_000_001], "2 MB of text; one job may have 1", id="bytes"),
        pytest.param({"max_job_tokens": 1000}, ["a " * 1001], "1,001 tokens; one job may have 1,000", id="tokens"),
        pytest.param(
            {"max_memory_mb": 300, "max_job_turns": 10_000},
            ["a"] * (FIT + 1),
            "MB of memory expected for its largest step; one job may have 300",
            id="memory",
        ),
    ],
)
def test_the_refusal_names_figure_limit_and_setting(limits: dict[str, int], texts: list[str], said: str) -> None:
    settings = Settings.model_validate(limits)
    with pytest.raises(SnapshotTooLarge) as refused:
        refuse_too_large(snapshot_of(*texts), settings, words)
    assert said in str(refused.value)
    assert refused.value.setting in limits
    assert "through" in refused.value.remedy


def test_what_is_at_its_limit_is_taken() -> None:
    limits = Settings(max_job_turns=2, max_job_tokens=1000)
    refuse_too_large(snapshot_of("a " * 500, "b " * 500), limits, words)


def test_tokens_are_counted_only_where_there_may_be_too_many() -> None:
    def never(_text: str) -> int:
        raise AssertionError

    refuse_too_large(snapshot_of("a" * 1000), Settings(max_job_tokens=1000), never)
