"""The JSON form of an extractive answer: stretches of turns with their score."""

import json
from collections.abc import Sequence

from dissolution.excerpts import Chosen

DIGITS = 4  # of a score


def reply_text(chosen: Sequence[Chosen]) -> str:
    """The answer as JSON text: `{"chosen": [{"start": 0, "end": 84, "turn": 7, "score": 0.93}, …]}`."""
    told = [one.model_dump() | {"score": round(one.score, DIGITS)} for one in chosen]
    return json.dumps({"chosen": told})
