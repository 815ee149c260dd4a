"""The members of the no-key fleet."""

from dissolution.ports import Embedder, Member
from fleet.extractive import centrality, cues, entities, last_word, surprise
from fleet.extractive.coverage import Coverage
from fleet.extractive.member import ExtractiveMember

NOTE = "extractive, no language model"
"""How the fleet is labelled wherever it is named."""

SIZE_RATIO = 3.0
"""What a policy that names no `consensus.size_ratio` gets for this fleet: its methods choose different turns by design,
so their pooled claims may fill three answers where unlike readers of everything fill little more than one."""


def extractive_fleet(embedder: Embedder) -> tuple[Member, ...]:
    """Six unlike extraction methods, each a member and a family of its own; `embedder` serves "coverage" alone."""
    return (
        ExtractiveMember("cues", "cue and temporal wording", "2", cues.score),
        ExtractiveMember("centrality", "TF-IDF graph centrality", "2", centrality.score),
        ExtractiveMember("coverage", f"embedding coverage ({embedder.stamp.model})", "2", Coverage(embedder)),
        ExtractiveMember("surprise", "information content by an adaptive n-gram model", "2", surprise.score),
        ExtractiveMember("entities", "density of values and names", "2", entities.score),
        ExtractiveMember("last-word", "last statement on recurring subjects", "2", last_word.score),
    )
