"""The words that tell when a sentence holds: what takes back, what is over, what binds.

One pattern a line; the lists are tried by `language.temporal`. What each list is worth: docs/language.md.
"""

import re

from dissolution.values import Span
from language.tense import Tense, tense
from language.words import word_set


def pattern(lines: str) -> re.Pattern[str]:
    """The patterns of a list, one a line, as one pattern; what is indented further goes on. Case is ignored."""
    joined = re.sub(r"\n {8,}", "", lines)
    return re.compile("|".join(line.strip() for line in joined.splitlines() if line.strip()), re.IGNORECASE)


# Takes something back: what was said or believed was wrong when it was said. Some cues suffice.
LABEL = pattern(r"""
    ^(?:\w+,? ){0,3}?(?:correct(?:ions?|ed)|corrigendum|errat(?:um|a)|amend(?:ed|ment)|
        self-correction)\b[^:–—,.]{0,40}?\s?[:–—]
    \b(?:let me|i (?:must|have to|should|need to)|to) (?:correct|rectify|amend) (?:that|this|what)\b
    \b(?:correct|rectify|amend) (?:myself|the record|the (?:transcript|minutes)|my|an? (?:error|mistake))\b
    \b(?:stands? corrected|corrected (?:himself|herself|themselves|(?:his|her|their) \w+))\b
    ^(?:\w+[, ]+){0,2}(?:scratch|strike) that\b(?! \w+ (?:off|from))
    \b(?:scra(?:tch|p)|strike|disregard|ignore|forget) (?:what (?:i|we)|(?:my|the|that) (?:last|previous|earlier)|
        my)\b
    \b(?:disregard (?:the|that|this)|(?:entered|recorded|sent|filed|noted|listed|marked|
        written)(?: \w+){0,2} in error)\b
    \b(?:i|we|let me)(?: \w+){0,2}? (?:retract|withdraw|rephrase|take (?:[\w ]{1,30} )?back)\b
""")
SLIP = pattern(r"""
    \b(?:i|we|you)(?:'ve|'d| \w+){0,2} (?:mis(?:sp|[^s\W])\w*[dtkn]|transposed|overlooked|double-counted|(?:over|
        under)stated|mixed up|confused)\b
    \b(?:had|got|have) (?:it|this|that|them|(?:the|his|her) [\w ]{1,30}?) (?:mixed up|backwards|swapped|
        (?:the )?wrong)\b
    \b(?:i|we)(?:'ve been| (?:was|were|(?:have|had) been))(?: \w+)? (?:wrong|mistaken|in error)\b(?! to\b)
    \bmy (?:mistake|bad|error|slip|fault)\b(?=\s*(?:[,.;:!–—]|$))
    \b(?:said|told|gave|sent|read(?:ing)?|quoted|us(?:ed|ing)|look(?:ed|ing) at|treating|measuring|counting|pleaded|
        filed|copied|noted|wrote)(?: \w+){0,3} the wrong\b
    \bi meant\b(?! to\b)
    \b(?:oops|apologies|sorry|whoops)\b[^.;]{0,20}\bwrong \w+|\b(?:i|we) (?:have to|must) own up\b
    \b(?:i was too (?:quick|hasty|fast)|that was (?:careless|sloppy)|must have mis\w+)\b
    \b(?:was|were|got|had been) (?:swapped|mixed up|mislabell?ed)\b
    \b(?:and|but|where i|when i) meant\b
    \b(?:(?:it|that|which) should (?:read|say)|should have (?:said|read|been (?:listed|recorded)))\b
""")
FALSE = (
    r"(?:wrong|false|incorrect|mistaken|in error|inaccurate|untrue|backwards|mis(?:calculated|stated|labell?ed|printed)"
    r"|an? (?:typo|error|mistake|slip|misprint)|not (?:so|true|right|correct))"
)
FALSE_CLAIM = pattern(rf"""
    \b(?:my|your|our|his|her|the|that|this|what|which|everything)\b(?: [\w'#%.-]+){{0,8}}? (?:is|was|are|
        were) (?:(?!already|all)\w+ )?{FALSE}\b(?! (?:for|to)\b)
    \b(?:it|that|this|they|there) (?:was|were) never\b
    \b(?:was|were) (?:never|not) (?:right|true|so|correct|the case|accurate)\b
    \bnever (?:was|were|existed|happened|took place|applied)\b
    \b(?:and|but)(?: it| they)? (?:always|never) (?:was|were|ha(?:s|ve) been|did|had)\b(?=\s*(?:[,.;:!]|$| and| but))
    ^(?:wrong|not (?:so|quite|true)|false|incorrect)\s?[:,;–—]
    \bthat(?:'s| is) not what\b|\bthat (?:isn't|is not) so\b|\bit (?:was|is) (?:wrong|a mistake) to (?:call|say|
        describe|treat|report|put)\b
""")
AGAINST = pattern(r"""
    \b(?:contrary to|despite what)\b
    \b(?:we|i|everybody|everyone|people)(?:'ve|'d| \w+)? (?:thought|believed|assumed|been \w+ing)\b[^.;]{0,80}(?:,|
        ;|\bbut) (?:but |and )?(?:it|they|he|she|that|this|there|the \w+)
    \bit (?:was not|wasn't) [\w' -]{1,40},? but\b
    \bit was (?!not\b)[\w' -]{1,40},? (?:and )?not [\w' -]{1,40},? (?:who|that|which)\b
    \b(?:was|is|did) not [^.;]{1,40} as (?:recorded|reported|stated|noted|written)\b
    \b(?:was|were|is) never [\w %.-]{1,40}[,;] (?:it|they|he|she|that) (?:is|was|are|were|has)\b
    \bcall(?:s|ed)? [\w' -]{1,40} (?:was|is) (?:never|really|in fact|actually)\b
    \bturn(?:s|ed) out\b[^.;]{0,60}\b(?:never|all along|wasn't|isn't|weren't|had been|no such|wrong)\b
    \bit (?:now )?(?:emerge|transpire)[sd]\b
    \bwhat (?:i|we|you|they|everybody) (?:called?|took for|counted as) [^.;]{1,60}? (?:is|was|are|were)\b
    \b(?:all along|(?:the whole|all this) time|all these \w+s|(?:from|since) the (?:very )?(?:start|beginning|
        outset)|(?:from|since) day one)\b
    \bbelongs? to (?:another|a different|the other)\b
    \b(?:true|real|correct|actual) \w+ (?:is|was|reads)\b
""")
# Others are common in plain talk and count in pairs: one that turns, and one that says what is otherwise.
TURN = pattern(r"""
    ^(?:\w+,? )?(?:no|nope|wait|hold on|hang on|sorry|apologies|oops|actually|in fact|my apologies|
        you(?:'re| are) right|on (?:review|(?:a )?second (?:look|reading|thought))|looking (?:at it )?again|
        pardon)\b(?=[\s,;:.!–—])
    \b(?:i|we) apologi[sz]e\b
    \bwhatever (?:the|my|your|our) [\w ]{1,20} sa(?:ys?|id)\b|\bi just never noticed\b
    \bas (?:i|we) (?:first )?(?:said|wrote|thought)\b
    \b(?:label|entry|note|chart|sign|manual|map|letter) (?:is|was) (?:wrong|lying|a fake)\b
""")
OTHERWISE = pattern(r"""
    \b(?:has|have|had) (?:always|never|had|been)\b
    , (?:and )?not [\w€$£#]
    \b(?:is|was|are|were)(?:n't| not)\b[^.;]{1,60}[,;] (?:it|they|he|she|that)(?:'s|'re| is| was| are| were)\b
    \b(?:i|you) (?:said|told|wrote|gave|called|claimed|promised|counted|pasted|missed|read)\b
    \b(?:wrong|typo|mistake|error|never|missed|belongs to|doesn't say)\b
""")


def spans(*found: re.Match[str]) -> tuple[Span, ...]:
    """The places of matches."""
    return tuple(Span(start=one.start(), end=one.end()) for one in found)


def backward_cues(plain: str) -> tuple[Span, ...]:
    """What takes something back in `plain` (one sentence, code and quotations blanked); empty if nothing does."""
    strong = [one for cues in (LABEL, SLIP, FALSE_CLAIM, AGAINST) for one in cues.finditer(plain)]
    if strong:
        return spans(*sorted(strong, key=lambda one: one.start()))
    turn = TURN.search(plain)
    if turn is None:
        return ()
    apart = (one for one in OTHERWISE.finditer(plain) if one.start() >= turn.end() or one.end() <= turn.start())
    other = next(apart, None)
    return () if other is None else spans(*sorted((turn, other), key=lambda one: one.start()))


# Puts a state, practice or plan wholly into the past. A past tense alone does not: the result of an event stands.
USED_TO = re.compile(r"\b(?P<before>[\w']+) (?P<cue>used to) [a-z]+", re.IGNORECASE)
PURPOSE = word_set("is are was were be been being am not get gets got isn't aren't wasn't well now also only what")
FRAME = pattern(r"""
    \b(?:was|were) (?:\w+ )?going to\b
    \b(?:had|was|were) (?:planned|meant|intended|supposed) to\b
    \bha(?:s|ve) since (?:been|\w+ed|become|gone|left)\b
    \b(?:back (?:then|when)|in the day|those were the days|in (?:those|these|the (?:\w+ )?old) (?:days|years|times)|
        once upon a time|formerly)\b
    \bas an? (?:child|boy|girl|teenager|student)\b
    \b(?:the|our) (?:rule|policy|practice|custom|arrangement|plan|idea) (?:was|had been)\b
    \b(?:previously|originally|initially|at first|at one (?:point|time)|at th(?:e|at) time|long ago|for a (?:while|
        time)|in the past)\b
    \b(?:until|up to|prior to) (?!now\b|today\b|this\b|further\b)|\btill (?=the\b|then\b|last\b|\d|(?:s?he|we|they)\b)
    \bbefore (?:the|an?|our|my|his|her|its|their|he|she|it|we|they|i|\w+ation|(?:20|19)\d\d|(?-i:[A-Z]))
    \bwhen (?:i|we|he|she|it|they|you|there|the \w+(?: \w+)?|(?-i:[A-Z])\w+) (?:was|were|had|lived|ran|worked|used|
        started|still|first)\b
    \b(?:the|our|my|his|her|an?) (?:old|previous|former|earlier|original|prior) [a-z][\w-]+
    \b(?:was|were) once\b|\bonce, long
    \b(?:there was a (?:time|period) when|earlier (?:in|on) the|ago\b(?=.*\bwas))\b
    \band (?:pulled out|quit|gave (?:it )?up|closed|shut)\b
    \b(?:as long as|while (?:they|he|she|we|i) (?:lived|were|was))\b
""")
PERIOD = pattern(r"""
    \bin (?:(?:the )?(?:spring|summer|autumn|winter)|(?:19|20)\d\d|the \w+ties)\b
    \blast (?:year|month|week|winter|summer|spring|autumn|season|quarter|century)\b
    \bfor (?:\w+ ){0,2}(?:years?|months?|weeks?|days?|hours?|decades?|most of)\b
    \b(?:during|throughout) (?:the|her|his|our|my|that|those|their)\b
    \b(?:between \w+ and|from [\w ]{2,20} (?:to|until)) \w+
    \b(?:that (?:year|summer|winter|spring|autumn)|lasted)\b
""")
STATE = pattern(r"""
    \b(?:was|were|had)(?:n't)?\b
    \b(?:ran|lived|kept|held|owned|worked|served|stayed|stood|paid|charged|always|never|would|could|went|belonged)\b
""")
# What a colon or semicolon parts has a tense of its own.
PIECE = re.compile(r"[^;:]+(?:[;:](?=\S)[^;:]*)*")


def past_cues(plain: str) -> tuple[Span, ...]:
    """What closes the state that `plain` (one sentence, code and quotations blanked) tells of; maybe nothing."""
    for used in USED_TO.finditer(plain):
        before = used["before"].lower()
        if before not in PURPOSE and not before.endswith(("ly", "'s", "'re", "'m")):
            return (Span(start=used.start("cue"), end=used.end("cue")),)
    for piece in PIECE.finditer(plain):
        if tense(piece[0]) is not Tense.PAST:
            continue
        found = FRAME.search(piece[0]) or (STATE.search(piece[0]) and PERIOD.search(piece[0]))
        if found:
            return (Span(start=piece.start() + found.start(), end=piece.start() + found.end()),)
    return ()


# Binds from now on, whatever hedge stands beside it: a decision said as one.
DECISION = pattern(r"""
    ^(?:(?:ok|okay|right|fine|so|good|yes|and)[, ]+){0,3}(?:decided|agreed|settled|approved|recorded|noted|
        confirmed|(?:done )?deal)\b(?![,.:] (?:that|this|and|but)\b)(?=\s?[:,;.–—])
    \b(?:we|i)(?:'ve|'re| have| are)?(?: \w+)? (?:decided|agreed|settled|resolved|chosen|opted|committed|concluded|
        signed off|ruled out)(?= (?:on|to|that|for|against|not|it)\b)
    \b(?:team|board|committee|court|council|client|partners) (?:ha(?:s|ve) )?(?:agreed|decided|resolved|
        approved) (?:to|that|on|against)\b
    \bthe (?:decision|rule|policy|deal|agreement|order|instruction)(?: (?:in|on|for|
        of) \w+(?: \w+)?)? is\b(?! (?:still|not|open|unclear|pending|wrong))
    \b(?:that's|that is) (?:final|settled|decided|that|the rule)\b
    \b(?:no exceptions|full stop|end of (?:story|discussion))\b
    \b(?:we|i)(?:'re|'m| are| am) (?:going (?:with|for)|sticking (?:with|to)|staying with|keeping|dropping|
        committ(?:ed|ing)|instructing|not (?:going to|doing|using|touching|taking|moving|signing|paying|shipping|
        changing|calling))\b
    \bit is[.!]?$
    \b(?:is|are|stays?) (?:hereby )?(?:ruled out|out of (?:the )?(?:scope|plan|question)|off the table)\b
    \b(?:strike|drop|park) (?:it|them|that)\b
    \b(?:from|as of|starting) (?:now|today|this (?:point|day|moment)|here)\b(?: (?:onwards?|on|forth)\b)?(?! to\b)
    \b(?:henceforth|hereafter|going forward|hereby)\b
""")
PROMISE = pattern(r"""
    \b(?:i|we)(?:'ll| will| shall| won't| promise| commit| undertake| guarantee| agree| vow| swear| pledge)\b
        (?! (?:be\b|believe|admit|pretend|say|assume|guess|forget|see|find out|need|have|probably|never know|miss|
        notice|get)\b)
    \b(?:i|we)(?:'m|'re| am| are) (?:not )?going to (?!be\b|have\b|need\b|see\b)
    \b(?:(?:i|we) (?:own|take over|answer for|vouch|waive)|is mine|takes? over)\b
    \byou(?:'re| are) (?:now )?(?:the|my|our|an?) (?!right\b|bit\b|little\b|good\b|few\b)[\w' -]{2,40}?(?=[,.:;!–—]|
        $| (?:on|for|of|here|and|in|who)\b)
    \byou (?:will|shall) not (?!need\b|be\b|have\b|see\b|find\b|get\b)[a-z]+
    \byou (?:act|serve|work|speak) (?:as|for)\b
    \b(?:your|^my) (?:job|role|task|part) (?:is|will be)\b
    (?:^|: |please )be (?:my|our|the) \w+
    \blet(?:'s| us) (?!see\b|say\b|hope\b|face\b|look\b|assume\b|suppose\b|imagine\b|be\b|me\b|check\b|find\b)[a-z]+
""")
RULE = pattern(r"""
    \b(?:must|mustn't|shall|shan't)\b(?! be[.!,]?$)(?! (?:have|say|admit|be (?:a|some|because|due|that|wrong|
        there))\b)
    \b(?:is|are) (?:(?:not|never|only|always) )*(?:allowed|permitted|forbidden|required|obliged|prohibited|banned|
        mandatory|expected to)\b
    \b(?:is|are) (?:not|never|only|always) to (?!blame\b|say\b|do with\b)\w+
    \b(?:the [\w ]{2,30}|it|everything|each \w+) has to (?!be\b|do\b|have\b)[a-z]+
    ^(?:(?:and|so|but|please)[, ]+)?no (?!doubt|idea|wonder|problem|one|matter|need|sign|longer|errors?|evidence|
        news)[\w-]+(?:(?! (?:is|are|was|were|has|have|can|came|would)\b),? [\w'"-]+){0,14}[,.!]?$
    ^no \w+(?: \w+){0,2} [^.;]{0,60}?\b(?:until|before|without|unless|more than)\b
    \buntil [^,.;]{2,40}, (?:nothing|nobody|no \w+)\b
    (?:^|[,;:.–—] |\b(?:and|but|so|that) )(?:nobody|no one|nothing|neither \w+) (?:else )?(?:may|must|shall|should|
        (?!is\b|was\b|has\b|seems\b|happens\b|knows\b|beats\b|this\b)[a-z]+s)\b
    \b(?:is|are) to be \w+(?:ed|en)\b|\b(?:he|she|they|you) (?:is|are) to (?!blame\b|say\b)\w+
    \bno [\w-]+ (?:without|unless)\b|\bno [\w*-]+, (?:and )?no [\w*-]+[.!]?$|\b(?:nothing|no \w+) [\w ]{1,30} may\b
    \bha(?:s|ve) to be (?:in writing|signed|approved)\b
    \bonly (?:the |an? )?[\w' -]{1,40} (?:may|can|gets? to)\b
    ^every \w+(?: \w+){0,3} (?:gets|needs|must|has to|carries)\b
    \b(?:under no circumstances|and nobody else|(?:and|then) nothing else)\b
    \b(?:we|i) (?:always|never) (?!been\b|had\b|seen\b|knew\b|heard\b|know\b|see\b|seem\b|think\b|wanted\b|
        get\b)[a-z]+(?<!ed)\b
    ^(?:one|new|another|last|final) (?:more )?rule\b|\bha(?:s|ve) the (?:last|final) (?:word|say)\b
    \bowns? (?:the|this|that) (?:\w+ )?(?:decision|call|window|rollout|review|schedule|budget)\b
""")
COURSE = pattern(r"""
    (?<!if )(?<!when )(?<!\bthat )(?<!before )(?<!\bas )\bwe (?:go (?:with|for|by|back|down)|keep|take|treat|start|
        book|pick|choose|use|drop|leave|stick|stay|adopt|ship|switch|move|send|write|test|cut|skip|accept|decline|
        settle|hold|freeze|pin|stop|roll back|don't (?:use|spend|ship|touch|take|change|deploy|store|sign|pay|move))\b
    \b(?:is|are|stays?|remains?)(?: (?:now|therefore|hereby|also|clearly|not))* (?:chosen|picked|selected|adopted|
        approved|agreed|rejected|excluded|dropped|struck|vetoed|scrapped|abandoned|set aside|ruled out|in scope|
        out(?=[,;:]|[.!]?$| (?:entirely|for|because|since|too)\b))(?=\W|$)
    \b(?:stays?|remains?|is kept) (?:at|as|in|on|out|untouched|where|with|the|it|to|through|a|ready|here|off|
        up)\b(?! (?:open|unclear))
    (?:^|[,;:.] )(?:so|then|ok|okay|right|fine)[, ]+we (?!are\b|have\b|had\b|need\b|know\b|see\b|can\b|could\b|
        would\b|were\b|did\b|do\b|think\b|get\b|might\b|may\b|should\b|only\b)[a-z]+(?<!ed)\b
    \b\w+ goes in(?=[,.;!]|$)|^the (?:\w+ )?\w+ goes[.]?$|\bwins[.!]?$
    \bgo(?:es)? through (?:me|us|the|(?-i:[A-Z])\w+)\b
    ^(?:out|in):
""")
# Instructions that stay, in the imperative; requests for one answer or one look are not among them.
ORDER = pattern(r"""
    (?:^|[,;:.–—] |\b(?:please|then) )(?:(?:and|so|but|please|right|then|okay|ok|also|just|now|do|only|actually|
        remember) )*(?:never (?!mind\b|been\b|had\b|seen\b|before\b|did\b|was\b|were\b)|do not |don't (?!know|think|
        worry|see|have|mean|get|they|you|we|i\b)|always )[a-z]+
    (?:^|[,;:.–—] |\b(?:please|then) )(?:(?:and|so|but|please|right|then|okay|ok|also|just|now|do|only|actually|
        remember) )*(?:use|keep|stick|treat|avoid|make (?:it|them|that|sure|the)|leave|answer|stay|hold|(?:put|
        write) it|register|refer|follow|prefer|assume|state|begin|end|page|measure|say|name|stop|drop the|skip|ban|
        mark|go (?:with|for)|ensure|freeze|set|mind|reply|cite|include|exclude|tag|lock|cap|finish|act|play|beware|
        remember|take care|test on|plan on|give \d+)\b(?= )(?! (?:is|are|was|were|has|of|rates?|me)\b)
    ^(?:if|whenever|every time|each time|where|as soon as|when) (?:[^.;]|\.(?=\d)){3,80}?,? (?:then )?(?:page|give|
        take|name|use|keep|call|tell|stop|say|ask|write|put|send|leave|report|note|add|state|we (?:roll|go|stop|
        switch|call|treat))\b
    \bi want (?:it|them|short|every|no|you to|all)\b
""")
# One answer, one look, one act: nothing stays of it.
ONCE = pattern(r"""
    \b(?:for this (?:reply|answer|one|message)|(?:just|only) this once|this time only)\b
    ^(?:(?:please|so|and|now|then|ok),? )*(?:show|tell|give|read|paste|list|explain|check|look|remind) (?:me|us|
        through)\b
""")
# What was settled, without a verb: "ten lakes for the test, then".
THEN = re.compile(r"(?<=, )then(?=[.,!]|$)", re.IGNORECASE)


def forward_cues(plain: str) -> tuple[Span, ...]:
    """What binds from now on in `plain` (one sentence, code and quotations blanked); empty if nothing does."""
    if ONCE.search(plain):
        return ()
    fragment = THEN.search(plain)
    if fragment is not None and tense(plain) is Tense.UNCLASSIFIED:
        return spans(fragment)
    found = (one for cues in (DECISION, PROMISE, RULE, COURSE, ORDER) for one in cues.finditer(plain))
    return spans(*sorted(found, key=lambda one: one.start()))


def binds_firmly(plain: str) -> bool:
    """Whether `plain` says a decision or a "from now on", which no hedge beside it softens."""
    return DECISION.search(plain) is not None
