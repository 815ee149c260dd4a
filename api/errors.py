"""Errors of requests, beside those of the kernel. Each says what happened and what the caller can do.

RequestError
├── MalformedBody            the body is not the JSON it should be
├── InvalidRequest           values that cannot be used, field by field
├── InvalidKeyHeader         an Idempotency-Key that cannot be used
├── Unauthenticated          no key, or one that does not work
├── Forbidden                the key does not allow it
├── NoSuchRoute              nothing has this address
├── NotRunYet                the stage that would know has not run, or does not run in this job
├── NoBoundary               the conversation has no committed boundary yet
├── MethodNotAllowed         this address does not take this method
├── BodyTooSlow              the body did not arrive in time
├── ConversationExists       another conversation has the name
├── TurnsConflict            the conversation has more or fewer turns than expected
├── PreconditionFailed       If-Match names another state
├── BodyTooLarge             the body is larger than the service takes
├── UnsupportedBody          the body is not plain application/json
├── HeadersTooLarge          the address or the headers are longer than the service takes
├── IdempotencyKeyReused     the key came with another request before
├── TooManyRequests          the caller asks faster than it may
├── TooManyJobs              the tenant has as many unfinished jobs as it may
├── Crowded                  all connections, or all of the caller's address, are in use
└── InternalFault            a fault of this software
"""

from dissolution.errors import DissolutionError


class RequestError(DissolutionError):
    """A request that cannot be done as it was made."""

    code = "bad_request"
    status = 400

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what}: {self.remedy}"


class MalformedBody(RequestError):
    """The body is not the JSON it should be."""

    code = "malformed_body"


class InvalidRequest(RequestError):
    """Values that cannot be used; `errors` names each with its place."""

    code = "invalid_request"
    status = 422

    def __init__(self, errors: tuple[tuple[str, str], ...]) -> None:
        DissolutionError.__init__(self, errors)
        self.errors = errors
        self.what = f"{len(errors):,} {'value' if len(errors) == 1 else 'values'} cannot be used"
        self.remedy = "see `errors` for each, by its place"


class InvalidKeyHeader(RequestError):
    """An Idempotency-Key that cannot be used."""

    code = "invalid_idempotency_key"


class Unauthenticated(RequestError):
    """No API key, or one that does not work: unknown, expired or taken back."""

    code = "unauthenticated"
    status = 401


class Forbidden(RequestError):
    """The API key works, and does not allow this."""

    code = "forbidden"
    status = 403


class NoSuchRoute(RequestError):
    """Nothing has this address."""

    code = "no_such_route"
    status = 404


class NotRunYet(RequestError):
    """The stage that would know has not run yet, or does not run in this job."""

    code = "not_run"
    status = 404


class NoBoundary(RequestError):
    """The conversation has no committed boundary; its history stays in force."""

    code = "no_boundary"
    status = 404


class MethodNotAllowed(RequestError):
    """This address does not take this method."""

    code = "method_not_allowed"
    status = 405


class BodyTooSlow(RequestError):
    """The body did not arrive in time."""

    code = "body_too_slow"
    status = 408


class ConversationExists(RequestError):
    """Another conversation of this tenant has the name."""

    code = "conversation_exists"
    status = 409


class TurnsConflict(RequestError):
    """The conversation has another number of turns than expected: somebody else added some, or fewer are stored."""

    code = "turns_conflict"
    status = 409


class PreconditionFailed(RequestError):
    """If-Match names another state than the present one."""

    code = "precondition_failed"
    status = 412


class BodyTooLarge(RequestError):
    """The body is larger than the service takes."""

    code = "body_too_large"
    status = 413


class UnsupportedBody(RequestError):
    """The body is not plain, uncompressed application/json."""

    code = "unsupported_body"
    status = 415


class HeadersTooLarge(RequestError):
    """The address or the headers are longer than the service takes."""

    code = "headers_too_large"
    status = 431


class IdempotencyKeyReused(RequestError):
    """The Idempotency-Key came with another request before."""

    code = "idempotency_key_reused"
    status = 422


class TooManyRequests(RequestError):
    """The caller asks faster than it may."""

    code = "too_many_requests"
    status = 429

    def __init__(self, wait_s: float) -> None:
        DissolutionError.__init__(self, wait_s)
        self.wait_s = wait_s
        self.what = "too many requests"
        self.remedy = f"try again in {wait_s:.0f} s"


class TooManyJobs(RequestError):
    """The tenant has as many unfinished jobs as it may."""

    code = "too_many_jobs"
    status = 429


class Crowded(RequestError):
    """Every connection that the service takes, at all or from this address, has a request under way."""

    code = "crowded"
    status = 503


class InternalFault(RequestError):
    """A fault of this software; its kind is in the service's log under the request's id."""

    code = "internal_fault"
    status = 500
