"""Who measures surprise for a watched conversation: words, a model on this machine, or a member of its roster."""

import logging
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path

from dissolution.errors import InvalidRoster
from dissolution.settings import Settings
from dissolution.surprise import SurpriseEstimator
from language.surprise.backoff import BackoffEstimator
from language.surprise.logprobs import LogProbEstimator

log = logging.getLogger(__name__)

ROSTER = "roster:"


def surprise_for(settings: Settings) -> Callable[[str], SurpriseEstimator]:
    """By a watch's fleet, its estimator: the settings' model, else a member with `prompt_logprobs`, else words.

    Each is made once and loads what it needs on first use. Values of two estimators are never compared: a change begins
    the sensors anew.
    """

    @cache
    def model(name: str) -> SurpriseEstimator:
        from consensus.embedding.causal_model import CausalEstimator, CausalModel

        return CausalEstimator(CausalModel(name, settings.embed_threads))

    @cache
    def of_fleet(fleet: str) -> SurpriseEstimator:
        if settings.surprise_model is not None:
            return model(settings.surprise_model)
        return by_member(Path(fleet.removeprefix(ROSTER)), settings) if fleet.startswith(ROSTER) else BackoffEstimator()

    return of_fleet


def by_member(roster: Path, settings: Settings) -> SurpriseEstimator:
    """The estimator over the first member that gives log-probabilities of what it reads; words when none does.

    A roster that cannot be read is told where its jobs are submitted, not here. What such a member costs belongs to no
    job: where it has a price and a day has a cap, it is not asked.
    """
    from fleet.roster import load_roster

    try:
        members = load_roster(roster).members
    except InvalidRoster:
        return BackoffEstimator()
    member = next((member for member in members if member.prompt_logprobs), None)
    if member is None:
        return BackoffEstimator()
    costs = member.price is not None and member.price.input_usd + member.price.output_usd > Decimal(0)
    if costs and (settings.day_usd is not None or settings.tenant_day_usd is not None):
        log.warning("member %r has a price and the day has a cap: surprise is measured by words", member.name)
        return BackoffEstimator()
    from fleet.prompt_logprobs import PromptScorer

    return LogProbEstimator(member.model, PromptScorer(member))
