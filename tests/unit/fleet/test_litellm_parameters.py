"""What of the library's per-call log is kept as parameters sent, without the library."""

from typing import Any

import pytest

from fleet.litellm_parameters import parameters_sent, unsupported_words


def log(body: object, kind: str = "pre_api_call") -> dict[str, Any]:
    return {"log_event_type": kind, "additional_args": {"complete_input_dict": body}}


def test_parameters_are_kept_and_prompts_and_keys_are_not() -> None:
    body: dict[str, object] = {"model": "m", "seed": 1, "messages": ["x"], "system": "x", "extra_body": {}}
    body |= {"api_key": "k", "x-Key": "k"}
    assert parameters_sent(log(body)) == {"model": "m", "seed": 1}


@pytest.mark.parametrize(
    "details",
    [
        {},
        log({"model": "m"}, "post_api_call"),
        {"log_event_type": "pre_api_call"},
        {"log_event_type": "pre_api_call", "additional_args": None},
        log("a string body"),
        log(None),
    ],
)
def test_other_entries_of_the_log_say_nothing(details: dict[str, Any]) -> None:
    assert parameters_sent(details) == {}


def test_what_is_not_supported_is_named_with_the_way_out() -> None:
    words = unsupported_words(["seed", "top_p"], "openai/o3")
    assert words.startswith("'seed', 'top_p' not supported by model 'openai/o3'")
    assert "leave_out_unsupported" in words
