"""What a member that writes questions proposes, and what a judge says: words of others, not yet checked."""

from typing import Annotated

from pydantic import ConfigDict, Field

from dissolution.claims import Section
from dissolution.probing import QuestionKind
from dissolution.values import Frozen

REASON_CHARS = 300
"""A judge gives its reason in a few words; what is longer is cut."""

Words = Annotated[str, Field(min_length=1, max_length=500)]


class ProposedQuestion(Frozen):
    """One question as its writer gives it: of these very types, with no other field."""

    model_config = ConfigDict(strict=True)

    question: Words
    kind: Annotated[QuestionKind, Field(strict=False)]  # its values are words in JSON
    section: Annotated[Section, Field(strict=False)]
    answer: Words
    variants: Annotated[tuple[Words, ...], Field(strict=False, max_length=10)] = ()
    wrong: Annotated[tuple[Words, ...], Field(strict=False, max_length=10)] = ()
    turns: Annotated[tuple[Annotated[int, Field(ge=1, strict=True)], ...], Field(strict=False, max_length=12)] = ()


class JudgedItem(Frozen):
    """One answer as a judge is shown it: without the arm it comes from."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    question: str
    reference: str
    variants: tuple[str, ...] = ()
    answer: str


class JudgedWord(Frozen):
    """What a judge says of one answer."""

    right: bool
    why: Annotated[str, Field(max_length=REASON_CHARS)] = ""
