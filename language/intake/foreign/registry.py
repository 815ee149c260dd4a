"""The foreign forms that are read: what is listed here is recognised, read, listed in refusals and in the docs."""

from typing import NamedTuple

from language.intake.foreign import (
    chat_log,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    gemini,
    langchain,
    markdown,
    responses,
    slack_export,
    subtitles,
)
from language.intake.foreign.form import ForeignForm
from language.intake.foreign.material import Material

FOREIGN: tuple[ForeignForm, ...] = (
    claude_code.FORM,
    codex.FORM,
    chatgpt.FORM,
    claude_ai.FORM,
    langchain.FORM,
    responses.FORM,
    gemini.FORM,
    slack_export.FORM,
    markdown.FORM,
    subtitles.FORM,
    chat_log.FORM,
)
"""In the order in which they are asked; no two recognise the same file."""

BY_FORM = {one.form: one for one in FOREIGN}


class Recognised(NamedTuple):
    """A foreign form, and why a file is of it."""

    foreign: ForeignForm
    reason: str


def recognised(material: Material) -> Recognised | None:
    """The first foreign form that a file is of; None when it is of none."""
    for one in FOREIGN:
        reason = one.recognise(material)
        if reason is not None:
            return Recognised(one, reason)
    return None
