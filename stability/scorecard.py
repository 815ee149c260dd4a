"""What each member has brought over all jobs: coverage, agreement, what it alone found, failures, time and price.

A claim is retained when it stands in the boundary of the job it was said in. A member supports it when its answer
states it. Compound systems (a router, a fusion of models) are members like any other: kind and model stand beside the
figures, so that they can be held against plain models.
"""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations

from dissolution.answers import MemberCard, MemberKind
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Mark
from dissolution.receipt.job_receipt import MemberReport, Receipt
from dissolution.values import Frozen, Measured, NotMeasured

MOST_COMPARED = 12
"""Members whose subsets are all tried for advice: 4,095 of them. With more, the best are added one by one."""

NO_GROUPS = NotMeasured(not_measured="it has stated nothing that was compared")
NO_PRICE = NotMeasured(not_measured="the price of some of its calls is not known")


class MemberScore(Frozen):
    """One member over all jobs it was asked in."""

    member: str
    family: str
    kind: MemberKind
    model: str  # the newest, where it changed
    jobs: int  # asked in
    usable: int  # answers that were used, or came late
    refused: int
    failed: Mapping[str, int]  # by class
    statements: int
    coverage: Measured  # groups of statements it is in, over all groups, 0..1
    agreement: Measured  # of its groups, those another member is in too, 0..1
    retained: int  # claims of boundaries that it states
    only: int  # of them, those nobody else states
    lost_without: int  # of them, those that would not have been admitted without it
    latency_s: Measured  # median
    usd: Decimal | NotMeasured
    usd_per_retained: Decimal | NotMeasured


class FamilyScore(Frozen):
    """One family over all jobs."""

    family: str
    members: tuple[str, ...]
    coverage: Measured  # mean over jobs, 0..1
    retained: int
    only: int  # claims that no other family states


class Advice(Frozen):
    """The members of a fleet of one size that would have kept most claims."""

    size: int
    members: tuple[str, ...]
    retained: int  # claims of all boundaries that these members alone would have kept
    share: Measured  # of all claims, 0..1
    usd: Decimal | NotMeasured  # what their calls cost in these jobs
    usd_per_retained: Decimal | NotMeasured


class Scorecard(Frozen):
    """All members, families, and advice by size of fleet."""

    jobs: int
    boundaries: int
    claims: int
    members: tuple[MemberScore, ...]  # those that keep most first
    families: tuple[FamilyScore, ...]
    advice: tuple[Advice, ...]


@dataclass
class _Tally:
    card: MemberCard
    jobs: int = 0
    usable: int = 0
    refused: int = 0
    failed: Counter[str] = field(default_factory=Counter[str])
    statements: int = 0
    groups: int = 0
    alone: int = 0
    all_groups: int = 0
    latencies: list[float] = field(default_factory=list[float])
    usd: Decimal = Decimal(0)
    priced: bool = True


def scorecard(jobs: Iterable[tuple[Receipt, BoundaryState | None]]) -> Scorecard:
    """The scorecard over jobs, oldest first, each with its boundary where it committed one."""
    tallies: dict[str, _Tally] = {}
    claims: list[Claim] = []
    coverage: dict[str, list[float]] = {}
    count = boundaries = 0
    for receipt, boundary in jobs:
        count += 1
        boundaries += boundary is not None
        _count_receipt(receipt, tallies, coverage)
        claims.extend(_said_now(boundary))
    members = [_member_score(tally, claims) for tally in tallies.values()]
    members.sort(key=lambda one: (-one.retained, one.member))
    return Scorecard(
        jobs=count,
        boundaries=boundaries,
        claims=len(claims),
        members=tuple(members),
        families=tuple(_families(members, claims, coverage)),
        advice=tuple(advised(members, claims)),
    )


def _said_now(boundary: BoundaryState | None) -> list[Claim]:
    """The claims of a boundary that its own job's members stated: what was carried is not theirs to be praised for."""
    return [] if boundary is None else [claim for claim in boundary.claims if claim.carried == 0]


def _count_receipt(receipt: Receipt, tallies: dict[str, _Tally], coverage: dict[str, list[float]]) -> None:
    for report in receipt.members:
        tally = tallies.setdefault(report.card.name, _Tally(report.card))
        tally.card = report.card
        _count_member(report, tally)
    if isinstance(receipt.consensus, NotMeasured):
        return
    measures = receipt.consensus.measures
    for one in measures.members:
        tally = tallies.get(one.member)
        if tally is not None:
            tally.groups += one.groups
            tally.alone += one.alone
            tally.all_groups += receipt.consensus.groups
    for family in measures.family_coverage:
        coverage.setdefault(family.family, []).append(family.share)


def _count_member(report: MemberReport, tally: _Tally) -> None:
    tally.jobs += 1
    tally.statements += report.statements
    failure = report.failure.value if report.failure is not None else None
    unusable = report.answer_class.value if report.answer_class is not None and not report.statements else None
    if failure is None and unusable is None:
        tally.usable += 1
    elif failure == "refusal" or unusable == "refused":
        tally.refused += 1
    else:
        tally.failed[failure or unusable or "unknown"] += 1
    if not isinstance(report.latency_s, NotMeasured):
        tally.latencies.append(report.latency_s)
    if isinstance(report.usage, NotMeasured) or isinstance(report.usage.cost_usd, NotMeasured):
        tally.priced = tally.priced and failure is not None  # a call that failed has no price of its own
    else:
        tally.usd += report.usage.cost_usd


def _member_score(tally: _Tally, claims: Sequence[Claim]) -> MemberScore:
    name = tally.card.name
    mine = [claim for claim in claims if name in claim.support.members]
    usd = tally.usd if tally.priced else NO_PRICE
    nothing = NotMeasured(not_measured="no claim of it was retained")
    return MemberScore(
        member=name,
        family=tally.card.family,
        kind=tally.card.kind,
        model=tally.card.model,
        jobs=tally.jobs,
        usable=tally.usable,
        refused=tally.refused,
        failed=dict(sorted(tally.failed.items())),
        statements=tally.statements,
        coverage=tally.groups / tally.all_groups if tally.all_groups else NO_GROUPS,
        agreement=1 - tally.alone / tally.groups if tally.groups else NO_GROUPS,
        retained=len(mine),
        only=sum(len(claim.support.members) == 1 for claim in mine),
        lost_without=sum(not is_kept(claim, set(claim.support.members) - {name}) for claim in mine),
        latency_s=statistics.median(tally.latencies)
        if tally.latencies
        else NotMeasured(not_measured="no call has landed"),
        usd=usd,
        usd_per_retained=usd if isinstance(usd, NotMeasured) else (usd / len(mine) if mine else nothing),
    )


def is_kept(claim: Claim, members: set[str]) -> bool:
    """Whether a claim would have been admitted on these of its members alone.

    By agreement it needs as many families as it had, but no more than two; on one family's word it needs one member.
    """
    families = {one.family for one in claim.statements if one.member in members}
    return len(families) >= (1 if Mark.SINGLE_SOURCE in claim.marks else min(2, len(claim.support.families)))


def _families(
    members: Sequence[MemberScore], claims: Sequence[Claim], coverage: Mapping[str, Sequence[float]]
) -> list[FamilyScore]:
    names = sorted({one.family for one in members})
    found: list[FamilyScore] = []
    for family in names:
        mine = [claim for claim in claims if family in claim.support.families]
        shares = coverage.get(family, ())
        found.append(
            FamilyScore(
                family=family,
                members=tuple(sorted(one.member for one in members if one.family == family)),
                coverage=sum(shares) / len(shares) if shares else NO_GROUPS,
                retained=len(mine),
                only=sum(len(claim.support.families) == 1 for claim in mine),
            )
        )
    return sorted(found, key=lambda one: (-one.retained, one.family))


def advised(members: Sequence[MemberScore], claims: Sequence[Claim]) -> list[Advice]:
    """For each size the members that would have kept most of these claims; among equals the cheapest, then by name.

    Up to MOST_COMPARED members all subsets are tried; with more the best next member is added again and again.
    """
    by_name = {one.member: one for one in members}
    chosen: tuple[str, ...] = ()
    found: list[Advice] = []
    for size in range(1, len(by_name) + 1):
        if len(by_name) <= MOST_COMPARED:
            candidates = combinations(sorted(by_name), size)
        else:
            candidates = (tuple(sorted((*chosen, name))) for name in sorted(by_name) if name not in chosen)
        chosen = min(candidates, key=lambda names: (-_kept(names, claims), _price_rank(names, by_name), names))
        kept = _kept(chosen, claims)
        share = kept / len(claims) if claims else NotMeasured(not_measured="no claim was retained")
        found.append(
            Advice(
                size=size,
                members=chosen,
                retained=kept,
                share=share,
                usd=_price(chosen, by_name),
                usd_per_retained=_price_each(_price(chosen, by_name), kept),
            )
        )
    return found


def _price_each(usd: Decimal | NotMeasured, kept: int) -> Decimal | NotMeasured:
    if isinstance(usd, NotMeasured):
        return usd
    return usd / kept if kept else NotMeasured(not_measured="no claim of it was retained")


def _kept(names: Sequence[str], claims: Sequence[Claim]) -> int:
    wanted = set(names)
    return sum(is_kept(claim, wanted & set(claim.support.members)) for claim in claims)


def _price(names: Sequence[str], members: Mapping[str, MemberScore]) -> Decimal | NotMeasured:
    prices = [members[name].usd for name in names]
    known = [price for price in prices if not isinstance(price, NotMeasured)]
    return sum(known, Decimal(0)) if len(known) == len(prices) else NO_PRICE


def _price_rank(names: Sequence[str], members: Mapping[str, MemberScore]) -> tuple[bool, Decimal]:
    price = _price(names, members)
    return (True, Decimal(0)) if isinstance(price, NotMeasured) else (False, price)
