"""Exit codes, and how errors become them. Imports no types of the domain: `--help` passes through here."""

from enum import IntEnum

from dissolution.errors import DissolutionError, InputError, JobError, LeaseLost, ModelAssetError, StepHeld, StoreError


class Exit(IntEnum):
    """What the exit code of `dissolve` says; docs/cli.md repeats the table."""

    OK = 0  # done; for `run` and `resume`: a boundary is committed
    FAULT = 1  # a fault of this software or a step that failed for good
    BAD_INPUT = 2  # the command line, a file, a policy, a setting or an id is wrong; nothing was stored
    HISTORY_KEPT = 3  # the job ended without a boundary for a stated reason; the history stays in force
    UNAVAILABLE = 4  # the database, Redis, the disk or the model weights cannot be used
    BUSY = 5  # another process holds the job
    UNWRITTEN = 6  # the result is stored but could not be written to stdout or to --out
    HELD = 7  # the ledger moved on: the job was reconciled with it and waits for another look
    INTERRUPTED = 130  # stopped by Ctrl-C; `dissolve resume` goes on with a job


WORSE_LATER = (
    Exit.OK,
    Exit.HELD,
    Exit.HISTORY_KEPT,
    Exit.UNWRITTEN,
    Exit.BUSY,
    Exit.BAD_INPUT,
    Exit.UNAVAILABLE,
    Exit.FAULT,
    Exit.INTERRUPTED,
)
"""All codes, the mildest first: what ended as it should, what waits, what somebody must mend."""


def worst(*codes: Exit) -> Exit:
    """The one code that stands for several."""
    return max(codes, key=WORSE_LATER.index, default=Exit.OK)


def exit_for(error: DissolutionError) -> Exit:
    """The exit code of an error raised on purpose."""
    match error:
        case InputError():
            return Exit.BAD_INPUT
        case StoreError() | ModelAssetError():
            return Exit.UNAVAILABLE
        case StepHeld() | LeaseLost():
            return Exit.BUSY
        case JobError():
            return Exit.HISTORY_KEPT
        case _:
            return Exit.FAULT
