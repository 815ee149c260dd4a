"""From what extraction methods chose to the excerpts of a boundary. Nothing is grouped by meaning, nothing asserted.

No method reads, so none has a vote on what holds. What more of them chose stands first, among equals what they would
have kept at a smaller size, then the later words. What is said twice in nearly the same words stands once, where it
was said last.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from dissolution.boundary import BoundaryState
from dissolution.checking import each
from dissolution.claims import ClaimState, FamilyName
from dissolution.conversation import Role, Snapshot
from dissolution.excerpts import Chosen, Excerpt, ExcerptPolicy
from dissolution.findings import AgreementMeasures, Consensus, EmbeddingStamp
from dissolution.ledger import Change, ChangeKind
from dissolution.policy.calibration import CALIBRATION
from dissolution.values import NotMeasured
from language.reading import read

METHOD = "excerpts 1"
"""Stands in the place of the grouping method: nothing was grouped."""

SAME = CALIBRATION.consensus.same_excerpt

STATES_NOTHING = NotMeasured(not_measured="extraction methods state nothing")
UNREAD = "nobody has read the turns since it was stated"


class _Place(NamedTuple):
    """Where words stand; as a sort key, the order in which they were said."""

    turn: int
    start: int
    end: int


class _Rank(NamedTuple):
    """How much is to be said for an excerpt: methods that chose it within the size, then their mean score."""

    methods: int
    score: float


def read_until(prior: BoundaryState | None) -> int:
    """The last turn that whoever stated the claims of a boundary has read; 0 when it has none."""
    return 0 if prior is None else max((claim.affirmed or 0 for claim in prior.claims), default=0)


def choose_excerpts(
    snapshot: Snapshot,
    chosen: Mapping[FamilyName, Sequence[Chosen]],
    policy: ExcerptPolicy,
    *,
    held: Sequence[Excerpt] = (),
    after: int = 0,
) -> tuple[Excerpt, ...]:
    """The excerpts of a boundary in the order in which they were said, so that the newest words on a matter stand last.

    The result is the same for any order of the methods.

    Args:
        snapshot: What the methods chose from.
        chosen: What each method chose, by family.
        policy: How many words may stand.
        held: The excerpts of the boundary before, which are ranked among the new ones.
        after: The last turn that somebody has read: only later turns are excerpted, and only they count for the size.
    """
    total = sum(len(turn.content.split()) for turn in snapshot.turns[after:])
    left = policy.allowed(total)
    found = {_place(one): one for one in held if one.turn > after and one.stands_in(snapshot)}
    found |= _new(snapshot, chosen, after, least=1 - min(1.0, left / max(1, total)))
    ranks = _said_once(found)
    kept: dict[_Place, Excerpt] = {}
    taken: dict[int, list[_Place]] = defaultdict(list)
    for place in sorted(ranks, key=lambda place: (ranks[place], place), reverse=True):
        size = len(found[place].text.split())
        meets = any(place.start < other.end and other.start < place.end for other in taken[place.turn])
        if size <= left and not meets:
            kept[place] = found[place]
            taken[place.turn].append(place)
            left -= size
    return _joined(snapshot, [kept[place] for place in sorted(kept)])


def unread(prior: BoundaryState | None, excerpts: tuple[Excerpt, ...], stamp: EmbeddingStamp) -> Consensus:
    """The candidate of a fleet that does not read: its excerpts beside the claims held before, which nobody touches."""
    held = () if prior is None else prior.claims
    return Consensus(
        claims=tuple(
            claim.model_copy(update={"state": ClaimState.CARRIED, "carried": claim.carried + 1}) for claim in held
        ),
        dissent=() if prior is None else prior.dissent,
        statements=0,
        groups=0,
        measures=AgreementMeasures(
            claim_agreement=STATES_NOTHING,
            dominant_cluster_share=STATES_NOTHING,
            mean_pairwise_jaccard=STATES_NOTHING,
            mean_tfidf_cosine=STATES_NOTHING,
            mean_embedding_cosine=STATES_NOTHING,
            krippendorff_alpha=STATES_NOTHING,
            effective_families=STATES_NOTHING,
        ),
        embedding=stamp,
        method=METHOD,
        prior_version=0 if prior is None else prior.version or 0,
        changes=tuple(Change(kind=ChangeKind.CARRIED, claim=claim.id, reason=UNREAD) for claim in held),
        excerpts=excerpts,
        unread=True,
    )


def _new(
    snapshot: Snapshot, chosen: Mapping[FamilyName, Sequence[Chosen]], after: int, *, least: float
) -> dict[_Place, Excerpt]:
    """What at least one method chose with a score above `least`, with the words and who said them."""
    scores: dict[_Place, dict[FamilyName, float]] = defaultdict(dict)
    for family, spans in chosen.items():
        for one in spans:
            if after < one.turn <= snapshot.through and one.end <= len(snapshot.turn(one.turn).content):
                scores[_place(one)][family] = one.score
    found: dict[_Place, Excerpt] = {}
    for place, by_family in scores.items():
        chosen_by = tuple(sorted(family for family, score in by_family.items() if score > least))
        if chosen_by:
            mean = sum(sorted(by_family.values())) / len(chosen)  # sorted: sums must not depend on the methods' order
            found[place] = _excerpt(snapshot, place, chosen_by, mean)
    return found


def _excerpt(snapshot: Snapshot, place: _Place, chosen_by: tuple[FamilyName, ...], score: float) -> Excerpt:
    turn = snapshot.turn(place.turn)
    span = turn.content[place.start : place.end]
    made = Excerpt(
        turn=place.turn,
        start=place.start,
        end=place.end,
        text=span,
        role=turn.role,
        speaker=turn.speaker,
        quoted=turn.role is Role.TOOL,
        chosen_by=chosen_by,
        score=score,
    )
    return made.model_copy(update={"quoted": True}) if turn.is_quoted(made) else made


def _said_once(found: Mapping[_Place, Excerpt]) -> dict[_Place, _Rank]:
    """The rank of each excerpt; of those that say the same only the last stands, with the best rank among them.

    Two sets of words of which at least SAME is shared have one of the first words in common when both are put in one
    order; so only those that have are compared (Bayardo, Ma and Srikant 2007).
    """
    ranks: dict[_Place, _Rank] = {}
    shelf: dict[str, list[tuple[_Place, frozenset[str]]]] = defaultdict(list)
    for place in each(sorted(found, reverse=True)):
        one = found[place]
        rank, said = _Rank(len(one.chosen_by), one.score), frozenset(read(one.text).tokens)
        first = sorted(said, key=lambda word: (-len(word), word))[: len(said) - int(SAME * len(said)) + 1]
        near = (other for word in first for other in shelf[word])
        twin = next((there for there, theirs in near if len(said & theirs) >= SAME * len(said | theirs)), None)
        if twin is not None:
            ranks[twin] = max(ranks[twin], rank)
            continue
        ranks[place] = rank
        for word in first:
            shelf[word].append((place, said))
    return ranks


def _joined(snapshot: Snapshot, excerpts: Sequence[Excerpt]) -> tuple[Excerpt, ...]:
    """Excerpts with nothing but white space between them become one, unless only one of them is quoted."""
    runs: list[list[Excerpt]] = [[one] for one in excerpts[:1]]
    for before, one in pairwise(excerpts):
        between = snapshot.turn(one.turn).content[before.end : one.start]
        goes_on = (before.turn, before.quoted) == (one.turn, one.quoted) and not between.strip()
        if goes_on and before.end <= one.start:
            runs[-1].append(one)
        else:
            runs.append([one])
    return tuple(_as_one(snapshot, run) for run in runs)


def _as_one(snapshot: Snapshot, run: Sequence[Excerpt]) -> Excerpt:
    if len(run) == 1:
        return run[0]
    place = _Place(run[0].turn, run[0].start, run[-1].end)
    chosen_by = tuple(sorted({family for one in run for family in one.chosen_by}))
    return _excerpt(snapshot, place, chosen_by, max(one.score for one in run))


def _place(one: Chosen | Excerpt) -> _Place:
    return _Place(one.turn, one.start, one.end)
