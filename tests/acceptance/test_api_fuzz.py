"""A bounded run of benchmarks/api_fuzz.py: made-up requests to every operation, and chains of them."""

import re
import subprocess
import sys
from pathlib import Path

from tests.environments import unmeasured
from tests.ports import free_port

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "api_fuzz.py"
OPERATIONS = 53


def test_made_up_requests_find_no_fault_and_nothing_undescribed() -> None:
    command = [sys.executable, str(SCRIPT), "--cases", "3", "--phases", "fuzzing,stateful", "--port", str(free_port())]

    done = subprocess.run(command, env=unmeasured(), capture_output=True, text=True, check=False, timeout=900)

    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert "errors in the service's log: none" in done.stdout
    tested = re.search(r"Tested: (\d+)", done.stdout)
    assert tested is not None
    assert int(tested[1]) >= OPERATIONS
    cases = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
    assert cases is not None
    assert int(cases[1]) == int(cases[2]) >= OPERATIONS
