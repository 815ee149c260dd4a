"""The words that bind from now on: deciding, ruling, forbidding, promising, giving a role."""

import re

from dissolution.values import Span
from language.tense import Tense, tense

_DECIDED = (
    r"(?:decided|agreed|settled|resolved|chosen|opted|committed|made\ up\ (?:my|our)\ minds?|ruled\ out|signed\ off"
    r"|concluded)"
)
# A decision said as one.
DECISION = rf"""
    ^(?:(?:ok|okay|right|fine|so|good|yes|and)[, ]+){{0,3}}(?:decided|agreed(?![,.:]\ (?:that|this|and|but)\b)
        |settled|approved|recorded|noted
        |confirmed|done\ deal|deal)\b
        (?=\s?[:,;.–—])
  | \b(?:we|i)(?:'ve|\ have|\ are|'re)?\ (?:now\ |both\ |all\ |already\ |hereby\ |finally\ )?{_DECIDED}(?=\ (?:on
        |to|that|for|against
        |over|in|not|it)\b)
  | \b(?:team|board|committee|court|group|council|client|partners|department)\ (?:has\ |have\ )?(?:agreed|decided
        |resolved|approved)[ ]
        (?:to|that|on|against)\b
  | \bthe\ (?:decision|rule|policy|deal|agreement|arrangement|order|instruction|standing\ order)(?:\ (?:in|on|for
        |of)\ (?:this|the|our)
        \ [\w]+)?\ is\b(?!\ (?:still|not|open|unclear|pending|wrong|that\ we\ have\ none))
  | \b(?:that's|that\ is|and\ that's)\ (?:final|settled|decided|that|my\ last\ word|the\ rule)\b
        | \bfull\ stop\b(?=[.!]?\s*$)
  | \b(?:last|final)\ word\ on\b | \bno\ exceptions\b | \bend\ of\ (?:story|discussion)\b | \bwithout\ discussion\b
  | \b(?:we|i)(?:'re|'m|\ are|\ am)\ (?:going\ (?:with|for)|sticking\ (?:with|to)|keeping|dropping|committing
        |committed|instructing
        |staying\ with|not\ (?:going\ to|calling|doing|using|touching|shipping|taking|moving|signing|changing|paying))\b
  | \b[\w'-]+(?:\ [\w'-]+){{0,5}}\ it\ is[.!]?$
  | \b(?:is|are|stays?)\ (?:hereby\ )?(?:ruled\ out|out\ of\ (?:the\ )?(?:scope|plan|question)|off\ the\ table
        |up\ for\ no\ debate)\b
  | \b(?:strike|drop|park)\ (?:it|them|that)\b | :\ (?:park|drop|keep|leave|take)\ it\b | \bruled\ out\s?[;,.]
  | \b(?:i'm|we're|i\ am|we\ are|i|we)\ revers(?:e|ing)\ (?:it|that|this|the|my|our)\b
  | \bwe\ (?:hereby\ )?(?:waive|undertake|commit|promise|agree|guarantee|pledge)\b
"""
# From now on.
FROM_NOW = r"""
    \b(?:from|as\ of|starting|beginning)\ (?:now|here(?=\ (?:on|onwards?|forth)\b)|today|this\ (?:point|day
        |moment))(?:\ (?:on|onwards?
        |forth))?\b(?!\ to\b)
  | \b(?:henceforth|hereafter|going\ forward|hereby)\b | \bone\ more\ rule\b | \bnew\ rule\b
  | \bas\ long\ as\b(?=.*\b(?:will|we)\b)
"""
# The speaker binds himself, or says what will be done by those who can decide it.
PROMISE = r"""
    \byou\ (?:will|shall)\ not\ (?!need\b|be\b|have\b|see\b|find\b|get\b|believe\b|notice\b)[a-z]+
  | \b(?:i|we)(?:'ll|\ will|\ shall|\ won't|\ promise|\ commit|\ undertake|\ guarantee|\ vow|\ swear|\ agree
        |\ pledge)\b(?!\ (?:be\ \w+ing|believe|pretend|bet|admit|say\b(?!\ so)|assume|guess|forget|see|find\ out
        |be\ (?:arguing|in|late|surprised|sorry|able)|need|have|probably|never\ know|miss|notice|get\ (?:the|a))\b)
  | \b(?:i|we)(?:'m|'re|\ am|\ are)\ (?:not\ )?going\ to\ (?!be\b|have\b|need\b|see\b)
  | \b(?:i|we)\ (?:own|take\ over|answer\ for|vouch|waive)\b | \bis\ mine\b
  | \b(?:is|are)\ going\ to\ be\b(?=.*\b(?:made\ up\ my\ mind|decided|final)\b)
"""
# Duty, ban, right: what binds others.
RULE = r"""
    \b(?:must|shall|mustn't|shan't)\b(?!\ be[.!,]?$)(?!\ (?:have|be\ (?:a|some|because|due|that|wrong|there)|say
        |admit)\b)
  | \b(?:is|are)\ (?:not|never|only|always)\ to\ (?!blame\b|say\b|do\ with\b)\w+ | \b(?:is|are)\ to\ be\ \w+(?:ed
        |en|t|wn)\b
  | \b(?:he|she|they|you|tenant|seller|buyer|patient|team)\ (?:is|are)\ to\ (?!blame\b|say\b)\w+
  | \b(?:is|are)\ (?:not\ |never\ |only\ |always\ )*(?:allowed|permitted|forbidden|required|obliged
        |prohibited|banned|mandatory|expected\ to)\b(?=.)
  | ^(?:(?:and|so|but|right|ok|okay|please)[, ]+)?no\ (?!doubt\b|idea\b|wonder\b|problem\b|one\b|matter\b|need\b
        |sign\b|longer\b|errors?\b|evidence\b|news\b)
        [\w-]+(?:(?!\ (?:is|are|was|were|has|have|can|looked|came|would|drops?|shows?)\b),?\ [\w'"-]+){0,14}[,.!]?$
  | \bno\ [\w-]+\ (?:without|unless)\b | \buntil\ [^,.;]{2,40},\ (?:nothing|nobody|no\ \w+)\b
  | \bno\ [\w*-]+,\ (?:and\ )?no\ [\w*-]+[.!]?$ | ^(?:one|new|second|third|another|last|final|basic)\ (?:more\ )?rule\b
  | ^every\ \w+(?:\ \w+){0,3}\ (?:gets|needs|must|has\ to|goes\ through|carries)\b
  | ^no\ [\w-]+(?:,\ no\ [\w\ "'-]+)+
  | ^no\ \w+(?:\ \w+){0,2}\ (?:runs?|gets?|has|have|goes|enters|leaves|may|is|are)\ [^.;]{0,60}?\b(?:until|before
        |without|unless|more\ than|in\ any)\b
  | \b(?:is|are)\ never\ \w+[^.;]{0,40}\ without\b | \b(?:nothing|no\ \w+)\ [\w ]{1,30}\ may\b
        | \bowes\b[^.;]{1,60}\ by\b | \b(?:the\ [\w ]{2,30}|it|everything|each\ \w+)\ has\ to\ (?!be\b|do\b
        |have\b)[a-z]+
  | (?:^|[,;:.–—]\ |\band\ |\bbut\ |\bso\ |\bthat\ )(?:nobody|no\ one|neither\ party|no\ party|nothing)\ (?:may
        |must|shall|should|brings?|merges?|deploys?|speaks?|touches|runs?|changes?|else\ \w+|starts
        |uses?|ships?|signs?|enters?|leaves?|talks?|goes|gets|opens?|edits?|pays?|connects?)\b
  | \bonly\ (?:the\ |an?\ )?[\w' -]{1,40}\ (?:may|can|gets?\ to)\b | \bunder\ no\ circumstances\b
        | \band\ nobody\ else\b
  | \b(?:has|have)\ to\ be\ (?:in\ writing|signed|approved|\w+ed\ (?:by|before))\b
  | \b(?:we|i)\ (?:always|never)\ (?!been\b|had\b|seen\b|knew\b|heard\b|know\b|see\b|seem\b|think\b|wanted\b
        |sample\b|get\b)[a-z]+(?<!ed)\b
  | \b(?:people|patients|users|members|tenants|employees|visitors|students)\ (?:are|may)\ not\b
        | \bowns?\ (?:the|this|that)\ (?:\w+\ )?(?:decision|call|window|rollback|rollout|review|runbook|postmortem
        |schedule|budget)\b
  | \b(?:has|have)\ the\ (?:last|final)\ (?:word|say)\b | \b(?:and|then)\ nothing\ else\b | \bisn't\ up\ for\ debate\b
"""
# A role given.
ROLE = r"""
    \byou(?:'re|\ are)\ (?:now\ )?(?:the|my|our|an?)\ (?!right\b|bit\b|little\b|good\b
        |few\b)[\w' -]{2,40}?(?=[,.:;!–—]|\ (?:on|for|of|here|and|in|who)\b|$)
  | \byou\ (?:act|serve|work|speak)\ (?:as|for)\b | (?:\byour|^my)\ (?:job|role|task|part)\ (?:is|will\ be)\b
        | \bplay\ the\b | (?:^|:\ |please\ )be\ (?:my|our|the)\ \w+
  | \btakes?\ over\b | \bi\ act\ (?:as|for)\b | \byou\ take\b | \bi'll\ take\b | \b(?:pager|case|file)\ is\ (?:mine
        |yours)\b
"""
# "Let's", and the present tense of those who decide: "we go with", "we start her on".
COURSE = r"""
    \blet's\ (?!see\b|say\b|hope\b|face\b|look\b|assume\b|suppose\b|imagine\b|be\ (?:honest|clear)|me\b|check\b
        |find\b)[a-z]+
  | \blet\ us\ (?!see\b|say\b|look\b)[a-z]+ | \blet's\ go\b
  | (?<!if\ )(?<!when\ )(?<!\bthat\ )(?<!before\ )(?<!\bas\ )\bwe\ (?:go\ (?:with|for|down|by|back)|keep|take|treat
        |start|book|pick|choose|use|drop|leave|stick|stay|adopt|ship|switch|move|send|write
        |roll\ back|test|cut|skip|accept|decline|settle|hold|freeze|pin|stop|don't\ (?:use|spend|ship|touch|take
        |change|deploy|store
        |sign|pay|move))\b(?!\ (?:having|forgetting|going|seeing|getting)\b)
  | (?:^|[,;:.]\ )(?:so|then|ok|okay|right|fine)[, ]+(?:then\ )?we\ (?!are\b|have\b|had\b|need\b|know\b|see\b|can\b
        |could\b|would\b|were\b|did\b|do\b|think\b|look\b
        |get\b|lost\b|lose\b|got\b|lack\b|thought\b|might\b|may\b|should\b|ended\b|never\b|learn\b|mean\b|only\b
        |end\b)[a-z]+(?<!ed)\b
  | \b(?:is|are|stays?|remains?)\ (?:now\ |therefore\ |hereby\ |also\ |not\ |clearly\ ){0,2}(?:chosen|picked
        |selected|adopted|approved|agreed|rejected|excluded
        |dropped|struck|vetoed|scrapped|abandoned|set\ aside|ruled\ out|in\ scope|out(?=\ (?:entirely|for|because
        |since|too|completely)\b|[,;:]|[.!]?$))(?=\W|$)
  | \b(?:goes|go)\ through\ (?:me|us|the|(?-i:[A-Z])\w+)\b | \b(?:\w+
        )\ goes\ in(?=[,.;!]|$) | \b(?:stays?|remains?|is\ kept)\ (?:at|as|in|on|out|untouched|where|with|the|it|to
        |through|a|ready|here|off|up)\b(?!\ (?:open|unclear))
  | ^the\ (?:\w+\ )?\w+\ goes[.]?$ | \bwins[.!]?$ | \bthrough\ (?:me|\w+\ and\ nobody)\b | ^out:\ | ^(?:in|not\ in):[ ]
  | \b(?:rather\ than|instead\ of)\ [\w-]+,\ because\b | ^freeze\ on\b | \bis\ for\ [\w ]+\ only\b
"""
# Instructions that stay, in the imperative; requests for one answer or one look are not among them.
ORDER = r"""
    (?:(?:^|[,;:.–—]\ )(?:(?:and|so|but|please|right|then|okay|ok|also|do|actually|remember)\ ){0,2}|\b(?:please
        |then)\ )(?:please\ |just\ |also\ |then\ |now\ |always\ |do\ |only\ ){0,2}
        (?:never\ (?!\w+s\b|mind\b|been\b|had\b|seen\b|before\b|did\b|was\b|were\b)[a-z]+ | (?:do\ not
        |don't)\ (?!know\b|think\b|worry\b|see\b|have\b|mean\b|get\b|forget\ that\b|remember\b|they\b|you\b|we\b
        |i\b)[a-z]+
        | always\ [a-z]+
        | (?:use|keep|stick|treat|avoid|make\ (?:it|them|that|sure|the)|leave|take\ care|answer|stay|hold|put\ it
        |write\ it|register|refer|follow
          |prefer|assume|state|begin|end|finish|page|give\ (?:prices|\d+)|measure|test\ on|say|name|stop\ \w+ing
        |drop\ the|skip|ban|mark|go\ (?:with|for)
          |remember\ (?:that|to)|ensure|freeze|set|mind|beware|play|act|reply|cite|tag|include|exclude|lock|cap
        |plan\ on)\b(?=\ )
        (?!\ (?:is|are|was|were|has|of|rates?|me\ (?:the|a|some|again|your|her|his))\b))
  | ^(?:if|whenever|every\ time|each\ time|where|as\ soon\ as|when)\ (?:[^.;]
        |\.(?=\d)){3,80}?,?\ (?:then\ )?(?:page|give|take
        |name|use|keep|call|tell|stop|we\ (?:roll|go|stop|switch|write|call|treat|say)
        |i\ want|say|ask|write|put|send|leave|report|note|add|state)\b
  | \bi\ want\ (?:it|them|short|every|no|you\ to|all)\b
"""
FORWARD = re.compile(f"{DECISION}|{FROM_NOW}|{PROMISE}|{RULE}|{ROLE}|{COURSE}|{ORDER}", re.VERBOSE | re.IGNORECASE)
# Binding whatever hedge stands beside it.
FIRM = re.compile(f"{DECISION}|{FROM_NOW}", re.VERBOSE | re.IGNORECASE)
# One answer, one look, one act: nothing stays of it.
ONCE = re.compile(
    r"\b(?:for this (?:reply|answer|one|message)|just this once|only this once|this time only)\b"
    r"|^(?:please |so |and |now |then |ok,? )*(?:show|tell|give|read|paste|list|explain|write|summari[sz]e|check"
    r"|look|remind"
    r"|compare) (?:me|us|it out|the last|her last|through)\b",
    re.IGNORECASE,
)
# What was settled, without a verb: "ten lakes for the test, then".
THEN = re.compile(r"(?<=, )then(?=[.,!]|$)", re.IGNORECASE)


def forward_cues(plain: str) -> tuple[Span, ...]:
    """The words of `plain` (one sentence, code and quotations blanked) that bind from now on; empty if none do."""
    if ONCE.search(plain):
        return ()
    fragment = THEN.search(plain)
    if fragment is not None and tense(plain) is Tense.UNCLASSIFIED:
        return (Span(start=fragment.start(), end=fragment.end()),)
    return tuple(Span(start=match.start(), end=match.end()) for match in FORWARD.finditer(plain))


def binds_firmly(plain: str) -> bool:
    """Whether `plain` says a decision or a "from now on", which no hedge beside it softens."""
    return FIRM.search(plain) is not None
