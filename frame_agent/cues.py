"""Wordings that tell how a proposition is put forward, taken up or turned down. Each group says why it is one."""

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

# Ways of supposing that `wording.hedges` leaves alone, since outside a register they vouch for nothing either way.
SUPPOSING = re.compile(
    r"""\b(?:let(?:'s|\ us)\ (?:assume|say|suppose|pretend|take\ it)|let\ me\ assume
          |(?:just\ )?suppose(?:\ that)?\b(?!dly)
      | (?:i|we)(?:'m|'d|'re|\ am|\ are|\ would|\ just)?\ (?:just\ |also\ |still\ )?assum(?:e|ed|ing)\b
      | \bassuming\b | \b(?:is|as|only|just|still|remains)\ an?\ (?:\w+\ )?assumption\b | \bassumed\ \w+\ (?:is
          |of)\b | hypothetically | for\ the\ sake\ of\ argument
      | placeholder | stand-in | ball-?park | back\ of\ (?:the|an)\ envelope
      | (?:i|we)(?:'d|\ would)?\ hope | hopefully | (?:a|only|just\ a)\ hope\b | \bhunch | gut\ feeling
      | pub\ talk | word\ of\ mouth | read\ (?:it\ )?somewhere | heard\ (?:it\ )?somewhere | from\ memory | rumou?r
      | (?:i|we)(?:'ve|\ have)\ heard | finger\ in\ the\ air | rule\ of\ thumb | thin\ air
      | borrowed\ (?:it\ )?from | which\ (?:i|we)(?:'ve|\ have)?\ borrowed | call\ it\ \d
      | working\ with\ (?:that|it|this)\ for\ now | for\ want\ of\ (?:anything\ )?better
      | (?:they|he|she|\w+)\ (?:says?|thinks?|reckons?|expects?)\ (?:it\ )?(?:will\ )?["“]?probably
      | (?:i|we)(?:'ve|\ have)?(?:n't|\ not|\ never)\ (?:\w+\ ){0,2}(?:asked|looked|checked|searched|measured
          |verified)
      | (?:nobody|no\ one)(?:'s|\ has|\ ever)?\ (?:\w+\ )?(?:\w+\ )?(?:asked|looked|checked|searched
          |measured|verified|confirmed)
      | ,\ (?:never|not)\ (?:asked|checked|measured|verified|searched|confirmed)
      | \bnot\ sure\b(?!\ (?:whether|if|which))
      | can(?:'t|not)\ find\ (?:the|a|my)\ (?:link|source|note) | \bi\ take\ it\b | correct\ me\ if | could\ be\ wrong
      | my\ (?:best\ )?(?:bet|money|theory|reading|sense|feeling|understanding|expectation)\ (?:is|was|would|on)
      | (?:i|we)(?:'d|\ would)?\ (?:bet|wager|expect|gather)\b | with\ any\ luck
      | touch\ wood | for\ all\ (?:i|we)\ know
      | (?:do\ not|don't)\ know\ for\ (?:sure|certain|a\ fact) | (?:i'd|we'd|would)\ have\ to\ check | needs\ checking
      | unless\ i'm\ mistaken | if\ that's\ (?:still\ )?(?:right|true) | a\ guess\b
      | \bguessing\b | (?<!has\ )(?<!have\ )(?<!had\ )to\ be\ (?:checked|confirmed)
      | if\ (?:i|we)\ remember\ (?:right|rightly|correctly) | (?:seems|sounds)\ (?:to\ me|like)
      | take\ (?:half|it|that|this|\w+\ of\ them)\ as )
      | ["“'‘](?:probably|maybe|possibly|perhaps|roughly|likely|apparently)["”'’]""",
    _FLAGS,
)
# Says of what was just said that nobody vouches for it; it has no content of its own.
DOUBTS_BEFORE = re.compile(
    r"""^(?:and\ |but\ |though\ |so\ |again,?\ |for\ \w+\ )?\W*(?:
        (?:that|it|this|both|either|these|those|the\ (?:last|first|former|latter)\ (?:one|two)?|status
          |all\ of\ (?:it|this))
          (?:'s|\ is|\ are|:)?\W*(?:only\ |just\ |still\ |also\ |really\ |purely?\ |all\ )*
          (?:an?\ )?(?:pure\ |wild\ |mere\ |rough\ |working\ |educated\ )?
          (?:guess|guesses|guesswork|assumption|assumptions|assumed|hunch|hope|placeholder|pub\ talk|hearsay|rumou?r
            |impression|speculation|unverified|unconfirmed|unmeasured)
      | (?:also\ |pure\ |wild\ |mere\ |still\ )*(?:a\ )?guess(?:es|work)?\b | an?\ (?:assumption|hunch|hope
          |impression)\b
      | (?:i|we)(?:'ve|\ have|'d)?\ (?:not|never|haven't|n't)\ (?:\w+\ ){0,2}(?:looked|checked|asked|measured
          |verified|tested)
      | (?:i|we)\ (?:haven't|have\ not|didn't|never)\ (?:\w+\ ){0,2}(?:look|check|ask|measur|verif|test)\w*
      | (?:i|we)\ can(?:'t|not)\ (?:prove|swear|vouch)
      | (?:nobody|no\ one)\ (?:here\ )?(?:has|have)\ (?:\w+\ ){0,2}(?:looked|checked|asked|measured|verified
          |tested|confirmed)
      | (?:i|we)(?:'ve|\ have)?\ (?:no|got\ no)\ (?:grounds|data|evidence|proof|source|basis|numbers)
      | there(?:'s|\ is)\ no\ (?:data|evidence|proof|source|basis)
      | (?:i'll|we'll|i\ will)\ believe\ (?:it|that)\ when | (?:so\ )?who\ knows
      | (?:do\ not|don't)\ (?:quote|hold)\ me | (?:do\ not|don't)\ (?:build|rely|count|bank)\ on )""",
    _FLAGS,
)
# Bounds what is asked to one answer or one task.
ONE_OFF = re.compile(
    r"""\b(?:(?:just|only)\ (?:for\ )?(?:this|that)\ (?:\w+\ )?(?:once|time|answer|reply|message|note|text|notice
          |form|mail|letter
            |paragraph|question|one|case)
      | (?:just|only)\ (?:for\ )?(?:this|that)\ once | just\ (?:this\ )?once\b | only\ (?:this\ )?once\b
      | this\ once\b
      | for\ (?:just\ |only\ )?(?:this|that|the\ next)\ (?:one\ |single\ |next\ |particular\ )?
            (?:answer|reply|message|note|text|notice|form|mail|letter|question|turn|response)\b
      | for\ (?:one|a\ single)\ (?:answer|reply|message|response)\b
      | (?:in|with)\ (?:this|your\ next|the\ next)\ (?:one\ |single\ )?(?:answer|reply|message|response)\ (?:only
          |alone)
      | (?:this|that)\ (?:answer|reply|message|response|note|text|form)\ only | only\ for\ (?:this|that)\ \w+
      | (?:then|afterwards|after\ that),?\ (?:go\ |we\ go\ |we're\ )?back\ to\ (?:normal|the\ usual|how)
      | one[- ]off | as\ an\ exception | exceptionally | (?:a|small|quick|one)\ favou?r | this\ time\ only )""",
    _FLAGS,
)
THIS_TASK = re.compile(
    r"\b(?:for (?:this|the) (?:task|project|paper|chapter|release|migration|incident|report|sprint|ticket)|for now"
    r"|for the time being|until further notice|temporar\w+|in the meantime|while we)\b",
    re.IGNORECASE,
)
# Offers something for a decision that is not taken by saying it.
PROPOSING = re.compile(
    r"""(?:\b(?:i|we)(?:'d|\ would)\ (?:suggest|propose|recommend|advise|start|go|rather|use|put|make|add
          |drop|try)\b
      | \bi\ (?:suggest|propose|recommend|advise)\b | \b(?:my|the)\ (?:suggestion|proposal|recommendation)\b
      | \b(?:we|you|one|somebody)\ could\b | \b(?:maybe|perhaps)\ (?:we|you)\b | \bwhat\ about\b | \bhow\ about\b
      | \bshall\ (?:we|i)\b | \bshould\ (?:we|i)\b | \bone\ (?:option|way|possibility)\b | \ban?\ (?:option
          |alternative)\ (?:is|would)
      | (?<!you\ )\b(?:suggests?|suggested|proposes?|proposed|offers?|offered)\b | \bhave\ you\ tried\b | \bwhy\ not\b
      | \bis\ worth\ (?:\w+ing|a\ (?:look|try|thought))\b | \bwhy\ don't\ (?:we|you)\b
      | \b(?:i|we)(?:'d|\ would)\ (?:love|move|choose|pick|go\ for)\b
      | \b(?:i'm|i\ am|we're|we\ are)\ (?:\w+\ )?(?:tempted|thinking\ (?:of|about)|considering|toying|weighing
          |leaning|mulling)\b
      | \b(?:let's|we\ (?:should|could|might)|should|could)\ (?:\w+\ )?(?:consider|think\ about|discuss|explore
          |weigh|look\ at)\b
      | \b(?:it\ )?(?:would|might)\ (?:be\ (?:nice|good|better|best|cool|worth|wise|an?\ option|an?\ idea)|help
          |make\ sense)\b
      | \b(?:is|are|was)\ (?:an?|one|another|the\ other)\ (?:option|possibility|alternative|idea|thought|candidate)\b
      | \b(?:an?|the|one|his|her|their|my|our)\ (?:\w+\ )?(?:proposal|suggestion|idea|pitch|request)\ (?:is|was
          |would\ be|to|that|of)\b
      | \bthere(?:'s|\ is)\ an?\ (?:proposal|suggestion|idea|request)\b | \b(?:floated|pitched|mooted|raised
          |brought\ up|put\ forward)\b
      | (?:^|[.;:]\ )\W*(?:idea|option|suggestion|proposal|thought|alternative|candidate)(?:\ (?:\w|one|two
          |three|\d))?\ ?:
      | \bin\ an\ ideal\ world\b | \bon\ the\ table\b | \b(?:wants?|wanted|wishes|keen|hopes?
          |would\ like)\ (?:us\ )?to\ (?!know\b|see\b|hear\b|say\b)
      | \bcould\ (?:go|move|use|be\ (?:used|moved|done|made)|have|become|take)\b | \bwould\ (?:love|like)\b )""",
    _FLAGS,
)
# Says that something is not settled.
LEFT_OPEN = re.compile(
    r"""(?:\bwhether\b[^.?!]*\b(?:open|undecided|unclear|unknown|unresolved|unsettled|clarified|to\ fight\ out)\b
      | \b(?:is|are|stays?|remains?|that's|it's)\ (?:still\ |all\ )?(?:open|undecided|unresolved|unsettled)\b
      | \b(?:asking|asked|ask|wonder\w*|check(?:s|ed|ing)?|find\ out|clarif\w+|look\w*\ into|don't\ know|not\ sure)
          \ (?:\w+\ ){0,2}(?:whether|if)\b
      | ,\ i\ wonder(?:ed)?\W*$ | \bnot\ (?:yet\ )?(?:been\ )?decided\b | \b(?:still|yet)\ (?:have\ |need\ |has[ ]
          |needs\ )?to\ (?:be\ )?(?:decide|settle|choose|pick|agree)\w*
      | \bup\ in\ the\ air\b | \b(?:jury|vote)\ is\ (?:still\ )?out\b | \bremains\ to\ be\ (?:seen|decided|settled)\b
      | \b(?:undecided|unresolved|unsettled)\b | \bor\b[^.?!]*,\ (?:we'll|we\ will|let's|i'll
          |time\ will)\ (?:see|find\ out|tell|decide)\b | \bdeciding\ neither\b
      | \bopen\ (?:point|question|issue)\b | \bto\ be\ decided\b | ^\W*either\b | ^\W*or\b
      | \b(?:torn|undecided|toss-up)\ (?:is\ )?between\b)""",
    _FLAGS,
)
# An offer to do something for the other side asks leave; it leaves nothing open about the matter.
OFFERING = re.compile(
    r"\b(?:do you want|would you like|shall i|should i|want me to|do you need|ready\?|agreed\?|okay\?|ok\?|right\?"
    r"|does that (?:help|work|make sense)|is that (?:all|ok|okay|fine)|can you (?:paste|post|send|run|show|give|tell)"
    r"|could you|would you|will you|what(?:'s| is) next|what next|anything else|is there any(?:thing)?)\b",
    re.IGNORECASE,
)
# Takes for granted by form: what follows is presupposed, and asked or argued from.
PRESUPPOSING = re.compile(
    r"""(?:^|[.;:!?,]\ )(?:and\ |but\ |so\ )?(?:(?P<why>why\ (?:does|do|did|is|are|was|were))\ |(?P<since>since
          |given\ that|seeing\ that
      |now\ that)\ (?!then\b|when\b|\d|(?:early|late|mid|last|this|the|yesterday|today|monday|tuesday|wednesday
          |thursday|friday
          |saturday|sunday|january|february|march|april|may|june|july|august|september|october|november
          |december)\b))(?P<held>[^?,.;]{12,160})""",
    _FLAGS,
)
AGAIN = re.compile(r"\b(?:again|still|no longer|keeps? \w+ing|anymore|any more|too|back to)\b", re.IGNORECASE)
# Sets the frame of all that follows: what the task, the question or the choice is.
FRAMING = re.compile(
    r"""\b(?:(?:our|the|my|your)\ (?:only\ )?(?:job|task|question|problem|decision(?:\ to\ make)?|point|goal
          |choice)\ (?:now\ |here\ |then\ )?
          (?:is|are|remains|was)\ (?:only\ |just\ |simply\ |now\ )?(?:to\b|how\b|which\b|when\b|where\b|about\b
          |what\b)
      | taken\ as\ given | take(?:n)?\ (?:it\ )?for\ granted | (?:is|are)\ (?:off\ the\ table|a\ given|settled)\b
      | it\ (?:has|had)\ to\ be\b | so\ (?:the\ model|it|this)\ is\ a\b | (?:only\ )?a\ (?:matter|question)\ of\b
      | the\ rest\ (?:of\ \w+\ \w+\ )?follows | can(?:'t|not)\ explain\b | we\ (?:are\ )?(?:look
          |looking)\ for\ (?:the|whatever|what)
      | not\ whether\b | whether\ is\ (?:settled|decided) )""",
    _FLAGS,
)
# Binds from now on, whatever comes.
STANDING = re.compile(
    r"\b(?:always|never|from now on|every(?: time| single)?|each time|whenever|house rules?|rule(?: pile)?|as a rule"
    r"|any(?:body|one)|nobody|at all times|standing|throughout|must|may not)\b",
    re.IGNORECASE,
)
# Words by which what was proposed or stated is taken up; they open a turn or a sentence.
YES = re.compile(
    r"""^\W*(?:(?:ok(?:ay)?|well|right|alright|good|great|fine|perfect|thanks|thank\ you|then|so)[,.!\ ]+)*
        (?:yes|yep|yeah|aye|agreed|correct|exactly|confirmed|accepted|adopted|approved|deal|done|granted|settled
          |so\ be\ it|sold|decided|will\ do|sounds\ good
          |fine\b|good\b|perfect\b|great\b|ok(?:ay)?\b|go\ (?:ahead|for\ it)|do\ (?:it|that|so)|let's\ (?:do|go
          |take|use)
          |(?:i|we)(?:'ll|\ will)?\ (?:accept|agree|take|buy|go\ with|adopt|approve|confirm)|both\ (?:accepted
          |adopted|recorded|fine)
          |that\ (?:works|is\ right|settles)|makes\ sense|i'm\ (?:in|convinced|sold)|you're\ right|noted|recorded
          |understood|clear)\b""",
    _FLAGS,
)
NO = re.compile(
    r"""^\W*(?:no\b(?!\ (?:problem|worries|idea|doubt|hurry|rush))|nope|nah|never\b|absolutely\ not
          |not\ (?:a\ chance|this|that|now|yet|really)\b
        |i\ (?:disagree|object)|that(?:'s|\ is)\ (?:wrong|not\ (?:right|true|it))|(?:strike|kill|drop|scrap
          |forget|bin)\ (?:it|that)|out\ of\ the\ question
        |rather\ not|please\ don't|don't\b|we've\ accepted\ nothing|nobody\ (?:waived|agreed|approved)|veto)""",
    _FLAGS,
)
# The same at the end of a sentence that names what it is about: "pad at the desk, sure", "15 minutes is right, go".
YES_AT_END = re.compile(
    r"[,:;–—]\s(?:then\s)?(?:yes(?:,?\s(?:please|do\s(?:it|that)))?|yep|sure|fine|agreed|ok(?:ay)?|go(?:\sahead)?|do\s(?:it|that)|deal"
    r"|done|please\sdo|absolutely|of\scourse|i'm\sfor\sit|we'll\stake\s(?:it|that)|let's\sdo\s(?:it|that))\W*$"
    r"|\w\sit\sis\W*$",  # "the long tables it is"
    re.IGNORECASE,
)
NO_AT_END = re.compile(
    r"[,:;?–—]\s(?:but\s|then\s|so\s)?(?:no(?:\sthanks|\sthank\syou|\sway)?|nope|nah|never|rather\snot|not\sfor\sus|i'd\srather\snot)\W*$"
    r"|^\W*(?:not\sgoing\s(?:there|to)|can't\s(?:do|be\sdone)|won't\s(?:do|work|happen)|i\ssay\sno|i'd\srather\snot|we'll\s(?:pass|skip)"
    r"|(?:let's|we'll|i'll|we|i)\s(?:not|skip|leave|pass\son)\s(?:it|that|this)\b|leave\sit\sout|thanks,?\sbut\sno)",
    re.IGNORECASE,
)
# Turns down what was said or asked in the sentence before; it has little content of its own.
TURNED_DOWN = re.compile(
    r"""^\W*(?:and\ |but\ |so\ |well,?\ )?(?:
        no(?=\s*[,.!:;–—]|\ (?:way|chance|go)\b|$) | nope | nah | hard\ no | never\ mind | absolutely\ not
      | (?:i|we)(?:'ve|\ have|\ had|\ just)?\ (?:also\ |already\ |immediately\ )?(?:said|answered|replied|told
            \ \w+|wrote)\ (?:back\ |him\ |her\ |them\ )?no\b
      | (?:i|we)(?:'ve|\ have)?\ (?:declined|refused|turned\ (?:it|that|this|him|her|them)\ down|passed\ on\ it|vetoed
            |rejected|dropped\ (?:it|that))
      | (?:my|our|the)\ answer\ (?:is|was|stays)\ no\b
      | (?:that|this|it)(?:'s|\ is|\ was)\ (?:out\b|off\ the\ table|not\ happening|a\ no\b|rejected|declined
          |ruled\ out)
      | (?:out\ of\ the\ question|not\ (?:going\ to\ happen|happening|on\ my\ watch|an\ option|interested)|no\ thanks
            |forget\ (?:it|that)|scratch\ that|strike\ (?:it|that)|over\ my\ dead\ body|declined|refused|vetoed
            |rejected)\b )""",
    _FLAGS,
)
# Only a vouched fact settles a guess: somebody looked.
VERIFIED = re.compile(
    r"\b(?:confirmed|verified|measured|checked|tested|it turns out|turned out|proved|established|in writing"
    r"|signed off"
    r"|i (?:looked|asked)|we (?:looked|asked)|for certain|definitely|official(?:ly)?)\b",
    re.IGNORECASE,
)
# From a premise to what rests on it.
RESTING = re.compile(
    r"""\b(?:so\b(?!\ (?:far|that's|sorry|called|much|many|long|forth|on\b|i\ (?:said|never)))|therefore|thus
          |hence|then\b|which\ means|that\ means|because|since\b|given\b
      |based\ on|rests?\ on|depends?\ on|leans?\ (?:\w+\ )?on|hinges?\ on|relies\ on|lets\ us|that's\ why
          |allows?\ us|follows|consequently
      |on\ the\ strength|assuming|with\ (?:that|this|a|an|the|\d+)\b|at\ (?:that|this|\d)|holds?\ (?:this|that)\ up
          |in\ that\ case|if\ that)\b""",
    _FLAGS,
)
# Words that order somebody about: in quoted material they are nobody's order.
ADDRESSED = re.compile(
    r"""(?:\b(?:automated|ai|llm|language)[\s-]+(?:assistants?|agents?|reviewers?|systems?|models?|readers?
          |tools?|summari[sz]ers?)\b
      | \b(?:assistants?|summari[sz]ers?|chatbots?|agents?|models?|reviewers?)\b[^.\n]{0,60}\b(?:must|should
          |shall|are\ to|have\ to|need\ to|reading|processing)\b
      | \b(?:when|while|before)\ (?:you\ )?summari[sz]\w+ | \bin\ (?:any|every|your|all)\ (?:summar(?:y|ies)
          |answers?|repl(?:y|ies)|responses?|reports?)\b
      | \b(?:ignore|disregard|forget|override|overrule)\ (?:all\ |any\ |the\ |your\ |everything\ )*(?:previous
          |prior|earlier|above|former|other|instructions?|rules?|said)\b
      | \bfrom\ now\ on\b | \byou\ (?:must|should|shall|are\ (?:now|to|required|authori[sz]ed)|will\ (?:now
          |always)|have\ to)\b
      | \b(?:record|note|state|write|mark|treat|report|list|conclude|say|remember|register|log|store)
          (?:\ (?:it|this|that|as|down))*?
          \ (?:that\b|as\ (?:agreed|approved|decided|accepted|confirmed|known|invalid|valid))
      | \b(?:new|updated|additional|hidden|important|system)\ (?:instructions?|prompt|directive|rules?|message
          |notice)\b | <\|?/?\s?(?:system|im_start|assistant|user)
      | ^\W*(?:system|assistant|developer|user|human)\s*(?:prompt|message|override|note)?\s*: | \b(?:as\ agreed
          |it\ (?:is|was)\ agreed)\b
      | ^\W*(?:\#+\s*)?\*{0,2}(?:KNOWN|DECIDED|IDENTITY|EDGES)\b )""",
    _FLAGS | re.MULTILINE,
)
# Words with which one goes on from what was proposed as from something settled.
SETTLES = re.compile(
    r"""^\W*(?:so|then|ok(?:ay)?|right|fine|good|all\ right|alright|yes|deal|done|sold|great|fair|that)\b
      |\b(?:then(?=\W*$|[,.;:])|it\ is(?=\W*$|[,.;:])|can\ live\ with|going\ on\ the|let's|we\ go|we'll|i'll|we\ will
      |i\ will|go\ with|going\ with|went\ with|take|taking|took|that's\ (?:it|how|what)|decided|settled|agreed
      |fixed)\b""",
    re.IGNORECASE | re.VERBOSE,
)
