"""`python -m api.mcp`: the MCP server over stdin and stdout, or with `--http` on an address, until told to stop."""

import signal
import sys
from types import FrameType

from dissolution.errors import DissolutionError


def main() -> int:
    """The exit code; an error raised on purpose is one line on stderr and code 4."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)  # until the server listens for them itself
    try:
        if "--http" in sys.argv[1:]:
            from api.server import serve

            return serve(mcp_only=True)
        from api.mcp.stdio import serve_stdio

        return serve_stdio()
    except DissolutionError as error:
        sys.stderr.write(f"{error}\n")
        return 4


def end(_number: int, _frame: FrameType | None) -> None:
    """End in good order."""
    sys.exit(0)


if __name__ == "__main__":
    sys.exit(main())
