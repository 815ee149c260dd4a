"""Whether a statement is denied."""

import re

from dissolution.values import Span
from wording.masks import blanked, code_spans, quotation_spans, straightened
from wording.sentences import sentence_spans

# Words and contractions that deny.
NEGATORS = r"""
    \b(?:not|never|nobody|nothing|nowhere|cannot|neither|without|none|no\ one|no-one|no\ longer|nor)\b(?!-)
  | \b(?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|should|must|need|might|sha|ai|dare|ought)n't\b
  | \b(?:dont|doesnt|didnt|isnt|wasnt|wont|cant|couldnt|shouldnt|wouldnt|hasnt|havent)\b
  | \bno\b(?!-|\.\ ?\d)
"""
# Near-negations: "hardly any" denies "some".
SCARCE = r"\b(?:hardly|scarcely|barely|rarely|seldom)\b"
# Verbs that deny what follows them.
VERBS = r"""
    \b(?:lack(?:s|ed|ing)?|den(?:y|ies|ied|ying)|disagree(?:s|d|ing)?|refus(?:e|es|ed|ing)|disprove(?:s|d)?)\b
  | \b(?:fail(?:s|ed|ing)?|declin(?:e|es|ed|ing)|forg(?:et|ets|ot)|neglect(?:s|ed)?|omit(?:s|ted)?)\ to\b
  | \b(?:i|we)\ doubt\b
"""
# Adjectives that deny when they are said of the subject: "is impossible", "not impossible".
ADJECTIVES = (
    r"(?:impossible|unable|unwilling|untrue|incapable|insufficient|unnecessary|unavailable|unsupported|unknown|unclear|unconfirmed|"
    r"unverified|unaffected|unchanged|unlikely|unused|unrelated|unsafe|unacceptable|unreasonable|unusual|uncommon|unimportant|"
    r"unaware|uncertain|unfair|undecided|unresolved|unmeasured|inconsistent|incompatible|incorrect|invalid|irrelevant|absent)"
)
PREDICATE = rf"(?<=\b)(?:(?:is|are|was|were|be|been|being|am|remains?|remained|seems?|stays?|stayed|becomes?|became|proves?|proved|not|isn't|aren't|wasn't|never)\ (?:\w+ly\ |now\ |still\ |also\ )?)(?P<adjective>{ADJECTIVES})\b"

# Phrases with a negator that deny nothing: bounds, emphasis, contrast, set phrases, tags.
HARMLESS = re.compile(
    r"""
    \b(?:not|n't)\ (?:only|just|merely|simply|solely|least|to\ mention|until)\b
  | \b(?:no|not)\ (?:later|earlier|more|less|fewer|sooner|greater|lower|higher|longer|shorter)\ than\b
  | \bno\ (?:doubt|wonder|matter|problem|worries|question|sooner|thanks)\b | \b(?:without|beyond)\ (?:a\ |any\ )?(?:doubt|question)\b
  | \bnothing\ (?:but|other\ than|more\ than|less\ than|short\ of)\b | \bnone\ other\ than\b | \bno\ other\ than\b
  | \b(?:or|if|why|whether\ or|than|maybe|perhaps|certainly|of\ course)\ not\b(?=\s*(?:[,.;:?!)]|$|\bthen\b|\bwhy\b))
  | \bwhether\ or\ not\b | \bneither\ here\ nor\ there\b | \blast\ but\ not\ least\b | \bcan(?:not|'t)\ (?:help|but|wait)\b | \bno\ more\ and\ no\ less\b
  | ,\ (?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|should|must)n't\ (?:i|we|you|he|she|it|they|there|that)\s*\?
  | (?:^|[.!?:;,]\s)\s*(?:oh\ |well\ )?no(?=\s*[,.!:;–—])
    """,
    re.VERBOSE | re.IGNORECASE,
)
CUE = re.compile("|".join((NEGATORS, SCARCE, VERBS, PREDICATE)), re.VERBOSE | re.IGNORECASE)

# A clause that opens with one of these only sets the scene for the main clause.
SCENE = re.compile(
    r"(?:if|when|whenever|because|although|though|while|whereas|since|as|unless|until|once|after|before|given|in|on|at|for|from|with|"
    r"by|under|despite|during|except|so|well|yes|no|ok|okay|right|however|therefore|also|then|now|today|still|instead|and|but)\b",
    re.IGNORECASE,
)
# Where a clause ends: punctuation, or a word that opens a clause of reason, contrast, condition or description.
BREAK = re.compile(
    r"[,;:()–—]|\s-\s|\b(?:because|although|though|while|whereas|since|if|when|unless|but|which|who|whose|where|so\ that|until|after|before|and|or|even)\b",
    re.IGNORECASE,
)


def negation_cues(text: str) -> tuple[Span, ...]:
    """The words that deny something, in order, without overlap.

    Bounds ("no later than"), emphasis ("not only"), set phrases ("no doubt"), code and quotations have none.
    """
    return tuple(Span(start=m.start(), end=m.end()) for m in CUE.finditer(_visible(text)))


def is_negated(text: str) -> bool:
    """Whether the main clause of the first full sentence is denied: an odd number of negations, one inside the other."""
    return len(negation_cues(text)) % 2 == 1


def _visible(text: str) -> str:
    plain = straightened(text)
    plain = blanked(plain, code_spans(text))
    plain = blanked(plain, quotation_spans(plain))
    return HARMLESS.sub(lambda match: " " * len(match[0]), plain)


_ = (sentence_spans, SCENE, BREAK)
