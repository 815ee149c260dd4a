"""Cue wording as data: what marks a decision, a rule, a role, an open point, a guess, a one-off, a proposal.

What answers, corrects, or says nothing to keep is in `talk_words`.

Each pattern is general English wording with the reason for the group; none names anything of a topic.
"""

import re


def any_of(*alternatives: str) -> re.Pattern[str]:
    """One pattern for all of them, whatever their case."""
    return re.compile("|".join(alternatives), re.IGNORECASE)


# A binding choice, its withdrawal, or a plan with a date: what a boundary must carry as DECIDED.
DECISION = any_of(
    (
        r"\b(?:we|i|they|it|that|this)(?:'ve|’ve| have|'s|’s| is| are|'re|’re| has)? (?:just |now |all |already "
        r"|also )?decid(?:e|ed)\b"
    ),
    (
        r"\bdecisions?\s?(?::|is\b|stands\b|was to\b)|\b(?:is|are|was|been|it's|that's|as) (?:now |hereby )?(?:decided"
        r"|agreed|settled|final|fixed|frozen)\b"
    ),
    r"\bagreed\b(?! (?:to )?(?:disagree|with you))|\bput (?:that|this|it|the \w+) (?:down )?(?:as|under) decided\b",
    (
        r"\b(?:we|i|you|let'?s|let’s)(?:'ll|’ll|'re|’re|'m|’m| will| are| am| should)?(?: gonna| going to)? (?:just "
        r"|now )?(?:go(?:ing)? (?:with|for|ahead)|settle on|stick (?:to|with)|commit to|opt for|drop|scrap|abandon"
        r"|adopt|keep)\b"
    ),
    (
        r"\b(?:go(?:ing|es)? with|settl(?:e|ed|ing) on|stick(?:ing)? (?:to|with)|opt(?:ed|ing)? for|chose|chosen"
        r"|picked|select(?:ed)?|reversing|signed off)\b"
    ),
    (
        r"\b(?:stays?|remains?|keeps?) (?:\w+ ){0,3}(?:off|on|out|in|as (?:it|they) (?:is|are)|at|with|the same"
        r"|\w+)\b(?=.*(?:\bin\b|\bfor\b|\buntil\b|\bat\b|\.$|$))"
    ),
    r"\b(?:moves?|moved|shift(?:s|ed)?|postponed|pushed|brought forward) (?:back )?to\b",
    r"\b(?:will|shall|'ll|’ll)\b(?! you\b)(?! be (?:able|fine|ok))",
    r"\b(?:instead of|rather than|in place of)\b",
    r"\b(?:gonna|going to) (?:be|have|use|make|do|sell|need|put)\b",
    (
        r"\bowes?\b|\bby (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|end of"
        r"|the end of|\d{1,2}(?:st|nd|rd|th)? \w+|\w+ \d{1,2}\b)"
    ),
    (
        r"^(?:\w+ ){0,2}(?:plan|decision|deal|window|start|scope|limit|limits|cut-?off|threshold|launch|deadline"
        r"|default)s?\b[^.:]{0,24}:|\bnew (?:\w+ )?(?:plan|start|window|date|limit|deadline|price|target)\b"
    ),
    (
        r"^(?:so )?if\b.{8,}(?:,| then| and)? ?(?:we|it's|it’s|it|that's|the \w+|\w+) (?:don't|don’t|do not|stop|go"
        r"|goes|rolls?|reverts?|call|stay|stays|cancel|move|moves|postpone|take|use|switch|a no|no)\b"
    ),
    r"^\W*(?:recorded|logged|exempted|deal|settled|decided|confirmed|locked|booked)\b|\bit is(?: then)?(?:[,;.]|$)",
    # Said to do it, and a yes that says what to do.
    r"^(?:\W*(?:and|so|then|ok(?:ay)?)\b,?\s+)*(?:let's|let’s|let us) (?:do|use|make|move)\b",
    r"^\W*(?:yes|yeah|yep|ok(?:ay)?|sure|fine|agreed),? (?:please )?(?:do|use|take|make|go|let's|let’s)\b",
    r"\badd(?:ed)? (?:it|that|this|both) to the\b|\bi(?:'ve|’ve| have)? (?:promised|committed|signed)\b",
    r"\b(?:deadline|due|launch|go[- ]live|cut[- ]?over|freeze|kick[- ]?off) (?:is|date|on|at|moves|stays|window)\b",
    r"\bonly (?:from|after|once|when|if|until|until|in|for|at|the)\b|\bnot before\b|\bat (?:most|least)\b",
    r"\bno (?:\w+ ){1,4}(?:for (?:this|now|the)|until|before|in (?:this|the))\b",
)

# A choice that is named as one: surer than a plan that is only read as a decision ("will", "by Friday").
EXPLICIT = any_of(
    r"\b(?:we|i|they)(?:'ve|’ve| have)? (?:\w+ )?(?:decided|agreed|settled|chose|picked|voted|ruled)\b",
    r"\b(?:decision|decided|agreed|settled|final|ruled out|signed off)\b(?=\s*[:,.;!—–]|$)",
    r"\b(?:hard|firm|absolute) (?:limit|cap|stop|deadline|rule|requirement|no|line)\b|\bnon-negotiable\b",
)

# Ruling out: eliminated causes, rejected options, withdrawn plans.
RULED_OUT = any_of(
    (
        r"\brul(?:e|es|ed|ing) (?:\w+ ){0,3}out\b|\b(?:is|are|'s|’s|was|were"
        r"|stays?) (?:\w+ )?(?:ruled )?out\b(?! (?:of|for|at|there|to)\b)"
    ),
    (
        r"\b(?:reject(?:ed|ing)?|withdrawn|withdraw|discard(?:ed)?|scrapp(?:ed|ing)"
        r"|(?:is|are|was|been|we|i|gets?) dropped|left out|leave (?:it|them|that|this) out|excluded|out of scope"
        r"|abandon(?:ed|ing)?|cancel(?:l?ed)?|called off|off the table|vetoed|killed?|dead|not an option)\b"
    ),
    (
        r"\b(?:won't|won’t|will not|shall not|not going to|never) (?:\w+ )?(?:use|build|do|go|deploy|ship|touch|pursue"
        r"|adopt|happen|take|sign)\b"
    ),
    r"\bis(?: not|n't|n’t) (?:the|our) (?:cause|problem|reason|culprit|bug)\b|\bnot the (?:cause|reason|culprit)\b",
    r"\bunrelated\b",
    r"\bi said no\b|\bwe said no\b|\bno longer\b",
)

# Standing instructions: hold until revoked.
STANDING = any_of(
    # "Always" and "never" as rules, not as memories: "has always been", "I never saw", "you will never need".
    (
        r"(?<!\bhas )(?<!\bhave )(?<!\bhad )(?<!’ve )(?<!'ve )(?<!’s )(?<!'s )(?<!\bwas )(?<!\bwere )(?<!\bdid )"
        r"(?<!\bi )(?<!\bwould )(?<!\bwill )(?<!’ll )(?<!'ll )(?<!\bcould )(?<!\bcan )(?<!\bwithout )"
        r"\b(?:always|never)\b(?! (?:been|was|were|had|heard|seen|mind|looked|knew|thought|happened|worked|said|went"
        r"|saw|moved|came|got|ran|did|has|have))"
    ),
    r"\bfrom (?:now|here|today) on(?:wards?)?\b|\bhouse rules?\b|\bstanding (?:rule|instruction|order)s?\b",
    (
        r"\bthroughout\b|\bevery (?:time|answer|reply|message|single|block|command"
        r"|\w+ (?:we \w+ |you \w+ )?(?:gets?|has|carries|ends|begins|starts|must|is to)\b)"
    ),
    r"\b(?:first|last) line of every\b|\bfrom here on\b",
    r"\b(?:rules?|conventions?|policy)\b.{0,40}(?::|\b(?:hold|apply|stand|is|are)\b)|\bnew rule\b",
    r"\bunless (?:i|we) (?:ask|say|tell)\b|\bwhenever\b|\bat all times\b",
    r"\bin (?:all|any|every) (?:case|answer|reply|country|text|message|document)s?\b",
    r"\bplease (?:always|never|don't|don’t|do not|stick|keep|avoid|stop)\b",
    # "Please write dates as 2 May" holds on, "please write the plan" is one errand.
    r"\bplease (?:use|call|write|answer)\b(?! (?:the|an?|me|us|this|that|up|down|out|to|my|our|back)\b)",
    (
        r"^(?:and |also |so |please )?(?:don't|don’t|do not)\b(?! (?:know|think|worry|mind|you|we|they|forget|quote"
        r"|get|see|laugh|ask))"
    ),
    r"\b(?:as|for) long as (?:we|this)\b|\buntil (?:i|we) say\b|\bever again\b|\bred line\b|\bnon-negotiable\b",
    r"\bone (?:step|thing|question|command) at a time\b",
    (
        r"(?<!when )(?<!while )(?<!because )(?<!that )\b(?:nobody|no one|noone) (?:\w+ )?(?:runs?|touch(?:es)?|deploys?"
        r"|starts?|changes?|gets?|edits?|leaves?|may|is allowed|is to|speaks?|talks?|uses?|sends?|writes?|signs?)\b"
    ),
    r"\bi (?:don't|don’t|do not) (?:read|want|like|need|accept)\b|\bi want (?:no|every|all|each|only|you to)\b",
    r"\b(?:stay|keep it|keep them|keep this) (?:short|brief|plain|simple|in \w+)\b",
)

# Rules and prohibitions: what may or must (not) be done.
RULE = any_of(
    (
        r"\b(?:must(?:n't|n’t)?|gets? a|may not|mustn’t|cannot be|can't be|not allowed|isn't allowed|not permitted"
        r"|forbid(?:s|den)?|prohibit(?:s|ed)?|off limits|banned)\b"
    ),
    r"\b(?:may|can|must|should|shall) only\b",
    r"\bonly (?:\w+ ){0,5}(?:is|are|may|can|allowed|decides?|signs?|changes?|approves?)\b",
    (
        r"^(?:and |also |so )?no (?!one\b|idea|problem|doubt|wonder|need|worries|data|matter|longer|sign|change|error"
        r"|answer|more\b|promises|luck)[\w-]+ |^nothing (?!much|new|else|so|happen|wrong|changed|to\b)"
    ),
    (
        r"\bnothing (?:public|gets?|goes|leaves|is)\b|\bwithout (?:his|her|their|my|our|a|the) (?:yes|ok|okay|consent"
        r"|approval|sign-?off|permission)\b"
    ),
    r"\b(?:has|have|needs?) to (?:be|go|stay|come|sign|approve|fit|pass)\b|(?<!when )(?<!while )\bnobody\b",
    r"\bno more than\b",
    r"\bnot (?:a|one) single\b",
)

# Roles and responsibilities.
ROLE = any_of(
    (
        r"\b(?:i'm|i’m|i am|you're|you’re|you are|we're|we’re|we are) (?:the|an?|your|our|head|on[- ]call|responsible"
        r"|in charge|chair|director|lead|here (?:to|as))\b(?! (?:bit|little|lot|few|fool|idiot|same|late|one))"
    ),
    r"\b(?:act|play|serve|work|treat yourself) (?:as|like|the)\b",
    r"\byour (?:job|role|task|part|brief) (?:is|here|in)\b|\bmy (?:job|role|task|part) (?:is|here|in|will)\b",
    r"\b(?:is|are) (?:responsible|accountable|in charge|on[- ]call)\b",
    (
        r"\b(?:owns?|looks? after|takes? care of|is the owner of"
        r"|is (?:the|our|my) (?:\w+ ){0,2}(?:manager|lead|owner|director|head|engineer|reviewer|maintainer|contact"
        r"|boss|designer|expert|counsel|supervisor|professor))\b"
    ),
    r"\b(?:is|are) (?:mine|yours|his|hers|ours|theirs)\b",
    r"\b(?:gives?|has|have|holds?) (?:the )?(?:final |last )?(?:say|word|go|yes|veto|casting vote)\b",
    r"\byou (?:keep|play|hold|track|write|attack|check|review|challenge)\b|\bin charge of\b",
    r"\bruns (?:the |our )?\w+(?: and|,|\.)",
    r"\b(?:decides?|signs? off|approves?) (?:on|about|the|every|all|any)\b",
)

# The operator says who the assistant is; the name may be any word.
OPERATOR_ROLE = any_of(
    r"^you(?:'re|’re| are| will be| act)\b(?! (?:allowed|expected|required|to)\b)",
    r"^your name is\b",
)

# Still open: said to be undecided, unanswered, waited for.
OPEN = any_of(
    (
        r"\b(?:still|is|are|remains?|stays?|it's|left) (?:an? )?(?:open|undecided|unresolved|unsettled|unanswered"
        r"|unclear|unknown|pending|outstanding|tbd)\b(?! (?:until|to|source|from))"
    ),
    r"\bopen (?:question|point|issue|item)s?\b",
    (
        r"\b(?:not|n't|n’t|never|nobody has|no one has|nothing) (?:yet |been |is |has )*(?:decided|settled|agreed"
        r"|answered|heard|verified|confirmed|resolved|clear|final|replied|come back|got back)\b"
    ),
    (
        r"\b(?:no idea|don't know|don’t know|do not know|nobody knows|no one knows|not sure|unsure|remains to be seen"
        r"|to be (?:decided|confirmed|seen|settled|discussed)|tbd|tbc|undecided|up in the air)\b"
    ),
    (
        r"\bwaiting (?:for|on)\b|\b(?:haven't|haven’t|hasn't|hasn’t|has not|have not) (?:\w+ )?(?:decided|answered"
        r"|heard|checked|looked|replied|got)\b|\bwe (?:need to|should|have to) (?:find out|figure out|decide|discuss"
        r"|clarify|ask)\b"
    ),
    r"\bwhether\b.{0,80}\b(?:open|later|unclear|unknown|depends|is with|remains)\b",
    r"\bpark(?:ed)? (?:it|that|this)\b|\bi'll (?:ask|find out)\b|\bquestion (?:is|remains|for later)\b",
)

# Guess, assumption, hearsay: must keep its hedge.
# Hedging beyond `wording.hedges`: borrowed and wished-for values, and hearsay of one's own.
HEDGE = any_of(
    r"\b(?:i|we)(?:'d|’d| would)? (?:hope|expect|figure|lean|say)\b(?! (?:no|yes|so|nothing)\b)",
    r"\b(?:i|we)(?:'ve|’ve| have)? (?:heard|read somewhere)\b|\bpub talk\b|\bin my (?:opinion|view|head)\b",
    r"\bmy (?:gut|theory)\b",
    r"\b(?:wild|pure|rough|educated) guess\b|\bguess(?:ing|work)\b|\bassuming\b|\bplaceholder\b|\bborrowed\b",
    r"\bcall it \d|\bdon'?’?t quote me\b",
    r"\b(?:no|without|not any) (?:data|evidence|source|proof|basis|numbers) (?:behind|for|on)\b|\bit'?’?s a hope\b",
    r"\b(?:would|could) probably\b",
)

# A hedge that speaks of the sentence before it.
HEDGE_AFTER = any_of(
    (
        r"^(?:that|this|it|which|there|but that|but it|though that|and that|for \w+,? (?:it|that))(?:'s|’s| is| are|'d"
        r"| was)? .*(?:guess|assum|hope|no data|hunch|hearsay|memory|not sure|unverified"
        r"|never (?:looked|checked|measured)|gut|opinion|borrowed|placeholder)"
    ),
    (
        r"^(?:no data|no source|don't quote me|don’t quote me|pure guess|just a guess|just guessing|not verified"
        r"|unverified|i know,? no|i may be wrong|could be wrong|i'm not sure|i’m not sure|take it with|i never checked"
        r"|i haven't checked|nobody has (?:checked|measured))"
    ),
)

# For one answer or one time only: must never stand.
ONE_OFF = any_of(
    (
        r"\b(?:for|in|on) (?:only )?(?:this|that|the next|your next) (?:one |single |next )?(?:answer|reply|response"
        r"|message|question|turn|time|post|mail|note)(?: only| alone)?\b"
    ),
    r"\bjust (?:this )?once\b|\b(?:only )?this once\b|\bone[- ]off\b|\bjust for (?:now|this|once)\b",
    r"\bthis one time\b|\bfor once\b|\bas an exception\b|\bexceptionally\b|\b(?:answer|reply|message|time) only\b",
    r"\bonly (?:for )?this (?:time|once|answer|reply)\b",
)

# A proposal that the next speaker may accept.
PROPOSAL = any_of(
    r"\b(?:i|we)(?:'d|’d| would| should| could) (?:\w+ )?(?:\w+)\b",
    (
        r"\b(?:let's|let’s|let us|shall we|should we|could we|how about|what about|why don't we|why don’t we"
        r"|suppose we)\b"
    ),
    r"\b(?:i|we) (?:suggest|propose|recommend|advise|vote|would go)\b",
    r"\b(?:my )?(?:suggestion|proposal|recommendation)\b|^(?:next )?(?:step|option|plan|test|fix)\b.{0,20}:",
    r"\bwant (?:me )?to\b",
)
