"""The policy and the calibration that a job made now would be run under."""

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from cli.run.policy_views import print_fields
from cli.shared.exits import Exit
from cli.shared.output import printing
from cli.shared.views import console, heading
from dissolution.policy.calibration import CALIBRATION, Calibration, thresholds
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy


def show_standing(*, file: Path | None, as_json: bool) -> Exit:
    """Print the policy of a file, or the default one, and the calibration, each with its digest.

    Raises InvalidPolicy that names the file and the field.
    """
    policy = load_policy(file) if file is not None else Policy()
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(json.dumps(_document(policy, CALIBRATION), indent=1) + "\n")
        else:
            out = console()
            heading(out, f"POLICY {policy.name}, digest {policy.digest}")
            print_fields(out, policy)
            _print_calibration(out, CALIBRATION)
    return Exit.OK


def _document(policy: Policy, calibration: Calibration) -> dict[str, object]:
    """Both as JSON values; the calibration a threshold at a time, by its dotted name."""
    return {
        "policy": policy.model_dump(mode="json", exclude={"calibration"}),
        "policy_digest": policy.digest,
        "calibration": [one._asdict() for one in thresholds(calibration)],
        "calibration_digest": calibration.digest,
    }


def _print_calibration(out: Console, calibration: Calibration) -> None:
    """Every threshold that no policy sets: its name, its value, what it means and how it was found."""
    heading(out, f"CALIBRATION, digest {calibration.digest}")
    for one in thresholds(calibration):
        out.print(Text.assemble((one.name, "bold"), f"  {json.dumps(one.value)}"), soft_wrap=True)
        out.print(Padding(Text(f"{one.meaning} How it was found: {one.measured}."), (0, 0, 0, 2)))
