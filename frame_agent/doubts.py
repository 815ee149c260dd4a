"""Further ways of not vouching for a statement, by where the doubt comes from. Each group says why it is one."""

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

# The speaker's own leaning: a feeling, an inclination, less than certainty.
LEANING = r"""
    (?:i|we)(?:'ve|\ have|\ had)?\ (?:got\ )?(?:a|the)\ (?:\w+\ )?(?:feeling|hunch|sense|impression|suspicion
          |inkling|notion)\b
  | (?:i|we)\ (?:get|got)\ the\ (?:impression|feeling|sense)\b | under\ the\ impression
  | (?:fairly|pretty|reasonably|almost|nearly|mostly|half|\d+\ ?(?:%|percent|per\ cent))\ (?:sure|certain
          |convinced|confident)\b
  | (?:i|we)(?:'m|'re|\ am|\ are)\ inclined\ to\ (?:think|believe|say) | (?:i|we)\ want\ to\ say\b
  | (?:i|we)(?:'d|\ would)(?:n't|\ not)\ be\ surprised | (?:i|we)(?:'m|'re|\ am|\ are)\ (?:just\ |only\ )?hoping\b
  | not\ (?:a\ |one\ )?(?:hundred|100\ ?%?)\ ?(?:percent|per\ cent)? (?:\ sure|\ certain)?(?=[\ ,.])
  | (?:put|lay)\ (?:good\ |my\ )?money\ on\ (?:it|that)\b | \bodds\ are\b | (?:^|[,.;]\ )likely\b
  | (?:with|by)\ (?:any\ |a\ bit\ of\ )?luck\b | (?:if\ )?all\ (?:being|goes)\ well\b
"""
# Memory that may fail, knowledge that may be old.
MEMORY = r"""
    if\ (?:i|we)(?:'m|'re|\ am|\ are)\ not\ (?:mistaken|wrong) | (?:vaguely|dimly|faintly|half)[\ -]remember
  | last\ (?:i|we|anyone|time\ (?:i|we))\ (?:heard|looked|checked|saw|knew|counted)
  | unless\ (?:that|it|this|something|things)(?:'s|\ has|\ have)\ changed
  | for\ all\ (?:i|we)\ know | not\ that\ (?:i|we|anyone|anybody|someone)\ (?:ever\ )?(?:checked|looked|asked
          |measured|counted)
  | without\ having\ (?:checked|looked|asked|measured|counted|tested|verified)
"""
# Taken as true to get on: an assumption in other words.
TAKEN = r"""
    (?:^|[.;:]\ |\b(?:so|then|ok|okay|and|but|well),?\ )say\ (?:the|an?|we|there|half|each|every|all
          |\d+)\b(?=[\w\ ,.'-]{12})(?!.*\?)
  | (?:work|working|go|going|plan|planning|proceed|proceeding|operate|operating|run|running)\ (?:on|from|off)\ the
        \ (?:basis|premise|assumption|theory|idea)\ (?:that|of)\b
  | for\ (?:planning|budgeting|illustration|argument's|modelling|estimation|costing)\ (?:purposes|sake)\b
  | (?:i|we|let's)(?:'ll|\ will|\ shall)?\ (?:just\ )?(?:take|treat|have\ taken)\ (?:it|this
          |that)\ (?:as\ (?:given|read|true)
        \ )?(?:that\b|for\ now\b)
  | treat(?:ing)?\ (?:it|this|that)\ as\ (?:given|true|read)\ for\ (?:now|the\ moment)
  | for\ (?:now|the\ moment|the\ time\ being)\ (?:i|we|let's)(?:'m|'re|'ll|\ am|\ are
          |\ will)?\ (?:\w+\ )?(?:take|taking
        |us(?:e|ing)\ (?:the|a)\ (?:figure|number|value)|assume|assuming|suppose|supposing|treat|treating|call)
  | until\ (?:we|i)\ (?:hear|know|learn|find\ out)\ (?:otherwise|better|more)
  | (?:go|going|work)\ with\ [^,.;]{2,60}\ until\ (?:we|i)\ (?:know|hear|learn)\b
  | (?:i|we)(?:'ll|\ will|\ shall|'d|\ had)\ (?:just\ )?assum(?:e|ed)\b
  | \b(?:the|our|my|his|her|their|one|main|key|working|basic|planning)\ (?:\w+\ )?(?:assumption|hypothesis
          |supposition|premise|working\ figure)
        \ ?(?:is|was|here|:|being)
  | (?:^|[.;]\ |\n)\W*(?:assumption|assumed|hypothesis|supposition|guess|estimate|conjecture
          |speculation)\ ?(?:\w+\ ?)?:
  | \bcall\ it\ (?:\w+\ ){0,3}?(?:\d|two|three|four|five|six|seven|eight|nine|ten|half|twenty|thirty|fifty)
"""
# A figure that is rough, or stands in for one.
ROUGH = r"""
    \bgive\ or\ take\b | as\ a\ (?:rough|first|ballpark|round|wild)\ (?:\w+\ )?(?:figure|number|guess|estimate
          |approximation|cut)
  | roughly\ speaking | (?:back|fag|cigarette)[\ -](?:of[\ -](?:the|an)[\ -]envelope|packet)
  | (?:i|we)(?:'d|\ would)\ (?:estimate|put\ it\ at|guess|reckon) | \b(?:my|our|a|the)\ (?:rough\ |first[ ]
          |best\ )?estimate\ (?:is|was|would)
  | pending\ (?:confirmation|verification|a\ check|proof|review) | (?:,\ )(?:still\ )?(?:to\ be|awaiting|subject\ to)
        \ (?:confirm|verif)\w*
  | (?:plucked|pulled)\ (?:it\ )?(?:from|out\ of) | \b(?:illustrative|made[\ -]up|invented|dummy|notional
          |nominal)\ (?:figure|number|value)
"""
# Somebody else's word, from hearsay or from a side with an interest.
WORD_OF_OTHERS = r"""
    (?:a|an|some|my|one\ of\ (?:my|our|the))\ (?:friend|mate|neighbou?r|cousin|acquaintance|bloke|guy|contact
          |blog|forum|post|tweet
        |article|thread|taxi\ driver)s?\ (?:\w+\ ){0,4}?(?:told|says?|said|mentioned|claims?|claimed|reckons?
          |swears?|thinks?)
  | (?:someone|somebody|people|they|folks|everyone|everybody)\ (?:\w+\ )?(?:mentioned|tells?\ (?:me|us)|swears?
          |reckons?|keeps?\ saying)
  | (?:the\ )?(?:vendor|supplier|sales(?:man|\ rep|\ people|\ team)?|brochure|marketing|rep|agent
          |seller)s?\ (?:\w+\ )?(?:claims?|claimed
        |promises|promised|swears?|reckons?)
  | according\ to\ (?:some|a|one|an)\ (?:blog|friend|post|forum|article|rumou?r|colleague|thread|guy|neighbou?r
          |website)
  | (?:i|we)(?:'ve|\ have)?\ (?:once\ |only\ )?(?:heard\ (?:that|the|they|he|she)\b|read\ that\b|(?:read
          |heard)\ (?:it\ )?somewhere)
  | (?:or\ )?so\ (?:i'm|i\ am|we're|i've\ been)\ told | (?:or\ )?so\ (?:they|people)\ say | \bon\ paper\b
          | \bin\ theory\b
"""
ELSEWHERE = re.compile(f"(?:{LEANING}|{MEMORY}|{TAKEN}|{ROUGH}|{WORD_OF_OTHERS})", _FLAGS)
"""Doubt in the sentence that states it."""

AT_ONCE = re.compile(
    r"""^\W*(?:and\ |but\ |though\ |although\ |so\ |well,?\ |mind\ you,?\ |again,?\ )?\W*(?:
        (?:that|it|this|which)(?:'s|\ is|\ was)?\ (?:\w+\ ){0,3}?(?:my|our|his|her|a|an|the|only|just|pure
          |merely)\ (?:\w+\ ){0,2}?
          (?:guess|guesswork|hunch|hope|estimate|assumption|impression|feeling|theory|speculation|placeholder
          |stand-in)
      | (?:that|this|the)\ (?:figure|number|value|date|price|one|last\ (?:bit|part|one)|percentage|sum|name|share)
          \ (?:is|was)\ (?:\w+\ ){0,3}?(?:guess|placeholder|estimate|assumption|made\ up|invented|rough
          |provisional|borrowed|unverified
          |unconfirmed|from\ memory|plucked|stand-in|hunch)
      | (?:just|only|purely|merely)\ (?:a|an|my|our)\ (?:\w+\ )?(?:guess|hunch|feeling|hope|impression|estimate
          |theory|thought)
      | (?:no|not\ (?:an?\ |much\ )?)\ ?(?:idea|clue|proof|certainty|evidence|guarantee)\b
      | not\ (?:yet\ )?(?:been\ )?(?:confirmed|verified|checked|measured|tested|proven)
      | (?:to\ be|needs\ to\ be|still\ to\ be|must\ be|needs)\ (?:confirm|verif|check|prov|test|measur)\w*
      | (?:take|treat)\ (?:it|that|this|them)\ with\ (?:a\ )?(?:pinch|grain|bag|shovel)
      | (?:we'll|we\ will|we\ shall|time\ will)\ (?:see|find\ out|tell)\b
      | (?:i|we)\ (?:made|pulled|plucked|invented)\ (?:that|it|this|them)\ (?:up|out)
      | (?:i|we)\ (?:could(?:n't|\ not)|can(?:'t|not))\ (?:tell\ you|say\ for|prove\ (?:it|that|this)|swear
          |vouch|promise)
      | (?:i|we)(?:'m|'re|\ am|\ are)\ (?:not|only|just|merely)\ (?:\w+\ )?(?:(?:sure|certain)\b(?!\ (?:which
          |whether|how|what|why|who|where|if))|guessing|speculating|assuming|hoping)
      | (?:i|we)(?:'d|\ would)(?:n't|\ not)\ (?:swear|bet|bank|rely|put)\b | (?:i|we)\ (?:may|might
          |could)\ be\ (?:wrong|mistaken)
      | (?:don't|do\ not|wouldn't)\ (?:hold|quote|take)\ (?:me|my) | (?:could|may|might)\ be\ (?:wrong|off
          |out\ of\ date|different)
      | (?:i|we)\ hope\ so | hopefully\b | fingers\ crossed | touch\ wood | or\ so\ (?:i|we|they)\b
      | (?:i'm|i\ am|we're)\ told\b | hearsay | rumou?r )""",
    _FLAGS,
)
"""Doubt in a sentence that only speaks of the one before it."""

_DENIED = r"(?:\b(?:not|no|never|none|nobody|cannot|without|hardly)\b|n't\b)"
_KNOWING = r"""\b(?:know[ns]?|measur\w+|check\w*|look(?:ed|ing)?|count(?:ed)?|see|seen|talk(?:ed)?|spoken|ask(?:ed)?
      |prov\w+|proof|heard|writ\w+|wrote|test(?:ed|s)?|source|confirm\w*|verif\w+|data|evidence|quoted?|figures?
      |numbers?|dates?|idea|clue|grounds?|basis|vouch|swear|promise|build|rely|records?)\b"""
NO_GROUND = re.compile(
    rf"""{_DENIED}[^,.;:]{{0,30}}?{_KNOWING}
      | \b(?:i|we)\b[^,.;:]{{0,12}}?{_KNOWING}[^,.;:]{{0,8}}?\b(?:no\ one|nobody|nothing|none)\b
      | \b(?:rumou?rs?|guess(?:es|work)?|hearsay|impression|hunch|correct\ me)\b
      | ^\W*(?:take|treat|count)\ (?:it|that|this|them)\ (?:as|for)\b""",
    _FLAGS,
)
"""A denied way of coming to know (sight, count, record, question, proof), or a name for less than knowledge."""
