"""How a turn takes up what stands: an explicit yes, a no, saying it again, building on it, doubting it, or silence."""

import re
from collections.abc import Iterator, Sequence

from dissolution.claims import Evidence
from dissolution.conversation import Role, Turn
from dissolution.premises import Acceptance, PremiseEventKind, PremiseStatus
from frame_agent import cues
from frame_agent.extraction import Found, asks_for
from frame_agent.putting import Reply, reply_to
from frame_agent.state import VERIFIED, Folding, Standing
from frame_agent.terms import figures_of, likeness, terms_of
from frame_agent.wordings import is_offered
from wording.choice import ChoiceKind, choices
from wording.negation import is_negated
from wording.sentences import sentence_spans

SAME = 0.62
"""Likeness from which a sentence says a premise again."""

MEANT = 0.2
"""Share of a premise's terms that a yes or no with words of its own must hold to mean it."""

TURNED_DOWN = 0.6
"""Share of what is ruled out that a premise must hold to be turned down by it."""

MOST_MEANT = 12
"""Premises that one bare yes can take up: the turn before, not the whole talk."""

MOST_TURNED_DOWN = 3
LEAST_FACT = 0.35
"""Share of a stated fact that a ruling must hold to turn it down: naming its subject alone denies nothing."""

SURE = {Reply.ACCEPT: 0.6, Reply.DECLINE: 0.9}
"""Share from which the model of replies is believed: a no takes away more than a yes gives."""

SHARED = 0.3
"""Share of an offer that a reply in other words must hold to be about it; MEANT with a figure of it."""

OF_ITS_OWN = 0.5
"""Share of such a reply that must stand in the offer."""

VOUCHED = frozenset({PremiseStatus.ASSERTED, PremiseStatus.CONFIRMED})
OPEN = frozenset({PremiseStatus.IMPLICIT, PremiseStatus.PROPOSED})


def take_up(folding: Folding, turn: Turn) -> None:
    """Yes and no to what another speaker said last."""
    offered = list(_offered(folding, turn))
    if not offered:
        return
    before = frozenset[str]()
    for place, words in enumerate(_sentences(turn)):
        said = _reply(words.text)
        terms = terms_of(words.text) or before  # "then let's do it" says yes to what was just spoken of
        before = terms
        if said is None:
            continue
        for one in _meant(folding, offered, terms, opens=place == 0, declines=said is Reply.DECLINE):
            if (one.asks and not is_offered(one.proposition)) or not _is_theirs(one, turn):
                continue  # an answer settles a question; it does not make it true
            if said is Reply.DECLINE and (one.status in OPEN or _denies(folding, one, words)):
                folding.act(one, PremiseEventKind.REJECTED, turn, words, "turned down")
            elif said is Reply.ACCEPT:
                verified = cues.VERIFIED.search(words.text) and terms_of(words.text) & one.terms
                reason = VERIFIED if verified else "accepted in words"
                folding.accept(one, turn, Acceptance.EXPLICIT_YES, words, reason)
    _reply_to_offers(folding, turn, [one for one in offered if one.status is PremiseStatus.PROPOSED])


def _reply(text: str) -> Reply | None:
    """What a sentence says by a formula of yes or no."""
    if cues.NO.match(text) or cues.TURNED_DOWN.match(text) or cues.NO_AT_END.search(text):
        return Reply.DECLINE
    return Reply.ACCEPT if cues.YES.match(text) or cues.YES_AT_END.search(text) else None


def _is_theirs(one: Standing, turn: Turn) -> bool:
    """Whether what is offered is this speaker's to take: what a user weighs for himself no assistant settles."""
    if turn.role is not Role.ASSISTANT or one.status is not PremiseStatus.PROPOSED:
        return True
    return asks_for(one.proposition) or ADDRESSED.search(one.proposition) is not None


ADDRESSED = re.compile(r"\b(?:you|your|we|us|our|let's|suggest|propose|recommend)\b|\?\W*$", re.IGNORECASE)
"""Words of what is put to the other side, and not only wished, or told of a third."""


def _reply_to_offers(folding: Folding, turn: Turn, offers: list[Standing]) -> None:
    """Accept and decline in other words: a sentence that shares words or figures with an offer replies to it.

    How it replies is read by the fitted model of replies (`putting.py`).
    """
    if turn.role is Role.ASSISTANT or not offers:
        return
    for words in _sentences(turn):
        read = reply_to(words.text)
        if read.label == Reply.NEITHER or read.share < SURE[Reply(read.label)] or _reply(words.text):
            continue
        for one in _answered(folding, offers, words.text):
            if one.status is not PremiseStatus.PROPOSED or (one.asks and not is_offered(one.proposition)):
                continue
            if read.label == Reply.ACCEPT:
                folding.accept(one, turn, Acceptance.EXPLICIT_YES, words, f"accepted in other words: {read.why!r}")
            else:
                folding.act(one, PremiseEventKind.REJECTED, turn, words, f"declined in other words: {read.why!r}")


def _answered(folding: Folding, offers: list[Standing], text: str) -> list[Standing]:
    """The offers that a reply is about: it holds enough of one, or speaks of little else."""
    terms, figures = terms_of(text), figures_of(text)
    return [
        one
        for one in offers
        if folding.weights.share(terms, one.terms) >= (MEANT if figures & one.terms else SHARED)
        or folding.weights.share(one.terms, terms) >= OF_ITS_OWN
    ]


def _denies(folding: Folding, one: Standing, words: Evidence) -> bool:
    """Whether a no has words of its own about what it denies; a fact is not denied by one word in common."""
    terms = terms_of(words.text)
    least = LEAST_FACT if one.status in VOUCHED else 0.0
    return folding.weights.share(terms, one.terms) > least


def _offered(folding: Folding, turn: Turn) -> Iterator[Standing]:
    """Premises of the last turn of somebody else who spoke for himself."""
    spoken = [one for one in folding.premises if one.role != Role.TOOL.value]
    others = [one.turn for one in spoken if one.speaker != turn.speaker]
    last = max(others, default=0)
    return (one for one in spoken if one.turn == last and one.status is not PremiseStatus.INJECTED)


def _sentences(turn: Turn) -> Iterator[Evidence]:
    for span in sentence_spans(turn.content):
        if not turn.is_quoted(span):
            yield Evidence(turn=turn.number, start=span.start, end=span.end, text=turn.content[span.start : span.end])


def _meant(
    folding: Folding, offered: list[Standing], terms: frozenset[str], *, opens: bool, declines: bool
) -> list[Standing]:
    """What a yes or no is about: what shares its words; without words of its own, all that was just offered.

    A bare no answers what was asked or proposed last, and denies nothing else.
    """
    shared = [one for one in offered if folding.weights.share(terms, one.terms) >= MEANT]
    shared = shared or [one for one in offered if folding.weights.share(one.terms, terms) >= OF_ITS_OWN]
    if shared:
        return shared
    if declines:
        return [one for one in offered if one.status in OPEN][-1:] if opens else []
    return offered[-MOST_MEANT:] if opens else []


TAKEN = re.compile(
    r"""^\W*(?:and\ |so\ |but\ |well,?\ )?(?:she|he|they|all|both|everyone|everybody|the\ \w+|[a-z]+)(?:'s
      |\ has|\ have|\ is|\ are)?
        \ (?:\w+ly\ )?(?:said\ (?:yes|ok|okay|fine|go)|says\ (?:yes|ok|okay|fine)|agree[ds]?|accept(?:s|ed)
      |approved|nodded|in\ favour)\b
      |\bcan\ live\ with\b
      |\b(?:and|so)\ (?:i|we|she|he|they)(?:'ve|\ have|'s|\ has)?\ (?:\w+ly\ )?(?:said\ (?:yes|ok|okay|fine)
      |agreed|accepted|signed|took\ it)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Tells that somebody took up what was offered: in the sentence itself, or in the next one."""


def taken_at_once(folding: Folding, turn: Turn, spoken: Sequence[Found]) -> None:
    """Take up what a turn tells as offered and as accepted: "I offered them May. She said yes"."""
    offers = {
        one.held: one
        for one in spoken
        if one.status is PremiseStatus.PROPOSED and not one.asks and not cues.LEFT_OPEN.search(one.held)
    }
    if not offers:
        return
    sentences = list(_sentences(turn))
    for one in folding.premises[::-1]:
        if one.turn != turn.number:
            break
        found = offers.get(one.proposition)
        if found is None:
            continue
        here = [place for place, words in enumerate(sentences) if words.start == found.span.start]
        taken = [words for place in here for words in sentences[place : place + 2] if TAKEN.search(words.text)]
        if taken and not is_negated(taken[0].text):
            folding.accept(one, turn, Acceptance.EXPLICIT_YES, taken[0], "told as accepted")


def restate(folding: Folding, turn: Turn, found: Found) -> None:
    """What a sentence does to premises that it says again, rules out or asks about."""
    if found.status is PremiseStatus.REJECTED:
        _turn_down(folding, turn, found)
        return
    for one in folding.alike(found.terms):
        if one.turn == turn.number or one.status is PremiseStatus.INJECTED or one.asks:
            continue
        if likeness(folding.weights, found.terms, one.terms) < SAME:
            continue
        if found.asks:
            folding.act(one, PremiseEventKind.CHALLENGED, turn, found.evidence, "asked about")
        elif is_negated(found.text) != is_negated(one.proposition) and not cues.YES.match(found.text):
            folding.act(one, PremiseEventKind.REJECTED, turn, found.evidence, "denied")
        elif found.status is PremiseStatus.HEDGED and one.status is not PremiseStatus.HEDGED:
            folding.act(one, PremiseEventKind.CHALLENGED, turn, found.evidence, "said again as a guess")
        elif _takes_up(one, turn, found):
            reason = VERIFIED if cues.VERIFIED.search(found.text) else "said again by another speaker"
            folding.accept(one, turn, Acceptance.BUILDING_ON_IT, found.evidence, reason)
        else:
            folding.act(one, PremiseEventKind.RESTATED, turn, found.evidence, "said again")


RECENT = 4
"""Turns within which a proposal can be taken up by building on it."""

BUILT_ON = 0.5
BUILT_FIGURE = 0.35
BUILT_SETTLED = 0.3
"""Share of a proposal's terms that a firm statement must hold to build on it: by words; with a figure of it or a word
that settles; with both."""


def build_on(folding: Folding, turn: Turn, found: Found) -> None:
    """Take up proposals of the turns before that a firm statement goes on from: "35 km, I can live with that".

    Somebody else than who proposed it builds on it, or who proposed it sums up with nobody having said no; an
    assistant takes up no idea of the user's by talking about it.
    """
    if found.asks or found.quoted or found.status is not PremiseStatus.ASSERTED:
        return
    figures = figures_of(found.text)
    for one in folding.near(found.terms, 1):
        if one.status is not PremiseStatus.PROPOSED or not 0 < turn.number - one.turn <= RECENT:
            continue
        if (one.asks or one.proposition.rstrip().endswith("?")) and not is_offered(one.proposition):
            continue
        own = one.speaker == turn.speaker
        settles = cues.SETTLES.search(found.text) is not None
        if (turn.role is Role.ASSISTANT or own) and not (own and settles):
            continue
        if is_negated(found.text) != is_negated(one.proposition) or (one.asks and not settles):
            continue
        least = BUILT_ON
        if (figures & one.terms or settles) and not one.asks:
            least = BUILT_SETTLED if figures & one.terms and settles else BUILT_FIGURE
        if folding.weights.share(found.terms, one.terms) >= least:
            folding.accept(one, turn, Acceptance.BUILDING_ON_IT, found.evidence, "gone on from as settled")


def _takes_up(one: Standing, turn: Turn, found: Found) -> bool:
    """Saying it again as a fact is taking it up, unless it is the same speaker who only repeats himself."""
    firm = found.status is PremiseStatus.ASSERTED
    return firm and (one.speaker != turn.speaker or cues.VERIFIED.search(found.text) is not None)


def _turn_down(folding: Folding, turn: Turn, found: Found) -> None:
    """Premises about what is ruled out, those nearest first."""
    acts = [choice for choice in choices(found.text) if choice.kind is ChoiceKind.REJECTED]
    objects = terms_of(" ".join(" ".join(sorted(choice.object_words)) for choice in acts))
    if not objects:
        return
    firm = [
        (folding.weights.share(one.terms, objects), one)
        for one in folding.near(objects, 1)
        if one.turn != turn.number and one.status not in {PremiseStatus.REJECTED, PremiseStatus.INJECTED}
    ]
    best = sorted(
        (pair for pair in firm if pair[0] >= TURNED_DOWN and _is_meant(folding, pair[1], found)),
        key=lambda pair: -pair[0],
    )
    for _, one in best[:MOST_TURNED_DOWN]:
        folding.act(one, PremiseEventKind.REJECTED, turn, found.evidence, "ruled out")


def _is_meant(folding: Folding, one: Standing, found: Found) -> bool:
    """Whether a premise is what is turned down: any proposal or guess about it; a fact that says little else."""
    if one.status not in VOUCHED:
        return True
    return folding.weights.share(found.terms, one.terms) >= LEAST_FACT


def silence(folding: Folding, turn: Turn) -> None:
    """What was offered or framed in the last turn and that nobody says a word about: accepted by silence, the weakest.

    It confirms nothing; it is kept because a frame that nobody spoke about is what lock-in grows from.
    """
    if turn.role is Role.TOOL:
        return
    for one in _offered(folding, turn):
        if one.status in OPEN and one.touched < turn.number and one.speaker != turn.speaker:
            folding.accept(one, turn, Acceptance.SILENCE, None, "nobody said a word against it")
