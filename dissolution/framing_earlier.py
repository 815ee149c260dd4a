"""Findings and fields as earlier versions stored them, read as what they are called now."""

from collections.abc import Mapping
from typing import cast

from dissolution.reviewing import Fault

BY_STATUS = {
    "proposed": Fault.PROPOSAL,
    "one_off": Fault.ONE_ANSWER_ONLY,
    "rejected": Fault.REFUSED,
    "injected": Fault.NOT_AGREED,
}
"""What a promotion of a premise of this status is called now; any other is a guess."""

BY_KIND = {
    "vanishing": Fault.MISSING,
    "demotion": Fault.FALSE,
    "attribution": Fault.WRONG_SPEAKER,
    "fabrication": Fault.FALSE,
}


def without(given: object, removed: frozenset[str]) -> object:
    """What was stored, less fields that do not exist any more; whatever is no mapping is left to the type's own check.

    Args:
        given: What a type is to be made of.
        removed: Names of fields of earlier versions.
    """
    if not isinstance(given, Mapping):
        return given
    fields = cast("Mapping[str, object]", given)
    return {name: value for name, value in fields.items() if name not in removed}


def finding_as_now(given: object) -> object:
    """A finding of an earlier version, whose sentence stands for the claim's words; any other is given back."""
    if not isinstance(given, Mapping):
        return given
    old = cast("Mapping[str, object]", given)
    if "kind" not in old:
        return old
    kind = str(old["kind"])
    about = {"claim": old.get("claim"), "section": old.get("section") or "KNOWN", "text": old.get("words")}
    return {
        "fault": BY_KIND[kind] if kind in BY_KIND else BY_STATUS.get(str(old.get("before")), Fault.GUESS),
        "claims": (about,) if old.get("claim") else (),
        "evidence": old.get("evidence", ()),
        "told_by": old.get("told_by", ("rules",)),
        "action": old.get("action", "annotate"),
        "outcome": old.get("outcome") or str(old.get("words")),
    }
