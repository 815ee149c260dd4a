from consensus.embedding.hashing_embedder import HashingEmbedder
from dissolution.premises import Acceptance, PremiseStatus
from frame_agent.challenge.adoption import as_edge, challenge_id
from frame_agent.challenge.challenger import (
    BY_ACCEPTANCE,
    DOUBT,
    considered,
    doubt,
    goal_of,
    leverage,
    rank,
    shown_as,
    targets,
)
from frame_agent.challenge.nearness import nearest
from frame_agent.register.fold import register_of
from prompts.framing import ProposedFraming
from tests.factories import a_snapshot

TALK = a_snapshot(
    "Help me move the copy. I guess the inter-rack link is shared with backup traffic.",
    "Then the copy goes over the inter-rack link at night because it is shared with backup traffic.",
    "Fine, then we plan the copy for the night, since the link is shared.",
)
REGISTER = register_of(TALK)


def framing(text: str, premise: int = 1) -> ProposedFraming:
    return ProposedFraming(premise=premise, alternative=text, leads_to="Another plan.", test="Measure it.")


def test_doubt_is_least_for_what_was_accepted_in_words() -> None:
    assert DOUBT[PremiseStatus.IMPLICIT] > DOUBT[PremiseStatus.ASSERTED] > DOUBT[PremiseStatus.CONFIRMED]
    assert DOUBT[PremiseStatus.REJECTED] == 0
    assert BY_ACCEPTANCE[Acceptance.SILENCE] == 1
    assert all(0 <= doubt(one) <= 1 for one in REGISTER.premises)


def test_targets_have_something_resting_on_them_and_most_leverage_first() -> None:
    found = targets(REGISTER)
    assert found
    assert [one.leverage for one in found] == sorted((one.leverage for one in found), reverse=True)
    assert all(one.premise.open_dependants and one.leverage == leverage(one.premise) > 0 for one in found)


def test_the_goal_is_the_first_request_after_what_stands() -> None:
    assert goal_of(TALK, ["I work step by step."]).startswith("I work step by step.\nHelp me move the copy.")
    assert "rests on it" in shown_as(targets(REGISTER)[0].premise).standing


def test_what_was_considered_or_is_shown_already_is_left_out() -> None:
    premise = targets(REGISTER)[0].premise
    far, same = (
        framing("Disks travel between the sites by car."),
        framing("Cars carry disks between the sites to travel."),
    )
    proposed = [("m", premise, far), ("m", premise, far), ("m", premise, same)]
    shown = rank(proposed, considered(REGISTER), HashingEmbedder(), 3)
    assert [one.alternative for one in shown].count(far.alternative) <= 1
    assert rank(proposed, [far.alternative, same.alternative], HashingEmbedder(), 3) == ()
    assert rank(proposed, [], HashingEmbedder(), 0) == rank([], [], HashingEmbedder(), 3) == ()


def test_a_challenge_names_its_premise_and_the_turn_it_was_accepted() -> None:
    premise = targets(REGISTER)[0].premise
    (one,) = rank([("m", premise, framing("Disks travel by car."))], [], HashingEmbedder(), 1)
    assert one.premise == premise.id
    assert one.turn == min((taken.turn for taken in premise.accepted), default=premise.turn)
    edge = as_edge(one)
    assert edge.id == challenge_id(one)
    assert edge.text == edge.statements[0].claim.text == "Disks travel by car.", "the product words no claim"
    assert all(words in edge.reason for words in (one.proposition, one.leads_to, one.test, "a challenge by m"))


def test_nearness_of_nothing_is_none() -> None:
    assert nearest(HashingEmbedder(), [], ["a"]) == ()
    assert nearest(HashingEmbedder(), ["a"], []) == (0.0,)
    assert nearest(HashingEmbedder(), ["the link is shared"], ["the link is shared"])[0] > 0.99
