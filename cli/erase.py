"""`dissolve erase`: the one deletion there is, of a whole conversation and all that came of it."""

import sys

from cli.exits import Exit
from cli.naming import actor_of, check_conversation
from cli.output import printing
from dissolution.errors import InputError
from dissolution.settings import load_settings
from workers.bootstrap import open_services


def erase_conversation(
    conversation: str, *, why: str, by: str | None, sure: bool, db: str | None, as_json: bool
) -> Exit:
    """Delete a conversation with its jobs, answers and ledger, and record that. Raises InputError unless `sure`."""
    actor = actor_of(by)
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        check_conversation(work, conversation)
        if not sure:
            turns, jobs = len(work.conversations.get(conversation).turns), len(work.jobs.find(conversation))
            what = f"erasing conversation {conversation!r} ({turns} turns, {jobs} jobs and its whole ledger)"
            raise InputError(what, "nothing brings it back; add --yes to do it")
        erasure = work.ledger.erase(conversation, services.clock.now(), actor=actor, reason=why)
        work.commit()
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(erasure.model_dump_json(indent=1) + "\n")
        else:
            gone = f"{erasure.turns} turns, {erasure.jobs} jobs, {erasure.claims} claims"
            sys.stdout.write(f"conversation {conversation!r} is erased ({gone}); that it was is recorded\n")
    return Exit.OK
