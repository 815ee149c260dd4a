"""A policy that was stored before banks were enlarged keeps to its number of questions when it is read again."""

import json

from dissolution.policy.job_policy import Policy
from store.tables.columns import Document


def read_back(text: str) -> Policy:
    found = Document(Policy).process_result_value(text, None)  # pyright: ignore[reportArgumentType] - no dialect matters
    assert isinstance(found, Policy)
    return found


def test_what_a_stored_policy_does_not_say_means_what_it_meant() -> None:
    fields = json.loads(Policy().model_dump_json())
    assert read_back(json.dumps(fields)) == Policy()
    del fields["probe"]["gate"]["enlarge"]
    stored = read_back(json.dumps(fields))
    assert stored.probe.gate.enlarge is False
    assert read_back(stored.model_dump_json()) == stored
    assert Policy().probe.gate.enlarge is True, "a new policy that leaves it out is of today"
