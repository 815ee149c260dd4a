"""A database that is not there is not made by who only wants to read."""

from pathlib import Path

from dissolution.errors import StoreUnavailable


def refuse_missing(url: str) -> None:
    """Raise StoreUnavailable when a SQLite URL names a file that is not there; a server answers for itself."""
    from store.sql.places import masked, parse_url

    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return
    try:
        exists = Path(parsed.database).expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return  # no name the machine understands: opening it says so, with the reason
    if not exists:
        raise StoreUnavailable(masked(url), "does not exist; check --db, or make it with `dissolve run`")
