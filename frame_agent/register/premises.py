"""The sentences of a turn as premises: what the fitted model of wording suspects each to be, and where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dissolution.claims import Evidence
from dissolution.conversation import Role, Turn
from dissolution.premises import PremiseStatus, Scope
from dissolution.values import Span
from language.putting import LONGEST, Phrasing, fitted
from language.reading import Reading, read
from language.words import STOPWORDS

SUSPECTS = {
    Phrasing.FIRM.value: PremiseStatus.ASSERTED,
    Phrasing.GUESS.value: PremiseStatus.HEDGED,
    Phrasing.OFFER.value: PremiseStatus.PROPOSED,
    Phrasing.ONCE.value: PremiseStatus.ONE_OFF,
    Phrasing.REFUSES.value: PremiseStatus.REJECTED,
    Phrasing.COMMENT.value: PremiseStatus.HEDGED,
}
LEAST_STATED = 3
LEAST_SUSPECTED = 2
"""Terms of a plain statement, and of any other sentence, that is a premise: shorter ones are small talk."""

MOST_QUOTED = 12
"""Lines of quoted material of one turn that are listed: a log is thousands, and nobody reads a list of all."""


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """One sentence of one turn, or one line of quoted material in it.

    Attributes:
        evidence: Where it stands, verbatim.
        reading: What is read from it.
        quoted: Whether it stands in quoted material.
        status: What the model suspects it to be, or that it is quoted.
        reason: Why it is listed so, with the model's probability.
    """

    evidence: Evidence
    reading: Reading
    quoted: bool
    status: PremiseStatus
    reason: str

    @property
    def scope(self) -> Scope:
        """How far it reaches."""
        return {PremiseStatus.ONE_OFF: Scope.THIS_ANSWER, PremiseStatus.PROPOSED: Scope.THIS_TASK}.get(
            self.status, Scope.STANDING
        )

    @property
    def is_premise(self) -> bool:
        """Whether it says enough to be listed."""
        least = LEAST_STATED if self.status is PremiseStatus.ASSERTED or self.quoted else LEAST_SUSPECTED
        return len(self.reading.terms) >= least


def is_quoted(turn: Turn, start: int, end: int) -> bool:
    """Whether words of a turn are material that was passed on rather than said."""
    return turn.role is Role.TOOL or turn.is_quoted(Span(start=start, end=end))


def sentences_of(turn: Turn) -> tuple[SpokenSentence, ...]:
    """The spoken sentences of a turn in order; one that doubts the sentence before it makes that one a guess."""
    found: list[SpokenSentence] = []
    for span, reading in read(turn.content).sentences:
        if is_quoted(turn, span.start, span.end):
            continue
        status, reason = _suspected(turn, reading)
        if reading.put.label == Phrasing.COMMENT and found and found[-1].status is PremiseStatus.ASSERTED:
            found[-1] = replace(found[-1], status=PremiseStatus.HEDGED, reason=f"doubted at once: {reason}")
        found.append(SpokenSentence(_evidence(turn, span.start, span.end), reading, False, status, reason))
    return tuple(found)


def quoted_of(turn: Turn) -> tuple[SpokenSentence, ...]:
    """Lines of quoted material in order, as injected: at most MOST_QUOTED, those nearest to prose.

    What they say is not looked at: that they are quoted is structure, and reviewers are shown that they are there.
    """
    found = [
        SpokenSentence(
            _evidence(turn, start, end), read(turn.content[start:end]), True, PremiseStatus.INJECTED, "quoted material"
        )
        for start, end in _quoted_lines(turn)
    ]
    likely = sorted((one for one in found if one.is_premise), key=lambda one: -_prose(one.reading))[:MOST_QUOTED]
    return tuple(sorted(likely, key=lambda one: one.evidence.start))


def _suspected(turn: Turn, reading: Reading) -> tuple[PremiseStatus, str]:
    if turn.role is Role.SYSTEM:  # "never recommend", "you may want": none is a mere idea
        return PremiseStatus.ASSERTED, "instructed by the operator"
    if reading.asks:
        return PremiseStatus.PROPOSED, "a question"
    weighed = reading.put
    return SUSPECTS[weighed.label], f"{weighed.label}, {weighed.share:.2f} by {fitted().basis}"


def _evidence(turn: Turn, start: int, end: int) -> Evidence:
    text = turn.content[start : min(end, start + LONGEST)].rstrip()
    return Evidence(turn=turn.number, start=start, end=start + len(text), text=text)


def _quoted_lines(turn: Turn) -> Iterator[tuple[int, int]]:
    start = 0
    for line in turn.content.split("\n"):
        bare = line.strip()
        begin = start + len(line) - len(line.lstrip())
        if bare and is_quoted(turn, begin, begin + len(bare)):
            yield begin, begin + len(bare)
        start += len(line) + 1


def _prose(reading: Reading) -> float:
    """How near a line is to prose, 0..1: the share of its words that bind others together."""
    return sum(word in STOPWORDS for word in reading.tokens) / max(1, len(reading.tokens))
