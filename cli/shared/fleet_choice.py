"""Which fleet the command line asks: models, stored answers, or models whose answers are stored."""

from pathlib import Path

from dissolution.errors import InputError
from dissolution.policy.file import policy_text
from dissolution.policy.job_policy import Policy
from fleet.cassette import POLICY, is_cassette, read_head
from workers.bootstrap import EXTRACTIVE, ROSTER
from workers.members.recordings import RECORDED, Taped


def described_fleet(fleet: str, *, recorded: Path | None, cassette: Path | None) -> str:
    """The fleet description that is stored with a job. Raises InputError on a contradiction.

    Args:
        fleet: `extractive`, a roster file, or a description.
        recorded: A folder whose stored answers are replayed instead.
        cassette: A folder in which the answers of a roster are kept.
    """
    if recorded is not None and (fleet != EXTRACTIVE or cassette is not None):
        other = f"--fleet {fleet!r}" if cassette is None else f"--cassette {str(cassette)!r}"
        raise InputError(f"{other} with --recorded {str(recorded)!r}", "give only one of them")
    if recorded is not None:
        return f"{RECORDED}{recorded.resolve()}"
    is_file = Path(fleet).suffix == ".toml"
    described = f"{ROSTER}{Path(fleet).resolve()}" if is_file else fleet
    if cassette is None:
        return described
    if not is_file:
        raise InputError(
            f"--cassette {str(cassette)!r} with --fleet {fleet!r}",
            "give the roster (TOML) of language models with --fleet; theirs are the answers that are kept",
        )
    return Taped(cassette.resolve(), described).description


def told_of(recorded: Path | None) -> str | None:
    """Who wrote the answers of a cassette, in a sentence; None for any other folder, or none."""
    if recorded is None or not is_cassette(recorded):
        return None
    return f"cassette {str(recorded)!r}, nobody is asked: {read_head(recorded).about}"


def stored_policy(recorded: Path | None) -> Path | None:
    """The policy that lies in a cassette, or None."""
    if recorded is None or not is_cassette(recorded):
        return None
    stored = recorded / POLICY
    return stored if stored.is_file() else None


def keep_policy(cassette: Path | None, policy: Policy) -> None:
    """Lay a settled policy into the cassette that is written, so that a replay needs nothing but the folder.

    Its embedder is named in it: claims grouped by another would be asked about in other prompts.
    """
    if cassette is not None:
        cassette.mkdir(parents=True, exist_ok=True)
        (cassette / POLICY).write_text(policy_text(policy), encoding="utf-8")
