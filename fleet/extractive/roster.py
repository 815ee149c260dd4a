"""The members of the no-key fleet."""

from dissolution.ports.models import Embedder, Member
from fleet.extractive import echo, surprise, values
from fleet.extractive.coverage import Coverage
from fleet.extractive.member import ExtractiveMember

NOTE = "extractive, no language model"
"""How the fleet is labelled wherever it is named."""


def extractive_fleet(embedder: Embedder) -> tuple[Member, ...]:
    """Four unlike extraction methods, each a member and a family of its own; `embedder` serves "coverage" alone."""
    return (
        ExtractiveMember("coverage", f"embedding coverage ({embedder.stamp.model})", "3", Coverage(embedder)),
        ExtractiveMember("echo", "rare words that other turns take up", "1", echo.score),
        ExtractiveMember("surprise", "information content by an adaptive n-gram model", "3", surprise.score),
        ExtractiveMember("values", "density of values and names", "1", values.score),
    )
