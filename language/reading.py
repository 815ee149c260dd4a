"""What is read from a text: once, and shared by whoever needs it.

A turn or a claim is read by `read`; its sentences are readings themselves. Everything is worked out when it is first
asked for and kept. Nothing here understands a text: values, names and sentences are form, and how a sentence is put is
a suspicion with a probability.
"""

import re
from functools import cached_property
from typing import NamedTuple

from dissolution.temporal import Temporal
from dissolution.values import Span
from language.dates import PARTS, DateMention, dates
from language.identifiers import Identifier, identifiers
from language.masks import code_spans, quotation_spans
from language.names import names
from language.negation import is_negated
from language.numbers import Quantity, quantities
from language.putting import Weighed, phrasing_of, reply_to
from language.remembered import remembered
from language.sentences import sentence_spans
from language.temporal import classify
from language.words import content_sequence, words

LAYOUT = re.compile(r"^(?:[-*•>\d.)\s]+(?=\S))+")
ENDS_AFTER_QUESTION = "\"'”’)*_ \n"


class Sentence(NamedTuple):
    """One sentence of a text: where it stands, and what is read from it."""

    span: Span
    reading: "Reading"


class Reading:
    """What one text holds. Offsets are code points of `text`."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences, in order, never overlapping."""
        return tuple(Sentence(span, read(self.text[span.start : span.end])) for span in sentence_spans(self.text))

    @cached_property
    def quoted(self) -> tuple[Span, ...]:
        """What stands in code or between quotation marks, in order of their starts."""
        return tuple(sorted((*code_spans(self.text), *quotation_spans(self.text)), key=lambda span: span.start))

    @cached_property
    def plain(self) -> str:
        """The text without the bullet or number of its first line."""
        return LAYOUT.sub("", self.text) or self.text

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Its words in lower case, in order."""
        return words(self.text)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The stems of its words with content, in order, repeats included."""
        return content_sequence(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The same, each once."""
        return frozenset(self.content)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Its numbers with their units."""
        return quantities(self.text)

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        """Its dates and times of day."""
        return dates(self.text)

    @cached_property
    def identifiers(self) -> tuple[Identifier, ...]:
        """Its identifiers: versions, hosts, files, tickets."""
        return identifiers(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """Its proper names and acronyms, word by word."""
        return names(self.text)

    @cached_property
    def values(self) -> frozenset[str]:
        """Its typed values in a form in which the same value is written the same: "28800 second", "05-14", "web-a1"."""
        return self.measures | frozenset(one.normalised for one in self.identifiers)

    @cached_property
    def measures(self) -> frozenset[str]:
        """Its numbers and dates in that form: the values that change while what they are of stays."""
        numbers = (f"{one.value.normalize():f} {one.unit or ''}".strip() for one in self.quantities)
        said = (
            " ".join(f"{part}={getattr(one, part)}" for part in PARTS if getattr(one, part) is not None)
            for one in self.dates
        )
        return frozenset(numbers) | frozenset(one for one in said if one)

    @cached_property
    def terms(self) -> frozenset[str]:
        """What it is about: the stems of its words with content, and its typed values."""
        return self.stems | self.values

    @cached_property
    def asks(self) -> bool:
        """Whether it ends in a question mark."""
        return self.text.rstrip(ENDS_AFTER_QUESTION).endswith("?")

    @cached_property
    def is_negated(self) -> bool:
        """Whether it denies something, by the closed class of words that do."""
        return is_negated(self.text)

    @cached_property
    def temporal(self) -> Temporal:
        """When it holds, as far as wording and dates tell; of one sentence."""
        return classify(self.text)

    @cached_property
    def put(self) -> Weighed:
        """How it is put, with probabilities; of one sentence."""
        return phrasing_of(self.plain)

    @cached_property
    def reply(self) -> Weighed:
        """What it does with what the other side proposed last, with probabilities; of one sentence."""
        return reply_to(self.plain)


@remembered
def read(text: str) -> Reading:
    """The reading of a text; the same sentence or claim is read once, a long turn as often as it is asked for."""
    return Reading(text)
