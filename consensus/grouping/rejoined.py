"""Sentences of one statement that all stand are put together again, as the member said them: they lose no context."""

from collections.abc import Sequence
from dataclasses import replace

from consensus.evidence.grounding import Grounding
from consensus.grouping.group import Group, each_once
from consensus.grouping.sentences import points
from consensus.wording.profile import profile_of

LONGEST_WORDS = 60  # sentences that are longer together are several claims, and stay apart


def rejoined(groups: Sequence[Group]) -> list[Group]:
    """The standing groups, whole statements in place of their sentences where each of these stands in their words.

    The whole has the families of all its sentences, as a claim has those of what it takes in; its reason tells who
    said which. Sentences in several sections stay apart, and so do those that are too long together.

    Args:
        groups: The groups that stand.
    """
    left = {group.text: group for group in groups}
    said = {statement.claim.text: statement for group in groups for statement in group.statements}
    for text, statement in sorted(said.items()):  # members that say the same are told apart by their words alone
        texts = [point.text for point in points(statement)]
        parts = [left[one] for one in texts if one in left]
        one_section = len({part.section for part in parts}) == 1
        if len(parts) == len(set(texts)) > 1 and one_section and len(text.split()) <= LONGEST_WORDS:
            for part in parts:
                del left[part.text]
            left[text] = _joined(parts, text)
    return list(left.values())


def _joined(parts: Sequence[Group], text: str) -> Group:
    grounds = [part.grounding for part in parts]
    told = ", ".join(f"“{part.text}” {', '.join(part.support.families)}" for part in parts)
    alike = len({part.support.families for part in parts}) == 1
    return replace(
        parts[0],
        texts=tuple(sorted({text for part in parts for text in part.texts})),
        statements=each_once(said for part in parts for said in part.statements),
        profile=profile_of(text),
        reason=parts[0].reason if alike else f"{parts[0].reason}; of its sentences: {told}",
        grounding=Grounding(
            evidence=tuple(dict.fromkeys(piece for ground in grounds for piece in ground.evidence)),
            score=min(ground.score for ground in grounds),
            turns=tuple(sorted({turn for ground in grounds for turn in ground.turns})),
            places=tuple(dict.fromkeys(place for ground in grounds for place in ground.places)),
            stating=tuple(dict.fromkeys(place for ground in grounds for place in ground.stating)),
        ),
    )
