"""Secrets are replaced, look-alikes stay. The fakes are put together at run time: no scanner flags this file."""

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.secrets.known import KnownSecrets
from language.secrets.patterns import KINDS, LIBRARY
from language.secrets.replacing import replace_secrets

KEY = b"k" * 32


def chars(count: int, alphabet: str = "a7Bk2Xq9Lm4Zt0Rw5Yc8Np3Jv6Hd1Gs") -> str:
    return (alphabet * (count // len(alphabet) + 1))[:count]


HEX = "3f9a0c7e51b2d846"
LOWER = "k3v9x0q7m2z8"
JWT = ".".join(
    base64.urlsafe_b64encode(part.encode()).decode().rstrip("=")
    for part in ('{"alg":"HS256","typ":"JWT"}', '{"sub":"1234567890","name":"Q"}', "signature-bytes-0123456789")
)
PEM_BODY = "\n".join(chars(64) for _ in range(5))


def block(kind: str, body: str = PEM_BODY, *, end: bool = True) -> str:
    dashes = "-" * 5
    tail = f"\n{dashes}END {kind}{dashes}" if end else ""
    return f"{dashes}BEGIN {kind}{dashes}\n{body}{tail}"


PK = "PRIVATE" + " KEY"
# (kind, text before, secret, text after)
SECRETS = [
    ("aws-key", "key id ", "AKIA" + chars(16, "Q7XN2M4ZP9"), " for the bucket"),
    ("aws-key", "", "ASIA" + chars(16, "Z3KM8P1WQ5"), ""),
    ("aws-secret-key", "aws_secret_access_key = ", chars(38) + "/+", "\nregion = eu-west-1"),
    ("aws-secret-key", '"SecretAccessKey": "', chars(40), '"'),
    ("openai-key", "use ", "sk-" + chars(48), " here"),
    ("openai-key", "OPENAI_API_KEY=", "sk-" + "proj-" + chars(60), ""),
    ("openai-key", "key: ", "sk-" + "svcacct-" + chars(40), ", thanks"),
    ("anthropic-key", "export ANTHROPIC_API_KEY='", "sk-" + "ant-api03-" + chars(90), "'"),
    ("openrouter-key", "", "sk-" + "or-v1-" + HEX * 4, ""),
    ("google-api-key", "https://maps.example/api?key=", "AI" + "za" + chars(35), "&v=3"),
    ("google-oauth", "secret ", "GOC" + "SPX-" + chars(28), ""),
    ("github-token", "git clone with ", "gh" + "p_" + chars(36), ""),
    ("github-token", "", "github" + "_pat_" + chars(22) + "_" + chars(59), ""),
    ("gitlab-token", "token ", "gl" + "pat-" + chars(20), ""),
    ("slack-token", "", "xox" + "b-123456789012-1234567890123-" + chars(24), ""),
    ("slack-token", "post to ", "https://hooks.slack" + ".com/services/T0AB12CD3/B0EF45GH6/" + chars(24), ""),
    ("slack-token", "", "xapp" + "-1-A0123456789-1234567890123-" + HEX * 4, ""),
    ("stripe-key", "", "sk" + "_live_" + chars(24), ""),
    ("stripe-key", "", "rk" + "_test_" + chars(99), ""),
    ("webhook-secret", "", "whsec" + "_" + chars(32), ""),
    ("npm-token", "", "npm" + "_" + chars(36), ""),
    ("npm-token", "//registry.example/:_auth" + "Token=", HEX[:8] + "-ab12-cd34-ef56-" + HEX[:12], ""),
    ("pypi-token", "", "pypi" + "-AgEIcHlwaS5vcmc" + chars(80), ""),
    ("huggingface-token", "login with ", "hf" + "_" + chars(34), ""),
    ("sendgrid-key", "", "S" + "G." + chars(22) + "." + chars(43), ""),
    ("twilio-key", "", "S" + "K" + HEX * 2, ""),
    ("telegram-token", "bot ", "123456789" + ":" + "AA" + chars(33), ""),
    ("mailchimp-key", "", HEX * 2 + "-us12", ""),
    ("databricks-token", "", "dap" + "i" + HEX * 2, ""),
    ("digitalocean-token", "", "dop" + "_v1_" + HEX * 4, ""),
    ("square-secret", "", "sq0" + "csp-" + chars(43), ""),
    ("azure-storage-key", "AccountName=x;Account" + "Key=", chars(86) + "==", ";EndpointSuffix=core"),
    ("vault-token", "", "hv" + "s." + chars(24), ""),
    ("jwt", "cookie ", JWT, "; path=/"),
    ("bearer-token", "Authorization: Bearer ", chars(32), ""),
    ("bearer-token", "-H 'authorization: bearer ", LOWER * 3, "'"),
    ("basic-auth", "Authorization: Basic ", base64.b64encode(b"admin:hunter2").decode(), ""),
    ("authorization", "Authorization: Token ", HEX * 2, ""),
    ("url-password", "postgres://app:", "s3cr3t" + "Pass", "@db-1.example:5432/core"),
    ("url-password", "redis://:", "Xy7" + "kQ2pL", "@cache:6379/0"),
    ("url-password", "mongodb+srv://root:", "p@ss" + "w%21rd", "@cluster0.example.net/x"),
    ("url-password", "amqp://guest:", "guest" + "", "@mq/"),
    ("password", 'password = "', "hunter2" + "!x", '"'),
    ("password", "DB_PASSWORD=", "tr0ub4" + "dor", "\nDB_HOST=db"),
    ("password", "password: ", "Winter" + "2024", ""),
    ("password", '{\\"password\\": \\"', "aB3$" + "kk9z", '\\"}'),
    ("password", "config['db_pass'] = '", "zx81" + "-speccy", "'"),
    ("password", "mysqldump --password=", "Qw3rty" + "uio", " core"),
    ("password", "--password ", "Qw3rty" + "uio", " core"),
    ("password", "curl -s -u admin:", "letmein" + "99", " https://x.example"),
    ("password", "The password for the staging database is ", "Blue" + "Horse42", "."),
    ("password", "Server=db;Password=", "Tr1" + "angle", ";Encrypt=true"),
    ("password", "CREATE USER a IDENTIFIED BY '", "opensesame" + "1", "'"),
    ("credential", 'API_KEY="', HEX * 2, '"'),
    ("credential", "client_secret: ", chars(30), ""),
    ("credential", "X-Api-Key: ", chars(24), ""),
    ("credential", "the api key is ", chars(20), ""),
    ("private-key", "here:\n", block("RSA " + PK), "\ndone"),
    ("private-key", "", block("OPENSSH " + PK), ""),
    ("private-key", "", block("PGP " + PK + " BLOCK"), ""),
    ("private-key", "cut off:\n", block(PK, end=False), ""),
    ("private-key", '"key": "', block("EC " + PK).replace("\n", "\\n"), '"'),
]


def goes_alone(kind: str, before: str, secret: str, after: str) -> bool:
    """Whether a secret is replaced as one of its kind, its surroundings stay, and reading it again changes nothing."""
    redacted = replace_secrets(f"{before}{secret}{after}", key=KEY)
    return (
        [found[0] for found in redacted.found] == [kind]
        and redacted.text == f"{before}{redacted.found[0][1]}{after}"
        and replace_secrets(redacted.text, key=KEY).text == redacted.text
    )


def test_a_secret_is_replaced_and_its_surroundings_stay() -> None:
    assert [row for row in SECRETS if not goes_alone(*row)] == []


def test_the_samples_cover_twenty_kinds_and_forty_secrets() -> None:
    assert len({kind for kind, *_ in SECRETS}) >= 20
    assert len(SECRETS) >= 40


LOOK_ALIKES = [
    "commit 3f9a0c7e51b2d8463f9a0c7e51b2d8463f9a0c7e reverts it",
    "sha256:" + HEX * 4,
    "image@sha256:" + HEX * 4,
    "docker://alpine:3.18@sha256:" + HEX * 4,
    "request id 550e8400-e29b-41d4-a716-446655440000",
    "password: str",
    "def login(user: str, password: SecretStr) -> None:",
    'password = os.environ["PASSWORD"]',
    "password = getpass.getpass()",
    'password: "********"',
    "password = '<your password>'",
    "PASSWORD=${DB_PASSWORD}",
    "password={{ vault_password }}",
    'api_key = "YOUR_API_KEY_HERE"',
    'token = "your-token-here"',
    "api_key = settings.api_key",
    "token = response.json2.token",
    "secret = load_secret_v2(name)",
    "max_tokens: 4096",
    "password_hash_rounds = 12",
    "the password is required",
    "the password is sha256-hashed before it is stored",
    "the token is base64-encoded",
    "the API key was rotated on 2024-06-11",
    "the secret is to start early",
    "password policy: at least 12 characters",
    "We need a bearer token for that call",
    "Bearer authentication-required",
    "Authorization: Basic realm",
    "basic authentication is off",
    "https://example.com:8080/path@v2",
    "https://example.com:8080?email=a@b.example",
    "postgres://user:password@localhost/db",
    "postgres://${USER}:${PASS}@db/core",
    "ssh git@github.com:org/repo.git",
    "git+https://github.com/org/repo@v1.2.3",
    "mailto:someone@example.com",
    "sk-fading-circle-loading-spinner-animation",
    "skeleton sk-short",
    "AKIA is the prefix of access key ids",
    "a PEM file begins with -----BEGIN " + PK + "----- and a body",
    "-----BEGIN " + PK + "-----\n...\n-----END " + PK + "-----",
    "-----BEGIN CERTIFICATE-----\n" + PEM_BODY + "\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n" + PEM_BODY + "\n-----END PUBLIC KEY-----",
    "cache_key = 'user:42:profile'",
    "primary key: id2, foreign key: order_id2",
    "turn 12:30, meeting id 987654321:",
    "APAccountsPayableService2 handles it",
    "client_secret: projects/7/secrets/db-pass/versions/3",
    "secretName: db-credentials-v2",
    "see [secret:password:0123abcd] for what stood here",
    "password=xxxxxxxx",
    "the hash is $2b$12$KIXQJ5eYwFQ0",
    "Passwort: erforderlich",
    "eyJust a word. Really.",
    "10.0.0.12:5432 and 203.0.113.9 answer",
]


def test_a_look_alike_stays() -> None:
    assert [text for text in LOOK_ALIKES if replace_secrets(text, key=KEY) != (text, ())] == []


def test_there_are_forty_look_alikes() -> None:
    assert len(LOOK_ALIKES) >= 40


def test_the_same_secret_has_the_same_placeholder_everywhere_and_another_key_another() -> None:
    secret = "gh" + "p_" + chars(36)
    first = replace_secrets(f"a {secret} b", key=KEY).found[0][1]

    assert replace_secrets(f"TOKEN={secret}\nand {secret}.", key=KEY).text == f"TOKEN={first}\nand {first}."
    assert replace_secrets(secret, key=b"other").text != first
    assert secret[4:12] not in first


def test_the_digits_are_the_head_of_the_keyed_hash() -> None:
    import hashlib
    import hmac

    secret = "AKIA" + chars(16, "Q7XN2M4ZP9")
    digits = hmac.new(KEY, secret.encode(), hashlib.sha256).hexdigest()[:8]

    assert replace_secrets(secret, key=KEY).text == f"[secret:aws-key:{digits}]"


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        replace_secrets("x", key=b"")


def test_a_known_secret_is_replaced_where_it_stands_bare_later_and_not_inside_words() -> None:
    known = KnownSecrets()
    secret = "tr0ub4" + "dor"
    first = replace_secrets(f"DB_PASSWORD={secret}", key=KEY, known=known)
    later = replace_secrets(f"so {secret} works, x{secret} is another", key=KEY, known=known)

    assert later.text == f"so {first.found[0][1]} works, x{secret} is another"
    assert later.found == first.found
    assert secret not in repr(known)


def test_an_ordinary_word_used_as_a_password_is_not_hunted_for_later() -> None:
    known = KnownSecrets()
    replace_secrets("amqp://guest:" + "guest@mq/", key=KEY, known=known)

    assert replace_secrets("the guest network", key=KEY, known=known).text == "the guest network"


def test_several_secrets_come_in_order_of_place() -> None:
    text = f"redis://:{'Xy7' + 'kQ2pL'}@c/0 and {'AKIA' + chars(16, 'Q7XN2M4ZP9')}"

    assert [kind for kind, _ in replace_secrets(text, key=KEY).found] == ["url-password", "aws-key"]


def test_two_hosts_in_one_string_lose_both_passwords() -> None:
    text = "redis://:" + "p4ssOne1" + "@h1:6379,redis://:" + "p4ssTwo2" + "@h2:6379"

    assert "p4ss" not in replace_secrets(text, key=KEY).text


def test_a_value_far_longer_than_the_shape_inside_it_goes_as_a_whole() -> None:
    value = "prefix9-" + "AKIA" + chars(16, "Q7XN2M4ZP9") + "-and_more_of_it_77"
    redacted = replace_secrets(f'password = "{value}"', key=KEY)

    assert redacted.text.startswith('password = "[secret:')
    assert "and_more" not in redacted.text


def test_json_stays_json() -> None:
    text = json.dumps({"password": "hunter2" + "!x", "url": "postgres://a:" + "Zx9kLm2" + "@h/d", "n": 1})

    assert json.loads(replace_secrets(text, key=KEY).text)["n"] == 1


@settings(deadline=None)  # the first example loads the libraries
@given(
    st.lists(
        st.one_of(
            st.text(max_size=12),
            st.sampled_from([before + secret + after for _, before, secret, after in SECRETS]),
            st.sampled_from(LOOK_ALIKES),
            st.sampled_from(["[secret:password:0123abcd]", "[secret:", "]", "://", "@", "password=", "\n", '"']),
        ),
        max_size=6,
    )
)
def test_replacing_twice_is_replacing_once(pieces: list[str]) -> None:
    once = replace_secrets("".join(pieces), key=KEY).text

    assert replace_secrets(once, key=KEY) == (once, ())


@pytest.mark.parametrize(
    "piece",
    ["-----BEGIN " + PK + "-----\n", "://a:", "password=", "bearer ", "curl -u ", "eyJ", "//x/:_authToken=", "a" * 50],
)
def test_hostile_repetition_is_read_to_its_end(piece: str) -> None:
    redacted = replace_secrets(piece * (100_000 // len(piece)), key=KEY)

    assert redacted.text


def test_every_plugin_named_exists_and_gives_a_known_kind() -> None:
    import importlib

    for entry in LIBRARY:
        module = importlib.import_module(f"detect_secrets.plugins.{entry.module}")
        assert getattr(module, entry.name).denylist
        assert entry.kind in KINDS
