"""A job over real HTTP: six models of a provider on this machine, some of them in trouble, asked through the roster."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.environments import unmeasured
from tests.polling import LONGEST_S
from tests.terminal import DATA, FILE, RECORDED, ROOT, Terminal

KEY = "Zk3-acceptance-key-" + "91f0"
WINDOW = 6000
SPEC = f"""
seed = 7
[models.careful]
recording = "{RECORDED / "writer-a.dissolve.json"}"
[models.prose]
recording = "{RECORDED / "writer-c.dissolve.json"}"
steps = [{{ act = "rate_limit", times = 1, retry_after = "0.01" }}]
[models.terse]
recording = "{RECORDED / "writer-d.dissolve.json"}"
window_tokens = {WINDOW}
[models.poor]
steps = [{{ act = "billing", times = 99 }}]
[models.shy]
steps = [{{ act = "refusal", times = 99 }}]
[models.locked]
steps = [{{ act = "auth", times = 99 }}]
"""
MEMBER = """
[[member]]
name = "{name}"
model = "{dialect}/{name}"
family = "{name}"
api_base = "{base}"
api_key_env = "ACCEPTANCE_KEY{account}"
price = {{ input_usd = 1, output_usd = 4 }}
{more}
"""


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a provider that runs in a process of its own. No test may mind what another has asked it."""
    spec = tmp_path_factory.mktemp("provider") / "provider.toml"
    spec.write_text(SPEC, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "fleet.loopback", str(spec), "--port", "0"],
        cwd=ROOT,
        env=unmeasured(),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        yield address[0]
    finally:
        process.terminate()
        process.communicate(timeout=LONGEST_S)


@pytest.fixture
def roster(tmp_path: Path, provider: str) -> Path:
    """A roster over both dialects; `terse` reads at most WINDOW tokens."""
    members = [
        MEMBER.format(
            name=name,
            dialect=dialect,
            # Who is refused has an account of its own: an account that is refused is asked nothing more.
            account=f"_{name.upper()}" if name in {"poor", "locked"} else "",
            base=f"{provider}/v1" if dialect == "openai" else provider,
            more=f"window_tokens = {WINDOW}\nmax_output_tokens = 1500" if name == "terse" else "",
        )
        for name, dialect in (
            ("careful", "openai"),
            ("prose", "anthropic"),
            ("terse", "openai"),
            ("poor", "openai"),
            ("shy", "openai"),
            ("locked", "openai"),
        )
    ]
    path = tmp_path / "roster.toml"
    path.write_text('name = "acceptance"\n' + "".join(members), encoding="utf-8")
    return path


@pytest.fixture
def dissolve(tmp_path: Path) -> Terminal:
    keys = {"ACCEPTANCE_KEY": KEY, "ACCEPTANCE_KEY_POOR": KEY + "y", "ACCEPTANCE_KEY_LOCKED": KEY + "x"}
    return Terminal(tmp_path, keys)


def reports(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {report["card"]["name"]: report for report in document["receipt"]["members"]}


def test_a_roster_is_asked_over_http_and_the_receipt_tells_all(
    dissolve: Terminal, roster: Path, tmp_path: Path
) -> None:
    done = dissolve("run", FILE, "--fleet", roster, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    members = reports(document)
    assert {name: report["failure"] for name, report in members.items() if report["failure"]} == {
        "poor": "billing",
        "locked": "auth",
    }
    assert members["shy"]["answer_class"] == "refused"
    assert members["careful"]["windows"] == members["prose"]["windows"] == 1
    assert members["terse"]["windows"] > 1
    assert document["receipt"]["fleet"] == "language models"
    assert document["receipt"]["quorum"]["families"] == ["careful", "prose", "terse"]
    cost = document["receipt"]["cost"]
    assert float(cost["used_usd"]) > 0
    assert cost["used_input_tokens"] > 10_000
    assert [line["of"] for line in cost["by_stage"]] == ["fan_out", "frame_audit"]
    assert sum(line["input_tokens"] for line in cost["by_stage"]) == cost["used_input_tokens"]
    assert sum(Decimal(line["usd"]) for line in cost["by_stage"]) == Decimal(cost["used_usd"])
    reviewers = {one["member"]: one["failure"] for one in document["receipt"]["frame"]["reviewers"]}
    assert list(reviewers) == ["careful", "prose", "terse"], "the first of each family, in the order of the roster"
    assert all(reviewers.values()), "these replies are no reviews, and that is told"
    lines = {line["of"]: line for line in cost["by_member"]}
    assert sum(line["input_tokens"] for line in lines.values()) == cost["used_input_tokens"]
    assert sum(Decimal(line["usd"]) for line in lines.values()) == Decimal(cost["used_usd"])
    # the conversation does not fit its window beside a claim, so it is not asked to review
    assert (lines["terse"]["calls"], lines["terse"]["replies"]) == (members["terse"]["windows"],) * 2
    assert (lines["poor"]["calls"], lines["poor"]["replies"], lines["poor"]["usd"]) == (1, 0, "0")
    assert {report["counter"] for report in members.values()} == {"approximate-1"}
    shown = dissolve("show", "--receipt")
    assert re.search(r"^fan_out +[\d.]+ +\d+ +\d+ ", shown.stdout, re.MULTILINE)
    assert re.search(r"^terse +\d+ +\d+ +\d+ ", shown.stdout, re.MULTILINE)
    everything = (
        done.stdout
        + done.stderr
        + "".join(path.read_bytes().decode("utf-8", "replace") for path in tmp_path.glob("ledger*"))
    )
    assert KEY not in everything


def test_a_cap_below_the_estimate_asks_nobody(dissolve: Terminal, roster: Path, tmp_path: Path) -> None:
    policy = tmp_path / "poor.toml"
    policy.write_text('[budget]\nmax_usd = "0.0001"\n', encoding="utf-8")
    done = dissolve("run", FILE, "--fleet", roster, "--policy", policy, "--json")
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    assert "over the cap of 0.0001" in done.stderr
    assert "jobs: none yet" in dissolve("status").stdout


def test_check_says_who_answers_and_who_does_not(dissolve: Terminal, roster: Path) -> None:
    done = dissolve("fleet", "check", roster, "--json")
    assert done.returncode == 1
    checks = {check["card"]["name"]: check for check in json.loads(done.stdout)}
    assert {name for name, check in checks.items() if not check["answers"]} == {"poor", "locked"}
    assert checks["poor"]["failure"]["error_class"] == "billing"
    assert checks["locked"]["failure"]["error_class"] == "auth"
    assert checks["terse"]["window_tokens"] == WINDOW
    table = dissolve("fleet", "check", roster)
    assert "no: billing" in table.stdout
    assert KEY not in done.stdout + table.stdout + table.stderr


def test_price_estimates_without_asking(dissolve: Terminal, roster: Path, tmp_path: Path) -> None:
    done = dissolve("fleet", "price", FILE, "--fleet", roster, "--json")
    assert done.returncode == 0, done.stderr
    estimate = json.loads(done.stdout)
    assert float(estimate["whole"]["usd"]) > 0
    assert estimate["without_price"] == []
    assert estimate["refused"] is None
    calls = {line["of"]: line["calls"] for line in estimate["by_member"]}
    assert calls.pop("terse") > max(calls.values())  # it reads in windows
    policy = tmp_path / "poor.toml"
    policy.write_text('[budget]\nmax_usd = "0.0001"\n', encoding="utf-8")
    over = dissolve("fleet", "price", FILE, "--fleet", roster, "--policy", policy)
    assert over.returncode == 3
    assert "OVER" in over.stdout
    assert "a job would be refused: " in over.stdout


def test_price_says_when_a_job_would_be_refused_for_want_of_a_price(
    dissolve: Terminal, roster: Path, tmp_path: Path
) -> None:
    text = roster.read_text(encoding="utf-8").replace("price = { input_usd = 1, output_usd = 4 }", "")
    free = tmp_path / "free.toml"
    free.write_text(text.replace(f"window_tokens = {WINDOW}", "window_tokens = 1600"), encoding="utf-8")
    strict = tmp_path / "strict.toml"
    strict.write_text("[budget]\nallow_unknown_price = false\n", encoding="utf-8")
    done = dissolve("fleet", "price", FILE, "--fleet", free, "--policy", strict)
    assert done.returncode == 3
    assert "not allowed" in done.stdout
    assert "window too small for one turn: terse" in done.stdout  # 1500 tokens are its longest answer


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", FILE, "--fleet", "nobody.toml"), "nobody.toml"),
        (("fleet", "check", "nobody.toml"), "nobody.toml"),
        (("fleet", "price", FILE, "--fleet", DATA / "README.md"), "README.md"),
        (("fleet", "price", "nothing.json", "--fleet", ROOT / "fleet" / "examples" / "mixed.toml"), "nothing.json"),
    ],
)
def test_bad_rosters_are_one_clear_line(dissolve: Terminal, words: tuple[str | Path, ...], message: str) -> None:
    done = dissolve(*words)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert done.stdout == ""
