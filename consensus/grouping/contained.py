"""What says nothing that another group does not say as well is taken into it: its statements and families go over.

By meaning alone: the two are very near each other, every word, figure and name of the one stands in the other in the
same order, and the typed floor says nothing against it. "It is not replaced" is no repetition of "it is out", and "the
figure is 6,400" none of "the figure always was 6,400". Open questions may be farther apart
(`consensus.wording.questions`).
"""

from collections.abc import Sequence

from consensus.embedding.vectors import DIGITS, Matrix
from consensus.grouping.group import Group
from consensus.wording.profile import Profile, said_in_order
from consensus.wording.questions import asks_part_of
from consensus.wording.typed_floor import vetoes
from dissolution.claims import FIRM_SECTIONS, Section
from dissolution.policy.calibration import EmbedderCalibration


def says_part_of(part: Profile, whole: Profile) -> bool:
    """Whether every word, figure and name of `part` stands in `whole`, and neither denies what the other does not."""
    stands = part.roots <= whole.roots and part.names <= whole.names and not part.lacking(whole)
    return stands and said_in_order(part.order, whole.order) and not vetoes(part, whole)


def taken_in(groups: Sequence[Group], cosines: Matrix, calibration: EmbedderCalibration) -> list[Group]:
    """The groups, those that say part of another one of their section taken into the nearest such.

    Args:
        groups: All groups.
        cosines: Cosines between the rows of all sentences.
        calibration: From which cosine on one may say part of another, and one question be another.
    """

    def goes_into(part: Group, whole: Group) -> bool:
        near = float(cosines[part.chosen, whole.chosen])
        asked = part.section is Section.EDGES and near >= calibration.question_cosine
        return (near >= calibration.contained_cosine and says_part_of(part.profile, whole.profile)) or (
            asked and asks_part_of(part.profile, whole.profile)
        )

    left = sorted(groups, key=lambda group: (len(group.profile.roots), len(group.text), group.text))
    kept: list[Group] = []
    for place, group in enumerate(left):
        wholes = [
            (-round(float(cosines[group.chosen, other.chosen]), DIGITS), other.text, later)
            for later, other in enumerate(left[place + 1 :], place + 1)
            if other.section is group.section
            and (other.grounding.evidence or other.section not in FIRM_SECTIONS)
            and goes_into(group, other)
        ]
        if wholes:
            *_, home = min(wholes)
            left[home] = left[home].taking_in(group)
        else:
            kept.append(group)
    return kept
