"""What a secret looks like: the rules of `language.secrets` as data.

A rule is a kind, a regular expression whose group `s` is the secret (the whole match without it), literals of which
one must stand in the lower-cased text before the expression is tried (so that ordinary text costs almost nothing), and
the proof asked of the value. Every expression is linear in the text: no nested or unbounded overlapping repeats.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from language.secrets.proofs import (
    has_key_body,
    has_letter_and_digit,
    is_assigned_in_code,
    is_bare_value,
    is_basic_credential,
    is_mixed,
    is_mixed_and_random,
    is_no_dummy,
    is_quoted_value,
    is_random_key,
    is_random_looking,
    is_told_value,
    is_url_password,
)

Proof = Callable[[str], bool]


class Rule(NamedTuple):
    """One kind of secret."""

    kind: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    proof: Proof | None = None


class LibraryRule(NamedTuple):
    """A plugin of detect-secrets: its class, our kind, the literals, whether group 1 is the secret, the proof."""

    module: str
    name: str
    kind: str
    hints: tuple[str, ...]
    group: bool = False
    proof: Proof | None = None


_Q = r"""\\?["'`]"""  # a quotation mark, perhaps escaped inside a JSON string
_NAME = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?|contrase(?:ñ|n)a|passwort|kennwort|"
    r"(?:api|access|auth|account|service|secret|private|client|db|database|encryption|signing|master|shared)"
    r"[_\- .]?key|(?:db|[_-])pass(?![a-z]))"
)


def _rule(kind: str, pattern: str, *hints: str, proof: Proof | None = None) -> Rule:
    return Rule(kind, re.compile(pattern), hints, proof)


# Tokens whose shape says what they are. Issuers document these prefixes so that scanners can find them.
_B, _E = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
SHAPED = (
    _rule("anthropic-key", rf"{_B}sk-ant-[A-Za-z0-9_-]{{16,}}", "sk-ant-", proof=has_letter_and_digit),
    _rule("openrouter-key", rf"{_B}sk-or-[A-Za-z0-9_-]{{20,}}", "sk-or-", proof=is_random_looking),
    _rule("openai-key", rf"{_B}sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{{16,}}", "sk-", proof=has_letter_and_digit),
    _rule("openai-key", rf"{_B}sk-[A-Za-z0-9_-]{{20,}}", "sk-", proof=is_random_looking),
    _rule("google-api-key", rf"{_B}AIza[0-9A-Za-z_-]{{35}}", "aiza"),
    _rule("google-oauth", rf"{_B}ya29\.[0-9A-Za-z_-]{{20,}}", "ya29."),
    _rule("google-oauth", rf"{_B}GOCSPX-[0-9A-Za-z_-]{{20,}}", "gocspx-"),
    _rule("github-token", rf"{_B}github_pat_[A-Za-z0-9_]{{22,}}", "github_pat_"),
    _rule("github-token", rf"{_B}gh[pousr]_[A-Za-z0-9_]{{36,}}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _rule("slack-token", rf"{_B}xox[abceoprs]-[A-Za-z0-9-]{{10,}}", "xox", proof=has_letter_and_digit),
    _rule("slack-token", rf"{_B}xapp-[A-Za-z0-9-]{{10,}}", "xapp-", proof=has_letter_and_digit),
    _rule("stripe-key", rf"{_B}[sr]k_(?:live|test)_[A-Za-z0-9]{{10,}}", "k_live_", "k_test_"),
    _rule("webhook-secret", rf"{_B}whsec_[A-Za-z0-9+/=]{{24,}}", "whsec_"),
    _rule("npm-token", rf"{_B}npm_[A-Za-z0-9]{{36,}}", "npm_"),
    _rule("npm-token", r":_authToken=\s*(?P<s>[^\s$\[{]{16,})", "_authtoken", proof=has_letter_and_digit),
    _rule("pypi-token", rf"{_B}pypi-AgE[A-Za-z0-9_-]{{50,}}", "pypi-age"),
    _rule("huggingface-token", rf"{_B}hf_[A-Za-z0-9]{{30,}}", "hf_"),
    _rule("groq-key", rf"{_B}gsk_[A-Za-z0-9]{{40,}}", "gsk_"),
    _rule("xai-key", rf"{_B}xai-[A-Za-z0-9]{{40,}}", "xai-"),
    _rule("replicate-token", rf"{_B}r8_[A-Za-z0-9]{{37}}", "r8_"),
    _rule("perplexity-key", rf"{_B}pplx-[A-Za-z0-9]{{40,}}", "pplx-"),
    _rule("databricks-token", rf"{_B}dapi[a-f0-9]{{32}}", "dapi"),
    _rule("digitalocean-token", rf"{_B}do[opr]_v1_[a-f0-9]{{64}}", "_v1_"),
    _rule("shopify-token", rf"{_B}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}", "shp"),
    _rule("grafana-token", rf"{_B}glsa_[A-Za-z0-9]{{32}}_[A-Fa-f0-9]{{8}}", "glsa_"),
    _rule("vault-token", rf"{_B}hv[sbr]\.[A-Za-z0-9_-]{{20,}}", "hvs.", "hvb.", "hvr.", proof=has_letter_and_digit),
    _rule("tailscale-key", rf"{_B}tskey-[a-z]+-[A-Za-z0-9-]{{16,}}", "tskey-"),
    _rule("linear-key", rf"{_B}lin_api_[A-Za-z0-9]{{32,}}", "lin_api_"),
    _rule("newrelic-key", rf"{_B}NRAK-[A-Z0-9]{{27}}", "nrak-"),
    _rule("atlassian-token", rf"{_B}ATATT3[A-Za-z0-9_=-]{{40,}}", "atatt3"),
    _rule("age-key", rf"{_B}AGE-SECRET-KEY-1[0-9A-Z]{{58}}", "age-secret-key-1"),
    _rule("azure-signature", r"[?&]sig=(?P<s>[A-Za-z0-9%/+=]{30,})", "sig="),
    _rule("sentry-dsn", r"https://(?P<s>[a-f0-9]{32})@[\w.-]+/\d+", "https://"),
    _rule("discord-webhook", r"discord(?:app)?\.com/api/webhooks/\d+/(?P<s>[\w-]{30,})", "/api/webhooks/"),
    _rule("jwt", rf"{_B}eyJ[A-Za-z0-9_-]{{8,}}\.eyJ[A-Za-z0-9_-]{{4,}}(?:\.[A-Za-z0-9_-]*)?", "eyj"),
    _rule("jwt", rf"{_B}eyJ[A-Za-z0-9_-]{{8,}}(?:\.[A-Za-z0-9_-]*){{4}}", "eyj"),
)

# Whole key blocks, across lines or with "\n" written out; a block cut off before its end counts when it has a body.
_BODY = r"(?:[^-]|-(?!----))*"
BLOCKS = (
    _rule(
        "private-key",
        rf"-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----{_BODY}"
        r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
        "private key",
        proof=has_key_body,
    ),
    _rule(
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn])*(?:[A-Za-z0-9+/=]{16,}(?:\s|\\[rn])*)+",
        "private key",
    ),
    _rule(
        "private-key",
        r"PuTTY-User-Key-File-[23]:[^\n]*\n(?:[^\n]*\n){1,80}?Private-MAC: ?[a-f0-9]+",
        "putty-user-key-file-",
    ),
)

# Secrets whose surroundings say what they are: headers, URLs, command lines, assignments, sentences.
IN_CONTEXT = (
    _rule(
        "url-password",
        r"""(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@"'<>]{0,100}:(?P<s>[^\s/"'<>`]{1,200})@(?!sha256:)(?=[\w\[.$-])""",
        "://",
        proof=is_url_password,
    ),
    _rule(
        "url-password",
        r"""(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@"'<>]{0,100}:(?P<s>[^\s@"'<>`]{1,200})@(?!sha256:)(?=[\w\[.$-])""",
        "://",
        proof=is_url_password,
    ),
    _rule(
        "aws-secret-key",
        rf"(?i)secret_?(?:access)?_?key(?:{_Q})?\s{{0,4}}(?:=>|:=|=|:)\s{{0,4}}(?:{_Q})?(?P<s>[A-Za-z0-9/+=]{{40}})(?![A-Za-z0-9/+=])",
        "secret",
    ),
    _rule(
        "bearer-token",
        r"(?i)\bbearer[ \t]{1,4}(?P<s>[A-Za-z0-9._~+/-]{12,}={0,2})",
        "bearer",
        proof=is_bare_value,
    ),
    _rule(
        "authorization",
        rf"(?i)\bauthorization(?:{_Q})?[ \t]{{0,4}}[:=][ \t]{{0,4}}(?:{_Q})?"
        r"(?:token|apikey|api-key|digest|negotiate|key)[ \t]{1,4}"
        r"(?P<s>[A-Za-z0-9._~+/=-]{12,})",
        "authorization",
        proof=is_bare_value,
    ),
    _rule("basic-auth", r"(?i)\bbasic[ \t]{1,4}(?P<s>[A-Za-z0-9+/]{8,}={0,2})", "basic", proof=is_basic_credential),
    _rule(
        "password",
        r"""(?i)\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:(?P<s>[^\s"']{4,200})""",
        "curl",
        proof=is_no_dummy,
    ),
    _rule(
        "password",
        r"""(?i)\b(?:sshpass\s+-p|redis-cli\b[^\n]{0,100}?\s-a|mysql(?:dump|admin)?\b[^\n]{0,200}?\s-p)\s{0,1}["']?(?P<s>[^\s"']{6,200})""",
        "sshpass",
        "redis-cli",
        "mysql",
        proof=is_bare_value,
    ),
    _rule(
        "password",
        r"(?i)identified\s+by\s+'(?P<s>[^'\n]{4,200})'",
        "identified",
        proof=is_no_dummy,
    ),
)

# What may follow a name such as `password` or `api_key`, tried at the end of each one (group `s` as above).
NAME_HINTS = ("pass", "pwd", "secret", "token", "credential", "contrase", "kennwort", "key")
SECRET_NAME = re.compile(rf"(?i){_NAME}")
_CLOSE = rf"(?:{_Q})?\]?"  # the end of a quoted name or a subscript: "password": or config["password"] =
PASSWORD_NAMES = ("pass", "pwd", "contrase", "kennwort")  # what those names contain; all others are keys or tokens
AFTER_NAME = (
    _rule(
        "password",
        rf"""{_CLOSE}\s{{0,8}}(?:=>|:=|==?|:)\s{{0,8}}[rbfu]?(?P<q>{_Q})(?P<s>[^"'`\\\n]{{6,200}})(?P=q)""",
        proof=is_quoted_value,
    ),
    _rule(
        "password", rf"""{_CLOSE}\*{{0,2}}(?:=|:[ \t]{{0,4}})(?P<s>[^\s"'`,;&|<>()\\]{{6,200}})""", proof=is_bare_value
    ),
    _rule(
        "password",
        rf"""{_CLOSE}[ \t]{{1,8}}(?:=>|:=|=|:)[ \t]{{1,8}}(?P<s>[^\s"'`,;&|<>()\\]{{6,200}})""",
        proof=is_assigned_in_code,
    ),
)
AFTER_FLAG = _rule("password", r"""[ =]["']?(?P<s>[^\s"'`]{6,200})""", proof=is_bare_value)
# "the password for staging is …", "Passwort ist …"; a token or key must look random, as they are talked about more.
AFTER_PASSWORD = _rule(
    "password",
    r"""(?i)(?:[ \t]+(?:for|of|to|on)(?:[ \t]+[\w@.-]{1,40}){1,4}?)?[ \t]+(?:is|was|ist)[ \t]+"""
    r"""(?:now[ \t]+|still[ \t]+)?["'`*]{0,2}(?P<s>[^\s"'`*,;<>()]{6,100})""",
    proof=is_told_value,
)
AFTER_KEY = _rule(
    "password",
    r"""(?i)[ \t]+(?:is|was)[ \t]+["'`*]{0,2}(?P<s>[A-Za-z0-9._~+/=-]{12,200})""",
    proof=is_random_key,
)

# Plugins whose expressions are used as published. Left out: the entropy detectors (they take commit hashes), public
# addresses (no secret), and keyword, basic auth, private key, npm and JWT: their matches end too early or too late.
LIBRARY = (
    LibraryRule("aws", "AWSKeyDetector", "aws-key", ("a3t", "abia", "acca", "akia", "asia", "aws"), group=True),
    LibraryRule(
        "artifactory", "ArtifactoryDetector", "artifactory-key", ("akc", "ap"),
        proof=is_mixed_and_random,
    ),
    LibraryRule("azure_storage_key", "AzureStorageKeyDetector", "azure-storage-key", ("accountkey=",)),
    LibraryRule(
        "cloudant", "CloudantDetector", "cloudant-key", ("clou", "cl_", "cl-"), group=True, proof=has_letter_and_digit
    ),
    LibraryRule("discord", "DiscordBotTokenDetector", "discord-token", (".",), proof=is_mixed),
    LibraryRule("github_token", "GitHubTokenDetector", "github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    LibraryRule("gitlab_token", "GitLabTokenDetector", "gitlab-token", ("gl", "gr1348941")),
    LibraryRule(
        "ibm_cloud_iam", "IbmCloudIamDetector", "ibm-key", ("key", "pwd", "pass", "token"), group=True, proof=is_mixed
    ),
    LibraryRule("ibm_cos_hmac", "IbmCosHmacDetector", "ibm-key", ("secret",), group=True),
    LibraryRule("mailchimp", "MailchimpDetector", "mailchimp-key", ("-us",), proof=is_random_looking),
    LibraryRule("openai", "OpenAIDetector", "openai-key", ("sk-",)),
    LibraryRule("pypi_token", "PypiTokenDetector", "pypi-token", ("pypi-age",)),
    LibraryRule("sendgrid", "SendGridDetector", "sendgrid-key", ("sg.",)),
    LibraryRule("slack", "SlackDetector", "slack-token", ("xox", "hooks.slack.com")),
    LibraryRule(
        "softlayer", "SoftlayerDetector", "softlayer-key", ("softlayer", "sl"), group=True, proof=has_letter_and_digit
    ),
    LibraryRule("square_oauth", "SquareOAuthDetector", "square-secret", ("sq0csp-",)),
    LibraryRule("stripe", "StripeDetector", "stripe-key", ("k_live_",)),
    LibraryRule("telegram_token", "TelegramBotTokenDetector", "telegram-token", (":",), proof=is_mixed),
    LibraryRule("twilio", "TwilioKeyDetector", "twilio-key", ("ac", "sk"), proof=is_random_looking),
)  # fmt: skip

KINDS = (
    frozenset(rule.kind for rule in (*BLOCKS, *SHAPED, *IN_CONTEXT)) | {"credential"} | {rule.kind for rule in LIBRARY}
)
