"""What becomes of one claim by what reviewers say of it: it leaves, its words are replaced, it moves, or it stays.

Votes count by what they come to. Who calls a claim a guess and who calls it a proposal agree that it is open; who calls
it false and who calls it stale agree that it ends; where they only agree that it does not stand, the milder is done.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dissolution.claims import BINDING_SECTIONS, Claim, ClaimState, DissentReason, FamilyName, Section
from dissolution.conversation import Snapshot
from dissolution.framing import MOST_NEEDED, Action, Finding
from dissolution.reviewing import Fault, ReviewedClaim
from frame_agent.review.candidate_sheet import Sheet, same_as_hint
from frame_agent.review.one_per_member import Voice, by_fault, evidence_of, families, leading, needed
from frame_agent.review.quote_proof import is_spoken
from frame_agent.review.replacements import Worded, as_claim, as_dissent, binds_by_quotes, standing_for, worded
from frame_agent.review.wording_distance import Comparing

OPENS = frozenset({Fault.GUESS, Fault.PROPOSAL})
CLOSES = frozenset({Fault.FALSE, Fault.REFUSED, Fault.NOT_AGREED, Fault.STALE, Fault.ANSWERED, Fault.ONE_ANSWER_ONLY})
REWORDS = frozenset({Fault.INCOMPLETE, Fault.WRONG_SPEAKER})
OVER = frozenset({Fault.STALE, Fault.ANSWERED})
"""Faults of what held once."""

ASIDE = {Fault.STALE: DissentReason.SUPERSEDED, Fault.NOT_AGREED: DissentReason.INJECTED}
"""Why a new claim is dissent, by what most say is wrong with it; else reviewers say so."""

PERSONS = "only a person may change it: it is pinned or confirmed"


class Case(NamedTuple):
    """One claim and what is said of it."""

    claim: Claim
    voices: tuple[Voice, ...]
    needed: int | None


class Ballot(NamedTuple):
    """Who wants what done with one claim; a family that wants it open and ended wants it open."""

    opens: tuple[Voice, ...]
    closes: tuple[Voice, ...]
    rewords: tuple[Voice, ...]
    moves: tuple[Voice, ...]

    @property
    def families(self) -> frozenset[FamilyName]:
        """The families that say that it does not stand as it is."""
        return families((*self.opens, *self.closes))


def ballot_of(case: Case) -> Ballot:
    """The voices about one claim by what they come to. What is open already cannot be opened."""
    is_open = case.claim.section is Section.EDGES
    opens = tuple(
        one
        for one in case.voices
        if one.fault in OPENS or (one.fault is Fault.WRONG_SECTION and one.remark.section is Section.EDGES)
    )
    opening = () if is_open else opens
    return Ballot(
        opens=opening,
        closes=tuple(one for one in case.voices if _closes(one, case.claim) and one.family not in families(opening)),
        rewords=tuple(one for one in case.voices if one.fault in REWORDS and one.remark.text is not None),
        moves=tuple(
            one
            for one in case.voices
            if one.fault is Fault.WRONG_SECTION and one.remark.section not in {Section.EDGES, case.claim.section}
        ),
    )


def _closes(voice: Voice, claim: Claim) -> bool:
    loses = voice.fault is Fault.CONTRADICTS and voice.best is not None and voice.best != claim.id
    return loses or voice.fault in CLOSES


class Singles:
    """Decides about claims one by one.

    Args:
        sheet: The candidate while it is amended.
        snapshot: The conversation.
        comparing: How wordings compare.
    """

    def __init__(self, sheet: Sheet, snapshot: Snapshot, comparing: Comparing) -> None:
        self._sheet = sheet
        self._snapshot = snapshot
        self._comparing = comparing

    def decide(self, claim: Claim, voices: Sequence[Voice]) -> Iterator[Finding]:
        """Do what enough families say of a claim, and tell what all say of it."""
        case = Case(claim, tuple(voices), needed([claim]))
        done = () if case.needed is None else self._done(case, ballot_of(case))
        used = {one for said, _ in done for one in said}
        for said, outcome in done:
            yield finding_of((claim,), said, case.needed, outcome)
        rest = [one for one in case.voices if one not in used and one.fault is not Fault.CONTRADICTS]
        for said in by_fault(rest).values():
            yield finding_of((claim,), said, case.needed, None, why=self._why(case, said))

    def _done(self, case: Case, ballot: Ballot) -> "tuple[Done, ...]":
        """What was done, each with whose voices it was done on."""
        leaves = self._leaves(case, ballot)
        acts = (leaves,) if leaves is not None else (self._replaced(case, ballot), self._moved(case, ballot))
        return tuple(one for one in acts if one is not None)

    def _leaves(self, case: Case, ballot: Ballot) -> "Done | None":
        """Open it or end it where enough families say that it does not stand; None where it stays."""
        opens, closes, least = families(ballot.opens), families(ballot.closes), case.needed or 0
        if len(closes) >= least and len(closes) > len(opens):
            return ballot.closes, self._close(case.claim, ballot.closes)
        if ballot.opens and len(ballot.families) >= least:
            voices = (*ballot.opens, *ballot.closes)
            return voices, self._open(case.claim, voices, ballot.opens)
        return None

    def _close(self, claim: Claim, voices: tuple[Voice, ...]) -> str:
        fault = leading(voices)
        aside = ASIDE.get(fault, DissentReason.REVIEWED)
        reason = reason_of(voices)
        instead = worded(voices, claim.section, self._comparing)
        if instead is not None and claim.section is Section.EDGES and instead.section is Section.EDGES:
            instead = None if fault is Fault.ANSWERED else instead  # the answer to a question is no question
        by, told = self._put(claim, instead, reason)
        over = fault in OVER or (fault is Fault.REFUSED and _later(claim, voices))
        state = ClaimState.CORRECTED if not over else ClaimState.SUPERSEDED if by is not None else ClaimState.EXPIRED
        done = self._sheet.close(claim, state, aside, reason, evidence_of(voices), by=by)
        return f"{done}{told}"

    def _open(self, claim: Claim, voices: tuple[Voice, ...], opening: tuple[Voice, ...]) -> str:
        reason = reason_of(voices)
        instead = worded(opening, Section.EDGES, self._comparing)
        if instead is None:
            self._shift(claim, Section.EDGES, voices)
            return "moved to EDGES"
        by, told = self._put(claim, instead._replace(section=Section.EDGES), reason)
        done = self._sheet.close(
            claim, ClaimState.CORRECTED, DissentReason.REVIEWED, reason, evidence_of(voices), by=by
        )
        return f"{done}{told}"

    def _replaced(self, case: Case, ballot: Ballot) -> "Done | None":
        """Put the reviewers' wording in the place of what is incomplete, or given to the wrong speaker."""
        voices = ballot.rewords
        if not voices or len(families(voices)) < (case.needed or 0):
            return None
        whole = leading(voices) is Fault.INCOMPLETE
        claim = case.claim
        instead = worded(voices, claim.section, self._comparing, also=claim.evidence if whole else ())
        if instead is None or instead.text == claim.text:
            return None
        instead = instead._replace(section=self._section(case, ballot) or claim.section)
        if binds_by_quotes(instead, self._snapshot):
            return None
        reason = reason_of(voices)
        by, told = self._put(claim, instead, reason)
        done = self._sheet.close(
            claim, ClaimState.CORRECTED, DissentReason.REVIEWED, reason, evidence_of(voices), by=by
        )
        return voices, f"{done}{told}"

    def _moved(self, case: Case, ballot: Ballot) -> "Done | None":
        """Put a claim that is still there where enough families say that it belongs."""
        section = self._section(case, ballot)
        if section is None:
            return None
        voices = tuple(one for one in ballot.moves if one.remark.section is section)
        if case.claim.id in self._sheet.claims:
            self._shift(case.claim, section, voices)
        return voices, f"moved to {section.value}"

    def _shift(self, claim: Claim, section: Section, voices: tuple[Voice, ...]) -> None:
        name = self._sheet.move(claim, section, evidence_of(voices), reason_of(voices))
        self._sheet.claims[name] = self._comparing.timed(self._sheet.claims[name])

    def _section(self, case: Case, ballot: Ballot) -> Section | None:
        """The section that enough families agree on; None where they are divided or it may not stand there."""
        told = {section: families(one for one in ballot.moves if one.remark.section is section) for section in Section}
        most = max(map(len, told.values()))
        agreed = [section for section in Section if len(told[section]) == most]
        if most < max(case.needed or 0, 1) or len(agreed) > 1 or self._barred(case, agreed[0]) is not None:
            return None
        return agreed[0]

    def _barred(self, case: Case, section: Section) -> str | None:
        """Why a claim may not stand in a section, whoever says so; None where it may."""
        claim = case.claim
        if section is Section.KNOWN and claim.section in BINDING_SECTIONS and self._sheet.holds(claim.id):
            return "a commitment that the ledger holds is not moved to KNOWN"
        words = (*claim.evidence, *evidence_of(one for one in case.voices if one.remark.section is section))
        if section in BINDING_SECTIONS and not is_spoken(self._snapshot, words):
            return "quoted material alone binds nobody"
        return None

    def _put(self, claim: Claim, instead: Worded | None, reason: str) -> tuple[str | None, str]:
        """The claim in the place of one that leaves, made or found; and that in words.

        The same words are not said twice. What one family words, and a claim says so nearly that the consensus would
        group them, is kept as dissent beside it; what two families word stands, whatever is near.
        """
        if instead is None or binds_by_quotes(instead, self._snapshot):
            return None, ""
        others = [one for one in self._sheet.claims.values() if one.id != claim.id]
        there = standing_for(instead, others, self._comparing)
        if there.word_for_word is not None:
            return there.word_for_word, f"; {there.word_for_word} says what holds"
        name = self._sheet.new_id(claim.id, instead.section.value, instead.text)
        if there.same is not None and len(instead.families) < MOST_NEEDED:
            kept = as_dissent(instead, name, DissentReason.CONTAINED, reason, against=(there.same,))
            self._sheet.note(kept)
            return there.same, f"; {there.same} says what holds, and their words are kept as dissent"
        self._sheet.add(as_claim(instead, name, reason, self._comparing, through=self._snapshot.through), reason)
        if there.near is not None:
            self._sheet.suspect(same_as_hint(there.near, name))
        return name, f"; in its place in {instead.section.value}: {instead.text}"

    def _why(self, case: Case, voices: Sequence[Voice]) -> str:
        """Why nothing was done about what some say."""
        if case.needed is None:
            return PERSONS
        fault, told = voices[0].fault, len(families(voices))
        if fault in OPENS and case.claim.section is Section.EDGES:
            return "it stands as open already"
        if fault is Fault.WRONG_SECTION:
            wanted = {one.remark.section for one in voices} - {None}
            barred = [why for one in wanted if one is not None and (why := self._barred(case, one)) is not None]
            if case.claim.section in wanted:
                return "it stands there already"
            if told >= case.needed and (barred or len(wanted) > 1):
                return barred[0] if barred else "they name different sections"
        if fault in REWORDS and told >= case.needed:
            return "nobody gives a wording that can stand in its place"
        return lacking(told, case.needed)


Done = tuple[tuple[Voice, ...], str]


def lacking(told: int, least: int) -> str:
    """Why what too few families say changes nothing."""
    families = "family says" if told == 1 else "families say"
    if told >= least:
        return f"nothing was changed: other reviewers say what outweighs it ({told} {families} so)"
    return f"nothing was changed: {told} {families} so, and what it would change takes {least}"


def reason_of(voices: Sequence[Voice]) -> str:
    """What reviewers say, and who, as the reason of a change."""
    faults = " or ".join(fault.value.replace("_", " ") for fault in by_fault(voices))
    names = ", ".join(sorted({one.member for one in voices}))
    turns = sorted({one.remark.evidence.turn for one in voices if one.remark.evidence is not None})
    shown = f" (turn {', '.join(map(str, turns))})" if turns else ""
    return f"review: {faults}, say {names}{shown}"


def finding_of(
    claims: Sequence[Claim], voices: Sequence[Voice], least: int | None, outcome: str | None, *, why: str = ""
) -> Finding:
    """What reviewers say of claims, with what was done (`outcome`), or why nothing was (`why`)."""
    return Finding(
        fault=leading(voices),
        claims=tuple(ReviewedClaim(claim=one.id, section=one.section, text=one.text) for one in claims),
        evidence=evidence_of(voices),
        told_by=tuple(sorted({one.member for one in voices})),
        families=tuple(sorted(families(voices))),
        needed=least,
        action=Action.ANNOTATE if outcome is None else Action.REPAIR,
        outcome=outcome or why,
    )


def _later(claim: Claim, voices: Sequence[Voice]) -> bool:
    """Whether the words that refuse it were said after it began to hold."""
    return any(piece.turn > claim.valid.start for piece in evidence_of(voices))
