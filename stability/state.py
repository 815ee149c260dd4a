"""What stands after one cycle, in a form in which boundaries and plain texts can be compared."""

from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from dissolution.values import Frozen
from language.sentences import sentence_spans


class Item(Frozen):
    """One statement of a state. `id` is a ledger's; a text has none."""

    section: Section
    text: str
    id: str | None = None


class State(Frozen):
    """What stands after one cycle."""

    items: tuple[Item, ...]
    ended: frozenset[str] = frozenset()  # ids that this cycle closed, with a reason, up to now
    has_sections: bool = True  # False for plain text and excerpts: their statements then all count as KNOWN
    asserted: bool = True  # False for excerpts: they say what was said, and are held against no truth

    @property
    def text(self) -> str:
        """All of it, a statement a line."""
        return "\n".join(item.text for item in self.items)


def state_of(boundary: BoundaryState, ended: frozenset[str] = frozenset()) -> State:
    """A committed boundary; `ended` are the claims that cycles before it closed. Where it has none, its excerpts."""
    if boundary.excerpts and not boundary.claims:
        quoted = tuple(Item(section=Section.KNOWN, text=excerpt.text) for excerpt in boundary.excerpts)
        return State(items=quoted, ended=ended, has_sections=False, asserted=False)
    return State(
        items=tuple(Item(section=claim.section, text=claim.text, id=claim.id) for claim in boundary.claims),
        ended=ended | {claim.id for claim in boundary.closed},
    )


def state_of_text(text: str) -> State:
    """A summary or any other text: each sentence a statement."""
    sentences = (text[span.start : span.end].strip(" -*•\n") for span in sentence_spans(text))
    return State(
        items=tuple(Item(section=Section.KNOWN, text=one) for one in sentences if one),
        has_sections=False,
    )
