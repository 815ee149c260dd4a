"""How English leaves a statement unvouched, by structure: who holds it, how, and on what ground.

The groups follow published inventories: epistemic verbs, adverbs, adjectives, nouns and modals (Hyland, "Hedging in
Scientific Research Articles", 1998, ch. 5), cues of speculation (BioScope: Vincze et al. 2008; CoNLL-2010 shared task:
Farkas et al. 2010) and evidentials (Chafe and Nichols, "Evidentiality", 1986; Palmer, "Mood and Modality", 2001). An
approximator of a quantity ("about 40", "roughly") is none: who says it vouches for it (Prince, Frader and Bosk 1982
tell approximators, which blur what is said, from shields, which blur who stands for it).
"""

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

# Adverbs that stand between a subject and its verb.
_ADV = r"""(?:(?:\w+ly|just|only|also|still|rather|kind\ of|sort\ of|always|once|do|did|don't|didn't|would|will
      |might|may|'d|'ll|not)\ )*"""
_I = r"""(?:(?<![\w'])(?:i|we|one)(?:'d|'ll|'ve)?)"""
_ALL = r"""(?:(?<![\w'])(?:i|we|one|he|she|they|people|everyone|everybody|someone|somebody|nobody)(?:'d|'ll|'ve)?)"""

# An epistemic verb of whoever speaks or is spoken of: judgement, inference, expectation, memory.
VERBS = rf"""
    {_ALL}\ {_ADV}(?:think|thinks|thought|guess(?:es|ed)?|suppos(?:e|es|ed)|believ(?:e|es|ed)|suspect(?:s|ed)?
      |assum(?:e|es|ed)|reckon(?:s|ed)?|imagin(?:e|es|ed)|presum(?:e|es|ed)|gather(?:s|ed)?|figur(?:e|es|ed)
      |fanc(?:y|ies)
      |expect(?:s|ed)?|speculat(?:e|es|ed)|conjectur(?:e|es|ed)|infer(?:s|red)?|surmis(?:e|es|ed)|estimat(?:e|es|ed)
      |wager(?:s|ed)?|bet|bets|hop(?:e|es|ed)|trust|theori[sz](?:e|es|ed)|hypothesi[sz](?:e|es|ed)|doubt(?:s|ed)?)\b
      (?!\ (?:about(?!\ \d)|of|in|through|over|twice|aloud|out|up|for|on|together|again|carefully
      |like)\b)(?!\ (?:you|him|her|them|me|us)\ to\b)
  | {_I}\ {_ADV}(?:seem\ to\ (?:recall|remember|have)|(?:vaguely|dimly|faintly|half)[\ -](?:recall|remember)
      |dare\ say|daresay
      |could\ swear|could\ have\ sworn|want\ to\ say|would\ say|'d\ say|have\ it\ in\ my\ head|should\ think
      |wouldn't\ know)
  | (?:if|as|from\ what)\ (?:i|we|memory)\ (?:can\ )?(?:recall|remember|serves?|understand)\b
  | (?:i|we)(?:'m|'re|\ am|\ are|\ was|\ were)\ (?:\w+\ )?(?:guess|assum|suppos|presum|speculat|estimat|expect
      |hop|bet|bank|count|gambl
      |rely|extrapolat|going\ (?:on|by)|work|operat|proceed)\w*(?:\ (?:on|that|from|under|with|off|here|it|a|the
      |this|about|roughly|around)\b|[,.])
      (?<!\ working\ on)(?<!\ working\ with)(?<!\ working\ from)
      (?<!working\ the)(?<!working\ a)(?<!working\ here)(?<!relying\ on)
"""
# A noun that names the ground as less than knowledge, held by somebody or called so.
NOUNS = r"""
    \b(?:my|our|his|her|their|your|\w+'s)\ (?:\w+\ ){0,2}?(?:guess|guesses|hunch|assumption|estimate|feeling
      |impression|suspicion|theory
      |hypothesis|understanding|reading|bet|money|gut|expectation|sense|belief|opinion|recollection|memory
      |speculation|conjecture
      |instinct|intuition|guesstimate|explanation|hope)(?:\ (?:is|was|are|would|says?|tells?|here|on|for|that
      |of)\b|'s\b|\ ?[,:.])
  | (?<!\bnot\ )(?<!\bno\ longer\ )\b(?:an?|some|wild|pure|rough|best|educated|total|complete|blind|working
      |planning|current|initial|first|crude|quick)\ (?:\w+\ ){0,2}?
      (?:guess|guesses|guesswork|guesstimate|hunch|assumption|suspicion|supposition|conjecture|speculation
      |hypothesis|extrapolation
      |placeholder|stand-in|stopgap|ballpark|stab|rule\ of\ thumb|back-of-the-envelope)\b
  | \b(?:working|planning|interim|provisional|preliminary|placeholder|tentative|indicative|notional|nominal
      |unverified|unconfirmed
      |unofficial)\ (?:number|figure|value|assumption|hypothesis|theory|estimate|total|rate|date|price|answer
      |count|default|title|name|sum|share|cut)s?\b
  | \b(?:hearsay|guesswork|conjecture|speculation|hand-?wav\w*|anecdot\w+|finger\ (?:in|to)\ the\ (?:air|wind)
      |stab\ in\ the\ dark|shot\ in\ the\ dark|(?:out\ of|from)\ (?:thin\ |the\ )air|best\ case\ guess
      |gut\ feel(?:ing)?)\b
  | \bone\ (?:reading|theory|explanation|interpretation)\b | \b(?:textbook|theoretical|catalogue
      |brochure)\ (?:figure|value|number)\b | \bsuppositions?\b | \bsmells?\ (?:to\ \w+\ )?(?:like|of)\b
      | \breads?\ (?:to\ me\ )?as\b | \bsomewhere\ (?:between|around|near|in\ the\ region)\b | \b(?:i
      |we)\ understood\ that\b
  | \bthe\ (?:most\ )?(?:likely|likeliest|probable|plausible|obvious)\ (?:cause|reason|explanation|culprit
      |source|candidate|suspect|outcome)\b
"""
# Adverbs of probability, appearance and report, and phrases that do their work.
ADVERBS = r"""
    \b(?:probably|possibly|perhaps|maybe|presumably|supposedly|apparently|seemingly|ostensibly|allegedly
      |reportedly|purportedly|conceivably
      |plausibly|anecdotally|theoretically|hypothetically|notionally|hopefully|arguably|tentatively
      |provisionally|doubtless|in\ theory
      |on\ paper|in\ all\ (?:likelihood|probability)|in\ principle|in\ (?:my|our|his|her)\ (?:experience|view
      |opinion|estimation|mind|head)
      |by\ the\ (?:looks?|sounds?|feel)\ of|as\ (?:i|we)\ understand|to\ (?:my|our
      |the\ best\ of)\ (?:\w+\ )?(?:knowledge|recollection|memory)
      |(?:from|by|off)\ memory|off\ the\ (?:top\ of|cuff)|as\ like\ as\ not|most\ likely|more\ likely\ than\ not
      |very\ likely|quite\ likely
      |give\ or\ take|or\ thereabouts|at\ a\ guess|at\ a\ pinch|afaik|afaict|iirc|imo|imho|tbc|tbd|i\ dare\ say
      |with\ (?:any|a\ bit\ of|some)\ luck
      |fingers\ crossed|touch\ wood|knock\ on\ wood|all\ being\ well|if\ all\ goes\ well|for\ all\ (?:i|we)\ know)\b
  | \b(?:(?:is|are|was|were|will|would|has|have|it|that)\ |[,.;]\ ?|^\W*|\b(?!more\ |less\ |as\ |most\ |very[ ]
      |equally\ |how\ )\w{2,}\ )likely\ (?!to\b)(?:\w+s|\w+ed|be|have|has|the|caused?)\b
  | \b\d+[\w\ ]{0,12}[ ,]-?ish\b
"""
# "It is possible that", "there is a good chance", "the odds are".
IMPERSONAL = r"""
    \b(?:it|that|this|which)(?:'s|\ is|\ was|\ seems|\ appears|\ looks|\ sounds|\ would\ be|\ may\ be
      |\ might\ be)\ (?:\w+\ )?
      (?:possible|plausible|conceivable|imaginable|probable|believed|thought|assumed|presumed|rumou?red
      |suspected|speculated)\b
  | \b(?:is|are|was|were|be|it's|looks|seems|feels)\ (?:\w+\ )?(?:likely|unlikely|probable|improbable|doubtful
      |debatable|dubious|plausible)\b
  | \bthere(?:'s|\ is|\ was)\ (?:\w+\ )?(?:an?|some|every|the)\ (?:\w+\ )?(?:chance|possibility|likelihood
      |probability|suspicion|suggestion|impression|feeling)\b
  | \b(?:the\ )?(?:chances|odds)\ (?:are|is|look|of|that)\b
  | \b(?:put|give)\ (?:the\ )?(?:odds|chances|it)\ at\b | \bone\ (?:would|might|could|may)\ (?:\w+\ )?(?:expect
      |think|assume|guess|suppose)\b
"""
# Modals of inference; "may" and "could" that permit or enable are left to `wording.hedges`.
MODALS = r"""
    \bmight\b | \bmust\ (?:have\ (?:been\ )?\w+|be\ (?:somewhere|around|about|roughly|some|nearly|close
      |in\ the\ region|at\ least|something))
  | \b(?:should|ought\ to)\ (?:\w+ly\ )?be\ (?:around|about|roughly|some|somewhere|near|close|in\ the\ region
      |something|fine|enough|ok(?:ay)?|good|safe|there|back|\d)
  | \b(?:should|ought\ to)\ (?:\w+ly\ )?(?:be\ able|hold|last|suffice|work|cope|manage|arrive|come\ in|come\ out
      |cost|take\ (?:about|around|roughly|\w+\ (?:days?|weeks?|hours?|months?|minutes?)))\b
  | \bcould\ (?:well\ |also\ |still\ |easily\ |even\ |very\ well\ )?(?:be|have\ been|mean|explain|come\ from
      |turn\ out)\b(?!\ (?:used|moved|done|made|reproduced|shown|seen|proven|confirmed)\b)
  | \b(?:may|might)\ (?:well\ )?(?:have|be|not\ be|not\ have)\b
  | \bwould\ (?:put|make|bring|mean|give|imply|suggest)\ (?:us|it|that|this|them)?\ ?(?:at\ )?(?:roughly|about
      |around|some|somewhere|nearly|something)\b
  | \bseem(?:s|ed)?\b | \bappear(?:s|ed)?\ (?:to\ (?!date|end)|that|as\ if|not\ to) | \b(?:looks?|sounds?|feels?
      |strikes?\ \w+)\ (?:to\ me\ )?(?:like|as\ if|as\ though|as\ an?)\b
  | \b(?:is|are|was|were|'s|'re)\ (?:said|rumou?red|believed|thought|assumed|presumed|suspected|alleged|reported
      |reputed|expected|estimated
      |supposed|meant|guessed|understood|projected|forecast|predicted)\ (?:to|that|at|around|about)\b
  | \btends?\ to\b[^.]*\bin\ my\b
  | \b(?:that|this|it|which)(?:'ll|\ will)\ be\ (?:why|because|how|down\ to)\b
  | \b(?:would|'d)(?:n't|\ not)\ be\ surprised\b | \b(?:on|to|with)\ the\ footing\ that\b | \bfor\ want\ of\ anything\b
"""
# Somebody else's word: nobody here stands for it. An indefinite source, kin and acquaintances, a side that sells.
HEARSAY = r"""
    \b(?:i|we)(?:'m|'re|\ am|\ are|\ was|\ were|'ve\ been|\ have\ been)\ (?:\w+\ )?(?:told(?!\ to\b)|informed
      |assured|given\ to\ understand|led\ to\ believe)\b
  | \b(?:i|we)(?:'ve|\ have)?\ (?:\w+\ )?(?:hear|heard|overheard|read|saw|seen)\ (?:\w+\ )?(?:that\b|somewhere
      |it\b|from|say|in\ (?:a|an|some|the)|on\ (?:a|an|some|the)|a\ )
  | \bword\ (?:is|has\ it|on\ the)\b | \brumou?r\ (?:is|has\ it)\b | \bthere(?:'s|\ is
      |\ was)\ (?:some\ )?talk\ of\b | \bso\ (?:the\ )?(?:\w+\ )?(?:story|legend|rumou?r)\ goes
  | \b(?:or\ )?so\ (?:the\ \w+|they|he|she|i'm|i\ am|we're|people|i've\ been|i\ was)\ (?:says?|said|claims?|told
      |hear|tells?)\b
  | \bfrom\ what\ (?:\w+\ ){1,2}?(?:gather|gathered|hear|heard|told|understand|understood|know|knows|saw|see
      |seen|can\ tell|remember|say|says|said|read)\b
  | \b(?:going|judging|inferring|extrapolating)\ (?:by|from|on|off)\b | \b(?:a|the|my)\ quick\ (?:glance
      |look)\b
  | \b(?:an?|some|another|my|our|his|her|one\ of\ (?:my|our|the|their))\ (?:\w+\ )?(?:friend|mate|colleague
      |neighbou?r|cousin|acquaintance|bloke|guy|contact
      |brother|sister|father|mother|dad|mum|mom|uncle|aunt|wife|husband|partner|boss|buddy|someone|insider
      |source|customer|driver|taxi\ driver|recruiter
      |blog(?:ger)?|forum|post|tweet|article|thread|video|podcast|newsletter|flyer|leaflet|chap|lady|fellow|pal
      |in-law|plumber|builder|dealer|broker)s?
      (?:-in-law)?\ (?:\w+\ ){0,6}?(?:told|tells?|says?|said|mentioned|claims?|claimed|reckons?|swears?|thinks?
      |insists?|promised|suggests?|heard)\b
  | \b(?:someone|somebody|people|folks?|they|everyone|everybody)\ (?:\w+\ ){0,4}?(?:mentioned|tells?\ (?:me|us)
      |told\ (?:me|us)|swears?|reckons?|keeps?\ saying|says?|said|claims?|claimed)\b
  | \b(?:the\ )?(?:vendor|supplier|sales\w*(?:\ (?:guy|man|rep|people|team|person|lady))?|brochure|marketing|rep
      |seller|salesman|advert|ad|dealer|flyer
      |datasheet|press\ release|landlord|estate\ agent)s?\ (?:\w+\ )?(?:claims?|claimed|promises?|promised
      |swears?|reckons?|says?|said|advertis\w+|quotes?)\b
  | \bthe\ (?:lady|man|woman|guy|bloke|chap|neighbou?r|girl|boy|driver|waiter|cleaner|caretaker|janitor
      |receptionist|clerk)\b[^,.;:]{0,40}?\ (?:says?|said|told|claims?|claimed|reckons?)\b
  | \baccording\ to\ (?:some|a|an|one|my|the\ (?:vendor|supplier|sales\w*|brochure|seller|dealer|rumou?r|forum
      |internet|grapevine|advert|landlord|agent|press|papers?|marketing\w*))\b
  | \b[\w-]{2,}\ (?:thinks|believes|suspects|reckons|guesses|assumes|supposes|figures|estimates|expects|swears
      |imagines|fears|doubts|hopes)\b(?!\ (?:about|of|in)\b)
  | \b[\w-]{2,}\ (?:thought|believed|suspected|reckoned|guessed|assumed|supposed|figured|seemed\ to\ think
      |was\ under\ the\ impression)\b(?!\ (?:about|of|in)\b)
"""
# Nobody looked: the lack of a check, of proof, of memory one can trust.
UNCHECKED = r"""
    \b(?:i|we|nobody|no\ one|none\ of\ us|anyone|anybody|it|that|this|they|he|she|which)(?:'ve|'s|'d|\ has
      |\ have|\ had|\ is|\ was|\ did|\ do|\ does)?
      (?:n't|\ not|\ never|(?<=nobody)|(?<=one)|(?<=us)|(?<=nobody's)|(?<=nobody\ has)|(?<=one\ has)
      |(?<=one's))\ (?:\w+\ ){0,2}?
      (?:check\w*|verif\w+|confirm\w*|measur\w+|test\w*|count\w*|look(?:ed|ing)?\b|ask(?:ed)?\b|prove[dn]?
      |validat\w+|benchmark\w*|profil\w+|audit\w*|sourc\w+
      |substantiat\w+|documented|written\ down|put\ a\ number)\b
  | \b(?:i|we)\ (?:ca|could|wo|would|do|did)(?:n't|\ not)\ (?:\w+\ )?(?:vouch|swear|prove|promise|guarantee
      |back\ (?:it|that|this)\ up|tell\ (?:you\ )?for\ (?:sure|certain)
      |know\ (?:that\ )?(?:for\ (?:sure|certain|a\ fact)|exactly|either|yet)|bet\ (?:on|my)|bank\ on|rely\ on
      |put\ money|stake|count\ on|have\ (?:any\ |a\ |the\ )?(?:proof|evidence|data|source|number|figures?))\b
  | \b(?:cannot|can't)\ (?:\w+\ )?(?:vouch|swear|prove|promise|guarantee|back\ (?:it|that|this)\ up)\b
  | \b(?:no|without(?:\ any|\ a)?|lacks?|zero|little)\ (?:\w+\ )?(?:proof|evidence|measurements?|source|basis
      |grounds|guarantee|confirmation|certainty|hard\ (?:numbers?|data|evidence))\b(?!\ of\ (?:purchase|delivery
      |work|identity|address))
  | \bno\ (?:idea|clue|telling|way\ (?:to|of)\ know\w*)\b
  | \b(?:i|we)(?:'d|'ll|\ would|\ will|\ should|\ need\ to|\ have\ to|\ still\ have\ to|\ must|'d\ have\ to
      |'d\ need\ to)\ (?:\w+\ ){0,3}?(?:double-?check|check\ (?:that|this|it)|verify|confirm\ (?:that|this|it))\b
  | \b(?:needs?|requires?|wants?|deserves?|worth)\ (?:\w+\ )?(?:checking|double-?checking|verif\w+|confirm\w+
      |testing|measuring)\b
  | \b(?:to\ be|pending|awaiting|subject\ to|until)\ (?:\w+\ ){0,3}?(?:confirm\w*|verif\w+|proven
      |validated)\b
  | \bif\ (?:that|it|this|my\ \w+|the\ \w+)(?:'s|\ is|\ still)?\ (?:still\ )?(?:right|true|correct|holds?
      |accurate|current|serves)\b
  | \b(?:if|unless)\ (?:i|we)(?:'m|'re|\ am|\ are|'ve|\ have)?\ (?:\w+\ ){0,3}?(?:mistaken|wrong|mixing
      |misremember\w*|misread\w*|confus\w+|forgotten|off|missing|it\ right|recall|remember)\b
  | \bunless\ (?:\w+\ ){1,3}?(?:changed|moved|updated|fixed)\b | \bcorrect\ me\b | \b(?:don't|do\ not
      |wouldn't)\ (?:quote|hold)\ me\b
  | \b(?:pinch|grain|bag|shovel)\ of\ salt\b | \b(?:mis-?remember\w*|hazy|fuzzy\ memory|vague\ (?:memory
      |recollection|idea|feeling|sense))\b
  | \b(?:may|might|could)\ be\ (?:wrong|mistaken|off|out\ of\ date|outdated|misremembering|imagining)\b
  | \b(?:un(?:verified|confirmed|tested|proven|measured|checked|substantiated|certain|sure|clear|official))\b
      | \bnot\ (?:yet\ |been\ |\d+\ ?%\ (?=on\b)|\d+\ ?%\ |a\ hundred\ percent\ |entirely\ |totally[ ]
      |absolutely\ |completely
      |\ quite\ |at\ all\ |really\ )*(?:verified|confirmed|checked|measured|tested|proven|validated|certain|sure
      |positive|convinced|official)\b(?!\ (?:whether|if|which|how|why|when|what|who|where))
  | \b(?:fairly|pretty|reasonably|almost|nearly|mostly|quite|rather|relatively|\d+\ ?%|ninety\ percent)\ (?:sure
      |certain|convinced|confident|positive)\b
  | \blast\ (?:time\ )?(?:i|we|anyone|anybody)\ (?:heard|looked|checked|saw|knew|counted|asked|tried)\b
"""
# Put as if it were so, to get on: suppositions, stand-ins and what holds until somebody knows.
SUPPOSED = r"""
    \b(?:let's|let\ us|let\ me|we|i|to|can|just|you)?\ ?(?:assume|suppose|presume|hypothesi[sz]e|postulate
      |stipulate)\b(?!\ responsib)
  | (?:^|[.;:,]\ )(?:let's\ |just\ |now\ |and\ )?(?:say|imagine|picture|pretend)\ (?!so\b|no\b|yes\b|it\b|what\b
      |who\b|how\b|why\b|which\b|where\b|when\b|in\ (?:the|a|every)\b|nothing)(?=(?:that\ )?(?:the|an?|we|there
      |half|each|every|all|you|they|it|\d|two|three|four|five|ten)\b)
  | \bif\ (?:i|we|you)\ (?:had|have|were)\ to\ (?:guess|bet|say|put\ a|pick|name|choose|estimate)
  | \bpencil(?:s|led|ed|ling|ing)?\ (?:\w+\ ){0,4}?in\b | \bcall\ it\ (?:\w+\ ){0,3}?(?:\d|two|three|four|five
      |six|seven|eight|nine|ten|a\ (?:third|quarter|half|dozen)|half|twenty|thirty|fifty)
  | \b(?:take|takes|taking|treat|treats|treating|use|uses|using|put|plug|plugged|plugging|count|pick|picked|set
      |go|going|leave|work|working|run|running|budget|budgeting|plan|planning|stick|keep)\b[^.;]{1,60}
      (?:\b(?:as\ (?:a\ )?(?:given|read|true|placeholder|stand-in|stopgap|proxy|working|first|default))\b
      |\b(?:until|till|unless|while|before)\ (?:\w+\ ){1,5}?(?:know|knows|hear|hears|learn|measure|measures
      |count|counts|survey|real|actual|proper|better|back|in|arrives?|comes?|confirms?|confirmed|replies|reply
      |answers?|otherwise|number|numbers|figures?|data|results?|quote|quotes|invoice)\b)
  | \b(?:on|under|with)\ the\ (?:\w+\ )?(?:basis|premise|assumption|theory|supposition|understanding|idea)\ that\b
  | \b(?:for|as)\ (?:the\ )?(?:sake\ of|planning|budgeting|modelling|modeling|illustration|argument|estimation
      |costing|simplicity|working)(?:\ purposes|'s\ sake|\ argument)?\b(?=[,\ ].*\d|\ purposes|\ argument)
  | \b(?:assuming|supposing|presuming|(?<!no\ )placeholder(?!s\b)|stand-in|stopgap|back-of-(?:the-|an-)?envelope
      |ball-?park|guesstimate\w*|rule\ of\ thumb|pulled\ (?:\w+\ ){0,3}?(?:out\ of|from)
      |plucked\ (?:\w+\ ){0,3}?(?:out\ of|from)|(?:is|are|was|were|figure)\ (?:made[\ -]up|invented))\b
  | \b(?:bank|bet|count|gambl|rel)(?:ing|ying)\ on\b | \b(?:put|lay|stake)\ (?:\w+\ )?money\ on\b | \b(?:take
      |took)\ (?:it|that|this)\ (?:as|for)\ (?:given|granted|read)
"""
GROUPS = (VERBS, NOUNS, ADVERBS, IMPERSONAL, MODALS, HEARSAY, UNCHECKED, SUPPOSED)
GUESS = re.compile("|".join(f"(?:{group})" for group in GROUPS), _FLAGS)
