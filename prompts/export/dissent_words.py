"""Why a statement did not become a claim, in words for whoever reads it; the stored detail keeps the arithmetic."""

import re

from dissolution.claims import Dissent, DissentReason
from prompts.export.reason_words import reason_in_words

WHY = {
    DissentReason.UNSUPPORTED: "no words of the conversation bear it out",
    DissentReason.INJECTED: "its words stand in quoted or pasted text alone, which binds nobody",
    DissentReason.FEW_FAMILIES: "too few models state it",
    DissentReason.CONTESTED: "one side of a contradiction that no turn settles; an open question names both",
    DissentReason.SUPERSEDED: "a later turn changed it",
    DissentReason.CONTAINED: "what stands already says it",
    DissentReason.SIZE: "there was no room for it, and others matter more",
    DissentReason.REVIEWED: "reviewers say that it does not stand as it is",
    DissentReason.DISMISSED: "a person decided against it",
}
SHORT = {
    DissentReason.UNSUPPORTED: "without words of the conversation",
    DissentReason.INJECTED: "from quoted text alone",
    DissentReason.FEW_FAMILIES: "stated by too few",
    DissentReason.CONTESTED: "contradicted",
    DissentReason.SUPERSEDED: "changed later",
    DissentReason.CONTAINED: "said already",
    DissentReason.SIZE: "for want of room",
    DissentReason.REVIEWED: "rejected in review",
    DissentReason.DISMISSED: "dismissed by a person",
}
"""The same after a number."""

OWN_WORDS = frozenset({DissentReason.REVIEWED, DissentReason.CONTESTED, DissentReason.DISMISSED})
"""Reasons whose detail is what somebody said, and is told beside them."""

_SINGLE = "no single source"
_LOOSE = "evidence"
_TURN = re.compile(r"\bturn (\d+)\b")


def dissent_in_words(item: Dissent) -> str:
    """Why it was set aside, for a person."""
    told = WHY[item.reason]
    if item.reason is DissentReason.FEW_FAMILIES:
        beside = {
            _SINGLE: "the policy takes nothing on one family's word",
            _LOOSE: "its words fit the turns too loosely",
        }
        told = ", and ".join([told, *(words for sign, words in beside.items() if sign in item.detail)])
    if item.reason in {DissentReason.INJECTED, DissentReason.SUPERSEDED} and (found := _TURN.search(item.detail)):
        told = f"{told} (turn {found[1]})"
    said = reason_in_words(item.detail)
    if item.detail and item.detail not in told and (item.reason in OWN_WORDS or said != item.detail):
        told = f"{told}: {said}"
    return told
