"""The `dissolve` program: loads the command line, and ends well when a person thinks again while it does."""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

INTERRUPTED = 130


def main(load: Callable[[str], ModuleType] = import_module) -> None:
    """Run the command line; a Ctrl-C while it loads is one line and a code, as it is afterwards."""
    try:
        run: Callable[[], None] = load("cli.main").main
    except KeyboardInterrupt:
        sys.stderr.write("dissolve: interrupted\n")
        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
