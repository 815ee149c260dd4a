"""Which of a group's sentences speaks for it: always one that somebody said."""

from collections import Counter
from collections.abc import Sequence

from consensus.wording.profile import Profile
from dissolution.claims import Statement


def choose(statements: Sequence[Statement], profiles: Sequence[Profile], scores: Sequence[float]) -> int:
    """The place (0 to n-1) of the statement that speaks for a group of n: the fullest wording the group bears out.

    In this order: it has every figure and name, then every content word, that all families say; no figure of it stands
    against what most families say in its slot; it rests on evidence; it has most figures, names and words; then the
    better evidence, then the shorter, then the alphabetically first. No length counts against it: a long sentence that
    holds what all say is better than a short one that drops a condition.

    Args:
        statements: n statements of one meaning.
        profiles: Their profiles.
        scores: Their evidence scores, 0 when they have none.
    """
    families = [statement.family for statement in statements]
    stated = _families_by(families, [_values(profile) for profile in profiles])
    everybody = _by_all(families, [_values(profile) | profile.names for profile in profiles])
    words = _by_all(families, [profile.roots for profile in profiles])
    slots = _families_by(families, [_slots(profile) for profile in profiles])

    def rank(place: int) -> tuple[tuple[int, int], int, bool, int, int, float, int, str]:
        profile = profiles[place]
        has = _values(profile) | profile.names
        odd = sum(2 * stated[mark.key] <= slots[f"{mark.kind} {mark.group}"] for mark in profile.marks if mark.hard)
        return (
            (len(everybody - has), len(words - profile.roots)),
            odd,
            scores[place] <= 0,
            -len(has),
            -len(profile.roots),
            -round(scores[place], 9),
            len(profile.text),
            profile.text,
        )

    return min(range(len(statements)), key=rank)


def _values(profile: Profile) -> frozenset[str]:
    return frozenset(mark.key for mark in profile.marks if mark.hard)


def _slots(profile: Profile) -> frozenset[str]:
    return frozenset(f"{mark.kind} {mark.group}" for mark in profile.marks if mark.hard)


def _by_all(families: Sequence[str], said: Sequence[frozenset[str]]) -> frozenset[str]:
    """What all families say."""
    return frozenset(one for one, count in _families_by(families, said).items() if count == len(set(families)))


def _families_by(families: Sequence[str], said: Sequence[frozenset[str]]) -> Counter[str]:
    """How many families say each thing."""
    pairs = {(family, one) for family, things in zip(families, said, strict=True) for one in things}
    return Counter(one for _, one in pairs)
