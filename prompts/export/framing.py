"""The words around the claims: one system text, first person, present tense, made by rule; claims are not rewritten."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Mark, Section
from dissolution.conversation import Role, Turn
from dissolution.excerpts import Excerpt
from dissolution.findings import Verdict
from dissolution.values import Frozen

HEADINGS = {
    Section.KNOWN: "I know:",
    Section.DECIDED: "I hold as decided, until a later turn changes it:",
    Section.EDGES: "I see as still open, and do not treat as settled:",
    Section.IDENTITY: "I am bound by this role and by these rules:",
}

OPENING = (
    "I continue this conversation from the understanding it has reached. "
    "My notes cover turns 1 to {through} and stand in place of their text."
)

UNPROVEN = (
    "My notes have not passed a test against the full history, "
    "so I say when I am unsure of them, and where a turn below differs I trust the turn."
)

BELOW = "Where what follows says that an instruction has changed since, it holds. "

FOLLOWS = "Turn {first} follows word for word."
FOLLOW = "Turns {first} to {last} follow word for word."

UNREAD_OPENING = (
    "Nobody has read this conversation for me: no language model was asked, so nothing below says what is known or "
    "decided. It covers turns 1 to {through}."
)

UNREAD_SINCE = (
    "Nobody has read the turns after turn {read} for me: no language model was asked. What my notes say was stated up "
    "to that turn, and may have changed since. They cover turns 1 to {through}."
)

EXCERPTS = (
    "Excerpts that nobody has read: the words of turns, chosen by a computation and quoted as they were said. They say "
    "what was said, not what is known or decided; where several are about one matter, the newest stands last."
)

EXCERPTS_SHORTENED = "For want of room {left_out} of {total} excerpts are left out; the boundary keeps them."

EXCERPTS_LEFT_OUT = "{total} excerpts that nobody has read are left out, as the policy asks."

LEFT_OUT_WORDS = {
    Section.KNOWN: "of {total} claims I know",
    Section.EDGES: "of {total} open edges",
}
"""Only these two sections are ever shortened; commitments stay (rule 5)."""

MARK_WORDS = {
    Mark.SINGLE_SOURCE: "one source",
    Mark.CONTESTED: "contested",
    Mark.PINNED: "kept on request",
    Mark.CONFIRMED: "confirmed by a person",
}


class Content(Frozen):
    """What one rendering holds: the chosen claims and turns out of those that were asked for."""

    boundary: BoundaryState
    claims: tuple[Claim, ...]  # in the boundary's order
    excerpts: tuple[Excerpt, ...] = ()  # in the order of turns
    wants_excerpts: bool = True  # whether the policy shows any
    turns: tuple[Turn, ...]  # the newest of `asked_turns`
    operator: tuple[Turn, ...] = ()  # the operator's instructions at the beginning that stand word for word
    operator_left_out: Annotated[int, Field(ge=0)] = 0  # how many of them stand nowhere in it
    asked_turns: tuple[Turn, ...]
    budget_tokens: int


def one_line(text: str) -> str:
    """The text with every run of white space as one space, so that no claim can pose as a heading of ours."""
    return " ".join(text.split())


def claim_line(claim: Claim, through: int) -> str:
    """The claim as a list item; what its reader must know besides the words follows in brackets."""
    notes = [MARK_WORDS[mark] for mark in claim.marks]
    if claim.valid.end is not None and claim.valid.end <= through:
        notes.append(f"no longer holds since turn {claim.valid.end}")
    elif claim.valid.start > through:
        notes.append(f"holds from turn {claim.valid.start}")
    return f"- {one_line(claim.text)}" + (f" [{'; '.join(notes)}]" if notes else "")


def excerpt_line(excerpt: Excerpt) -> str:
    """The excerpt as a quotation with its turn and speaker; quoted material and output of tools is marked."""
    passed_on = ", passed on" if excerpt.quoted else ""
    return f"- Turn {excerpt.turn}, {one_line(excerpt.speaker)}{passed_on}: “{one_line(excerpt.text)}”"


def system_text(content: Content) -> str:
    """The whole system text: what the operator instructs, what the notes cover, the claims, and what is left out."""
    boundary = content.boundary
    parts = [_operator_text(turn) for turn in content.operator]
    if boundary.unread:
        parts.insert(0, _unread_opening(boundary))
    else:
        parts.append((BELOW if parts else "") + OPENING.format(through=boundary.through))
        if boundary.decision.verdict is Verdict.COMMIT_DEGRADED:
            parts.append(UNPROVEN)
    for section in Section:
        lines = [claim_line(claim, boundary.through) for claim in content.claims if claim.section is section]
        if lines:
            parts.append("\n".join([HEADINGS[section], *lines]))
    if content.excerpts:
        parts.append("\n".join([EXCERPTS, *map(excerpt_line, content.excerpts)]))
    elif boundary.excerpts and not content.wants_excerpts:
        parts.append(EXCERPTS_LEFT_OUT.format(total=len(boundary.excerpts)))
    parts.extend(_operator_text(turn) for turn in content.turns if turn.role is Role.SYSTEM)
    parts.extend(_follows(content.turns))
    parts.extend(_left_out_text(content))
    return "\n\n".join(parts)


def _unread_opening(boundary: BoundaryState) -> str:
    """Stands before everything else: that nobody has read what follows, or what came after the claims."""
    read = max((claim.affirmed or 0 for claim in boundary.claims), default=0)
    words = UNREAD_SINCE if boundary.claims else UNREAD_OPENING
    return words.format(read=read, through=boundary.through)


def left_out_claims(content: Content, section: Section) -> int:
    """How many claims of a section are not in the rendering."""
    return len(content.boundary.section(section)) - sum(claim.section is section for claim in content.claims)


def left_out_excerpts(content: Content) -> int:
    """How many excerpts stand neither in the rendering nor in a turn that it shows."""
    shown = {turn.number for turn in (*content.turns, *content.operator)}
    chosen = len(content.excerpts)
    return sum(one.turn not in shown for one in content.boundary.excerpts) - chosen


def _operator_text(turn: Turn) -> str:
    return f"The operator instructs in turn {turn.number}, word for word:\n{turn.content}"


def _follows(turns: Sequence[Turn]) -> list[str]:
    if not turns:
        return []
    first, last = turns[0].number, turns[-1].number
    return [FOLLOWS.format(first=first) if first == last else FOLLOW.format(first=first, last=last)]


def _left_out_text(content: Content) -> list[str]:
    pieces = [
        f"{left_out} {words.format(total=len(content.boundary.section(section)))}"
        for section, words in LEFT_OUT_WORDS.items()
        if (left_out := left_out_claims(content, section))
    ]
    if content.operator_left_out:
        pieces.append(f"{content.operator_left_out} of the operator's instructions at the beginning")
    turns = len(content.asked_turns) - len(content.turns)
    if turns:
        pieces.append(f"{turns} of the last {len(content.asked_turns)} turns")
    excerpts = left_out_excerpts(content) if content.wants_excerpts else 0
    fewer = [EXCERPTS_SHORTENED.format(left_out=excerpts, total=len(content.boundary.excerpts))] if excerpts else []
    if not pieces:
        return fewer
    listed = " and ".join(filter(None, [", ".join(pieces[:-1]), pieces[-1]]))
    out = f"To stay within {content.budget_tokens} tokens I leave out {listed}"
    return [*fewer, f"{out}; the ledger keeps them, and `recall` finds them by text, section and turn."]
