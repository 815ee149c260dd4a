"""The environment of programs that tests start."""

import os


def unmeasured() -> dict[str, str]:
    """This process's environment without what makes Python programs measure their coverage.

    For programs whose every line is measured elsewhere: measuring doubles the processor time of a program's start, and
    one that is killed writes nothing down anyway.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
