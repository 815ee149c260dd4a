import pytest

from consensus.calibration import calibration_for
from consensus.draft import Draft
from consensus.evidence import NOTHING, Ground
from consensus.hashing import HashingEmbedder
from consensus.profile import Profile
from consensus.retractions import Retraction, retraction
from consensus.vectors import unpack
from dissolution.claims import Section, StatedClaim
from dissolution.conversation import Role, Snapshot, Turn
from tests.factories import a_snapshot, a_turn
from tests.unit.consensus.made import a_statement, consensus_of


def taken_back(claim: str, *turns: Turn | str, section: Section = Section.KNOWN) -> Retraction | None:
    """What the talk does to a claim that rests on it."""
    talk = [turn if isinstance(turn, Turn) else a_turn(number, turn) for number, turn in enumerate(turns, 1)]
    ground, embedder = Ground(Snapshot(conversation="c", turns=tuple(talk))), HashingEmbedder()
    rows, ground_rows = unpack(embedder.embed([claim])), unpack(embedder.embed(ground.texts()))
    scores = ground.scores([Profile(claim)], rows, ground_rows, calibration_for("hashing"))
    stated = StatedClaim(section=section, text=claim)
    grounding = scores.ground(0, stated, floor=0.3, spoken_only=False)
    assert grounding.evidence
    draft = Draft(
        rows=(0,), texts=(claim,), statements=(a_statement(claim),), chosen=0, profile=Profile(claim),
        section=section, reason="test", grounding=grounding,
    )  # fmt: skip
    return retraction(draft, ground)


OFF = "Fine, thanks."


@pytest.mark.parametrize(
    ("claim", "turns", "why"),
    [
        (
            "The launch is on 12 January in Porto.",
            ("Launch on 12 January in Porto.", OFF, "Launch moves to 1 March."),
            "takes a figure of it back",
        ),
        (
            "The primary db-one-1 has dropped 18,204 jobs and is nearly full.",
            (
                "The primary has dropped 18,204 jobs and db-one-1 is nearly full.",
                OFF,
                "So the 18,204 dropped jobs belong to db-two-7 in the other rack.",
            ),
            "says what a figure of it belongs to",
        ),
        (
            "Roach falls by 43 percent.",
            ("Roach falls by 43 percent.", OFF, "Roach falls by 52 percent, not 43."),
            "takes a figure of it back",
        ),
        (
            "The paper is due on 20 March.",
            (
                "Paper: 20 March.",
                OFF,
                "20 March to register the title, 27 March the paper is due.",
            ),
            "gives a figure of it to something else",
        ),
        (
            "Production is account 1240 and the sandbox account 1204.",
            ("Production is account 1204 and the sandbox account 1240.",),
            "gives its figures the other way round",
        ),
        (
            "The threshold is p < 0.01 for each link.",
            ("The threshold is p < 0.01 for each link.", OFF, "One rule, p < 0.001 throughout."),
            "gives another value",
        ),
        (
            "The session store has 512 MB of memory.",
            ("The session store has 512 MB of memory.", OFF, "The session store has 2 GB of memory."),
            "gives another value",
        ),
        (
            "The roach to midges link is supported.",
            (
                "The roach to midges link is supported.",
                OFF,
                "The roach to midges link is no longer supported.",
            ),
            "denies it",
        ),
    ],
)
def test_a_later_turn_takes_a_claim_back(claim: str, turns: tuple[str, ...], why: str) -> None:
    found = taken_back(claim, *turns)
    assert found == Retraction(len(turns), why)
    assert taken_back(claim, turns[0], section=Section.EDGES) is None


@pytest.mark.parametrize(
    ("claim", "turns"),
    [
        (
            "The launch is on 12 January in Porto.",
            ("Launch on 12 January in Porto.", "Could launch move to 1 March?"),
        ),
        ("The launch is on 12 January in Porto.", ("Launch on 12 January in Porto.", "The review moves to 1 March.")),
        ("The launch is on 12 January in Porto.", ("Launch on 12 January in Porto.", "Launch moves to Braga.")),
        (
            "The fix is r420 with a redirect.",
            ("The fix is r420 with a redirect.", "The log does not go into r420."),
        ),
        ("The store has 512 MB of memory.", ("The store has 512 MB of memory.", "The queue has 2 GB of disk.")),
        ("The lake is 12 m deep.", ("Roach swim.", "The lake is 12 m deep.", "The lake is 12 m deep and cold.")),
        ("Roach falls by 43 percent, not 52.", ("Roach falls by 52 percent.", "Roach falls by 43 percent, not 52.")),
    ],
)
def test_what_is_weighed_or_about_something_else_takes_nothing_back(claim: str, turns: tuple[str, ...]) -> None:
    assert taken_back(claim, *turns) is None


def test_pasted_text_takes_nothing_back() -> None:
    said = "The session store has 512 MB of memory."
    pasted = a_turn(2, "The session store has 2 GB of memory.", Role.TOOL, "tool")
    assert taken_back(said, a_turn(1, said), pasted) is None


def test_another_speaker_without_words_of_change_settles_no_value() -> None:
    said = "The session store has 512 MB of memory."
    one, two = a_turn(1, said, Role.PARTICIPANT, "Ines"), "The session store has 2 GB of memory."
    assert taken_back(said, one, a_turn(2, two, Role.PARTICIPANT, "Omar")) is None
    changed = taken_back(said, one, a_turn(2, f"Correction: {two[0].lower()}{two[1:]}", Role.PARTICIPANT, "Omar"))
    assert changed == Retraction(2, "gives another value")


def test_a_reading_of_a_sister_machine_is_no_evidence_of_this_one() -> None:
    found = taken_back(
        "The store rds-sess-01 has a maximum of 512 MB.",
        "The page cache rds-cache-01 has a maximum of 512 MB.",
        OFF,
        "The store rds-sess-01 has a maximum of 2 GB.",
    )
    assert found == Retraction(3, "gives another value")


def test_a_draft_without_evidence_is_not_taken_back() -> None:
    old = "The launch date is 12 March for the product."
    ground = Ground(Snapshot(conversation="c", turns=(a_turn(1, old), a_turn(2, "It is 30 March, not 12 March."))))
    draft = Draft(
        rows=(0,), texts=(old,), statements=(a_statement(old),), chosen=0, profile=Profile(old),
        section=Section.KNOWN, reason="test", grounding=NOTHING,
    )  # fmt: skip
    assert retraction(draft, ground) is None


@pytest.mark.parametrize(
    ("claim", "turns", "gone"),
    [
        (
            "Influence is 0.42 bits at the first stop.",
            ("Influence is 0.42 bits at the first stop.", OFF, "Which means 0.42 and 0.12 go in the bin too."),
            True,
        ),
        (
            "The dose is 40 mg a day.",
            ("The dose is 40 mg a day.", OFF, "The dose of 40 mg is withdrawn."),
            True,
        ),
        (
            "Influence is 0.42 bits at the first stop.",
            (
                "Influence is 0.42 bits at the first stop.",
                "0.42 goes in the bin.",
                "| influence at the first stop | 0.42 bits (binned) |",
            ),
            True,
        ),
        (
            "The dose is 40 mg a day.",
            ("The dose is 40 mg a day.", OFF, "The 40 chairs in the hall are wrong."),
            False,
        ),
        (
            "The rate of 1.75 is withdrawn.",
            ("The rate of 1.75 is withdrawn.", OFF, "Right, the rate of 1.75 is withdrawn."),
            False,
        ),
        (
            "Influence is 0.42 bits at the first stop.",
            ("Influence is 0.42 bits at the first stop.", OFF, "Is 0.42 dead? Are 0.42 and 0.12 wrong?"),
            False,
        ),
        (
            "Trout fall from 94 to 54 kg per ha.",
            (
                "Trout fall from 94 to 54 kg per ha.",
                "Trout after stocking are 45 kg per ha, not 54.",
                "Trout fall from 94 kg per ha, as said.",
            ),
            True,
        ),
        (
            "The pilot has 11 plots of rye.",
            (
                "The pilot has 11 plots of rye.",
                "The main trial has 40 plots, not 11.",
                "The pilot has 11 plots of rye.",
            ),
            False,
        ),
        (
            "I end each reply with a risk score.",
            ("I end each reply with a risk score.", OFF, "You can stop adding the risk score."),
            True,
        ),
        (
            "I end each reply with a risk score.",
            (
                "I end each reply with a risk score.",
                "You can stop adding the risk score.",
                "I end each reply with a risk score.",
            ),
            False,
        ),
        (
            "There is comfortable room for the second pump.",
            (
                "There is comfortable room for the second pump.",
                OFF,
                "The room we thought we had was never there.",
            ),
            True,
        ),
        (
            "The mail host relay-1 runs strict-mode.",
            (
                "mode: strict-mode\nThe mail host relay-1 runs strict-mode.",
                "Wrong host, sorry.\nmode: lenient",
                "So the mail host relay-1 runs lenient.",
            ),
            True,
        ),
        (
            "The mail host relay-1 runs strict-mode.",
            (
                "mode: strict-mode\nThe mail host relay-1 runs strict-mode.",
                "mode: lenient",
                "So the mail host relay-1 runs lenient.",
                "And now the mail host relay-1 runs strict-mode again.",
            ),
            False,
        ),
        (
            "The mail host relay-1 runs strict-mode.",
            (
                "mode: strict-mode\nThe mail host relay-1 runs strict-mode.",
                "mode: lenient",
                "The web host front-2 runs lenient.",
            ),
            False,
        ),
    ],
)
def test_what_is_dropped_lifted_gone_or_set_otherwise_is_taken_back(
    claim: str, turns: tuple[str, ...], *, gone: bool
) -> None:
    assert (taken_back(claim, *turns, section=Section.IDENTITY) is not None) is gone


def test_a_sentence_that_says_a_claim_in_one_clause_and_rejects_another_thing_does_not_deny_it() -> None:
    move, out = "We will move the workers to Nomad in March", "EKS is ruled out."
    turns = ("Where do the workers run?", "On EKS.", f"{move}; {out}")
    assert taken_back(move, *turns, section=Section.DECIDED) is None
    said = [
        a_statement(text, writer, Section.DECIDED, ordinal=n)
        for writer in ("ann", "bea")
        for n, text in enumerate((move, out))
    ]
    assert {claim.text for claim in consensus_of(said, a_snapshot(*turns)).claims} == {move, out}
    back = taken_back(
        move, move, "Fine.", f"We will not move the workers to Nomad in March; {out}", section=Section.DECIDED
    )
    assert back == Retraction(3, "denies it")
