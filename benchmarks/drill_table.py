"""The figures of a drill as a person reads them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SCORES = ("recall", "commitment_recall", "wrong_asserted", "hedged_promoted", "one_off_standing", "injected")
HEADS = ("recall", "commitments", "wrong", "guess as fact", "one-off", "injected")


def table(jobs: Sequence[Mapping[str, Any]]) -> str:
    """Each job with its scores beside its members', what was asked, and what the review moved."""
    return "\n\n".join("\n".join(lines(job)) for job in jobs) + ("\n\n" + "\n".join(totals(jobs)) if jobs else "")


def lines(job: Mapping[str, Any]) -> Iterable[str]:
    """One job."""
    yield f"== {job['conversation']} through turn {job['through']}, cycle {job['cycle']}"
    if "error" in job:
        yield f"broke: {job['error']}"
        return
    yield f"{job['status']}, {job['verdict'] or 'nothing committed'}: {'; '.join(job['reasons'])}"
    claims, words, share = job["claims"], job["words"], job["share"]
    yield f"{claims} claims, {words} words, {share:.0%} of the conversation's; {sent(job)}"
    for one in job["stages"]:
        failed = f", {one['failed']} failed" if one["failed"] else ""
        sizes = f"{one['input_chars']:>9} characters in, {one['output_chars']:>7} out"
        yield f"  {one['stage']:14} {one['prompt']:20} {one['calls']:>3} calls{failed}, {sizes}"
    if "score" in job:
        yield from scores(job)
    yield f"moved by the review: {len(job['moved'])}"
    for one in job["moved"]:
        yield from (f"  - {one['before'] or '(nothing)'}", f"    {one['after'] or '(taken out)'}")
        yield from (f"      {why(reason)}" for reason in one["why"])
    if "lost_of_two_families" in job:  # figures of earlier drills have neither
        yield f"left out for size after the review: {len(job['left_for_size'])}"
        yield f"of two families and lost: {len(job['lost_of_two_families'])}"
        yield from (f"  {text}" for text in job["lost_of_two_families"])
    yield f"pairs that may say the same: {len(job['duplicates'])}"
    yield from (f"  {one} | {other}" for one, other in job["duplicates"])
    yield f"worded by the product: {len(job['worded_by_product'])}"
    yield from (f"  {text}" for text in job["worded_by_product"])
    yield from (f"failed: {one['stage']} {one['member']} {one['prompt']}: {one['why']}" for one in job["failed_calls"])


def sent(job: Mapping[str, Any]) -> str:
    """How often the history was sent."""
    cached = job.get("histories_with_caches")
    return f"histories sent {job['histories_sent']}" + ("" if cached is None else f", {cached} with caches")


def scores(job: Mapping[str, Any]) -> Iterable[str]:
    """The yardstick's figures, what is committed first, each member's own answer below it."""
    yield "  " + " ".join([f"{'':24}", *(f"{head:>13}" for head in HEADS), f"{'words':>7}"])
    kept = "committed" if job["committed"] else "candidate (not committed)"
    cut = {f"{name}, cut to size": one for name, one in job.get("members_at_this_size", {}).items()}
    rows = {
        kept: job["score"],
        **job["members"],
        **{name: one for name, one in cut.items() if not isinstance(one, str)},
    }
    for name, found in rows.items():
        if isinstance(found, str):
            yield f"  {name:24} {found}"
        else:
            values = (found[score] for score in SCORES)
            yield "  " + " ".join([f"{name[:24]:24}", *(f"{shown(one):>13}" for one in values), f"{found['words']:>7}"])


def why(reason: Mapping[str, Any]) -> str:
    """One finding behind a move."""
    quotes = "; ".join(reason["quotes"]) or "no words"
    return f"{reason['fault']} by {', '.join(reason['told_by'] or ['?'])} ({quotes}): {reason['outcome']}"


def totals(jobs: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """All jobs together, against what each must reach."""
    done = [job for job in jobs if "error" not in job]
    claims = sum(job["claims"] for job in done)
    doubled = sum(len(job["duplicates"]) for job in done)
    yield f"== {len(jobs)} jobs, {sum(job['committed'] for job in done)} committed, {len(jobs) - len(done)} broke"
    yield f"claims {claims}; pairs that may say the same {doubled} ({doubled / max(1, claims):.1%}; to be read)"
    yield f"worded by the product {sum(len(job['worded_by_product']) for job in done)} (to be 0)"
    yield f"of two families and lost {sum(len(job.get('lost_of_two_families', ())) for job in done)} (to be 0)"
    first = [job for job in done if "score" in job and job["cycle"] == 1]
    reached = [job for job in first if at_least_best(job)]
    if first:
        yield f"recall at least the best member's own: {len(reached)} of {len(first)} first cycles"
        sized = [job for job in first if at_least_best(job, "members_at_this_size")]
        yield f"recall at least the best member's, cut to the same words: {len(sized)} of {len(first)} first cycles"
    for name, head in zip(SCORES[2:], HEADS[2:], strict=True):
        yield f"{head}: {sum(job['score'][name] for job in done if 'score' in job)} (to be 0)"


def at_least_best(job: Mapping[str, Any], whose: str = "members") -> bool:
    """Whether what is committed recalls as much as the best of its members alone."""
    rows = job.get(whose, job["members"]).values()
    own = [one["recall"] for one in rows if not isinstance(one, str) and one["recall"] is not None]
    return job["committed"] and job["score"]["recall"] is not None and job["score"]["recall"] >= max(own, default=0)


def shown(value: object) -> str:
    """A figure in a cell."""
    return "-" if value is None else str(value)
