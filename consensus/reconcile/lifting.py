"""Turns that end something by name, with nothing in its place: "drop the freeze", "that rule is off", "done, shipped".

What ends is named by a noun phrase; the commitment whose words hold all of it ends, if there is just one. Where the
phrase fits several nothing ends and all of them are contested: who said it knew which, the words do not.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from consensus.lifted import STAYS
from consensus.profile import profile_of
from consensus.promotion import ONCE
from consensus.reconcile.matching import says_all
from consensus.reconcile.merging import newest
from consensus.reconcile.ruling import GIVES_UP
from consensus.reconcile.slots import about
from consensus.reconcile.timing import binds
from dissolution.claims import Claim, ClaimId, Evidence
from wording.choice import choices
from wording.modality import Modality
from wording.sentences import sentence_spans

THING = r"(?P<what>(?:[\w'’-]+ ){0,5}[\w'’-]+?)"
DROPS = re.compile(
    rf"\b(?:drop|lift|cancel|scrap|forget|remove|call off|end|waive|abandon|revoke|suspend|withdraw|discontinue"
    rf"|retire|rescind"
    rf"|(?:is|are|we|I|they|he|she|has|have) (?:now )?(?:dropp|lift|cancell?|scrapp|remov|end|waiv|abandon"
    rf"|revok|suspend"
    rf"|discontinu|retir|rescind)(?:ed|ing)|(?:we|I) (?:called|call) off)"
    rf" (?:the|that|this|our|my|all|any) {THING}(?=[,;:.!]|\s(?:because|since|and|but|as|for|from|now|then"
    rf"|again|entirely|please)\b|$)",
    re.IGNORECASE,
)
"""Wording that ends what it names."""

IS_OVER = re.compile(
    rf"\b(?:the|that|this|our|my) {THING} (?:is|are|was|were|has been|have been) (?:now |all |finally "
    rf"|officially |already )?"
    r"(?:off|over|lifted|cancell?ed|dropped|scrapped|waived|withdrawn|revoked|rescinded|suspended|void"
    r"|terminated|called off"
    r"|no longer (?:needed|required|in force|valid|necessary)|off the table|abandoned|discontinued|history)"
    r"(?=[,;:.!]|\s(?:because|since|and|but|as|from|now|then|for)\b|$)",
    re.IGNORECASE,
)
"""Wording that what it names is over."""

IS_DONE = re.compile(
    rf"\b(?:the|that|this|our|my) {THING} (?:is|are|was|were|has been|have been) (?:now |all |finally |already |just )?"
    r"(?:done|shipped|finished|completed?|delivered|sent|submitted|signed|paid|merged|filed|live|out|booked"
    r"|installed|migrated"
    r"|deployed|released|published|closed|returned)(?=[,;:.!]|\s(?:because|since|and|but|as|from|now|then|today"
    r"|this|yesterday)\b|$)",
    re.IGNORECASE,
)
"""Wording that an act was carried out: it ends a promise or plan to do it, and no rule."""

ACTS = re.compile(
    r"\b(?:will|shall|must|need(?:s)? to|ha(?:s|ve) to|(?:is|are) (?:going )?to|plans? to|promises? to"
    r"|commit(?:s|ted)? to|due"
    r"|scheduled|planned|deadline|agreed to|going out|goes out|ships?|sends?|delivers?|submits?|files?|signs?"
    r"|pays?|by)\b",
    re.IGNORECASE,
)
"""Wording of an act that is still to be carried out."""

DENIES = re.compile(r"\b(?:not|never|neither|nor|no|nobody|without|cannot)\b|n['’]t\b", re.IGNORECASE)
"""Wording before an ending that undoes it: "neither rename nor remove those"."""

OF_THING = re.compile(r"\bof (?:the |an? |our |my |your )?(?:\w+ )?\w+", re.IGNORECASE)
"""Wording of what something belongs to: who removes a table removes no column of it by name."""

PHRASE_END = re.compile(
    r"[,;:.!?](?=\s|$)|\s(?:because|since|and|but|as|from|now|then|for|during|while|until|till|when|if|before|after)\b"
)
"""Where the words for one thing end."""

NAMED = 0.3  # share of a claim's words that a name must have to be the name of it

LASTING = re.compile(r"\b(?:always|never|every|each|any|whenever|all)\b", re.IGNORECASE)
"""Wording of a rule: carrying it out once does not end it."""


@dataclass(frozen=True, slots=True)
class Lift:
    """What a turn ends by name.

    Attributes:
        claims: The held claims that the name fits; one ends, several are contested.
        evidence: The words that end it.
        why: What they do, in words.
    """

    claims: tuple[ClaimId, ...]
    evidence: Evidence
    why: str


def lifts_of(held: Sequence[Claim], spoken: Iterable[Evidence]) -> tuple[Lift, ...]:
    """Everything that these stretches end by name among the held commitments.

    Args:
        held: Open claims.
        spoken: What somebody says in turns since the last boundary, in order.
    """
    commitments = [claim for claim in held if binds(claim)]
    found: list[Lift] = []
    for piece in spoken:
        for span in sentence_spans(piece.text):
            lift = _lift(piece.text[span.start : span.end], piece, commitments)
            if lift is not None:
                found.append(lift)
    return tuple(found)


def _lift(sentence: str, piece: Evidence, held: Sequence[Claim]) -> Lift | None:
    if STAYS.search(sentence) or ONCE.search(sentence) or profile_of(sentence).modality is Modality.CONDITIONAL:
        return None
    for pattern, why, acts in (
        (DROPS, "ends it", False),
        (IS_OVER, "says that it is over", False),
        (IS_DONE, "says that it is done", True),
    ):
        match = pattern.search(sentence)
        if match is None or DENIES.search(re.split(r"[;,:]\s", sentence[: match.start()])[-1]):
            continue
        named = about(f"{match['what']}.")
        fits = [claim for claim in held if _fits(claim, named, piece, acts=acts)]
        fits = [claim for claim in fits if acts or not _says_so(claim, sentence, named)]
        if fits:
            return Lift(tuple(sorted(claim.id for claim in fits)), piece, f"turn {piece.turn} {why}")
    return None


def _fits(claim: Claim, named: frozenset[str], piece: Evidence, *, acts: bool) -> bool:
    """Whether a name, all its words, fits a claim that older turns state."""
    own = about(claim.text)
    heads = about(OF_THING.sub("", claim.text))
    if not named & heads or not named <= own or len(named) < NAMED * len(own):
        return False
    if newest(claim) >= piece.turn:
        return False
    return not acts or (ACTS.search(claim.text) is not None and LASTING.search(claim.text) is None)


def _says_so(claim: Claim, sentence: str, named: frozenset[str]) -> bool:
    """Whether a claim is itself that the named thing ends, or the sentence says the claim: once more ends nothing."""
    return says_all(claim.text, [sentence]) or any(named <= given_up for given_up in _given_up(claim.text))


def _given_up(text: str) -> list[frozenset[str]]:
    """What each thing is about that a text ends, drops or rules out."""
    found = [match["what"] for pattern in (DROPS, IS_OVER) for match in pattern.finditer(text)]
    for choice in choices(text):
        if choice.kind in GIVES_UP:
            found += [PHRASE_END.split(text[: choice.span.start])[-1], PHRASE_END.split(text[choice.span.end :])[0]]
    return [about(f"{words.strip()}.") for words in found]
