"""Members that review a candidate: who is asked, in as few calls as their windows allow, failures as values."""

from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.answers import FailureClass, MemberKind, MemberTask, RenderedPrompt, Usage
from dissolution.claims import Section
from dissolution.errors import MemberError, MemberRateLimited, MemberTimeout
from dissolution.findings import Consensus
from dissolution.framing import FramePolicy
from dissolution.policy.job_policy import BudgetPolicy, ConsensusPolicy, Policy
from dissolution.ports.models import Member
from dissolution.reviewing import Fault, Hint, Reviewer
from dissolution.values import NotMeasured
from frame_agent.register.fold import register_of
from frame_agent.review.audit import audit
from frame_agent.review.hints import hints_of
from prompts.reviewing import REVIEW
from tests.factories import a_conversation
from tests.running import a_job, running
from tests.unit.frame_agent.framed import a_candidate, a_claim
from tests.unit.workers.reviewing_members import ReviewingMember, Said, claims_in
from workers.members.reviewers import (
    NO_CLAIMS,
    NO_FAMILIES,
    NO_MEMBER,
    NOT_ASKED,
    Reviewed,
    chosen,
    reviewed_by_members,
)
from workers.members.wording_distance import comparing_by

TALK = a_conversation(
    "The gutters leak in two places. I guess the roof carries forty tonnes. The chimney was swept.",
    "The gutters are zinc. The order of the work is my task.",
)
SNAPSHOT = TALK.snapshot()
CLAIMS = (
    "The gutters leak in two places.",
    "The roof carries forty tonnes.",
    "The gutters are zinc.",
    "The chimney was swept.",
    "The assistant orders the work.",
)
CANDIDATE = a_candidate(*(a_claim(Section.KNOWN, text, SNAPSHOT, 1, f"c{n}") for n, text in enumerate(CLAIMS, 1)))
GUESSED: Said = (Fault.GUESS, 1, "guess the roof")
FAULTS = {CLAIMS[1]: GUESSED}


class Narrow(ReviewingMember):
    """A reviewer whose window holds so many claims beside the conversation."""

    holds = 2
    max_output_tokens = 10

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:  # noqa: ARG002 - the port's signature
        return len(claims_in(prompt.text)) <= self.holds


class Replay(ReviewingMember):
    """A recorded member that holds a review."""

    def can_answer(self, prompt: str) -> bool:
        return prompt == REVIEW


def a_policy(*names: str, calls: int = 12, families: int = 3, version: int = 3, **more: object) -> Policy:
    frame = FramePolicy(reviewers=names, review_calls=calls, review_families=families, review_version=version)
    return Policy.model_validate({"frame": frame, **more})


def reviewed(
    folder: Path, policy: Policy, *members: Member, candidate: Consensus = CANDIDATE, hints: tuple[Hint, ...] = ()
) -> Reviewed:
    with running(folder, members) as services:
        job = a_job(services, TALK, policy)
        register = register_of(SNAPSHOT)
        return reviewed_by_members(services, job, SNAPSHOT, candidate, register=register, hints=hints)


NAMES = tuple(claim.id for claim in CANDIDATE.claims)
SUSPECTED = st.builds(
    Hint,
    suspects=st.sampled_from(Fault),
    claims=st.lists(st.sampled_from(NAMES), max_size=2, unique=True).map(tuple),
    probability=st.sampled_from([0.4, 1.0, NotMeasured(not_measured="compared")]),
    basis=st.just("made up"),
)


@settings(max_examples=12, deadline=None)
@given(st.lists(SUSPECTED, max_size=8), st.lists(SUSPECTED, max_size=4))
def test_no_sequence_of_hints_changes_what_reviewers_say_nothing_of(one: list[Hint], two: list[Hint]) -> None:
    suspected = CANDIDATE.model_copy(update={"hints": tuple(two)})
    register = register_of(SNAPSHOT)
    shown = (*one, *hints_of(register, suspected, SNAPSHOT))
    ann, ben = ReviewingMember("ann"), ReviewingMember("ben")
    with TemporaryDirectory() as folder:
        found = reviewed(Path(folder), a_policy("ann", "ben"), ann, ben, candidate=suspected, hints=shown)
    (prompt,) = ann.asked(REVIEW)
    assert all(f"\n{one.suspects.value}? " in prompt for one in shown), "they saw them"
    assert [one.remarks for one in found.reviewers] == [(), ()]
    comparing = comparing_by(HashingEmbedder, ConsensusPolicy(), SNAPSHOT)
    report = audit(
        register,
        suspected,
        SNAPSHOT,
        FramePolicy(),
        reviewers=found.reviewers,
        comparing=comparing,
        job="job",
        hints=shown,
    )
    assert (report.findings, report.amended, report.blocked) == ((), None, ())


def said_by(one: Reviewer) -> list[tuple[Fault, str]]:
    return [(remark.fault, remark.about[0].text) for remark in one.remarks]


def test_a_family_is_asked_once_about_all_claims_with_the_register_and_the_hints(tmp_path: Path) -> None:
    ann, ben = ReviewingMember("ann", FAULTS), ReviewingMember("ben")
    hint = Hint(suspects=Fault.GUESS, claims=("c2",), probability=0.7, basis="wording/1")
    found = reviewed(tmp_path, a_policy(), ann, ben, hints=(hint,))
    assert ann.shown == ben.shown == [list(CLAIMS)]
    assert [said_by(one) for one in found.reviewers] == [[(Fault.GUESS, CLAIMS[1])], []]
    (prompt,) = ann.asked(REVIEW)
    assert all(turn.content in prompt for turn in SNAPSHOT.turns)
    assert "\nguess? c2\n" in prompt
    assert "turn 1, taken for" not in prompt, "no premise is repeated"
    assert (found.nobody, {one.unread for one in found.reviewers}) == (None, {0})


@pytest.mark.parametrize("version", [1, 2])
def test_a_policy_that_names_an_earlier_version_asks_in_its_long_form(version: int, tmp_path: Path) -> None:
    ann = ReviewingMember("ann", FAULTS)
    hint = Hint(suspects=Fault.GUESS, claims=("c2",), probability=0.7, basis="wording/1")
    (found,) = reviewed(tmp_path, a_policy("ann", version=version), ann, hints=(hint,)).reviewers
    (prompt,) = ann.asked(REVIEW)
    assert "[claim 2] KNOWN\n| The roof carries forty tonnes." in prompt
    assert "[hint 1] claim 2: guess?" in prompt
    assert "BEGIN PREMISES" in prompt
    assert said_by(found) == [(Fault.GUESS, CLAIMS[1])]
    assert ("Look for these above all" in prompt) == (version == 2)


def test_one_member_of_each_family_that_can_is_chosen_in_roster_order() -> None:
    fleet = [
        ReviewingMember("scripted", kind=MemberKind.SCRIPTED),
        ReviewingMember("tape", family="red", kind=MemberKind.RECORDED),
        Replay("replay", family="green", kind=MemberKind.RECORDED),
        ReviewingMember("first", family="red"),
        ReviewingMember("second", family="red"),
        ReviewingMember("third", family="blue"),
        ReviewingMember("fourth", family="grey"),
    ]
    assert chosen(FramePolicy(), fleet) == ("replay", "first", "third")
    assert chosen(FramePolicy(review_families=1), fleet) == ("replay",)
    assert chosen(FramePolicy(review_families=0), fleet) == ()
    assert chosen(FramePolicy(reviewers=("second", "scripted")), fleet) == ("second", "scripted")


@pytest.mark.parametrize(
    ("policy", "kind", "candidate", "why"),
    [
        (a_policy(), MemberKind.RECORDED, CANDIDATE, NO_MEMBER),
        (a_policy(), MemberKind.EXTRACTIVE, CANDIDATE, NO_MEMBER),
        (a_policy(families=0), MemberKind.LANGUAGE_MODEL, CANDIDATE, NO_FAMILIES),
        (a_policy("ann"), MemberKind.LANGUAGE_MODEL, a_candidate(), NO_CLAIMS),
    ],
)
def test_why_nobody_is_asked_is_told(
    policy: Policy, kind: MemberKind, candidate: Consensus, why: str, tmp_path: Path
) -> None:
    ann = ReviewingMember("ann", kind=kind)
    assert reviewed(tmp_path, policy, ann, candidate=candidate) == ((), why)
    assert ann.prompts == []


def test_a_recorded_member_that_holds_a_review_is_asked(tmp_path: Path) -> None:
    (found,) = reviewed(tmp_path, a_policy(), Replay("ann", FAULTS, kind=MemberKind.RECORDED)).reviewers
    assert said_by(found) == [(Fault.GUESS, CLAIMS[1])]


def test_what_does_not_fit_a_window_is_asked_in_as_few_parts_as_fit(tmp_path: Path) -> None:
    missing: dict[str, object] = {"fault": "missing", "claims": [], "turn": 2, "quote": "my task"}
    missing |= {"text": "A task.", "section": "KNOWN"}
    ann = Narrow("ann", {CLAIMS[4]: (Fault.WRONG_SPEAKER, 2, "my task")}, missing=[missing])
    ben = ReviewingMember("ben", FAULTS, missing=[missing])
    first, second = reviewed(tmp_path, a_policy(), ann, ben).reviewers
    assert ann.shown == [list(CLAIMS[:2]), list(CLAIMS[2:4]), list(CLAIMS[4:])]
    assert "\nKNOWN\nc5 The assistant orders the work.\n" in ann.asked(REVIEW)[2]
    assert said_by(first) == [(Fault.WRONG_SPEAKER, CLAIMS[4])], "of a part nothing is missing"
    assert [one.fault for one in second.remarks] == [Fault.GUESS, Fault.MISSING]
    assert (first.unread, ben.shown) == (0, [list(CLAIMS)])


def test_a_window_that_holds_no_claim_beside_the_turns_is_a_failure(tmp_path: Path) -> None:
    ann = Narrow("ann")
    ann.holds = 0
    (found,) = reviewed(tmp_path, a_policy(), ann).reviewers
    assert (found.failure, found.unread, ann.prompts) == (FailureClass.CONTEXT_WINDOW, len(CLAIMS), [])


@pytest.mark.parametrize(("calls", "unread"), [(1, (3, 5)), (2, (3, 3)), (4, (1, 1)), (6, (0, 0))])
def test_calls_beyond_policy_are_not_made_and_what_is_left_is_told(
    calls: int, unread: tuple[int, int], tmp_path: Path
) -> None:
    ann, ben = Narrow("ann", FAULTS), Narrow("ben", FAULTS)
    found = reviewed(tmp_path, a_policy(calls=calls), ann, ben).reviewers
    assert tuple(one.unread for one in found) == unread
    assert len(ann.shown) + len(ben.shown) == calls
    assert [one.detail for one in found] == [NOT_ASKED if left else "" for left in unread]
    assert all(one.failure is None for one in found), "a limit of policy is no failure of a member"


@pytest.mark.parametrize(
    ("error", "failure"),
    [(MemberTimeout("ann", "late"), FailureClass.TIMEOUT), (MemberRateLimited("ann", "busy"), FailureClass.RATE_LIMIT)],
)
def test_a_failure_is_a_value_and_what_was_said_before_it_counts(
    error: MemberError, failure: FailureClass, tmp_path: Path
) -> None:
    good = '{"remarks": [{"fault": "guess", "claims": [2], "turn": 1, "quote": "guess the roof"}]}'
    ann = Narrow("ann", says={REVIEW: [good, error]})
    ben = ReviewingMember("ben", says={REVIEW: "All of it looks fine to me."})
    gone, first, second = reviewed(tmp_path, a_policy("gone", "ann", "ben"), ann, ben).reviewers
    assert (gone.failure, gone.unread) == (FailureClass.BAD_REQUEST, 5)
    assert (said_by(first), first.failure, first.unread) == ([(Fault.GUESS, CLAIMS[1])], failure, 3)
    assert (second.remarks, second.failure, second.unread) == ((), FailureClass.UNPARSABLE, 5)
    assert all(one.detail for one in (gone, first, second))


def test_words_that_nobody_said_prove_nothing_and_are_counted(tmp_path: Path) -> None:
    ann = ReviewingMember("ann", {CLAIMS[0]: (Fault.FALSE, 1, "three places"), CLAIMS[1]: GUESSED})
    (found,) = reviewed(tmp_path, a_policy(), ann).reviewers
    assert (said_by(found), found.unproved) == ([(Fault.GUESS, CLAIMS[1])], 1)


class Dear(ReviewingMember):
    """A reviewer whose every call costs 3 USD."""

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - every task costs the same
        none = NotMeasured(not_measured="made up")
        return Usage(input_tokens=none, cached_input_tokens=none, output_tokens=none, cost_usd=Decimal(3))


def test_who_would_pass_the_cap_is_not_asked(tmp_path: Path) -> None:
    ann = Dear("ann", FAULTS)
    policy = a_policy("ann", budget=BudgetPolicy(max_usd=Decimal(2)))
    (found,) = reviewed(tmp_path, policy, ann).reviewers
    assert (found.failure, found.unread, ann.shown) == (FailureClass.BUDGET, 5, [])
