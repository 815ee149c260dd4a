"""What says the opposite of a claim is no evidence for it."""

import pytest

from consensus.opposing import opposing, says_opposite
from consensus.profile import profile_of
from consensus.spans import candidates
from dissolution.claims import DissentReason, Section
from tests.factories import a_snapshot
from tests.unit.consensus.made import a_statement, consensus_of

USE, NOT = "We use EKS for the workers.", "We do not use EKS for the workers."


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (NOT, USE),
        ("The standup is not cancelled.", "The standup is cancelled."),
        ("The gateway does not require a client certificate.", "The gateway requires a client certificate."),
        ("EKS is ruled out for the workers.", USE),
        ("The workers run on EKS.", "The workers on EKS are ruled out."),
    ],
)
def test_a_denial_and_what_it_denies_say_the_opposite(claim: str, said: str) -> None:
    assert says_opposite(profile_of(claim), profile_of(said))


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (USE, USE),
        (NOT, NOT),
        (NOT, "Nobody wants it, so we go without EKS for the workers."),
        (NOT, "Do we use EKS for the workers?"),
        (NOT, "We use the workers in Dublin."),
        ("The cache is on Redis, not Memcached.", "The cache is on Redis."),
        ("The cache is on Redis.", "The cache is on Redis, not on Memcached, which we ruled out."),
        ("It is not so.", "So be it."),
    ],
)
def test_what_agrees_asks_or_speaks_of_something_else_does_not(claim: str, said: str) -> None:
    assert not says_opposite(profile_of(claim), profile_of(said))


@pytest.mark.parametrize(
    ("after", "opposes"),
    [
        (("Fine.",), True),
        (("Scrap that.",), False),
        (("No, we don't.",), False),
        (("Fine.", "Scrap that."), True),
        (("That is not how the whole department has ever thought about the question of hosting.",), True),
        ((), True),
    ],
)
def test_a_short_reply_right_after_takes_back_what_stands_before_it(after: tuple[str, ...], opposes: bool) -> None:  # noqa: FBT001 - a column
    stretches = candidates(a_snapshot(USE, *after))
    profiles = [profile_of(stretch.text) for stretch in stretches]
    assert opposing(profile_of(NOT), [0], stretches, profiles) == ([0] if opposes else [])


@pytest.mark.parametrize("section", [Section.KNOWN, Section.DECIDED])
def test_a_denial_rests_on_the_turn_that_denies_and_on_none_that_affirms(section: Section) -> None:
    said = [a_statement(NOT, writer, section) for writer in ("ann", "bea")]
    (claim,) = consensus_of(said, a_snapshot(USE, "Fine.", NOT)).claims
    assert [piece.turn for piece in claim.evidence] == [3]
    alone = consensus_of(said, a_snapshot(USE, "Fine."))
    assert not alone.claims
    assert [item.reason for item in alone.dissent] == [DissentReason.UNSUPPORTED]
    (back,) = consensus_of(said, a_snapshot(USE, "Scrap that.")).claims
    assert back.text == NOT


def test_a_quote_of_the_opposite_turn_is_no_evidence_either() -> None:
    said = [a_statement(NOT, writer, Section.DECIDED, quotes=(USE,), turns=(1,)) for writer in ("ann", "bea")]
    assert not consensus_of(said, a_snapshot(USE, "Fine.")).claims
