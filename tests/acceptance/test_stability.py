"""A stability run done by real workers, through deaths of whoever asked for it and of a worker."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

from tests.acceptance.test_up import DISSOLVE, Home
from tests.polling import LONGEST_S, eventually


def test_workers_do_a_run_though_who_asked_and_a_worker_are_killed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (talk,) = home.talks(1)
    told = tmp_path / "asked.err"
    words = ["stability", "run", str(talk), "--at", "3,5", "--arms", "ledger,truncation", "--workers"]
    with told.open("w", encoding="utf-8") as out:
        asked = subprocess.Popen([*DISSOLVE, *words], env=home.environment, stderr=out, stdout=out, cwd=tmp_path)
        eventually(lambda: "0 of 4 cells" in told.read_text(encoding="utf-8"), what="the run to be stored")
        asked.kill()
        asked.wait(LONGEST_S)
    run = re.findall(r"run (run-[0-9a-f]+):", told.read_text(encoding="utf-8"))[0]
    with home.up():
        victim = home.leaders()[1]  # the io worker, wherever the run is
        os.killpg(victim, signal.SIGKILL)
        out = tmp_path / "report"
        done = home.dissolve("stability", "resume", run, "--out", out, "--json")
    assert done.returncode == 0, done.stderr + home.said()
    report = json.loads(done.stdout)
    assert (report["run"]["status"], report["run"]["plan"]["lane"]) == ("done", "stability")
    assert [("tokens" in cell["figures"], cell["name"]) for cell in report["cells"]] == [
        (True, "ledger-r1-c1"),
        (True, "ledger-r1-c2"),
        (True, "truncation-r1-c1"),
        (True, "truncation-r1-c2"),
    ]
    jobs = [cell["job"] for cell in report["cells"] if cell["job"] is not None]
    assert len(set(jobs)) == 2
    assert home.counts() == {"committed": 2}  # no cycle was begun twice
    assert (out / "stability.html").is_file()
    logs = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / ".dissolution" / "up").glob("*.log"))
    assert f"stability run {run}" in logs
