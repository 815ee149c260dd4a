"""Secrets where programs take them: options of command lines, lines of configuration, pairs of a name and its value.

Each rule follows the documented syntax of what it names; every repeat is bounded, so the time is linear in the text.
"""

from language.secrets.proofs import is_bare_value, is_no_dummy, is_quoted_value, is_random_key, is_told_value
from language.secrets.rules import rule

_WORD = r"""(?:"(?P<s>[^"\n]{4,200})"|'(?P<t>[^'\n]{4,200})'|(?P<u>[^\s"'][^\s]{3,199}))"""
"""An argument of a command line: in quotation marks, or up to a blank. Exactly one of its groups matches."""

_NAME = (
    r"(?:[\w.$-]{0,60}?(?:pass(?:word|wd|phrase)?|pwd|secret|token|credential|psk|signature|"
    r"(?:api|access|auth|private|signing|secret|encryption|webhook|service|master|logged_in|auth|nonce)[_-]?(?:key|salt))"
    r"[\w.$-]{0,40})"
)
"""A name that introduces a secret, with what stands around it in a compound."""

OPTIONS = (
    rule(
        "password",
        r"(?i)\b(?:xfreerdp3?|wfreerdp|rdesktop|signtool|wmic|certutil|dsmod|runas)(?:\.exe)?\b"
        rf"[^\n]{{0,200}}?[ /-]p[: ]{_WORD}",
        "freerdp", "rdesktop", "signtool", "wmic", "certutil", "dsmod", "runas",
        proof=is_no_dummy,
    ),
    rule(
        "password",
        rf"(?i)\b(?:psexec|plink|pscp|putty|kitty|sqlcmd|bcp|osql|isql|ldap(?:search|modify|add|whoami)|winexe|rpcclient)"
        rf"(?:64)?(?:\.exe)?\b[^\n]{{0,300}}?\s-(?:pw|p|w)(?:[ ]|(?=[\"'])){_WORD}",
        "psexec", "plink", "pscp", "putty", "sqlcmd", "bcp", "osql", "isql", "ldap", "winexe", "rpcclient",
        proof=is_bare_value,
    ),
    rule(
        "password",
        rf"(?i)\b(?:keytool|jarsigner|apksigner)\b[^\n]{{0,300}}?\s-(?:storepass|keypass|srcstorepass|deststorepass)"
        rf"\s(?:pass:)?{_WORD}",
        "storepass", "keypass",
        proof=is_no_dummy,
    ),
    rule("password", rf"(?i)\bschtasks\b[^\n]{{0,300}}?\s/rp[ ]{_WORD}", "schtasks", proof=is_no_dummy),
    rule(
        "password",
        rf"(?i)\bnet\s+use\b[^\n]{{0,120}}?\s/user:\S{{1,60}}[ ](?!/){_WORD}",
        "/user:",
        proof=is_bare_value,
    ),
    rule(
        "password",
        r"""(?i)\b(?:smbclient|winexe|rpcclient|mount\.cifs)\b[^\n]{0,200}?-U\s?["']?[^\s%"']{1,60}%(?P<s>[^\s']{4,100})""",
        "smbclient", "winexe", "rpcclient", "mount.cifs",
        proof=is_no_dummy,
    ),
    rule(
        "password",
        r"""(?i)\blftp\b[^\n]{0,200}?\s-u\s+["']?[^\s,"']{1,60},(?P<s>[^\s"']{4,100})""",
        "lftp",
        proof=is_no_dummy,
    ),
    rule(
        "password",
        r"""(?i)ConvertTo-SecureString\s+(?:-String\s+)?"""
        r"""(?:"(?P<s>[^"\n]{4,200})"|'(?P<t>[^'\n]{4,200})'|(?P<u>[^\s$("'-][^\s]{5,199}))""",
        "convertto-securestring",
        proof=is_no_dummy,
    ),
    rule(
        "password",
        r"""(?i)\bbasic_?auth\(?\s{0,4}["'][^"'\n]{1,60}["']\s{0,3},\s{0,3}["'](?P<s>[^"'\n]{4,200})["']""",
        "basic_auth", "basicauth",
        proof=is_no_dummy,
    ),
)  # fmt: skip

LINES = (
    rule(
        "password",
        r"""(?im)^[ \t]*(?:requirepass|masterauth|sentinel auth-pass \S{1,40})[ \t]+["']?(?P<s>[^\s"'#]{4,200})""",
        "requirepass", "masterauth", "auth-pass",
        proof=is_no_dummy,
    ),
    rule(
        "password",
        r"""(?im)^[ \t]*(?:[\w.:-]{1,40}[ \t]+){0,7}?"""
        r"""(?:password|secret|(?:wpa-)?passphrase|pre-shared-key|psk|isakmp[ ]key)[ \t]+(?:[0-9][ \t]+)?"""
        r"""(?:"(?P<s>[^"\n]{6,200})"|(?P<t>[^\s"']{6,200}))(?=[ \t]*(?:$|address\b|level\b|role\b|vrf\b))""",
        "password", "secret", "passphrase", "pre-shared-key", "psk", "isakmp",
        proof=is_told_value,
    ),
    rule(
        "password",
        r"""(?i)(?:\bPSK[ \t]{1,4}|\bpsk[ \t]?=[ \t]?)"(?P<s>[^"\n]{8,63})\"""",
        "psk",
        proof=is_no_dummy,
    ),
    rule(
        "password",
        r"(?i)\bsnmp-server[ \t]+user\b[^\n]{0,80}?[ ]auth[ \t]+(?:md5|sha(?:-?\d{3})?)[ \t]+(?P<s>\S{6,100})",
        "snmp-server",
        proof=is_no_dummy,
    ),
    rule(
        "private-key",
        r"-----BEGIN OpenVPN Static key V1-----\s(?P<s>[0-9a-fA-F\s]{64,1000})-----END",
        "openvpn static key",
    ),
    rule(
        "credential",
        r"""(?<![\w.])(?:ENV |ARG |export |set |build-arg[= ])?[A-Z][A-Z0-9_]{0,40}_(?:KEY|PAT|LOGIN|TOKEN|AUTH|SALT)"""
        r"""[ ]?=[ ]?["']?(?P<s>[^\s"',;]{16,400})""",
        "_key", "_pat", "_login", "_token", "_auth", "_salt",
        proof=is_random_key,
    ),
    rule(
        "credential",
        r"""(?i)\b(?:secret_key_base|org_?key|originsecret|license_?key)\b["']?[ \t]{0,4}[:=]?[ \t]{0,14}["']?"""
        r"""(?P<s>[A-Za-z0-9+/=_-]{16,400})""",
        "secret_key_base", "orgkey", "org_key", "originsecret", "license",
        proof=is_random_key,
    ),
)  # fmt: skip

PAIRS = (
    rule(
        "credential",
        rf"""(?i)\b(?:name|key|parameterkey)["']?\s{{0,3}}:\s{{0,3}}["']?{_NAME}["']?\s{{0,3}}[,\n]\s{{0,20}}["']?"""
        r"""(?:parameter)?value["']?\s{0,3}:\s{0,3}(?:"(?P<s>[^"\n]{6,400})"|'(?P<t>[^'\n]{6,400})'|(?P<u>[^\s"']{6,400}))""",
        "value",
        proof=is_bare_value,
    ),
    rule(
        "credential",
        rf"""(?i)(?P<q>["']){_NAME}(?P=q)\s{{0,3}},\s{{0,3}}(?:"(?P<s>[^"\n]{{6,400}})"|'(?P<t>[^'\n]{{6,400}})')""",
        "',", '",',
        proof=is_quoted_value,
    ),
    rule(
        "credential",
        rf"""(?i)<(?:string|entry|property|setting|add)\s[^<>\n]{{0,80}}?(?:name|key)=["']{_NAME}["'][^<>\n]{{0,80}}>"""
        r"""(?P<s>[^<\n]{6,400})</""",
        "<string", "<entry", "<property", "<setting", "<add",
        proof=is_bare_value,
    ),
    rule(
        "password",
        r"(?i)<(?:[\w:]{0,20}password)>\s{0,8}<value>(?P<s>[^<\n]{4,200})</value>",
        "<value>",
        proof=is_no_dummy,
    ),
)  # fmt: skip

PLACED = (*OPTIONS, *LINES, *PAIRS)
"""All of them, the surest first."""
