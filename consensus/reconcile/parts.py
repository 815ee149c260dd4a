"""What is left of a claim of which only a part ends: each sentence that nothing touches goes on by itself."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise

from consensus.concepts import roots_in_order
from consensus.reconcile.matching import says_all
from consensus.representative import stands_alone
from dissolution.claims import FIRM_SECTIONS, Claim, ClaimState, Evidence
from dissolution.ids import claim_id
from wording.grammar import FUTURE_AUX, PAST_AUX, PREPOSITIONS, PRESENT_AUX
from wording.sentences import sentence_spans
from wording.verbs import ALSO_NOUNS, BASES, STRONG_PASTS, base_of_third_person

WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
FINITE = PRESENT_AUX | PAST_AUX | FUTURE_AUX
LEADS = PREPOSITIONS | {"the", "a", "an", "our", "my", "your", "their", "its", "his", "her", "this", "these", "those"}
"""Words behind which a noun stands, not a verb."""

PERSONS = frozenset({"i", "we", "you", "they"})

SUBJECT = re.compile(r"(?P<who>I|We|They)\s+(?=[a-z])")
JOINT = re.compile(r"(?:,\s+(?:and\s+)?|\s+and\s+)(?P<rest>(?:never |always |only |do not )?(?P<verb>[a-z]+)\b)")
CLAUSES = re.compile(
    r",?\s+(?:and|but|while|whereas)\s+(?=(?:the|an?|our|my|your|their|its|his|her|this|these|those|each|every|no|all"
    r"|I|we|they|it|[A-Z][\w'’-]*)\b)"
)
"""A joint behind which a subject may stand."""

REACHES = re.compile(
    r"\b(?:if|unless|when|whenever|once|until|after|before|because|since|whether|either|neither|both|between|that)\b",
    re.IGNORECASE,
)
"""Before a joint: what may hold for both sides of it."""

FEWEST_WORDS = 2  # a shorter part says nothing by itself
SHARED = 0.3  # share of a part's words that a stretch must have to be evidence for it


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a text, taken apart at semicolons, between clauses and where one subject does much."""
    whole = [text[span.start : span.end] for span in sentence_spans(text)]
    pieces = [piece.strip() for sentence in whole for piece in sentence.split(";")]
    clauses = [clause for piece in pieces if piece for clause in _clauses(piece)]
    return tuple(part for clause in clauses for part in _coordinated(clause))


def _clauses(sentence: str) -> list[str]:
    """The clauses of a sentence that have a subject and a verb each; the sentence itself where one has not."""
    found: list[str] = []
    begin = 0
    for joint in CLAUSES.finditer(sentence):
        left, right = sentence[begin : joint.start()], sentence[joint.end() :]
        if not REACHES.search(left) and _has_verb(left) and _has_verb(CLAUSES.split(right)[0]):
            found.append(left)
            begin = joint.end()
    rest = sentence[begin:]
    return [*found, rest] if not found else [clause[0].upper() + clause[1:] for clause in (*found, rest)]


def _has_verb(clause: str) -> bool:
    """Whether a finite verb stands behind the first word: an auxiliary, or a third person that no article leads."""
    said = [word.casefold() for word in WORD.findall(clause)]
    pairs = list(pairwise(said))
    return any(
        word in FINITE or (_is_verb(word) and before not in LEADS) or (word in BASES and before in PERSONS)
        for before, word in pairs
    )


def _is_verb(word: str) -> bool:
    return word in STRONG_PASTS or word in BASES - ALSO_NOUNS or base_of_third_person(word) in BASES


def parts_of(claim: Claim) -> tuple[str, ...]:
    """What a claim says, part by part."""
    return sentences_of(claim.text)


def _coordinated(sentence: str) -> list[str]:
    """The sentences in "I do this, do that and never do the other", each with the subject; else the sentence itself."""
    match = SUBJECT.match(sentence)
    if match is None:
        return [sentence]
    cuts = [cut for cut in JOINT.finditer(sentence, match.end()) if cut["verb"].casefold() in BASES]
    if not cuts:
        return [sentence]
    edges = [match.end(), *(cut.start("rest") for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(sentence)]
    return [
        f"{match['who']} {sentence[start:end].strip().rstrip('.,')}." for start, end in zip(edges, ends, strict=True)
    ]


def left_of(claim: Claim, touched: Callable[[str], bool], held: Iterable[str], job: str) -> Claim | None:
    """What goes on of a claim that ends: its parts that nothing touches and no other open claim says.

    Args:
        claim: The claim that ends.
        touched: Whether what ends the claim ends a part of it.
        held: The words of the claims that stay open.
        job: The job's id.
    """
    parts = parts_of(claim)
    others = list(held)
    found = [part for part in parts if _goes_on(part, touched) and not any(says_all(part, [one]) for one in others)]
    if not found or len(found) == len(parts):
        return None
    evidence = tuple(dict.fromkeys(piece for part in found for piece in _evidence(part, claim.evidence)))
    if claim.section in FIRM_SECTIONS and not evidence:
        return None
    return claim.model_copy(
        update={
            "id": claim_id(job, "left", claim.id, *found),
            "text": "; ".join(part.rstrip(".") for part in found) + ".",
            "evidence": evidence,
            "reason": f"what is left of {claim.id}",
            "state": ClaimState.CURRENT,  # a claim of its own: the ledger has not held it before
            "carried": 0,
        }
    )


def _goes_on(part: str, touched: Callable[[str], bool]) -> bool:
    return len(part.split()) >= FEWEST_WORDS and stands_alone(part) and not touched(part)


def _evidence(part: str, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    own = frozenset(roots_in_order(part))
    return tuple(
        piece for piece in evidence if len(own & frozenset(roots_in_order(piece.text))) >= SHARED * max(1, len(own))
    )
