"""How the programs of this room end: with one line and an exit code, as every command does."""

import os
import sys
from collections.abc import Callable
from types import FrameType

from dissolution.errors import DissolutionError, InputError
from dissolution.unknown_settings import TOLD, unknown_variables

BAD_INPUT, UNAVAILABLE, INTERRUPTED = 2, 4, 130
"""As docs/cli.md has them."""


def ended(serve: Callable[[], int]) -> int:
    """The exit code of what was served; what was refused, and a Ctrl-C, is one line on stderr."""
    for line in unknown_variables(os.environ) if os.environ.pop(TOLD, None) is None else ():
        sys.stderr.write(f"dissolve: {line}\n")
    try:
        return serve()
    except DissolutionError as error:
        sys.stderr.write(f"dissolve: {error}\n")
        return BAD_INPUT if isinstance(error, InputError) else UNAVAILABLE
    except KeyboardInterrupt:
        sys.stderr.write("dissolve: stopped\n")
        return INTERRUPTED


def end(_number: int, _frame: FrameType | None) -> None:
    """Handles SIGTERM: end in good order."""
    sys.exit(0)
