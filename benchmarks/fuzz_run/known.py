"""What the service has named in its answers, so that later requests can meet it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from schemathesis import Response

KINDS = ("conversation", "dissolution", "run", "webhook")

MOST = 200
"""Ids of a kind that are remembered: enough to choose from, few enough that one is met again."""


@dataclass
class Known:
    """Ids by the name of their place in an address, oldest first."""

    ids: dict[str, dict[str, None]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    versions: dict[str, int] = field(default_factory=dict[str, int])  # the newest of a conversation
    claims: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    deliveries: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def learn(self, label: str, place: Mapping[str, Any], response: Response) -> None:
        """Remember what an answer names, and forget what it says is gone."""
        method, _, path = label.partition(" ")
        if method == "DELETE":
            for kind in KINDS:
                if path.endswith(f"{{{kind}}}"):
                    self.ids[kind].pop(str(place.get(kind)), None)
                    self.claims.pop(str(place.get(kind)), None)
            return
        try:
            told = json.loads(response.content)
        except ValueError:
            return
        if isinstance(told, dict):
            self._learn(path, place, cast("dict[str, Any]", told))

    def _learn(self, path: str, place: Mapping[str, Any], told: dict[str, Any]) -> None:
        conversation = str(place.get("conversation"))
        match path:
            case "/v1/conversations" if "conversation" in told:
                self._add("conversation", told["conversation"]["name"])
            case "/v1/conversations/{conversation}":
                self.versions[conversation] = told["boundary_version"]
            case "/v1/conversations/{conversation}/boundary":
                if claims := [claim["id"] for claim in told.get("claims", [])]:
                    self.claims[conversation] = claims
            case "/v1/dissolutions" if "id" in told:
                self._add("dissolution", told["id"])
                self._add("conversation", told["conversation"])
            case "/v1/stability-runs" if "id" in told:
                self._add("run", told["id"])
            case "/v1/webhooks" if "id" in told:
                self._add("webhook", told["id"])
            case "/v1/webhooks/{webhook}/deliveries":
                self.deliveries[str(place.get("webhook"))] = [one["id"] for one in told.get("items", [])]
            case _:
                pass

    def _add(self, kind: str, one: str) -> None:
        ids = self.ids[kind]
        ids[one] = None
        if len(ids) > MOST:
            del ids[next(iter(ids))]
