"""Which installation this is: the whole one, or the light one without the embedding model and what it needs."""

from importlib.util import find_spec

MODEL = "all-MiniLM-L6-v2"
HASHING = "hashing"
LEFT_OUT = "sentence_transformers"
"""The package whose absence makes an installation a light one; torch and its kin come with it."""

WHOLE = "install the project whole (`pip install .`)"
CHOSEN = (
    f"light install: statements are compared by the embedder {HASHING!r}, by spelling and not by meaning; "
    f"for {MODEL!r} {WHOLE}"
)
"""What is said where the light installation chose for its user."""


def is_installed(package: str) -> bool:
    """Whether a top-level package can be found; it is not imported."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # somebody refuses it, or put another thing in its place
        return False


def is_light() -> bool:
    """Whether this installation lacks what loads embedding models."""
    return not is_installed(LEFT_OUT)


def default_embedder() -> str:
    """The embedder of an installation that names none: the model where it can be loaded."""
    return HASHING if is_light() else MODEL
