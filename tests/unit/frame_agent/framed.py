"""Conversations, claims and candidates for the tests of this room."""

from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.conversation import Role, Snapshot
from dissolution.findings import AgreementMeasures, Consensus, EmbeddingStamp
from dissolution.intervals import TurnInterval
from dissolution.ledger import Change, ChangeKind
from dissolution.values import NotMeasured
from tests.factories import a_turn

NONE = NotMeasured(not_measured="made up")
USER, ASSISTANT, TOOL = Role.USER, Role.ASSISTANT, Role.TOOL


def talk(*said: tuple[Role, str]) -> Snapshot:
    """A conversation of these turns."""
    turns = tuple(a_turn(number, text, role) for number, (role, text) in enumerate(said, start=1))
    return Snapshot(conversation="c", turns=turns)


def a_claim(section: Section, text: str, snapshot: Snapshot, turn: int = 1, name: str = "c1") -> Claim:
    """A claim that rests on the whole of one turn."""
    content = snapshot.turn(turn).content
    statement = Statement(member="m", family="f", ordinal=0, claim=StatedClaim(section=section, text=text))
    return Claim(
        id=name,
        section=section,
        text=text,
        evidence=(Evidence(turn=turn, start=0, end=len(content), text=content),),
        support=Support.of((statement,)),
        valid=TurnInterval(start=turn),
        statements=(statement,),
        reason="made up",
    )


def a_candidate(*claims: Claim, held: tuple[str, ...] = ()) -> Consensus:
    """A consensus of these claims; those of `held` stood in the ledger before."""
    kinds = {claim.id: ChangeKind.AFFIRMED if claim.id in held else ChangeKind.ADDED for claim in claims}
    return Consensus(
        claims=claims,
        dissent=(),
        statements=len(claims),
        groups=len(claims),
        measures=AgreementMeasures(
            claim_agreement=NONE,
            dominant_cluster_share=NONE,
            mean_pairwise_jaccard=NONE,
            mean_tfidf_cosine=NONE,
            mean_embedding_cosine=NONE,
        ),
        embedding=EmbeddingStamp(model="none", digest="none", dimension=1),
        method="made up",
        prior_version=1 if held else 0,
        changes=tuple(Change(kind=kind, claim=name, reason="made up") for name, kind in kinds.items()),
    )
