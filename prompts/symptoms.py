"""Signs that tell what a reply is: refusals, courtesies around the answer, repetition, a broken end, an echoed prompt."""

import re
import zlib
from collections.abc import Sequence
from functools import cache

from prompts.catalog import SLOT, load, names, versions
from prompts.headings import fold
from prompts.marks import BULLET, SENTENCE_END

LOOK_CHARS = 1500
"""A refusal says so at its beginning."""

# What a refusing writer cannot or will not do. Verbs of use ("I refuse to use X", "I can't reach the server") are missing
# on purpose: those are statements.
_TASK = (
    r"(?:help|assist|comply|continue|proceed|answer|respond|provide|process|fulfil+|complete|do (?:that|this|so)|share|discuss|"
    r"speak|summari[sz]e|engage|participate|generate|create|produce|offer|take on|adopt|act as|role-?play|pretend|carry out|"
    r"support|give you|write|analy[sz]e|reveal|disclose|accommodate|be able)"
)
_REFUSAL = re.compile(
    "|".join(
        (
            r"(?:i(?: a|')?m |i am )?(?:so |very |really )?sorry,? (?:but )?(?:i|that|this|we|as an)\b",
            r"(?:i apologi[sz]e|apologies|unfortunately|regrettably),? (?:but )?(?:i|this|that|your request|as an)\b"
            rf".{{0,40}}\b(?:can(?:no|')?t|not able|unable|won't|not (?:be )?(?:able|permitted|allowed))",
            rf"i (?:can(?:no|')t|cannot|can not|could not|couldn't|won't|will not|would not|am unable to|am not able to|"
            rf"must decline to|have to decline to|decline to|refuse to|am not (?:allowed|permitted|comfortable|in a position) (?:to )?)"
            rf"\s?(?:really |fully |further )?{_TASK}\b",
            rf"i'm (?:unable to|not able to|not (?:allowed|permitted|comfortable|in a position|going) (?:to )?)\s?{_TASK}",
            r"i (?:must|have to|need to|will) (?:respectfully |politely )?decline\b",
            r"as an? (?:ai|artificial intelligence|(?:large )?language model)\b",
            r"i(?:'m| am) (?:just |only )?an? (?:ai|language model|artificial intelligence)\b",
            r"(?:this|that|your|the) (?:request|content|prompt|response|conversation|message|reply|answer)\b.{0,60}"
            r"\b(?:violat|against (?:our|my|the)|not (?:permitted|allowed)|filtered|blocked|flagged|withheld|polic(?:y|ies))",
            r"(?:it (?:is|goes) )?against (?:my|our) (?:guidelines|polic|programming|principles)",
            r"i don't feel comfortable|i do not feel comfortable",
            r"(?:es tut mir leid|tut mir leid|entschuldigung|leider kann ich|ich kann (?:dabei|dir|ihnen|diese|das|darauf|hier)"
            r"\b.{0,40}\bnicht|das kann ich (?:leider )?nicht)",
            r"(?:je suis desole|desole|je regrette),?|je ne (?:peux|puis|suis pas en mesure)(?: pas)?\b",
            r"(?:lo siento|lo lamento|disculpa|perdon),?|no puedo (?:ayudar|responder|cumplir|continuar|proporcionar|hacer)",
            r"(?:mi dispiace|non posso (?:aiutar|risponder|continuar|fornire))",
            r"(?:desculpe|sinto muito|lamento),?|nao posso (?:ajudar|responder|continuar|fornecer)",
            r"(?:het spijt me|helaas kan ik)",
        )
    )
)

# Courtesies before the answer ("Sure! Here is …") and after it ("Let me know if …").
_PREAMBLE = re.compile(
    r"(?:sure|certainly|of course|absolutely|ok(?:ay)?|alright|got it|understood|great|thanks?(?: you)?|no problem|below|"
    r"here(?:'s| is| are| goes| you)|this is|the following|let me|i'?(?:ll| will)|speaking as|as (?:the|an) integrated|"
    r"gerne|naturlich|klar|selbstverstandlich|hier (?:ist|sind|kommt)|bien sur|voici|d'accord|claro|por supuesto|"
    r"aqui (?:esta|tienes|va)|ecco|certo|certamente|natuurlijk|hier is)\b"
)
_COURTESY = re.compile(
    "|".join(
        (
            r"(?:please )?(?:just )?(?:let me know|tell me) (?:if|whether|what|which|how|should|when)\b",
            r"(?:i )?(?:really |truly )?hope (?:this|that|it|these)\b.{0,60}\b(?:help|useful|clear|what you)",
            r"hope (?:this|that|it) helps",
            r"(?:please )?(?:don't hesitate|do not hesitate|feel free|be sure) to\b",
            r"(?:would|do) you (?:like|want|need) (?:me|any|more|further|a )",
            r"(?:is there|shall i|should i|can i|may i) (?:anything|something|help|go|continue|expand|elaborate|add|provide|do)\b",
            r"if (?:you|there) (?:have|need|want|would|like|are|is|'d|'re)\b.{0,90}\b(?:let me|happy to|glad to|feel free|just ask|here to)",
            r"(?:i'?m|i am|i'd be|i would be|always) (?:always )?(?:happy|glad|here) to (?:help|assist|expand|elaborate|answer|go|clarify|provide)\b",
            r"(?:happy|glad) to (?:help|expand|elaborate|clarify|go deeper|answer)\b",
            r"(?:just )?(?:ask|say the word|give me a shout)\b.{0,40}[!.]?$",
            r"(?:have a (?:great|nice|good) )",
            r"(?:ich hoffe|hoffentlich)\b.{0,60}\b(?:hilft|hilfreich|weiter)|(?:sag|sagen sie|gib|lass|lassen sie) (?:mir |mich )?"
            r"(?:bitte |gerne )?(?:bescheid|wissen)|wenn (?:du|sie) (?:noch )?(?:weitere )?(?:fragen|mehr|etwas)\b|"
            r"soll ich (?:noch|etwas|das|weiter)|melde dich|gerne helfe ich",
            r"(?:j'|j )?espere que (?:cela|ca|c'est)|n'hesite[zs]? pas|faites-moi savoir|fais-moi savoir|dites-moi si|dis-moi si|"
            r"souhaite[zs]-(?:vous|tu)|voulez-vous que",
            r"espero que (?:esto|te|le|les|sea)\b|(?:si (?:necesitas|necesita|quieres|quiere|tienes|tiene)\b.{0,90}"
            r"\b(?:avis|dime|digame|preguntar|aqui|saber))|hazmelo saber|haganmelo saber|dime si|no dudes en|quieres que",
            r"spero che (?:questo|ti|sia)|fammi sapere|espero que (?:isto|isso|ajude)|laat (?:het )?me weten|ik hoop dat",
        )
    )
)

_BREAK_WORDS = frozenset(
    """
    a an the and or but nor so of to in on at by for from with without into onto over under about as than that which who
    whose when where while because since until if unless whether is are was were be been has have had do does did will
    would can could should may might must not no its it's his her their our your my this these those it he she we they
    und oder aber der die das den dem ein eine einen mit von zu auf ist sind wird nicht weil dass
    et ou mais le la les un une de du des est sont que qui dans pour avec ne
    y o pero el los las una en con es son que para por no del
    """.split()
)

REPEATING_RATIO = 0.10
"""A text of 400 characters or more that DEFLATE shrinks below this share says the same thing again and again. Ordinary
prose of that length stays above 0.35; the lowest of the recorded answers is 0.43."""

LEAST_REPEATING = 400
TAIL = 1500
TAIL_RATIO = 0.12
LEAST_UNITS = 6
LEAST_ECHO = 8
"""Characters; shorter pieces of a prompt ("none", "rules") are anybody's words."""


def plain(text: str) -> str:
    """Folded for phrase matching: lower case, no accents, straight apostrophes kept."""
    return fold(text.replace("\u2019", "'").replace("'", "\u0001")).replace("\u0001", "'")


def is_refusal(text: str) -> bool:
    """Whether one of the first sentences declines the task. Look at text outside sections only."""
    opening = plain(text[:LOOK_CHARS])
    return any(_REFUSAL.match(sentence.strip(" \"'*_#->")) for sentence in re.split(r"(?<=[.!?:])\s+", opening)[:6])


def is_preamble(text: str) -> bool:
    """Whether text before the answer only announces it."""
    opening = plain(text[: LOOK_CHARS + 1]).strip(" *_#-")
    return len(opening) <= LOOK_CHARS // 3 and (bool(_PREAMBLE.match(opening)) or opening.endswith(":"))


def is_courtesy(sentence: str) -> bool:
    """Whether one sentence is an offer or wish after the answer, not part of it."""
    return len(sentence) <= LOOK_CHARS // 4 and bool(_COURTESY.match(plain(sentence).strip(" *_-")))


def is_repeating(text: str, units: Sequence[str]) -> bool:
    """Whether a reply says the same words again and again.

    Three signs: the whole text, or its last 1,500 characters, shrink below a small share under DEFLATE (any language,
    with or without spaces); or half or more of at least six statements (`units`) are copies of others.
    """
    body = " ".join(text.split())
    if len(body) >= LEAST_REPEATING and _packed(body) < REPEATING_RATIO:
        return True
    if len(body) >= 2 * TAIL and _packed(body[-TAIL:]) < TAIL_RATIO:
        return True
    distinct = {plain(unit) for unit in units}
    return len(units) >= LEAST_UNITS and 2 * len(distinct) <= len(units)


def _packed(text: str) -> float:
    data = text.encode("utf-8", "replace")
    return len(zlib.compress(data, 6)) / len(data)


def breaks_off(text: str, others: Sequence[str]) -> bool:
    """Whether the last statement stops in the middle.

    It does when it ends with a word or sign that something must follow, when a bracket or quotation is left open, or when
    it has no closing punctuation while most of the other statements (`others`) have.
    """
    last = text.rstrip().rstrip("*_`")
    if not last:
        return False
    if last[-1] in SENTENCE_END:
        return False
    final = re.findall(r"[\w']+", last[-40:].casefold())
    if last[-1] in ",;:(\u2013\u2014-" or (last[-1].isalpha() and final and final[-1] in _BREAK_WORDS):
        return True
    if last.count("(") > last.count(")") or last.count("\u201c") > last.count("\u201d") or last.count('"') % 2:
        return True
    closed = sum(other.rstrip("*_`\"')\u201d ")[-1:] in SENTENCE_END for other in others)
    return last[-1] not in "\"')\u201d\u00bb]}" and bool(others) and 2 * closed > len(others)


@cache
def _own_lines() -> frozenset[str]:
    """The lines and sentences of every released prompt, folded: a reply that consists of them says nothing."""
    lines: set[str] = set()
    for name in names():
        for version in versions(name):
            file = load(name, version)
            for line in SLOT.sub("", f"{file.system or ''}\n{file.user}").splitlines():
                bullet = BULLET.match(line)
                body = line[bullet.end() :] if bullet else line
                pieces = {body, *re.split(r"(?<=[.?!:])\s+", body), *re.split(r":\s+", body)}
                lines.update(folded for piece in pieces if len(folded := _skeleton(piece)) >= LEAST_ECHO)
    return frozenset(lines)


def is_echo(text: str) -> bool:
    """Whether a statement is a line or sentence of the prompt itself."""
    return len(text) <= LOOK_CHARS and _skeleton(text) in _own_lines()


def _skeleton(text: str) -> str:
    return " ".join(re.findall(r"\w+", plain(text)))
