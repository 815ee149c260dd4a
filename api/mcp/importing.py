"""The tool that stores what another program wrote down, read as files and bodies are."""

from api.intake import read_talk
from api.mcp.inputs import ImportInput
from api.mcp.outputs import ImportOutput
from api.routes.conversations import new_name
from api.schemas import Talk
from api.state import Caller
from dissolution.tenancy import name_of
from workers.tenants.redaction import standing_or_given
from workers.triggers.facts import watch_by_settings


def import_text(caller: Caller, given: ImportInput) -> ImportOutput:
    """Store the conversation, or what is new of one that has grown. Raises DissolutionError."""
    name = new_name(caller, given.conversation)
    reading = read_talk(caller, Talk(text=given.text, pick=given.pick), name, None, None)
    with caller.api.units() as work:
        conversation = standing_or_given(work, reading.conversation)
        added = work.conversations.extend(conversation)
        watch_by_settings(work, name, caller.api.services.settings, caller.api.services.clock.now())
        stored = work.service.listing.conversation(name)
        work.commit()
    return ImportOutput(
        conversation=name_of(name),
        title=stored.title,
        turns=stored.turns,
        new_turns=added,
        warnings=list(reading.warnings),
    )
