"""Whether a sentence that stands as a guess is one by its words or by the next ones, before a claim is held to that.

The model that weighs all words of a sentence (`putting.py`) tells guesses that stand in no list, and takes some plain
statements for guesses as well. Where the lists hear nothing, a claim is called a promotion only on a reading that is
all but certain. A sentence doubted by the next one needs a next one that denies a way of knowing or names a guess: talk
that only goes on ("so no cat, then") doubts nothing.
"""

import re

from dissolution.conversation import Role
from dissolution.premises import PremiseStatus
from frame_agent.brought_back import FIRM
from frame_agent.doubts import NO_GROUND
from frame_agent.extraction import LEADING
from frame_agent.putting import Put, put
from frame_agent.record import Part, Record, Said
from frame_agent.terms import figures_of
from frame_agent.wordings import SURE, by_lists, comments, is_supposed
from wording.sentences import sentence_spans

CERTAIN = 0.95
"""Share of the reading as a guess that is enough by itself."""

HEARD = frozenset({PremiseStatus.PROPOSED.value, PremiseStatus.ONE_OFF.value})
"""What the lists hear in a sentence that is less than a statement already."""

SEVERAL = 2
"""Terms that an answer takes up by no chance."""

FIRST_WORDS = re.compile(r"\w")


def is_guess(record: Record, said: Said) -> bool:
    """Whether nobody vouches for a sentence that stands as hedged.

    Args:
        record: The conversation.
        said: A sentence of it.
    """
    found = said.found
    if found.quoted:
        return is_supposed(found.held)
    heard = by_lists(found.held)
    read = put(found.held, heard)
    if heard == PremiseStatus.HEDGED.value and (read.label == Put.GUESS or read.share < SURE):
        return True
    if read.label == Put.GUESS and (heard in HEARD or read.share >= CERTAIN):
        return True
    return doubts(after(record, said))


def settled(record: Record, said: Said, part: Part) -> bool:
    """Whether the user answers what the assistant would do by saying it: that decides it, however softly it was put."""
    if said.found.role is not Role.ASSISTANT:
        return False
    common = part.terms & said.found.terms
    return any(
        one.found.turn == said.found.turn + 1
        and one.found.role is Role.USER
        and one.status in FIRM
        and (len(common & one.found.terms) >= SEVERAL or bool(common & figures_of(one.found.text)))
        for one in record.near(common)
    )


def doubts(text: str) -> bool:
    """Whether a sentence says of the one before it that nobody knows."""
    return comments(text) or NO_GROUND.search(text) is not None


def after(record: Record, said: Said) -> str:
    """The next sentence of the same turn, without its bullet; empty when there is none."""
    rest = record.snapshot.turn(said.found.turn).content[said.found.span.end :]
    texts = (rest[span.start : span.end].strip() for span in sentence_spans(rest))
    following = next((text for text in texts if FIRST_WORDS.search(text)), "")
    return LEADING.sub("", following) or following
