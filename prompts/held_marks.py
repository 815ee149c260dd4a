"""Marks by which a member of a cycle names claims it was shown: `[affirms c3f2a, c9b01] [closes …] [answers …]`."""

import re
from collections.abc import Mapping, Sequence

from dissolution.claims import ClaimId, HeldAct, HeldMark
from dissolution.conversation import TurnNumber
from dissolution.values import Frozen
from prompts.marks import NO_REFERENCE, read_turns, trailing_reference
from prompts.sections import excerpt

Held = Mapping[str, ClaimId]
"""The ids that a member may cite, as it was shown them, and the claims they stand for."""

MAX_MARKS = 8
"""Brackets that are read at the end of one statement; more are its own words."""

# One bracket without another in it. Its parts are divided by semicolons: "[turns 31; revises c3f2a]".
_BRACKET = re.compile(r"[\[(]([^\[\]()]{1,200})[\])]")
# The four verbs of the prompt in every form a writer may give them.
_ACT = re.compile(r"(affirm|revis|clos|answer)(?:e|es|ed|s|ing)?\b[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_ACTS = {"affirm": HeldAct.AFFIRM, "revis": HeldAct.REVISE, "clos": HeldAct.CLOSE, "answer": HeldAct.ANSWER}
_TURNS = re.compile(r"\s*turns?\s*\d", re.IGNORECASE)
_OURS = re.compile(r"c[0-9a-f]{4,63}")  # looks like an id of ours
_ID = re.compile(r"[\w-]{1,64}")
_NO_ID = frozenset({"and", "claim", "claims", "id", "the"})


class Cited(Frozen):
    """What the marks of one statement say, and the range of its own words."""

    start: int
    end: int
    act: HeldAct | None = None
    about: ClaimId | None = None
    further: tuple[HeldMark, ...] = ()
    turns: tuple[TurnNumber, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether there was a mark at all, read or not."""
        return self.act is not None or bool(self.problems)


NO_MARKS = Cited(start=0, end=0)


def cited(text: str, start: int, end: int, held: Held, through: int | None) -> Cited:
    """Take the marks at the end of a range off it, and one at its beginning, with turn references between them.

    Every claim named by a known id counts, each once: of two verbs for one claim the first. An id that is not in `held`
    is dropped with the problem `unknown_claim`, a second verb with `several_acts`, an id without a verb with
    `claim_without_act`. A bracket without an id is a part of the statement.
    """
    turns: list[TurnNumber] = []
    named: list[tuple[HeldAct | None, str]] = []
    problems: list[str] = []
    for _ in range(MAX_MARKS):
        found = _at_end(text, start, end)
        body = None if found is None else _named(found[1], held)
        if found is not None and body is not None:
            end = found[0]
            named = [*body, *named]
            inside = read_turns(" ".join(part for part in found[1].split(";") if _TURNS.match(part)), through)
            turns += inside.turns
            problems += inside.problems
            continue
        own_end, reference = trailing_reference(text, start, end, through)
        if reference == NO_REFERENCE:
            break
        end = own_end
        turns += reference.turns
        problems += reference.problems
    first = _BRACKET.match(text, start, end)
    leading = None if first is None else _named(first[1], held)
    if first is not None and leading is not None and text[first.end() : end].strip():
        start = first.end() + len(text[first.end() : end]) - len(text[first.end() : end].lstrip())
        named = [*leading, *named]
    marks, more = _decided(named, held)
    act, about, further = in_fields(marks)
    problems += more
    return Cited(
        start=start, end=end, act=act, about=about, further=further, turns=tuple(turns), problems=tuple(problems)
    )


def in_fields(marks: tuple[HeldMark, ...]) -> tuple[HeldAct | None, ClaimId | None, tuple[HeldMark, ...]]:
    """Marks as the fields `act`, `about` and `further` of a stated claim."""
    return (marks[0].act, marks[0].about, marks[1:]) if marks else (None, None, ())


def decided(said: Sequence[tuple[str, str]], held: Held) -> tuple[tuple[HeldMark, ...], tuple[str, ...]]:
    """What a reply in JSON says of held claims, and what is wrong with it; "" and "none" say nothing.

    Besides the problems of `cited`: `act_unknown`, and `act_without_claim` for a verb that comes without an id.

    Args:
        said: Pairs of a verb and the ids it is about, which may be several.
        held: The ids that may be cited.
    """
    named: list[tuple[HeldAct | None, str]] = []
    problems: list[str] = []
    for act, about in said:
        verb, ids = (words.strip() if words.strip().lower() != "none" else "" for words in (act, about))
        known = _ACT.fullmatch(verb)
        if verb and known is None:
            problems.append(f"act_unknown: {excerpt(verb)}")
            continue
        kind = None if known is None else _ACTS[known[1].lower()]
        ids = ids if known is None else f"{known[2]} {ids}"  # "revises c3f2a" in the field of the verb
        found = [(kind, word) for word in _ID.findall(ids) if word.lower() not in _NO_ID]
        if kind is not None and not found:
            problems.append(f"act_without_claim: {kind.value}")
        named += found
    marks, more = _decided(named, held)
    return marks, (*problems, *more)


def _at_end(text: str, start: int, end: int) -> tuple[int, str] | None:
    """The bracket that ends a range, behind a full stop or before it: where the words before it end, and its body."""
    stop = end
    while stop > start and (text[stop - 1] in ".;" or text[stop - 1].isspace()):
        stop -= 1
    if stop == start or text[stop - 1] not in "])":
        return None
    opening = max(text.rfind("[", start, stop), text.rfind("(", start, stop))
    match = None if opening == -1 else _BRACKET.fullmatch(text, opening, stop)
    if match is None:
        return None
    while opening > start and text[opening - 1].isspace():
        opening -= 1
    return (opening, match[1]) if opening > start else None


def _named(body: str, held: Held) -> list[tuple[HeldAct | None, str]] | None:
    """The acts and ids of one bracket in their order; None when it is no mark."""
    found: list[tuple[HeldAct | None, str]] = []
    for part in body.split(";"):
        words = part.strip()
        verb = _ACT.fullmatch(words)
        ids = [word for word in _ID.findall(words if verb is None else verb[2]) if word.lower() not in _NO_ID]
        ours = [word for word in ids if word in held or _OURS.fullmatch(word)]
        if ours and ours == ids:
            found += [(None if verb is None else _ACTS[verb[1].lower()], word) for word in ours]
    return found or None


def _decided(named: list[tuple[HeldAct | None, str]], held: Held) -> tuple[tuple[HeldMark, ...], tuple[str, ...]]:
    """A mark for each claim that is named with a verb, and what is wrong with the rest."""
    chosen: dict[ClaimId, HeldAct] = {}
    problems: list[str] = []
    for act, word in named:
        claim = held.get(word) or (word if word in held.values() else None)
        if claim is None:
            problems.append(f"unknown_claim: {word[:20]}")
        elif act is None:
            problems.append(f"claim_without_act: {word[:20]}")
        elif chosen.setdefault(claim, act) is not act:
            problems.append(f"several_acts: {word[:20]}")
    return tuple(HeldMark(act=act, about=claim) for claim, act in chosen.items()), tuple(problems)
