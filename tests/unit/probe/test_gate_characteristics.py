"""The simulation of the gate is the gate, and its characteristics are those that docs/probe.md states."""

import numpy as np
import pytest

from benchmarks.gate_characteristics import LOSSES, PLOTTED, Point, draw, gate, job, plot, point
from dissolution.policy.gate import BALANCED, PRESETS, GatePolicy
from dissolution.probing import GateState, PairedOutcome
from probe.gate import read_gate


def outcome(loss: int) -> PairedOutcome:
    return PairedOutcome(question="q", history_right=loss >= 0, candidate_right=loss <= 0)


def test_the_simulation_decides_as_the_gate_does() -> None:
    drawn = draw(0.1, 0.03, 60, BALANCED.questions, np.random.default_rng(3))
    readings = [read_gate([outcome(int(loss)) for loss in row], BALANCED) for row in drawn]
    found = gate(drawn, BALANCED)
    assert found.accepted == np.mean([one.state is GateState.ACCEPT for one in readings])
    assert found.rejected == np.mean([one.state is GateState.REJECT for one in readings])
    assert found.mean_questions == np.mean([one.used for one in readings])


@pytest.mark.parametrize("gains", [0.0, 0.05])
@pytest.mark.parametrize("preset", list(PRESETS.values()), ids=list(PRESETS))
def test_both_errors_stay_below_their_bounds(preset: GatePolicy, gains: float) -> None:
    rng = np.random.default_rng(9)
    slack = 0.015  # three standard errors of 4,000 draws at 5 %, rounded up
    bad = gate(draw(preset.reject_loss, gains, 4000, preset.questions, rng), preset)
    good = gate(draw(preset.accept_loss, gains, 4000, preset.questions, rng), preset)
    assert bad.accepted <= preset.false_accept + slack
    assert good.rejected <= preset.false_reject + slack


@pytest.mark.parametrize("preset", list(PRESETS.values()), ids=list(PRESETS))
def test_a_job_whose_repairs_change_nothing_accepts_a_bad_candidate_as_seldom_as_one_verdict_may(
    preset: GatePolicy,
) -> None:
    rng = np.random.default_rng(12)
    assert job(preset, preset.reject_loss, 4000, rng).accepted <= preset.false_accept + 0.015
    assert job(preset, preset.accept_loss, 4000, rng).rejected <= preset.false_reject + 0.015
    assert job(preset, 0.0, 200, rng).accepted == 1.0


def test_without_sharing_the_error_repairs_would_break_the_bound() -> None:
    spent = job(BALANCED, BALANCED.reject_loss, 4000, np.random.default_rng(13), shared=False)
    assert spent.accepted > 2 * BALANCED.false_accept


@pytest.mark.parametrize("loss", [0.0, 0.15, 0.2])
def test_clear_candidates_are_settled_within_sixty_questions(loss: float) -> None:
    found = gate(draw(loss, 0.0, 4000, BALANCED.questions, np.random.default_rng(4)), BALANCED)
    assert found.median_questions < 60


def test_a_row_that_settles_nothing_uses_the_whole_bank() -> None:
    never = np.full(4, 10, dtype=np.int64)
    assert point(never, never, 10) == (0.0, 0.0, 10.0, 10.0)


def test_the_plot_is_one_svg() -> None:
    found = {name: dict.fromkeys(LOSSES, Point(0.5, 0.5, 60, 60)) for name in PLOTTED}
    drawn = plot(found)
    assert drawn.startswith("<svg")
    assert drawn.count("<path") == 2 * (len(PLOTTED) + 1)
