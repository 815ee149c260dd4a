"""A value ends where its way of writing says so. The fakes are put together at run time: no scanner flags this file."""

import json
from urllib.parse import quote
from xml.sax.saxutils import escape

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from language.secrets.replacing import replace_secrets

KEY = b"k" * 32
ODD = "Xk9" + "&pQ7zLm2R"
LONG = "q7Zt" + "4Wm9Lx2Rb8Vn5Kc3"
HASH = "3f9a0c7e51b2" + "d8463f9a0c7e"

WHOLE = [
    ("password=", ODD, ""),
    ("pw=", "Tr0ub4dor" + "&3Q1zP", ""),
    ("DB_PASSWORD=", "a1b2" + "&c3,d4;e5<f6|g7", "\nDB_HOST=db"),
    ("password: ", "zk4" + ",qT;9v<Lm", " # of the replica"),
    ("export SMTP_PASS=", "hU7" + '"kk2pQ9w', "\n"),
    ("pass: ", "m4gic" + "Gate77", ""),
    ("Pass: ", "Zug" + "spitze2962", " please"),
    ("dbPass = '", "s0 many" + " things; 4 me", "'"),
    ('password = "', "correct horse" + " battery staple", '"'),
    ("passphrase: '", "rosebud &" + " Snow 1941", "'"),
    ('{"pw": "', "9sK" + "<lm&2;x,Q", '"}'),
    ('{"pwd":"', "ab1" + '\\"cd2;ef3', '","n":1}'),
    ('{\\"pw\\":\\"', "9sK" + "<lm&2x", '\\"}'),
    ("<password>", "kT8" + "!vv&amp;Q2", "</password>"),
    ("<ns:Password type='text'>", "kT8" + " vQ2 zz", "</ns:Password>"),
    ("<secret><![CDATA[", "8Zr" + "&<mQ4vvW", "]]></secret>"),
    ("<add key='DbPassword' value='", "Lk3" + ";mm&Q9", "' />"),
    ('<string name="api_key">', LONG, "</string>"),
    ("Server=db;User Id=sa;Password=", "x7Q" + "&k,w2Z", ";Encrypt=true"),
    ("Server=db;PWD={", "x7Q" + ";k,w2Z", "};Encrypt=true"),
    ("https://h.example/login?user=bob&password=", "x7Q" + "%26kw2Z", "&next=/home"),
    ("user=bob&password=", "x7Qk" + "w2Z", "&next=/home"),
    ("password=", "x7Qk" + "w2Z", "&user=bob"),
    ("https://h.example/reset?token=", LONG, "#top"),
    (
        "https://a.blob.example/c/f.zip?sv=2023-11-03&st=2024-01-01&sr=b&sig=",
        quote("aB3+" + "dE6/fG9h" * 5 + "="),
        "&sp=r",
    ),
    ("SharedAccessSignature sr=hub.example&sig=", quote("aB3+" + "dE6/fG9h" * 5 + "="), "&se=1700000000"),
    ("https://s3.example/b/k?X-Amz-Expires=300&X-Amz-Signature=", HASH * 2 + HASH[:16], ""),
    ("Endpoint=sb://x.example/;SharedAccessKeyName=Root;SharedAccessKey=", "aB3+" + "dE6/fG9h" * 5 + "=", ""),
    ("Cookie: theme=dark; sessionid=", LONG, "; lang=en"),
    ("Set-Cookie: connect.sid=", "s%3A" + LONG + ".Qm" + LONG, "; Path=/; HttpOnly"),
    ("Cookie: JSESSIONID=", HASH.upper() + HASH[:8].upper(), ""),
    ("curl -H 'Cookie: id=", LONG + LONG, "' https://x.example"),
    ("Authorization: ", LONG + LONG, ""),
    ("X-Auth-Token: ", LONG, ""),
    ("we use ", "dsk" + "_ab3de6gh9jk2_" + (LONG * 3)[:43], " from now on"),
    ("machine git.example login ci password ", "w8Rt" + "&kk2", ""),
    ("mytool --token ", LONG, " --verbose"),
    ("mytool --password '", "kite b&" + "c 9dd", "' core"),
    ("docker login -u ci -p ", "w8Rt" + "&kk2", " reg.example"),
    ("the password for the old box is ", "Blue&" + "Horse<42", "."),
    ("password to staging: ", "Blue&" + "Horse42", ""),
    ("the admin password was changed to ", "Blue;" + "Horse42", ", tell Ann"),
    ("mnemonic: ", "lamp ocean tiger " * 3 + "window paper stone", ""),
]


def goes_whole(before: str, secret: str, after: str) -> bool:
    """Whether one placeholder takes the place of the secret, and of nothing else."""
    redacted = replace_secrets(f"{before}{secret}{after}", key=KEY)
    return len(redacted.found) == 1 and redacted.text == f"{before}{redacted.found[0][1]}{after}"


def test_the_whole_value_goes_and_what_stands_around_it_stays() -> None:
    assert [row for row in WHOLE if not goes_whole(*row)] == []


ORDINARY = [
    "[secret:github_token:2222aaaa] and [personal:email_address:0123abcd] stood here",
    "a pass: the tests in tests/unit/test_auth2.py::test_login passed",
    "pass: 3 of 4, fail: 1",
    "auth: ok, user 4711",
    "session: started at 12:30:11",
    "sid=4711 user=ann",
    "https://shop.example/list?page=2&sort=price&key=colour",
    "https://x.example/a?sessionid=short",
    "GET /index.html?version=1.2.3&lang=en HTTP/1.1",
    "Cookie: theme=dark; lang=en-GB; consent=yes-all",
    "Set-Cookie: theme=dark; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
    '{"errors": {"password": "must be at least 8 characters"}}',
    '{"password": "Please enter a new password"}',
    "<password>required</password>",
    "<label for='password'>Password</label>",
    "<input type='password' name='pw' placeholder='Password'>",
    "password: the one in the vault",
    "Password: please reset it by Friday 12:00",
    "the password is set by the operator",
    "token: expired, code 401",
    "max_tokens=4096 and prompt_tokens: 512",
    "compass: north, trespass=no, bypass: enabled",
    "the key is to begin early in 2024",
    "primary_key=user_id2",
    "signature: def run(self, key: str) -> None",
    "sig=SIGTERM received",
    "auth=settings.auth.backend",
    "token = tokens[index]",
    "password=getpass.getpass('Password: ')",
    "passwd: password updated successfully",
    "Failed password for invalid user admin from 203.0.113.9 port 52144 ssh2",
    "pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh",
    "session opened for user root by (uid=0)",
]


def test_ordinary_lines_stay() -> None:
    assert [text for text in ORDINARY if replace_secrets(text, key=KEY) != (text, ())] == []


_SIGNS = st.sampled_from("abkmQRZ2479&;,<>|!@#$%^*-_~+")
_VALUES = st.text(_SIGNS, min_size=10, max_size=30).map(lambda text: f"k7{text}Z")
_NAMES = st.sampled_from(["password", "pw", "pwd", "db_password", "passphrase"])
_FORMS = st.sampled_from(["json", "nested", "double", "single", "element", "query", "shell"])


def written(form: str, name: str, value: str) -> str:
    """The value as each way of writing holds it."""
    return {
        "json": json.dumps({name: value, "n": 1}),
        "nested": json.dumps({"body": json.dumps({name: value})}),
        "double": f'{name} = "{value}"',
        "single": f"{name}: '{value}'",
        "element": f"<{name}>{escape(value)}</{name}>",
        "query": f"https://h.example/x?{name}={quote(value, safe='')}&n=1",
        "shell": f"export {name.upper()}={value.replace('<', '').replace('>', '').replace('|', '')}\n",
    }[form]


@settings(deadline=None)
@given(_NAMES, _VALUES, _FORMS)
def test_no_stretch_of_a_value_is_left_in_any_form(name: str, value: str, form: str) -> None:
    assume("***" not in value and "&&" not in value and "<" + ">" not in value)
    text = written(form, name, value)
    left = replace_secrets(text, key=KEY).text
    inner = text.split("=", 1)[-1] if form == "shell" else text

    body = [inner[at : at + 6] for at in range(len(inner) - 5)]
    secret = {
        "element": escape(value),
        "query": quote(value, safe=""),
        "shell": value.replace("<", "").replace(">", "").replace("|", ""),
    }.get(form, value)
    stretches = [secret[at : at + 6] for at in range(len(secret) - 5) if secret[at : at + 6] in body]
    outside = text.replace(secret, "")
    assert not [one for one in stretches if one in left and one not in outside]


HOSTILE = [
    *("password=a1&", "pw: '", '"pw":"\\', "<password>", "<password ", "Cookie: a=", "?sig=", "pass: a1;b="),
    *(
        "auth=<a ",
        "the password for a b c ",
        "authorization: ",
        "--token ",
        "PWD={",
        "mnemonic lamp ",
        "&token=",
        "login a pw ",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_is_read_to_its_end(piece: str) -> None:
    redacted = replace_secrets(piece * (100_000 // len(piece)), key=KEY)

    assert replace_secrets(redacted.text, key=KEY).text == redacted.text
