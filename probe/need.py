"""How many questions a gate needs, from its own arithmetic, and how many a conversation can be asked."""

from dissolution.bank_need import BankNeed
from dissolution.conversation import Snapshot
from dissolution.policy.gate import GatePolicy
from dissolution.policy.probe import ProbePolicy
from probe.gate import error_share, expected_questions, most_losses

WORDS_EACH = 25
"""Words of a conversation for each question that can be asked about it. In the second drill the shortest conversation,
of 1,107 words, gave 37 questions, most of which passed their checks (docs/drills.md)."""

WITH_TRAIN = (4, 3)
"""Questions of a bank to its held-out ones: every fourth is for repair."""


def bank_need(policy: ProbePolicy, snapshot: Snapshot) -> BankNeed:
    """How many held-out questions the gate of a policy needs, and for how many a bank of this snapshot is written.

    Where policy asks for fewer than a good candidate needs, as many are written as it needs and the conversation bears,
    never fewer than policy asks for; unless policy says otherwise (`probe.gate.enlarge`).
    """
    gate, masked = policy.gate, policy.writer is None
    share = error_share(0, gate.repair_rounds if policy.enforced else 0)
    needed, borne = expected_questions(gate, masked=masked, share=share), borne_by(snapshot)
    written = enlarged(gate, needed=needed, borne=borne)
    return BankNeed(
        asked_for=gate.questions,
        needed=needed,
        borne=borne,
        written=written,
        most_lost=most_losses(written, gate, masked=masked, share=share),
    )


def enlarged(gate: GatePolicy, *, needed: int, borne: int) -> int:
    """Held-out questions to write."""
    return max(gate.questions, min(needed, borne)) if gate.enlarge else gate.questions


def borne_by(snapshot: Snapshot) -> int:
    """Held-out questions that the words of a conversation bear, beside those for repair; reckoned, not tried."""
    whole, held_out = WITH_TRAIN
    return sum(len(turn.content.split()) for turn in snapshot.turns) // WORDS_EACH * held_out // whole


def whole_bank(held_out: int) -> int:
    """Questions to write so that so many of them are held out."""
    whole, kept = WITH_TRAIN
    return held_out * whole // kept


def questions_wanted(policy: ProbePolicy, snapshot: Snapshot) -> int:
    """Questions to write for a snapshot under a policy, those for repair among them."""
    return whole_bank(bank_need(policy, snapshot).written)
