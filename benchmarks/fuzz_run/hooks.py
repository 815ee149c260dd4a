"""Hooks of Schemathesis: examples and links for the document, ids that exist for requests, counts of the answers.

Made-up ids and bodies are nearly all refused before anything is stored. So most of the requests that are meant to be
right are given ids that the service has named and what a schema cannot say (one form of turns, a name of its own);
the others, and all that are meant to be wrong, go out as they were made.
"""

import atexit
import hashlib
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, unquote, urljoin

import requests
import schemathesis
from schemathesis import Case, HookContext, Response
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.fuzz_run import bodies
from benchmarks.fuzz_run.known import Known
from benchmarks.fuzz_run.links import add_links

COUNTS = "API_FUZZ_COUNTS"
"""The environment's name of the file for the counts."""

SEED = "API_FUZZ_SEED"

PUT_RIGHT = 0.85
"""Share of the requests that are given what exists."""

CREATED = (201, 202)

hook = cast("Callable[[Callable[..., None]], Callable[..., None]]", cast("Any", schemathesis).hook)

source = random.Random(int(os.environ.get(SEED, "0")))  # noqa: S311 - requests are made up, no secret is
known = Known()
statuses: Counter[str] = Counter()
created: Counter[str] = Counter()
followed: Counter[str] = Counter()
lost: list[str] = []
sent = hashlib.sha256()


@hook
def before_load_schema(context: HookContext, raw_schema: dict[str, Any]) -> None:
    """Give bodies an example each, and creations links to what is made."""
    del context
    add_links(raw_schema)


@hook
def before_call(context: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Put right what a schema cannot say, in most of the requests that are meant to be right."""
    del context, kwargs
    if case.meta is None or source.random() >= PUT_RIGHT:
        return
    if not case.meta.is_negative_at(ParameterLocation.PATH) and not erases_in_a_chain(case):
        fill_path(case)
    if case.meta.generation.mode.is_positive:
        body = body_of(case)
        if body is not None:
            case.body = body
            headers = cast("dict[str, str]", cast("Any", case).headers)
            if "idempotency-key" in headers and source.random() < 0.8:
                headers["idempotency-key"] = f"{source.getrandbits(64):x}"  # of this request alone


def erases_in_a_chain(case: Case[Any]) -> bool:
    """Whether a request would take away, unseen by Schemathesis, what a later one of the same chain asks for."""
    return label_of(case).startswith("DELETE ") and case.meta is not None and case.meta.phase.name is TestPhase.STATEFUL


def fill_path(case: Case[Any]) -> None:
    """Name what exists in place of ids that nobody has."""
    place = case.path_parameters
    if label_of(case).endswith("/acts") and known.claims and source.random() < 0.8:
        place["conversation"] = quote(source.choice(list(known.claims)), safe="")
    for parameter in ("conversation", "dissolution", "run", "webhook"):
        ids = known.ids[parameter]
        if place.get(parameter) is not None and named(place, parameter) not in ids and ids:
            place[parameter] = quote(source.choice(list(ids)), safe="")
    if "delivery" in place and (found := known.deliveries.get(named(place, "webhook"))):
        place["delivery"] = source.choice(list(found))
    if "version" in place and (newest := known.versions.get(named(place, "conversation"))):
        place["version"] = source.randint(1, newest)


def named(place: Mapping[str, Any], parameter: str) -> str:
    """An id of an address as the service reads it."""
    return unquote(str(place.get(parameter)))


def body_of(case: Case[Any]) -> dict[str, Any] | None:
    """A body that is accepted, made of the one that was made up where that says something; None to leave it."""
    made = cast("dict[str, Any]", case.body) if isinstance(case.body, dict) else {}
    conversations = list(known.ids["conversation"])
    place = named(case.path_parameters, "conversation")
    match label_of(case):
        case "POST /v1/conversations":
            body = bodies.with_one_form(made, source) if made else bodies.conversation(source)
        case "POST /v1/conversations/{conversation}/turns":
            body = {form: told for form, told in bodies.with_one_form(made, source).items() if form in FORMS}
        case "POST /v1/conversations/{conversation}/acts":
            body = bodies.act(source, known.claims.get(place, ()))
        case "POST /v1/conversations/{conversation}/boundary/rollback":
            body = {"version": source.randint(1, max(1, known.versions.get(place, 1))), "reason": "it was better"}
        case "POST /v1/dissolutions" | "POST /v1/dissolutions/estimate":
            body = bodies.dissolution(source, conversations)
        case "POST /v1/stability-runs":
            body = bodies.stability_run(source, conversations)
        case "POST /v1/webhooks":
            body = bodies.webhook(source)
        case "POST /v1/fleets/validate" if source.random() < 0.5:
            body = {"toml": bodies.ROSTER}
        case _:
            body = None
    return body


FORMS = ("turns", "messages")


def label_of(case: Case[Any]) -> str:
    """Method and address, as `POST /v1/conversations`."""
    return str(cast("Any", case).operation.label)


@hook
def after_call(context: HookContext, case: Case[Any], response: Response) -> None:
    """Count an answer and remember the ids in it."""
    del context
    label = label_of(case)
    statuses[str(response.status_code)] += 1
    request = response.request
    sent.update(f"{request.method} {request.url}\n".encode())
    sent.update(request.body if isinstance(request.body, bytes) else str(request.body).encode())
    if label.startswith("POST ") and response.status_code in CREATED:
        created[label] += 1
        follow(label, response)
    if response.status_code < 300:
        place = {parameter: named(case.path_parameters, parameter) for parameter in case.path_parameters}
        known.learn(label, place, response)


def follow(label: str, response: Response) -> None:
    """Read what was made where its answer says it is."""
    place = response.headers.get("location", [""])[0]
    if not place:
        return
    sent_with = {"authorization": str(response.request.headers.get("authorization", ""))}
    found = requests.get(urljoin(str(response.request.url), place), headers=sent_with, timeout=30)
    followed[str(found.status_code)] += 1
    if found.status_code != 200:
        lost.append(f"{label}: {place} answers {found.status_code}")


@atexit.register
def tell() -> None:
    """Add a line with the counts to the file where the run looks for them."""
    target = os.environ.get(COUNTS)
    if target:
        told = {
            "statuses": dict(sorted(statuses.items())),
            "created": dict(sorted(created.items())),
            "followed": dict(sorted(followed.items())),
            "lost": lost,
            "sent_sha256": sent.hexdigest(),
        }
        with Path(target).open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")
