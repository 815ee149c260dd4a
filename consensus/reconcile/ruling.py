"""What becomes of a held claim beside a newer one: it ends, the two are contested, or neither touches the other."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from consensus.concepts import roots_in_order
from consensus.guards import Guard, contradiction, same_subject
from consensus.lexical import root
from consensus.profile import profile_of
from consensus.reconcile.compare import Relation, compare
from consensus.reconcile.cues import newest_words, replaces_something, settling_words, takes_back
from consensus.reconcile.matching import acts, says_all
from consensus.reconcile.merging import newest
from consensus.reconcile.slots import about
from consensus.reconcile.space import Space
from dissolution.claims import Claim, ClaimState, Evidence, HeldAct, Mark, Section
from dissolution.conversation import Snapshot
from wording.choice import ChoiceKind, choices


class Fate(StrEnum):
    """What a newer claim does to a held one."""

    ENDS = "ends"
    CONTESTS = "contests"
    OUTDATED = "outdated"  # the newer claim rests on older turns: it says what the held one replaced
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A fate with its reason.

    Attributes:
        fate: What the newer claim does to the held one.
        reason: Why, in words.
        state: What the held claim becomes when it ends.
        evidence: The words of turns it ends by.
        opposed: Whether both cannot hold; else they may be about two things, or two wordings of one.
    """

    fate: Fate
    reason: str = ""
    state: ClaimState = ClaimState.SUPERSEDED
    evidence: tuple[Evidence, ...] = ()
    opposed: bool = False


NOTHING = Ruling(Fate.NOTHING)
PLAIN_DENIALS = frozenset({Guard.NEGATION, Guard.CHOICE, Guard.TIMING})
"""Guards whose veto needs no figure: one claim denies, rejects or puts off what the other says."""


def rule(held: Claim, later: Claim, snapshot: Snapshot, space: Space) -> Ruling:
    """What `later`, which this cycle's answers say, does to a held claim.

    Args:
        held: An open claim of the ledger.
        later: A claim of this cycle with the evidence of this cycle.
        snapshot: The conversation.
        space: Distances between both texts.
    """
    if Section.EDGES in {held.section, later.section} or not (held.evidence and later.evidence):
        return NOTHING
    cue = replaces_something(later, snapshot)
    relation, why = _relation(held, later, space, cue=cue)
    clash = relation is Relation.REPLACES
    if not clash and held.id in acts(later, HeldAct.REVISE) and _shares(held, later):
        relation, why = Relation.REPLACES, "another wording, as a member says"
    if relation is Relation.APART:
        return NOTHING
    before, after = newest(held), newest(later)
    if after == before:
        return NOTHING  # one turn says both: whoever said both in one breath saw no conflict
    if after < before:
        outdated = relation is Relation.REPLACES and compare(later.text, held.text).relation is Relation.REPLACES
        return Ruling(Fate.OUTDATED, f"turn {before} says otherwise ({why})") if outdated else NOTHING
    return replace(_settled(held, later, snapshot, relation, why), opposed=clash)


def _settled(held: Claim, later: Claim, snapshot: Snapshot, relation: Relation, why: str) -> Ruling:
    """Whether newer words end a held claim or only contest it."""
    evidence, after = newest_words(later), newest(later)
    if Mark.PINNED in held.marks:
        reason = f"a person pinned it; turn {after} gives {why}"
        return Ruling(Fate.CONTESTS, reason, evidence=evidence)
    if relation is Relation.DOUBTFUL:
        return Ruling(Fate.CONTESTS, f"perhaps the same slot: turn {after} gives {why}", evidence=evidence)
    settling = settling_words(held, later, snapshot)
    if not settling:
        reason = f"turn {after} gives {why}, and nothing says that it settles it"
        return Ruling(Fate.CONTESTS, reason, evidence=evidence)
    turn = settling[0].turn
    if takes_back([later.text, *(piece.text for piece in settling)]):
        return Ruling(Fate.ENDS, f"turn {turn} corrects it: {why}", ClaimState.CORRECTED, settling)
    return Ruling(Fate.ENDS, f"turn {turn} gives {why}", ClaimState.SUPERSEDED, settling)


PART = re.compile(r"[.;,]\s+|\s+but\s+")
GIVES_UP = frozenset({ChoiceKind.REJECTED, ChoiceKind.STOPPED, ChoiceKind.REVERSED})
DENYING = frozenset({"never", "not", "longer"})
TAKES_UP = frozenset({ChoiceKind.CHOSEN, ChoiceKind.STARTED})


def _rejects(held: Claim, later: Claim) -> bool:
    """Whether the later claim gives up what the held one commits to: "r419 is withdrawn" after "the fix is r419"."""
    mine, theirs = frozenset(roots_in_order(held.text)), frozenset(roots_in_order(later.text))
    taken = frozenset(word for words in _objects(held.text, TAKES_UP) for word in words)
    for words in _objects(later.text, GIVES_UP):
        if not words or not words <= mine or _denied(held.text, words):
            continue
        exact = any(letter.isdigit() for word in words for letter in word)
        about_it = held.section is Section.DECIDED or bool((mine & theirs) - words)
        if exact and held.section is Section.DECIDED:
            return True
        if (words <= taken or (len(words) > 1 and about_it)) and _one_chooser(held.text, later.text):
            return True
    return False


def _denied(text: str, words: frozenset[str]) -> bool:
    """Whether the part of a claim that speaks of these words denies or rejects them itself."""
    parts = [part for part in PART.split(text) if words & frozenset(roots_in_order(part))]
    return any(profile_of(part).denies for part in parts)


def _objects(text: str, kinds: frozenset[ChoiceKind]) -> list[frozenset[str]]:
    """The roots of what is chosen or given up, one set for each choice.

    Where the words of choosing have no object beside them, what was named with a digit before them is meant:
    "r419 (the quick one) is withdrawn".
    """
    found: list[frozenset[str]] = []
    for choice in choices(text):
        if choice.kind in kinds:
            words = frozenset(root(word) for word in choice.object_words)
            named = (
                word for word in roots_in_order(text[: choice.span.start]) if any(letter.isdigit() for letter in word)
            )
            found.append(words or frozenset(named))
    return found


def _one_chooser(one: str, two: str) -> bool:
    """Whether nothing tells that what takes up and what gives up are two: the staging and the production site."""
    left, right = _chooser(one, TAKES_UP), _chooser(two, GIVES_UP)
    return not left or not right or left == right


def _chooser(text: str, kinds: frozenset[ChoiceKind]) -> frozenset[str]:
    """What the subject of the first choice is about; nothing for "we", or without one."""
    first = next((choice for choice in choices(text) if choice.kind in kinds), None)
    return frozenset() if first is None else about(text[: first.span.start]) - DENYING


def _other_things(one: str, two: str) -> bool:
    """Whether each claim is about something that the other does not name: the customer and the partner portal."""
    return bool(about(one) - about(two)) and bool(about(two) - about(one))


def _shares(held: Claim, later: Claim) -> bool:
    """Whether two claims have a word of their subject in common: a member's hint alone ends nothing."""
    return bool(about(held.text) & about(later.text))


def _relation(held: Claim, later: Claim, space: Space, *, cue: bool) -> tuple[Relation, str]:
    """The relation by values, then by a plain denial of the same thing."""
    compared = compare(held.text, later.text, cue=cue)
    if compared.relation is not Relation.APART:
        return compared.relation, compared.why
    if _rejects(held, later):
        return Relation.REPLACES, "that it is given up"
    old, new = profile_of(held.text), profile_of(later.text)
    veto = contradiction(old, new)
    if veto is None or veto.guard not in PLAIN_DENIALS or not space.on_topic(held.text, later.text):
        return Relation.APART, ""
    one_subject = same_subject(old, new) and _one_chooser(held.text, later.text)
    if not one_subject or _other_things(held.text, later.text):
        return Relation.DOUBTFUL, f"the opposite ({veto.guard})"
    return Relation.REPLACES, f"the opposite ({veto.guard})"


def touches(part: str, held: Claim, later: Claim, space: Space) -> bool:
    """Whether what `later` says ends a part of a held claim, or says all of it."""
    piece = held.model_copy(update={"text": part})
    return _relation(piece, later, space, cue=True)[0] is not Relation.APART or says_all(part, [later.text])
