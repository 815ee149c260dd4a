"""The import contracts hold, and each one breaks when it is violated: a contract that cannot break proves nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, TOOLS, configuration, roots

VIOLATIONS = {
    "rooms": ("language/planted.py", "import prompts"),
    "floors-of-workers": ("workers/pipeline.py", "import workers.stages.gate"),
    "floors-of-store": ("store/tables/jobs.py", "import store.sql.jobs"),
    "floors-of-consensus": ("consensus/embedding/vectors.py", "import consensus.build"),
    "floors-of-frame-agent": ("frame_agent/register/fold.py", "import frame_agent.review.audit"),
    "floors-of-the-kernel": ("dissolution/receipt/job_receipt.py", "import dissolution.ports.store"),
    "floors-of-the-command-line": ("cli/shared/views.py", "import cli.run.show"),
    "kernel": ("dissolution/planted.py", "import numpy"),
    "ports-only": ("probe/planted.py", "import store"),
    "steps-without-broker": ("workers/pipeline.py", "import redis"),
    "home-of-sql": ("prompts/planted.py", "import sqlalchemy"),
    "home-of-hdbscan": ("consensus/planted.py", "import hdbscan"),
    "home-of-the-embedding-model": ("fleet/planted.py", "import torch"),
    "home-of-language-detection": ("language/planted_too.py", "import lingua"),
    "home-of-charts": ("workers/planted_too.py", "import matplotlib"),
    "home-of-the-terminal": ("workers/planted.py", "import rich"),
    "home-of-the-broker": ("cli/planted_too.py", "import celery"),
    "home-of-flower": ("cli/planted_three.py", "import flower"),
    "home-of-litellm": ("triggers/planted.py", "import litellm"),
    "home-of-agents": ("api/planted.py", "import mcp"),
    "home-of-http": ("cli/planted_four.py", "import fastapi"),
    "home-of-logs": ("workers/planted_three.py", "import structlog"),
    "home-of-metrics": ("workers/planted_four.py", "import prometheus_client"),
    "home-of-traces": ("workers/planted_five.py", "from opentelemetry.sdk import trace"),
    "gateway": ("fleet/planted_too.py", "import fleet.litellm_gateway"),
    "adapters": ("cli/planted.py", "import store.sql.unit_of_work"),
}


def lint(folder: Path) -> tuple[int, str]:
    """Exit code and words of lint-imports in a folder."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"COLUMNS": "200", "PYTHONPATH": str(folder)},
    )
    return done.returncode, done.stdout + done.stderr


def copy_to(folder: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", folder)
    for root in (TOOLS, *roots()):
        shutil.copytree(ROOT / root, folder / root, ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.usefixtures("processes")
def test_contracts_hold(tmp_path: Path) -> None:
    copy_to(tmp_path)
    code, words = lint(tmp_path)
    assert code == 0, words


@pytest.mark.usefixtures("processes")
def test_every_contract_breaks_when_it_is_violated(tmp_path: Path) -> None:
    contracts = {one["id"]: one["name"] for one in configuration()["tool"]["importlinter"]["contracts"]}
    assert set(VIOLATIONS) == set(contracts)
    copy_to(tmp_path)
    for path, line in VIOLATIONS.values():
        file = tmp_path / path
        file.write_text((file.read_text(encoding="utf-8") if file.exists() else "") + f"\n{line}\n", encoding="utf-8")
    code, words = lint(tmp_path)
    assert code == 1, words
    verdicts = " ".join(words.split())
    assert [name for name in contracts.values() if f"{name} BROKEN" not in verdicts] == []
