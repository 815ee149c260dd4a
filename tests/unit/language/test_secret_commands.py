"""Secrets where programs take them: whatever the secret, it is gone and what stands around it stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.secrets.replacing import replace_secrets

KEY = bytes(32)
PLAIN = st.text("abcdefghijkmnpqrstuvwxyz", min_size=4, max_size=8)


def mixture(head: str, digits: int, mark: str, tail: str) -> str:
    return f"{head.capitalize()}{digits}{mark}{tail}"


SECRETS = st.builds(mixture, PLAIN, st.integers(10, 9999), st.sampled_from("&;,+%!#@"), PLAIN)
PLACES = (
    "xfreerdp /v:10.1.1.20 /u:Administrator /p:{} /cert:ignore",
    "psexec \\\\wks-114 -u WKS-114\\localadm -p {} cmd /c ipconfig",
    "plink.exe -batch -ssh root@10.7.0.2 -pw {} poweroff",
    'sqlcmd -S tcp:sql1,1433 -U sa -P "{}" -Q "select 1"',
    "ldapsearch -x -D cn=admin,dc=uni -w {} -b dc=uni",
    "jarsigner -keystore release.jks -storepass {} app.aab upload",
    "schtasks /create /tn copy /ru CORP\\backup /rp {}",
    "net use Z: \\\\fs02\\archive /user:CORP\\scan {}",
    "smbclient //fs01/finance -U 'CORP\\weber%{}'",
    "lftp -u www44,{} -e 'mirror'",
    "$pw = ConvertTo-SecureString '{}' -AsPlainText -Force",
    "request.basic_auth 'press', '{}'",
    "requirepass {}\nmaxmemory 2gb",
    " neighbor 192.0.2.1 password 0 {}\n!",
    "crypto isakmp key {} address 192.0.2.77",
    '203.0.113.9 198.51.100.20 : PSK "{}"',
    "define( 'DB_PASSWORD', '{}' );",
    "- ParameterKey: MasterUserPassword\n  ParameterValue: {}\n",
    "<Password><Value>{}</Value><PlainText>true</PlainText></Password>",
)


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=15, deadline=None)
@given(secret=SECRETS)
def test_a_secret_is_replaced_where_a_program_takes_it_and_the_rest_stays(place: str, secret: str) -> None:
    before, after = place.split("{}")
    text = replace_secrets(place.format(secret), key=KEY).text
    assert secret not in text
    assert text.startswith(before)
    assert text.endswith(after)


@pytest.mark.parametrize(
    "sentence",
    [
        "the password has been reset to {} this morning",
        "le mot de passe du compte est passé à {} hier soir",
        "Benutzer ist root, Kennwort laut Übergabe {} aber es geht nicht",
        "what was the db pw?\n{} as of today",
    ],
)
@settings(max_examples=15, deadline=None)
@given(secret=st.builds(mixture, PLAIN, st.just(7), st.just("&"), PLAIN))
def test_what_is_unlike_words_shortly_after_a_word_for_secrets_is_replaced(sentence: str, secret: str) -> None:
    assert secret not in replace_secrets(sentence.format(secret), key=KEY).text


@pytest.mark.parametrize(
    "text",
    [
        "arn:aws:secretsmanager:eu-central-1:825066133287:secret:search/prod-3dea93 was rotated",
        "An attempt was made to reset an account's password. TargetSid=S-1-5-21-187438493-994620962-226483928-1418",
        "mkdir -p build/output2 && psql -p 5432 -w",
        "define('DB_PASSWORD', getenv('DB_PASSWORD'));",
        "neighbor 192.0.2.1 password encryption type 7 is weak",
        "The wpa-passphrase option takes 8 to 63 characters.",
        "the token of Monday's build took 12:30:45,7 and 3<4 is true; key word: rows 3,4,5",
        "the password of ann@harbour.example is asked for at https://a.example/x?y=1",
        "DEPLOY_KEY=${DEPLOY_KEY} SIGNING_KEY=<your-key>",
    ],
)
def test_what_only_speaks_of_secrets_stays(text: str) -> None:
    assert replace_secrets(text, key=KEY).text == text
