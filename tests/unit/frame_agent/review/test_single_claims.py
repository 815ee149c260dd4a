"""What becomes of one claim: votes count by what they come to, and the wording is a reviewer's."""

import pytest

from dissolution.claims import ClaimState, DissentReason, Mark, Section
from dissolution.framing import Action, FramePolicy
from dissolution.ledger import ChangeKind
from dissolution.reviewing import Fault
from tests.unit.frame_agent.review.made import (
    DOOR,
    LARCH,
    MILL,
    OAK,
    TANK,
    After,
    after,
    by,
    by_all,
    claim,
    remark,
    report_of,
    words,
)

GUESSED = "I'd guess the tank"
LATER = "larch after all"


@pytest.mark.parametrize("faults", [(Fault.GUESS, Fault.GUESS), (Fault.GUESS, Fault.PROPOSAL)])
def test_a_guess_and_a_proposal_agree_that_a_claim_is_open(faults: tuple[Fault, Fault]) -> None:
    found = after(
        [TANK], [by(family, remark(fault, [TANK], GUESSED)) for family, fault in zip("cd", faults, strict=True)]
    )
    assert found.texts == {(Section.EDGES, TANK.text)}
    assert found.claims["tank"].statements == TANK.statements


def test_what_belongs_to_edges_is_a_vote_for_open_as_well() -> None:
    said = [by("c", remark(Fault.GUESS, [TANK], GUESSED))]
    said += [by("d", remark(Fault.WRONG_SECTION, [TANK], GUESSED, section=Section.EDGES))]
    assert after([TANK], said).texts == {(Section.EDGES, TANK.text)}


@pytest.mark.parametrize(
    ("fault", "state", "aside"),
    [
        (Fault.FALSE, ClaimState.CORRECTED, DissentReason.REVIEWED),
        (Fault.REFUSED, ClaimState.EXPIRED, DissentReason.REVIEWED),
        (Fault.NOT_AGREED, ClaimState.CORRECTED, DissentReason.INJECTED),
        (Fault.STALE, ClaimState.EXPIRED, DissentReason.SUPERSEDED),
        (Fault.ANSWERED, ClaimState.EXPIRED, DissentReason.REVIEWED),
        (Fault.ONE_ANSWER_ONLY, ClaimState.CORRECTED, DissentReason.REVIEWED),
    ],
)
def test_what_ends_is_closed_by_the_words_where_it_is_held_and_dissent_where_it_is_new(
    fault: Fault, state: ClaimState, aside: DissentReason
) -> None:
    said = by_all("cd", remark(fault, [OAK], LATER))
    held = after([OAK, MILL], said, held=("oak", "mill"))
    assert set(held.claims) == {"mill"}
    closing = held.closed["oak"].closing
    assert closing is not None
    assert (closing.state, closing.evidence, closing.by) == (state, (words(LATER),), None)
    assert (held.changes["oak"].kind, held.changes["oak"].evidence) == (ChangeKind.CLOSED, (words(LATER),))
    new = after([OAK, MILL], said)
    assert (set(new.claims), new.closed) == ({"mill"}, {})
    assert (new.dissent["oak"].reason, new.dissent["oak"].statements) == (aside, OAK.statements)
    assert "oak" not in new.changes


def test_who_calls_it_false_and_who_calls_it_stale_agree_that_it_ends() -> None:
    said = [by("c", remark(Fault.FALSE, [OAK], LATER)), by("d", remark(Fault.STALE, [OAK], LATER))]
    assert after([OAK], said).claims == {}


def test_where_two_agree_only_that_it_does_not_stand_the_milder_is_done() -> None:
    said = [by("c", remark(Fault.GUESS, [TANK], GUESSED)), by("d", remark(Fault.FALSE, [TANK], GUESSED))]
    assert after([TANK], said).texts == {(Section.EDGES, TANK.text)}
    said += [by("e", remark(Fault.FALSE, [TANK], GUESSED))]
    assert after([TANK], said).claims == {}, "two of three say that it ends"


def test_the_reviewers_wording_stands_in_the_claims_place_on_their_words() -> None:
    text = "The user guesses that the tank holds 400 litres."
    said = [
        by("c", remark(Fault.GUESS, [TANK], GUESSED, text=text)),
        by("d", remark(Fault.GUESS, [TANK], "400 litres")),
    ]
    found = after([TANK], said)
    (edge,) = found.claims.values()
    assert (edge.section, edge.text, edge.support.families) == (Section.EDGES, text, ("c",))
    assert edge.evidence == (words(GUESSED), words("400 litres"))
    assert Mark.SINGLE_SOURCE in edge.marks
    assert found.dissent["tank"].against == (edge.id,)
    assert text in found.finding.outcome
    held = after([TANK], said, held=("tank",))
    closing = held.closed["tank"].closing
    assert closing is not None
    assert closing.by in held.claims
    assert held.changes[closing.by or ""].other == "tank"


def test_of_several_wordings_most_families_meaning_is_taken_then_the_longest_quote_then_the_alphabet() -> None:
    def chosen(*given: tuple[str, str, str]) -> str:
        said = [by(family, remark(Fault.FALSE, [TANK], quote, text=text)) for family, text, quote in given]
        (only,) = after([TANK], said).claims.values()
        return only.text

    long, short = "the tank holds 400 litres", "400 litres"
    assert chosen(("c", "Y.", short), ("d", "y.", short), ("e", "A.", long)) == "Y."
    assert chosen(("c", "A.", short), ("d", "Y.", long)) == "Y."
    assert chosen(("c", "Y.", short), ("d", "A.", short)) == "A."


def test_a_wording_that_another_claim_holds_is_not_said_twice() -> None:
    said = by_all("cd", remark(Fault.STALE, [OAK], LATER, text=LARCH.text))
    found = after([OAK, LARCH], said, held=("oak", "larch"))
    assert set(found.claims) == {"larch"}
    closing = found.closed["oak"].closing
    assert closing is not None
    assert (closing.state, closing.by) == (ClaimState.SUPERSEDED, "larch")


ELM = claim("elm", "The sluice is built in elm.", "rebuild the sluice in oak", "a", section=Section.DECIDED)
LARCH_AGAIN = "The sluice, is built in larch."


def test_what_one_family_words_and_a_claim_says_is_kept_as_dissent() -> None:
    found = after([ELM, LARCH], [by("c", remark(Fault.STALE, [ELM], LATER, text=LARCH_AGAIN))], held=("elm",))
    assert set(found.claims) == {"larch"}
    (kept,) = found.dissent.values()
    assert (kept.text, kept.reason, kept.against) == (LARCH_AGAIN, DissentReason.CONTAINED, ("larch",))
    assert found.closed["elm"].closing is not None
    assert found.closed["elm"].closing.by == "larch"


def test_what_two_families_word_stands_beside_what_is_near_with_a_hint() -> None:
    said = by_all("cd", remark(Fault.STALE, [OAK], LATER, text=LARCH_AGAIN))
    report = report_of([OAK, LARCH], said)
    assert report.amended is not None
    new = next(one for one in report.amended.claims if one.text == LARCH_AGAIN)
    assert {one.id for one in report.amended.claims} == {"larch", new.id}
    one = report_of([TANK, ELM], [by("c", remark(Fault.STALE, [ELM], LATER, text="The tank holds 400 litres now."))])
    assert one.amended is not None
    assert [(each.suspects, each.claims[0]) for each in one.amended.hints] == [(Fault.SAME_AS, "tank")]


def test_an_answer_closes_its_question_and_stands_where_it_belongs() -> None:
    said = by_all(
        "cd", remark(Fault.ANSWERED, [DOOR], "door stays as it is", text="The door stays.", section=Section.DECIDED)
    )
    assert after([DOOR], said).texts == {(Section.DECIDED, "The door stays.")}
    bare = by_all("cd", remark(Fault.ANSWERED, [DOOR], "door stays as it is", text="The door stays."))
    assert after([DOOR], bare).claims == {}, "without its section an answer has no place"


def test_what_is_incomplete_is_said_whole_by_the_reviewer() -> None:
    door = claim("stays", "The door stays as it is.", "The door stays as it is", "a", "b", section=Section.DECIDED)
    whole = "The door stays as it is, unless the frost cracks it."
    said = by_all("cd", remark(Fault.INCOMPLETE, [door], "unless the frost cracks it", text=whole))
    found = after([door], said)
    (only,) = found.claims.values()
    assert (only.section, only.text, only.support.families) == (Section.DECIDED, whole, ("c", "d"))
    assert only.evidence == (words("The door stays as it is"), words("unless the frost cracks it"))
    assert "stays" in found.dissent


def test_a_wrong_speaker_is_put_right_in_the_reviewers_words_or_not_at_all() -> None:
    wrong = claim("given", "The user wants the door painted.", "paint the door", "a")
    right = "The assistant asks whether the door is painted."
    found = after([wrong], [by("c", remark(Fault.WRONG_SPEAKER, [wrong], "Shall we paint", text=right))])
    assert found.texts == {(wrong.section, right)}
    bare = after([wrong], [by("c", remark(Fault.WRONG_SPEAKER, [wrong], "Shall we paint"))])
    assert not bare.changed
    assert "wording" in bare.finding.outcome


def test_a_claim_moves_to_the_section_that_enough_families_agree_on() -> None:
    said = by_all("cd", remark(Fault.WRONG_SECTION, [MILL], "The mill stands", section=Section.DECIDED))
    assert after([MILL], said).claims["mill"].section is Section.DECIDED
    parted = [by("c", remark(Fault.WRONG_SECTION, [MILL], "The mill stands", section=Section.DECIDED))]
    parted += [by("d", remark(Fault.WRONG_SECTION, [MILL], "The mill stands", section=Section.IDENTITY))]
    assert not after([MILL], parted).changed


def test_a_commitment_that_is_held_is_never_moved_to_known() -> None:
    said = by_all("cd", remark(Fault.WRONG_SECTION, [OAK], "rebuild the sluice", section=Section.KNOWN))
    held = after([OAK], said, held=("oak",))
    assert not held.changed
    assert "not moved to KNOWN" in held.finding.outcome
    assert after([OAK], said).claims["oak"].section is Section.KNOWN


def test_a_held_commitment_that_was_only_a_guess_ends_with_the_words_and_stands_in_edges_under_another_id() -> None:
    found = after([OAK], by_all("cd", remark(Fault.PROPOSAL, [OAK], "We rebuild the sluice")), held=("oak",))
    (edge,) = found.claims.values()
    assert (edge.section, edge.text) == (Section.EDGES, OAK.text)
    closing = found.closed["oak"].closing
    assert closing is not None
    assert (closing.by, closing.evidence) == (edge.id, (words("We rebuild the sluice"),))


def test_a_guess_about_what_is_open_already_changes_nothing() -> None:
    found = after([DOOR], by_all("cd", remark(Fault.GUESS, [DOOR], "paint the door")))
    assert not found.changed
    assert "open already" in found.finding.outcome


def test_what_a_false_claim_had_replaced_holds_again() -> None:
    wrong = claim("wrong", "The sluice is built in steel.", "Then the sluice is oak", "c", section=Section.DECIDED)
    first = report_of([OAK], by_all("cd", remark(Fault.STALE, [OAK], LATER, text=wrong.text)), held=("oak",))
    assert first.amended is not None
    (new,) = first.amended.claims
    again = After(report_of(first.amended, by_all("ab", remark(Fault.FALSE, [new], LATER))), [])
    assert {one.text: one.state for one in again.claims.values()} == {OAK.text: ClaimState.CARRIED}
    assert again.closed == {}
    assert "oak holds again" in again.finding.outcome


def test_a_remark_counts_for_the_words_it_was_made_of_alone() -> None:
    said = by_all("cd", remark(Fault.FALSE, [TANK], GUESSED))
    other = TANK.model_copy(update={"text": "The tank holds 40 litres."})
    assert after([other], said).report.findings == ()
    renamed = TANK.model_copy(update={"id": "other"})
    assert after([renamed], said).claims == {}


@pytest.mark.parametrize(("act", "blocks"), [(Action.ANNOTATE, False), (Action.BLOCK, True)])
def test_policy_may_only_show_or_keep_the_history(act: Action, *, blocks: bool) -> None:
    said = [*by_all("cd", remark(Fault.FALSE, [TANK], GUESSED)), by("e", remark(Fault.FALSE, [MILL], GUESSED))]
    found = after([TANK, MILL], said, policy=FramePolicy(act=act))
    assert not found.changed
    first, second = found.report.findings if blocks else sorted(found.report.findings, key=lambda one: one.families)
    assert first.action is act
    assert second.action is Action.ANNOTATE
    assert [TANK.text in one for one in found.report.blocked] == ([True] if blocks else [])


def test_a_question_that_is_settled_in_part_is_reworded_by_two_families_and_stays_open() -> None:
    part = "The door is not painted; whether frost cracks it is open."
    said = remark(Fault.INCOMPLETE, [DOOR], "The door stays as it is", text=part)
    found = after([DOOR], by_all("xy", said))
    (edge,) = found.claims.values()
    assert (edge.section, edge.text) == (Section.EDGES, part)
    assert {one.text for one in edge.evidence} == {"paint the door", "The door stays as it is"}
    assert not after([DOOR], [by("x", said)]).changed, "one family does not reword what two state"
