"""The room of a job: what its members are told, and what new claims may take in the end."""

from pathlib import Path

from devtools.scripted import Say
from dissolution.policy.job_policy import Policy, SizePolicy
from tests.factories import a_conversation
from tests.running import a_job, a_member, running
from workers.members.boundary_room import room_about, room_read, words_kept
from workers.runtime.inline import run_job
from workers.stages.parse import counted_answers

TALK = a_conversation(*(f"Server web-{n} runs release r{400 + n} and we keep it." for n in range(1, 13)))
ANSWER = "KNOWN\n- Server web-1 runs release r401. [turns 1]\nDECIDED\nnone\nEDGES\nnone\nIDENTITY\nnone"
SIZE = SizePolicy(share=0.5, least_tokens=60, most_tokens=3000, longest=2.0, reviewed=3.0)


def test_what_is_kept_follows_the_longest_answer_and_is_never_less_than_the_least_room(tmp_path: Path) -> None:
    long = ANSWER.replace("r401.", "r401, " + ", ".join(f"and so does web-{n}" for n in range(2, 22)) + ".")
    members = [a_member("a", Say(ANSWER)), a_member("b", Say(long))]
    policy = Policy(size=SIZE)
    with running(tmp_path, members) as services:
        job = run_job(services, a_job(services, TALK, policy).id)
        snapshot = TALK.snapshot()
        room = room_about(policy, snapshot, services.counter)
        assert room_read(services, job, snapshot) == room
        longest = len(long.split("\n")[1].split("[", maxsplit=1)[0].split()) - 1
        with services.unit_of_work() as work:
            answers = counted_answers(work, job)
        assert words_kept(services, job, snapshot, answers) == 2 * longest
        short = policy.model_copy(update={"size": SIZE.model_copy(update={"longest": 1.0, "least_tokens": 400})})
        told = job.model_copy(update={"policy": short})
        assert words_kept(services, told, snapshot, answers) == 300
