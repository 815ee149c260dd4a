"""`python -m api`: the HTTP service, until told to stop."""

import signal
import sys

from api.ending import end, ended


def main() -> int:
    """The exit code; an error raised on purpose is one line on stderr."""
    signal.signal(signal.SIGTERM, end)  # until the server listens for it itself, and once it has ended

    def serve_http() -> int:
        from api.server import serve

        return serve()

    return ended(serve_http)


if __name__ == "__main__":
    sys.exit(main())
