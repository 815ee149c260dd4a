"""What of the library's per-call log is kept as parameters sent, without the library."""

from typing import Any

import pytest

from fleet.litellm_gateway import parameters_sent


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
