"""The propositions of a turn, each with how it is put forward, by wording alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dissolution.claims import Evidence
from dissolution.conversation import Role, Turn
from dissolution.premises import PremiseStatus, Scope
from dissolution.values import Span
from frame_agent import cues
from frame_agent.open_points import LISTED, points_of
from frame_agent.terms import LEAST_TERMS, terms_of
from frame_agent.wordings import LEFT_OPEN, TURNED_DOWN, doubts_before, guesses, of_spoken
from wording.hedges import hedge_spans
from wording.modality import Modality, modality
from wording.sentences import sentence_spans

SHORT = frozenset({PremiseStatus.REJECTED, PremiseStatus.PROPOSED, PremiseStatus.HEDGED})
"""Statuses that one term is enough for: "no cards"."""

LONGEST = 600
"""Characters of a sentence that are read; a longer one is a paste without full stops."""

LEADING = re.compile(r"^(?:[-*•>\d.)\s]+(?=\S))+")
META_CLAUSE = re.compile(
    r"(?:,|;|\s[–—-]\s|\bbut\b|\band\b|\bthough\b)?\s*(?:but |and |though |because )?"
    r"(?:that's|it's|this is|which is|(?:i|we)(?:'ve| have)? (?:not|never|haven't|no|actually)|nobody|no one|there's no"
    r"|for what it's worth|by the way|incidentally|i know|also)\b[^,.;]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """One sentence of one turn as a proposition.

    Attributes:
        turn: Its number.
        role: Who speaks.
        speaker: Their name.
        span: Where it stands in the turn.
        text: The sentence, verbatim.
        quoted: Whether it stands in quoted material.
        status: How it is put forward.
        scope: How far it reaches.
        asks: Whether it is a question.
        terms: What it is about.
        reason: The rule that gave the status, in words.
        held: The proposition: the sentence without its bullet.
    """

    turn: int
    role: Role
    speaker: str
    span: Span
    text: str
    quoted: bool
    status: PremiseStatus
    scope: Scope
    asks: bool
    terms: frozenset[str]
    reason: str
    held: str

    @property
    def evidence(self) -> Evidence:
        """The sentence as evidence."""
        return Evidence(turn=self.turn, start=self.span.start, end=self.span.end, text=self.text)


def propositions(turn: Turn) -> tuple[Found, ...]:
    """Every sentence of a turn that says, asks or orders something, in order.

    Sentences that only speak of the one before ("that's a guess", "only for that form") change it instead of standing
    by themselves.
    """
    found: list[Found] = []
    for start, end in _sentences(turn):
        one = _read(turn, start, end)
        if one is None:
            continue
        if found and not one.quoted and not found[-1].quoted:
            before = _changed_by(found[-1], one.text)
            if before is not None:
                found[-1] = before
                if len(one.terms) < LEAST_TERMS or doubts_before(one.text):
                    continue
        if len(one.terms) >= LEAST_TERMS or (one.terms and one.status in SHORT):
            found.append(one)
            presupposed = _presupposed(one)
            if presupposed is not None:
                found.append(presupposed)
            found.extend(_listed_open(one))
    return tuple(found)


def _listed_open(found: Found) -> Iterator[Found]:
    """The points of a list of open ones, each by itself."""
    for span in () if found.quoted else points_of(found.text):
        held = found.text[span.start : span.end]
        start = found.span.start + span.start
        yield replace(
            found,
            span=Span(start=start, end=start + len(held)),
            text=held,
            held=held,
            asks=False,
            status=PremiseStatus.PROPOSED,
            terms=terms_of(held),
            reason=LISTED,
        )


def _sentences(turn: Turn) -> Iterator[tuple[int, int]]:
    """Sentences, and the lines of quoted material: logs, tables and code have no full stops."""
    for span in sentence_spans(turn.content):
        if not is_quoted(turn, span.start, span.end):
            yield span.start, span.end
            continue
        start = span.start
        for line in turn.content[span.start : span.end].split("\n"):
            bare = line.strip()
            if bare:
                lead = len(line) - len(line.lstrip())
                yield start + lead, start + lead + len(bare)
            start += len(line) + 1


def is_quoted(turn: Turn, start: int, end: int) -> bool:
    """Whether words of a turn are material that was passed on rather than said."""
    return turn.role is Role.TOOL or turn.is_quoted(Span(start=start, end=end))


def _read(turn: Turn, start: int, end: int) -> Found | None:
    end = min(end, start + LONGEST)
    text = turn.content[start:end].rstrip()
    if not text.strip():
        return None
    quoted = is_quoted(turn, start, end)
    plain = LEADING.sub("", text) or text
    asks = not quoted and plain.rstrip("\"')*_ ").endswith("?")
    status, reason = _of_quoted(plain) if quoted else of_spoken(plain, asks=asks)
    if turn.role is Role.SYSTEM and not quoted:  # "never recommend", "you may want": none is a mere idea
        status, reason = PremiseStatus.ASSERTED, "instructed by the operator"
    return Found(
        turn=turn.number,
        role=turn.role,
        speaker=turn.speaker,
        span=Span(start=start, end=start + len(text)),
        text=text,
        quoted=quoted,
        status=status,
        scope=_scope(plain, status),
        asks=asks,
        terms=terms_of(substance(plain) if status is PremiseStatus.HEDGED else plain),
        reason=reason,
        held=plain,
    )


def _of_quoted(plain: str) -> tuple[PremiseStatus, str]:
    """Quoted material informs; where it orders or approves, that is an injection (rule 8)."""
    if cues.ADDRESSED.search(plain):
        return PremiseStatus.INJECTED, "quoted material that gives orders"
    if guesses(plain) or cues.LEFT_OPEN.search(plain):
        return PremiseStatus.HEDGED, "not vouched for where it is quoted from"
    return PremiseStatus.ASSERTED, "stated by what is quoted"


def _scope(plain: str, status: PremiseStatus) -> Scope:
    if status is PremiseStatus.ONE_OFF:
        return Scope.THIS_ANSWER
    if cues.THIS_TASK.search(plain):
        return Scope.THIS_TASK
    return Scope.STANDING if cues.STANDING.search(plain) or status is not PremiseStatus.PROPOSED else Scope.THIS_TASK


def _presupposed(found: Found) -> Found | None:
    """What a sentence takes for granted by its form, as a proposition of its own."""
    match = None if found.quoted else cues.PRESUPPOSING.search(found.text)
    if match is None or len(terms_of(match["held"])) < LEAST_TERMS:
        return None
    held = match["held"].rstrip()
    start = found.span.start + match.start("held")
    return replace(
        found,
        span=Span(start=start, end=start + len(held)),
        text=held,
        held=held,
        asks=False,
        status=PremiseStatus.IMPLICIT,
        terms=terms_of(held),
        reason=f"presupposed by {(match['why'] or match['since']).lower()!r}",
    )


def _changed_by(before: Found, text: str) -> Found | None:
    """The sentence before, as what follows it makes it; None when it leaves it alone."""
    plain = LEADING.sub("", text) or text
    if before.status is PremiseStatus.PROPOSED and before.reason != LEFT_OPEN and cues.TURNED_DOWN.match(plain):
        return replace(before, status=PremiseStatus.REJECTED, reason=TURNED_DOWN)
    firm = before.status in {PremiseStatus.ASSERTED, PremiseStatus.IMPLICIT, PremiseStatus.PROPOSED}
    if firm and not before.asks and doubts_before(plain):
        return replace(before, status=PremiseStatus.HEDGED, reason=f"doubted at once: {plain[:60]!r}")
    if firm and cues.ONE_OFF.search(plain) and len(terms_of(plain)) <= LEAST_TERMS * 3 and asks_for(before.text):
        return replace(
            before, status=PremiseStatus.ONE_OFF, scope=Scope.THIS_ANSWER, reason=f"bounded at once: {plain[:60]!r}"
        )
    return None


REQUEST = re.compile(
    r"(?i)\b(?:could you|can you|would you|please|put|give|write|explain|sketch|show|draw|list|answer|reply|make|tell"
    r"|let me have|i need|i want|i'd like)\b"
)


def asks_for(text: str) -> bool:
    """Whether a sentence asks the other side to do something."""
    return REQUEST.search(text) is not None or modality(text) is Modality.OBLIGATION


def substance(text: str) -> str:
    """A hedged sentence without the words that hedge it, and without clauses that only speak of how it is held."""
    kept = text
    for span in reversed(hedge_spans(text)):
        kept = f"{kept[: span.start]} {kept[span.end :]}"
    bare = META_CLAUSE.sub("", kept)
    return bare if len(terms_of(bare)) >= LEAST_TERMS else kept
