"""Attribution and fabrication: every statement, request and approval given to somebody is looked for in his turns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dissolution.claims import Claim
from dissolution.conversation import Role
from dissolution.framing import Finding, FindingKind, Severity
from dissolution.premises import PremiseStatus
from frame_agent.cues import STANDING
from frame_agent.extraction import asks_for
from frame_agent.firmness import TURNS
from frame_agent.record import Record, Said
from frame_agent.terms import terms_of
from wording.modality import Modality, modality
from wording.sentences import sentence_spans

FOUND = 0.6
"""Share of what somebody is said to have said that one of his sentences must hold."""

FOUND_OF_OTHERS = 0.45
"""The same of one who does not speak here: what he said is told in somebody else's words."""

ELSEWHERE = 0.55
"""Share that another's sentence must hold for the statement to be his."""

REPORTED = 0.3
"""The same when a member that reads meaning names the sentence."""

CLEARLY = 1.2
"""How many times better the other's sentence must be when the first has something of it."""

_WHO = r"(?P<who>(?:the\ )?[\w.'-]+(?:\ (?!(?:has|have|had|is|are|was|were|be|been|not|to|that)\b)[\w'-]+){0,4}?)"
_HAS = r"(?:(?:has|have|had)\ )?(?:also\ |already\ |explicitly\ )?"
_SAYS = r"""(?:says?|said|states?|stated|reports?|reported|explains?|explained|notes?|noted|tells?|told|claims?|claimed
        |thinks?|thought|believes?|believed|argues?|argued)"""
SAYING = re.compile(
    rf"""^\W*(?:{_WHO}\ {_HAS}{_SAYS}\b\s+(?:us\ |me\ )?(?:that\ )?(?P<what>.+)
      | according\ to\ (?P<source>(?:the\ )?[\w.'-]+(?:\ [\w'-]+){{0,3}}?),\ (?P<told>.+))""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
ASKING = re.compile(
    rf"""^\W*{_WHO}\ {_HAS}(?P<act>asked(?!\ for\ (?:is|was|are|were)|\ [\d£$€])|asks|requested|requests|demanded|wanted
          |ordered)\b\s+
        (?:me\ |us\ )?(?:for\ |to\ |that\ )?(?P<what>.+)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
APPROVING = re.compile(
    rf"""^\W*{_WHO}\ {_HAS}(?P<act>approved|agreed|accepted|confirmed|authori[sz]ed|signed\ off|released|granted|waived
        |consented|permitted|allowed)\b\s+(?:on\ |to\ |with\ |that\ )?(?P<what>.+)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
DOING = re.compile(
    r"^\W*(?:it was\s)?(?P<who>(?:the\s)?(?:user|assistant))\s(?:who\s)?(?:(?:has|had|also|first|then|once)\s)*"
    r"(?:pointed\sout|suggest(?:s|ed)|recommend(?:s|ed)|propos(?:es|ed)|decided|insist(?:s|ed)(?:\son)?|came\sup\swith|would\s(?:like|love|prefer)"
    r"|estimat(?:es|ed)|wants?(?:\sto)?|defined|raised|offered(?:\sto)?|promised(?:\sto)?|warn(?:s|ed)(?:\s(?:of|about|against))?|mentioned|brought\sup|put\sforward"
    r"|introduced|advis(?:es|ed)|rejected|ruled\sout|calculated|reckon(?:s|ed)|suspect(?:s|ed)|assum(?:es|ed)|guess(?:es|ed)|prefer(?:s|red)|voted(?:\sfor)?|chose|fixed"
    r"|found(?:\sout)?|discovered|invented|admitted|conceded|objected(?:\sto)?|asserted|established|observed|predicted|contributed|supplied|provided|worked\sout|computed)\s"
    r"(?:that\s)?(?P<what>\S.+)",
    re.DOTALL | re.IGNORECASE,
)
"""What else one of the two speakers is said to have brought in: it is in words of his own, or of the other's."""

CONSENT = re.compile(
    r"""\b(?:yes|approv\w*|agree\w*|accept\w*|confirm\w*|authori[sz]\w*|sign(?:s|ed)?|releas\w*|grant\w*
      |waiv\w*|consent\w*|permit\w*|allow\w*|lets?|ok|okay|thumbs|bless\w*|nod\w*|adopt\w*|decid\w*|promis\w*)\b""",
    re.VERBOSE | re.IGNORECASE,
)
NOT_YET = re.compile(
    r"\b(?:until|unless|if|once|whether|would|should|could|might|may|needs? to|has to|must|wait\w*"
    r"|not|never|nobody|no one)\b|n't\b",
    re.IGNORECASE,
)
WISH = re.compile(
    r"\b(?:ask\w*|wants?|wanted|request\w*|demand\w*|insist\w*|would (?:like|love)|needs?|order(?:s|ed)|wish\w*)\b",
    re.IGNORECASE,
)
OF_ANOTHER = re.compile(
    r"\b(?:he|she|they|who|nobody|somebody|(?:the|our|my|his|her|their)\s[\w-]+|[A-Z][\w-]+)\s(?:also\s|still\s|only\s)?"
    r"(?:wants?|wanted|asks|asked|requests?|requested|demands?|demanded|insists?|insisted|needs?|would\s(?:like|love)|wishes)\b"
)
"""Somebody else's wish, told by who speaks: "she wants quarterly reports"."""

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM}
NOT_A_SOURCE = frozenset(
    {"it", "this", "that", "there", "which", "what", "who", "nobody", "someone", "somebody", "one"}
)


@dataclass(frozen=True, slots=True)
class Sourced:
    """A sentence of a claim that gives its words to somebody."""

    claim: Claim
    text: str
    who: str
    what: str
    act: str | None  # None: said it; else what was asked or approved
    approves: bool
    speaks: bool = True  # whether he is a speaker of the conversation


def sourced(claim: Claim) -> Iterator[Sourced]:
    """The sentences of a claim that name who said, asked or approved something."""
    for span in sentence_spans(claim.text):
        text = claim.text[span.start : span.end]
        for pattern in (APPROVING, ASKING, SAYING, DOING):
            match = pattern.match(text)
            if match is None:
                continue
            parts = match.groupdict()
            who = _speaker_in(parts.get("who") or parts.get("source") or "")
            what = parts.get("what") or parts.get("told") or ""
            if _bare(who) not in NOT_A_SOURCE and not LOOSE_END.search(who) and terms_of(what):
                yield Sourced(claim, text, who, what, parts.get("act"), pattern is APPROVING)
            break


LOOSE_END = re.compile(r"(?:^|\s)(?:an?|the|as|of|by|to|with|for|their|its|his|her|was|were)$", re.IGNORECASE)
"""What cannot end a name: the act that follows only describes something ("an agreed level")."""

INSIDE = re.compile(r"\b(?:the\s)?(?:user|assistant)$", re.IGNORECASE)


def _speaker_in(who: str) -> str:
    """The speaker at the end of a longer beginning: "For one scene the user"."""
    match = INSIDE.search(who.strip())
    return match[0] if match is not None else who


def _bare(who: str) -> str:
    return re.sub(r"^the\s+", "", who.strip(), flags=re.IGNORECASE).casefold()


def misgiven(record: Record, one: Sourced) -> Finding | None:
    """What is wrong with who a sentence gives its words to; None when a turn of his bears it out."""
    one = replace(one, speaks=_is_speaker(record, one.who))
    asked = terms_of(one.what)
    near = record.near(asked)
    own = [said for said in near if _is_his(record, said, one.who)]
    best = _borne(
        record, [said for said in own if _bears_out(said, one)], asked, together=one.act is None or not one.speaks
    )
    other, elsewhere = _elsewhere(record, one, asked, own, near)
    if best >= (FOUND if one.speaks else FOUND_OF_OTHERS) and (one.act is not None or other < CLEARLY * best):
        return None
    if one.act is not None:
        return _fabrication(one, elsewhere if other >= ELSEWHERE else None)
    if elsewhere is not None and other >= ELSEWHERE and other >= CLEARLY * best and one.speaks:
        return attribution_of(one, elsewhere)
    return None


def _is_his(record: Record, said: Said, who: str) -> bool:
    """Whether a sentence is somebody's own, or, for one who does not speak here, speaks of him."""
    name = _bare(who)
    found = said.found
    if _is_speaker(record, who):
        return found.speaker.casefold() == name or ROLES.get(name) is found.role
    turn = record.snapshot.turn(found.turn).content
    if PAPER.search(name):
        return found.quoted  # a mail, a note: what it says stands in what was pasted
    reach = len(turn) if found.quoted else AROUND  # a letter names its writer at its end
    around = turn[max(0, found.span.start - reach) : found.span.end + reach]
    called = [word for word in NAMED.findall(who) if word.casefold() not in TITLES] or [name]
    return any(re.search(rf"\b{re.escape(word)}\b", around, re.IGNORECASE) for word in called)


NAMED = re.compile(r"\b[A-Z][\w'-]+")
TITLES = frozenset(
    {"the", "mr", "mrs", "ms", "dr", "prof", "professor", "sir", "engineer", "madam", "captain", "our", "a", "an"}
)
"""What stands before a name and is not the name."""

AROUND = 160
"""Characters beside a sentence in which somebody's name makes it his: "Ravi is in the channel. He wants …"."""


PAPER = re.compile(
    r"\b(?:e-?mails?|letters?|notes?|replies|reply|comments?|leaflets?|minutes|reports?|lists?|logs?|documents?|messages?|posts?"
    r"|offers?|pages?|tickets?|lines?|exports?|invoices?|memos?|circulars?|notices?|papers?|banners?|files?|handovers?)$",
    re.IGNORECASE,
)
"""The end of a name that is a paper's."""


def _is_speaker(record: Record, who: str) -> bool:
    name = _bare(who)
    return name in ROLES or any(turn.speaker.casefold() == name for turn in record.snapshot.turns)


def says_instead(record: Record, one: Sourced, said: Said) -> bool:
    """Whether a sentence is somebody else's and says what a claim gives to one."""
    told = record.cover(said, terms_of(one.what)) >= REPORTED and _bears_out(said, one)
    return told and not said.found.quoted and not _is_his(record, said, one.who)


def _bears_out(said: Said, one: Sourced) -> bool:
    """Whether a sentence can be the one a claim reports: not a question for an approval, and of the same sense."""
    if one.act is None:
        return True
    found = said.found
    if found.quoted and one.speaks:
        return False  # what somebody pastes is not what he asks or grants
    if found.quoted and PAPER.search(_bare(one.who)):
        return True  # a mail asks in any words
    if one.approves and (found.asks or NOT_YET.search(found.text) or not CONSENT.search(found.text)):
        return False
    if not one.approves and not _is_request(said, speaks=one.speaks):
        return False
    return (TURNS.search(found.text) is None) == (TURNS.search(one.what) is None)


def _is_request(said: Said, *, speaks: bool) -> bool:
    """Whether a sentence asks for something; of one who does not speak here: says that he does."""
    found = said.found
    if WISH.search(found.text) is not None and not (speaks and OF_ANOTHER.search(found.text)):
        return True
    rules = STANDING.search(found.text) is not None or modality(found.text) is Modality.PROHIBITION
    return speaks and (rules or found.asks or found.status is PremiseStatus.ONE_OFF or asks_for(found.text))


def _elsewhere(
    record: Record, one: Sourced, asked: frozenset[str], own: list[Said], near: list[Said]
) -> tuple[float, Said | None]:
    """The best sentence of another speaker who speaks for himself."""
    mine = {id(said) for said in own}
    others = [
        said for said in near if id(said) not in mine and said.found.role is not Role.TOOL and _bears_out(said, one)
    ]
    best = max(others, key=lambda said: record.cover(said, asked), default=None)
    if best is None:
        return 0.0, None
    return _borne(record, others, asked, together=one.act is None), best


def _borne(record: Record, sentences: list[Said], asked: frozenset[str], *, together: bool) -> float:
    """How much of what is asked for stands in one sentence, or together in neighbours of one speaker's turn."""
    best = max((record.cover(said, asked) for said in sentences), default=0.0)
    if not together:
        return best
    for place, first in enumerate(sentences):
        terms = frozenset[str]()
        for said in sentences[place : place + NEIGHBOURS]:
            if said.found.turn == first.found.turn and said.found.span.start - first.found.span.end <= AROUND:
                terms |= said.found.terms
        best = max(best, record.weights.share(terms, asked))
    return best


NEIGHBOURS = 3
"""Sentences that may say a thing together."""


def attribution_of(one: Sourced, said: Said) -> Finding:
    """The finding in words, for a sentence that gives to somebody what another one says."""
    found = said.found
    return Finding(
        kind=FindingKind.ATTRIBUTION,
        severity=Severity.MEDIUM,
        premise=said.premise.id if said.premise else None,
        claim=one.claim.id,
        section=one.claim.section,
        before=said.status,
        words=f"{one.text!r} gives to {one.who!r} what turn {found.turn} ({found.role.value}) says: {found.text!r}",
        evidence=(found.evidence,),
    )


def _fabrication(one: Sourced, said: Said | None) -> Finding:
    beside = f"; the nearest is turn {said.found.turn}: {said.found.text!r}" if said else ""
    return Finding(
        kind=FindingKind.FABRICATION,
        severity=Severity.HIGH,
        premise=said.premise.id if said and said.premise else None,
        claim=one.claim.id,
        section=one.claim.section,
        before=None,
        words=f"{one.text!r}: no turn bears out that {one.who!r} {one.act} this{beside}",
        evidence=(said.found.evidence,) if said else (),
    )
