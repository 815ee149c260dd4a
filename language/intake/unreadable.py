"""What a file system says of a path, as a refusal that names it and says what to do."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dissolution.errors import InvalidConversation


@contextmanager
def refusing(path: Path) -> Generator[None]:
    """Within the block a path that cannot be opened or read is refused. Raises InvalidConversation."""
    try:
        yield
    except FileNotFoundError:
        raise InvalidConversation(f"file {str(path)!r} does not exist", "check the path") from None
    except PermissionError:
        raise InvalidConversation(f"file {str(path)!r} may not be read", "check its permissions") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InvalidConversation(f"file {str(path)!r} cannot be read", reason) from error
