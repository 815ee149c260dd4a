import copy
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from pydantic import JsonValue

from dissolution.boundary import BoundaryState
from dissolution.claims import DissentReason, Mark, Section
from dissolution.conversation import Conversation
from dissolution.errors import InvalidConversation
from dissolution.findings import Verdict
from dissolution.intervals import TurnInterval
from dissolution.job import JobStatus
from dissolution.values import NotMeasured
from prompts.export.document import SCHEMA_NAME, boundary_document, boundary_schema
from tests.factories import INSTANT, a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent, evidence_in

CONVERSATION = a_conversation("We use Postgres 16, café rules.", "Noted: Postgres 16.", "Who owns the backups?")


def full_boundary(conversation: Conversation = CONVERSATION) -> BoundaryState:
    quote = evidence_in(conversation, 1, "Postgres 16")
    return a_boundary(
        conversation,
        a_claim("c1", Section.KNOWN, "The database is Postgres 16.", (quote,), marks=(Mark.SINGLE_SOURCE,)),
        a_claim("c2", Section.DECIDED, "We use Postgres.", (quote,), valid=TurnInterval(start=1, end=3)),
        a_claim("c3", Section.EDGES, "The owner of the backups is open."),
        dissent=(a_dissent("d1", "The database is MySQL.", against=("c1",)),),
    )


def document() -> dict[str, Any]:
    return copy.deepcopy(boundary_document(full_boundary(), CONVERSATION))


def validate(value: JsonValue) -> None:
    schema = boundary_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    validator.validate(value)  # pyright: ignore[reportUnknownMemberType] - jsonschema's stubs are partial


def test_document_says_what_the_boundary_holds() -> None:
    written = document()
    assert written["schema"] == SCHEMA_NAME
    assert (written["conversation"], written["job"], written["through"], written["version"]) == ("conv-1", "j1", 3, 1)
    assert written["committed_at"] == INSTANT.isoformat()
    assert (written["verdict"], written["reasons"]) == ("commit_degraded", ["probe not run"])
    assert list(written["sections"]) == ["KNOWN", "DECIDED", "EDGES", "IDENTITY"]
    assert written["sections"]["KNOWN"] == [
        {
            "id": "c1",
            "section": "KNOWN",
            "text": "The database is Postgres 16.",
            "evidence": [{"turn": 1, "start": 7, "end": 18, "text": "Postgres 16", "speaker": "user"}],
            "support": {"families": ["alpha", "beta"], "members": ["alpha-1", "beta-1"]},
            "valid": {"start": 1, "end": None},
            "valid_instants": None,
            "marks": ["single_source"],
            "reason": "most families put it there",
            "temporal_class": "current_state",
            "state": "current",
            "carried": 0,
            "affirmed": None,
            "closing": None,
        }
    ]
    assert written["sections"]["DECIDED"][0]["valid"] == {"start": 1, "end": 3}
    assert written["sections"]["IDENTITY"] == []
    assert written["dissent"][0]["against"] == ["c1"]
    assert written["dissent"][0]["reason"] == DissentReason.FEW_FAMILIES.value


def test_full_empty_and_uncommitted_documents_follow_the_schema() -> None:
    validate(document())
    candidate = a_boundary(CONVERSATION, verdict=Verdict.KEEP_HISTORY, reasons=("quorum not met",), version=None)
    written = boundary_document(candidate, CONVERSATION)
    validate(written)
    assert written["version"] is None
    assert written["committed_at"] is None
    validate({**document(), "receipt": {"job": "j1"}, "status": "committed", "committed": True})


def _drop(path: str) -> Callable[[Any], None]:
    *way, last = path.split("/")
    return lambda value: _follow(value, way).pop(int(last) if last.isdigit() else last)


def _put(path: str, new: JsonValue) -> Callable[[Any], None]:
    *way, last = path.split("/")

    def change(value: Any) -> None:  # noqa: ANN401 - any JSON value
        _follow(value, way)[int(last) if last.isdigit() else last] = new

    return change


def _follow(value: Any, way: list[str]) -> Any:  # noqa: ANN401 - any JSON value
    for key in way:
        value = value[int(key) if key.isdigit() else key]
    return value


FAULTS = {
    "no schema": _drop("schema"),
    "another form": _put("schema", "urn:dissolution-fleet:boundary-2"),
    "unknown field": _put("mood", "good"),
    "no section": _drop("sections/EDGES"),
    "section of another name": _put("sections/FACTS", []),
    "firm claim without evidence": _put("sections/DECIDED/0/evidence", []),
    "claim without text": _put("sections/KNOWN/0/text", ""),
    "claim with a number for text": _put("sections/KNOWN/0/text", 5),
    "claim with an unknown field": _put("sections/KNOWN/0/score", 0.5),
    "open edge with an unknown field": _put("sections/EDGES/0/score", 0.5),
    "turn zero": _put("sections/KNOWN/0/evidence/0/turn", 0),
    "evidence without speaker": _drop("sections/KNOWN/0/evidence/0/speaker"),
    "nobody supports it": _put("sections/KNOWN/0/support/families", []),
    "a family twice": _put("sections/KNOWN/0/support/families", ["a", "a"]),
    "valid without end": _drop("sections/KNOWN/0/valid/end"),
    "unknown mark": _put("sections/KNOWN/0/marks", ["sure"]),
    "unknown verdict": _put("verdict", "fine"),
    "verdict without reasons": _put("reasons", []),
    "committed without instant": _put("committed_at", None),
    "committed although the history is kept": _put("verdict", "keep_history"),
    "instant without offset": _put("committed_at", "2026-03-01T09:00:00"),
    "instant of a candidate": _put("version", None),
    "version zero": _put("version", 0),
    "unknown status": _put("status", "lost"),
    "short digest": _put("snapshot_digest", "abc"),
    "dissent of an unknown reason": _put("dissent/0/reason", "dislike"),
    "dissent without section": _drop("dissent/0/section"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_documents_fail_the_schema(fault: str) -> None:
    written = document()
    FAULTS[fault](written)
    with pytest.raises(ValidationError):
        validate(written)


def test_schema_describes_every_field_and_is_closed() -> None:
    def walk(node: JsonValue) -> None:
        if not isinstance(node, dict):
            return
        properties = node.get("properties")
        if isinstance(properties, dict) and "description" in node and "$ref" not in node:
            assert node.get("additionalProperties") is False or node.get("type") != "object", node
            for name, field in properties.items():
                assert isinstance(field, dict), name
                assert "description" in field or "$ref" in field, name
        for child in node.values():
            walk(child)

    schema = boundary_schema()
    walk(schema)
    assert schema["$id"] == SCHEMA_NAME


def test_schema_knows_every_word_of_the_kernel() -> None:
    definitions: Any = boundary_schema()
    properties = definitions["properties"]
    assert set(properties["verdict"]["oneOf"][0]["enum"]) == {verdict.value for verdict in Verdict}
    assert set(properties["sections"]["required"]) == {section.value for section in Section}
    marks = definitions["$defs"]["claim"]["properties"]["marks"]["items"]["enum"]
    assert set(marks) == {mark.value for mark in Mark}
    assert set(properties["status"]["enum"]) == {status.value for status in JobStatus}
    reasons = definitions["$defs"]["dissent"]["properties"]["reason"]["enum"]
    assert set(reasons) == {reason.value for reason in DissentReason}


def test_what_is_not_decided_says_so_in_the_place_of_a_verdict() -> None:
    candidate = full_boundary().model_copy(update={"version": None, "committed_at": None})
    written = boundary_document(candidate, CONVERSATION, NotMeasured(not_measured="the job has not ended"))
    assert written["verdict"] == written["reasons"] == {"not_measured": "the job has not ended"}
    validate(written)
    wrong: list[JsonValue] = [{"not_measured": ""}, {}, None, "running"]
    for bad in wrong:
        with pytest.raises(ValidationError):
            validate({**written, "verdict": bad})
    with pytest.raises(ValidationError):  # a version without a verdict to commit
        validate({**written, "version": 1, "committed_at": INSTANT.isoformat()})


def test_another_conversation_is_refused() -> None:
    with pytest.raises(InvalidConversation):
        boundary_document(full_boundary(), a_conversation("Something else."))
