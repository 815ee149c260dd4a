"""The words that take something back: what was said or believed was wrong when it was said.

Some cues suffice ("correction:", "I misread"). Others are common in plain talk ("actually", "sorry", "never") and count
only in pairs: one that turns against what went before, and one that says what is otherwise.
"""

import re

from dissolution.values import Span

_NOUN = (
    r"(?:statement|figure|number|claim|answer|reply|date|premise|diagnosis|entry|note|letter|e-?mail|advice|table"
    r"|report|reading|result|count|estimate|message|record|chart|form|label|sign|docs?|documentation|manual|sum|total"
    r"|dose|version|assumption|summary|slide|draft|minutes|register|affidavit|transcript|referral|post|comment|list)s?"
)
_SAID = (
    r"(?:said|told|wrote|gave|sent|reported|quoted|pasted|called|named|posted|listed|claimed|mentioned|stated|read"
    r"|typed|filed|pleaded|used|copied|put|noted|counted|showed|plotted)"
)
_WE = r"(?:i|we|you|they|he|she)"
_BE = r"(?:is|are|was|were|be|been|isn't|wasn't|'s|'re)"
_FALSE = (
    r"(?:wrong|false|incorrect|mistaken|in\ error|inaccurate|untrue|a\ typo|an\ error|a\ mistake|a\ slip|backwards"
    r"|a\ misprint|miscalculated|misstated|mislabell?ed|not\ so|not\ true|not\ right|not\ correct)"
)
_THROUGHOUT = (
    r"(?:all\ along|the\ whole\ time|all\ this\ time|all\ these\ (?:years|months|weeks|days)|from\ the\ (?:very\ )?"
    r"(?:start|beginning|outset|first\ (?:day|release|version))|from\ day\ one|since\ the\ (?:start|beginning|outset)"
    r"|since\ (?:launch|day\ one))"
)
# A sentence that says of itself that it corrects. "Correction" as a noun has no colon behind it.
LABEL = r"""
    ^(?:(?:a|one|small|quick|minor|important|also|and|so|ok|okay)\ ){0,3}(?:corrections?|corrigendum|errat(?:um|a)
        |corrected|amend(?:ed|ment)|self-correction|update\ and\ correction)(?:\ (?:to|of|on|report|entry|note|version)
        (?:\ [\w'#.-]+){0,5})?\s?[:–—]
  | ^(?:previous\ |earlier\ )?(?:entry|note|report|message)(?:\ \w+){0,3}\ in\ error\b
  | \b(?:let\ me|i\ must|i\ have\ to|i\ should|i\ need\ to|allow\ me\ to|i'd\ like\ to|to|i)\ (?:correct|rectify
        |amend)[ ]
        (?:myself|that|this|the\ record|the\ transcript|the\ minutes|my|what|an?\ (?:error|mistake|slip))\b
  | \bstands?\ corrected\b
  | \b(?:he|she|they|witness|author|patient|client|clerk|speaker)\ corrected\ (?:us|me|himself|herself|themselves
        |(?:his|her|their|the)\ (?:statement|testimony|account|evidence|record|answer))\b
"""
# An order to forget what was said. What is struck must be words, not an option ("strike it" rejects one).
TAKEN_BACK = rf"""
    ^(?:(?:no|wait|sorry|ok|okay|oops|and|so|please|actually)[, ]+){{0,2}}(?:scratch
        |strike)\ that\b(?!\ \w+\ (?:off|from))
  | \b(?:scratch|scrap|strike|disregard|ignore|forget)\ (?:what\ (?:i|we)\ {_SAID}|(?:my|the|that)\ (?:last|previous
        |earlier|first)\ (?:\w+\ )?{_NOUN}|my\ (?:\w+\ )?{_NOUN})\b
  | \bdisregard\ (?:the|that|this)\ {_NOUN}\b
  | \b(?:i|we)\ (?:(?:have\ to|must|hereby|now|would\ like\ to)\ )?(?:take\ (?:it|that|this|the\ [\w\ ]{{1,30}})?\ ?back
        |retract|withdraw)\b(?=\ (?:that|this|what|my|the|it)\b|\s*(?:[.,;:!]|$))
  | \blet\ me\ (?:withdraw|retract|rephrase)\b
"""
# Somebody admits a slip.
SLIP = rf"""
    \b(?:i|we|you)(?:'ve|'d|\ have|\ had|\ must\ have|\ simply|\ just|\ clearly|\ obviously){{0,2}}\ (?:mis(?:read|heard
        |quoted|counted|typed|spoke|spoken|took|taken|remembered|calculated|stated|understood|labelled|labeled
        |identified
        |attributed|dated|spelled|spelt|reported|diagnosed|placed|interpreted)|transposed|overlooked|overstated
        |understated|mixed\ up|confused|double-counted)\b
  | \b(?:had|got|have)\ (?:it|this|that|them|the\ [\w\ ]{{1,30}}|his\ \w+|her\ \w+)\ (?:mixed\ up|the\ wrong\ way
        \ (?:round|around)|backwards|swapped|upside\ down|muddled|wrong)\b
  | \b(?:i|we)(?:\ was|\ were|'ve\ been|\ have\ been|\ had\ been)\ (?:also\ |quite\ |simply\ |plainly\ )?(?:wrong
        |mistaken|in\ error|misinformed|looking\ at\ the\ wrong)\b(?!\ to\ (?:want|ask|wait|think\ i|go)\b)
  | \bmy\ (?:mistake|bad|error|apologies,?\ (?:i|the|that)|slip|fault)\b(?=\s*(?:[,.;:!–—]|$|\ there|\ in))
  | \b{_WE}(?:'ve|'d|\ have|\ had|\ was|\ were)?\ (?:\w+\ )?(?:{_SAID}|reading|looking\ at|looked\ at|using|treating
        |measuring|counting)\ (?:\w+\ ){{0,3}}(?:the|a|from\ the|off\ the)\ wrong\b
  | \b(?:i|we)\ (?:{_SAID})\ [^.;]{{1,60}}?\ (?:and|but|where\ (?:i|we)|when\ (?:i|we)|though\ (?:i|we))\ meant\b
  | \b(?:no|wait|sorry|oops),?\ (?:wait,?\ )?i\ meant\b(?!\ to\b)
  | \bshould\ have\ (?:said|written|read|been\ (?:listed|recorded|written))\b
  | \b(?:it|that|which)\ should\ (?:read|say|have\ read)\b
  | \b(?:oops|apologies|sorry|whoops|argh|ugh|damn)\b[^.;]{{0,20}}\bwrong\ \w+
  | \bi\ was\ too\ (?:quick|hasty|fast)\b | \b(?:i|we)\ (?:have\ to|must)\ own\ up\b | \bmust\ have\ mis\w+
  | \bthat\ was\ (?:careless|sloppy|my\ (?:mistake|error|fault))\b
  | \b(?:samples?|labels?|names?|charts?|files?|columns?|axes|results?)\ (?:was|were|got|had\ been)\ (?:swapped
        |switched|mixed\ up|mislabell?ed)\b
"""
# What was said is called false.
FALSE_CLAIM = rf"""
    \b(?:my|your|our|his|her|the|that|this|previous|earlier|first)\ (?:(?:last|previous|earlier|original|first|old)\ )?
        {_NOUN}(?:\ (?!is\b|was\b|are\b|were\b)[\w'-]+){{0,6}}\ {_BE}\ (?:simply\ |just\ |also\ |plainly[ ]
        |quite\ )?{_FALSE}
        \b(?!\ for\ a\ (?:while|time|bit))
  | \b(?:what|everything|all)\ {_WE}(?:'ve|\ have|\ had|\ all)?\ (?:{_SAID}|believed|assumed|thought)\b[^.;:]{{0,50}}?
        \ (?:is|was|were|isn't|wasn't)\ (?:\w+\ )?{_FALSE}\b
  | \bit\ (?:was|is)\ (?:wrong|a\ mistake|an\ error)\ to\ (?:call|say|describe|treat|report|label|read|put)\b
  | \b(?:wrong|false|incorrect|void|invalid|a\ mistake)\ {_THROUGHOUT}
  | \bwhich\ (?:is|was)\ (?:wrong|false|incorrect|an?\ (?:error|mistake|typo|slip|misprint))\b
  | \bis\ (?:wrong|false|incorrect)\ and\ (?:always\ )?was\b
  | (?:^|[.;:]\ )(?:wrong|not\ so|false|not\ quite|not\ true|incorrect)\s?[:,;–—]
  | \bthat\ is\ not\ what\b|\bthat's\ not\ what\b|\bthat\ isn't\ so\b
  | \b(?:had|has|have|got)\ (?:it|this|that)\ (?:backwards|wrong|the\ wrong\ way)\b
  | \b(?:was|were)\ (?:never|not)\ (?:right|true|so|correct|the\ case|accurate|valid|the\ law|the\ rule|the\ plan
        |what\ (?:it|we|i|they)\b)
  | \bnever\ (?:was|were)\b(?!\ (?:there\ )?(?:any\ |much\ )?(?:good|keen|fond|sure|happy|one\ (?:for|to)))
  | \b(?:and|but)\ (?:it\ |they\ )?(?:always|never)\ (?:was|were|has\ been|have\ been|did|had|has)\b(?=\s*(?:[,.;:!]|$
        |\ and|\ but|\ the))
  | \bnever\ (?:existed|happened|took\ place|had\ effect|applied)\b
"""
# The truth against what somebody said or thought.
AGAINST = r"""
    \bcontrary\ to\ (?:what|my|our|the|popular)\b | \bdespite\ what\ [\w\ ]{1,30}\ (?:says?|said|claims?|shows?)\b
  | \b(?:we|i|everybody|everyone|people)(?:'ve|\ have|'d|\ had)?\ (?:all\ |always\ |wrongly\ )?(?:thought|believed
        |assumed
        |been\ assuming|been\ telling|been\ calling|been\ counting|been\ treating|took\ it)\b[^.;]{0,80}
        (?:,|;|\bbut)\ (?:but\ |and\ )?(?:it|they|he|she|that|this|there|the\ \w+)\ (?:never\ )?(?:is|was|were|are|isn't
        |wasn't|has|had|turned)\b
  | \bit\ was\ (?!not\b)[\w' -]{1,40},?\ (?:and\ )?not\ [\w' -]{1,40},?\ (?:who|that|which)\b
  | \bit\ (?:was\ not|wasn't)\ [\w' -]{1,40},?\ but\b
  | \b(?:was|is|did)\ not\ [^.;]{1,40}\ as\ (?:recorded|reported|stated|noted|written|i\ said)\b
  | \b(?:turns|turned)\ out\b[^.;]{0,60}\b(?:never|all\ along|wasn't|weren't|isn't|had\ been|no\ such|wrong)\b
  | \bit\ (?:now\ )?(?:emerges|transpires|emerged|transpired)\b
  | \b(?:was|were|is)\ never\ (?:an?\ |the\ )?[\w%.-]+(?:\ [\w%.-]+){0,5}[,;]\ (?:it|they|he|she|that)\ (?:is|was|are
        |were|has)\b
  | \bcall(?:s|ed)?\ [\w' -]{1,40}\ (?:was|is)\ (?:never|really|in\ fact|actually)\b
  | \bwhat\ (?:i|we|you|they|everybody)\ (?:called|call|took\ for|counted\ as)\ [^.;]{1,60}?\ (?:was|is|were|are)\b
  | \b(?:entry|result|reading|sample|label|value|record|figure|number)\b[^.;]{0,30}\bbelongs?\ to\ (?:another
        |a\ different|the\ other)\b
  | \bthere\ never\ (?:was|were|has\ been)\b
  | \b(?:the\ )?(?:true|real|correct|actual)\ (?:value|figure|number|sum|date|name|total|reading|version|count)\ (?:is
        |was|reads)\b
"""
# Turns against what went before; alone it is a filler or an apology.
TURN = r"""
    ^(?:oh,?\ |well,?\ |ah,?\ |but\ |and\ |so\ )?(?:no|nope|wait|hold\ on|hang\ on|sorry|apologies|oops|actually
        |in\ fact|my\ apologies|hmm,?\ no|you're\ right|you\ are\ right|on\ review|on\ (?:a\ )?second\ (?:look|reading
        |thought)|looking\ (?:at\ it\ )?again|pardon)\b(?=[\s,;:.!–—])
  | \b(?:i|we)\ (?:apologi[sz]e|stand\ to\ be\ corrected) | \bwhatever\ (?:the|my|your|our)\ [\w\ ]{1,20}\ (?:says?
        |said)\b
  | \bas\ (?:i|we)\ (?:first\ )?(?:said|wrote|claimed|thought)\b | \bi\ just\ never\ noticed\b
  | \b(?:label|entry|note|chart|sign|manual|map|letter|display|dashboard|header)\ (?:is|was)\ (?:wrong|lying|a\ fake)\b
"""
# Says what is otherwise; alone it describes or contrasts.
OTHERWISE = rf"""
    \b(?:has|have|had)\ (?:always|never|had|been)\b | ,\ (?:and\ )?not\ [\w\d€$£#]
  | \b(?:isn't|wasn't|aren't|weren't|is\ not|was\ not|doesn't\ say|don't)\b[^.;]{{1,60}}[,;]\ (?:it|they|he|she
        |that)(?:'s|'re
        |\ is|\ was|\ are|\ were)\b
  | \b(?:i|you)\ (?:said|told|wrote|gave|called|claimed|promised|counted)\b | \bwrong\b | \b(?:typo|mistake|error)\b
  | \b{_THROUGHOUT}\b | \bnever\b | \bdoesn't\ say\b | \bbelongs\ to\b | \bi\ (?:pasted|missed|read)\b | \bwe\ missed\b
  | \bis\ of\ \w+\ and\ not\ of\b
"""

_STRONG = re.compile(f"{LABEL}|{TAKEN_BACK}|{SLIP}|{FALSE_CLAIM}|{AGAINST}", re.VERBOSE | re.IGNORECASE)
_TURN = re.compile(TURN, re.VERBOSE | re.IGNORECASE)
_OTHERWISE = re.compile(OTHERWISE, re.VERBOSE | re.IGNORECASE)


def backward_cues(plain: str) -> tuple[Span, ...]:
    """The words of `plain` (one sentence, code and quotations blanked) that take something back; empty if none do.

    Either the cues that suffice by themselves, or one pair of weaker ones.
    """
    strong = tuple(Span(start=match.start(), end=match.end()) for match in _STRONG.finditer(plain))
    if strong:
        return strong
    turn = _TURN.search(plain)
    if turn is None:
        return ()
    otherwise = next(
        (m for m in _OTHERWISE.finditer(plain) if m.start() >= turn.end() or m.end() <= turn.start()), None
    )
    if otherwise is None:
        return ()
    pair = sorted((turn, otherwise), key=lambda match: match.start())
    return tuple(Span(start=match.start(), end=match.end()) for match in pair)
