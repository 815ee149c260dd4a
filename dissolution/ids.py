"""Identifiers: random for jobs, derived for claims."""

import hashlib
import secrets
from typing import Annotated

from pydantic import Field

JobId = Annotated[str, Field(min_length=1, max_length=64)]


def new_job_id() -> JobId:
    """A random job id: `j` and 12 hex digits (48 bits)."""
    return f"j{secrets.token_hex(6)}"


def claim_id(job: JobId, *parts: str) -> str:
    """A claim's id: `c` and 12 hex digits of SHA-256 over the job and the parts; the same parts give the same id."""
    text = "".join(f"{len(part)}:{part}" for part in (job, *parts))
    return f"c{hashlib.sha256(text.encode()).hexdigest()[:12]}"
