"""Keys that a roster names and this process's environment lacks: said before anybody is asked."""

import os
from collections.abc import Mapping

from dissolution.errors import InvalidRoster
from workers.bootstrap import ROSTER, roster_of
from workers.members import recordings
from workers.members.drawn_fleets import drawn_fleet


def refuse_missing_keys(description: str, environ: Mapping[str, str] = os.environ) -> None:
    """Refuse a fleet of which a member could not be asked for want of its key.

    Of a cassette that holds answers this is not known, since it may hold all of them; its members are not looked at.

    Args:
        description: The fleet, as a job keeps it.
        environ: Where the members' keys are looked up when they are asked.

    Raises:
        InvalidRoster: Naming each such member and its variable; or the roster cannot be read.
    """
    drawn = drawn_fleet(description)
    base = description if drawn is None else drawn.base
    taped = recordings.taped_fleet(base)
    if taped is not None:
        from fleet.cassette import is_cassette

        if is_cassette(taped.folder):
            return
        base = taped.base
    if not base.startswith(ROSTER):
        return
    from fleet.roster import load_roster

    lacking = [
        f"member {one.name!r} ({one.api_key_env})"
        for one in load_roster(roster_of(base)).members
        if one.api_key_env and not environ.get(one.api_key_env) and (drawn is None or one.name in drawn.members)
    ]
    if lacking:
        it, them = ("variable", "it") if len(lacking) == 1 else ("variables", "them")
        raise InvalidRoster(
            f"{', '.join(lacking)}: no key in the environment {it} named", f"set {them}, or take the member out"
        )
