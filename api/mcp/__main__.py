"""`python -m api.mcp`: the MCP server over stdin and stdout, or with `--http` on an address, until told to stop."""

import signal
import sys

from api.ending import end, ended


def main() -> int:
    """The exit code; an error raised on purpose is one line on stderr."""
    signal.signal(signal.SIGTERM, end)  # until the server listens for it itself, and once it has ended
    return ended(served)


def served() -> int:
    """Serve what was asked for."""
    if "--http" in sys.argv[1:]:
        from api.server import serve

        return serve(mcp_only=True)
    from api.mcp.stdio import serve_stdio

    return serve_stdio()


if __name__ == "__main__":
    sys.exit(main())
