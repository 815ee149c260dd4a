"""What a claim rests on in the conversation."""

from dataclasses import dataclass

from dissolution.claims import Evidence


@dataclass(frozen=True, slots=True)
class Grounding:
    """What a claim rests on.

    Attributes:
        evidence: Verbatim stretches, best first; empty when nothing reaches the floor.
        score: 0..1.
        turns: Turns with a stretch that states the whole claim, ascending; those of `evidence` when none does alone.
        places: Row numbers of the stretches in `Ground.stretches`, best first.
        stating: Row numbers of the stretches that state the whole claim; those of `places` when none does alone.
    """

    evidence: tuple[Evidence, ...]
    score: float
    turns: tuple[int, ...]
    places: tuple[int, ...]
    stating: tuple[int, ...]

    @property
    def first_turn(self) -> int:
        """The earliest turn that states it."""
        return min(self.turns)

    @property
    def last_turn(self) -> int:
        """The latest turn that states it."""
        return max(self.turns)


NOTHING = Grounding(evidence=(), score=0.0, turns=(), places=(), stating=())
