"""The boundary state as a JSON document; `boundary-1.schema.json` beside this file is its published form."""

import json
from collections.abc import Sequence
from importlib.resources import files

from pydantic import JsonValue

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent, Evidence, Section, Support
from dissolution.conversation import Conversation
from dissolution.excerpts import NOBODY_HAS_READ
from dissolution.ledger import Change
from dissolution.values import NotMeasured
from prompts.export.source import check_source

SCHEMA_NAME = "urn:dissolution-fleet:boundary-1"
"""Value of `schema` in every document and `$id` of its JSON Schema. A changed form gets a new number."""

_SCHEMA_FILE = "boundary-1.schema.json"


def boundary_schema() -> dict[str, JsonValue]:
    """The published JSON Schema (draft 2020-12) of `boundary_document`."""
    return json.loads(files("prompts.export").joinpath(_SCHEMA_FILE).read_text(encoding="utf-8"))


def boundary_document(
    boundary: BoundaryState, conversation: Conversation, undecided: NotMeasured | None = None
) -> dict[str, JsonValue]:
    """The boundary as JSON values, in the form of `boundary_schema()`.

    Args:
        boundary: committed or still a candidate; a candidate has null for `version` and `committed_at`.
        conversation: the one it was made from; names the speakers. It may have grown since.
        undecided: why there is no verdict yet; it then stands in the place of `verdict` and `reasons`.

    Raises:
        InvalidConversation: the boundary was not made from this conversation.
    """
    check_source(boundary, conversation)
    committed_at = boundary.committed_at
    return {
        "unread": NOBODY_HAS_READ if boundary.unread else None,
        "schema": SCHEMA_NAME,
        "conversation": boundary.conversation,
        "job": boundary.job,
        "through": boundary.through,
        "snapshot_digest": boundary.snapshot_digest,
        "version": boundary.version,
        "committed_at": committed_at.isoformat() if committed_at else None,
        "verdict": boundary.decision.verdict.value if undecided is None else undecided.model_dump(mode="json"),
        "reasons": list(boundary.decision.reasons) if undecided is None else undecided.model_dump(mode="json"),
        "sections": {
            section.value: [claim_document(claim, conversation) for claim in boundary.section(section)]
            for section in Section
        },
        "excerpts": [excerpt.model_dump(mode="json") for excerpt in boundary.excerpts],
        "dissent": [_dissent(entry, conversation) for entry in boundary.dissent],
        "closed": [claim_document(claim, conversation) for claim in boundary.closed],
        "changes": [change_document(change, conversation) for change in boundary.changes],
    }


def claim_document(claim: Claim, conversation: Conversation) -> dict[str, JsonValue]:
    """One claim as JSON values, in the form `claim` of `boundary_schema()`; open or closed."""
    instants, closing = claim.valid_instants, claim.closing
    return {
        "id": claim.id,
        "section": claim.section.value,
        "text": claim.text,
        "evidence": _evidence(claim.evidence, conversation),
        "support": _support(claim.support),
        "valid": {"start": claim.valid.start, "end": claim.valid.end},
        "valid_instants": instants.model_dump(mode="json") if instants else None,
        "marks": [mark.value for mark in claim.marks],
        "reason": claim.reason,
        "temporal_class": claim.temporal_class.value,
        "state": claim.state.value,
        "carried": claim.carried,
        "affirmed": claim.affirmed,
        "closing": None
        if closing is None
        else {
            "state": closing.state.value,
            "by": closing.by,
            "evidence": _evidence(closing.evidence, conversation),
            "reason": closing.reason,
        },
    }


def change_document(change: Change, conversation: Conversation) -> dict[str, JsonValue]:
    """What a cycle did to one claim as JSON values, in the form `change` of `boundary_schema()`."""
    return {
        "kind": change.kind.value,
        "claim": change.claim,
        "other": change.other,
        "reason": change.reason,
        "evidence": _evidence(change.evidence, conversation),
    }


def _dissent(entry: Dissent, conversation: Conversation) -> dict[str, JsonValue]:
    return {
        "id": entry.id,
        "section": entry.section.value,
        "text": entry.text,
        "evidence": _evidence(entry.evidence, conversation),
        "support": _support(entry.support),
        "reason": entry.reason.value,
        "detail": entry.detail,
        "against": list(entry.against),
        "cycles": entry.cycles,
    }


def _evidence(spans: Sequence[Evidence], conversation: Conversation) -> list[JsonValue]:
    return [
        {
            "turn": span.turn,
            "start": span.start,
            "end": span.end,
            "text": span.text,
            "speaker": conversation.turn(span.turn).speaker,
        }
        for span in spans
    ]


def _support(support: Support) -> dict[str, JsonValue]:
    return {"families": list(support.families), "members": list(support.members)}
