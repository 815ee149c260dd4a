"""What a job is expected to use: the whole path, by the prompts that are sent, held against jobs that ran."""

from decimal import Decimal

import pytest

from benchmarks.estimates import DRILL, KEY, in_characters
from dissolution.answers import MemberCard, MemberKind
from dissolution.conversation import Snapshot
from dissolution.errors import BudgetExceeded
from dissolution.estimates import PathEstimate
from dissolution.policy.gate import GatePolicy
from dissolution.policy.job_policy import BudgetPolicy, Policy
from dissolution.policy.probe import ProbePolicy
from fleet.chat_member import ChatMember
from fleet.prices import TokenPrice
from language.tokens import ApproximateTokenCounter
from tests.factories import a_snapshot
from workers.estimates.estimate import check_path, estimate_path
from workers.estimates.expected_calls import expected_boundary
from workers.pipeline import STAGE_NAMES

WORDS = "Server web-{n} runs release r{n} in the north room, and we keep it there until the audit of week {n} is over. "
TALK = a_snapshot(*((WORDS.format(n=n) * 12).strip() for n in range(1, 41)))
CHEAP = TokenPrice(
    input_usd=Decimal("0.000002"),
    cached_input_usd=Decimal("0.0000002"),
    cache_write_usd=Decimal("0.000002"),
    output_usd=Decimal("0.00001"),
)


class Unasked:
    """A model with a price and a window, which is never asked."""

    def __init__(self, name: str, price: TokenPrice | None, window: int | None) -> None:
        self.card = MemberCard(name=name, family=name, kind=MemberKind.LANGUAGE_MODEL, model=f"x/{name}")
        self.window_tokens = window
        self._price = price

    def price(self, input_tokens: int) -> TokenPrice | None:
        assert input_tokens > 0
        return self._price

    async def complete(self, *_: object, **__: object) -> object:
        raise AssertionError

    async def aclose(self) -> None:
        """Nothing is open."""


def a_fleet(price: TokenPrice | None = CHEAP, window: int | None = None, longest: int = 8000) -> list[ChatMember]:
    counter = ApproximateTokenCounter()
    return [
        ChatMember(Unasked(name, price, window), max_output_tokens=longest, counter=counter)  # pyright: ignore[reportArgumentType] - never asked
        for name in ("a", "b", "c")
    ]


def a_policy(questions: int = 60, repairs: int = 0) -> Policy:
    gate = GatePolicy(questions=questions, repair_rounds=repairs, enlarge=False)
    return Policy(probe=ProbePolicy(writer="a", reader="b", judge="c", gate=gate))


def estimated(policy: Policy, fleet: list[ChatMember] | None = None, since: int = 0) -> PathEstimate:
    prior = expected_boundary(TALK, policy, since) if since else None
    return estimate_path(fleet or a_fleet(), TALK, policy, KEY, prior)


@pytest.mark.slow  # whole drills
def test_jobs_of_a_live_drill_are_within_a_tenth_of_what_was_expected() -> None:
    rows = in_characters(DRILL)
    assert len(rows) == 12
    assert all(row.compared for row in rows)
    assert max(abs(row.off) for row in rows) < 0.1


def test_every_stage_that_asks_somebody_has_its_line_in_running_order() -> None:
    told = estimated(a_policy())
    names = [line.of for line in told.by_stage]
    assert names == ["fan_out", "question_bank", "history_arm", "frame_audit", "candidate_arm"]
    assert names == sorted(names, key=STAGE_NAMES.index)
    for field in ("calls", "input_tokens", "cached_input_tokens", "output_tokens", "known_usd"):
        for lines in (told.by_stage, told.by_member):
            assert sum(getattr(line, field) for line in lines) == getattr(told.whole, field)
    assert told.whole.histories == pytest.approx(told.whole.input_tokens / told.snapshot_tokens, rel=0.01)


def test_a_job_without_a_probe_or_reviewers_asks_for_accounts_alone() -> None:
    policy = Policy().model_copy(update={"frame": Policy().frame.model_copy(update={"review_families": 0})})
    told = estimated(policy)
    assert [(line.of, line.calls) for line in told.by_stage] == [("fan_out", 3)]
    assert told.repairs is None


def test_the_beginning_that_a_member_has_read_is_cached_where_that_is_cheaper() -> None:
    told = estimated(a_policy())
    fan_out, audit = told.by_stage[0], next(line for line in told.by_stage if line.of == "frame_audit")
    assert fan_out.cached_input_tokens == 0  # the first prompt of each
    assert audit.cached_input_tokens > 2 * told.snapshot_tokens  # three reviewers have read the turns before
    full = CHEAP.model_copy(update={"cached_input_usd": CHEAP.input_usd})
    plain = estimated(a_policy(), a_fleet(full))
    assert plain.whole.cached_input_tokens == 0
    assert plain.whole.input_tokens == told.whole.input_tokens
    assert plain.whole.known_usd > told.whole.known_usd
    assert told.whole.histories_with_caches < told.whole.histories == plain.whole.histories_with_caches


def test_more_questions_cost_more_and_repairs_stand_beside_the_whole() -> None:
    few, many = estimated(a_policy(20)), estimated(a_policy(100))
    assert few.whole.known_usd < many.whole.known_usd
    repaired = estimated(a_policy(20, repairs=2))
    assert repaired.repairs is not None
    assert repaired.repairs.known_usd > 0
    assert repaired.whole.input_tokens == few.whole.input_tokens


def test_a_cycle_reads_less_for_its_accounts_and_shows_reviewers_what_is_held() -> None:
    first, cycle = estimated(a_policy()), estimated(a_policy(), since=30)
    assert cycle.by_stage[0].input_tokens < first.by_stage[0].input_tokens


def test_windows_are_calls_of_their_own_and_who_cannot_read_a_turn_is_told() -> None:
    told = estimated(Policy(), a_fleet(window=9000, longest=1500))
    assert told.by_stage[0].of == "fan_out"
    assert told.by_stage[0].calls > 3
    turned_away = estimate_path(a_fleet(window=9000), a_snapshot("long " * 9000), Policy(), KEY)
    assert turned_away.too_small == ("a", "b", "c")
    assert turned_away.whole.calls == 0


def test_a_cap_is_held_against_the_whole_path_and_an_unknown_price_is_told() -> None:
    told = estimated(a_policy())
    assert told.by_stage[0].known_usd < told.whole.known_usd
    usd = max(told.whole.known_usd, told.accounts_at_most.known_usd)
    check_path(told, BudgetPolicy(max_usd=usd))
    with pytest.raises(BudgetExceeded, match="cost in USD"):
        check_path(told, BudgetPolicy(max_usd=usd - Decimal("0.000001")))
    with pytest.raises(BudgetExceeded, match="input tokens"):
        check_path(told, BudgetPolicy(max_input_tokens=told.whole.input_tokens - 1))
    unknown = estimated(a_policy(), a_fleet(None))
    assert unknown.without_price == ("a", "b", "c")
    with pytest.raises(BudgetExceeded, match="without a known price"):
        check_path(unknown, BudgetPolicy(allow_unknown_price=False))


def test_the_same_turns_always_come_to_the_same() -> None:
    same: Snapshot = Snapshot(conversation=TALK.conversation, turns=TALK.turns)
    assert estimate_path(a_fleet(), same, a_policy(), KEY) == estimated(a_policy())
