"""Wording by which text speaks to whoever reads it, or claims that somebody has consented. Data first.

In a turn that is what people do. In quoted material it is nobody's word: it informs and never instructs (rule 8).
"""

import re

_FLAGS = re.IGNORECASE | re.MULTILINE

# Speaks to a machine that reads: assistants, models, summarisers, whoever they are called.
READERS = re.compile(
    r"\b(?:(?:automated|ai|a\.i\.|llm|language|machine|digital|virtual)[\s-]+)?(?:assistants?|summari[sz]ers?|"
    r"chat ?bots?|copilots?|language models?|llms?|ai systems?|ai models?|(?:automated|ai|autonomous|software) "
    r"(?:agents?|reviewers?|readers?|tools?|systems?))\b",
    _FLAGS,
)
# Tells the reader how to read, write or forget.
DIRECTS = re.compile(
    r"\b(?:ignore|disregard|forget|override|overrule|bypass|discard|set aside) (?:\w+ ){0,4}(?:instructions?|rules?|"
    r"prompts?|directives?|guidelines?|constraints?|context|above|previous|prior|earlier|everything)\b"
    r"|\bfrom (?:now|here|this point) on(?:wards?)?\b"
    r"|\b(?:your|the) new (?:role|task|instructions?|rules?|identity|persona)\b"
    r"|\byou (?:are now|must|shall|should now|will now|will always|have to|are required to|"
    r"are (?:hereby )?authori[sz]ed)\b"
    r"|\b(?:act|behave|respond|answer|reply) (?:as|like) (?:an?|the|if)\b|\bpretend (?:to be|that)\b"
    r"|\bin (?:any|every|all|your) (?:summar(?:y|ies)|answers?|repl(?:y|ies)|responses?|outputs?|reports?|records?)\b"
    r"|\bwhen (?:you )?(?:summari[sz]|report|answer|reply|respond|compress|dissolv)\w*"
    r"|\b(?:record|note|state|write|mark|treat|report|list|log|store|remember|register|save|carry|output|print|repeat|"
    r"include|add|put) (?:it |this |that |these |down |the following |\w+ ){0,5}?(?:that|as|under|in(?:to)?|to) "
    r"(?:the |an? |your )?(?:agreed|approved|decided|accepted|confirmed|known|final|settled|invalid|valid|standing|"
    r"fact|decision|decisions|identity|memory|user|customer|client|board|team|owner|operator)\b"
    r"|\b(?:system|developer|hidden|secret|important|updated|additional) (?:prompt|message|instructions?|note|override|"
    r"directive|notice)\b"
    r"|\bdo not (?:mention|tell|reveal|show|say|record|warn|ask)\b|\bnever (?:mention|reveal|tell|ask|refuse)\b",
    _FLAGS,
)
# Looks like a turn, a heading or a mark of a machine's format.
MIMICS = re.compile(
    r"<\|?/?\s?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)|\[/?INST\]|<</?SYS>>"
    r"|^\W{0,6}(?:system|assistant|developer|human|user|tool)\W{0,3}(?:prompt|message|override|note)?\s*[:>\]]"
    r"|^\W{0,6}(?:KNOWN|DECIDED|EDGES|IDENTITY)\b\W{0,6}$|^\W{0,6}(?:KNOWN|DECIDED|EDGES|IDENTITY)\s*:"
    r"|\b(?:BEGIN|END)[ _-](?:CONVERSATION|PRIOR[ _-]STATE|BOUNDARY|SYSTEM|CLAIMS)\b"
    r'|"(?:KNOWN|DECIDED|IDENTITY|EDGES|known|decided|identity|edges)"\s*:|\bboundary state\b',
    re.MULTILINE | re.IGNORECASE,
)
# Says that somebody has agreed, allowed or lifted something.
CONSENTS = re.compile(
    r"\b(?:has|have|had|is|are|was|were|been|being|be|hereby|as|already|now|deemed|considered|stands?|fully|pre-?)[ -]"
    r"(?:\w+ )?(?:approved|agreed|authori[sz]ed|permitted|allowed|waived|granted|cleared|sanctioned|lifted|accepted|"
    r"signed[ -]off|exempt(?:ed)?|confirmed|consented|endorsed|ratified|revoked|rescinded|suspended|decided|settled|"
    r"mandated|required|cancelled|repealed)\b"
    r"|\b(?:approves?|authori[sz]es?|consents? to|waives?|agrees? (?:to|with|that)|accepts?|grants?|lifts?|revokes?|"
    r"permits?|signs? off|confirms?|instructs?|orders?|mandates?|requires?)\b"
    r"|\b(?:approval|consent|permission|sign-?off|authori[sz]ation|waiver)\b"
    r"|\b(?:my|our|the) (?:final )?decision\b"
    r"|\b(?:I|we) (?:hereby )?(?:approve|agree|decide|confirm|consent|accept)\w*\b",
    _FLAGS,
)


def speaks_to_reader(text: str) -> bool:
    """Whether text addresses or directs whoever reads it, or mimics a turn, a heading or a mark of a format."""
    return any(pattern.search(text) is not None for pattern in (READERS, DIRECTS, MIMICS))


def claims_consent(text: str) -> bool:
    """Whether text says that somebody has agreed to something, allowed it, or lifted what forbade it."""
    return CONSENTS.search(text) is not None


def consent_words(text: str) -> frozenset[str]:
    """The words by which it says so, in lower case."""
    return frozenset(word for match in CONSENTS.finditer(text) for word in match[0].lower().split())
