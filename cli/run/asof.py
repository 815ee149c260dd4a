"""`dissolve show` with a point in time: the ledger read as of both axes."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from cli.shared.exits import Exit
from cli.shared.naming import check_conversation, check_version, instant_of, version_of
from cli.shared.output import printing
from cli.shared.views import console, heading, print_claim
from dissolution.claims import Claim, Section
from dissolution.conversation import Conversation
from dissolution.errors import InputError, UnknownTurn
from dissolution.intervals import Moment
from dissolution.ledger import LedgerEvent
from dissolution.settings import load_settings
from prompts.export.document import claim_document
from workers.bootstrap import open_services


@dataclass(frozen=True, kw_only=True)
class When:
    """A point on both axes, as given on the command line."""

    turn: int | None = None  # what held then
    known_at: str | None = None  # what was held then: a version, or an instant
    known_at_turn: int | None = None  # the same, by the turns a boundary covered

    @property
    def given(self) -> bool:
        """Whether any of it was."""
        return not (self.turn is None and self.known_at is None and self.known_at_turn is None)


NOW = When()


def moment_of(when: When, events: tuple[LedgerEvent, ...], conversation: Conversation) -> Moment:
    """The point in time. Raises InputError, UnknownTurn, NaiveInstant."""
    turns = len(conversation.turns)
    for turn in (when.turn, when.known_at_turn):
        if turn is not None and not 1 <= turn <= turns:
            raise UnknownTurn(turn, turns)
    if when.known_at is not None and when.known_at_turn is not None:
        raise InputError(f"--known-at {when.known_at} with --known-at-turn {when.known_at_turn}", "give only one")
    if when.known_at_turn is not None:
        return Moment(turn=when.turn, version=version_through(events, when.known_at_turn, conversation.id))
    if when.known_at is None:
        return Moment(turn=when.turn)
    version = version_of(when.known_at)
    if version is None:
        return Moment(turn=when.turn, recorded=instant_of("--known-at", when.known_at))
    check_version(events, conversation.id, version)
    return Moment(turn=when.turn, version=version)


def version_through(events: tuple[LedgerEvent, ...], turn: int, conversation: str) -> int:
    """The last version before any boundary covered a turn after `turn`. Raises InputError when there was none yet."""
    known = 0
    for event in events:
        if event.through > turn:
            break
        known = event.version
    if known == 0:
        first = f"the first boundary covers turns 1 to {events[0].through}" if events else "it has no boundary yet"
        raise InputError(f"nothing was held of conversation {conversation!r} at turn {turn}", first)
    return known


def moment_in_words(moment: Moment, events: tuple[LedgerEvent, ...]) -> str:
    """The point in time for a person."""
    held = "holds now" if moment.turn is None else f"held at turn {moment.turn}"
    if moment.version is not None:
        through = next(event.through for event in events if event.version == moment.version)
        return f"what {held}, as known in version {moment.version} (through turn {through})"
    known = "now" if moment.recorded is None else f"at {moment.recorded.isoformat()}"
    return f"what {held}, as known {known}"


def show_as_of(name: str | None, when: When, *, db: str | None, as_json: bool) -> Exit:
    """Print the claims of a conversation as of a point in time."""
    if name is None:
        raise InputError("a point in time without a conversation", "name the conversation")
    with open_services(load_settings(db=db), create=False, reading=True) as services, services.unit_of_work() as work:
        check_conversation(work, name)
        conversation, events = work.conversations.get(name), work.ledger.events(name)
        moment = moment_of(when, events, conversation)
        claims = work.ledger.as_of(name, moment)
    with printing(Exit.OK):
        if as_json:
            told = {"conversation": name, "as_of": moment.model_dump(mode="json")}
            print_claims_json(told, claims, conversation)
        else:
            out = console()
            heading(out, f"{conversation.title or name} — {moment_in_words(moment, events)}")
            print_sections(out, claims, conversation)
    return Exit.OK


def print_claims_json(told: Mapping[str, object], claims: Sequence[Claim], conversation: Conversation) -> None:
    """One document with the claims in their order."""
    document = {**told, "claims": [claim_document(claim, conversation) for claim in claims]}
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def print_sections(out: Console, claims: Sequence[Claim], conversation: Conversation) -> None:
    """The claims under their sections."""
    for section in Section:
        own = [claim for claim in claims if claim.section is section]
        heading(out, f"{section.value} ({len(own)})")
        for claim in own:
            print_claim(out, claim, conversation)
    if not claims:
        out.print(Text("nothing was held"))
