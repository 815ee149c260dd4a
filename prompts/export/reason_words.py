"""Stored reasons in words for whoever reads them: why a claim stands in its section, and what reviewers said of it."""

import re

from dissolution.claims import Claim
from dissolution.framing import Action, Finding
from dissolution.reviewing import Fault

FAULT_WORDS = {
    Fault.FALSE: "not what was said",
    Fault.GUESS: "only guessed",
    Fault.PROPOSAL: "only proposed",
    Fault.ONE_ANSWER_ONLY: "asked for one answer only",
    Fault.REFUSED: "refused",
    Fault.NOT_AGREED: "agreed to by nobody",
    Fault.STALE: "holds no longer",
    Fault.ANSWERED: "answered already",
    Fault.WRONG_SPEAKER: "said by somebody else",
    Fault.WRONG_SECTION: "in the wrong section",
    Fault.INCOMPLETE: "leaves something out",
    Fault.SAME_AS: "the same said twice",
    Fault.CONTRADICTS: "contradict each other",
    Fault.MISSING: "missing",
}
"""What a reviewer says of a claim, for a person; `Fault` is what is stored."""

ACTION_WORDS = {Action.REPAIR: "put right", Action.ANNOTATE: "noted", Action.BLOCK: "keeps it from being committed"}

_VOTES = re.compile(r"families: ((?:[A-Z]+ \d+(?:, )?)+)")
_REVIEW = re.compile(r"review: ([a-z ]+), say ([^(:]+?)(?: \(turns? ([\d, ]+)\))?(?=$|[:;])")
_FAULTS = {fault.value.replace("_", " "): words for fault, words in FAULT_WORDS.items()}


def reason_in_words(reason: str) -> str:
    """A stored reason for a person: votes and remarks of reviewers as sentences, anything else as it is."""
    return _REVIEW.sub(_remark, _VOTES.sub(_votes, reason))


def placed_in_words(claim: Claim) -> str:
    """Why a claim stands in its section; votes that reviewers joined to it later are told apart."""
    told = reason_in_words(claim.reason)
    votes = _VOTES.fullmatch(claim.reason)
    counted = 0 if votes is None else sum(map(int, re.findall(r"\d+", votes[1])))
    joined = len(claim.support.families) - counted
    if votes is None or joined <= 0:
        return told
    return f"{told}; reviewers joined to it what {joined} more {'states' if joined == 1 else 'state'}"


def fault_in_words(finding: Finding) -> str:
    """What is not as it should be, and what was done about it."""
    return f"{FAULT_WORDS[finding.fault]}, {ACTION_WORDS[finding.action]}"


def _votes(found: re.Match[str]) -> str:
    votes = [part.split() for part in found[1].split(", ") if part]
    told = [f"as {section} by {count} {'family' if count == '1' else 'families'}" for section, count in votes]
    return f"stated {', '.join(told)}"


def _remark(found: re.Match[str]) -> str:
    faults = " or ".join(_FAULTS.get(one, one) for one in found[1].split(" or "))
    place = f" (turn {found[3]})" if found[3] else ""
    who = "reviewers" if "," in found[2] else "reviewer"
    return f"{who} {found[2].strip()}: {faults}{place}"
