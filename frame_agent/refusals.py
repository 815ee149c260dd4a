"""How English turns something down, by structure: the act of dismissal, its result, a refused will, a bare no.

Each form names the thing turned down in its group `thing`. The verbs are the commissives and verdictives of refusal
(Searle and Vanderveken, "Foundations of Illocutionary Logic", 1985, ch. 9; Wierzbicka, "English Speech Act Verbs",
1987, the groups of refusing, forbidding and retracting) with the phrasal verbs that talk prefers.
"""

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

# Where a clause may begin.
_START = r"""(?:^\W*|[,.;:!?(–—]\s|\s-\s|\b(?:so|then|and|but|because|since|that|therefore|hence|fine|ok|okay
      |agreed|right|yes|no),?\s)"""
# What is named: up to the next mark, or to a word that opens another clause.
_THING = r"""(?P<thing>[^,.;:!?()–—\n]{2,70}?)"""
_END = r"""(?=\s*(?:[,.;:!?()–—\n]|\s-\s|$)|\s(?:because|since|as|so|but|although|though|if|unless|until|when
      |while|which|who|after|before|for\ (?:now|good|the\ time)|and\ (?:we|i|it|that|then|so|instead|go|use
      |keep)|in\ favou?r|altogether|entirely|once\ and|anyway|either|from\ the\ (?:list|plan|agenda|scope|table)
      |last|this|yesterday|today|tonight)\b)"""
_SELF = r"""(?:i|we|you|they|he|she|nobody|no\ one|none\ of\ us|everybody|everyone)"""
# Adverbs between.
_ADV = r"""(?:(?:therefore|now|then|also|hereby|all|both|still|entirely|already|just|really|simply|definitely
      |firmly|clearly|officially|finally|not|been|being|so|hence|again|very\ much|totally|completely
      |pretty\ much|basically|out\ of\ the\ question|\w+ly)\s)*"""

# Verbs that dismiss what follows them, in every form.
_DISMISS = r"""(?:drop(?:s|ped|ping)?|scrap(?:s|ped|ping)?|kill(?:s|ed|ing)?|bin(?:s|ned|ning)?|ditch(?:es|ed
      |ing)?|axe(?:s|d)?|axing|shelv(?:e|es|ed|ing)
  |park(?:s|ed|ing)?|skip(?:s|ped|ping)?|cancel(?:s|led|ed|ling|ing)?|abandon(?:s|ed|ing)?|abort(?:s|ed|ing)?
      |discard(?:s|ed|ing)?
  |dismiss(?:es|ed|ing)?|exclud(?:e|es|ed|ing)|reject(?:s|ed|ing)?|rul(?:e|es|ed|ing)\ out|veto(?:es|ed|ing)?
      |declin(?:e|es|ed|ing)|refus(?:e|es|ed|ing)(?:\ to)?|turn(?:s|ed|ing)?\ down
  |vot(?:e|es|ed|ing)\ (?:down|against)|sho(?:ot|oots|t|oting)\ down|str(?:ike|ikes|uck|iking)(?:\ out|\ off)?
      |cross(?:es|ed|ing)?\ (?:out|off)|throw(?:s|ing)?\ out|threw\ out|withdr(?:aw|aws|ew|awing|awn)
      |retract(?:s|ed|ing)?
  |t(?:ake|akes|ook|aking)\ back|call(?:s|ed|ing)?\ off|pull(?:s|ed|ing)?\ the\ plug\ on|g(?:ive|ives|ave
      |iving)\ up\ on|walk(?:s|ed|ing)?\ away\ from|back(?:s|ed|ing)?\ (?:away\ from|out\ of)
  |pass(?:es|ed|ing)?\ on|sa(?:y|ys|id|ying)\ no\ to|no\ to|steer(?:s|ed|ing)?\ clear\ of|stay(?:s|ed
      |ing)?\ (?:away\ from|clear\ of|off)|g(?:et|ets|ot|etting)\ rid\ of|do(?:es|ing)?\ without|d(?:id
      |one)\ without|count(?:s|ed|ing)?\ out
  |writ(?:e|es|ing)\ off|wrote\ off|bury|buri(?:es|ed)|rescind(?:s|ed|ing)?|object(?:s|ed|ing)?\ to|oppos(?:e|es
      |ed|ing)|forbid(?:s|ding)?|forbade|ban(?:s|ned|ning)?|decid(?:e|es|ed|ing)\ against|chose\ not\ to|opt(?:s
      |ed|ing)?\ (?:against|out\ of)
  |(?:am|is|are|'m|'re|'s)\ (?:\w+\ )?(?:against|done\ with|finished\ with|through\ with|passing\ on
      |opposed\ to)|leav(?:e|es|ing)\ out|left\ out|anything\ but|nothing\ to\ do\ with|have\ no\ use\ for
      |disprov(?:e|es|ed)|refut(?:e|es|ed)|debunk(?:s|ed)?|rul(?:es|ed)\ against)"""
# Participles and adjectives of what has been dismissed.
GONE = r"""(?:out(?!\ of\ (?!scope|the\ question|the\ (?:race|running|picture|plan)|consideration|bounds))|dead
      |gone|history|over|off(?:\ the\ (?:table|list|agenda|menu|cards|plan)|\ limits)?(?=\W*$|[,.;:!]|\ the\b
      |\ limits)|toast|moot|withdrawn|excluded|dropped|ruled\ out
  |shelved|cancell?ed|rejected|scrapped|abandoned|discarded|struck(?:\ (?:out|off))?|forbidden|banned|killed
      |vetoed|declined|refused|binned|axed|parked|ditched|dismissed|turned\ down|voted\ down|shot\ down
      |called\ off|crossed\ (?:out|off)|thrown\ out|left\ out|set\ aside|put\ aside
  |written\ off|buried|rescinded|overruled|superseded|disproved|disproven|refuted|debunked|discredited|untenable
      |innocent|exonerated|in\ the\ clear|unacceptable|unworkable|infeasible|not\ feasible|overkill
  |an?\ (?:non-?starter|no-?go|no(?=\W|$)|bad\ idea|dead\ end|deal-?breaker|red\ herring|mistake)|no\ (?:option
      |go|good|longer\ (?:an\ option|planned|needed|wanted|on|in|part|considered|pursued|valid))
      |out\ of\ the\ question|beyond\ us|too\ (?:expensive|dear|costly|risky|slow|complicated|late|much|little
      |big|small|long|dangerous|fragile)(?=[^.;]*\b(?:so|no|not|leave|drop|skip|forget|without)\b))"""
NOT_GONE = r"""(?:an\ option|allowed|permitted|part\ of|in\ (?:scope|the\ plan|the\ running|question)|happening
      |going\ to\ (?:happen|be|go\ ahead)|on\ the\ (?:table|list|cards|agenda)|acceptable|wanted|needed|planned
      |possible|feasible|viable|on(?=\W|$)|for\ us|going\ anywhere|worth\ it|realistic|the\ way\ to\ go
  |(?:the|our|a|an?y|to)\ (?:\w+\ )?(?:cause|culprit|problem|issue|answer|reason|explanation|blame|way|place
      |plan|option|idea|solution|source|fault|bottleneck|driver|factor|culprits|trouble))"""
# What one does not want, do or back, up to the object.
_WILL_NOT = r"""(?:wo(?:n't)|will\ not|'ll\ not|shan't|shall\ not|(?:am|are|is|'m|'re|'s)(?:n't|\ not
      |\ never)\ (?:going\ to|planning\ (?:to|on)|about\ to|willing\ to|prepared\ to|doing|having|building|using
      |buying|adopting|making|taking|running|offering|paying|touching|considering|adding|keeping|moving
      |switching|opening|entering|hiring|selling|sending|supporting|in\ favou?r\ of|interested\ in|for|keen\ on
      |happy\ with|convinced\ by|a\ fan\ of)
  |(?:do|does|did)(?:n't|\ not)\ (?:\w+ly\ )?(?:want|need|plan|intend|like|accept|buy|support|approve|wish
      |care\ for|go\ for|believe\ in|go\ with)|would(?:n't|\ not)|'d\ (?:rather|prefer)\ not(?:\ to)?
      |would\ rather\ not|can(?:'t|not)\ (?:accept|support|have|justify|afford|recommend|approve|endorse|back
      |sign(?:\ off\ on)?|allow|agree\ to)|can(?:'t|not)\ be\ doing
  |refus(?:e|es|ed)\ to|declin(?:e|es|ed)\ to|(?:have|'ve|has|'s)\ (?:decided|agreed|chosen)\ not\ to
      |decided\ not\ to|decided\ against|agreed\ not\ to|chose\ not\ to|no\ longer\ (?:want|need|plan|consider
      |use|pursue|intend)|never\ (?:again\ )?(?:use|want|agreed\ to|approved|accepted|wanted))"""

ACT = re.compile(
    rf"""(?:{_START}|\b(?:{_SELF}|to|let's|please|will|'ll|have|has|had|'ve|'re|are|am|'m|is|was
      |should|would|must|do|can|just|also|hereby|immediately
      |[a-z]{{3,}}s?)\s(?<!\bthe\s)(?<!\ban\s)(?<!\bof\s)(?<!\bany\s)(?<!\bfor\s)(?<!\bin\s)(?<!\bthis\s)(?<!\bthat\s)(?<!\bno\s)(?<!\bnot\s)(?<!\bn't\s)(?<!\bnever\s)(?<!\bwithout\s)){_ADV}{_DISMISS}\s(?!to\b|by\b|from\s\d|off\b|out\b|down\b|it\b|that\b(?!\s\w)|them\b|at\b){_THING}{_END}""",
    _FLAGS,
)
LET_GO = re.compile(
    rf"""{_START}(?:please\ |let's\ |just\ |we\ can\ |you\ can\ )?(?:forget(?:\ about)?
      |never\ mind|spare\ (?:me|us)|no\ more)\s(?!to\b|than\b|it\b|that\b(?!\s\w)|how\b|what\b){_THING}{_END}""",
    _FLAGS,
)
BUT_NO = re.compile(
    rf"""{_START}(?P<thing>[^,.;:!?()–—\n]{{2,60}}?),?\s(?:but|and|:)\s(?:\w+\s)?(?:no
      |not\ (?:for\ us|this\ time|now|here))(?=\s*[,.;:!]|$)""",
    _FLAGS,
)
SAYS_NO = re.compile(
    rf"""{_START}(?P<thing>[^,.;:!?()–—\n]{{2,60}}?)\s?[:,?–—]\s?(?:[\w']+\s){{1,3}}?(?:says?
      |said|answered|voted)\ no\b""",
    _FLAGS,
)
SPLIT = re.compile(
    rf"""\b(?:turn|rul|vot|shoot|shot|strik|struck|cross|leav|left|count|call|tak|took|throw
      |threw|writ|wrote|pull|knock|put|kick)(?:e|es|s|ed|ing|d)?\s{_THING}\s(?:down|out|off(?:\ (?:the|our
      |my)\ (?:list|table|agenda|plan))?|aside|back|away)(?=\s*(?:[,.;:!?]|$|\b(?:of\ (?:it|this|that|here|the)
      |because|since|for|last|this|yesterday|again)\b))""",
    _FLAGS,
)
STATE = re.compile(
    rf"""{_START}{_THING}\s?(?:\bis|\bare|\bwas|\bwere|'s|'re|\bgets?|\bgot|\bstays?|\bremains?
      |\bbecomes?|\bseems?|\b(?:has|have|had)\ been)\s{_ADV}{GONE}\b(?!\s(?:\d|to\b|by\s\d|from\b|stock\b
      |week))""",
    _FLAGS,
)
STATE_NOT = re.compile(
    rf"""{_START}{_THING}\s?(?:(?:\bis|\bare|\bwas|\bwere|'s|'re|\bstays?|\bremains?)(?:n't
      |\ not|\ never)|\bno\ longer)\s(?:\w+ly\ )?(?:really\ |even\ )?{NOT_GONE}\b""",
    _FLAGS,
)
FAILS = re.compile(
    rf"""{_START}{_THING}\s(?:go(?:es)?(?=\W*$|[,.;:])|fall(?:s)?\ (?:away|through|flat)
      |fell\ (?:away|through)|(?:does|did|do|will|would|wo|ca|can)(?:n't|\ not)\ (?:make\ the\ cut|survive|fly
      |hold(?:\ up|\ water)?|happen(?=\W*$|[,.;:])|go\ ahead|work(?:\ for\ us)?(?=\W*$|[,.;:])|convince|apply|cut\ it
      |pass|fit|qualify|explain)|cannot\ (?:be\ it|work|hold|apply|explain)|can't\ be\ (?:it|the|right)|(?:got
      |gets)\ the\ (?:chop|axe|boot)|loses?\ out|lost\ out|makes?\ no\ sense|(?:has\ to|must)\ go(?=\W*$|[,.;:])
      |never\ (?:happened|materiali[sz]ed|took\ off)|ha(?:s|ve|d)\ nothing\ to\ do\ with
      |met\ with\ a\ no)\b""",
    _FLAGS,
)
WILL = re.compile(
    rf"""(?:\b(?:{_SELF}|[A-Z][\w'-]+|(?:the|our|my)\ [\w-]+(?:\ [\w-]+)?)(?:\s(?:also|still
      |really|certainly|definitely))?\s?|{_START}){_WILL_NOT}\s(?!be\ (?:able|possible|enough|long|ready|sure
      |easy|hard|surprised|wrong|bad)\b|know\b|mind\b|say\b|worry\b|forget\b|swear\b|bet\b|happen\b|hurt\b
      |think\b|matter\b|believe\b|see\b|help\b|have\b|need\ to\b|change\b|alter\b|affect\b|make\b|mean\b
      |explain\b|touch\b|cover\b|show\b|prove\b|tell\b)(?:to\ |be\ )?{_THING}{_END}""",
    _FLAGS,
)
NOBODY = re.compile(
    rf"""\b(?:nobody|no\ one|none\ of\ (?:us|them|you))\ (?:wants?|wanted|likes?|needs?
      |supports?|asked\ for|voted\ for|is\ for|agreed\ (?:to|on)|approved|accepted)\ {_THING}{_END}""",
    _FLAGS,
)
BARE_NO = re.compile(
    rf"""(?:^\W*(?:(?:ok|okay|so|and|but|well|then|right|fine|sorry|also|absolutely|definitely
      |decided|decision|again)[,:.]?\s)*|[,.;:!?–—]\s(?:and\ |so\ |but\ )?|\b(?:but|and|so)\s
      |\bthere\ (?:will\ be|is\ to\ be|shall\ be|'ll\ be)\s)(?:no|not|not\ even)\s(?!longer|matter|idea|problem
      |doubt|worries|wonder|need\ to|one\b|sure|yet|now|really|only|just|bad|at\ all|quite|before|until|because
      |if|that\b|this\b|to\b|so\b|an?\ (?:chance|clue|problem)\b|in\ (?:the|a)\b|everyone|everybody|much|many
      |enough|from\b|by\b|on\b|for\b|as\b|clue|change|news|thanks|rush|hurry|more\ than|less\ than|later\ than
      |earlier\ than|fewer|sooner|about\b|even|necessarily|every|all\b|too\b|very\b|particularly|unless|where\b
      |when\b|with\b){_THING}{_END}""",
    _FLAGS,
)
_NO_THING = r"(?:told|said|says|you|him|her|me|them|i|we|it|is|are|was)\b"
ANSWERED = re.compile(
    rf"""{_START}(?P<thing>(?:(?!{_NO_THING})[\w./'’-]++\s){{0,6}}?(?!{_NO_THING})[\w./'’]++)\s?(?:[:?,–—-]\s?
      |\b(?:is|are|was)\ (?:still\ |also\ )?an?\ |\s)(?:no(?:\ way
      |\ thanks|\ thank\ you|\ chance|\ go)?|nope|nah|never|out|rejected|declined|refused|vetoed|dropped|denied
      |thumbs\ down|hard\ pass|pass)(?=\s*(?:[,.;:!]|$|\bfrom\ (?:me|us)\b|\bbecause\b|\bsince\b))""",
    _FLAGS,
)
OVER = re.compile(
    rf"""\b(?:cho[os]se|chose|chosen|pick(?:s|ed)?|prefer(?:s|red)?|t(?:ake|akes|ook)|go(?:es
      |ing)?\ with|went\ with|us(?:e|es|ing)|adopt(?:s|ed)?|keep(?:s)?|build(?:ing|s)?|buy(?:ing|s)?|want(?:s
      |ed)?|do(?:ing)?|ma(?:ke|king|de)|decid(?:e|ed)\ (?:on|for))\b[^.;:!?]{{2,60}}?\s
      (?:over(?!\ (?:to|from)\b)|instead\ of|rather\ than|and\ not|in\ place\ of|not)\s
      (?!\d|there\b|the\ (?:next|last|past|coming)|time|a\ (?:year|week|month)|lunch|just\b|only\b|yet\b)
      {_THING}{_END}""",
    _FLAGS,
)
NOT_BUT = re.compile(
    rf""",\s(?:and\ )?(?:not|never)\s(?!(?:yet|really|only|just|even|the\ other|because|if
      |until|by|in\ the|as|to|that|so|quite|before|for)\b){_THING}(?=[,.;:!?()–—\n]|$)""",
    _FLAGS,
)
RULE_FALLS = re.compile(
    rf"""{_START}(?P<thing>[^,.;:!?()–—\n]{{0,40}}?\b(?:rule|point|idea|plan|option|clause
      |item|step|proposal|number|article|paragraph|variant)\b[^,.;:!?\n]{{0,20}}?)\s(?:falls?|fell|goes
      |went)(?=\W*$|[,.;:])""",
    _FLAGS,
)
CLEARS = re.compile(
    rf"""\b(?:that|this|it|which)\s(?:also\s)?(?:clears|acquits|rules\ out|kills|excludes|sinks
      |refutes|disproves|eliminates|speaks\ against|argues\ against)\s{_THING}{_END}""",
    _FLAGS,
)
IS_NOT = re.compile(
    rf"""\b(?:it|that|this)(?:'s|\ is|\ was)(?:n't|\ not)\s(?!(?:a|an|only|just|even|yet|clear
      |sure|enough|true|much|so|too|that|as|about|because|possible|going|always|necessarily|really|very|quite
      |all|bad|easy|hard|known|in|on|for|like|what|how|where|why|until|unless|uncommon|my|our|up|worth|ready
      |there|allowed|meant|done|decided|settled|over|finished|fixed|\w+ed)\b){_THING}{_END}""",
    _FLAGS,
)
FORMS = (ACT, LET_GO, SPLIT, STATE, STATE_NOT, FAILS, WILL, NOBODY, ANSWERED, BUT_NO, SAYS_NO, RULE_FALLS, CLEARS)
PREDICATES = (STATE, STATE_NOT, FAILS, WILL)
"""Forms in which the thing is the subject."""

CONTRASTS = (OVER, IS_NOT, BARE_NO, NOT_BUT)
"""What stands beside what is meant: one word of it alone may be there for another reason."""
