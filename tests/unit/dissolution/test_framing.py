import pytest
from pydantic import ValidationError

from dissolution.framing import Action, Challenge, FindingKind, FramePolicy, FrameReport, LockIn
from dissolution.premises import PremiseStatus
from dissolution.values import NotMeasured

POLICY = FramePolicy(
    promotion=Action.ANNOTATE,
    injection=Action.BLOCK,
    vanishing=Action.REPAIR,
    demotion=Action.ANNOTATE,
    attribution=Action.BLOCK,
    fabrication=Action.REPAIR,
)


@pytest.mark.parametrize(
    ("kind", "before", "action"),
    [
        (FindingKind.PROMOTION, PremiseStatus.HEDGED, Action.ANNOTATE),
        (FindingKind.PROMOTION, PremiseStatus.INJECTED, Action.BLOCK),
        (FindingKind.VANISHING, None, Action.REPAIR),
        (FindingKind.DEMOTION, None, Action.ANNOTATE),
        (FindingKind.ATTRIBUTION, None, Action.BLOCK),
        (FindingKind.FABRICATION, None, Action.REPAIR),
    ],
)
def test_policy_says_what_is_done_about_each_kind(
    kind: FindingKind, before: PremiseStatus | None, action: Action
) -> None:
    assert POLICY.action(kind, before) is action


def test_a_report_without_a_challenger_says_so() -> None:
    none = NotMeasured(not_measured="nothing rests on anything")
    report = FrameReport(register_digest="0" * 64, register_size=0, lock_in=none)
    assert isinstance(report.challenges, NotMeasured)
    assert FrameReport.model_validate_json(report.model_dump_json()) == report
    with pytest.raises(ValidationError):
        FrameReport(register_digest="short", register_size=0, lock_in=none)


def test_leverage_is_never_below_nothing() -> None:
    with pytest.raises(ValidationError):
        Challenge(
            premise="p", proposition="x", turn=1, alternative="y", leads_to="z", test="t", leverage=-1, member="m"
        )
    assert LockIn(turn=1, value=0.0, share=0.0, depth=0.0, age=0.0).turn == 1


@pytest.mark.parametrize(("names", "told"), [(("ann", "ann"), "named twice"), (("rules",), "findings of the rules")])
def test_an_auditor_is_named_once_and_not_like_the_rules(names: tuple[str, ...], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        FramePolicy(auditor=names)
