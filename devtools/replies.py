"""Claims written as a reply, in the form that version 2 of the prompts asks for or as JSON. Parsing gives them back."""

import json
from collections.abc import Sequence

from dissolution.answers import FinishReason
from dissolution.claims import Section, StatedClaim
from prompts.parse import parse_reply


def render_reply(claims: Sequence[StatedClaim]) -> str:
    """The four headings with one bullet a claim, `- text [turns 7, 22]`; an empty section says "none".

    `parse_reply` gives the same claims back, section by section, but for `place`.

    Raises:
        ValueError: a claim that this form cannot carry: quotes, several lines, or text that would be read as a mark.
            Use `render_json_reply` for it.
    """
    lines: list[str] = []
    for section in Section:
        if lines:
            lines.append("")
        lines.append(section.value)
        lines.extend([_bullet(claim) for claim in claims if claim.section is section] or ["none"])
    text = "\n".join(lines)
    wanted = [_content(claim) for section in Section for claim in claims if claim.section is section]
    read = [_content(claim) for claim in parse_reply(text, FinishReason.STOP).claims]
    if read != wanted:
        lost = next((claim for claim in wanted if claim not in read), "their order")
        message = f"the bullet form cannot carry {lost!r}; write these claims with render_json_reply"
        raise ValueError(message)
    return text


def render_json_reply(claims: Sequence[StatedClaim]) -> str:
    """`{"KNOWN": [{"text", "turns", "quotes"}, …], …}`: carries every claim exactly, but for `place`."""
    return json.dumps(
        {
            section.value: [
                {"text": claim.text, "turns": list(claim.turns), "quotes": list(claim.quotes)}
                for claim in claims
                if claim.section is section
            ]
            for section in Section
        },
        ensure_ascii=False,
        indent=1,
    )


def _bullet(claim: StatedClaim) -> str:
    if not claim.turns:
        return f"- {claim.text}"
    word = "turn" if len(claim.turns) == 1 else "turns"
    return f"- {claim.text} [{word} {', '.join(map(str, claim.turns))}]"


def _content(claim: StatedClaim) -> tuple[Section, str, tuple[int, ...], tuple[str, ...]]:
    return claim.section, claim.text, claim.turns, claim.quotes
