from decimal import Decimal

import pytest
from pydantic import ValidationError

from dissolution.answers import (
    USABLE,
    AnswerClass,
    FailureClass,
    MemberFailure,
    ParsedReply,
    PromptMessage,
    PromptStamp,
    RenderedPrompt,
    Signature,
    Usage,
)
from dissolution.errors import MemberError
from dissolution.values import NotMeasured

ABSENT = NotMeasured(not_measured="not reported")
STAMP = PromptStamp(name="four_part", version=1, digest="0" * 64)


def parsed(answer_class: AnswerClass) -> ParsedReply:
    signature = Signature(
        sentences=0, first_person_share=ABSENT, present_tense_share=ABSENT, forbidden_phrases=("we discussed",)
    )
    return ParsedReply(
        answer_class=answer_class,
        claims=(),
        sections_found=(),
        problems=(),
        signature=signature,
        parser_version="1",
    )


@pytest.mark.parametrize("answer_class", AnswerClass)
def test_only_ok_and_partial_are_usable(answer_class: AnswerClass) -> None:
    expected = answer_class.value in {"ok", "partial"}
    assert parsed(answer_class).usable is expected
    assert (answer_class in USABLE) is expected


def test_prompt_text_holds_every_message() -> None:
    messages = (PromptMessage(role="system", content="Be brief."), PromptMessage(role="user", content="Hello."))
    assert RenderedPrompt(stamp=STAMP, messages=messages).text == "Be brief.\n\nHello."
    with pytest.raises(ValidationError):
        RenderedPrompt(stamp=STAMP, messages=())
    with pytest.raises(ValidationError):
        PromptMessage(role="assistant", content="x")


@pytest.mark.parametrize("digest", ["", "0" * 63, "G" * 64, "0" * 65])
def test_prompt_digests_are_sha256(digest: str) -> None:
    with pytest.raises(ValidationError):
        PromptStamp(name="four_part", version=1, digest=digest)


def test_unknown_prices_survive_json_as_unknown() -> None:
    usage = Usage(input_tokens=5, cached_input_tokens=ABSENT, output_tokens=0, cost_usd=ABSENT)
    assert Usage.model_validate_json(usage.model_dump_json()) == usage
    priced = usage.model_copy(update={"cost_usd": Decimal("0.000125")})
    assert Usage.model_validate_json(priced.model_dump_json()).cost_usd == Decimal("0.000125")


def test_every_member_error_has_its_failure_class() -> None:
    raised = {subclass.code for subclass in MemberError.__subclasses__()}
    assert raised == {failure.value for failure in list(FailureClass)[:-2]}


def test_failures_name_no_wait_unless_one_was_named() -> None:
    assert isinstance(MemberFailure(error_class=FailureClass.AUTH, detail="x").retry_after_s, NotMeasured)
    with pytest.raises(ValidationError):
        MemberFailure(error_class=FailureClass.AUTH, detail="x" * 501)
