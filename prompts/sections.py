"""A reply's lines parted into sections: which heading-like lines are the headings, and what stands under each."""

from dataclasses import dataclass, field

from dissolution.claims import Section
from prompts.headings import Heading, is_extra, resolve, without_ordinal
from prompts.lines import HeadingMark, Line, Markup, Style, lines_of

SHOWN_CHARS = 60
"""A label is shown in a problem up to this length."""

LEAST_RENAMED = 2
"""Sections that must be named when none is by its own name: a summary may well have one list called "Open"."""


@dataclass(slots=True)
class Block:
    """The lines under one heading; `sections` is empty for text that belongs to none of the four."""

    sections: tuple[Section, ...]
    label: str = ""
    rest: tuple[int, int] | None = None  # text on the heading's own line
    lines: list[Line] = field(default_factory=list[Line])


@dataclass(slots=True)
class Layout:
    """A reply parted: what stands before the first heading, the blocks in order, and what was odd."""

    before: list[Line]
    blocks: list[Block]
    problems: list[str]
    found: dict[Section, None] = field(default_factory=dict[Section, None])  # the sections named, in order, each once


def layout_of(text: str) -> Layout:
    """Part a reply in text form. Without credible headings all of it is `before`."""
    lines = lines_of(text)
    chosen, main = _headings(lines)
    expected = {section for heading in chosen.values() for section in heading.sections}
    layout = Layout(before=[], blocks=[], problems=[])
    for index, line in enumerate(lines):
        mark = line.mark
        if mark is not None and index in chosen:
            _open(layout, chosen[index], mark, line)
        elif not layout.blocks:
            layout.before.append(line)
        elif mark is not None and mark.alone and not mark.bulleted and main is not None:
            # Once all headings have been seen, another of their kind opens something else ("**Next steps**").
            complete = mark.markup is main.markup and expected <= layout.found.keys()
            _stray(layout, mark, ends=_outranks(mark, main) or is_extra(mark.label), complete=complete)
        else:
            layout.blocks[-1].lines.append(line)
    return layout


def shown(label: str) -> str:
    """A label as problems show it: one line, without number and markup, at most 60 characters."""
    return excerpt(without_ordinal(" ".join(label.split()).strip("*_#:\uff1a ")))


def excerpt(words: str) -> str:
    """At most 60 characters of something found, on one line."""
    text = " ".join(words[: 2 * SHOWN_CHARS].split())
    return text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS - 1]}\u2026"


def _headings(lines: list[Line]) -> tuple[dict[int, Heading], HeadingMark | None]:
    """Line index to heading for the lines taken as headings, and one heading in their main style."""
    marks = {index: line.mark for index, line in enumerate(lines) if line.mark is not None}
    exact = {index: mark.heading for index, mark in marks.items() if mark.heading is not None}
    chosen, main = _in_one_style(marks, exact)
    named = {section for heading in chosen.values() for section in heading.sections}
    for index, mark in marks.items():
        # A marked heading that only contains a telling word counts where it fills a gap in the same style.
        if mark.heading is None and mark.alone and not mark.bulleted and (main is None or main.style == mark.style):
            guess = resolve(mark.label, by_keyword=True)
            if guess is not None and not named & set(guess.sections):
                chosen[index] = guess
                named |= set(guess.sections)
                main = main or mark
    if len(named) < LEAST_RENAMED and not any(heading.canonical for heading in chosen.values()):
        return {}, None
    return chosen, main


def _in_one_style(
    marks: dict[int, HeadingMark], exact: dict[int, Heading]
) -> tuple[dict[int, Heading], HeadingMark | None]:
    """The headings of the style that names most sections, and others only where they name what that style lacks.

    So a heading inside a statement ("- KNOWN: …", a pasted "## Decided" under bold headings) stays a statement.
    """
    styles: dict[Style, set[Section]] = {}
    for index, heading in exact.items():
        styles.setdefault(marks[index].style, set()).update(heading.sections)
    if not styles:
        return {}, None
    # Most sections first; then headings outside bullets; then the style met first.
    best = max(styles, key=lambda style: (len(styles[style]), not style.bulleted))
    named = styles[best]
    chosen = {
        index: heading
        for index, heading in exact.items()
        if marks[index].style == best
        or (not marks[index].bulleted and heading.canonical and not named & set(heading.sections))
    }
    return chosen, next(mark for mark in marks.values() if mark.style == best)


def _open(layout: Layout, heading: Heading, mark: HeadingMark, line: Line) -> None:
    label = shown(mark.label)
    names = [section.value for section in heading.sections]
    if not heading.canonical:
        code = "merged_section" if len(names) > 1 else "renamed_section"
        layout.problems.append(f"{code}: {label}")
    layout.problems.extend(
        f"repeated_section: {section.value}" for section in heading.sections if section in layout.found
    )
    layout.found.update(dict.fromkeys(heading.sections))
    rest = (mark.rest, line.end) if mark.rest < line.end else None
    layout.blocks.append(Block(sections=heading.sections, label=label, rest=rest))


def _outranks(mark: HeadingMark, main: HeadingMark) -> bool:
    """Whether a heading stands at the level of the sections' headings or above."""
    if mark.markup is Markup.HASH:
        return main.markup is not Markup.HASH or mark.level <= main.level
    return False


def _stray(layout: Layout, mark: HeadingMark, *, ends: bool, complete: bool) -> None:
    """A heading that opens no section: the end of the sections, or a heading inside one."""
    label = shown(mark.label)
    if mark.markup is Markup.TAG and mark.closes:
        layout.blocks.append(Block(sections=()))
    elif mark.heading is None and (ends or complete):
        layout.problems.append(f"unknown_section: {label}")
        layout.blocks.append(Block(sections=(), label=label))
    else:
        layout.problems.append(f"subheading: {label}")
