"""Claims that come back."""

from consensus.reconcile.closing import ended
from consensus.reconcile.returned import Gone, as_dissent
from dissolution.claims import Claim, ClaimState, DissentReason
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_claim, a_dissent, a_space, acting, revises, whole

TEXT = "The cache holds 512 MB."
SNAPSHOT = a_snapshot(TEXT, "No.", TEXT)


def closed_in_turn_2(text: str = TEXT, by: str | None = None) -> Claim:
    old = a_claim(text, SNAPSHOT, 1, name="c1")
    return ended(old, ClaimState.SUPERSEDED, 2, "gone", by=by, evidence=(whole(SNAPSHOT, 2),))


def test_only_words_of_a_turn_after_its_end_bring_a_claim_back() -> None:
    gone = Gone([closed_in_turn_2()], (), {}, a_space(TEXT))
    for turn in (1, 2):
        back = gone.repeated_by(a_claim(TEXT, SNAPSHOT, turn, name="c2"))
        assert back is not None
        assert (back.reason, "gone" in back.detail) == (DissentReason.SUPERSEDED, True)
    assert gone.repeated_by(a_claim(TEXT, SNAPSHOT, 3, name="c2")) is None


def test_what_is_nearer_to_the_successor_is_no_repetition() -> None:
    old = "All code of the portal and of its workers is indented with tabs."
    heir = "All code of the portal and of its workers is indented with spaces."
    said = "All of the code of the portal and its workers is indented with spaces now."
    space = a_space(old, heir, said)
    assert space.same(old, said)
    gone = Gone([closed_in_turn_2(old, by="c9")], (), {"c9": heir}, space)
    assert gone.near_to(a_claim(said, SNAPSHOT, 2, name="c2")) is None
    assert gone.near_to(a_claim(old, SNAPSHOT, 2, name="c2")) is not None


def test_near_words_stand_and_are_told() -> None:
    other = "The cache, it holds 512 MB."
    old = closed_in_turn_2()
    gone = Gone([old], (), {}, a_space(TEXT, other, "The queue is empty."))
    for writers in (("ann",), ("ann", "bea")):
        said = a_claim(other, SNAPSHOT, 2, name="c2", writers=writers)
        assert gone.repeated_by(said) is None
        assert gone.near_to(said) == old
    assert gone.near_to(a_claim(other, SNAPSHOT, 3, name="c2")) is None, "a newer turn says it again"
    assert gone.near_to(a_claim("The queue is empty.", SNAPSHOT, 2, name="c2")) is None


def test_case_white_space_and_the_full_stop_make_no_other_words() -> None:
    said = a_claim("the cache  holds 512 MB", SNAPSHOT, 2, name="c2")
    assert Gone([closed_in_turn_2()], (), {}, a_space(TEXT, said.text)).repeated_by(said) is not None


def test_what_one_family_ended_is_not_held_against_two() -> None:
    alone = a_claim(TEXT, SNAPSHOT, 1, name="c1", writers=("cid",))
    by_members = ended(alone, ClaimState.SUPERSEDED, 2, "gone", evidence=(whole(SNAPSHOT, 2),))
    by_a_person = ended(alone, ClaimState.EXPIRED, 2, "retracted")
    for old, writers, out in (
        (by_members, ("ann",), True),
        (by_members, ("ann", "bea"), False),
        (by_a_person, ("ann", "bea"), True),
    ):
        said = a_claim(TEXT, SNAPSHOT, 2, name="c2", writers=writers)
        gone = Gone([old], (), {}, a_space(TEXT))
        assert (gone.repeated_by(said) is not None) is out
        assert gone.near_to(said) == old


def test_what_members_say_ends_a_claim_is_no_repetition_of_it() -> None:
    old = closed_in_turn_2()
    said = a_claim(TEXT, SNAPSHOT, 2, name="c2")
    ends = said.model_copy(update={"statements": acting(TEXT, revises(old), turn=2)})
    assert Gone([old], (), {}, a_space(TEXT)).repeated_by(ends) is None


def test_what_was_dismissed_stays_so_and_other_claims_pass() -> None:
    out = a_dissent(TEXT, SNAPSHOT, 1, reason=DissentReason.DISMISSED)
    gone = Gone((), (out,), {}, a_space(TEXT, "The queue is empty."))
    assert gone.repeated_by(a_claim("The queue is empty.", SNAPSHOT, 1)) is None
    back = gone.repeated_by(a_claim(TEXT, SNAPSHOT, 1))
    assert back is not None
    assert back.reason is DissentReason.DISMISSED


def test_a_claim_as_dissent_keeps_everything() -> None:
    claim = a_claim(TEXT, SNAPSHOT, 1)
    found = as_dissent(claim, DissentReason.SUPERSEDED, "why", ("c9",))
    kept = (found.id, found.text, found.evidence, found.support, found.against)
    assert kept == (claim.id, claim.text, claim.evidence, claim.support, ("c9",))
