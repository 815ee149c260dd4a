"""Secrets out of messages: by value (every key we hold) and by pattern (what looks like a key).

Providers echo keys in error bodies, and libraries put those bodies into exception texts. Whatever leaves the gateway
as words has passed through here first. Conversations are another matter: their secrets are replaced at reading.
"""

import base64
import re
from collections.abc import Callable, Iterable
from urllib.parse import quote

REMOVED = "[secret removed]"

MIN_VALUE_CHARS = 6
"""Shorter values are not searched for: replacing every "key" or "1234" destroys the message and protects nothing."""

_AFTER_A_LABEL = (
    r"(?i)(\b(?:authorization|proxy-authorization|x-api-key|api[-_ ]?key|apikey|x-goog-api-key|access[-_]?token"
    r"|refresh[-_]?token|client[-_]?secret|secret[-_]?key|password|passwd)\b[\"']?\s*[:=]\s*[\"']?)"
    r"(?:bearer\s+|basic\s+)?[^\s\"',;&}<]{6,}"
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    # Private keys in PEM form, whole block; also one that was cut off before its end line.
    (r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", REMOVED),
    # What a header or a form field says is a secret: keep the name, drop the value.
    (_AFTER_A_LABEL, rf"\1{REMOVED}"),
    (r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}", rf"\1 {REMOVED}"),
    # Providers' key prefixes: OpenAI, Anthropic and OpenRouter (sk-, also masked with stars), Groq, xAI, Hugging Face,
    # Perplexity, Replicate, NVIDIA, Fireworks, Google, AWS, GitHub, GitLab, Slack.
    (r"\b(?:sk|pk|rk)-[A-Za-z0-9_*-]{8,}", REMOVED),
    (r"\b(?:gsk|xai|hf|pplx|r8|nvapi|fw)[_-][A-Za-z0-9_*-]{12,}", REMOVED),
    (r"\bAIza[A-Za-z0-9_-]{20,}", REMOVED),
    (r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}", REMOVED),
    (r"\b(?:gh[pousr]|github_pat|glpat|xox[abposr])[_-][A-Za-z0-9_-]{12,}", REMOVED),
    # JSON web tokens, and user:password@ in addresses.
    (r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.?[A-Za-z0-9_-]*", REMOVED),
    (r"(\b[a-z][a-z0-9+.-]*://)[^\s/:@]+:[^\s/@]+@", rf"\1{REMOVED}@"),
)

_COMPILED = tuple((re.compile(pattern, re.DOTALL), replacement) for pattern, replacement in _PATTERNS)


def scrub_patterns(text: str) -> str:
    """`text` with everything that looks like a credential replaced by a fixed mark; idempotent."""
    for pattern, replacement in _COMPILED:
        text = pattern.sub(replacement, text)
    return text


def scrubber(values: Iterable[str]) -> Callable[[str], str]:
    """A function that removes these values, as they are and as they travel, and then whatever looks like a secret.

    Args:
        values: Secrets in use. Ones under 6 characters are left to the patterns.

    Returns:
        Text to text. A value is also found percent-encoded and in Base64, and longest values go first, so that one
        key that starts with another leaves no tail behind.
    """
    forms: set[str] = set()
    for value in values:
        if len(value) >= MIN_VALUE_CHARS:
            encoded = base64.b64encode(value.encode()).decode()
            forms |= {value, quote(value, safe=""), encoded, encoded.rstrip("=")}
    ordered = sorted(forms, key=lambda form: (-len(form), form))

    def scrub(text: str) -> str:
        for form in ordered:
            text = text.replace(form, REMOVED)
        return scrub_patterns(text)

    return scrub
