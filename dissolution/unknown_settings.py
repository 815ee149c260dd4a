"""Variables of the environment that look like settings and are none: they would be ignored without a word."""

from collections.abc import Iterator, Mapping

from dissolution.nearest import meant
from dissolution.settings import (
    ENVIRONMENT_PREFIX,
    SECRETS_FOLDER_VARIABLE,
    SETTINGS_FILE_VARIABLE,
    Settings,
)

TOLD = "DISSOLVE_TOLD_UNKNOWN"
"""Set by a command that has told of them already and becomes another program."""

OTHERS = frozenset(
    {SETTINGS_FILE_VARIABLE, SECRETS_FOLDER_VARIABLE, "DISSOLVE_QUEUE", "DISSOLVE_URL", "DISSOLVE_API_KEY", TOLD}
)
"""Variables that are no settings: of where settings are, of `celery -A workers.main`, and of programs that call the
service."""

TESTING = "DISSOLVE_TEST_"
"""How the variables of the project's own tests begin."""


def unknown_variables(environ: Mapping[str, str]) -> Iterator[str]:
    """One line for each such variable, with the setting that was probably meant; its value is not repeated."""
    known = {f"{ENVIRONMENT_PREFIX}{name}".upper() for name in Settings.model_fields} | OTHERS
    for name in sorted(environ):
        plain = name.upper()
        if plain.startswith(ENVIRONMENT_PREFIX) and plain not in known and not plain.startswith(TESTING):
            yield f"variable {name!r} is no setting and is ignored{meant(plain, known)} (docs/settings.md)"
