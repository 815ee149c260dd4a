"""Wording of change: what a turn says when it puts something else in the place of what was said."""

import re

CHANGES = re.compile(
    r"\b(?:actually|correction|corrected|instead|no longer|(?:not )?any ?more|scrap|revers(?:e|ed|ing)|wrong|mistaken?"
    r"|misread|mixed up|typo|changed?|moved|postponed|brought forward|rather than|turns out|withdrawn"
    r"|I take (?:it|that) back|new (?:figure|number|date|deadline|plan)|update[ds]?|from now on|was never)\b",
    re.IGNORECASE,
)
"""Wording of a turn that puts something else in the place of what was said."""
