"""The JSON form of an extractive answer: four sections, each claim with its turns and its quote."""

import json
from collections.abc import Sequence

from dissolution.claims import Section
from fleet.extractive.candidates import Candidate


def reply_text(chosen: Sequence[Candidate]) -> str:
    """The answer as JSON text: `{"KNOWN": [{"text": …, "turns": [7], "quote": "…"}], …}`; all four sections always."""
    sections = {
        section.value: [
            {"text": candidate.text, "turns": list(candidate.turns), "quote": candidate.quote}
            for candidate in chosen
            if candidate.section is section
        ]
        for section in Section
    }
    return json.dumps(sections, ensure_ascii=False, indent=1)
