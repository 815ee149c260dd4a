"""What cannot run without processes that fork: workers, and what starts them."""

import os

from dissolution.errors import InputError


def refuse_without_fork(command: str) -> None:
    """Raise InputError on a system whose processes cannot fork, which Windows is."""
    if not hasattr(os, "fork"):
        remedy = (
            "use WSL or containers (docs/containers.md); `dissolve run`, `dissolve api` and `dissolve mcp` work here"
        )
        raise InputError(f"`{command}` needs a system whose processes fork", remedy)
