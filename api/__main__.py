"""`python -m api`: the HTTP service, until told to stop."""

import sys

from api.server import serve
from dissolution.errors import DissolutionError


def main() -> int:
    """The exit code; an error raised on purpose is one line on stderr and code 4."""
    try:
        return serve()
    except DissolutionError as error:
        sys.stderr.write(f"{error}\n")
        return 4


if __name__ == "__main__":
    sys.exit(main())
