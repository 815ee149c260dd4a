"""What a shell is offered for names: conversations that are stored. Nothing here may fail, print or make a database."""

import re
from contextlib import suppress
from pathlib import Path

import typer

MOST = 200
"""Names offered at most, the newest first: nobody reads more."""

PLAIN = re.compile(r"[\w+,.][\w+,./-]*")
"""Names that are one and the same word in every shell. Others are not offered: names come from files of others, and
what a shell is given is partly evaluated (zsh), expanded or split (bash), or taken for an option."""


def conversations(ctx: typer.Context, incomplete: str) -> list[str]:
    """Stored conversations whose id begins so; none where the database cannot be read."""
    with suppress(Exception):  # completion is help in passing: a wrong setting is told by the command itself
        from dissolution.settings import load_settings
        from workers.bootstrap import open_store

        with open_store(load_settings(db=ctx.params.get("db")), create=False, reading=True)() as work:
            found = work.service.listing.newest(None, incomplete, MOST)
        return [one.id for one in found if one.id.startswith(incomplete) and PLAIN.fullmatch(one.id)]
    return []


def files_or_conversations(ctx: typer.Context, incomplete: str) -> list[str]:
    """Nothing where a file begins so or nothing is typed, and so the shell's own file names; else conversations."""
    if not incomplete or any(Path(incomplete).parent.glob(f"{glob_safe(Path(incomplete).name)}*")):
        return []
    return conversations(ctx, incomplete)


def glob_safe(name: str) -> str:
    """A name as a pattern that fits it alone."""
    return re.sub(r"([*?[])", r"[\1]", name)
