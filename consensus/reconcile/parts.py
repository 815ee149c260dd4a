"""What is left of a claim of which a part ends: each sentence that nothing touches, and the rest of one that is."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from consensus.concepts import roots_in_order
from consensus.reconcile.matching import says_all
from consensus.reconcile.parting import rest_of, stay_of
from consensus.representative import stands_alone
from dissolution.claims import Claim, ClaimState, Evidence
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

POINTS_BACK = re.compile(r"\b(?:it|its|they|them|this|these|those|the (?:former|latter))\b", re.IGNORECASE)
"""Words that mean something said before."""

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


def left_of(
    claim: Claim, touched: Callable[[str], bool], held: Iterable[str], job: str, *, within: bool = False
) -> Claim | None:
    """What goes on of a claim that ends: its parts that nothing touches and no other open claim says.

    Args:
        claim: The claim that ends.
        touched: Whether what ends the claim ends these words of it.
        held: The words of the claims that stay open.
        job: The job's id.
        within: Whether a part that is touched goes on without the pieces that are (`consensus.reconcile.parting`).
    """
    others = list(held)
    kept = _kept_of(parts_of(claim), touched, within=within)
    found = [part for part in kept if not any(says_all(part, [one]) for one in others)]
    if not found or not any(touched(part) for part in parts_of(claim)):
        return None
    return claim.model_copy(
        update={
            "id": claim_id(job, "left", claim.id, *found),
            "text": "; ".join(part.rstrip(".") for part in found) + ".",
            "evidence": tuple(dict.fromkeys(piece for part in found for piece in _evidence(part, claim.evidence))),
            "reason": f"what is left of {claim.id}",
            "state": ClaimState.CURRENT,  # a claim of its own: the ledger has not held it before
            "carried": 0,
        }
    )


def _kept_of(parts: Sequence[str], touched: Callable[[str], bool], *, within: bool) -> list[str]:
    """What is left of each part in order; what points back to a part that went goes with it."""
    found: list[str] = []
    gone = False
    for part in parts:
        kept = None if gone and POINTS_BACK.search(part) else _kept(part, touched, within=within)
        gone = kept is None
        found += [] if kept is None else [kept]
    return found


def _kept(part: str, touched: Callable[[str], bool], *, within: bool) -> str | None:
    """A part that nothing touches, what is left of one that something does, or None."""
    if not touched(part):
        return part if len(part.split()) >= FEWEST_WORDS and stands_alone(part) else None
    rest = rest_of(part, touched) if within else None
    return rest if rest is not None and stands_alone(rest) else None


def lost_of(claim: Claim, touched: Callable[[str], bool], held: Iterable[str]) -> tuple[str, ...]:
    """What would be lost with a claim that cannot be parted: pieces that nothing touches and nobody else says.

    Args:
        claim: The claim that would end.
        touched: Whether what ends it ends these words of it.
        held: The words of the claims that stay open.
    """
    others = list(held)
    stay = [
        piece
        for part in parts_of(claim)
        if touched(part) and not rest_of(part, touched)
        for piece in stay_of(part, touched)
    ]
    return tuple(piece for piece in stay if not _said(piece, others))


def _said(piece: str, others: Sequence[str]) -> bool:
    own = frozenset(roots_in_order(piece))
    return any(own <= frozenset(roots_in_order(one)) for one in others)


def _evidence(part: str, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The stretches that speak of a part; all of the claim's where its words are too few to tell."""
    own = frozenset(roots_in_order(part))
    return (
        tuple(
            piece for piece in evidence if len(own & frozenset(roots_in_order(piece.text))) >= SHARED * max(1, len(own))
        )
        or evidence
    )
