"""What a sentence is: its section from its wording, or the reason why it states nothing to keep."""

import re
from enum import StrEnum

from dissolution.claims import Section
from dissolution.conversation import Role
from fleet.extractive import cue_words as cue
from fleet.extractive import talk_words as talk
from fleet.extractive.segments import Sentence
from wording.hedges import is_hedged

MIN_TERMS = 2  # content words and values; fewer say nothing that stands alone
MOST_CHAT_TERMS = 6  # a longer sentence with "lunch" in it is about something else
ANNOUNCES = re.compile(r":[*_\s]*\Z")  # "Here is the mail:", "Open tasks:": what it announces is the next sentence's
MIN_LETTER_SHARE = 0.75  # of the visible characters; below it is a command, a path or a table


class Kind(StrEnum):
    """What a sentence does in the talk."""

    STATEMENT = "statement"
    DECISION = "decision"
    RULED_OUT = "ruled_out"
    STANDING = "standing"
    RULE = "rule"
    ROLE = "role"
    OPEN = "open"
    GUESS = "guess"
    QUESTION = "question"
    PROPOSAL = "proposal"
    ONE_OFF = "one_off"
    NOTHING = "nothing"  # small talk, acknowledgement, request, code


SECTION_OF = {
    Kind.STATEMENT: Section.KNOWN,
    Kind.DECISION: Section.DECIDED,
    Kind.RULED_OUT: Section.DECIDED,
    Kind.STANDING: Section.IDENTITY,
    Kind.RULE: Section.DECIDED,
    Kind.ROLE: Section.IDENTITY,
    Kind.OPEN: Section.EDGES,
    Kind.GUESS: Section.EDGES,
    Kind.QUESTION: Section.EDGES,
    Kind.PROPOSAL: Section.EDGES,
}


def kind_of(sentence: Sentence) -> Kind:
    """The kind of one sentence by its own wording; what others answer to it is judged in `discourse`."""
    if _states_nothing(sentence):
        return Kind.NOTHING
    text = sentence.quote
    if sentence.role is Role.SYSTEM and not sentence.quoted:
        return _kind_of_instruction(sentence, text)
    if sentence.quoted:
        return Kind.NOTHING if talk.DIRECTIVE.search(text) or sentence.is_question else Kind.STATEMENT
    if cue.ONE_OFF.search(text):
        return Kind.ONE_OFF
    if sentence.is_question:
        return Kind.QUESTION
    return _kind_of_speech(sentence, text)


def _kind_of_instruction(sentence: Sentence, text: str) -> Kind:
    """What the operator says holds for the whole talk, whatever its wording."""
    if sentence.is_question:
        return Kind.NOTHING
    return Kind.ROLE if cue.ROLE.search(text) or cue.OPERATOR_ROLE.search(text) else Kind.STANDING


def _kind_of_speech(sentence: Sentence, text: str) -> Kind:
    standing = cue.STANDING.search(text) is not None
    proposes = cue.PROPOSAL.search(text) is not None
    if cue.OPEN.search(text):
        return Kind.OPEN
    if (is_hedged(text) or cue.HEDGE.search(text)) and (proposes or not standing):
        return Kind.GUESS
    if standing:
        return Kind.STANDING
    # In order: who may do what, what is out, what is only proposed, what is asked for now, what must be, what will be.
    rules = (
        (Kind.ROLE, cue.ROLE.search(text) is not None),
        (Kind.RULED_OUT, cue.RULED_OUT.search(text) is not None),
        (Kind.PROPOSAL, proposes and sentence.role is not Role.USER),
        (Kind.NOTHING, talk.REQUEST.search(text) is not None),
        (Kind.RULE, cue.RULE.search(text) is not None),
        (Kind.DECISION, cue.DECISION.search(text) is not None),
    )
    return next((kind for kind, holds in rules if holds), Kind.STATEMENT)


def _states_nothing(sentence: Sentence) -> bool:
    text = sentence.quote
    if len({*sentence.terms, *sentence.values}) < MIN_TERMS:
        return True
    if talk.ACKNOWLEDGEMENT.match(text) or ANNOUNCES.search(text):
        return True
    visible = [character for character in text if not character.isspace()]
    letters = sum(character.isalnum() for character in visible)
    if letters < MIN_LETTER_SHARE * len(visible):
        return True
    if sentence.quoted or sentence.values or len(sentence.terms) > MOST_CHAT_TERMS:
        return False
    return talk.SMALL_TALK.search(text) is not None
