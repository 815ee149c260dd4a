"""`dissolve mcp`: the tools for agents, over stdin and stdout or on an address."""

import os
from typing import NoReturn

from dissolution.errors import InputError
from dissolution.settings import ENVIRONMENT_PREFIX, load_settings
from dissolution.unknown_settings import TOLD
from dissolution_fleet.start import become


def become_mcp(*, http: bool, port: int | None, address: str | None, mode: str | None, db: str | None) -> NoReturn:
    """Become the MCP server: the room `api` is this one's neighbour, so it is started as a program of its own.

    Nothing is said on stdout, which is the protocol's.

    Raises:
        InputError: An address or a port without `--http`.
        InvalidSettings: What the settings refuse.
    """
    if not http and (port is not None or address is not None):
        given = f"--port {port}" if port is not None else f"--address {address}"
        raise InputError(f"{given} without --http", "give --http too, or leave it out to serve stdin and stdout")
    load_settings(db=db, mcp_port=port, api_address=address, api_mode=mode)  # refused here, with this program's words
    values = {"DB": db, "MCP_PORT": port, "API_ADDRESS": address, "API_MODE": mode}
    for name, value in values.items():
        if value is not None:
            os.environ[f"{ENVIRONMENT_PREFIX}{name}"] = str(value)
    os.environ[TOLD] = "yes"
    become("api.mcp", *(["--http"] if http else []))
