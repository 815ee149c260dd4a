"""What each foreign form says of itself, and what a file of it gives."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from language.intake.drafts import Draft
from language.intake.foreign.material import Material
from language.intake.options import Form
from language.intake.times import Stamps

Files = Mapping[str, Material]
"""The files of a folder or an archive, by their path inside it, with `/` between its parts."""


class Entry(NamedTuple):
    """One conversation of a file, not read yet: one that is broken keeps none of the others from being read."""

    id: str | None
    """Its own id; None when the form has none."""
    title: str | None
    """Its own title; None without one."""
    draft: Callable[[Stamps], Draft]
    """Reads it. Raises InvalidConversation, naming what in it is wrong."""
    aside: bool = False
    """Whether it belongs to another conversation of the file (a helper's talk): read only when asked for by its id."""


class ForeignForm(NamedTuple):
    """One form that another program writes.

    A form whose conversation is spread over several files has `recognise_files` and `read_files` too.
    """

    form: Form
    title: str
    """What people call it: "Claude Code session"."""
    marks: frozenset[str]
    """The keys that only this form has together: a file that is refused is compared with them."""
    converter: str
    """What to do with a file that is nearly this form: how to get a right one."""
    recognise: Callable[[Material], str | None]
    """Why a file is of this form, in a few words ("rows with uuid and parentUuid"), by structure alone; else None."""
    read: Callable[[Material], tuple[Entry, ...]]
    """The conversations of a file, in its order. Raises InvalidConversation when the file as a whole is wrong."""
    recognise_files: Callable[[Files], str | None] | None = None
    """Why a folder or an archive is of this form; else None."""
    read_files: Callable[[Files], tuple[Entry, ...]] | None = None
    """The conversations of a folder or an archive. Raises InvalidConversation."""
