"""What a job is expected to use on its whole path: `fleet price`, the check at submission and the API ask this alike.

Prompts are the ones that will be sent, with placeholders for what nobody has said yet
(`workers.estimates.expected_sizes`), and counted by each member's own counter. A prompt's beginning that the same
member has been sent before counts as cached where its provider asks less for that.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple, Protocol, runtime_checkable

from dissolution.answers import Usage
from dissolution.boundary import BoundaryState
from dissolution.claims import MemberName
from dissolution.conversation import Snapshot
from dissolution.errors import BudgetExceeded
from dissolution.estimates import CACHED_WEIGHT, Expected, ExpectedLine, PathEstimate
from dissolution.job import Job
from dissolution.money import NANO
from dissolution.policy.job_policy import BudgetPolicy, Policy
from dissolution.ports.models import Member, TokenCounter
from dissolution.values import NotMeasured
from fleet.answering import answers_the_path
from fleet.budget import Estimate, check
from fleet.prices import NO_PRICE, TokenPrice
from language.tokens import ApproximateTokenCounter
from workers.estimates.expected_calls import ExpectedCall, Path
from workers.members.call_rows import STAGE as FAN_OUT
from workers.members.cycles import prior_boundary
from workers.services import Services

LEAST_CACHED_TOKENS = 1024
"""Providers keep no shorter beginning of a prompt."""

CONVERSATION_ENDS = "\nEND CONVERSATION "
"""Parts what prompts about one snapshot have in common from what each has of its own."""

LIKE_BEFORE = 0.5
"""A prompt that shares this much of itself with an earlier one is not kept for comparison besides."""


@runtime_checkable
class Priced(Member, Protocol):
    """A member that counts tokens and knows its price."""

    def counted(self, text: str) -> int:
        """Tokens of a text, as it counts its prompts."""
        ...

    def price_of(self, input_tokens: int) -> TokenPrice | None:
        """The price of a call with a prompt of this length; None when it is not known."""
        ...

    @property
    def max_output_tokens(self) -> int:
        """Most tokens of one answer."""
        ...


class _Used(NamedTuple):
    """What one call is expected to use."""

    stage: str
    member: str
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    usd: Decimal | None
    histories: float
    histories_with_caches: float


def estimate_path(
    members: Sequence[Member],
    snapshot: Snapshot,
    policy: Policy,
    key: bytes,
    prior: BoundaryState | None = None,
) -> PathEstimate:
    """What a job is expected to use, from the snapshot, the fleet and the policy alone.

    Args:
        members: The members that are asked for money, in the order of the roster.
        snapshot: What would be dissolved.
        policy: The job's.
        key: The installation's key, at least 16 bytes, or any other of that length for a look.
        prior: The boundary that stands: then a cycle is estimated where a job would make one.
    """
    path = Path(members, snapshot, policy, key, prior)
    reckoning = _Reckoning(snapshot)
    used: list[_Used] = []
    longest: list[_Used] = []
    for call in path.calls():
        used.append(reckoning.used(call))
        if call.stage == FAN_OUT:
            longest.append(reckoning.at_most(call, used[-1]))
    probe = policy.probe
    rounds = probe.gate.repair_rounds if probe.on and probe.enforced else 0
    repairs = tuple(reckoning.used(call) for call in path.repair()) * rounds if rounds else ()
    return PathEstimate(
        snapshot_tokens=reckoning.snapshot_tokens,
        whole=_sum(used),
        by_stage=_lines((one.stage, one) for one in used),
        by_member=_lines((one.member, one) for one in used),
        accounts_at_most=_sum(longest),
        repairs=_sum(repairs) if repairs else None,
        without_price=tuple(dict.fromkeys(one.member for one in used if one.usd is None)),
        too_small=tuple(path.too_small),
    )


def expected_of_job(services: Services, job: Job, snapshot: Snapshot) -> PathEstimate | None:
    """The same of a job that is stored, on the boundary that it builds on; None where no member is asked in words."""
    members = [member for member in services.fleet(job) if answers_the_path(member)]
    if not members:
        return None
    with services.unit_of_work() as work:
        prior = prior_boundary(work, job)
        key = work.installation_key()
        work.commit()  # the key may have been made just now
    return estimate_path(members, snapshot, job.policy, key, prior)


def check_path(expected: PathEstimate, policy: BudgetPolicy) -> None:
    """Refuse a job whose whole path is over a cap, or whose accounts would be if each were as long as it may be.

    Raises BudgetExceeded.
    """
    check(as_total(expected.whole, expected.without_price), policy)
    check(as_total(expected.accounts_at_most, expected.without_price), policy)


def refusal_of(expected: PathEstimate, policy: BudgetPolicy) -> str | None:
    """Why a job with this estimate would be refused before anybody is asked, or None."""
    try:
        check_path(expected, policy)
    except BudgetExceeded as error:
        return str(error)
    return None


def as_total(whole: Expected, without_price: tuple[MemberName, ...]) -> Estimate:
    """Expected use as caps are checked against it."""
    return Estimate(
        input_tokens=whole.input_tokens,
        cached_input_tokens=whole.cached_input_tokens,
        output_tokens=whole.output_tokens,
        cost_usd=whole.usd,
        known_input_tokens=whole.input_tokens,
        known_cost_usd=whole.known_usd,
        uncounted=0,
        unpriced=len(without_price),
        without_price=without_price,
    )


class _Reckoning:
    """Counts calls, and remembers what each member has been sent."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._turns = "\n".join(turn.content for turn in snapshot.turns)
        self._counter: TokenCounter = ApproximateTokenCounter()
        self._sent: dict[str, list[str]] = {}
        self._sizes: dict[str, int] = {}
        self._rates: dict[tuple[str, str], float] = {}
        self.snapshot_tokens = self._counter.count(self._turns)

    def used(self, call: ExpectedCall) -> _Used:
        """What a call uses."""
        member, text = call.member, call.task.prompt.text
        name = member.card.name
        if not isinstance(member, Priced):
            return self._unknown(call, member.estimate(call.task))
        if name not in self._sizes:
            self._sizes[name] = max(1, member.counted(self._turns))
        size = self._sizes[name]
        tokens = self._tokens(member, call.task.prompt.stamp.name, text)
        price = member.price_of(tokens)
        cached = self._cached(name, text, tokens) if price is not None and _caches(price) else 0
        output = min(member.max_output_tokens, round(call.reply_chars * size / max(1, len(self._turns))))
        return _Used(
            call.stage,
            name,
            tokens,
            cached,
            output,
            None if price is None else price.cost(tokens, cached, output),
            tokens / size,
            (tokens - (1 - CACHED_WEIGHT) * cached) / size,
        )

    def _tokens(self, member: Priced, prompt: str, text: str) -> int:
        """Tokens of a prompt. What many have in common is counted once, the rest at the rate of the first of its kind.

        Counting takes longest of all here, and one prompt's questions have as many tokens as another's.
        """
        head, end, rest = text.partition(CONVERSATION_ENDS)
        head, rest = (head, end + rest) if end else ("", text)
        kind = (member.card.name, prompt)
        if kind not in self._rates:
            self._rates[kind] = member.counted(rest) / max(1, len(rest))
        return member.counted(head) + round(self._rates[kind] * len(rest))

    def at_most(self, call: ExpectedCall, used: _Used) -> _Used:
        """The same call with the longest reply and nothing cached."""
        member = call.member
        if not isinstance(member, Priced):
            usage = member.estimate(call.task)
            longest = used.output_tokens if isinstance(usage.output_tokens, NotMeasured) else usage.output_tokens
            return used._replace(output_tokens=longest)
        price, longest = member.price_of(used.input_tokens), member.max_output_tokens
        usd = None if price is None else price.cost(used.input_tokens, 0, longest)
        return used._replace(cached_tokens=0, output_tokens=longest, usd=usd)

    def _unknown(self, call: ExpectedCall, usage: Usage) -> _Used:
        """A call of a member that counts nothing: by its own estimate, or by approximation."""
        given, cost = usage.input_tokens, usage.cost_usd
        tokens = self._counter.count(call.task.prompt.text) if isinstance(given, NotMeasured) else given
        output = round(call.reply_chars * self.snapshot_tokens / max(1, len(self._turns)))
        if isinstance(usage.output_tokens, int):
            output = min(output, usage.output_tokens)
        share = tokens / max(1, self.snapshot_tokens)
        usd = None if isinstance(cost, NotMeasured) else cost
        return _Used(call.stage, call.member.card.name, tokens, 0, output, usd, share, share)

    def _cached(self, name: str, text: str, tokens: int) -> int:
        """Tokens of the beginning that the member has been sent before."""
        earlier = self._sent.setdefault(name, [])
        length = max((_common(text, one) for one in earlier), default=0)
        if length < LIKE_BEFORE * len(text):
            earlier.append(text)
        found = tokens * length // max(1, len(text))
        return found if found >= LEAST_CACHED_TOKENS else 0


def _caches(price: TokenPrice) -> bool:
    return price.cached_input_usd < price.input_usd


def _common(one: str, other: str) -> int:
    """Characters of their common beginning, by bisection: they are long, and equal for most of it."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _sum(used: Sequence[_Used]) -> Expected:
    known = sum((one.usd for one in used if one.usd is not None), Decimal(0))
    return Expected(
        calls=len(used),
        input_tokens=sum(one.input_tokens for one in used),
        cached_input_tokens=sum(one.cached_tokens for one in used),
        output_tokens=sum(one.output_tokens for one in used),
        usd=NO_PRICE if any(one.usd is None for one in used) else _to_nano(known),
        known_usd=_to_nano(known),
        histories=round(sum(one.histories for one in used), 2),
        histories_with_caches=round(sum(one.histories_with_caches for one in used), 2),
    )


def _to_nano(usd: Decimal) -> Decimal:
    return usd.quantize(1 / NANO).normalize() + 0


def _lines(used: Iterable[tuple[str, _Used]]) -> tuple[ExpectedLine, ...]:
    groups: dict[str, list[_Used]] = {}
    for of, one in used:
        groups.setdefault(of, []).append(one)
    return tuple(ExpectedLine(of=of, **dict(_sum(group))) for of, group in groups.items())
