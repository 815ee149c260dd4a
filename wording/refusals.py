"""Whether a statement turns down what some text asks for, instead of passing it on. Wordings as data."""

import re

REFUSES = re.compile(
    r"\bwhatever\b|\b(?:ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|"
    r"dismiss(?:es|ed|ing)?|discount(?:s|ed|ing)?)\b"
    r"|\b(?:binds|obliges|commits|persuades) (?:nobody|no one|me of nothing|nothing)\b"
    r"|\b(?:has|have|having|carr(?:y|ies)|with|of) no (?:force|standing|weight|authority|bearing|effect|say)\b"
    r"|\b(?:nobody|no one|none of us|neither \w+) (?:has |have |had |ever )?(?:waived|approved|agreed|accepted|decided|"
    r"asked|authori[sz]ed|said|told|granted|ordered)\b"
    r"|\b(?:claim(?:s|ing|ed)?|alleg(?:e|es|ing|ed)|pretend(?:s|ing|ed)?|purport(?:s|ing|ed)?) (?:that|to)\b"
    r"|\b(?:injected|planted|smuggled|embedded|untrusted|hidden) (?:\w+ )?(?:instructions?|text|orders?|notes?|"
    r"lines?)\b"
    r"|\b(?:is|are|was|were) (?:not|never|n't) (?:\w+ )?(?:approved|agreed|accepted|authori[sz]ed|waived|followed|"
    r"obeyed|binding|an instruction|instructions|a decision)\b"
    r"|\b(?:orders?|instructions?|directives?|requests?|demands?|lines?|notes?|comments?|text) (?:\w+ ){0,4}(?:is|are|"
    r"stays?) (?:out|void|ineffective|only text|just text|not ours|data)\b",
    re.IGNORECASE,
)
"""Says of what stands somewhere that it does not count."""

TURNS_AWAY = re.compile(
    r"^(?:ignor|disregard|reject|refus|declin|dismiss|discount)",
    re.IGNORECASE,
)
MATERIAL = re.compile(
    r"\b(?:orders?|instructions?|directives?|demands?|requests?|claims?|suggestions?|notes?|comments?|lines?|text|mails?|"
    r"e-?mails?|messages?|strings?|read ?mes?|documents?|pages?|sheets?|logs?|tickets?|files?|banners?|footers?|posts?|"
    r"quot(?:es?|ations?)|paste[ds]?|archives?|headers?|headings?|attachments?|transcripts?|output)\b",
    re.IGNORECASE,
)
"""Verbs of turning something away turn quoted material down where they name some; "I ignore rule 14" carries it out."""

STEM = 6  # letters that the forms of these verbs share: "ignore" and "ignored"


def turns_down(claim: str, source: str) -> bool:
    """Whether a claim says of what its source asks for that it does not count, which the source does not say itself."""
    said = _refusals(claim)
    return bool(said) and not said <= _refusals(source)


def _refusals(text: str) -> frozenset[str]:
    """The refusing words, cut so that the forms of one verb are one."""
    named = MATERIAL.search(text) is not None
    found = (match[0].lower() for match in REFUSES.finditer(text))
    return frozenset(words[:STEM] for words in found if named or not TURNS_AWAY.match(words))
