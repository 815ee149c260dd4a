"""How a statement is meant: as fact, guess, plan, rule, permission, question or condition."""

import re
from enum import StrEnum

from wording.hedges import is_hedged
from wording.masks import straightened


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


def modality(text: str) -> Modality:
    """The modality of the main clause of `text`."""
    plain = straightened(text).strip()
    if plain.endswith("?"):
        return Modality.QUESTION
    if re.search(r"\b(?:must not|mustn't|may not|never|not allowed|forbidden)\b", plain, re.IGNORECASE):
        return Modality.PROHIBITION
    if is_hedged(plain):
        return Modality.GUESS
    if re.search(r"\b(?:must|has to|have to|needs? to|shall|should|always)\b", plain, re.IGNORECASE):
        return Modality.OBLIGATION
    if re.search(r"\b(?:may|allowed to|permitted)\b", plain):
        return Modality.PERMISSION
    if re.match(r"(?:if|unless|when)\b", plain, re.IGNORECASE):
        return Modality.CONDITIONAL
    if re.search(r"\b(?:will|going to|plan to|intend to)\b", plain):
        return Modality.PLAN
    return Modality.FACT
