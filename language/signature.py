"""Linguistic signature of a text: first person, present tense, and phrases it should not use."""

import re

from dissolution.answers import Signature
from dissolution.values import Measured, NotMeasured
from language.masks import straightened
from language.sentences import sentence_spans
from language.tense import Tense, tense

# The prompt asks for the integrated state. These phrases speak about the conversation instead: somebody discussed, the
# conversation did something, something was discussed, "as mentioned", "earlier we", "in this conversation".
_WHO = r"(?:we|they|you and i|the (?:user|participants|team|speakers?)(?: and (?:i|the assistant))?)"
_DID = r"(?:discussed|talked (?:about|through|over)|sp[oe]ken? (?:about|of)|went over|covered|touched on|mentioned)"
_TALK = r"(?:conversation|discussion|chat|dialogue|exchange|talk|thread)"
_TALK_DID = (
    r"(?:cover(?:ed|s)|discuss(?:ed|es)|was about|is about|cent(?:re|er)s? on|cent(?:re|er)e?d on|focus(?:ed|es) on|"
    r"touched on|touches on|turned to|turns to|move[sd]? (?:on|to|through)|explore[ds]|began|started)"
)
_PATTERNS = (
    rf"{_WHO}(?: have| had|'ve|'d)?(?: also| then| first| briefly| already| just)? {_DID}",
    rf"(?:the|this|our) {_TALK} (?:also |then |has |had |mainly )?{_TALK_DID}",
    r"(?:it|this|that|there) (?:was|were|has been|had been|is|are)(?: also| then)? (?:discussed|mentioned|brought up)",
    r"(?:was|were|been)(?: also| then| briefly)? discussed",
    r"as (?:we |i |you |was |already |previously |earlier )?(?:mentioned|discussed|noted|said|stated)",
    r"(?:earlier|previously|before)(?: on)?,? (?:we|i|you|they) (?:said|discussed|mentioned|talked|noted|agreed)",
    r"earlier we",
    rf"(?:in|during|throughout|over the course of) (?:the|this|our) {_TALK}",
)
FORBIDDEN = re.compile(rf"\b(?:{'|'.join(_PATTERNS)})\b", re.IGNORECASE)
FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b", re.IGNORECASE)
# A lone capital or number after these is no pronoun ("Route I", "phase I"), and "US" is a country.
NOT_A_PRONOUN = re.compile(
    r"\b(?i:part|phase|route|type|level|class|section|version|model|stage|tier|world war) I\b|\bUS\b|\bI/O\b"
)
LONG_STOPS = re.compile(r"[.!?…]{9,}")


def tamed(text: str) -> str:
    """The text with runs of nine or more stops blanked behind the first, offsets unchanged.

    Such runs end one sentence like a single stop; left as they are they could make sentence splitting slow.
    """
    return LONG_STOPS.sub(lambda run: run[0][0] + " " * (len(run[0]) - 1), text)


def forbidden_phrases(text: str) -> tuple[str, ...]:
    """Phrases that speak about the conversation, as found, in order, each spelling once."""
    plain = " ".join(straightened(text).split())
    return tuple(dict.fromkeys(match[0] for match in FORBIDDEN.finditer(plain)))


def signature(text: str) -> Signature:
    """Measure a text.

    Returns:
        Sentences counted; the share of them with a first-person pronoun (0..1); the share in present tense (0..1) among
        those whose tense the rules can tell, present perfect counted as present; forbidden phrases as found. A share is
        NotMeasured when there is nothing to count. Reported only: no claim is ever dropped for it.
    """
    calm = tamed(text)
    sentences = [calm[span.start : span.end] for span in sentence_spans(calm)]
    tenses = [found for found in map(tense, sentences) if found is not Tense.UNCLASSIFIED]
    present = sum(found is Tense.PRESENT for found in tenses)
    first = sum(bool(FIRST_PERSON.search(NOT_A_PRONOUN.sub(" ", sentence))) for sentence in sentences)
    return Signature(
        sentences=len(sentences),
        first_person_share=_share(first, len(sentences), "no sentences"),
        present_tense_share=_share(present, len(tenses), "no sentence whose tense the rules can tell"),
        forbidden_phrases=forbidden_phrases(calm),
    )


def _share(part: int, whole: int, reason: str) -> Measured:
    return part / whole if whole else NotMeasured(not_measured=reason)
