"""How a statement is meant: as fact, guess, plan, rule, permission, question or condition.

Read by closed classes of words alone (modal verbs, conjunctions of condition, "will") and, for guesses, by the fitted
model of wording. It points; it keeps no statements apart and moves none.
"""

import re
from collections.abc import Callable
from enum import StrEnum

from language.masks import blanked, code_spans, quotation_spans, straightened
from language.putting import is_hedged


class Modality(StrEnum):
    """How a statement is meant."""

    FACT = "fact"
    GUESS = "guess"
    PLAN = "plan"
    OBLIGATION = "obligation"
    PROHIBITION = "prohibition"
    PERMISSION = "permission"
    QUESTION = "question"
    CONDITIONAL = "conditional"


_DENIED = r"(?: not| never|n't)\b"
PROHIBITION = re.compile(
    rf"\b(?:must|shall|should|may|(?:is|are) to|allowed){_DENIED}|\b(?:not|never) (?:allowed|permitted|to be)\b"
    r"|\b(?:forbidden|prohibited)\b|^(?:do not|don't|never)\b|^(?:nobody|no \w+) (?:may|must|shall|can)\b",
    re.IGNORECASE,
)
NOT_OBLIGED = re.compile(
    r"\b(?:need not|needn't|(?:do|does)(?: not|n't) (?:have|need) to|not required)\b", re.IGNORECASE
)
OBLIGATION = re.compile(
    r"\b(?:must|shall|should|ought to|(?:has|have|had) to|needs? to|required|always)\b|^please\b", re.IGNORECASE
)
PERMISSION = re.compile(r"\b(?:may|allowed to|permitted to|free to|optional)\b", re.IGNORECASE)
CONDITION = re.compile(r"\b(?:if|unless|provided that|as long as|in case|whenever)\b", re.IGNORECASE)
PLAN = re.compile(r"(?:\b(?:will|won't|going to|plans? to|intends? to)|'ll)\b", re.IGNORECASE)


def modality(text: str) -> Modality:
    """The modality of `text`, which is one statement; the first rule that holds wins.

    Question; a condition that comes first; prohibition; guess; obligation; permission; a condition that comes later;
    plan; fact. Empty text is a fact about nothing. Code and quotations do not count.
    """
    plain = straightened(text)
    plain = blanked(plain, code_spans(plain), "x")
    plain = blanked(plain, quotation_spans(plain), "x").strip(" \t\n-*•_#>")
    for kind, holds in RULES:
        if holds(plain):
            return kind
    return Modality.FACT


RULES: tuple[tuple[Modality, Callable[[str], bool]], ...] = (
    (Modality.QUESTION, lambda plain: plain.rstrip("\"')*_ ").endswith("?")),
    (Modality.CONDITIONAL, lambda plain: CONDITION.match(plain) is not None),
    (Modality.PROHIBITION, lambda plain: PROHIBITION.search(plain) is not None),
    (Modality.GUESS, is_hedged),
    (Modality.OBLIGATION, lambda plain: OBLIGATION.search(NOT_OBLIGED.sub("", plain)) is not None),
    (Modality.PERMISSION, lambda plain: (NOT_OBLIGED.search(plain) or PERMISSION.search(plain)) is not None),
    (Modality.CONDITIONAL, lambda plain: CONDITION.search(plain) is not None),
    (Modality.PLAN, lambda plain: PLAN.search(plain) is not None),
)
