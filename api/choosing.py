"""Fleets and policies by name: a request names what this installation offers, never a file of the machine."""

import re
from collections.abc import Iterator
from pathlib import Path

from dissolution.errors import DissolutionError, InvalidPolicy, InvalidRoster, NotFound
from dissolution.policy.effort import Effort
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings
from workers.bootstrap import EXTRACTIVE, ROSTER, settled_policy

FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What may be asked for: a plain name, which cannot leave its folder."""

DEFAULT = "default"


def names_in(folder: str) -> Iterator[str]:
    """The names of the TOML files in a folder, in alphabetical order; none when it is not there."""
    place = Path(folder).expanduser()
    if place.is_dir():
        yield from sorted(file.stem for file in place.glob("*.toml") if FILE_NAME.fullmatch(file.stem))


def fleet_names(settings: Settings) -> tuple[str, ...]:
    """The fleets that may be asked."""
    return (EXTRACTIVE, *(name for name in names_in(settings.fleets_folder) if name != EXTRACTIVE))


def fleet_named(settings: Settings, name: str) -> str:
    """The description of a fleet that is stored with a job. Raises InvalidRoster."""
    if name not in fleet_names(settings):
        raise InvalidRoster(f"fleet {name!r}", "choose one that GET /v1/fleets lists")
    if name == EXTRACTIVE:
        return EXTRACTIVE
    return f"{ROSTER}{(Path(settings.fleets_folder).expanduser() / f'{name}.toml').resolve()}"


def fleet_shown(description: str) -> str:
    """A stored fleet as its name: no path of the machine leaves it."""
    kind, mark, place = description.partition(":")
    return kind if not mark else Path(place).stem or kind


def policy_named(settings: Settings, name: str) -> Policy:
    """A policy by name. Raises NotFound, InvalidPolicy."""
    if name == DEFAULT:
        return Policy()
    if name not in names_in(settings.policies_folder):
        kind = "policy"
        raise NotFound(kind, name)
    try:
        return load_policy(Path(settings.policies_folder).expanduser() / f"{name}.toml")
    except InvalidPolicy as error:
        raise InvalidPolicy(f"policy {name!r}", error.remedy) from None


def policy_for(settings: Settings, asked: Policy | str, fleet: str, effort: Effort | None = None) -> Policy:
    """The policy as a job keeps it; a given effort takes the place of its own.

    Raises InvalidPolicy, InvalidRoster, NotFound.
    """
    policy = policy_named(settings, asked) if isinstance(asked, str) else asked
    if effort is not None:
        policy = policy.model_copy(update={"effort": effort})
    try:
        settled = settled_policy(policy, settings, fleet)
    except InvalidRoster as error:
        raise InvalidRoster(f"fleet {fleet_shown(fleet)!r}", without_path(error, fleet)) from None
    hard_s = settled.quorum.hard_deadline_s
    if hard_s + MARGIN_S > settings.step_limit_s:
        raise InvalidPolicy(
            f"policy field 'quorum.hard_deadline_s', value {hard_s:g}",
            f"lower it to {settings.step_limit_s - MARGIN_S:g} or less: workers end a step after that",
        )
    return settled


MARGIN_S = 60.0
"""What a fan-out step needs beyond its hard deadline: to start, to let go of stragglers, to store (s)."""


def without_path(error: DissolutionError, fleet: str) -> str:
    """An error's words without the path of the roster."""
    return str(error).replace(fleet.removeprefix(ROSTER), f"{fleet_shown(fleet)}.toml")
