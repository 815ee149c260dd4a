"""`dissolve triggers calibrate`: thresholds from somebody's own conversations."""

import json
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from pydantic import TypeAdapter, ValidationError

from cli.run.run import Source, read_conversation
from cli.shared.exits import Exit
from cli.shared.naming import refuse_one_name
from cli.shared.output import printing, say
from dissolution.errors import InputError
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.settings import Settings, load_settings
from triggers.calibrate import Calibrated, calibrate, policy_toml
from triggers.simulate import Trace, traced
from workers.bootstrap import EXTRACTIVE, open_services
from workers.services import Services
from workers.triggers.facts import counter_for, measured_turns

Labels = dict[str, list[int]]


@dataclass(frozen=True, kw_only=True)
class CalibrateOptions:
    """What was given on the command line of `dissolve triggers calibrate`."""

    files: tuple[str, ...]
    labels: Path | None
    policy: Path | None
    rate: float
    out: Path
    form: str | None
    conversation: str | None = None
    timezone: str | None
    as_json: bool


def calibrate_files(options: CalibrateOptions) -> Exit:
    """Fit, and write the policy. Raises InputError, InvalidPolicy."""
    refuse_one_name(options.conversation, options.files)
    policy = load_policy(options.policy) if options.policy else Policy()
    labels = read_labels(options.labels) if options.labels else None
    with TemporaryDirectory() as folder, throw_away(folder) as (settings, services):
        traces = [trace_of(file, options, settings, services, policy) for file in options.files]
    known = named(labels, options.files, traces) if labels is not None else None
    found = calibrate(traces, policy.triggers, known, per_tokens=options.rate, name=options.out.stem)
    options.out.write_text(policy_toml(found), encoding="utf-8")
    say(f"the policy is in {options.out}; use it with `dissolve triggers watch CONVERSATION --policy {options.out}`")
    with printing(Exit.OK):
        sys.stdout.write(
            json.dumps(document(found), indent=1) + "\n" if options.as_json else "\n".join(lines(found)) + "\n"
        )
    return Exit.OK


@contextmanager
def throw_away(folder: str) -> Generator[tuple[Settings, Services]]:
    """Services over a database that is gone afterwards: calibrating stores nothing."""
    settings = load_settings(db=f"sqlite:///{folder}/calibration.sqlite3")
    with open_services(settings) as services:
        yield settings, services


def trace_of(file: str, options: CalibrateOptions, settings: Settings, services: Services, policy: Policy) -> Trace:
    """One conversation, measured."""
    source = Source(file=file, form=options.form, conversation=options.conversation, timezone=options.timezone)
    reading = read_conversation(source, settings, services)
    for warning in reading.warnings:
        say(f"{file}: {warning}")
    embedder = services.embedder()
    turns = measured_turns(reading.conversation.turns, embedder, counter_for(services, policy))
    stamp = embedder.stamp
    estimator = services.surprise(EXTRACTIVE)  # the settings' model, if they name one
    return traced(reading.conversation.id, turns, estimator, stamp.model, stamp.dimension)


def read_labels(path: Path) -> Labels:
    """First turns of topics by conversation. Raises InputError that names what is wrong."""
    shape = 'give an object such as {"meeting-1": [14, 52]}'
    try:
        data: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"labels {str(path)!r} cannot be read ({error.strerror})", shape) from error
    except ValueError as error:
        raise InputError(f"labels {str(path)!r} are no JSON", shape) from error
    try:
        return TypeAdapter(Labels).validate_python(data, strict=True)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InputError(f"labels {str(path)!r}, at {where or 'the top'}", shape) from error


def named(labels: Labels, files: tuple[str, ...], traces: list[Trace]) -> Mapping[str, list[int]]:
    """Labels by conversation, whether they name it, its file, or the file without its ending."""
    found: Labels = {}
    for file, trace in zip(files, traces, strict=True):
        for name in (trace.name, file, Path(file).name, Path(file).stem):
            if name in labels:
                found[trace.name] = labels[name]
                break
    return found or labels


def document(found: Calibrated) -> dict[str, object]:
    """The result for `--json`."""
    low, high = found.rate.interval
    return {
        "policy": cast("dict[str, object]", found.policy.model_dump(mode="json")),
        "conversations": found.conversations,
        "labelled": found.labelled,
        "tokens": found.rate.tokens,
        "firings": found.rate.firings,
        "firings_per_10000_tokens": found.rate.mean,
        "interval": [low, high],
        "f1": found.agreement,
    }


def lines(found: Calibrated) -> list[str]:
    """The result in words."""
    drift, surprise = found.policy.drift, found.policy.surprise
    low, high = found.rate.interval
    told = [
        f"{found.conversations} conversations, {found.labelled} with labels, {found.rate.tokens} tokens",
        f"drift from {drift.distance}, released below {drift.release}",
        f"topic shift from {drift.shift_depth}",
        f"fall of surprise from {surprise.min_drop_bits} bits per token",
        f"expected: {found.rate.mean:.2f} firings for 10,000 tokens (95 %: {low:.2f} to {high:.2f})",
    ]
    if found.agreement is not None:
        told.append(f"topic starts against the labels: F1 {found.agreement:.2f}, on these conversations")
    return told
