"""The settings of commands that may be started beside a running `dissolve up`."""

from pathlib import Path

from cli.shared.output import say
from dissolution.errors import InputError
from dissolution.settings import Settings, load_settings
from workers.runtime.up_state import UpState, beside, running_up


def settings_beside(folder: Path | None = None, **flags: object) -> tuple[Settings, UpState | None]:
    """The settings, with the places of the `dissolve up` that runs where nothing else names them; and that `up`.

    Args:
        folder: Of the `up` that is meant; the usual one, if any runs there, when None.
        flags: As for `load_settings`.

    Raises:
        InputError: no `up` runs in the folder that was named.
        InvalidSettings: as `load_settings`.
    """
    settings = load_settings(**flags)
    state = running_up(None if folder is None else folder.expanduser().resolve())
    if folder is not None and state is None:
        raise InputError(f"no `dissolve up` runs in {str(folder)!r}", "give the folder that it was given with --dir")
    if state is not None and state.db_has_password and "db" not in settings.model_fields_set:
        say(f"`dissolve up` works on {state.db}, whose password is kept nowhere; set DISSOLVE_DB as it was for `up`")
    return beside(settings, state, named=folder is not None), state
