import pytest

from consensus.guards_values import changed, none_of, owned_twice, taken_back, told_of_before, unlimited
from consensus.profile import Profile
from consensus.veto import GuardRule

FIRES: list[tuple[GuardRule, str, str]] = [
    (changed, "Roach falls from 94 to 54 kg per ha.", "Roach falls by 52 per cent."),
    (changed, "Rent goes up from 800 to 1,000 EUR.", "Rent goes up by about 40 percent."),
    (taken_back, "The roach figure of 54 was a typo.", "Roach falls to 54."),
    (taken_back, "9,000 USD is the wrong number for the budget.", "The budget is 9,000 USD."),
    (unlimited, "Replies have no length limit any more.", "Replies stay under 200 words."),
    (unlimited, "The cap on uploads is lifted.", "Uploads are capped at 20 MB."),
    (none_of, "The gateway has 0 evictions.", "The gateway evicts keys."),
    (none_of, "The audit found zero errors.", "The audit found errors in March."),
    (owned_twice, "rds-sess-01 evicted 18,204 keys.", "18,204 evicted keys are those of rds-cache-01."),
]
SILENT: list[tuple[GuardRule, str, str]] = [
    (changed, "Roach falls from 94 to 45 kg per ha.", "Roach falls by 52 per cent."),
    (changed, "Roach falls from 94 to 54, then from 54 to 50.", "Roach falls by 52 per cent."),
    (changed, "Roach falls from 0 to 54.", "Roach falls by 52 per cent."),
    (changed, "Roach falls from 94 to 54.", "52 per cent of roach are large."),
    (changed, "Roach falls from 94 in May. 54 came later.", "Roach falls by 52 per cent."),
    (taken_back, "The figure of 54 was a typo.", "The figure of 54 was an error."),
    (taken_back, "The plan was a mistake of 2019.", "The plan of 2019 stands."),
    (taken_back, "r419 is withdrawn.", "r419 is built."),
    (taken_back, "54 is wrong.", "54 apples are red."),
    (unlimited, "Replies have no length limit any more.", "Replies have 200 words."),
    (unlimited, "No limit was set for replies.", "Uploads stay under 20 MB."),
    (unlimited, "The limit of 300 words is lifted.", "Replies stay under 200 words."),
    (none_of, "The gateway has 0 evictions.", "The gateway has zero evictions."),
    (none_of, "The gateway has 0 evictions.", "The gateway does not evict keys."),
    (none_of, "The gateway has 0 evictions.", "Perhaps the gateway evicts keys."),
    (none_of, "The gateway has 0 evictions.", "The cache of another host evicts keys."),
    (owned_twice, "rds-sess-01 evicted 12 keys.", "12 evicted keys are those of rds-cache-01."),
    (owned_twice, "rds-sess-01 evicted 18,204 keys.", "18,204 evicted keys are those of web-node-01."),
    (owned_twice, "rds-sess-01 evicted 18,204 keys.", "18,204 visitors came to rds-cache-01."),
]


@pytest.mark.parametrize(("guard", "one", "two"), FIRES)
def test_values_that_cannot_both_hold(guard: GuardRule, one: str, two: str) -> None:
    for a, b in ((one, two), (two, one)):
        (veto,) = guard(Profile(a), Profile(b))
        assert veto.opposed
        assert veto.detail


@pytest.mark.parametrize(("guard", "one", "two"), SILENT)
def test_values_that_may(guard: GuardRule, one: str, two: str) -> None:
    assert guard(Profile(one), Profile(two)) == []
    assert guard(Profile(two), Profile(one)) == []


def test_the_share_of_a_change_is_computed_in_the_detail() -> None:
    (veto,) = changed(Profile("Output falls from 200 to 150 units."), Profile("Output falls by 40 percent."))
    assert veto.detail == "from 200 to 150 is 25.0 per cent, not 40"  # (200 - 150) / 200
    assert veto.certain


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The cache was at 512 MB before.", True),
        ("In 2019 the club had 40 members.", True),
        ("The cache is at 512 MB.", False),
        ("Tests were run before the build.", False),
    ],
)
def test_what_was_before_is_told_from_what_is(text: str, told: bool) -> None:  # noqa: FBT001 - a table
    assert told_of_before(Profile(text)) is told
