"""A member's raw reply becomes claims by section, and the reply is classed. Nothing is repaired in silence.

What a reply may look like and what each class and problem code means: docs/prompts.md.
"""

from dataclasses import dataclass, field, replace

from dissolution.answers import AnswerClass, FinishReason, ParsedReply
from dissolution.claims import Section, StatedClaim
from dissolution.values import Span
from language.signature import signature
from prompts.held_marks import Cited, Held, cited
from prompts.json_form import JsonReply, JsonState, read_json
from prompts.marks import Reference
from prompts.sections import Layout, layout_of
from prompts.statements import Item, body_of
from prompts.symptoms import breaks_off, is_courtesy, is_echo, is_preamble, is_refusal, is_repeating

PARSER_VERSION = "4"
"""Recorded with every parsed reply; a change of what is read gets a new one."""

SIGNED_CHARS = 200_000
"""The signature of a reply without claims is measured on its first characters: junk may be endless."""

MAX_PROBLEMS = 40
"""Distinct problems that are listed; a hostile reply could make millions."""


@dataclass(slots=True)
class _Reading:
    """What one of the two forms gave."""

    claims: list[StatedClaim] = field(default_factory=list[StatedClaim])
    found: tuple[Section, ...] = ()
    said_none: set[Section] = field(default_factory=set[Section])
    problems: list[str] = field(default_factory=list[str])
    outside: str = ""  # text before the first section
    cut: bool = False  # ends in the middle
    invalid: bool = False  # JSON that cannot be read, or is not of the form
    echoes: int = 0


def parse_reply(
    text: str, finish: FinishReason, *, through: int | None = None, held: Held | None = None
) -> ParsedReply:
    """Read a raw reply. Never raises, whatever the text.

    Args:
        text: The member's raw words.
        finish: Why it stopped writing.
        through: The snapshot's last turn; turn references outside 1..through become problems. None accepts any turn.
        held: The ids of claims that the member was shown and may name; None when it was shown none.

    Returns:
        Claims in the order they stand, the sections found, the class, problem codes in order, and the signature,
        measured on the claims (on the raw text when there are none).
    """
    # Lone surrogates cannot be stored, hashed or sent; one question mark each keeps every offset.
    clean = text.encode("utf-8", "replace").decode()
    reading = _read(clean, through, held)
    if clean != text:
        reading.problems.append("lone_surrogate")
    answer_class = _class(clean, finish, reading)
    if held is not None and answer_class is AnswerClass.EMPTY and reading.said_none >= set(Section):
        answer_class = AnswerClass.OK  # of a cycle's turns there may be nothing to say
    words = "\n".join(claim.text for claim in reading.claims) or clean[:SIGNED_CHARS]
    return ParsedReply(
        answer_class=answer_class,
        claims=tuple(reading.claims),
        sections_found=reading.found,
        problems=_shortened(reading.problems),
        signature=signature(words),
        parser_version=PARSER_VERSION,
    )


def _shortened(problems: list[str]) -> tuple[str, ...]:
    """Each problem once, and no more than a receipt can show."""
    distinct = tuple(dict.fromkeys(problems))
    if len(distinct) <= MAX_PROBLEMS:
        return distinct
    return (*distinct[:MAX_PROBLEMS], f"more_problems: {len(distinct) - MAX_PROBLEMS}")


def _read(text: str, through: int | None, held: Held | None) -> _Reading:
    reply = read_json(text, through, held)
    if reply.state is JsonState.ABSENT:
        return _read_text(text, through, held)
    return _from_json(text, reply)


def _from_json(text: str, reply: JsonReply) -> _Reading:
    reading = _Reading(
        claims=reply.claims,
        found=tuple(reply.found),
        said_none=reply.none,
        problems=["json", *reply.problems],
        cut=reply.state is JsonState.CUT_OFF,
        invalid=reply.state is JsonState.INVALID,
        echoes=reply.problems.count("prompt_echo"),
    )
    before = _without_fence(text[: reply.start])
    reading.outside = before
    if before:
        reading.problems.append("preamble" if is_preamble(before) else f"text_before: {len(before)} characters")
    after = _without_fence(text[reply.end :])
    if after:
        reading.problems.append("closing_offer" if is_courtesy(after) else f"text_after: {len(after)} characters")
    return reading


def _without_fence(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith("```")).strip()


def _read_text(text: str, through: int | None, held: Held | None) -> _Reading:
    layout = layout_of(text)
    reading = _Reading(found=tuple(layout.found), problems=list(layout.problems))
    _read_before(text, layout, reading)
    items: list[tuple[Section | None, Item]] = []
    for block in layout.blocks:
        body = body_of(text, block, through)
        section = block.sections[0] if block.sections else None
        reading.problems.extend(body.problems)
        if body.says_none:
            reading.said_none.update(block.sections)
        items.extend((section, item if held is None else _citing(item, held, through)) for item in body.items)
    _drop_closing(items, reading)
    reading.cut = _is_cut(text, items, reading)
    for section, item in items:
        if section is None:
            continue
        if is_echo(item.text):
            reading.echoes += 1
            reading.problems.append("prompt_echo")
            continue
        reading.problems.extend(item.reference.problems)
        reading.claims.append(
            StatedClaim(
                section=section,
                text=item.text,
                turns=item.reference.turns,
                quotes=item.quotes,
                place=item.place,
                act=item.act,
                about=item.about,
                further=item.further,
            )
        )
    return reading


def _citing(item: Item, held: Held, through: int | None) -> Item:
    """An item without the marks that name held claims, and with what they say."""
    marks: Cited = cited(item.text, 0, len(item.text), held, through)
    if not marks.any:
        return item
    place = item.place
    if place is not None:
        place = Span(start=place.start + marks.start, end=place.start + marks.end)
    known = item.reference
    return replace(
        item,
        text=item.text[marks.start : marks.end],
        place=place,
        reference=Reference(turns=(*marks.turns, *known.turns), problems=(*known.problems, *marks.problems)),
        act=marks.act,
        about=marks.about,
        further=marks.further,
    )


def _read_before(text: str, layout: Layout, reading: _Reading) -> None:
    lines = [line for line in layout.before if not line.is_blank]
    if not lines:
        return
    reading.outside = text[lines[0].start : lines[-1].end]
    if not layout.blocks:
        reading.cut = breaks_off(reading.outside, ["."])
    elif is_preamble(reading.outside) or all(line.mark is not None for line in lines):
        reading.problems.append("preamble")
    else:
        reading.problems.append(f"text_before: {len(reading.outside)} characters")


def _drop_closing(items: list[tuple[Section | None, Item]], reading: _Reading) -> None:
    """Courtesies at the very end are no statements."""
    while items and not items[-1][1].bullet and is_courtesy(items[-1][1].text):
        items.pop()
        if "closing_offer" not in reading.problems:
            reading.problems.append("closing_offer")


def _is_cut(text: str, items: list[tuple[Section | None, Item]], reading: _Reading) -> bool:
    """Whether the last statement stops in the middle. After a closing offer nothing is cut."""
    if "closing_offer" in reading.problems:
        return False
    if not items:
        return reading.cut
    last = items[-1][1]
    # A turn reference ends a bullet; then nothing is missing.
    if last.reference.turns or last.reference.problems or last.about is not None:
        return False
    others = [item.text for _, item in items[:-1]]
    return breaks_off(text[: last.end].rstrip()[-len(last.text) - 8 :], others)


def _class(text: str, finish: FinishReason, reading: _Reading) -> AnswerClass:
    """The class, from the strongest sign to the weakest; notes what decided it among the problems."""
    problems = reading.problems
    if finish in {FinishReason.REFUSAL, FinishReason.CONTENT_FILTER, FinishReason.LENGTH}:
        problems.append(f"finish: {finish.value}")
    nothing = _nothing_to_read(text, finish, reading)
    if nothing is not None:
        return nothing
    missing = [section for section in Section if section not in reading.found]
    problems.extend(f"missing_section: {section.value}" for section in missing if reading.found)
    if not reading.found:
        problems.append("no_sections")
    if reading.cut:
        problems.append("breaks_off")
    if finish is FinishReason.LENGTH or (reading.cut and missing and reading.found):
        return AnswerClass.TRUNCATED
    return _usable_class(reading, missing)


def _nothing_to_read(text: str, finish: FinishReason, reading: _Reading) -> AnswerClass | None:
    """The class of a reply that is no answer at all; None for one that may be."""
    if finish in {FinishReason.REFUSAL, FinishReason.CONTENT_FILTER}:
        return AnswerClass.REFUSED
    if not any(char.isalnum() for char in text):
        return AnswerClass.EMPTY
    if _refuses(text, reading):
        reading.problems.append("refusal")
        return AnswerClass.REFUSED
    if _repeats(text, reading):
        reading.problems.append("repeating")
        return AnswerClass.GARBAGE
    echoes = reading.echoes and not reading.claims
    return AnswerClass.GARBAGE if echoes or reading.invalid else None


def _refuses(text: str, reading: _Reading) -> bool:
    """A refusal stands where the answer should be; a statement such as "I refuse to use X" in a section is none."""
    if reading.claims:
        return all(is_refusal(claim.text) for claim in reading.claims)
    return not reading.said_none and is_refusal(reading.outside or text)


def _repeats(text: str, reading: _Reading) -> bool:
    units = [claim.text for claim in reading.claims] or [line for line in text.splitlines() if line.strip()]
    return is_repeating("\n".join(units), units)


def _usable_class(reading: _Reading, missing: list[Section]) -> AnswerClass:
    if not reading.found:
        return AnswerClass.TRUNCATED if "json_cut_off" in reading.problems else AnswerClass.GARBAGE
    if not reading.claims:
        reading.problems.append("no_statements")
        return AnswerClass.EMPTY
    merged = any(problem.startswith("merged_section") for problem in reading.problems)
    filled = {claim.section for claim in reading.claims} | reading.said_none
    empty = [section for section in reading.found if section not in filled and not merged]
    reading.problems.extend(f"empty_section: {section.value}" for section in empty)
    return AnswerClass.PARTIAL if missing or merged or empty else AnswerClass.OK
