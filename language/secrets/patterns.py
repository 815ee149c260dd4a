"""What a secret looks like: the rules of `language.secrets` as data.

A rule is a kind, a regular expression whose group `s` is the secret (the whole match without it), literals of which
one must stand in the lower-cased text before the expression is tried (so that ordinary text costs almost nothing), and
the proof asked of the value. Every expression is linear in the text: no nested or unbounded overlapping repeats.
"""

from typing import NamedTuple

from language.secrets.proofs import (
    has_key_body,
    has_letter_and_digit,
    is_bare_value,
    is_basic_credential,
    is_mixed,
    is_mixed_and_random,
    is_no_dummy,
    is_random_key,
    is_random_looking,
    is_url_password,
)
from language.secrets.rules import MARK, Proof, rule


class LibraryRule(NamedTuple):
    """A plugin of detect-secrets: its class, our kind, the literals, whether group 1 is the secret, the proof."""

    module: str
    name: str
    kind: str
    hints: tuple[str, ...]
    group: bool = False
    proof: Proof | None = None


# Tokens whose shape says what they are. Issuers document these prefixes so that scanners can find them.
_B, _E = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
SHAPED = (
    rule("anthropic-key", rf"{_B}sk-ant-[A-Za-z0-9_-]{{16,}}", "sk-ant-", proof=has_letter_and_digit),
    rule("openrouter-key", rf"{_B}sk-or-[A-Za-z0-9_-]{{20,}}", "sk-or-", proof=is_random_looking),
    rule("openai-key", rf"{_B}sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{{16,}}", "sk-", proof=has_letter_and_digit),
    rule("openai-key", rf"{_B}sk-[A-Za-z0-9_-]{{20,}}", "sk-", proof=is_random_looking),
    rule("google-api-key", rf"{_B}AIza[0-9A-Za-z_-]{{35}}", "aiza"),
    rule("google-oauth", rf"{_B}ya29\.[0-9A-Za-z_-]{{20,}}", "ya29."),
    rule("google-oauth", rf"{_B}GOCSPX-[0-9A-Za-z_-]{{20,}}", "gocspx-"),
    rule("github-token", rf"{_B}github_pat_[A-Za-z0-9_]{{22,}}", "github_pat_"),
    rule("github-token", rf"{_B}gh[pousr]_[A-Za-z0-9_]{{36,}}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    rule("slack-token", rf"{_B}xox[abceoprs]-[A-Za-z0-9-]{{10,}}", "xox", proof=has_letter_and_digit),
    rule("slack-token", rf"{_B}xapp-[A-Za-z0-9-]{{10,}}", "xapp-", proof=has_letter_and_digit),
    rule("stripe-key", rf"{_B}[sr]k_(?:live|test)_[A-Za-z0-9]{{10,}}", "k_live_", "k_test_"),
    rule("webhook-secret", rf"{_B}whsec_[A-Za-z0-9+/=]{{24,}}", "whsec_"),
    rule("npm-token", rf"{_B}npm_[A-Za-z0-9]{{36,}}", "npm_"),
    rule("npm-token", r":_authToken=\s*(?P<s>[^\s$\[{]{16,})", "_authtoken", proof=has_letter_and_digit),
    rule("pypi-token", rf"{_B}pypi-AgE[A-Za-z0-9_-]{{50,}}", "pypi-age"),
    rule("huggingface-token", rf"{_B}hf_[A-Za-z0-9]{{30,}}", "hf_"),
    rule("groq-key", rf"{_B}gsk_[A-Za-z0-9]{{40,}}", "gsk_"),
    rule("xai-key", rf"{_B}xai-[A-Za-z0-9]{{40,}}", "xai-"),
    rule("replicate-token", rf"{_B}r8_[A-Za-z0-9]{{37}}", "r8_"),
    rule("perplexity-key", rf"{_B}pplx-[A-Za-z0-9]{{40,}}", "pplx-"),
    rule("databricks-token", rf"{_B}dapi[a-f0-9]{{32}}", "dapi"),
    rule("digitalocean-token", rf"{_B}do[opr]_v1_[a-f0-9]{{64}}", "_v1_"),
    rule("shopify-token", rf"{_B}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}", "shp"),
    rule("grafana-token", rf"{_B}glsa_[A-Za-z0-9]{{32}}_[A-Fa-f0-9]{{8}}", "glsa_"),
    rule("vault-token", rf"{_B}hv[sbr]\.[A-Za-z0-9_-]{{20,}}", "hvs.", "hvb.", "hvr.", proof=has_letter_and_digit),
    rule("tailscale-key", rf"{_B}tskey-[a-z]+-[A-Za-z0-9-]{{16,}}", "tskey-"),
    rule("linear-key", rf"{_B}lin_api_[A-Za-z0-9]{{32,}}", "lin_api_"),
    rule("newrelic-key", rf"{_B}NRAK-[A-Z0-9]{{27}}", "nrak-"),
    rule("atlassian-token", rf"{_B}ATATT3[A-Za-z0-9_=-]{{40,}}", "atatt3"),
    rule("age-key", rf"{_B}AGE-SECRET-KEY-1[0-9A-Z]{{58}}", "age-secret-key-1"),
    rule("dissolution-key", rf"{_B}dsk_[a-z0-9]{{12}}_[A-Za-z0-9_-]{{43}}", "dsk_"),
    rule("azure-signature", r"(?<![A-Za-z0-9])sig=(?P<s>[A-Za-z0-9%/+=_-]{30,})", "sig="),
    rule("azure-storage-key", r"(?i)(?:shared|account)(?:access)?key=(?P<s>[A-Za-z0-9+/]{30,}={0,2})", "key="),
    rule(
        "url-signature",
        r"(?i)[?&](?:x-(?:amz|goog|oss|cos)-(?:signature|security-token)|signature|hmac|awssecretkey|policy)"
        r"=(?P<s>[A-Za-z0-9%/+=_~.-]{20,2000})",
        "signature=",
        "security-token=",
        "hmac=",
        "secretkey=",
        "policy=",
        proof=is_random_looking,
    ),
    rule("docker-token", rf"{_B}dckr_[po]at_[A-Za-z0-9_-]{{20,}}", "dckr_"),
    rule("notion-token", rf"{_B}(?:secret|ntn)_[A-Za-z0-9]{{40,}}", "secret_", "ntn_"),
    rule("figma-token", rf"{_B}figd_[A-Za-z0-9_-]{{30,}}", "figd_"),
    rule("planetscale-token", rf"{_B}pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{{30,}}", "pscale_"),
    rule("postman-key", rf"{_B}PMAK-[a-f0-9]{{24}}-[a-f0-9]{{34}}", "pmak-"),
    rule("rubygems-key", rf"{_B}rubygems_[a-f0-9]{{48}}", "rubygems_"),
    rule("cargo-token", rf"{_B}cio[A-Za-z0-9]{{32}}{_E}", "cio", proof=is_mixed_and_random),
    rule("supabase-token", rf"{_B}sbp_[a-f0-9]{{40}}", "sbp_"),
    rule("nvidia-key", rf"{_B}nvapi-[A-Za-z0-9_-]{{40,}}", "nvapi-"),
    rule("mailgun-key", rf"{_B}key-[a-f0-9]{{32}}{_E}", "key-"),
    rule("brevo-key", rf"{_B}xkeysib-[a-f0-9]{{64}}-[A-Za-z0-9]{{16}}", "xkeysib-"),
    rule("doppler-token", rf"{_B}dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{{30,}}", "dp."),
    rule("hubspot-token", rf"{_B}pat-(?:na|eu)\d-[0-9a-f-]{{36}}", "pat-"),
    rule("langsmith-key", rf"{_B}lsv2_[ps][tk]_[A-Za-z0-9_]{{30,}}", "lsv2_"),
    rule("circleci-token", rf"{_B}CCIPAT_[A-Za-z0-9_]{{30,}}", "ccipat_"),
    rule("age-key", rf"{_B}AGE-SECRET-KEY-[0-9A-Z]{{40,}}", "age-secret-key-"),
    rule("square-secret", rf"{_B}EAAA[A-Za-z0-9_-]{{56,}}", "eaaa", proof=is_mixed_and_random),
    rule("bitbucket-token", rf"{_B}(?:ATBB|ATCTT3|BBDC-)[A-Za-z0-9_=-]{{24,}}", "atbb", "atctt3", "bbdc-"),
    rule("sentry-dsn", r"https://(?P<s>[a-f0-9]{32})@[\w.-]+/\d+", "https://"),
    rule("discord-webhook", r"discord(?:app)?\.com/api/webhooks/\d+/(?P<s>[\w-]{30,})", "/api/webhooks/"),
    rule("jwt", rf"{_B}eyJ[A-Za-z0-9_-]{{8,}}\.eyJ[A-Za-z0-9_-]{{4,}}(?:\.[A-Za-z0-9_-]*)?", "eyj"),
    rule("jwt", rf"{_B}eyJ[A-Za-z0-9_-]{{8,}}(?:\.[A-Za-z0-9_-]*){{4}}", "eyj"),
)

# Whole key blocks, across lines or with "\n" written out; a block cut off before its end counts when it has a body.
_BODY = r"(?:[^-]|-(?!----))*"
BLOCKS = (
    rule(
        "private-key",
        rf"-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----{_BODY}"
        r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
        "private key",
        proof=has_key_body,
    ),
    rule(
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn])*(?:[A-Za-z0-9+/=]{16,}(?:\s|\\[rn])*)+",
        "private key",
    ),
    rule(
        "private-key",
        r"PuTTY-User-Key-File-[23]:[^\n]*\n(?:[^\n]*\n){1,80}?Private-MAC: ?[a-f0-9]+",
        "putty-user-key-file-",
    ),
)

# Secrets whose surroundings say what they are: headers, URLs, command lines, assignments, sentences.
IN_CONTEXT = (
    rule(
        "url-password",
        r"""(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@"'<>]{0,100}:(?P<s>[^\s/"'<>`]{1,200})@(?!sha256:)(?=[\w\[.$-])""",
        "://",
        proof=is_url_password,
    ),
    rule(
        "url-password",
        r"""(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@"'<>]{0,100}:(?P<s>[^\s@"'<>`]{1,200})@(?!sha256:)(?=[\w\[.$-])""",
        "://",
        proof=is_url_password,
    ),
    rule(
        "aws-secret-key",
        rf"(?i)secret_?(?:access)?_?key(?:{MARK})?\s{{0,4}}(?:=>|:=|=|:)\s{{0,4}}(?:{MARK})?(?P<s>[A-Za-z0-9/+=]{{40}})(?![A-Za-z0-9/+=])",
        "secret",
    ),
    rule(
        "bearer-token",
        r"(?i)\bbearer[ \t]{1,4}(?P<s>[A-Za-z0-9._~+/-]{12,}={0,2})",
        "bearer",
        proof=is_bare_value,
    ),
    rule(
        "authorization",
        rf"(?i)\bauthorization(?:{MARK})?[ \t]{{0,4}}[:=][ \t]{{0,4}}(?:{MARK})?"
        r"(?:[a-z0-9-]{2,24}[ \t]{1,4})?(?P<s>[A-Za-z0-9._~+/=-]{12,})",
        "authorization",
        proof=is_random_key,
    ),
    rule(
        "authorization",
        rf"(?i)\bauthorization(?:{MARK})?[ \t]{{0,4}}[:=][^\n]{{0,400}}?\b(?:signature|response|mac|sig)"
        r"=\\?\"?(?P<s>[A-Za-z0-9%/+=_~.-]{16,1000})",
        "authorization",
        proof=is_random_looking,
    ),
    rule("basic-auth", r"(?i)\bbasic[ \t]{1,4}(?P<s>[A-Za-z0-9+/]{8,}={0,2})", "basic", proof=is_basic_credential),
    rule(
        "password",
        r"""(?i)\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:(?P<s>[^\s"']{4,200})""",
        "curl",
        proof=is_no_dummy,
    ),
    rule(
        "password",
        r"""(?i)\b(?:sshpass\s+-p|redis-cli\b[^\n]{0,100}?\s-a|mysql(?:dump|admin)?\b[^\n]{0,200}?\s-p)\s{0,1}["']?(?P<s>[^\s"']{6,200})""",
        "sshpass",
        "redis-cli",
        "mysql",
        proof=is_bare_value,
    ),
    rule(
        "password",
        r"""(?i)\b(?:docker|podman|helm|az|oc|npm)\b[^\n]{0,200}?\slogin\b[^\n]{0,200}?"""
        r"""\s-p[ =]["']?(?P<s>[^\s"']{6,200})""",
        "login",
        proof=is_bare_value,
    ),
    rule(
        "private-key",
        r"""["']d["']\s{0,3}:\s{0,3}["'](?P<s>[A-Za-z0-9_-]{40,2000})["']""",
        '"d"',
        "'d'",
        proof=is_random_looking,
    ),
    rule(
        "password",
        r"(?i)identified\s+by\s+'(?P<s>[^'\n]{4,200})'",
        "identified",
        proof=is_no_dummy,
    ),
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

KINDS = frozenset(
    {
        *(one.kind for one in (*BLOCKS, *SHAPED, *IN_CONTEXT)),
        *(one.kind for one in LIBRARY),
        *("password", "credential", "cookie", "seed-phrase"),
    }
)
