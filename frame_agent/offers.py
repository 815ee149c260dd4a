"""How English puts something forward that is not settled by saying it, by structure, and what settles it after all.

Advice, suggestion, wish and question are directives and expressives that leave the decision with somebody (Searle and
Vanderveken 1985; Wierzbicka 1987, the groups of advising and suggesting); a decision is a commissive or a declaration.
"""

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

_WE = r"""(?:i|we|you|one|they|he|she|somebody|someone)"""
# Conditional and optative mood of somebody's: what one would, could or might do.
MOOD = rf"""
    (?:^|[.;:]\ )\W*(?:could|might|maybe|perhaps)\ (?:also\ )?(?!be\ (?:wrong|mistaken|that)\b)\w+
      | \bwould\ do\b(?=\W*$|\ (?:too|as\ well|fine|nicely))
  | \b{_WE}(?:'d|\ would|\ should|\ could|\ might|\ may)\ (?!not\b)(?:\w+ly\ |also\ |rather\ |just\ |well[ ]
      |as\ well\ |even\ |still\ |love|like|prefer)*\ ?(?:suggest|propose|recommend|advise|start|go|use|put|make
      |add|drop|try|vote|lean|prefer|rather|love|like|want|consider|look|think|opt
      |move|choose|pick|be\ (?:in\ favou?r|happy|glad|better|inclined|tempted|for|open|up\ for|fine|interested
      |wise)|have\ to\ think|welcome|favou?r|keep|leave|take|do|run|split|switch|build|hire|buy|sell|ask|give
      |let|set|send|offer|extend|combine|swap|share|rent|borrow|open|close|cut|test|write|charge|print|paint
      |plant)\b
  | \b(?:if\ (?:it\ were|it\ was|i\ were|i\ had\ my)\ (?:up\ to|you|way)|if\ you\ ask\ me|if\ (?:i
      |we)\ had\ (?:a\ |the\ )?(?:wish|choice|say)|in\ an\ ideal\ world|ideally|one\ can\ dream|some\ ?day
      |one\ day|at\ some\ point|in\ the\ long\ run|eventually|wish\ list|would\ be\ (?:nice|good|better|best
      |cool|great|lovely|worth|wise|an?\ |one\ |another\ |possible|sensible|handy|useful|ideal|fun|tempting
      |smart|fair|neat))\b
  | \b(?:i|we)\ wish\b | \b(?:might|could|would|may)\ (?:make\ sense|help|be\ (?:an?\ (?:option|idea|way
      |alternative|solution|fit|good)|worth|better|nice))\b
"""
# Nouns that name a thing as put forward: idea, option, suggestion, wish, possibility.
NAMED = r"""
    \b(?:an?|one|another|the\ other|a\ second|a\ third|my|our|his|her|their|your|\w+'s|some|the|first
      |possible)\ (?:\w+\ )?(?:suggestion|proposal|recommendation|idea|pitch|option|alternative|possibility
      |candidate|wish|preference|plan\ b)
      (?:\ (?:is|was|would|could|might|here|to|for|that|of|i|we|will|be)\b|\ ?[:,.;–—]|\ ?$)
  | \b(?:my|his|her|their|your|\w+'s)\ (?:\w+\ )?(?:dream|thought|vote|approach|solution|remedy|advice|request
      |favou?rite)
      \ (?:is|was|would|could|might|here|to)\b
  | \b(?:one|another|a\ second|a\ third|a\ possible|a\ better|an\ easier|a\ cheaper)\ (?:approach|way|variant|solution
      |remedy|thought)\ (?:(?:out|round|in)\ )?(?:is|was|would|could|might|to)\b
  | (?:^|[.;:,]\ )\W*(?:just\ |merely\ |only\ )?(?:an?\ )?(?:strawman|brainstorm|musing|idea|option|suggestion
      |proposal|thought|alternative|alternatively|candidate|recommendation|possibility|wish)s?(?:\ (?:\w|one|two
      |three|\d))?\ ?(?:[:,]|is\b|would\b|for\b|that\b)
  | \b(?:is|are|was|were|remains?|stays?|would\ be|could\ be|merely|only|just)\ (?:still\ )?(?:an?|one|another
      |the\ other|my)\ (?:\w+\ )?(?:option|possibility|alternative|idea|thought|suggestion|candidate|proposal
      |wish|dream|preference|contender)\b
  | \b(?:options?|alternatives?|possibilities|ideas|candidates|suggestions|variants)\b[^.?!]{0,40}(?:\bare\b|:
      |\bi\ (?:can\ )?see\b|\binclude\b)
  | \bthere(?:'s|\ is|\ was|\ are)\ (?:also\ )?(?:an?|some|the)\ (?:\w+\ )?(?:proposal|suggestion|idea|request
      |option|possibility|alternative|wish)\b
"""
# Verbs of proposing, wishing and weighing, in any person, as long as nobody is said to have agreed.
VERBS = r"""
    (?<!you\ )\b(?:i|we|he|she|they|someone|somebody)\ (?:\w+ly\ |also\ |just\ |only\ |still\ )?(?:suggest
      |propose|recommend|advise|advocate|favou?r|wonder|vote)(?:s|ed|d|ing)?\b
  | (?<!you\ )\b(?:suggests?|suggested|suggesting|proposes?|proposed|proposing|offers?\ to|offered|recommends?
      |recommended|advis(?:es|ed)|floats|floated|pitches|pitched|mooted|brought\ up|put\ forward|toyed|tabled
      |lobb(?:ies|ied)\ for|argu(?:es|ed)\ for|push(?:es|ed|ing)\ for|campaign\w*\ for|advocat(?:es|ed)
      |dreams?\ of|mulls?|mulled)\b
  | (?<!\bi\ )(?<!\bwe\ )(?<!\byou\ )\b(?:wants|wishes|keen\ (?:on|to)|hopes?|hoped|hoping|would\ (?:like|love
      |prefer)|'d\ (?:like|love|prefer)|longs|dying)\ (?:us\ |me\ )?(?:to\ )?(?!know\b|see\b|hear\b|say\b
      |understand\b|ask\b|check\b|be\ (?:sure|clear)\b|your\b|you\b|it\ to\b|that\b|answered)
  | \b(?:i'm|i\ am|we're|we\ are|i\ was|we\ were|he's|she's|they're|he\ is|she\ is|\w+\ is|i've\ been
      |we've\ been|have\ been|has\ been)\ (?:\w+\ )?(?:tempted|thinking\ (?:of|about|we|that\ we|maybe)
      |considering|contemplating|toying|weighing|leaning|mulling|kicking\ around|playing\ with|debating
      |discussing|exploring|flirting|torn|on\ the\ fence|inclined|minded)\b
  | \b(?:let's|let\ us|we\ (?:should|could|might|ought\ to|can)|should|could|to|must|will|i'll
      |we'll)\ (?:\w+\ )?(?:consider|think\ (?:about|over|it)|discuss|explore|weigh|look\ (?:at|into)|debate
      |evaluate|revisit|sleep\ on|see\ (?:what|whether|if|how)|talk\ about|take\ up\ (?:next|later))\b
  | \b(?:what|how)\ about\b | \bstill\ (?:tasting|testing|trying|comparing|deciding|choosing|debating
      |negotiating|thinking|undecided|weighing|shopping)\b | \btempted\ by\b | \bwhy\ (?:not|don't)\b
      | \bhave\ you\ (?:tried|considered|thought)\b | \b(?:shall|should)\ (?:we|i)\b | \bwould\ it\ (?:make|help
      |be|work)\b
  | \b(?:is|are|seems?|sounds?|looks?)\ (?:\w+\ )?(?:worth\ (?:\w+ing|an?\ \w+|the)|tempting|attractive
      |appealing|interesting|intriguing|negotiable)\b
  | \b(?:maybe|perhaps)\ (?:we|you|i|a|an|the|go|use|try|add|put|have|make|start|let|one|with|in|two|some|even|it)\b
  | \b(?:you|one|we)\ (?:can|may|could|might)\ (?:also|always|just|instead|alternatively|simply|use|go|try|add
      |put|run|have|want)\b
  | \bup\ to\ (?:you|them|her|him)\b | \bjust\ (?:a\ thought|an\ idea|thinking\ (?:aloud|out\ loud)
      |to\ have\ said) | \bneeds\ thinking\b | \bfood\ for\ thought\b
"""
# Said to be undecided, pending or put off.
PENDING = r"""
    \b(?:un(?:decided|resolved|settled)|not\ (?:yet\ )?(?:been\ )?(?:decided|settled|agreed|finali[sz]ed|voted
      |approved|signed)|yet\ to\ (?:be\ )?(?:decide|settle|agree|approve|vote)\w*|pending|awaiting|awaits|tbd
      |to\ be\ (?:decided|settled|discussed|agreed|seen|determined|negotiated)|up\ (?:in\ the\ air
      |for\ (?:debate|discussion|grabs))|under\ (?:discussion|consideration|review|debate)|in\ discussion
      |being\ (?:discussed|considered|weighed|debated)
      |on\ the\ (?:table|fence|wish\ list|cards)|open\ (?:question|point|issue|item)|leave\ (?:it|that
      |this)\ open|left\ open|still\ open|stays\ open|(?:have|has|had)(?:n't
      |\ not)\ (?:yet\ )?(?:been\ )?(?:decided|settled|agreed|made\ up|chosen|picked|voted)|(?:did|do
      |does)(?:n't|\ not)\ (?:yet\ )?(?:decide|settle|agree)|no\ decision|decide\ (?:later|next|then|on\ that
      |when)|jury\ is\ (?:still\ )?out|vote\ is\ (?:still\ )?out|remains\ to\ be|still\ (?:need
      |have)\ to\ (?:decide|choose|pick|agree|settle)
      |let's\ see\b|we'll\ see|we\ will\ see|time\ will\ tell|toss-?up|it's\ between
      |the\ (?:open\ )?question\ is\ (?:whether|if|who|which|what|how))
"""
OFFER = re.compile(f"(?:{MOOD}|{NAMED}|{VERBS}|{PENDING})", _FLAGS)

# Words by which something is settled: they make a decision of what would else be an offer or a guess.
DECIDES = re.compile(
    r"""\b(?:decided(?!\ (?:yet|whether|if))|decision(?:\ is|:|\ stands)|it\ is\ decided|we(?:'ve
      |\ have)?\ (?:decided|agreed|settled|chosen|voted|resolved|committed|signed)|agreed[:,.]|settled[:,.]
      |approved(?!\ by\ then)|adopted|carried|passed\ unanimously|unanimous\w*
        |voted\ (?:in|for|yes)|signed\ off|so\ be\ it|that's\ (?:final|settled|decided)|final(?:ly)?[:,]
      |from\ now\ on|as\ of\ (?:today|now|\w+day)|(?:we|i)(?:'ll|\ will|'re\ going\ to|\ are\ going\ to
      |\ shall)\ (?:go\ with|take|use|do|keep|adopt|stick)
        |(?:we|i)(?:'re|\ are|'m|\ am)\ (?:going\ with|taking|doing|keeping|adopting|sticking)|(?:we|i)\ (?:go
      |went)\ with|it\ is[.!]|go\ ahead|(?:is|are)\ (?:fixed|final|settled|agreed|decided|in)\b|deal\b
      |rule\ \d+)""",
    _FLAGS,
)
