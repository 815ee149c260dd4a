"""How a statement is meant: as fact, guess, plan, rule, permission, question or condition."""

import re
from collections.abc import Callable
from enum import StrEnum

from wording.hedges import is_hedged
from wording.masks import blanked, code_spans, quotation_spans, straightened


class Modality(StrEnum):
    """How a statement is meant."""

    FACT = "fact"
    GUESS = "guess"
    PLAN = "plan"
    OBLIGATION = "obligation"
    PROHIBITION = "prohibition"
    PERMISSION = "permission"
    QUESTION = "question"
    CONDITIONAL = "conditional"


# Verbs that open an instruction in the imperative.
IMPERATIVES = """
    use keep run write give ask call stay put add remove drop make set
    ship deploy show state explain count cite flag mark send tell let check report
    avoid stop roll revert answer stick treat prefer include leave hold quote label start
    wait remember note ensure confirm follow return limit read test verify mention name speak
    reply respond consider assume replace switch move raise lower enable disable update delete see
    do take go
"""
# After an imperative comes its object; these show that the word was a noun instead: "Use is up", "Stop events".
NOT_AFTER_IMPERATIVE = (
    r"(?!\ (?:is|are|was|were|has|have|had|of|will|must|can|could|should|may|events?|rate|time|cases?)"
    r"\b)"
)
_IMPERATIVES = "|".join(IMPERATIVES.split())
IMPERATIVE = re.compile(
    rf"(?:please\ |always\ |then\ |also\ |so\ |just\ )*(?:{_IMPERATIVES})\b(?=\ ){NOT_AFTER_IMPERATIVE}",
    re.IGNORECASE | re.VERBOSE,
)
QUESTION = re.compile(
    r"""(?:(?:and|but|so)\ )?(?:who|whose|whom|what|which|why|how\ (?:many|much|long|often|far)|where)\ [^.]*\?
      | (?:whether|open\ question)\b[^,]*$ | (?:it\ is\ |it's\ )(?:open|undecided|unresolved)\ (?:whether|if
      |how|who|what|which)\b""",
    re.VERBOSE | re.IGNORECASE,
)
PROHIBITION = re.compile(
    r"""
    \b(?=[a-z])(?:(?:must|shall|should|ought)(?:\ (?:not|never)|n't)\b | can(?:not|'t)\ be\ (?:changed|used|touched
    |altered|shared|moved)\b
  | (?:is|are|be|was|were)(?:\ |n't\ |\ not\ )(?:not\ )?(?:forbidden|prohibited|banned|off[ -]limits|disallowed)\b)
  | (?:\bnot|n't)\ (?:\w+\ )?(?:allowed|permitted|acceptable|authori[sz]ed)\b
  | \b(?=\w)(?:(?:nobody|no\ one|none\ of\ \w+|nothing|no\ \w+(?:\ \w+)?)\ (?:may|must|can|should|shall|is\ to
  |is\ allowed|gets)\b
  | (?:you|we|they|he|she|one|i|users?|members?|\w+ers?)\ may\ not\b(?!\ (?:be|have|know|need|want)\b)
  | (?:i|we|you|they|nobody|no\ one)\ (?:must\
  |should\ )?never\ (?:\w+)\b(?<!been)(?<!had)(?<!saw)(?<!measured)(?<!was)(?<!were)
  | (?:am|is|are)\ not\ to\ (?!be\ (?:sure|seen|confirmed))\w+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
PROHIBITION_START = re.compile(
    r"(?:please |also |and |so |but )?(?:(?:do not|don't|never|avoid)\b(?! know| think| see| have)"
    r"|no \w+[\w ]{0,40} (?:without|unless|before|until|outside)\b|"
    r"(?:nobody|no one) (?:runs?|deploys?|changes?|touches|edits?|uses?|ships?)\b)",
    re.IGNORECASE,
)
OBLIGATION = re.compile(
    r"""
    \b(?:must|shall|ought\ to|(?:has|have|had)\ (?:got\ )?to(?!\ (?:do\ with|be\ \w+ed\ yet))|needs?\ (?:to
    |\w+ing)|should)\b
  | \b(?:is|are|am)\ (?:required|obliged|mandatory|compulsory|to\ be\ \w+ed|supposed\ to)\b
  | \brequires?\b(?=\ (?:a\ |an\ |the\ )?(?:yes|approval|sign-?off|consent|review))
  | \b(?:i|we|you)\ always\ \w+ | \bthe\ rule\ is\b | \b(?:is|are)\ responsible\ for\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
NOT_OBLIGED = re.compile(
    r"\b(?:need not|needn't|(?:do not|does not|don't|doesn't) (?:have|need) to|is not required|are not required"
    r"|not mandatory)\b",
    re.IGNORECASE,
)
PERMISSION = re.compile(
    r"""
    \b(?:is|are|am|was|were|be)\ (?:now\ |explicitly\ )?(?:allowed|permitted|free|authori[sz]ed|entitled
    |welcome)\ to\b | \bfeel\ free\b
  | \b(?:you|anyone|anybody|everyone|only\ [\w' -]{1,40}|whoever)\ (?:may|can)\b | \bmay\ only\b
  | \b(?:has|have)\ (?:permission|leave|the\ right)\ to\b | \b(?:it\ is|it's|is)\ (?:fine|ok|okay|all\ right
  |acceptable)\ (?:to|if|for)\b
  | \b(?:is|are)\ (?:allowed|permitted|optional)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
CONDITION_START = re.compile(
    r"(?:and |but |so |then )?(?:if|unless|in case|provided(?: that)?|assuming(?: that)?|should \w+ \w+"
    r"|whenever|as long as|only if|in the event)\b",
    re.IGNORECASE,
)
CONDITION_INSIDE = re.compile(
    r"\b(?:only if|only when|unless|provided that|as long as|on condition that|depends on whether|in case"
    r"|if)\b(?! (?:not|any|so|possible|needed|necessary)\b[,.)]?)",
    re.IGNORECASE,
)
PLAN = re.compile(
    r"""
    \b(?:will|won't|'ll|shall)\b | \b(?:am|is|are|'m|'re|'s)\ (?:now\ )?(?:going\ to|about\ to|planning
    |due\ (?:to|on|by|for|in|at)|scheduled|planned|set\ to|expected\ to)\b
  | \b(?:plans?|intends?|aims?|hopes?|means)\ to\b(?!\ be\ clear) | \b(?:the\ plan|next\ step|the\ next\ step
  |the\ goal|the\ intention)\ (?:is|remains)\b
  | \b(?:to\ be|gets|is\ being)\ \w+ed\ (?:on|by|in|next|tomorrow|later|after)\b | \b(?:tomorrow|next\ (?:week
  |month|year|quarter))\b
    """,
    re.VERBOSE | re.IGNORECASE,
)


def modality(text: str) -> Modality:
    """The modality of `text`, which is one statement; the first rule that holds wins.

    Question; a condition that comes first; prohibition; guess (hedged); obligation; permission; a condition that
    comes later; plan; fact. Empty text is a fact about nothing. Code and quotations do not count.
    """
    plain = _visible(text)
    for kind, holds in RULES:
        if holds(plain):
            return kind
    return Modality.FACT


def _visible(text: str) -> str:
    plain = straightened(text)
    plain = blanked(plain, code_spans(plain), "x")
    return blanked(plain, quotation_spans(plain), "x").strip(" \t\n-*•_#>")


def _is_question(plain: str) -> bool:
    return plain.rstrip("\"')*_ ").endswith("?") or QUESTION.match(plain) is not None


def _is_prohibited(plain: str) -> bool:
    return PROHIBITION_START.match(plain) is not None or PROHIBITION.search(plain) is not None


def _is_obliged(plain: str) -> bool:
    if IMPERATIVE.match(plain):
        return True
    return OBLIGATION.search(NOT_OBLIGED.sub("", plain)) is not None


def _is_permitted(plain: str) -> bool:
    return NOT_OBLIGED.search(plain) is not None or PERMISSION.search(plain) is not None


RULES: tuple[tuple[Modality, Callable[[str], bool]], ...] = (
    (Modality.QUESTION, _is_question),
    (Modality.CONDITIONAL, lambda plain: CONDITION_START.match(plain) is not None),
    (Modality.PROHIBITION, _is_prohibited),
    (Modality.GUESS, is_hedged),
    (Modality.OBLIGATION, _is_obliged),
    (Modality.PERMISSION, _is_permitted),
    (Modality.CONDITIONAL, lambda plain: CONDITION_INSIDE.search(plain) is not None),
    (Modality.PLAN, lambda plain: PLAN.search(plain) is not None),
)
