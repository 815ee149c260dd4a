"""The policy of a job: every field by its dotted name, and what differs from the default."""

import io

from cli.run.policy_views import fields, print_policy
from cli.shared.output import ResultConsole
from dissolution.job import Job
from dissolution.policy.job_policy import Policy
from tests.factories import INSTANT


def test_every_field_is_named_as_a_policy_file_names_it_and_a_difference_is_shown() -> None:
    policy = Policy.model_validate({"name": "mine", "quorum": {"min_members": 7}})
    job = Job(
        id="j1",
        conversation="conv-1",
        through=2,
        snapshot_digest="0" * 64,
        fleet="extractive",
        policy=policy,
        created_at=INSTANT,
    )
    stream = io.StringIO()
    print_policy(ResultConsole(file=stream, width=200, highlight=False), job)
    lines = {line.split()[0]: line.split()[1:] for line in stream.getvalue().splitlines() if line.strip()}
    usual = dict(fields(Policy().model_dump(mode="json")))
    assert set(usual) <= set(lines)
    assert lines["quorum.min_members"] == ["7", usual["quorum.min_members"]]
    assert lines["quorum.min_families"] == [usual["quorum.min_families"]]
    assert lines["name"][0] == '"mine"'
