"""Wordings of a claim that keep what it holds honest: a guess called one, a one-off bounded, an order not obeyed."""

import re

from wording.hedges import is_hedged

GUESS = re.compile(
    r"""\b(?:guess\w*|assum\w*|unverified|unconfirmed|unmeasured|untested|unproven|unchecked|provisional\w*|hearsay
      |rumou?r\w*|placeholder|from\ memory|hope[sd]?|hoping|hunch|suppos\w*|presum\w*|suspect\w*|estimat\w*
          |speculat\w*
      |hypothes\w*|tentativ\w*|impression|borrowed|pub\ talk|read\ somewhere|opinion|believ\w*|thinks?|likely
          |may|might
      |could|whether|unknown|uncertain|unclear|unsure|caveat|allegedly|reportedly|apparently
          |not\ (?:yet\ )?(?:been\ )?
      (?:confirmed|verified|measured|checked|tested|established|known|proven|certain|sure)
      |nobody\ (?:has\ )?(?:\w+\ )?(?:measured|checked|confirmed|verified|looked|knows|asked)
      |no\ (?:data|source|evidence|proof|basis|grounds)|remains?\ open|is\ open|are\ open|still\ open
      |open\ (?:question|point)|depends?\ on)\b | \?""",
    re.IGNORECASE | re.VERBOSE,
)
ONCE = re.compile(
    r"""\b(?:one[- ]?off|once|again|normally|otherwise|usually
      |only\ for|just\ for|that\ (?:one|single)|this\ one|no\ longer|not\ standing|exception\w*
      |lapsed|was|were|had\ to|(?:answer|reply|text|note|message|notice|form|mail|letter)\ (?:only|alone)
      |for\ (?:that|this|one|a\ single|the)\ (?:\w+\ )?(?:answer|reply|text|note|message|notice|form|mail|letter))\b""",
    re.IGNORECASE | re.VERBOSE,
)
NOT_OBEYED = re.compile(
    r"""ignor | disregard | \b(?:no|without)\ (?:\w+\ )?(?:standing|force|weight|authority|effect|instruction)
      | \b(?:no|without)\ (?:\w+\ )?(?:approval|consent)
      | \b(?:nobody|no\ one|none)\b | claim(?:s|ing)\b | alleg | pretend | reject | refus
      | \bnot\ (?:\w+\ )?(?:follow|bind|adopt|accept|valid|agreed|approved|obey|act|an?\ (?:instruction|decision))
      | never\ (?:agreed|waived|approved)
      | persuad | inject | quoted | pasted | hidden | planted | aimed\ at | addressed\ to
      | in\ the\ (?:file|note|document|page|row|log|comment) | \b(?:nothing|none)\ (?:is\ )?(?:taken|adopted)""",
    re.IGNORECASE | re.VERBOSE,
)
DOUBTED = re.compile(
    r"""\b(?:guess(?:es|work)? | i\ (?:think|believe|suppose|guess|suspect)
      | it\ (?:seems|appears)(?:\ that)? | apparently | unsure | uncertain
      | not\ (?:quite\ )?(?:sure|certain)
      | unverified | unconfirmed | unproven | untested | assumed | hearsay | probably | perhaps | maybe
      | presumably | possibly | allegedly | might
      | (?:is|are|was|were|be)\ (?:thought|believed|rumou?red)\ (?:to|that)
      | (?:is|are)\ (?:\w+\ )?(?:considering|weighing|discussing|debating) | under\ (?:discussion|consideration|debate)
      | (?:one|an)\ (?:option|idea|possibility)\b(?=[^.]*\b(?:still|weigh\w*|discuss\w*|consider\w*|debat\w*)\b|\ under)
      | being\ (?:weighed|considered|discussed|debated) | undecided | (?:only|just)\ (?:\w+'s\ )?(?:an?\ )?impression
      | not\ (?:yet\ )?(?:been\ )?(?:confirmed|verified)
      )\b""",
    re.IGNORECASE | re.VERBOSE,
)
OPEN = re.compile(
    r"""\b(?:(?:has|have|had)\ been\ (?:suggested|proposed|floated|discussed)
      | (?:is|was|are|were)\ (?:\w+ly\ )?(?:suggested|proposed|floated|hoped|inclined|leaning|expected)
      | inclin(?:ed|ation) | leans?\ (?:to|towards?) | leaning\ (?:to|towards?) | awaits?\ | unanswered
      | (?:remains?|is|was)\ (?:only\ |just\ )?an?\ (?:idea|option|suggestion|proposal)
      | one\ (?:idea|option|possibility|suggestion)\b | one\ of\ the\ (?:ideas|options|possibilities))""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that put something as an offer still: a doubt where nothing but what is open belongs."""

QUOTED = re.compile(r"[\"“'‘][^\"”'’]{1,40}[\"”'’]")
NO_GUESS = re.compile(r"\b(?:no|never|not an?|any|every|or) guess", re.IGNORECASE)
DENIES = re.compile(
    r"""\b(?:not|never|no|nobody|nothing|none|without|cannot|out|excluded?|ruled|rejected|withdrawn|forbidden
      |banned|dropped|fell|finished|over|forbids?|closed|abandoned|dead|gone|stopped|off|instead|rather|unless
      |except|left|leaves?|only|neither|nor|nowhere|otherwise|avoid\w*
      |declin\w+|refus\w+|reject\w+|dismiss\w+|discard\w+|scrap\w*|shelv\w+|cancel(?:s|led|ed)|struck|strik\w+|veto\w*
      |withdr\w+|refut\w+|disprov\w+|den(?:y|ies|ied)|lacks?|turned\ down|against|retired|removed|deprecated
      |superseded|replaced|zero|set\ aside|unrelated|wrong|former|old|earlier|previous|was|were|had)\b
      | n't\b | \b0(?=\ [a-z])""",
    re.IGNORECASE | re.VERBOSE,
)
_REFUSAL = r"""not|never|no|nobody|nothing|none|without|cannot|excluded?|ruled|overruled|rejected|withdrawn|forbidden
      |banned|dropped|fell|forbids?|abandoned|dead|gone|instead|rather|neither|nor|nowhere|avoid\w*
      |declin\w+|refus\w+|reject\w+|dismiss\w+|discard\w+|scrap\w*|shelv\w+|cancel(?:s|led|ed)|struck|strik\w+|veto\w*
      |withdr\w+|refut\w+|disprov\w+|den(?:y|ies|ied)|lacks?|turned\ down|against|set\ aside|formerly|took\ back
      |taken\ back|wrong|errors?|mistaken|mistakes?|earlier|former|claims?|would\ have
      |un(?!i|der|til|less)\w{5,}"""
TURNS_DOWN = re.compile(rf"\b(?:{_REFUSAL})\b | n't\b", re.IGNORECASE | re.VERBOSE)
"""Words by which a claim says of itself that something is not so."""

REFUSES = re.compile(
    rf"\b(?:{_REFUSAL}|(?<!\.)out(?!\ to\b)|off(?!\ and\ on\b)|stopped|unless|except|retired|removed|deprecated"
    r"|superseded|replaced|considered|until\ then)\b | n't\b",
    re.IGNORECASE | re.VERBOSE,
)
"""Words by which a claim says of itself that something is not so, or no longer: it brings nothing back."""

REPORTS = re.compile(
    r"^\W*(?:according to\b|(?:the )?(?:user|assistant) (?!is\b|has\b|must\b|will\b|was\b|are\b))", re.IGNORECASE
)
"""Opens a sentence that tells what one of the speakers said or did."""

OFFERED = re.compile(
    r"\b(?:offer(?:s|ed)?|suggest\w*|propos\w*|ideas?|wanted|wants|wish(?:es|ed)?|at first"
    r"|initially|originally|from several|options?)\b",
    re.IGNORECASE,
)
"""Words by which a claim says of itself that it tells of an offer."""

ASKS = re.compile(
    r"^\W*(?:whether|who|what|which|why|how|when|where|if|open|is it|does|do|can|will|should)\b|\?\s*$|\bopen\b",
    re.IGNORECASE,
)


ASKED = re.compile(
    r"^\W*(?:whether|who|what|which|why|how|open|is it|does|do|can|will|should)\b|\?\s*$"
    r"|\b(?:is|are|was|were|remains?|stays?|left|still)\ (?:\w+ly )?open\b|\bopen (?:question|point)",
    re.IGNORECASE,
)
"""The same, of what is asked for sure: "open access" and "when she steps out" ask nothing."""


def is_doubted(text: str) -> bool:
    """Whether a text puts what it says as a guess."""
    own = QUOTED.sub("", text)
    return DOUBTED.search(own) is not None and NO_GUESS.search(own) is None


PERMITS = re.compile(
    r"\b(?:may|can|could)\b(?=\s(?:(?:not|only|also|always|never|then)\s)?(?!have\b|be\b|well\b|need\b|turn\b|come\b)\w+"
    r"|\s(?:not\s|only\s|also\s)?be\s(?:\w+ly\s)?\w+(?:ed|en|pt|nt|ld|de|ught)\b)",
    re.IGNORECASE,
)
"""A modal before a verb of doing: where something is decided it permits, and guesses nothing."""


MONTH = re.compile(
    r"(?<=\d )May\b|(?<=\dst |\dnd |\drd |\dth )May\b|\bMay(?= \d)|(?<=\b(?:in|by|of|to) )May\b"
    r"|(?<=\bsince )May\b|(?<=\b(?:from|late) )May\b|(?<=\b(?:until|early) )May\b"
)
"""The month, which permits and guesses nothing."""


def is_marked(text: str, *, binding: bool = False) -> bool:
    """Whether a text says of itself that it is no fact.

    Args:
        text: A sentence of a claim.
        binding: Whether the claim decides or rules: there "may be kept" is a permission.
    """
    plain = MONTH.sub("June", text)
    said = PERMITS.sub("does", plain) if binding else plain
    return GUESS.search(said) is not None or is_hedged(said)


DENIAL = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|without|cannot|neither|nor|nowhere|un\w{5,}|lacks?)\b|n't\b", re.IGNORECASE
)


def beyond(form: re.Pattern[str], text: str, source: str) -> bool:
    """Whether a claim says of itself what `form` looks for, in words that its source has not.

    "Not been told" marks no doubt about a source that says "doesn't know", nor does "dead" about dead letters.
    """
    words = frozenset(re.findall(r"\w+", source.casefold()))
    denied = DENIAL.search(source) is not None
    for match in form.finditer(text):
        same = frozenset(re.findall(r"\w+", match[0].casefold())) <= words
        if not same and not (denied and DENIAL.fullmatch(match[0])):
            return True
    return False
