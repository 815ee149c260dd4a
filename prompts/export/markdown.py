"""The boundary as Markdown for people; everything that comes from a conversation or a model is escaped."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent, Evidence, Mark, Section, Support
from dissolution.conversation import Conversation
from dissolution.excerpts import Excerpt
from dissolution.receipt.frame import FrameSummary
from dissolution.receipt.job_receipt import MemberReport, Receipt
from dissolution.values import NotMeasured
from prompts.export.dissent_words import dissent_in_words
from prompts.export.frame_notes import frame_note
from prompts.export.notes import standing_notes
from prompts.export.reason_words import fault_in_words, placed_in_words
from prompts.export.source import check_source
from prompts.export.verdict_words import verdict_words

MEANINGS = {
    Section.KNOWN: "what is known to be true",
    Section.DECIDED: "what is committed to or ruled out",
    Section.EDGES: "what is still open",
    Section.IDENTITY: "role, constraints, standing instructions",
}

UNREAD_NOTE = "No language model was asked: excerpts say what was said, not what is known or decided."
EXCERPTS_NOTE = "Chosen by extraction methods and quoted word for word; the newest words on a matter stand last."

MARK_NOTES = {
    Mark.SINGLE_SOURCE: "one family only, admitted on its evidence",
    Mark.CONTESTED: "contested: no turn settles it",
    Mark.PINNED: "pinned: a person asked that it be kept and shown",
    Mark.CONFIRMED: "confirmed by a person",
}

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}  # so that no tag survives, whatever renders the text
_MARKUP = re.compile(
    r"[\\`*\[\]~|$]|(?<![^\W_])_|_(?![^\W_])"
)  # starts markup anywhere in a line; not the _ inside a word
_LEADING = re.compile(r"^(?:[#+=-]|\d+(?=[.)]))")  # starts a heading, rule or list at the beginning of one
_LINE_BREAK = " ⏎ "  # keeps a quotation inside its list item; the words stay in their order


def escaped(text: str) -> str:
    """Text that every Markdown renderer shows as it is: markup and HTML escaped, on one line, no control characters.

    Control and bidirectional formatting characters become U+FFFD: they could rewrite a terminal or swap what is read.
    """
    lines = [" ".join(line.split()) for line in text.strip().splitlines()]
    flat = _LINE_BREAK.join(line for line in lines if line)
    visible = "".join("\ufffd" if is_hidden(char) else char for char in flat)
    marked = _MARKUP.sub(r"\\\g<0>", re.sub(r"[&<>]", lambda found: _ENTITIES[found[0]], visible))
    leading = _LEADING.match(marked)
    if leading is None:
        return marked
    end = leading.end() if leading[0].isdigit() else 0  # "1\\." but "\\#"
    return f"{marked[:end]}\\{marked[end:]}"


def boundary_markdown(
    boundary: BoundaryState,
    conversation: Conversation,
    receipt: Receipt | None,
    undecided: NotMeasured | None = None,
) -> str:
    """The boundary, readable: verdict first, four sections with evidence and support, dissent, summary of the receipt.

    `undecided` says why there is no verdict yet, and then stands in its place.

    Raises:
        InvalidConversation: the boundary was not made from this conversation.
    """
    check_source(boundary, conversation)
    lines = list(_head(boundary, conversation, receipt, undecided))
    if boundary.excerpts:
        lines += [f"## Excerpts ({len(boundary.excerpts)}): what was said, read by nobody", "", EXCERPTS_NOTE, ""]
        lines += [*(_excerpt_line(excerpt) for excerpt in boundary.excerpts), ""]
    for section in Section:
        claims = boundary.section(section)
        lines += [f"## {section.value}: {MEANINGS[section]}", ""]
        for claim in claims:
            lines += [*_claim_lines(claim, conversation), ""]
        if not claims:
            lines += ["Nothing.", ""]
    lines += [f"## Dissent ({len(boundary.dissent)})", "", "Heard and not admitted; kept and carried on.", ""]
    for entry in boundary.dissent:
        lines += [*_dissent_lines(entry, conversation), ""]
    if receipt is not None:
        lines += [*_frame_lines(receipt), *_receipt_lines(receipt)]
    return "\n".join(lines).rstrip("\n") + "\n"


def is_hidden(char: str) -> bool:
    """Whether a character steers what shows a text instead of standing in it."""
    return unicodedata.category(char) in {"Cc", "Cs"} or unicodedata.bidirectional(char) in {
        "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
    }  # fmt: skip


def _excerpt_line(excerpt: Excerpt) -> str:
    passed_on = ", passed on" if excerpt.quoted else ""
    methods = ", ".join(map(escaped, excerpt.chosen_by))
    return f"- turn {excerpt.turn}, {escaped(excerpt.speaker)}{passed_on}: “{escaped(excerpt.text)}” ({methods})"


def _head(
    boundary: BoundaryState, conversation: Conversation, receipt: Receipt | None, undecided: NotMeasured | None
) -> Iterator[str]:
    if boundary.unread:
        yield f"> **Nobody has read this.** {UNREAD_NOTE}"
        yield ""
    yield f"# Boundary of {escaped(conversation.title or boundary.conversation)}"
    yield ""
    if undecided is not None:
        yield f"> **Not decided:** {escaped(undecided.not_measured)}; the history stays in force."
    else:
        words = verdict_words(boundary, receipt)
        yield f"> {escaped(words.told)} Stored verdict: `{boundary.decision.verdict.value}`."
        if words.change:
            yield f"> To change it: {escaped(words.change)}"
    yield ""
    state = "a candidate, not committed"
    if boundary.version is not None:
        at = f" at {boundary.committed_at.isoformat()}" if boundary.committed_at else ""
        state = f"version {boundary.version}, committed{at}"
    yield f"Conversation {escaped(boundary.conversation)} through turn {boundary.through}; job {boundary.job}; {state}."
    yield ""


def _claim_lines(claim: Claim, conversation: Conversation) -> Iterator[str]:
    yield f"- **{escaped(claim.text)}** (`{claim.id}`)"
    yield f"  - support: {_support(claim.support)}; {_valid(claim)}; {escaped(placed_in_words(claim))}"
    for mark in claim.marks:
        yield f"  - note: {MARK_NOTES[mark]}"
    for note in standing_notes(claim):
        yield f"  - note: {escaped(note)}"
    yield from _quotes(claim.evidence, conversation)


def _dissent_lines(entry: Dissent, conversation: Conversation) -> Iterator[str]:
    yield f"- {escaped(entry.text)} (`{entry.id}`, {entry.section.value})"
    against = f"; against {', '.join(f'`{claim}`' for claim in entry.against)}" if entry.against else ""
    yield f"  - {escaped(dissent_in_words(entry))}; support: {_support(entry.support)}{against}"
    yield from _quotes(entry.evidence, conversation)


def _support(support: Support) -> str:
    families, members = (", ".join(map(escaped, names)) for names in (support.families, support.members))
    count = len(support.families)
    return f"{count} {'family' if count == 1 else 'families'} ({families}), members {members}"


def _valid(claim: Claim) -> str:
    if claim.valid.end is None:
        return f"holds from turn {claim.valid.start}"
    return f"held from turn {claim.valid.start} until turn {claim.valid.end}"


def _quotes(evidence: Sequence[Evidence], conversation: Conversation) -> Iterator[str]:
    for span in evidence:
        speaker = escaped(conversation.turn(span.turn).speaker)
        yield f"  - turn {span.turn}, {speaker}: “{escaped(span.text)}”"


def _frame_lines(receipt: Receipt) -> Iterator[str]:
    note = frame_note(receipt.frame)
    yield from ("## Frame", "", f"What reviewers say of the candidate: {escaped(note.told)}.", "")
    for one in note.done:
        yield f"- {fault_in_words(one)}, say {escaped(', '.join(one.told_by))}: {escaped(one.words)}"
        yield f"  - {escaped(one.outcome)}"
    if note.more:
        yield f"- {note.more} more"
    yield from (f"- keeps it from being committed: {escaped(reason)}" for reason in note.blocked)
    if note.done or note.blocked:
        yield ""
    if isinstance(receipt.frame, FrameSummary) and receipt.frame.findings:
        yield from (f"All of it: `dissolve frame {receipt.job}`.", "")


def _receipt_lines(receipt: Receipt) -> list[str]:
    lines = ["## Receipt", "", f"Fleet: {escaped(receipt.fleet)}. Policy {escaped(receipt.policy.name)}.", ""]
    lines += ["| member | family | kind | outcome | statements or stretches |", "|---|---|---|---|---|"]
    lines += [_member_row(member) for member in receipt.members]
    lines += ["", _quorum(receipt), _consensus(receipt), _cost(receipt), ""]
    lines += ["| stage | state | reason |", "|---|---|---|"]
    lines += [f"| {stage.stage} | {stage.state.value} | {escaped(stage.reason or '')} |" for stage in receipt.stages]
    return lines


def _member_row(member: MemberReport) -> str:
    outcome = member.answer_class or member.failure
    words = f"{outcome.value if outcome else 'no answer'}{' (late)' if member.late else ''}"
    detail = f": {escaped(member.detail)}" if member.detail else ""
    card = member.card
    said = str(member.statements or member.chosen)
    cells = (escaped(card.name), escaped(card.family), card.kind.value, f"{words}{detail}", said)
    return f"| {' | '.join(cells)} |"


def _quorum(receipt: Receipt) -> str:
    if isinstance(receipt.quorum, NotMeasured):
        return f"- quorum: {escaped(str(receipt.quorum))}"
    quorum = receipt.quorum
    asked = f"{quorum.answered} of {quorum.asked} members from {len(quorum.families)} families"
    least = f"at least {quorum.min_members} from {quorum.min_families}"
    return f"- quorum: {'met' if quorum.met else 'not met'} ({asked}; {least})"


def _consensus(receipt: Receipt) -> str:
    if isinstance(receipt.consensus, NotMeasured):
        return f"- consensus: {escaped(str(receipt.consensus))}"
    report = receipt.consensus
    if report.unread:
        return f"- excerpts: {report.excerpts}; nothing was stated, so there is no consensus"
    kept, dissent = sum(report.kept.values()), sum(report.dissent.values())
    counts = f"{report.statements} statements, {report.groups} meanings, {kept} claims"
    marks = f"{report.single_source} of one source, {report.contested} contested"
    beside = f", {report.excerpts} excerpts beside them" if report.excerpts else ""
    return f"- consensus: {counts} ({marks}), {dissent} in dissent{beside}"


def _cost(receipt: Receipt) -> str:
    cost = receipt.cost
    used = f"{_figure(cost.used_input_tokens)} input tokens, {_figure(cost.used_output_tokens)} output tokens"
    return f"- cost: {used}; USD {_figure(cost.used_usd)} of at most {cost.cap_usd}"


def _figure(value: int | Decimal | NotMeasured) -> str:
    return f"({escaped(str(value))})" if isinstance(value, NotMeasured) else str(value)
