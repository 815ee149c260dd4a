"""The frame as pictures: what rests on which premise, layer by layer, and lock-in over turns.

The graph is too wide for a chart, so its SVG is written here: boxes and curves, text as text, each box with its whole
words as a title for whoever points at it or has it read aloud. Status stands in words and in the line's dash, so that
nothing hangs on colour alone. The same register gives the same bytes.
"""

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from dissolution.framing import LockIn
from dissolution.premises import Dependant, Premise, PremiseStatus, Register
from dissolution.values import NotMeasured
from frame_agent.challenge.challenger import leverage
from frame_agent.register.lock_in import series
from reports.drawing import Panel, Series, draw_svg

BOX, GAP_X, GAP_Y, MARGIN = 300, 90, 16, 24
LINE_HEIGHT, LINE_CHARS, LINES = 16, 44, 3
BOX_HEIGHT = (LINES + 1) * LINE_HEIGHT + 14
MOST = 20
"""Premises drawn at most, those of most leverage: more are read by nobody."""

DASH: Mapping[PremiseStatus, str] = {
    PremiseStatus.ASSERTED: "",
    PremiseStatus.CONFIRMED: "",
    PremiseStatus.HEDGED: "6 4",
    PremiseStatus.PROPOSED: "10 4",
    PremiseStatus.ONE_OFF: "2 4",
    PremiseStatus.REJECTED: "2 2",
    PremiseStatus.IMPLICIT: "10 3 2 3",
    PremiseStatus.INJECTED: "1 3",
}
COLOUR: Mapping[PremiseStatus, str] = {
    PremiseStatus.ASSERTED: "#555555",
    PremiseStatus.CONFIRMED: "#009E73",
    PremiseStatus.HEDGED: "#D55E00",
    PremiseStatus.PROPOSED: "#0072B2",
    PremiseStatus.ONE_OFF: "#CC79A7",
    PremiseStatus.REJECTED: "#000000",
    PremiseStatus.IMPLICIT: "#E69F00",
    PremiseStatus.INJECTED: "#B00020",
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Place = tuple[int, int, int]
"""Turn, start, end."""


class _Node(NamedTuple):
    """One box: a premise, or what rests on one; what is both is drawn once."""

    place: Place
    words: str
    label: str
    colour: str
    dash: str


def frame_svg(register: Register, most: int = MOST) -> str:
    """An SVG document (UTF-8 text) of premises and what rests on them, from left to right.

    Args:
        register: What is drawn: premises with open dependants, those of most leverage.
        most: How many of them, 1 or more.
    """
    resting = [premise for premise in register.premises if premise.open_dependants]
    chosen = sorted(resting, key=lambda one: (-leverage(one), -len(one.open_dependants), one.turn, one.id))[:most]
    nodes = _nodes(chosen)
    edges = sorted(
        {(_place(one), _at(dependant)) for one in chosen for dependant in one.open_dependants}
        - {(place, place) for place in nodes}
    )
    layers = _layers(nodes, edges)
    spots = _spots(layers)
    left = f"; {len(resting) - len(chosen)} more are not drawn" if len(resting) > len(chosen) else ""
    title = f"What rests on what: {register.conversation}, through turn {register.through}"
    told = f"{len(chosen)} premises and what rests on them{left}"
    parts = [_edge(spots[one], spots[other]) for one, other in edges]
    parts += [_box(nodes[place], spot) for place, spot in spots.items()]
    return _document(parts, layers, title, told)


def lock_in_svg(register: Register) -> str:
    """An SVG document of lock-in and its share over the turns; turns without a figure leave a gap."""
    return lock_in_picture(series(register), register.conversation)


def lock_in_picture(measured: Sequence[LockIn], name: str) -> str:
    """The chart of lock-in measured turn by turn."""
    shown = [
        (one.turn, one.value, one.share)
        for one in measured
        if not isinstance(one.value, NotMeasured) and not isinstance(one.share, NotMeasured)
    ]
    turns = tuple(float(turn) for turn, _, _ in shown)
    panel = Panel(
        title=f"Lock-in: {name}",
        x_label="turn",
        y_label="lock-in, 0 to 1",
        series=(
            Series(name="lock-in", x=turns, y=tuple(value for _, value, _ in shown)),
            Series(
                name="share of what is open that rests on unconfirmed premises", x=turns, y=tuple(s for *_, s in shown)
            ),
        ),
        y_range=(0.0, 1.0),
    )
    return draw_svg([panel])


def _place(premise: Premise) -> Place:
    return premise.evidence.turn, premise.evidence.start, premise.evidence.end


def _at(dependant: Dependant) -> Place:
    return dependant.evidence.turn, dependant.evidence.start, dependant.evidence.end


def _nodes(chosen: Sequence[Premise]) -> dict[Place, _Node]:
    nodes: dict[Place, _Node] = {}
    for one in chosen:
        for dependant in one.open_dependants:
            place = _at(dependant)
            label = f"turn {place[0]} · {dependant.kind.value}"
            nodes[place] = _Node(place, dependant.evidence.text, label, "#777777", "")
    for one in chosen:
        place = _place(one)
        label = f"turn {one.turn} · {one.status.value.replace('_', ' ')} · {one.speaker}"
        nodes[place] = _Node(place, one.proposition, label, COLOUR[one.status], DASH[one.status])
    return dict(sorted(nodes.items()))


def _layers(nodes: Mapping[Place, _Node], edges: Sequence[tuple[Place, Place]]) -> list[list[Place]]:
    """The boxes by depth: what rests on something stands to the right of it. Words rest on what was said before."""
    depth = dict.fromkeys(nodes, 0)
    for place in nodes:  # in the order of the conversation
        for one, other in edges:
            if one == place and other > place:
                depth[other] = max(depth[other], depth[place] + 1)
    layers: list[list[Place]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for place, level in depth.items():
        layers[level].append(place)
    return layers


def _spots(layers: Sequence[Sequence[Place]]) -> dict[Place, tuple[int, int]]:
    top = MARGIN + 3 * LINE_HEIGHT
    return {
        place: (MARGIN + level * (BOX + GAP_X), top + row * (BOX_HEIGHT + GAP_Y))
        for level, layer in enumerate(layers)
        for row, place in enumerate(layer)
    }


def _edge(one: tuple[int, int], other: tuple[int, int]) -> str:
    """A curve from the right side of one box to the left side of the other."""
    x1, y1 = one[0] + BOX, one[1] + BOX_HEIGHT // 2
    x2, y2 = other[0], other[1] + BOX_HEIGHT // 2
    bend = GAP_X // 2
    return (
        f'<path d="M {x1} {y1} C {x1 + bend} {y1}, {x2 - bend} {y2}, {x2} {y2}" fill="none" stroke="#999999" '
        'stroke-width="1.2" marker-end="url(#arrow)"/>'
    )


def _box(node: _Node, spot: tuple[int, int]) -> str:
    x, y = spot
    words = _clean(node.words)
    lines = textwrap.wrap(words, LINE_CHARS) or [""]
    shown = lines[:LINES]
    if len(lines) > LINES:
        shown[-1] = f"{shown[-1][: LINE_CHARS - 1]}…"
    dash = f' stroke-dasharray="{node.dash}"' if node.dash else ""
    spans = "".join(
        f'<tspan x="{x + 10}" y="{y + (number + 2) * LINE_HEIGHT + 4}">{escape(line)}</tspan>'
        for number, line in enumerate(shown)
    )
    label = escape(_clean(node.label))
    return (
        f"<g><title>{label}: {escape(words)}</title>"
        f'<rect x="{x}" y="{y}" width="{BOX}" height="{BOX_HEIGHT}" rx="5" fill="#ffffff" stroke="{node.colour}" '
        f'stroke-width="1.8"{dash}/>'
        f'<text x="{x + 10}" y="{y + LINE_HEIGHT + 2}" font-size="11" fill="{node.colour}">{label}</text>'
        f'<text font-size="12" fill="#111111">{spans}</text></g>'
    )


def _document(parts: Sequence[str], layers: Sequence[Sequence[Place]], title: str, told: str) -> str:
    rows = max((len(layer) for layer in layers), default=0)
    width = 2 * MARGIN + len(layers) * BOX + (len(layers) - 1) * GAP_X
    height = 2 * MARGIN + 3 * LINE_HEIGHT + rows * (BOX_HEIGHT + GAP_Y)
    shown = _clean(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label={quoteattr(shown)} width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif">\n'
        f"<title>{escape(shown)}</title>\n<desc>{escape(told)}</desc>\n"
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M 0 0 L 8 4 L 0 8 z" fill="#999999"/></marker></defs>\n'
        f'<rect width="{width}" height="{height}" fill="#fafafa"/>\n'
        f'<text x="{MARGIN}" y="{MARGIN + 6}" font-size="15" fill="#111111">{escape(shown)}</text>\n'
        f'<text x="{MARGIN}" y="{MARGIN + 6 + LINE_HEIGHT}" font-size="12" fill="#444444">{escape(told)}</text>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _clean(text: str) -> str:
    """The text on one line, without what XML cannot hold."""
    return " ".join(_NOT_XML.sub("\ufffd", text).split())
