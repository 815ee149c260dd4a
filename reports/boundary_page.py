"""A boundary with its evidence as one self-contained page: no script, nothing loaded, everything foreign escaped.

The words are those of a conversation and of models, so nothing in them is trusted: characters that steer what shows a
text are replaced, every piece of theirs keeps its own direction of writing, and lists and texts are bounded. What the
bounds leave out is told on the page.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dissolution.boundary import BoundaryState
from dissolution.boundary_size import size_in_words
from dissolution.claims import Claim, Dissent, Evidence, Section, Statement
from dissolution.conversation import Conversation
from dissolution.receipt.job_receipt import MemberReport, Receipt
from dissolution.values import NotMeasured
from prompts.export.dissent_words import dissent_in_words
from prompts.export.frame_notes import FrameNote, frame_note
from prompts.export.markdown import MARK_NOTES, MEANINGS, UNREAD_NOTE, is_hidden
from prompts.export.notes import standing_notes
from prompts.export.outcome_words import KINDS, outcome_in_words
from prompts.export.reason_words import placed_in_words, reason_in_words
from prompts.export.source import check_source
from prompts.export.verdict_words import BoundaryStanding, verdict_words

TEMPLATES = Path(__file__).parent / "templates"

MOST_ITEMS = 300
"""Claims of a section, excerpts, and pieces of dissent shown at most: about what a browser lays out in a second."""
MOST_QUOTES = 8
"""Quotes and stated words shown of one claim at most."""
MOST_CHARS = 2000
"""Characters of one text shown at most."""
MOST_NAME_CHARS = 200
"""Characters of a title or a name shown at most."""


class Quote(NamedTuple):
    """Words of a turn, as they were said."""

    turn: int
    speaker: str
    words: str
    note: str = ""


class Voice(NamedTuple):
    """One family with its members that stated a claim, and their own words."""

    family: str
    members: tuple[str, ...]
    words: tuple[str, ...]


class Item(NamedTuple):
    """A claim or a piece of dissent as the page has it."""

    id: str
    text: str
    notes: tuple[str, ...]
    facts: tuple[str, ...]
    voices: tuple[Voice, ...]
    quotes: tuple[Quote, ...]
    more: int  # quotes that are not shown
    against: tuple[str, ...] = ()


class Part(NamedTuple):
    """A part of the page: how many there are, and those that are shown."""

    name: str
    meaning: str
    total: int
    items: tuple[Item, ...]


class Asked(NamedTuple):
    """A member that was asked, and what came of it."""

    name: str
    family: str
    kind: str
    outcome: str
    statements: int  # or stretches that an extraction method chose


def boundary_page(
    boundary: BoundaryState,
    conversation: Conversation,
    receipt: Receipt | None = None,
    undecided: NotMeasured | None = None,
    left_out: Sequence[str] = (),
) -> str:
    """The boundary as one HTML document.

    Args:
        boundary: Committed or still a candidate.
        conversation: The one it was made from; it may have grown since.
        receipt: Of its job, where it has one: size, who was asked, and what reviewers say.
        undecided: Why there is no verdict yet; it then stands in its place.
        left_out: What a context made of it leaves out, in sentences.

    Raises:
        InvalidConversation: The boundary was not made from this conversation.
    """
    check_source(boundary, conversation)
    template = _environment().get_template("boundary.html.j2")
    told = verdict_words(boundary, receipt)
    return str(
        template.render(
            boundary=boundary,
            conversation=conversation,
            title=cut(conversation.title or conversation.id, MOST_NAME_CHARS),
            undecided=undecided,
            told=told,
            proven=told.standing is BoundaryStanding.PROVEN,
            unread=UNREAD_NOTE if boundary.unread else None,
            size=_size(boundary, receipt),
            parts=_parts(boundary, conversation),
            excerpts=_excerpts(boundary),
            frame=None if receipt is None else _frame(receipt),
            members=() if receipt is None else tuple(map(_asked, receipt.members[:MOST_ITEMS])),
            left_out=(*left_out, *_bounded(boundary, conversation)),
        )
    )


def shown(value: object) -> object:
    """What stands for a value on the page: a text without what steers how it is shown, anything else as it is."""
    if not isinstance(value, str) or value.isprintable() or hasattr(value, "__html__"):  # a macro's output is done
        return value
    return "".join("\ufffd" if char not in "\n\t" and is_hidden(char) else char for char in value)


def cut(text: str, limit: int = MOST_CHARS) -> str:
    """At most `limit` characters, and how many there are besides."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"


def _environment() -> Any:  # noqa: ANN401 - jinja2 is loaded on first use
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made: Any = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["cut"] = cut
    return made


def _size(boundary: BoundaryState, receipt: Receipt | None) -> tuple[str, ...]:
    if receipt is None:
        return ("size: not measured, as the job has no receipt",)
    if isinstance(receipt.size, NotMeasured):
        return (f"size: {receipt.size}",)
    return size_in_words(receipt.size, f"dissolve show {boundary.job} --dissent")


def _frame(receipt: Receipt) -> FrameNote:
    return frame_note(receipt.frame)


def _asked(report: MemberReport) -> Asked:
    card, (kind, _) = report.card, KINDS[report.card.kind]
    return Asked(card.name, card.family, kind, outcome_in_words(report), report.statements or report.chosen)


def _parts(boundary: BoundaryState, conversation: Conversation) -> tuple[Part, ...]:
    """The four sections, then what ended with this version, then dissent."""
    parts = [
        Part(section.value, MEANINGS[section], len(found), _claims(found, conversation))
        for section in Section
        for found in (boundary.section(section),)
    ]
    if boundary.closed:
        meaning = "what ended with this version"
        parts.append(Part("CLOSED", meaning, len(boundary.closed), _claims(boundary.closed, conversation)))
    dissent = tuple(_dissent(one, conversation) for one in boundary.dissent[:MOST_ITEMS])
    meaning = "heard and not admitted; kept and carried on"
    return (*parts, Part("DISSENT", meaning, len(boundary.dissent), dissent))


def _claims(claims: Sequence[Claim], conversation: Conversation) -> tuple[Item, ...]:
    return tuple(_claim(claim, conversation) for claim in claims[:MOST_ITEMS])


def _claim(claim: Claim, conversation: Conversation) -> Item:
    end = claim.valid.end
    holds = f"holds from turn {claim.valid.start}"
    held = f"held from turn {claim.valid.start} until turn {end}"
    facts = [holds if end is None else held, placed_in_words(claim)]
    evidence = claim.evidence
    if claim.closing is not None:
        facts.append(f"ended: {reason_in_words(claim.closing.reason)}")
        evidence = (*evidence, *claim.closing.evidence)
    return Item(
        id=claim.id,
        text=cut(claim.text),
        notes=(*(MARK_NOTES[mark] for mark in claim.marks), *standing_notes(claim)),
        facts=tuple(cut(fact) for fact in facts),
        voices=_voices(claim.statements),
        quotes=_quotes(evidence, conversation),
        more=max(0, len(evidence) - MOST_QUOTES),
    )


def _dissent(entry: Dissent, conversation: Conversation) -> Item:
    said = () if entry.cycles == 1 else (f"said in {entry.cycles} cycles",)
    return Item(
        id=entry.id,
        text=cut(entry.text),
        notes=(entry.section.value, *said),
        facts=(cut(dissent_in_words(entry)),),
        voices=_voices(entry.statements),
        quotes=_quotes(entry.evidence, conversation),
        more=max(0, len(entry.evidence) - MOST_QUOTES),
        against=entry.against[:MOST_QUOTES],
    )


def _voices(statements: Sequence[Statement]) -> tuple[Voice, ...]:
    """Families in alphabetical order, each with its members and what they said in their own words."""
    by_family: dict[str, list[Statement]] = {}
    for one in statements:
        by_family.setdefault(one.family, []).append(one)
    return tuple(
        Voice(
            family=family,
            members=tuple(sorted({one.member for one in said})),
            words=tuple(cut(one.claim.text) for one in said[:MOST_QUOTES]),
        )
        for family, said in sorted(by_family.items())
    )


def _quotes(evidence: Sequence[Evidence], conversation: Conversation) -> tuple[Quote, ...]:
    return tuple(
        Quote(one.turn, cut(conversation.turn(one.turn).speaker, MOST_NAME_CHARS), cut(one.text))
        for one in evidence[:MOST_QUOTES]
    )


def _excerpts(boundary: BoundaryState) -> tuple[Quote, ...]:
    return tuple(
        Quote(one.turn, cut(one.speaker, MOST_NAME_CHARS), cut(one.text), "passed on" if one.quoted else "")
        for one in boundary.excerpts[:MOST_ITEMS]
    )


def _bounded(boundary: BoundaryState, conversation: Conversation) -> list[str]:
    """What this page does not show, in sentences."""
    told: list[str] = []
    grown = len(conversation.turns) - boundary.through
    if grown > 0:
        later = "1 later turn is" if grown == 1 else f"{grown} later turns are"
        told.append(f"{later} not part of it: it goes through turn {boundary.through}.")
    lists = {
        **{section.value: boundary.section(section) for section in Section},
        "CLOSED": boundary.closed,
        "DISSENT": boundary.dissent,
        "EXCERPTS": boundary.excerpts,
    }
    for name, found in lists.items():
        if len(found) > MOST_ITEMS:
            told.append(f"{name}: the first {MOST_ITEMS} of {len(found)} are on this page.")
    if told and any(line.endswith("on this page.") for line in told):
        told.append(f"All of it: dissolve show {boundary.job} --as markdown")
    return told
