"""What says nothing that another group does not say as well is taken into it: its statements and families go over.

By meaning alone: the two are near each other, every word, figure and name of the one stands in the other in the same
order, and the typed floor says nothing against it. "It is not replaced" is no repetition of "it is out".
"""

from collections.abc import Sequence

from consensus.group import Group
from consensus.guards import vetoes
from consensus.profile import Profile
from consensus.vectors import DIGITS, Matrix
from dissolution.claims import FIRM_SECTIONS


def says_part_of(part: Profile, whole: Profile) -> bool:
    """Whether every word, figure and name of `part` stands in `whole`, and neither denies what the other does not."""
    stands = part.roots <= whole.roots and part.names <= whole.names and not part.lacking(whole)
    return stands and _in_order(part.order, whole.order) and not vetoes(part, whole)


def _in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether a part's words stand in the whole in their order: "B is 2" says no part of "A is 2 and B is 1"."""
    rest = iter(whole)
    return all(word in rest for word in part)


def taken_in(groups: Sequence[Group], cosines: Matrix, least: float) -> list[Group]:
    """The groups, those that say part of another one of their section taken into the nearest such.

    Args:
        groups: All groups.
        cosines: Cosines between the rows of all sentences.
        least: Cosine from which two may say the same.
    """
    left = sorted(groups, key=lambda group: (len(group.profile.roots), len(group.text), group.text))
    kept: list[Group] = []
    for place, group in enumerate(left):
        wholes = [
            (-round(float(cosines[group.chosen, other.chosen]), DIGITS), other.text, later)
            for later, other in enumerate(left[place + 1 :], place + 1)
            if other.section is group.section
            and cosines[group.chosen, other.chosen] >= least
            and (other.grounding.evidence or other.section not in FIRM_SECTIONS)
            and says_part_of(group.profile, other.profile)
        ]
        if wholes:
            *_, home = min(wholes)
            left[home] = left[home].taking_in(group)
        else:
            kept.append(group)
    return kept
