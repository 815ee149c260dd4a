"""`dissolve pin`, `unpin`, `confirm`, `retract` and `dismiss`: what a person does to one claim or dissent."""

import sys
from dataclasses import dataclass

from cli.shared.exits import Exit
from cli.shared.naming import actor_of, the_claim
from cli.shared.output import printing
from dissolution.ledger import Act, LedgerEventKind
from dissolution.settings import load_settings
from workers.bootstrap import open_services
from workers.tenants.redaction import without_secrets

DONE = {
    LedgerEventKind.PINNED: "is pinned: it stands in every context until it is unpinned",
    LedgerEventKind.UNPINNED: "is no longer pinned",
    LedgerEventKind.CONFIRMED: "is confirmed",
    LedgerEventKind.RETRACTED: "is retracted: it holds no longer",
    LedgerEventKind.DISMISSED: "is dismissed: it will not be promoted",
}
NEVER_HELD = "is retracted: it never held"
NO_REASON = "no reason given"


@dataclass(frozen=True, kw_only=True)
class ActOptions:
    """What was given on the command line."""

    kind: LedgerEventKind
    claim: str
    why: str | None
    by: str | None
    never_held: bool = False
    db: str | None
    as_json: bool


def act_on_claim(options: ActOptions) -> Exit:
    """Do it, as a new version of the ledger. Raises NotFound, InputError (it changes nothing), VersionConflict."""
    actor = actor_of(options.by)
    with open_services(load_settings(db=options.db), create=False) as services, services.unit_of_work() as work:
        claim, conversation = the_claim(work, options.claim)
        act = Act(
            kind=options.kind,
            claim=claim,
            actor=actor,
            reason=without_secrets(work, options.why or NO_REASON, conversation),
            never_held=options.never_held,
        )
        event = work.ledger.act(conversation, act, work.boundaries.version(conversation), services.clock.now())
        work.commit()
    with printing(Exit.OK):
        if options.as_json:
            sys.stdout.write(event.model_dump_json(indent=1) + "\n")
        else:
            done = NEVER_HELD if options.never_held else DONE[options.kind]
            sys.stdout.write(f"{claim} {done} (version {event.version} of {conversation!r})\n")
    return Exit.OK
