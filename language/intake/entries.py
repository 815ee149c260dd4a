"""Every conversation of a file, whatever its form: for whoever takes in all of them instead of one."""

from typing import NamedTuple

from language.intake.detect import Detected, detect
from language.intake.drafts import Draft
from language.intake.foreign.form import Entry, Files
from language.intake.foreign.material import Material
from language.intake.foreign.registry import BY_FORM, FOREIGN
from language.intake.json_values import as_text
from language.intake.native import id_of, read_native
from language.intake.options import Form, ReadingOptions
from language.intake.read import READERS
from language.intake.strict_json import json_lines
from language.intake.times import Stamps


class FoundConversations(NamedTuple):
    """The conversations of a file, of a folder or of an archive, and the form that they have."""

    detected: Detected
    entries: tuple[Entry, ...]


def entries_of(material: Material, form: Form | None) -> FoundConversations:
    """The conversations of one file; `form` forces one, None looks at the content. Raises InvalidConversation."""
    detected = detect(material) if form is None else Detected(form, "as was asked for")
    if detected.form in BY_FORM:
        return FoundConversations(detected, BY_FORM[detected.form].read(material))
    if detected.form is Form.NATIVE_JSONL:
        return FoundConversations(detected, _lines(material))
    reader = READERS[detected.form]

    def draft(stamps: Stamps) -> Draft:
        return reader(material, ReadingOptions(), stamps)

    return FoundConversations(detected, (Entry(None, None, draft),))


def entries_of_all(files: Files) -> FoundConversations | None:
    """The conversations of a folder or an archive whose files belong together; None when each stands for itself.

    Raises InvalidConversation.
    """
    for one in FOREIGN:
        reason = None if one.recognise_files is None else one.recognise_files(files)
        if reason is not None and one.read_files is not None:
            return FoundConversations(Detected(one.form, reason), one.read_files(files))
    return None


def _lines(material: Material) -> tuple[Entry, ...]:
    def entry(number: int, fields: dict[str, object]) -> Entry:
        def draft(stamps: Stamps) -> Draft:
            return read_native(fields, f"{material.name}, line {number}", stamps)

        return Entry(id_of(fields), as_text(fields.get("title")), draft)

    return tuple(entry(number, fields) for number, fields in json_lines(material.whole_text(), material.name))
