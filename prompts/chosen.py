"""The reply of an extraction method: stretches of turns with a score, in JSON. It states nothing."""

from typing import Annotated

from pydantic import Field, ValidationError

from dissolution.answers import AnswerClass, ParsedReply
from dissolution.conversation import Snapshot
from dissolution.excerpts import Chosen
from dissolution.values import Frozen
from language.signature import signature

PARSER_VERSION = "chosen 1"
"""Recorded with every parsed reply of this form."""

OUTSIDE = "outside_the_snapshot"


class ChosenReply(Frozen):
    """What the method chose, in the order of turns; none when there is nothing to choose from."""

    chosen: Annotated[tuple[Chosen, ...], Field(max_length=200_000)]


def parse_chosen(text: str, snapshot: Snapshot) -> ParsedReply:
    """Read the raw reply of an extraction method. Never raises, whatever the text.

    Args:
        text: The reply.
        snapshot: What it is about; a stretch that does not stand in it makes the reply garbage.
    """
    problems: tuple[str, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    try:
        chosen = ChosenReply.model_validate_json(text).chosen
    except ValidationError as error:
        problems = (f"invalid: {error.error_count()} errors",)
    if any(one.turn > snapshot.through or one.end > len(snapshot.turn(one.turn).content) for one in chosen):
        chosen, problems = (), (OUTSIDE,)
    return ParsedReply(
        answer_class=AnswerClass.GARBAGE if problems else AnswerClass.OK,
        claims=(),
        sections_found=(),
        problems=problems,
        signature=signature(""),
        parser_version=PARSER_VERSION,
        chosen=chosen,
    )
