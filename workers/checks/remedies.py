"""Which command mends which part of an installation."""

from workers.runtime.up_state import UpState

REDIS_HINT = "or put DISSOLVE_REDIS_URL and its password right"

COMMANDS = {
    "database": "`dissolve migrate` makes it or upgrades its tables; a server is started first, at its URL",
    "redis": f"start it, {REDIS_HINT}; `dissolve up` brings one with workers and a relay on this machine",
    "relay": "start `dissolve relay`, or everything on this machine with `dissolve up`",
    "worker": "start `dissolve worker --queue io`, or everything on this machine with `dissolve up`",
    "flower": "start `dissolve flower`",
    "api": "start `dissolve api`",
    "metrics": "start `dissolve metrics`",
}


def mending(part: str, up: UpState | None = None) -> str:
    """What to type when a part does not work.

    Args:
        part: As `dissolve health` names it.
        up: The `dissolve up` that is to run it; None where none runs.
    """
    if part == "database" or (up is None and not part.startswith("worker-")):
        return COMMANDS[part]
    if up is None:
        return COMMANDS["worker"].replace("--queue io", f"--queue {part.removeprefix('worker-')}")
    if part == "redis":
        return f"see {up.log('redis')}; end `dissolve up` (process {up.pid}) with Ctrl-C and start it again"
    place = up.folder if part == "worker" else up.log(part)
    return f"`dissolve up` starts what ends again, and a start takes a while; what keeps it from that stands in {place}"
