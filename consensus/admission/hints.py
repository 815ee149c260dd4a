"""What typed values set against each other among what stands: a hint for reviewers, which decides nothing."""

from collections.abc import Callable, Sequence
from itertools import combinations

from consensus.admission.admitted import Nearness
from consensus.grouping.group import Group
from dissolution.claims import ClaimId
from dissolution.reviewing import Fault, Hint
from dissolution.values import NotMeasured

NO_MODEL = NotMeasured(not_measured="only values were compared")


def opposed_values(
    stand: Sequence[Group], near: Nearness, ids: Callable[[Sequence[Group]], tuple[ClaimId, ...]]
) -> tuple[Hint, ...]:
    """Pairs of claims on one matter that numbers or dates set against each other, nearest first, then by words.

    No order comes of ids, which differ between jobs.

    Args:
        stand: The groups that stand.
        near: How near they are to each other.
        ids: The ids under which groups stand as claims: one for two that stand as one claim, which are no pair.
    """
    found: dict[frozenset[ClaimId], tuple[float, list[str], Hint]] = {}
    for pair in combinations(stand, 2):
        one, two = sorted(pair, key=lambda group: group.text)
        slots = near.opposed(one, two, near.same_topic)
        claims = tuple(dict.fromkeys((*ids((one,)), *ids((two,))))) if slots else ()
        if len(claims) == 1 + 1:
            basis = f"typed values: {', '.join(sorted(set(slots)))}"
            hint = Hint(suspects=Fault.CONTRADICTS, claims=claims, probability=NO_MODEL, basis=basis)
            distance = float(near.distances[one.chosen, two.chosen])
            told = (distance, [one.text, two.text], hint)
            found[frozenset(claims)] = min(found.get(frozenset(claims), told), told, key=lambda each: each[:2])
    return tuple(hint for *_, hint in sorted(found.values(), key=lambda each: each[:2]))
