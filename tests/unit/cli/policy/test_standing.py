"""`dissolve policy show`: a policy and the calibration, each with its digest."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.policy.standing import show_standing
from cli.shared.exits import Exit
from dissolution.errors import InvalidPolicy
from dissolution.policy.calibration import CALIBRATION, thresholds
from dissolution.policy.job_policy import Policy


def test_the_defaults_are_shown_with_both_digests() -> None:
    shown = CliRunner().invoke(app, ["policy", "show"], env={"COLUMNS": "300"})
    assert shown.exit_code == 0
    lines = {line.split()[0]: line for line in shown.stdout.splitlines() if line.strip()}
    assert Policy().digest in lines["POLICY"]
    assert CALIBRATION.digest in lines["CALIBRATION,"]
    assert all(one.name in lines for one in thresholds(CALIBRATION))
    assert lines["probe.changed_subject"].split() == ["probe.changed_subject", "0.34"]
    assert "TF-IDF cosine (0..1) from which whole answers share a cluster. How it was found" in shown.stdout
    assert "quorum.min_members" in lines


def test_a_file_is_shown_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[quorum]\nmin_members = 3\n")
    assert show_standing(file=file, as_json=True) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert told["policy"]["quorum"]["min_members"] == 3
    assert told["policy_digest"] == Policy.model_validate(told["policy"]).digest != Policy().digest
    assert told["calibration_digest"] == CALIBRATION.digest
    by_name = {one["name"]: one for one in told["calibration"]}
    assert by_name["frame_agent.doubt"]["value"]["rejected"] == 0
    assert by_name["consensus.same_answer_cosine"]["measured"] == "the dissertation's threshold"


def test_a_calibration_in_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'calibration = "{"0" * 64}"\n')
    with pytest.raises(InvalidPolicy, match="'calibration'"):
        show_standing(file=file, as_json=False)
