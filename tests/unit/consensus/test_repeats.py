from dataclasses import replace

import numpy as np
import pytest

from consensus.draft import Draft
from consensus.evidence import Grounding
from consensus.profile import Profile
from consensus.repeats import Lost, falls_with
from dissolution.claims import DissentReason, Evidence, Section
from tests.unit.consensus.made import a_statement

SAME_CLAIM = 0.4
STORE, CEILING = "The store rds-sess-01 has a maximum of 512 MB.", "The session store has a 512 MB ceiling."


def a_draft(row: int, text: str, *turns: int, section: Section = Section.KNOWN) -> Draft:
    evidence = tuple(Evidence(turn=turn, start=0, end=len(text), text=text) for turn in turns)
    return Draft(
        rows=(row,),
        texts=(text,),
        statements=(a_statement(text),),
        chosen=row,
        profile=Profile(text),
        section=section,
        reason="test",
        grounding=Grounding(evidence, 0.9, turns, turns, turns),
    )


def falls(text: str, turns: tuple[int, ...], lost: str, apart: float = 0.3, settled: int | None = 9) -> bool:
    draft, gone = a_draft(0, text, *turns), a_draft(1, lost, 3)
    one = Lost(gone, DissentReason.SUPERSEDED, "turn 9 says otherwise", settled)
    distances = np.full((2, 2), apart) - np.eye(2) * apart
    return falls_with(draft, [one], distances, SAME_CLAIM) is one


@pytest.mark.parametrize(
    ("text", "turns", "apart", "fell"),
    [
        (CEILING, (3,), 0.3, True),
        (CEILING, (3, 8), 0.3, True),
        (CEILING, (3, 9), 0.3, False),  # the turn that settled it says this too
        (CEILING, (12,), 0.3, False),
        (CEILING, (3,), 0.4, False),  # of another meaning
        ("The session store has a 256 MB ceiling.", (3,), 0.3, False),
        ("The session store has a ceiling.", (3,), 0.3, False),
        ("The session store has a 512 MB ceiling for 20 users.", (3,), 0.3, False),
        ("The store rds-cache-01 has a maximum of 512 MB.", (3,), 0.3, False),
        ("The store may have a maximum of 512 MB, I guess.", (3,), 0.3, False),  # a guard keeps them apart
    ],
)
def test_what_gives_the_same_values_of_the_same_thing_falls_too(
    text: str, turns: tuple[int, ...], apart: float, *, fell: bool
) -> None:
    assert falls(text, turns, STORE, apart) is fell


@pytest.mark.parametrize(
    ("text", "apart", "fell"),
    [
        ("the fence is green!", 0.1, True),
        ("The fence is green.", 0.25, False),  # without a value only nearly the same words tell
        ("The high fence is green.", 0.1, False),
    ],
)
def test_words_without_values_fall_by_nearly_the_same_words(text: str, apart: float, *, fell: bool) -> None:
    assert falls(text, (3,), "The fence is green.", apart) is fell


def test_what_its_own_evidence_spoke_against_takes_along_what_rests_on_no_other_turn() -> None:
    assert falls(CEILING, (3,), STORE, settled=None)
    assert not falls(CEILING, (3, 4), STORE, settled=None)


def test_open_questions_and_what_has_no_evidence_fall_with_nothing() -> None:
    lost = Lost(a_draft(1, STORE, 3), DissentReason.CONTESTED, "no turn settles it")
    distances = np.full((2, 2), 0.1)
    edge = a_draft(0, CEILING, 3, section=Section.EDGES)
    bare = replace(edge, section=Section.KNOWN, grounding=replace(edge.grounding, evidence=()))
    assert falls_with(edge, [lost], distances, SAME_CLAIM) is None
    assert falls_with(bare, [lost], distances, SAME_CLAIM) is None
