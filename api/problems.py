"""Errors as problem documents (RFC 9457): a stable type and code, what happened, and what the caller can do."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from api import errors as own
from api.remedies import REMEDIES
from dissolution import errors
from dissolution.errors import DissolutionError
from dissolution.tenancy import MARK

MOST_FIELDS = 50
"""Values that one document names; `detail` says how many there are."""

MOST_CHARS = 2000
"""Of a detail."""

MOST_FIELD_CHARS = 300
"""Of a value's place and of what is wrong with it, each: both may repeat what was sent."""

MEDIA_TYPE = "application/problem+json"
TYPE = "urn:dissolution:problem:"


class FieldProblem(BaseModel):
    """One value that cannot be used."""

    field: str
    """Where it stands: a dotted path that begins with `body`, `query`, `path` or `header`."""
    message: str


class Problem(BaseModel):
    """Why a request was not done, as RFC 9457 has it; `code` is what programs look at."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: Annotated[str, Field(pattern=r"^urn:dissolution:problem:[a-z_]+$")]
    """Stable; its page is docs/api-errors.md."""
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    code: str
    """Stable, the last part of the type."""
    detail: str
    """What happened, with which value, and what to do."""
    instance: str
    """The request's id, as the service's log has it."""
    errors: Annotated[list[FieldProblem], Field(max_length=MOST_FIELDS)] | None = None
    """Each value that cannot be used, the first fifty of them; with `invalid_request` only."""
    retry_after_s: float | None = None
    """When to try again (s), where that is known; the Retry-After header says the same."""


STATUSES: Mapping[type[DissolutionError], int] = {
    errors.DissolutionError: 500,
    errors.InputError: 422,
    errors.ChangedPast: 409,
    errors.BehindBoundary: 409,
    errors.SnapshotTooLarge: 413,
    errors.NotFound: 404,
    errors.InvalidSettings: 500,
    errors.InvalidPrompt: 500,
    errors.NoCalibration: 500,
    errors.HistoryInForce: 409,
    errors.MemberError: 502,
    errors.JobError: 409,
    errors.BudgetExceeded: 422,
    errors.DayBudgetExceeded: 429,
    errors.TenantBusy: 429,
    errors.EvidenceMismatch: 500,
    errors.StoreError: 503,
    errors.ModelAssetError: 503,
    errors.ProgramFailed: 500,
}
"""The status of each kind of kernel error; a kind that is not listed has its base's."""

RETRY_S = {503: 5.0, 429: 60.0}


class Kind(NamedTuple):
    """One kind of problem, as the page of errors lists it."""

    code: str
    status: int
    meaning: str
    remedy: str


def status_of(kind: type[DissolutionError]) -> int:
    """The HTTP status of a kind of error."""
    if issubclass(kind, own.RequestError):
        return kind.status
    return next(STATUSES[base] for base in kind.__mro__ if base in STATUSES)


def kinds() -> tuple[Kind, ...]:
    """Every kind of problem that a request may meet, by status and code."""
    found = {kind.code: _kind(kind) for kind in _tree(DissolutionError) if kind.__module__ in MODULES}
    return tuple(sorted(found.values(), key=lambda kind: (kind.status, kind.code)))


MODULES = (errors.__name__, own.__name__)


def _tree(kind: type[DissolutionError]) -> Iterator[type[DissolutionError]]:
    """All kinds below, the base last, so that of two with one code the base is told."""
    for below in kind.__subclasses__():
        yield from _tree(below)
    yield kind


def _kind(kind: type[DissolutionError]) -> Kind:
    status = status_of(kind)
    return Kind(kind.code, status, " ".join((kind.__doc__ or "").split()), REMEDIES[kind.code])


def problem_of(error: DissolutionError, request_id: str, tenant: str = "") -> Problem:
    """The problem document of an error. The tenant's mark before a conversation's name is left off."""
    status = status_of(type(error))
    said = _public(error)
    detail = _cut(said.replace(f"{tenant}{MARK}", "") if tenant else said, MOST_CHARS)
    fields = error.errors if isinstance(error, own.InvalidRequest) else None
    wait = error.wait_s if isinstance(error, own.TooManyRequests) else RETRY_S.get(status)
    return Problem(
        type=f"{TYPE}{error.code}",
        title=" ".join((type(error).__doc__ or error.code).split()).partition(";")[0].rstrip("."),
        status=status,
        code=error.code,
        detail=detail,
        instance=f"urn:request:{request_id}",
        errors=None if fields is None else [_field(where, what) for where, what in fields[:MOST_FIELDS]],
        retry_after_s=wait,
    )


def _public(error: DissolutionError) -> str:
    """The words of an error; of the database's, which name its place, what a caller can do with them."""
    return f"{type(error).__doc__} {REMEDIES[error.code]}" if isinstance(error, errors.StoreError) else str(error)


def _field(where: str, what: str) -> FieldProblem:
    return FieldProblem(field=_cut(where, MOST_FIELD_CHARS), message=_cut(what, MOST_FIELD_CHARS))


def _cut(words: str, most: int) -> str:
    """Words of any caller's making, no longer than `most` characters, and such that UTF-8 holds them."""
    told = words if len(words) <= most else f"{words[: most - 1]}…"
    return told.encode(errors="replace").decode()


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The responses of a route that are problems, for its OpenAPI description."""
    return {
        status: {
            "description": f"{HTTPStatus(status).phrase}: see docs/api-errors.md.",
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in sorted(statuses)
    }


ALWAYS = (400, 401, 403, 422, 429, 431, 500, 503)
"""What any route with a key may answer."""
