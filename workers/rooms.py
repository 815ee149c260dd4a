"""How much room a job's boundary has: asked of members, given to the consensus, kept to after the review."""

from dissolution.conversation import Snapshot
from dissolution.policy import Policy
from dissolution.ports import TokenCounter
from dissolution.room import Room, room_of
from language.tokens import ApproximateTokenCounter
from workers.windows import Asker


def room_about(policy: Policy, snapshot: Snapshot, counter: TokenCounter, *, since: int = 0) -> Room:
    """The room of what is said of the turns after `since` (0 for all) up to the snapshot's last."""
    return room_of(policy.size, sum(counter.count(turn.content) for turn in snapshot.turns[since:]))


def first_asker(policy: Policy, snapshot: Snapshot, key: bytes) -> Asker:
    """What the prompts of a first dissolution are rendered with: for estimates, before there is a job."""
    return Asker(
        version=policy.prompt_version,
        key=key,
        deadline_s=policy.quorum.hard_deadline_s,
        room=room_about(policy, snapshot, ApproximateTokenCounter()),
    )
