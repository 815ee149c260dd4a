"""What recall can find, and how; apart from its other types, since a command line names them before it loads more."""

from enum import StrEnum


class RecallKind(StrEnum):
    """What can be found."""

    CLAIM = "claim"
    DISSENT = "dissent"
    TURN = "turn"


class RecallBy(StrEnum):
    """How words are compared with texts."""

    AUTO = "auto"  # by words, and by meaning where the embedder is ready in this process
    WORDS = "words"  # by words alone
    MEANING = "meaning"  # by both; the embedder is loaded if need be
