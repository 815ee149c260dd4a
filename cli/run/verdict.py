"""The verdict on a job in words: of one that has ended its boundary's, of any other that nothing is decided."""

from cli.run.results import Result
from dissolution.job import JobStatus
from prompts.export.verdict_words import BoundaryStanding, VerdictWords, verdict_words

STANDS = "the conversation itself stays in force"


def told_of(result: Result) -> VerdictWords:
    """How a job stands, for a person."""
    status = result.job.status
    if status is JobStatus.HELD:
        held = "Held, as asked: nothing is committed yet."
        if result.draft is None:
            return VerdictWords(BoundaryStanding.KEPT, held, "Held: nothing is committed yet.")
        words = verdict_words(result.boundary, result.draft, waits=True)
        return words._replace(standing=BoundaryStanding.KEPT, told=f"{held} {words.told}", brief=f"Held. {words.brief}")
    if result.undecided is not None:
        told = f"Not decided: the job is {status.value}; {STANDS}."
        return VerdictWords(BoundaryStanding.KEPT, told, f"Not decided: the job is {status.value}.")
    return verdict_words(result.boundary, result.receipt)
