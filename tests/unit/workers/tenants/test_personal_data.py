"""The shipped recogniser of personal data: what it finds, that it needs no network, and who names it."""

import pytest

from dissolution.errors import InvalidPolicy
from dissolution.policy.job_policy import Policy
from dissolution.service import ExtraPattern, IntakeRules
from workers.tenants.personal_data import CHUNK_CHARS, PersonalData, recogniser_named, recognisers_of

PLANTED = {
    "email_address": "ann@example.com",
    "credit_card": "4111 1111 1111 1111",
    "iban_code": "DE89370400440532013000",
    "ip_address": "10.1.2.3",
    "phone_number": "+44 20 7946 0958",
}


def kinds_in(text: str) -> dict[str, str]:
    return {one.kind: text[one.start : one.end] for one in PersonalData().find(text)}


def test_what_has_a_form_of_its_own_is_found() -> None:
    text = f"Write to {', then '.join(PLANTED.values())}. We meet on Tuesday at the bank in Oslo."

    assert kinds_in(text).items() >= PLANTED.items()


def test_names_and_plain_numbers_stay() -> None:
    assert kinds_in("Maria Lopez pays 15000 for 3 servers in version 2.4.1 on 2026-03-01.") == {}


def test_what_lies_across_two_stretches_is_found() -> None:
    for place in (CHUNK_CHARS - 10, CHUNK_CHARS - 205, 2 * CHUNK_CHARS - 300):
        text = "x " * (place // 2) + "ann@example.com" + " x" * 100
        assert "email_address" in kinds_in(text)


def test_rules_and_policy_name_who_looks() -> None:
    both = IntakeRules(patterns=(ExtraPattern(kind="badge", pattern=r"B-\d{6}"),), personal_data="presidio")

    assert recognisers_of(IntakeRules()) == ()
    assert [one.mark for one in recognisers_of(both, Policy(personal_data="presidio"))] == ["custom", "personal"]
    assert [one.mark for one in recognisers_of(IntakeRules(), Policy(personal_data="presidio"))] == ["personal"]
    with pytest.raises(InvalidPolicy, match=r"'nobody'.*'presidio'"):
        recogniser_named("nobody")
