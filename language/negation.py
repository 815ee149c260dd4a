"""Whether a statement is denied."""

import re

from dissolution.values import Span
from language.masks import blanked, code_spans, quotation_spans, straightened
from language.remembered import remembered
from language.sentences import sentence_spans
from language.words import word_set

# Words and contractions that deny. A hyphen after "no" makes it part of a name ("no-op").
NEGATORS = r"""
    \b(?=[a-z])(?:
    (?:not|never|nobody|nothing|nowhere|cannot|neither|without|none|no[ -]one|no\ longer|nor)\b(?!-)
  | (?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|should|must|need|might|sha|ai|dare|ought)n't\b
  | (?:dont|doesnt|didnt|isnt|wasnt|wont|cant|couldnt|shouldnt|wouldnt|hasnt|havent)\b)
  | (?<!-)\bno\b(?!-|\.\ ?\d)
"""
# Near-negations: "hardly any" denies "some".
SCARCE = r"\b(?:hardly|scarcely|barely|rarely|seldom)\b"
# Verbs that deny what follows them.
VERBS = r"""
    (?<!-)\b(?:lack(?:s|ed|ing)?|den(?:y|ies|ied|ying)|disagree(?:s|d|ing)?|refus(?:e|es|ed|ing)|disprove(?:s|d)?)\b
  | \b(?:fail(?:s|ed|ing)?|declin(?:e|es|ed|ing)|forg(?:et|ets|ot)|neglect(?:s|ed)?|omit(?:s|ted)?)\ to\b
  | \b(?:i|we)\ doubt\b
"""
# Adjectives that deny when said of the subject ("is impossible") or denied themselves ("not impossible").
ADJECTIVES = """
    impossible unable unwilling untrue incapable insufficient unnecessary unavailable unsupported unknown unclear
    unconfirmed unverified unaffected unchanged unlikely unused unrelated unsafe unacceptable unreasonable unusual
    uncommon unimportant unaware uncertain unfair undecided unresolved unmeasured inconsistent incompatible incorrect
    invalid irrelevant absent
"""
PREDICATE = (
    rf"(?=\ [{''.join(sorted({word[0] for word in ADJECTIVES.split()}))}])"  # tells most places before looking back
    r"(?:(?<=\bis)|(?<=\bare)|(?<=\bwas)|(?<=\bwere)|(?<=\bbe)|(?<=\bbeen)|(?<=\bam)|(?<=\bnot)|(?<=n't)"
    r"|(?<=\bremain)|(?<=\bremains)"
    r"|(?<=\bseems)|(?<=\bstays)|(?<=\bnever)|(?<=\bstill)|(?<=\bnow)|(?<=\balso)|(?<=\bit))\ (?:"
    + "|".join(ADJECTIVES.split())
    + r")\b"
)

# Phrases with a negator that deny nothing: bounds, emphasis, set phrases, tag questions, answers.
HARMLESS = re.compile(
    r"""
    (?:\bnot|n't)\ (?:only|just|merely|simply|solely|least|to\ mention|until)\b
  | \b(?:no|not)\ (?:later|earlier|more|less|fewer|sooner|greater|lower|higher|shorter|longer)\ than\b
  | \bno\ (?:doubt|wonder|matter|problem|worries|question|sooner|thanks)\b | \b(?:without|beyond)\ (?:a\
  |any\ )?(?:doubt|question)\b
  | \bnothing\ (?:but|other\ than|more\ than|less\ than|short\ of)\b | \b(?:none|no)\ other\ than\b
  | \b(?:or|if|why|of\ course|certainly|maybe|perhaps)\ not\b(?=\s*(?:[,.;:?!)]|$))
  | \bwhether\ or\ not\b | \bcan(?:not|'t)\ (?:help|but|wait)\b
  | ,\ (?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|should|must)n't\ (?:i|we|you|he|she|it
  |they|there|that)\s*\?
  | (?:^|(?<=[.!?:;,]\ ))(?:oh,?\ |well,?\ )?no(?=\s*[,.!:;–—])
    """,
    re.VERBOSE | re.IGNORECASE,
)
CUE = re.compile("|".join((NEGATORS, SCARCE, VERBS, PREDICATE.replace("\n", ""))), re.VERBOSE | re.IGNORECASE)

# Where a clause ends: punctuation, or a word that opens a clause of reason, contrast, condition or description.
BREAK = re.compile(
    r"[,;:()–—]|\s-\s|\b(?=(?:because|although|though|while|whereas|since|if|when|whenever|unless|but|which|who"
    r"|whose|where|so\ that|until|"
    r"after|before|and|or|even|so|nor)\b)",
    re.IGNORECASE,
)
# A clause that opens with one of these sets the scene; the main clause is another one.
SCENE = re.compile(
    r"(?:if|when|whenever|because|although|though|while|whereas|since|as|unless|until|once|after|before|given"
    r"|in|on|at|for|from|"
    r"with|by|under|despite|during|except|which|who|whose|where|so that|even|without|not)\b",
    re.IGNORECASE,
)
# Without a verb these open no clause of their own: "Right, we …", "Yes, …".
OPENERS = word_set("""
    so well yes ok okay right however therefore also then now today still instead and but or sure fine agreed
""")
SHORTEST_CLAUSE = 2
GAP = re.compile(r"[ ,;:()–—-]{0,4}")
# Around a denied clause these deny in turn.
WITHOUT = re.compile(r"\b(?:without|unless)\b", re.IGNORECASE)


def negation_cues(text: str) -> tuple[Span, ...]:
    """The words that deny something, in order, without overlap.

    Bounds ("no later than"), emphasis ("not only"), "not until", set phrases ("no doubt"), tag questions, code and
    quotations have none.
    """
    return _cues(_visible(text), 0, len(text))


@remembered
def is_negated(text: str) -> bool:
    """Whether the main clause of the first full sentence of `text` is denied.

    Negations inside one another cancel: "not impossible", "no one disagrees" and "nothing ships without a yes" are
    not negated. Clauses of reason, condition, contrast and description do not count, and coordinated negations
    ("neither A nor B", "no A, no B") count once.
    """
    visible = _visible(text)
    clause = _main_clause(text, visible)
    if clause is None:
        return False
    start, end, opening = clause
    cues = [visible[cue.start : cue.end] for cue in _cues(visible, start, end)]
    count = sum(1 for cue in cues if not cue.lower().startswith("nor")) or len(cues)
    outside = WITHOUT.match(visible, opening) or WITHOUT.match(visible, _skipped(visible, end))
    if count and outside and not any(WITHOUT.fullmatch(cue) for cue in cues):
        count += 1  # "nothing is deployed unless Ravi agrees" says that Ravi must agree
    return count % 2 == 1


def _cues(visible: str, start: int, end: int) -> tuple[Span, ...]:
    spans: list[Span] = []
    for match in CUE.finditer(visible, start, end):
        begin = match.end() - len(match[0].lstrip())
        spans.append(Span(start=begin, end=match.end()))
    return tuple(spans)


def _skipped(visible: str, position: int) -> int:
    gap = GAP.match(visible, position)
    return gap.end() if gap else position


def _visible(text: str) -> str:
    """The text with what cannot deny blanked; offsets stay the same."""
    plain = straightened(text)
    plain = blanked(plain, code_spans(plain), "x")
    plain = blanked(plain, quotation_spans(plain), "x")
    return HARMLESS.sub(lambda match: "x" * len(match[0]), plain)


def _main_clause(text: str, visible: str) -> tuple[int, int, int] | None:
    """Start and end of the main clause, and the start of its sentence."""
    first: tuple[int, int, int] | None = None
    for sentence in sentence_spans(text):
        clauses = _clauses(visible, sentence.start, sentence.end)
        for position, (start, end) in enumerate(clauses):
            words = visible[start:end].split()
            if not words or (words[0].lower().strip(",") in OPENERS and len(words) < SHORTEST_CLAUSE + 1):
                continue
            first = first or (start, end, sentence.start)
            opens_scene = SCENE.match(visible[start:end]) and position < len(clauses) - 1
            if len(words) >= SHORTEST_CLAUSE and not opens_scene:
                return start, end, sentence.start
    return first


def _clauses(visible: str, start: int, end: int) -> list[tuple[int, int]]:
    clauses: list[tuple[int, int]] = []
    begin = start
    for mark in BREAK.finditer(visible, start, end):
        _keep(clauses, visible, begin, mark.start())
        begin = mark.end()
    _keep(clauses, visible, begin, end)
    return clauses


def _keep(clauses: list[tuple[int, int]], visible: str, start: int, end: int) -> None:
    piece = visible[start:end]
    if piece.strip():
        clauses.append((start + len(piece) - len(piece.lstrip()), end))
