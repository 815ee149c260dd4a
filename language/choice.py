"""What is chosen, rejected, started, stopped and reversed, in the words of choosing."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from dissolution.values import Frozen, Span
from language.masks import blanked, code_spans, straightened
from language.words import content_words


class ChoiceKind(StrEnum):
    """What is done with an option."""

    CHOSEN = "chosen"
    REJECTED = "rejected"
    STARTED = "started"
    STOPPED = "stopped"
    REVERSED = "reversed"


class Choice(Frozen):
    """One act of choosing: its kind, its cue, and the content words (stems; may be empty) of what it is about."""

    kind: ChoiceKind
    span: Span
    text: str
    object_words: frozenset[str]


_PARTICIPLE_OUT = "ruled|left|taken|struck|thrown|voted"
# Cues whose object follows. A cue that is also a noun is left out after an article ("the use of", "a stop event").
ACTIVE = {
    ChoiceKind.CHOSEN: r"""(?:us(?:e|es|ed|ing)(?!\ to\b)|go(?:es|ing)?\ (?:with|for)|went\ (?:with|for)
            |choos(?:e|es|ing)|chose|pick(?:s|ed|ing)?|select(?:s|ed|ing)?|
        adopt(?:s|ed|ing)?|settl(?:e|es|ed|ing)\ (?:on|for)|opt(?:s|ed|ing)?\ for|decid(?:e|es|ed|ing)\ (?:on
        |for|in\ favou?r\ of)|st(?:ick|icks|uck|icking)\ (?:with|to)|
        keep(?:s|ing)?|kept|stay(?:s|ed|ing)?\ (?:with|on)|approv(?:e|es|ed|ing)|commit(?:s|ted|ting)?\ to
        |prefer(?:s|red)?|agree(?:s|d)?\ on|accept(?:s|ed|ing)?|retain(?:s|ed|ing)?)""",
    ChoiceKind.REJECTED: r"""(?:rul(?:e|es|ed|ing)\ out|reject(?:s|ed|ing)?|discard(?:s|ed|ing)?|exclud(?:e|es
            |ed|ing)|drop(?:s|ped|ping)?|strik(?:e|es|ing)|struck|declin(?:e|es|ed|ing)|
        veto(?:es|ed)?|set(?:s|ting)?\ aside|scrap(?:s|ped|ping)?|ditch(?:es|ed|ing)?|dismiss(?:es|ed|ing)?
        |abandon(?:s|ed|ing)?|decid(?:e|es|ed|ing)\ against|turn(?:s|ed)?\ down|
        instead\ of|rather\ than|avoid(?:s|ed|ing)?)""",
    ChoiceKind.STARTED: r"""(?:start(?:s|ed|ing)?(?:\ (?:using|with|to\ use))?|begin(?:s|ning)?|began|enabl(?:e
            |es|ed|ing)|launch(?:es|ed|ing)?|introduc(?:e|es|ed|ing)|
        switch(?:es|ed|ing)?\ on|turn(?:s|ed|ing)?\ on|roll(?:s|ed|ing)?\ out|activat(?:e|es|ed|ing))""",
    ChoiceKind.STOPPED: r"""(?:stop(?:s|ped|ping)?(?:\ (?:using|running|doing))?|ceas(?:e|es|ed
            |ing)(?:\ (?:using|to\ use))?|no\ longer\ (?:uses?|runs?|us(?:e|ing)|keeps?|needs?)|
        retir(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|disabl(?:e|es|ed|ing)|deprecat(?:e|es|ed|ing)|switch(?:es|ed
        |ing)?\ off|turn(?:s|ed|ing)?\ off|
        discontinu(?:e|es|ed|ing)|give(?:s)?\ up(?:\ on)?(?!\ after\b)|gave\ up(?:\ on)?(?!\ after\b)
        |phas(?:e|es|ed|ing)\ out|shut(?:s|ting)?\ down)""",
    ChoiceKind.REVERSED: r"""(?:revert(?:s|ed|ing)?(?:\ (?:back\ )?to)?|roll(?:s|ed|ing)?\ back(?:\ to)?
            |undo(?:es|ing)?|undid|undone|revers(?:e|es|ed|ing)|
        overturn(?:s|ed|ing)?|withdr(?:aw|aws|ew|awing)|tak(?:e|es|ing)\ back|took\ back|rescind(?:s|ed|ing)?
        |retract(?:s|ed|ing)?|go(?:es|ing)?\ back\ (?:to|on)|went\ back\ (?:to|on))""",
}
# Cues that stand after what they are about: passives ("is ruled out"), "stays", "is out".
_BE = r"(?:is|are|was|were|be|been|being|gets?|got|remains?|stays?|'s|'re)"
_ADVERB = (
    r"(?:\ (?:not|never|now|also|still|already|therefore|hereby|again|finally|definitely|firmly|no\ longer|been|being"
    r"|be))*"
)
PASSIVE = {
    ChoiceKind.CHOSEN: r"(?:used|chosen|picked|selected|adopted|kept|approved|accepted|agreed(?!\ (?:on|with|to"
    r"|that)\b)|retained|preferred|confirmed)",
    ChoiceKind.REJECTED: rf"(?:(?:{_PARTICIPLE_OUT})\ out|rejected|discarded|excluded|dropped|struck|declined"
    rf"|vetoed|set\ aside|scrapped|ditched|dismissed|abandoned|"
    r"turned\ down|out\ of\ scope|out(?=\s*(?:[.,;:!)]|$|because|since|too|as|for\ (?:now|good)|entirely|and|then)))",
    ChoiceKind.STARTED: r"(?:started|begun|enabled|launched|introduced|switched\ on|turned\ on|rolled\ out"
    r"|activated)",
    ChoiceKind.STOPPED: r"(?:stopped|retired|removed|disabled|deprecated|switched\ off|turned\ off|discontinued"
    r"|phased\ out|shut\ down|ended)",
    ChoiceKind.REVERSED: r"(?:reverted|rolled\ back|undone|reversed|overturned|withdrawn|rescinded|retracted)",
}
STAYS = (
    r"\b(?:stays?|remains?)(?=\s*(?:[.,;:!)]|$"
    r"|on\b|at\b|in\b|as\b|with\b|where\b|put\b|the\b|until\b))"
)
SWITCH = re.compile(
    r"\b(?P<cue>(?:switch|mov|migrat|chang)(?:e|es|ed|ing|s)?\ from)\ (?P<old>[^,.;:\n]{1,60}?)\ (?P<to>to)\b"
    r"|\b(?P<swap>(?:replac|swap|substitut)(?:e|es|ed|ing|s|ped"
    r"|ping)?)\ (?P<gone>[^,.;:\n]{1,60}?)\ (?P<by>with|by|for)\b",
    re.IGNORECASE | re.VERBOSE,
)
NEGATED = re.compile(
    r"(?:\b(?:not|never|nobody|no one|cannot|neither|without|nothing|none)|n't)(?: (?:yet|ever|to|be|been|being"
    r"|currently|want to|going to|plan to|intend to|allowed to|"
    r"may|must|can|should|will|even|\w+ly)){0,3} $",
    re.IGNORECASE,
)
AFTER_ARTICLE = re.compile(
    r"\b(?:the|a|an|this|that|these|any|no|its|their|our|my|in|of|per|each|every|first|full|how to|for) $",
    re.IGNORECASE,
)
NOUN_LIKE = re.compile(
    r"(?:uses?|drops?|stops?|starts?|strikes?|picks?|launch|launches|keeps?|reverse|start with"
    r"|switch)$",
    re.IGNORECASE,
)
# What an object ends at.
AFTER_END = re.compile(
    r"[,;:.!?()\n](?=\s|$)|\s[–—-]\s|\b(?:because|since|so|but|when|whenever|if|until|unless|instead|rather"
    r"|which|where|while|although|as|that)\b",
    re.IGNORECASE,
)
LIST_GOES_ON = re.compile(r",(?=\s[\w-]+(?:\s[\w-]+)?(?:,\s[\w-]+(?:\s[\w-]+)?){0,6},?\s(?:and|or)\s)")
BEFORE_END = re.compile(
    r"[;:.!?()\n](?=\s)|\b(?:because|since|so|but|that|whether|if|when)\b|,(?=\s(?:we|i|the|and we|so)\b)",
    re.IGNORECASE,
)
OBJECT_LENGTH = 90
OPPOSITE = {
    ChoiceKind.CHOSEN: ChoiceKind.REJECTED,
    ChoiceKind.REJECTED: ChoiceKind.CHOSEN,
    ChoiceKind.STARTED: ChoiceKind.REJECTED,
    ChoiceKind.STOPPED: ChoiceKind.CHOSEN,
    ChoiceKind.REVERSED: ChoiceKind.CHOSEN,
}


class _Cue(NamedTuple):
    start: int
    end: int
    kind: ChoiceKind
    objects_before: bool


def _named(table: dict[ChoiceKind, str]) -> str:
    return "|".join(f"(?P<{kind.value}>{pattern})" for kind, pattern in table.items())


ACTIVE_CUE = re.compile(rf"(?<![\w-])(?:{_named(ACTIVE)})(?![\w-])", re.IGNORECASE | re.VERBOSE)
PASSIVE_CUE = re.compile(
    rf"(?<![\w-])(?P<be>{_BE}){_ADVERB}\ (?:{_named(PASSIVE)})(?![\w-])", re.IGNORECASE | re.VERBOSE
)
STAYS_CUE = re.compile(STAYS, re.IGNORECASE)
INNER_NEGATION = re.compile(r"\b(?:not|never|no longer)\b", re.IGNORECASE)


def choices(text: str) -> tuple[Choice, ...]:
    """Every act of choosing in `text`, in order, without overlap.

    A denied choice is its opposite: "do not use X" is rejected, "do not drop X" and "do not stop X" are chosen, "do not
    start X" is rejected; "is no longer used" is stopped. "Switch from A to B" and "replace A with B" stop A and choose
    B. "Revert to X" is reversed, with X as its object. Code does not count.
    """
    plain = blanked(straightened(text), code_spans(text), "x")
    cues = sorted(_cues(plain), key=lambda cue: (cue.start, -cue.end))
    kept: list[_Cue] = []
    for cue in cues:
        if not kept or cue.start >= kept[-1].end:
            kept.append(cue)
    return tuple(_choice(text, plain, kept, index) for index in range(len(kept)))


def _cues(plain: str) -> Iterator[_Cue]:
    for match in SWITCH.finditer(plain):
        old, new = ("cue", "to") if match["cue"] else ("swap", "by")
        yield _Cue(match.start(old), match.end(old), ChoiceKind.STOPPED, objects_before=False)
        yield _Cue(match.start(new), match.end(new), ChoiceKind.CHOSEN, objects_before=False)
    for match in PASSIVE_CUE.finditer(plain):
        kind = _kind(match)
        if INNER_NEGATION.search(match[0]):
            kind = ChoiceKind.STOPPED if "longer" in match[0].lower() else OPPOSITE[kind]
        elif plain[max(0, match.start("be") - 3) : match.start("be")] == "n't":
            kind = OPPOSITE[kind]
        yield _Cue(match.start(), match.end(), kind, objects_before=True)
    for match in STAYS_CUE.finditer(plain):
        yield _Cue(match.start(), match.end(), ChoiceKind.CHOSEN, objects_before=True)
    for match in ACTIVE_CUE.finditer(plain):
        before = plain[max(0, match.start() - 60) : match.start()]
        if NOUN_LIKE.search(match[0]) and AFTER_ARTICLE.search(before):
            continue
        kind = _kind(match)
        if NEGATED.search(before):
            kind = OPPOSITE[kind]
        yield _Cue(match.start(), match.end(), kind, objects_before=_nothing_follows(plain, match.end()))


def _kind(match: re.Match[str]) -> ChoiceKind:
    return next(kind for kind in ChoiceKind if match[kind.value] is not None)


def _nothing_follows(plain: str, end: int) -> bool:
    """Whether the cue ends its clause: "EKS ruled out." has its object before the cue."""
    rest = plain[end : end + 2].strip(" ")
    return not rest or rest[0] in ".,;:!?)\n"


def _choice(text: str, plain: str, cues: list[_Cue], index: int) -> Choice:
    cue = cues[index]
    if cue.objects_before:
        floor = max(cues[index - 1].end if index else 0, cue.start - OBJECT_LENGTH)
        piece = text[floor : cue.start]
        ends = [match.end() for match in BEFORE_END.finditer(piece)]
        piece = piece[ends[-1] :] if ends else piece
    else:
        ceiling = min(cues[index + 1].start if index + 1 < len(cues) else len(plain), cue.end + OBJECT_LENGTH)
        piece = text[cue.end : ceiling]
        piece = piece[: _object_end(piece)]
    return Choice(
        kind=cue.kind,
        span=Span(start=cue.start, end=cue.end),
        text=text[cue.start : cue.end],
        object_words=content_words(piece),
    )


def _object_end(piece: str) -> int:
    for mark in AFTER_END.finditer(piece):
        if not LIST_GOES_ON.match(piece, mark.start()):
            return mark.start()
    return len(piece)
