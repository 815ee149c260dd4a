"""Talk as data: what accepts, declines or corrects what others said, and what says nothing to keep.

Each pattern is general English wording with the reason for the group; none names anything of a topic.
"""

import re

from fleet.extractive.cue_words import any_of

# What accepts or declines it, at the beginning of the answer.
ACCEPT = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|right|oh|well|hm+|um+|uh+|good|so|and|but|then|ah|mm)\b\W+)*"
    r"(?:yes|yeah|yep|yup|agreed?|fine|sure|deal|done|exactly|absolutely|definitely|perfect|sounds good|good idea"
    r"|go ahead|go for it|do (?:it|that|so)|let's do|let’s do"
    r"|i (?:accept|agree|like (?:it|that))|accepted|works for me|that works|that's fine|that’s fine|great|correct"
    r"|makes sense|of course|you're right|you’re right|both|take it|ok(?:ay)?[,.!]|alright)\b",
    re.IGNORECASE,
)
DECLINE = re.compile(
    r"^\W*(?:no\b|nope|nah|not (?:really|yet|now)|i disagree|i(?:'d| would)? rather not|never|forget it|don't\b"
    r"|don’t\b)",
    re.IGNORECASE,
)

# What was said in the same breath is taken back: it counts only together with what takes its place.
TAKES_BACK = re.compile(
    r"^\W*(?:actually,?|oh,?|wait,?|sorry,?|hm+,?)*\s*(?:no[,:]?\s(?:wait|sorry|rather|make|actually|not)|no\s?[-–—]"
    r"|(?:scratch|strike|forget) that|on second thoughts?|or rather|make that|correction\b)",
    re.IGNORECASE,
)

# Something said earlier is wrong, or no longer so.
CORRECTION = any_of(
    r"\bactually\b|\bcorrection\b|\berratum\b|\bscratch that\b|\bstrike that\b|\bsorry\b|\bi was wrong\b",
    r"\bwe were wrong\b|\b(?:is|was|were) (?:wrong|a mistake|an error|a typo|misread|bad|incorrect)\b|\bmisread\b",
    r"\bmistak(?:e|en)\b|\bmy mistake\b|\bi misspoke\b|\bi meant\b",
    r"\bwrong (?:number|date|name|message|value|line|one)\b",
    r"\bno longer\b|\binstead of\b|\brather than\b",
    r"\b(?:is|are) (?:gone|dead|off|withdrawn|cancelled|canceled|history|obsolete|superseded|out)\b",
    r"\bkill(?:s|ed)? the\b|\breversing\b|\brevers(?:e|ed|al)\b|\bwithdraw(?:n|ing|s)?\b",
    r"\bchanged (?:my|our) mind\b|\bscrap(?:ped)?\b|\breplac(?:es?|ed|ing)\b|\bsupersed\w+\b",
    r"\bmov(?:es?|ed|ing) (?:back |forward )?to\b|\bpostponed\b|\bpushed (?:back )?to\b|\bthat (?:turns|changes)\b",
    r"\bnew (?:number|date|value|figure|plan|price|limit|deadline)\b|\bnow (?:it's|it’s|it is)\b|\bmake it\b",
    r"\bnot .{1,40}(?:,|;|:| but) |, not \b|\bwas never\b|\bisn't .{1,30}\bit's\b|\bhas always\b|\bused to\b",
    r"\boriginally\b|\bwe cleared\b|\bso (?:it's|not)\b|\bafter all\b|\bchanges? to\b|\braised to\b",
    r"\blowered to\b|\b(?:dropped|down|up) to\b",
)

# Greetings, thanks, signing off, table talk: no claims.
SMALL_TALK = any_of(
    (
        r"^\W*(?:hi|hello|hey|morning|good (?:morning|afternoon|evening|night)|thanks|thank you|cheers|bye|see you"
        r"|welcome|you're welcome|sorry|ha(?:ha)+|lol|wow|cool|nice|great|oops|ouch|damn|phew|ugh"
        r"|congrat\w*)\b[^,:;]{0,30}$"
    ),
    (
        r"\b(?:lunch|coffee|tea|cake|canteen|sandwich\w*|pizza|biscuits?|cookies? (?:jar|tin)|dentist|birthday|weather"
        r"|raining|my (?:cat|dog|kids?|son|daughter|wife|husband|mother|father|neighbou?r|desk|chair)|the (?:cat|dog)"
        r"|weekend|holiday photos?|traffic jam|the train|typos?)\b"
    ),
    r"\bhave a (?:good|nice|great)\b|\bthat's (?:me|it|all) for (?:today|now)\b",
    r"\bthat’s (?:me|it|all) for (?:today|now)\b|\bback (?:in|on) (?:a|ten|five|earth)\b",
    r"\bgive me a (?:minute|second|moment)\b|\bone (?:sec|moment)\b|\bno promises\b|\blaugh\w*\b",
    r"\bjok(?:e|ing|es)\b",
)

# Acknowledgements that repeat nothing.
ACKNOWLEDGEMENT = re.compile(
    r"^\W*(?:ok(?:ay)?|right|yes|no|yeah|yep|nope|sure|understood|agreed|noted|got it|will do|done|fine|exactly"
    r"|true|correct|fair(?: enough)?|indeed|of course|makes sense|good|great|perfect|mm+|hm+|uh-?huh|mm-?hmm?"
    r"|alright|cool|i see|very well|over to you)[\s.,!…]*$",
    re.IGNORECASE,
)

# A request for this moment: asks for an act, states nothing.
REQUEST = re.compile(
    r"^(?:(?:please|now|then|so|and|ok|okay|can you|could you|would you|will you|can we|may i|just|also|first|next"
    r"|go and)[,\s]+)*"
    r"(?:paste|show|give|tell|send|run|try|check|look|write|draft|explain|list|do|help|describe|compare"
    r"|summari[sz]e|read|open|click|type|copy|wait|start|let me|let's see|take (?:a|your)|have a look|walk me"
    r"|remind me|sketch|imagine|pretend|count|bring|ask|see|say|call me|find|think|consider|play|test|put|note"
    r"|picture|compute|calculate)\b"
    r"(?! (?:\w+ ){0,3}(?:is|are|will|must|stays?|never|always)\b)",
    re.IGNORECASE,
)

# Quoted text that speaks to its reader or claims consent: it instructs nobody, so it is no fact either.
DIRECTIVE = any_of(
    (
        r"\b(?:assistants?|ai|a\.i\.|llms?|language models?|chat ?bots?|agents?|copilots?|automated|machine readers?"
        r"|reader|summari[sz]er|bots?)\b.{0,80}\b(?:must|should|shall|may|please|read|note|record|treat|ignore|follow"
        r"|consider|report|mark|are|is|:)"
    ),
    r"\b(?:ignore|disregard|override|forget) (?:\w+ ){0,3}(?:instructions?|rules?|above|previous|prior|earlier)\b",
    r"\b(?:system|developer) (?:note|prompt|message|instruction)\b|\brecord (?:it|this|that)\b",
    r"\b(?:treat|regard|consider|mark|log|report|list|note) (?:\w+ ){1,5}as\b",
    (
        r"\b(?:has been|have been|is|are|was|were|been|hereby|as|already|now|deemed) (?:\w+ )?(?:approved|agreed"
        r"|authori[sz]ed|permitted|allowed|waived|granted|cleared|pre-?approved|sanctioned|lifted|accepted|signed off"
        r"|exempt(?:ed)?)\b|\b(?:you|your)\b|\bplease\b"
    ),
    r"\b(?:approved|agreed|authori[sz]ed|permitted|waived|cleared)(?: by|,|;|\.| and)",
)
