"""How English bounds a request to one occasion: a demonstrative or deictic with an occasion, a term, an exception."""

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

# What one asks for: an answer or something made, or a piece of work.
_PRODUCT = r"""(?:answer|reply|replies|message|note|text|notice|form|mail|e-?mail|letter|paragraph|question|case
      |response|summary|table|list|report|slide|slides|page|section|chapter|draft|post|version|sketch|chart
      |figure|diagram|plot|turn|round|output|email|meeting|session|call|talk|poster|handout|recap|quote|invoice
      |order|drill|test|run|batch|item|event|week|month|day|time|occasion|instance|step|passage|memo|newsletter
      |leaflet|script|translation|explanation|comparison|calculation|estimate|overview|abstract|outline|scene
      |plan|exercise|part|bit|pass|attempt|try|speech|notice|card|label|answers|replies|thread)"""
_DET = r"""(?:this|that|the\ next|your\ next|the\ coming|one|a\ single|today's|tonight's|tomorrow's|\w+day's
      |this\ very|this\ one|that\ one|the\ following|the\ current|my\ next)"""
ONCE = re.compile(
    rf"""\b(?:(?:just|only|but\ only|and\ only)\ (?:for\ |in\ |on\ |with\ )(?:this|that|your\ next|the\ next
      |today|tonight|tomorrow|\w+day)\b(?!\ (?:thing|problem|reason|way|difference|one\ (?:who
      |that)))(?:\ \w+){{0,3}}?(?=\ {_PRODUCT}|[,.;:!?]|$|\ please|\ (?:give|write|answer|reply|skip|use|leave
      |put|make))
      | \b(?:for|in|with|on)\ (?:just\ |only\ )?{_DET}\ (?:one\ |single\ |next\ |particular[ ]
      |\w+\ )?{_PRODUCT}(?:s)?\b(?!\ of\ \d)(?=[^.]*\b(?:please|only|alone|give|write|answer|reply|skip|use
      |leave|put|make|keep|do|be|can|could|i'd|i\ want|no|drop|ignore|without|pretend|round|explain|say|speak
      |talk|switch|show|spell|call|treat|count|include|omit|want|need|just)\b)
      | \b(?:it's|that's|for|just|only|in)\ (?:just\ |only\ )?(?:this|that)\ (?:one|single)\ {_PRODUCT}\b
      | \b(?:keep|make|put|write|give|do|leave|use)\ (?:\w+\ ){{0,2}}?(?:today's|tonight's|tomorrow's
      |this\ week's)\ {_PRODUCT}s?\b | \b(?:only|just)\ (?:that|this)\ one\b
      | \b(?:this|that)\ once\b | \bjust\ once\b | \bonly\ once\b | \bonce\ only\b | \b(?:this
      |that)\ (?:one\ )?(?:time|once)\ (?:only|round|around|alone)\b | \b(?:just|only)\ this\ (?:once|time)\b
      | (?:^|[,.;:]\ ?)this\ time,? | \bthis\ time(?=[,.!?]|\ please|$)
      | \b{_PRODUCT}\ (?:only|alone)\b | \bfor\ (?:the\ )?[\w\ '-]{{2,30}}\ (?:only|alone)(?=[,.;:]|$)
      | \bonly\ for\ (?:that|this|one)\b | \b(?:and|but)\ only\ (?:for\ |then|there|here)\b
      | \bone[- ]off\b | \bas\ an\ exception\b | \bexceptional(?:ly)? | \b(?:make|making|an)\ (?:an[ ]
      |one\ )?exception\b(?!s) | \bthe\ exception\ (?:is|being)\ (?:this|that|today)
      | \b(?:a|small|quick|one|do\ me\ a)\ favou?r\b | \b(?:then|afterwards?|after\ (?:that|this|which)|later
      |and\ then)\b[^.]{{0,25}}\b(?:back\ to|switch\ back|return\ to|as\ (?:before|usual|always|normal)
      |normal(?:ly)?\ again|go\ back|revert)
      | \bback\ to\ (?:normal|the\ (?:usual|normal|old))\b | \btoday\ only\b | \bonly\ today\b
      | \btonight\ only\b | (?:^|[.;:!?]\ )\W*today\b(?=[^.]*\b(?:please|leave|skip|give|answer|reply))
      | \b(?:temporarily|for\ a\ moment|for\ once|for\ a\ change|one\ time|just\ here|here\ only|only\ here)\b
      | \b(?:don't\ make\ (?:it\ )?a\ habit|not\ (?:as\ )?a\ (?:rule|habit|precedent)|no\ precedent
      |without\ (?:setting\ )?a?\ ?precedent)
      | \b(?:do|keep|make|answer|write|give\ me|put|take|have|leave|for|in)\ (?:me\ )?(?:this|that
      |the\ next)\ one\b(?=\ (?:in|as|short|without|with|like|simple|plain|please)|[,.!?]|$)
      | \b(?:in|with|for|out\ of|from)\ (?:this|your\ next|the\ next|your\ following|that)\ (?:one
      |{_PRODUCT})\b(?<!that\ order)(?<!that\ case)(?=[^.]*(?:\bplease\b|\?|!|,|:))(?!\ is\b)
      | (?:^|[.;:!?]\ )\W*(?:this|that)\ one\ (?:\w+\ ){{1,4}}?please\b
      | \bfor\ (?:today|tonight|tomorrow|\w+day|now)\ only\b
      | \bin\ your\ (?:next\ |following\ )?(?:answer|reply|message|mail)\b(?=[^.?!]*\b(?:please|say|write|call
      |use|leave
      |put|name|skip|drop|keep|avoid)\b)
      | \bbe\ (?:the|a|an|my)\ \w+(?:\ \w+)?(?=\ for\ (?:a|one|this)\b) | \bpretend\ (?:for\ (?:a|one|this)|you
      |that|i|we) )""",
    _FLAGS,
)

_MAKES = r"""(?:give|write|put|make|draw|sketch|list|show|do|draft|send|explain|summari[sz]e|describe|answer
      |reply|compute
      |calculate|translate|phrase|word|produce|prepare|turn|pretend|say|tell|order|render|format|(?:i
      |we)\ (?:need|want)
      |(?:let|can|could|may)\ (?:me|us|i|we)\ have|i'd\ like)"""
SINGLE = re.compile(
    rf"""(?:^\W*|[.,;:!?–—-]\ |\b(?:and|then|please|just|now|you|to|let's|so)\ ){_MAKES}\b(?:\ (?:me|us|it|him
      |her|them))?(?:\ please)?
        \ (?:the|an?|this|that|these|one|two|three|four|five|six|my|our|your|in|as|for|it|up|\d+|only|just
      |[\w-]+ly)\b""",
    _FLAGS,
)
"""Asks for one thing to be made or said, with nothing about later ones."""

GENERAL = re.compile(
    r"""\b(?:answers|replies|responses|reports|mails|e-?mails|messages|letters|notes|texts|tables|lists|plans
      |estimates
      |explanations|summaries|announcements|checklists|figures|amounts|numbers|reviews|diagrams|charts|slides
      |calculations
      |comparisons|translations|statements|posts|drafts|recaps|quotes|orders|always|every|each|any|never|generally
      |in\ general|by\ default|as\ a\ rule|throughout)\b""",
    _FLAGS,
)
"""Words of a claim that make a rule of what it says."""
