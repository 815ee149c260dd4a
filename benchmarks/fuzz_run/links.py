"""Examples of bodies and links between operations, added to the document before requests are made from it."""

import random
from typing import Any

from benchmarks.fuzz_run import bodies

_source = random.Random(20)  # noqa: S311 - examples are no secret

EXAMPLES: dict[str, tuple[dict[str, Any], ...]] = {
    "/v1/conversations": tuple(bodies.conversation(_source) for _ in range(12)),
    "/v1/conversations/{conversation}/turns": tuple(bodies.talk(_source) for _ in range(6)),
    "/v1/dissolutions": tuple(bodies.dissolution(_source, ["talk"]) for _ in range(6)),
    "/v1/dissolutions/estimate": ({"conversation": "talk"},),
    "/v1/stability-runs": (bodies.stability_run(_source, ["talk"]),),
    "/v1/webhooks": (bodies.webhook(_source),),
    "/v1/fleets/validate": ({"toml": bodies.ROSTER},),
}
"""Bodies of POST by address."""

LINKS: tuple[tuple[str, str, str, str], ...] = (
    ("/v1/conversations", "201", "conversation", "$response.body#/conversation/name"),
    ("/v1/dissolutions", "202", "dissolution", "$response.body#/id"),
    ("/v1/stability-runs", "202", "run", "$response.body#/id"),
    ("/v1/webhooks", "201", "webhook", "$response.body#/id"),
)
"""Address and status of a POST, the place in other addresses that it fills, and where its answer says with what."""


def add_links(document: dict[str, Any]) -> None:
    """Put examples and links into an OpenAPI document, in place.

    Every operation whose address has one place for an id is linked from the creation that makes such ids.
    """
    paths = document["paths"]
    for address, examples in EXAMPLES.items():
        content = paths[address]["post"]["requestBody"]["content"]["application/json"]
        content["examples"] = {f"example {number}": {"value": one} for number, one in enumerate(examples, start=1)}
    for address, status, place, where in LINKS:
        links = paths[address]["post"]["responses"][status].setdefault("links", {})
        for path, operations in paths.items():
            if path.count("{") == 1 and f"{{{place}}}" in path:
                for method, operation in operations.items():
                    link = {"operationId": operation["operationId"], "parameters": {f"path.{place}": where}}
                    links[f"{method} {path}"] = link
