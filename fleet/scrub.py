"""Secrets out of messages: by value (every key we hold) and by pattern (what looks like a key).

Providers echo keys in error bodies, and libraries put those bodies into exception texts. Whatever leaves the gateway
as words has passed through here first. What looks like a secret is found as in conversations (language/secrets), with
more besides: here nothing is lost by taking out too much.
"""

import base64
import re
from collections.abc import Callable, Iterable
from urllib.parse import quote

from language.secrets.assigned import BARE
from language.secrets.replacing import secret_spans

REMOVED = "[secret removed]"

MIN_VALUE_CHARS = 6
"""Shorter values are not searched for: replacing every "key" or "1234" destroys the message and protects nothing."""

_LABELS = (
    r"authorization|proxy-authorization|x-api-key|api[-_\ ]?key|apikey|x-goog-api-key|access[-_]?token"
    r"|refresh[-_]?token|client[-_]?secret|secret[-_]?key|password|passwd"
)
_AFTER_A_LABEL = re.compile(
    rf"""(?ix) (?P<label>\b(?:{_LABELS})\b\\?["']?\s{{0,8}}+[:=]\s{{0,8}}+) (?!\\?["'`]?{re.escape(REMOVED)})
    (?: (?P<mark>["'`]) (?:(?!(?P=mark))[^\\\n]|\\.){{6,4000}} (?P=mark)
      | (?P<escaped>\\["']) (?:[^"'\\\n]|\\{{3}}["']|\\(?!["'])){{6,4000}} (?P=escaped)
      | (?P<open>\\?["'`]?) (?:bearer\s+|basic\s+)? {BARE}{{6,4000}} )"""
)
"""What a header or a form field says is a secret, however little it looks like one: a provider's keys have any form."""

_PATTERNS: tuple[tuple[str, str], ...] = (
    # Private keys in PEM form, whole block; also one that was cut off before its end line.
    (r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", REMOVED),
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
    while (once := _scrub_once(text)) != text:  # what is taken out may uncover another
        text = once
    return text


def _scrub_once(text: str) -> str:
    text = _AFTER_A_LABEL.sub(_without_value, text)
    for pattern, replacement in _COMPILED:
        text = pattern.sub(replacement, text)
    for start, end in reversed(secret_spans(text, mark=REMOVED)):
        text = text[:start] + REMOVED + text[end:]
    return text


def _without_value(match: re.Match[str]) -> str:
    """The name and the quotation marks stay."""
    mark = match["mark"] or match["escaped"] or ""
    return f"{match['label']}{mark or match['open']}{REMOVED}{mark}"


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
