"""Which figures of a cycle a stability report shows, in its order, and how each is read."""

from collections.abc import Callable

from dissolution.stability import NO_BANK, CycleFigures, TruthFigures
from dissolution.values import Frozen, Measured, NotMeasured
from stability.measures import overall_survival
from stability.measuring import AGES

Reads = Callable[[CycleFigures], Measured]


class Measure(Frozen):
    """One figure of a cycle, as a report names it."""

    name: str
    label: str  # with the unit
    words: str  # what it is, for who does not know
    share: bool = True  # lies in 0..1


def _truth_share(part: str, whole: str) -> Reads:
    def read(figures: CycleFigures) -> Measured:
        truth = figures.truth
        if not isinstance(truth, TruthFigures):
            return truth
        total = int(getattr(truth, whole))
        return int(getattr(truth, part)) / total if total else NotMeasured(not_measured="none at this turn")

    return read


def _kept(figures: CycleFigures) -> Measured:
    truth = figures.truth
    if not isinstance(truth, TruthFigures):
        return truth
    if truth.commitments_before == 0:
        return NotMeasured(not_measured="no commitment was held before")
    return 1 - truth.commitments_lost / truth.commitments_before


def _of_age(name: str) -> Reads:
    def read(figures: CycleFigures) -> Measured:
        return figures.competence_by_age.get(name, NO_BANK)

    return read


def _usd(figures: CycleFigures) -> Measured:
    return figures.usd if isinstance(figures.usd, NotMeasured) else float(figures.usd)


def _counted(name: str) -> Reads:
    def read(figures: CycleFigures) -> Measured:
        value = getattr(figures, name)
        return value if isinstance(value, NotMeasured) else float(value)

    return read


_OVERALL = Measure(
    name="survival",
    label="claims that survive (share)",
    words="Claims of the cycle before that stand still, those closed for a reason left out.",
)


MEASURES: tuple[tuple[Measure, Reads], ...] = (
    (
        Measure(
            name="truth_recall",
            label="truth held (share)",
            words="Of what is true at the cycle's turn, the share that the state says.",
        ),
        _truth_share("held", "true_now"),
    ),
    (
        Measure(
            name="true_commitments",
            label="true commitments kept (share)",
            words="Commitments held after an earlier cycle and true still: the share held. Must be 1.",
        ),
        _kept,
    ),
    (
        Measure(
            name="asserted_though_over",
            label="asserted though over (share)",
            words="Of values replaced and commitments closed by this turn, the share that the state still asserts.",
        ),
        _truth_share("still_asserted", "ended_by_now"),
    ),
    (
        Measure(
            name="revised_rightly",
            label="replaced values whose successor is held (share)",
            words="Of values replaced by this turn, the share whose new value the state says.",
        ),
        _truth_share("revised_rightly", "replaced_by_now"),
    ),
    (
        Measure(
            name="competence",
            label="questions answered (share)",
            words="Answerable questions that the reader answers rightly from the state alone.",
        ),
        _counted("competence"),
    ),
    *(
        (
            Measure(
                name=f"competence_{place}",
                label=f"questions answered, evidence {name} ago (share)",
                words=f"The same for questions whose last evidence was said {name} before the cycle's end.",
            ),
            _of_age(name),
        )
        for place, (_, name) in enumerate(AGES, start=1)
    ),
    (_OVERALL, lambda figures: overall_survival(figures.flows)),
    (
        Measure(
            name="commitment_survival",
            label="commitments that survive (share)",
            words="DECIDED and IDENTITY claims of the cycle before, in one of the two or closed for a reason.",
        ),
        _counted("commitment_survival"),
    ),
    (
        Measure(
            name="status_flips",
            label="status flips (claims)",
            words="Claims that changed section, or were closed and stand again.",
            share=False,
        ),
        _counted("status_flips"),
    ),
    (
        Measure(
            name="jaccard_before",
            label="word overlap with the cycle before (Jaccard)",
            words="Shared words over all words of two states that follow each other.",
        ),
        _counted("jaccard_before"),
    ),
    (
        Measure(
            name="tfidf_before",
            label="TF-IDF cosine with the cycle before",
            words="Likeness of two states that follow each other, rare words counting more.",
        ),
        _counted("tfidf_before"),
    ),
    (
        Measure(
            name="drift_before",
            label="drift from the cycle before (cosine distance)",
            words="How far the state's mean meaning lies from that of the cycle before.",
            share=False,
        ),
        _counted("drift_before"),
    ),
    (
        Measure(
            name="drift_first",
            label="drift from the first state (cosine distance)",
            words="How far the state's mean meaning lies from that of the first cycle.",
            share=False,
        ),
        _counted("drift_first"),
    ),
    (
        Measure(
            name="claim_agreement",
            label="claims that two families state (share)",
            words="Groups of statements that two or more families state, before the consensus.",
        ),
        _counted("claim_agreement"),
    ),
    (
        Measure(
            name="dominant_cluster_share",
            label="dominant cluster of whole answers (share)",
            words="Answers in the largest cluster, as the dissertation counts it.",
        ),
        _counted("dominant_cluster_share"),
    ),
    (
        Measure(
            name="mean_pairwise_jaccard",
            label="word overlap of answers (Jaccard)",
            words="Mean over pairs of answers of one cycle.",
        ),
        _counted("mean_pairwise_jaccard"),
    ),
    (
        Measure(
            name="mean_tfidf_cosine",
            label="TF-IDF cosine of answers",
            words="Mean over pairs of answers of one cycle, rare words counting more.",
        ),
        _counted("mean_tfidf_cosine"),
    ),
    (
        Measure(
            name="present_tense_share",
            label="sentences in present tense (share)",
            words="The boundary is to state what holds, not to tell what happened.",
        ),
        _counted("present_tense_share"),
    ),
    (
        Measure(
            name="forbidden_phrases",
            label="phrases that tell of the talk (count)",
            words="Such as “we discussed”: the prompt forbids them, and a state has no use for them.",
            share=False,
        ),
        _counted("forbidden_phrases"),
    ),
    (Measure(name="claims", label="size (claims)", words="Statements of the state.", share=False), _counted("claims")),
    (Measure(name="tokens", label="size (tokens)", words="Tokens of the state.", share=False), _counted("tokens")),
    (
        Measure(
            name="compression",
            label="compression (times)",
            words="Tokens of the conversation so far over tokens of the state.",
            share=False,
        ),
        _counted("compression"),
    ),
    (
        Measure(name="promoted", label="dissent promoted (claims)", words="Dissent that became a claim.", share=False),
        _counted("promoted"),
    ),
    (
        Measure(
            name="dropped",
            label="dissent dropped (count)",
            words="Dissent of the cycle before that neither stands still nor became a claim.",
            share=False,
        ),
        _counted("dropped"),
    ),
    (
        Measure(
            name="usd", label="price of the job (USD)", words="What its calls cost, where that is known.", share=False
        ),
        _usd,
    ),
    (
        Measure(
            name="input_tokens",
            label="read by models (tokens)",
            words="Input tokens of all calls of the job.",
            share=False,
        ),
        _counted("input_tokens"),
    ),
    (
        Measure(name="seconds", label="time of the job (s)", words="From its first step to its receipt.", share=False),
        _counted("seconds"),
    ),
)
"""Every measure with what reads it, in the order a report shows them."""
