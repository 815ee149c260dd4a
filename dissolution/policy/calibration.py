"""The calibration: every threshold that decides something about text and that no policy sets, in one place.

A policy says what a job may do; this says where a distance, a share or a probability begins to mean something. Each
value has its meaning and how it was found. Its digest is stored with the policy of each job.
"""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

from pydantic import Field
from pydantic.fields import FieldInfo

from dissolution.premises import Acceptance, PremiseStatus
from dissolution.values import Frozen

UNRECORDED = "not recorded"


def _set(value: Any, meaning: str, measured: str = UNRECORDED) -> Any:  # noqa: ANN401 - what pydantic gives for a field
    """A value with its meaning and, where that was recorded, how it was found.

    Args:
        value: What stands unless another calibration is given; frozen.
        meaning: One sentence: what is compared with it, in which unit and range, and what that decides.
        measured: How it was found.
    """
    return Field(default=value, description=meaning, json_schema_extra={"measured": measured})


class EmbedderCalibration(Frozen):
    """Where one embedding model's distances begin to mean something. Those of one say nothing about another's."""

    one_claim: float = Field(
        description="Complete-linkage cut on the joint distance of `consensus.wording.distance` (0..1): no two "
        "statements of a group are farther apart, so that no labelled hard negative shares one."
    )
    same_claim: float = Field(
        description="Joint distance (0..1) up to which two claims more often say the same than not: one may stand in "
        "for the other, and other typed values set one against the other."
    )
    same_topic: float = Field(description="Joint distance (0..1) under which two claims are about the same thing.")
    contained_cosine: float = Field(
        description="Cosine (-1..1) from which one claim may say part of another; no labelled hard negative reaches it."
    )
    question_cosine: float = Field(
        description="Cosine (-1..1) from which two open questions may be one; lower, as what is asked is compared by "
        "itself."
    )
    evidence_floor_cosine: float = Field(
        description="Cosine (-1..1) of unrelated sentences, counted as no likeness in evidence scores."
    )
    evidence_full_cosine: float = Field(description="Cosine (-1..1) that counts as full likeness in evidence scores.")
    source: str = Field(description="How the numbers were found.")

    @property
    def retold(self) -> float:
        """Joint distance up to which two texts on the same words may be the same: half-way to another topic."""
        return (self.same_claim + self.same_topic) / 2


MINI_LM = EmbedderCalibration(
    one_claim=0.15,
    same_claim=0.38,
    same_topic=0.60,
    contained_cosine=0.96,
    question_cosine=0.72,
    evidence_floor_cosine=0.15,
    evidence_full_cosine=0.75,
    source="benchmarks/consensus.py over the label files: the middle of the plateau of pair F1 from 0.34 to 0.42",
)
HASHING = EmbedderCalibration(
    one_claim=0.15,
    same_claim=0.42,
    same_topic=0.62,
    contained_cosine=0.95,
    question_cosine=0.50,
    evidence_floor_cosine=0.10,
    evidence_full_cosine=0.80,
    source="benchmarks/consensus.py --embedder hashing over the label files",
)


class ConsensusCalibration(Frozen):
    """Of `consensus`: when statements are one claim, what bears a claim out, what is let in."""

    embedders: Mapping[str, EmbedderCalibration] = {"all-MiniLM-L6-v2": MINI_LM, "hashing": HASHING}
    """Joint distances and cosines by embedding model."""

    length_power: float = _set(
        0.3,
        (
            "Power of a claim's words that what it adds is divided by: below 1, so that of two that add as much a "
            "word the fuller one is let in, as it keeps facts together."
        ),
    )
    same_excerpt: float = _set(0.75, "Share of words (Jaccard, 0..1) from which two excerpts say the same.")
    about_as_well: float = _set(
        0.15, "How much better (score, 0..1) quoted material may say a sentence than anybody's own words."
    )
    spoken_beside_quoted: float = _set(0.3, "Least score (0..1) of one spoken stretch beside quoted material.")
    spoken_in_named_turns: float = _set(
        0.35, "Least score (0..1) of the spoken words of the turns that a member names."
    )
    shown_words: float = _set(
        0.2,
        (
            "Least score (0..1) of words that a member shows, or of turns without quoted material: they are about "
            "it at all."
        ),
    )
    surely_spoken: float = _set(
        0.45,
        ("Score (0..1) from which spoken words of a named turn bear a sentence, however well quoted material says it."),
    )
    evidence_words: float = _set(0.6, "Part of a claim's score on a stretch that its words have.")
    evidence_meaning: float = _set(0.4, "Part of it that the cosine has.")
    evidence_figures: float = _set(
        0.25, "Part of it that figures have where the claim has any, taken from both in proportion."
    )
    word_beside: float = _set(
        0.6, "What a word counts that stands in the sentence beside the stretch: talk refers back."
    )
    figure_nowhere: float = _set(
        0.5, "Factor on the score when a figure of the claim stands nowhere in the conversation: a wrong digit."
    )
    figure_elsewhere: float = _set(0.85, "Factor when it stands in the conversation, but in no stretch on the topic.")
    named_stretch: float = _set(
        0.15, "Least score (0..1) of a stretch of a turn that enough families name for what they state."
    )
    topic_of_figures: float = _set(
        0.25, "Score (0..1) under which a stretch cannot lend its figures: the number is about something else."
    )
    further_stretch: float = _set(0.15, "Share of the claim's word weight that a further stretch must add.")
    restating_stretch: float = _set(0.85, "Share of the best score from which another stretch states the claim too.")
    own_quote: float = _set(0.9, "Least score (0..1) of a claim whose own quote stands verbatim and is about it.")
    same_answer_cosine: float = _set(
        0.2, "TF-IDF cosine (0..1) from which whole answers share a cluster.", "the dissertation's threshold"
    )
    distance_meaning: float = _set(0.4, "Part of the joint distance of two claims that the cosine has.")
    distance_words: float = _set(0.4, "Part of it that the TF-IDF cosine of their words has.")
    distance_figures: float = _set(0.2, "Part of it that the overlap of their figures has (Jaccard).")
    no_figures: float = _set(0.5, "Overlap of figures (0..1) where neither has any: nothing speaks for or against.")


class ContextCalibration(Frozen):
    """Of `context`: what recall finds."""

    found_by_meaning: float = _set(
        0.25, "Cosine (-1..1) below which a text is not found by meaning.", "unrelated sentences reach about 0.2"
    )
    rank_by_meaning: float = _set(
        0.5,
        (
            "What a rank by meaning counts beside one by words: whole turns are long, and a name or a number in "
            "them is found by words alone."
        ),
        "docs/recall.md has the figures",
    )


_DOUBT = {
    PremiseStatus.IMPLICIT: 0.9,  # nobody ever said it, so nobody ever looked
    PremiseStatus.HEDGED: 0.9,  # whoever said it does not vouch for it
    PremiseStatus.INJECTED: 0.9,  # nobody in the conversation said it
    PremiseStatus.PROPOSED: 0.7,
    PremiseStatus.ASSERTED: 0.5,
    PremiseStatus.CONFIRMED: 0.3,
    PremiseStatus.ONE_OFF: 0.1,  # over with its answer
    PremiseStatus.REJECTED: 0.0,  # considered and turned down
}
_DOUBT_BY_ACCEPTANCE = {Acceptance.EXPLICIT_YES: 0.5, Acceptance.BUILDING_ON_IT: 0.8, Acceptance.SILENCE: 1.0}


class FrameCalibration(Frozen):
    """Of `frame_agent`: what becomes of premises, what a review is told of, which challenges are new."""

    doubt: Mapping[PremiseStatus, float] = _set(
        _DOUBT,
        (
            "Doubt by status (0..1), before acceptance is looked at. Most where nobody said it, or whoever did "
            "does not vouch for it; little where it is over with its answer; none where it was considered and "
            "turned down."
        ),
    )
    doubt_by_acceptance: Mapping[Acceptance, float] = _set(
        _DOUBT_BY_ACCEPTANCE, "Factor on doubt by the firmest acceptance: words lessen it, silence does not."
    )
    considered_cosine: float = _set(
        0.9, "Cosine (-1..1) from which a framing counts as one that was considered already."
    )
    considered_words: float = _set(
        0.8,
        (
            "Share of a framing's content words in a considered one from which it is the same, whatever the "
            "embedder says."
        ),
    )
    same_premise: float = _set(
        0.75, "Share of the content words of the shorter of two propositions that make them the same premise."
    )
    sure_yes: float = _set(0.5, "Probability from which a reply counts as a yes.")
    sure_no: float = _set(0.8, "Probability from which a reply counts as a no, which takes away more than a yes gives.")
    meant_by_reply: float = _set(
        0.25, "Share of a premise's terms that a yes or no with words of its own must hold to mean it."
    )
    premise_again: float = _set(0.62, "Likeness (0..1) from which a sentence says a premise again.")
    built_on: float = _set(
        0.5, "Share of a proposal's terms that a firm statement of the turns after it must hold to build on it."
    )
    rests_by_words: float = _set(0.35, "Share of a premise's terms that a later statement must hold to rest on it.")
    rests_with_value: float = _set(0.25, "The same of a statement that has a typed value of the premise.")
    answers_question: float = _set(0.6, "Share of a question's terms that a later statement must hold to answer it.")
    answers_question_next: float = _set(0.3, "The same of the next speaker's turn.")
    hinted_probability: float = _set(0.4, "Probability from which a reviewer is told of something.")
    hinted_subject: float = _set(
        0.6, "Share of a statement's words, without its values, that a later one must hold to speak of the same."
    )
    hinted_answer: float = _set(
        0.5, "Share of a question's terms that a later statement must hold to answer it, perhaps."
    )
    hinted_premise: float = _set(0.4, "Share of a premise's terms that one claim must hold to hold it, perhaps.")
    hinted_quote: float = _set(0.5, "Share of what binds that a quoted line must hold.")
    hinted_quote_ahead: float = _set(0.1, "How much more of it (0..1) the line must hold than anything spoken.")


class LanguageCalibration(Frozen):
    """Of `language`: how a text is read."""

    language_confidence: float = _set(
        0.6, "The detector's confidence (0..1) below which no single language stands out."
    )
    utf16_zero_bytes: float = _set(
        0.3, "Share of zero bytes above which a file is taken for UTF-16: Latin text in it is half zero bytes."
    )
    speech_words: float = _set(
        1.5, 'Words of first lines, on average, from which labels are speakers; fields ("Host: db1") have one.'
    )
    hedged: float = _set(
        0.5, "Probability of a guess, or of a doubt about the sentence before, from which a sentence counts as hedged."
    )
    plain_log_odds: float = _set(
        1.5,
        (
            "Log odds by which plain statements are commoner in talk than among the labelled sentences, where a "
            "third is plain."
        ),
    )
    missing_log_probabilities: float = _set(
        0.1, "Share of tokens without a log-probability above which a model's surprise is not measured."
    )
    repeated_subject: float = _set(
        0.6, "Shared stems over those of the shorter sentence from which two are about the same."
    )


class ProbeCalibration(Frozen):
    """Of `probe`: which questions are asked, what answers them, and what the gate makes of it."""

    cited_cover: float = _set(
        0.25,
        (
            "Share of a claim's content words that the turns it cites must hold. A claim in other words keeps its "
            "subject's."
        ),
    )
    good_rank: float = _set(
        1.0, "Values of a lower rank are asked for only where there is nothing better (probe/salience.py)."
    )
    notable_rank: float = _set(
        0.5,
        (
            "What a turn far more surprising than the talk around it adds to the rank of what rests on it: as "
            "much as being said often does. It orders what is asked for first, and makes no weak value a good "
            "one."
        ),
    )
    said_once: float = _set(0.3, "What a company word counts that no other turn uses.")
    weak_group: float = _set(
        0.3, "Share of what the history answers in a group that has to be lost for the group to be named."
    )
    same_draft: float = _set(
        0.6, "Two questions whose stems share this much (Jaccard, 0..1) and ask for the same are one."
    )
    neighbour_word: float = _set(
        0.7,
        (
            "What a word counts that stands one or two sentences beside: a value is often said beside its "
            "subject's name."
        ),
    )
    same_turn_word: float = _set(0.5, "What a word counts that stands elsewhere in the same turn.")
    next_turn_word: float = _set(
        0.3, "What a word counts that stands in the turn before or after: one asks, another answers."
    )
    reject_bets: tuple[tuple[float, float], ...] = _set(
        ((0.25, 0.5), (0.75, 0.9)),
        (
            "Weights and bets against a small loss, as shares of the largest bet that one gain does not ruin. The "
            "large one settles plain losses early, the small one survives gains."
        ),
        "chosen by benchmarks/gate_characteristics.py",
    )
    first_share: float = _set(
        0.5, "Share of `false_accept` that a job's first candidate may spend, where repairs may follow."
    )
    strange_history: float = _set(
        0.2, "A history that answers less than this share may not be the one the bank was written about."
    )
    near_value: float = _set(
        0.45,
        (
            "Share of what the history has to say about a claim's subject that must stand around one of its "
            "values. Below it the value is said about something else."
        ),
    )
    known_subject: float = _set(
        0.3,
        (
            "Share of a claim's words, weighed by rarity, that must stand around one sentence of the history; a "
            "claim of which less is found is absent."
        ),
    )
    answer_cover: float = _set(
        0.2,
        (
            "Share of the question's words, weighed by rarity, that a sentence must hold to be an answer at all. "
            "Words that the text never uses are left out: a candidate says the same in other words."
        ),
    )
    later_sentence: float = _set(
        0.2, "How much more the last sentence of a text counts than the first: what was said last is what holds."
    )
    expected_kind: float = _set(
        2.0,
        ("Factor on a sentence that holds what the question word asks for, and that the question does not say itself."),
    )
    asking_sentence: float = _set(
        0.5, "Factor on a sentence that is itself a question: it asks for the answer and does not give it."
    )
    answer_meaning: float = _set(
        0.5, "Share of the embedder's cosine beside the words' score, where there is an embedder."
    )
    reference_cover: float = _set(
        0.8,
        ("Share of a reference's content words that an answer must hold, besides all of its numbers, dates and names."),
    )
    same_subject: float = _set(
        0.5, "Share of the content words of a statement that a later one must hold to be about the same."
    )
    changed_subject: float = _set(0.34, "The same where the later statement says that something changes.")
    same_question: float = _set(
        0.6,
        (
            "Two questions whose content words overlap this much (Jaccard, 0..1) and that have the same answer "
            "ask for the same."
        ),
    )
    nearly_one_question: float = _set(
        0.85, "The same whatever their answers: only one of two such questions can be understood."
    )


class TriggerCalibration(Frozen):
    """Of `triggers`: when talk has moved, and which thresholds are proposed for a conversation."""

    learning: float = _set(0.5, "Weight of the newest commit in the share that a boundary is expected to keep.")
    most_kept: float = _set(
        1.5,
        (
            "Largest share kept that a commit can tell: a boundary that grew more than its talk says that nothing "
            "shrinks."
        ),
    )
    rare_level: float = _set(
        0.95, "Quantile of drift and of falling surprise that counts as a level ordinary talk rarely reaches."
    )
    drift_release: float = _set(0.85, "Share of the proposed distance below which drift is released.")
    found_within: float = _set(
        0.03,
        ("A boundary is found when one is put within this share of the conversation's turns, at least five of them."),
    )
    turn_weight: float = _set(60.0, "Content words that one turn may weigh at most where recent talk is compared.")
    quoted_weight: float = _set(10.0, "Content words that a turn may weigh at most that is quoted as a whole.")
    least_scatter: float = _set(
        0.1,
        "Scatter (of unit rows, 0..1) that talk is taken to have which says the same all the time.",
        "common talk has 0.5",
    )


class Calibration(Frozen):
    """All thresholds about text that no policy sets, by room."""

    consensus: ConsensusCalibration = ConsensusCalibration()
    context: ContextCalibration = ContextCalibration()
    frame_agent: FrameCalibration = FrameCalibration()
    language: LanguageCalibration = LanguageCalibration()
    probe: ProbeCalibration = ProbeCalibration()
    triggers: TriggerCalibration = TriggerCalibration()

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON of its values."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


CALIBRATION = Calibration()
"""What every room takes its values from."""


class Threshold(NamedTuple):
    """One value of a calibration as it is shown.

    Attributes:
        name: Dotted, the room first.
        value: As it is stored.
        meaning: What is compared with it and what that decides.
        measured: How it was found.
    """

    name: str
    value: object
    meaning: str
    measured: str


def thresholds(calibration: Calibration) -> tuple[Threshold, ...]:
    """Every value of a calibration with its meaning, room by room; embedding models one number a line."""
    found: list[Threshold] = []
    for room in Calibration.model_fields:
        part = cast("Frozen", getattr(calibration, room))
        for name, field in type(part).model_fields.items():
            if name != "embedders":
                found.append(_threshold(f"{room}.{name}", getattr(part, name), field))
    for model, one in calibration.consensus.embedders.items():
        numbers = one.model_dump(exclude={"source"})
        found.extend(
            Threshold(f"consensus.embedders.{model}.{name}", value, field.description or "", one.source)
            for name, field in EmbedderCalibration.model_fields.items()
            if (value := numbers.get(name)) is not None
        )
    return tuple(found)


def _threshold(name: str, value: object, field: FieldInfo) -> Threshold:
    extra = cast("Mapping[str, str]", field.json_schema_extra)
    return Threshold(name, value, field.description or "", extra["measured"])
