"""The command line as a person meets it: a real database file, exit codes and both output streams.

Most commands are called in this process; signals, pipes and encodings belong to a process, and are tested with one.
"""

import json
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from cli.run.first_screen import MOST_LINES
from tests.polling import LONGEST_S
from tests.terminal import DATA, DISSOLVE, FILE, NAME, RECORDED, ROOT, Recorded, Terminal, turns


@pytest.fixture
def beginning(tmp_path: Path) -> Path:
    """The first turns of the planted conversation, for tests to which it is all one what the conversation says."""
    path = tmp_path / "beginning.json"
    path.write_text(json.dumps(turns(8)), encoding="utf-8")
    return path


def test_run_commits_and_show_and_explain_read_it_back(dissolve: Terminal, recorded: Recorded) -> None:
    assert recorded.done.returncode == 0, recorded.done.stderr
    ran = recorded.copied_to(dissolve)
    assert ran["committed"] is True
    assert ran["verdict"] in {"commit", "commit_degraded"}  # what the probe says of it is its own matter
    assert ran["conversation"] == NAME
    assert set(ran["sections"]) == {"KNOWN", "DECIDED", "EDGES", "IDENTITY"}
    assert len(ran["receipt"]["members"]) == 6
    out = {path.name for path in (recorded.folder / "out").iterdir()}
    assert out == {"boundary.json", "boundary.md", "messages.json", "receipt.json"}

    assert dissolve.json("show") == ran
    assert dissolve.json("show", ran["job"][:8]) == ran
    assert dissolve.json("show", NAME) == ran

    content = {turn["turn"]: turn["content"] for turn in turns(100)["turns"]}
    for section in ("KNOWN", "DECIDED", "IDENTITY"):
        for claim in ran["sections"][section]:
            for piece in claim["evidence"]:
                assert content[piece["turn"]][piece["start"] : piece["end"]] == piece["text"]

    claim = ran["sections"]["DECIDED"][0]
    explained = dissolve("explain", claim["id"])
    assert explained.returncode == 0
    assert " ".join(claim["text"].split()) in " ".join(explained.stdout.split())
    for family in claim["support"]["families"]:
        assert family in explained.stdout
    dissent = dissolve("show", "--dissent").stdout
    assert f"DISSENT ({len(ran['dissent'])})" in dissent
    assert ran["dissent"][-1]["id"] in dissent


def test_run_ends_on_one_screen_and_everything_else_is_one_option_away(dissolve: Terminal, recorded: Recorded) -> None:
    done = recorded.done
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= MOST_LINES
    assert lines[0].startswith("Unproven: the boundary stands, but no language model tested it")
    for label in ("questions ", "tokens ", "binds ", "open ", "asked ", "cost ", "next "):
        assert sum(line.startswith(label) for line in lines) == 1, label
    for words in ("fan_out", "consensus", "commit"):
        assert words in done.stderr
    assert "writer-a" not in done.stderr
    recorded.copied_to(dissolve)
    told = dissolve("resume", NAME, "--verbose").stdout
    for words in ("KNOWN (", "DECIDED (", "EDGES (", "IDENTITY (", "DISSENT (", "RECEIPT", "Who was asked", "turn "):
        assert words in told
    assert told.splitlines()[-len(lines) :] == lines
    policy = dissolve("show", "--policy").stdout
    assert "quorum.min_families" in policy
    assert "quorum.min_families" not in dissolve("show", "--receipt").stdout


def test_the_default_fleet_needs_no_model(dissolve: Terminal, beginning: Path) -> None:
    ran = dissolve.json("run", beginning)
    assert "no language model" in ran["receipt"]["fleet"]
    assert ran["committed"] is True
    assert len(ran["receipt"]["quorum"]["families"]) == 4
    assert ran["unread"] == ran["reasons"][0] == "nobody has read this"
    assert not any(ran["sections"].values())
    assert all(excerpt["text"] and excerpt["speaker"] for excerpt in ran["excerpts"])


def test_the_same_file_gives_the_same_excerpts_in_every_process(tmp_path: Path, beginning: Path) -> None:
    told: list[object] = []
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        done = Terminal(tmp_path / seed, {"PYTHONHASHSEED": seed}).process("run", beginning, "--json")
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout)["excerpts"])
    assert told[0] == told[1] != []


def test_stdin_and_a_forced_form(dissolve: Terminal) -> None:
    text = "Ana: We deploy on Tuesday at 09:00.\nBo: Agreed. Jenkins is ruled out.\n"
    done = dissolve("run", "-", "--format", "transcript", "--conversation", "standup", stdin=text)
    assert "standup" in done.stdout + done.stderr
    assert done.returncode in {0, 3}


def test_a_grown_file_extends_and_a_changed_past_is_refused(dissolve: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(turns(8)), encoding="utf-8")
    first = dissolve.json("run", path, "--fleet", "extractive")
    path.write_text(json.dumps(turns(12)), encoding="utf-8")
    second = dissolve.json("run", path)
    assert (first["version"], first["through"], second["version"], second["through"]) == (1, 8, 2, 12)

    changed = turns(12)
    changed["turns"][6]["content"] += " And one more thing."
    path.write_text(json.dumps(changed), encoding="utf-8")
    refused = dissolve("run", path)
    assert refused.returncode == 2
    assert "its turn 7 differs" in refused.stderr
    assert dissolve.json("show") == second


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("run", "no-such-file.json"), 2, "no-such-file.json"),
        (("run", FILE, "--fleet", "gpt"), 2, "fleet 'gpt'"),
        (("run", FILE, "--fleet", "other", "--recorded", RECORDED), 2, "give only one"),
        (("run", FILE, "--recorded", DATA / "planted"), 2, "planted"),
        (("run", FILE, "--recorded", DATA / "recordings" / "st-aws-pipeline"), 2, "st-aws-pipeline"),
        (("run", FILE, "--through", "999"), 2, "turn 999 does not exist: choose a turn from 1 to 59"),
        (("run", FILE, "--policy", "no-policy.toml"), 2, "no-policy.toml"),
        (("run", FILE, "--policy", "pyproject.toml"), 2, "build-system"),
        (("run", FILE, "--format", "openai"), 2, "has no list of messages"),
        (("run", FILE, "--db", "mysql://localhost/x"), 4, "mysql"),
        (("run", FILE, "--db", f"sqlite:///{FILE}"), 4, FILE.name),
        (("run", FILE, "--budget-tokens", "900"), 2, "--budget-tokens 900 without --out"),
        (("show",), 4, "does not exist"),
        (("explain", "cdeadbeef"), 4, "does not exist"),
        (("resume",), 4, "does not exist"),
    ],
)
def test_bad_input_is_one_clear_line_and_an_exit_code(
    dissolve: Terminal, words: tuple[str | Path, ...], code: int, message: str
) -> None:
    done = dissolve(*words)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.count("dissolve: ") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "jdeadbeef"), "jdeadbeef"),
        (("show",), "no job yet"),
        (("show", "--budget-tokens", "900"), "without --as messages"),
        (("show", "--json", "--as", "markdown"), "give only one"),
        (("explain", "cdeadbeef"), "cdeadbeef"),
        (("resume", "jdeadbeef"), "jdeadbeef"),
    ],
)
def test_an_empty_database_is_told_from_a_missing_one(
    dissolve: Terminal, words: tuple[str | Path, ...], message: str
) -> None:
    assert dissolve("show").returncode == 4
    assert list(dissolve.folder.iterdir()) == [], "reading creates nothing"
    assert dissolve("run", FILE, "--through", "999").returncode == 2  # creates the database and stores nothing
    done = dissolve(*words)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert done.stderr.count("dissolve: ") == 1


def test_messages_that_do_not_fit_are_left_out_and_the_way_to_them_is_named(
    dissolve: Terminal, recorded: Recorded, tmp_path: Path
) -> None:
    ran, out = recorded.copied_to(dissolve), tmp_path / "out"
    out.mkdir()
    (out / "messages.json").write_text("of another job", encoding="utf-8")
    done = dissolve("resume", ran["job"], "--budget-tokens", "200", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads((out / "boundary.json").read_text(encoding="utf-8")) == json.loads(done.stdout) == ran
    assert {path.name for path in out.iterdir()} == {"boundary.json", "boundary.md", "receipt.json"}
    told = [line for line in done.stderr.splitlines() if "messages.json is not written" in line]
    assert len(told) == 1
    refused = dissolve("show", "--as", "messages", "--budget-tokens", "200")
    assert (refused.returncode, "give --budget-tokens" in refused.stderr) == (2, True)
    words = shlex.split(told[0].split("`")[1])
    assert words[0] == "dissolve"
    rendered = dissolve(*words[1:])
    assert rendered.returncode == 0, rendered.stderr
    needed = int(words[-1])
    assert json.loads(rendered.stdout)["budget_tokens"] == needed
    wide = dissolve("resume", ran["job"], "--out", out, "--budget-tokens", "9000")
    assert wide.returncode == 0
    assert json.loads((out / "messages.json").read_text(encoding="utf-8"))["budget_tokens"] == 9000
    assert dissolve.json("show")["receipt"]["policy"] == ran["receipt"]["policy"], "the policy stays"


def test_what_cannot_be_written_out_is_printed_all_the_same(
    dissolve: Terminal, beginning: Path, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    done = dissolve("run", beginning, "--json", "--out", blocked / "out")
    assert done.returncode == 6
    assert json.loads(done.stdout)["committed"] is True
    told = [line for line in done.stderr.splitlines() if line.startswith("dissolve: ")]
    assert len(told) == 1
    assert "ended as printed" in told[0]
    assert "Traceback" not in done.stderr


def test_hints_name_the_database_of_the_command_line(
    dissolve: Terminal, recorded: Recorded, beginning: Path, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'my ledger.sqlite3'}"
    done = dissolve("run", beginning, "--db", url)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Nobody has read this: no language model was asked.")
    assert len(lines) <= MOST_LINES
    hints = lines[-1].removeprefix("next").strip().split(" · ")
    for line in hints:
        words = shlex.split(line)
        assert words[-2:] == ["--db", url]
        assert dissolve(*words[1:]).returncode == 0
    assert "\nnext  " in recorded.done.stdout
    assert "--db" not in recorded.done.stdout


def test_an_ambiguous_beginning_of_an_id_lists_what_it_may_mean(dissolve: Terminal, recorded: Recorded) -> None:
    ran = recorded.copied_to(dissolve)
    done = dissolve("explain", "c")
    assert done.returncode == 2
    listed = done.stderr.strip().split("give more of it: ")[1].split(", ")
    assert (len(listed), listed[-1]) == (11, "…")
    stored = {claim["id"] for claims in ran["sections"].values() for claim in claims}
    stored |= {item["id"] for item in ran["dissent"]}
    assert set(listed[:-1]) <= stored


def test_a_conversation_is_shown_as_it_stands(dissolve: Terminal, recorded: Recorded, tmp_path: Path) -> None:
    standing = recorded.copied_to(dissolve)
    policy = tmp_path / "strict.toml"
    policy.write_text("[quorum]\nmin_members = 9\nmin_families = 9\n", encoding="utf-8")
    kept = dissolve("run", FILE, "--recorded", RECORDED, "--policy", policy)
    assert kept.returncode == 3
    assert "dissolve explain" not in kept.stdout
    assert kept.stdout.startswith("History kept, go on using the conversation itself: too few members answered")
    assert len(kept.stdout.splitlines()) <= MOST_LINES
    shown = dissolve("show", NAME, "--json")
    assert json.loads(shown.stdout) == standing
    assert "is newer and has no boundary (history_kept)" in shown.stderr
    assert len(shown.stderr.splitlines()) == 1
    assert json.loads(dissolve("show", "--json").stdout)["verdict"] == "keep_history"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the machine has no device that is always full")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_full_disk_under_stdout_is_one_line(dissolve: Terminal, recorded: Recorded, more: list[str]) -> None:
    recorded.copied_to(dissolve)
    with Path("/dev/full").open("wb") as full:
        process = dissolve.start("show", *more, stdout=full)
        _, said = process.communicate(timeout=LONGEST_S)
    assert (process.returncode, said.count("\n")) == (6, 1), said
    assert said.startswith("dissolve: the output cannot be written: ")


@pytest.mark.parametrize(("quorum", "code"), [(2, 0), (9, 3)])
def test_a_reader_that_has_gone_changes_no_exit_code(
    dissolve: Terminal, beginning: Path, tmp_path: Path, quorum: int, code: int
) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(f"[quorum]\nmin_members = {quorum}\nmin_families = 2\n", encoding="utf-8")
    process = dissolve.start("run", beginning, "--policy", policy, "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=LONGEST_S) == code, said
    assert "Traceback" not in said
    assert "Exception ignored" not in said


def test_output_is_utf_8_whatever_the_locale(dissolve: Terminal, beginning: Path) -> None:
    env = {**dissolve.env, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([*DISSOLVE, "run", str(beginning)], cwd=ROOT, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search("\nquestions +[0-9]+ of [0-9]+ answered right", done.stdout.decode("utf-8"))
    assert (
        "“" in subprocess.run([*DISSOLVE, "show"], cwd=ROOT, env=env, capture_output=True, check=False).stdout.decode()
    )
    missing = os.fsencode(str(dissolve.folder)) + b"/\xff.json"
    refused = subprocess.run(
        [*map(os.fsencode, DISSOLVE), b"run", missing], cwd=ROOT, env=env, capture_output=True, check=False
    )
    assert refused.returncode == 2
    assert b"Traceback" not in refused.stderr


def test_a_job_without_quorum_keeps_the_history_and_still_prints_one_document(
    dissolve: Terminal, tmp_path: Path
) -> None:
    policy = tmp_path / "strict.toml"
    policy.write_text("[quorum]\nmin_members = 9\nmin_families = 9\n", encoding="utf-8")
    done = dissolve("run", FILE, "--recorded", RECORDED, "--policy", policy, "--json")
    assert done.returncode == 3
    document = json.loads(done.stdout)
    assert (document["committed"], document["verdict"], document["status"]) == (False, "keep_history", "history_kept")
    assert "quorum not met" in document["reasons"][0]
    assert set(document["sections"]) == {"KNOWN", "DECIDED", "EDGES", "IDENTITY"}
    assert len(document["receipt"]["members"]) == 6
    refused = dissolve("show", "--as", "messages")
    assert refused.returncode == 2
    assert "history stays in force" in refused.stderr


def test_ctrl_c_leaves_a_job_that_resume_finishes(dissolve: Terminal) -> None:
    process = dissolve.start("run", FILE, "--recorded", RECORDED)
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if line.strip().startswith("fan_out"):
            process.send_signal(signal.SIGINT)
            break
    out, rest = process.communicate(timeout=LONGEST_S)
    said += rest
    assert process.returncode == 130, said
    assert out == ""
    assert "dissolve resume j" in said
    assert "  commit  " not in said, "it was interrupted in the middle"
    shown = dissolve.json("show")
    assert shown["verdict"] == shown["reasons"] == {"not_measured": "the job has not ended"}
    assert (shown["status"], shown["committed"], shown["receipt"]) == ("running", False, None)
    for words in (("show",), ("show", "--receipt")):
        printed = dissolve(*words).stdout
        assert printed.startswith("Not decided: the job is running")
        assert "Unproven" not in printed
    assert f"dissolve resume {shown['job']}" in dissolve("show").stdout
    assert "Not decided" in dissolve("show", "--as", "markdown").stdout
    assert "Traceback" not in said
    resumed = dissolve.json("resume")
    assert resumed["committed"] is True
    assert dissolve("resume").returncode == 0


def test_help_names_every_command(dissolve: Terminal) -> None:
    done = dissolve.process("--help")
    assert done.returncode == 0
    for command in ("run", "resume", "show", "explain"):
        assert command in done.stdout
    assert dissolve("run").returncode == 2
