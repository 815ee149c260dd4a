"""Counting tokens with a model's own vocabulary."""

from typing import Protocol


class Vocabulary(Protocol):
    """A byte-pair vocabulary, as the tokenizer libraries have it."""

    @property
    def name(self) -> str:
        """Its name, such as `o200k_base`."""
        ...

    def encode(self, text: str, *, disallowed_special: tuple[str, ...]) -> list[int]:
        """The tokens of a text; `disallowed_special` names marks that raise ValueError instead of being read."""
        ...


class VocabularyTokenCounter:
    """Counts exactly what a model of this vocabulary reads, marks such as `<|endoftext|>` as the plain text they are.

    An implementation of TokenCounter. Providers add a few tokens around each message; those are not counted.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @property
    def name(self) -> str:
        """The vocabulary's name, stored beside every count."""
        return self._vocabulary.name

    def count(self, text: str) -> int:
        """Tokens of `text`, 0 or more."""
        return len(self._vocabulary.encode(text, disallowed_special=()))
