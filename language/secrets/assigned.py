"""Secrets that a name introduces: `password=…`, `"pw": "…"`, `<password>…</password>`, `?sig=…`, "the token is …".

Where a value ends depends on how it is written, so each way of writing has its own rule:

- in quotation marks it ends at the same mark, and the mark may stand in it escaped; blanks belong to it
- in an element it ends at the `<` of the end tag, in braces (`PWD={…}`) at the brace
- in the query of a URL it ends at `&`, `;`, `#`, a blank or a quotation mark
- anywhere else it ends at a blank; at `&`, `;` or `,` only where another `name=` follows, or a blank, or nothing

Every repeat is bounded and every look ahead too: the time is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from language.secrets.proofs import (
    is_assigned_in_code,
    is_bare_value,
    is_query_value,
    is_quoted_value,
    is_random_key,
    is_random_looking,
    is_signature,
    is_told_value,
    is_unlike_words,
    is_weak_value,
)
from language.secrets.rules import MARK, Proof, Rule, rule

NAME_HINTS = (
    "pass", "pw", "secret", "token", "credential", "contrase", "kennwort", "key", "sig", "auth", "sess", "sid",
    "mot de", "code", "phrase", "mnemonic", "otp", "cookie",
)  # fmt: skip
_STRONG = (
    r"pass(?:word|wd|phrase|code|wort)|pwd|secret|token|credentials?|contrase(?:ñ|n)a|kennwort|mot de passe|"
    r"(?:api|access|auth|account|service|secret|private|client|db|database|encryption|encrypt|signing|master|shared|"
    r"storage|sas|license|admin|function|subscription|webhook|hmac|jwt|ssh|app|application|session|integration)"
    r"[_\- .]?key|(?:recovery|backup|one[- ]time)[ _-]?codes?"
)
_SHORT = (
    r"(?<![A-Za-z0-9])(?:pass|pw|pswd?|psw|passw|auth|sid|sess(?:ion)?(?:[_-]?id)?|sessid|otp|mfa|csrf|xsrf|"
    r"sig(?:nature)?)(?![A-Za-z0-9])"
    r"|(?:db|my|key|store|root|admin|user|smtp|ftp|redis|mongo|pg|trust)_?(?:pass|pw)(?![a-z])"
    r"|(?:php|j|asp\.net_)sess(?:ion)?_?id|connect\.sid"
    r"|(?-i:(?<=[a-z0-9])(?:Pass|Pw|Pwd|Sid|SessionId)(?![a-z]))"
)
SECRET_NAME = re.compile(rf"(?i)(?P<strong>{_STRONG})|{_SHORT}")
"""Names that introduce a secret; those outside group `strong` are short, and their values must prove more."""

_PASSWORDS = ("pass", "pw", "psw", "contrase", "kennwort")
_CLOSE = rf"(?:{MARK})?\]?"  # the end of a quoted name or a subscript: "password": or config["password"] =
_MARKS = r"""(?:=>|:=|==?|:|-->|->|→)"""
_IN_MARKS = r"""(?P<q>["'`])(?P<s>(?:(?!(?P=q))[^\\\n]|\\.){4,256})(?P=q)"""
_IN_ESCAPED = r"""(?P<q>\\["'])(?P<s>(?:[^"'\\\n]|\\{3}["']|\\(?!["'])){4,256})(?P=q)"""
BARE = r"""(?:
    [^\s"'`\\&;,<>|]
    | &(?!amp;) (?! [A-Za-z_][\w.\-\[\]]{0,40}= | &?\s | &?$ )
    | ; (?= \S ) (?! [A-Za-z_][\w.\-]{0,20}(?:\ \w{1,20}){0,2}= | ["'`] )
    | , (?= \S ) (?! ["']? [A-Za-z_][\w.\-]{0,40} ["']? [=:] | ["'`\[{] )
    | < (?! / | !-- | [A-Za-z]\w{0,10}(?:[/>]|\s[\w-]{1,20}=) ) | > (?= [^\s<] ) | \| (?= [^\s|] )
    | ["'`] (?= [A-Za-z0-9!\#$%*@^_~+] )
    | \\ (?! [nrtu"'\\] )
)"""
"""One character of a value without quotation marks (verbose form): see above for where it ends."""
_QUERY = r"""[^\s&;?#"'<>`\\]"""
_TAIL = r".,;:?!"


class Hit(NamedTuple):
    """Where a secret stands, and its kind."""

    start: int
    end: int
    kind: str


def _verbose(pattern: str, proof: Proof) -> Rule:
    return Rule("password", re.compile(f"(?ix){pattern}"), (), proof)


_QUOTED = tuple(
    _verbose(rf"""{_CLOSE}\s{{0,8}}{_MARKS}\s{{0,8}}[rbfu@$]?{value}""", is_quoted_value)
    for value in (_IN_MARKS, _IN_ESCAPED)
)
_BRACED = _verbose(r"""[ ]?=[ ]?\{(?P<q>)(?P<s>[^{}\n]{4,200})\}(?=[;"'\s]|$)""", is_quoted_value)
_TAG = rf"""(?:{MARK})?(?:[ ][^<>\n]{{0,200}})?>\s{{0,20}}"""
_ELEMENT = _verbose(
    rf"""{_TAG}(?P<q>)(?P<s>[^<>\s](?:[^<\n]|<(?!/|!|[a-z][\w:]{{0,20}}[\s/>])){{3,256}}?)\s{{0,20}}</""",
    is_quoted_value,
)
_CDATA = _verbose(rf"""{_TAG}<!\[CDATA\[(?P<q>)(?P<s>[^\]\n]{{4,256}})\]\]>""", is_quoted_value)
_KEY_ELEMENT = _verbose(r"""</key>\s{0,20}<string>(?P<q>)(?P<s>[^<\n]{4,256})</""", is_quoted_value)
_ATTRIBUTE = _verbose(rf"""["']\s{{1,4}}value\s?=\s?{_IN_MARKS}""", is_quoted_value)
_TIGHT = _verbose(rf"""{_CLOSE}\*{{0,2}}(?:=|:[ \t]{{0,4}}(?:\*\*[ ])?)(?P<s>{BARE}{{6,256}})""", is_bare_value)
_SPACED = _verbose(rf"""{_CLOSE}[ \t]{{1,8}}{_MARKS}[ \t]{{1,8}}(?P<s>{BARE}{{6,256}})""", is_assigned_in_code)
_PARAMETER = _verbose(rf"""=(?P<s>{_QUERY}{{6,1000}})""", is_query_value)
_FLAGS = (
    _verbose(rf"""[ =]{_IN_MARKS}""", is_quoted_value),
    _verbose(r"""[ =](?P<s>[^\s"'`]{6,256})""", is_bare_value),
)
_VERB = (
    r"""(?:[ \t]+(?:for|of|to|on|in|at|there)(?:[ \t]+[\w@.'/-]{1,40}){0,5}?)?"""
    r"""(?:[ \t]+(?:(?:(?:is|was|has[ ]been)[ \t]+)?(?:set|changed|reset|rotated|updated)[ \t]+to|"""
    r"""will[ ]be|should[ ]be|is|was|ist|are|lautet|->|→|–|—)|[ \t]{0,2}:)"""
    r"""(?:[ \t]+(?:now|still|currently|just))?[ \t:]+"""
)
_TOLD_QUOTED = _verbose(rf"""{_VERB}[*]{{0,2}}{_IN_MARKS}""", is_quoted_value)
_TOLD = _verbose(rf"""{_VERB}[*(]{{0,2}}(?P<s>{BARE}{{6,100}})""", is_told_value)
_TOLD_KEY = _verbose(rf"""{_VERB}["'`*(]{{0,2}}(?P<s>[A-Za-z0-9._~+/=-]{{12,200}})""", is_random_key)
_AFTER_BLANK = _verbose(r"""[ \t]{1,4}(?P<s>[^\s"'`]{6,100})""", is_told_value)
_IN_RESOURCE = re.compile(r"\barn:[\w-]{1,20}:secretsmanager:[\w-]{0,30}:\d{0,14}:\Z")
"""What stands before the word "secret" in the name of a secret, which gives nothing of it away."""
_LOGIN_BEFORE = re.compile(r"(?i)\blogin[ \t]+\S{1,80}\s+\Z")
_IN_TAG = re.compile(r"<[^<>\n]{0,90}\Z")
_IN_KEY = re.compile(r"<key>[\w .-]{0,40}\Z")
_IN_QUERY = re.compile(r"[?&][\w.-]{0,40}\Z")
_IN_FLAG = re.compile(r"(?<!\S)--[\w-]{0,40}\Z")
_LINE_NAME = re.compile(r"(?:\A|[\n;?&])[ \t]*(?:export[ \t]+|set[ \t]+)?[\w.-]{0,60}\Z")
_LINE = _verbose(rf"""=(?P<s>{BARE}{{6,256}})(?=\s|\Z)""", is_query_value)

_SEED = rule(
    "seed-phrase",
    r"(?i)(?:mnemonic|seed[ _-]?phrase|recovery[ _-]?phrase|seed[ _-]?words?|wallet[ _-]?seed)"
    r"[^\n]{0,40}?[:=\n][ \t\n]{0,4}[\"'`]?(?P<s>[a-z]{3,8}(?:[ \n][a-z]{3,8}){11,23})(?![a-z])",
    "mnemonic", "phrase", "seed",
)  # fmt: skip


def assigned(text: str, lowered: str) -> Iterator[Hit]:
    """Values given to names: assigned, in elements, in queries, passed as a flag, or told in a sentence."""
    if any(hint in lowered for hint in _SEED.hints):
        for match in _SEED.pattern.finditer(text):
            yield Hit(*match.span("s"), _SEED.kind)
    if not any(hint in lowered for hint in NAME_HINTS):
        return
    done = 0
    for name in SECRET_NAME.finditer(text):
        hit = _after(text, name) if name.start() >= done else None  # a name inside a value introduces nothing
        if hit is not None:
            done = hit.end
            yield hit


_WORDS_OF_SECRETS = re.compile(
    r"(?i)\b(?:pass(?:word|wd|wort|code|phrase)s?|pwd?|kennwort|contraseñ?n?a|clave|mot de passe|mdp|senha|wachtwoord|"
    r"lösenord|hasło|salasana|credentials?|creds|log[ -]?in|secret|token|pin|code|key|schlüssel|clé)\b"
    r"|密码|пароль|パスワード"
)
_MENTION = re.compile(
    r"(?<![\w/.@:=$%\\-])[\"'`«“„(*]{0,3}(?P<s>[^\s\"'`«»“”()\[\]{}=/\\]{8,64})(?=[\s\"'`»”).,;:!?*]|\Z)"
)
_NEAR = 90
"""Characters after the word within which a value is looked for."""


def mentioned(text: str) -> Iterator[Hit]:
    """Values that nothing introduces but a word for secrets shortly before them: what is unlike any word and name."""
    done = 0
    for word in _WORDS_OF_SECRETS.finditer(text):
        start = max(done, word.end())
        for match in _MENTION.finditer(text, start, _reach(text, word.end())):
            value = _without_tail(match["s"])
            if is_unlike_words(value):
                done = match.start("s") + len(value)
                yield Hit(match.start("s"), done, "password")
                break


def _reach(text: str, start: int) -> int:
    """How far a word for secrets reaches: to the end of the next line that says something, or so many characters."""
    end = text.find("\n", start, start + _NEAR)
    if end >= 0 and not text[start:end].strip(" \t:.,?!*"):
        end = text.find("\n", end + 1, start + _NEAR)
    return end if end >= 0 else min(len(text), start + _NEAR)


def _after(text: str, name: re.Match[str]) -> Hit | None:
    """The first rule that finds a value behind this name."""
    word = name.group().lower()
    if word == "secret" and _IN_RESOURCE.search(text, max(0, name.start() - 80), name.start()):
        return None
    is_password = any(part in word for part in _PASSWORDS)
    weak = name["strong"] is None
    before = text[max(0, name.start() - 100) : name.start()]
    for each in _rules(word, before, is_password=is_password, weak=weak):
        match = each.pattern.match(text, name.end())
        if match is None:
            continue
        start, end = match.span("s")
        if "q" not in each.pattern.groupindex:
            end = start + len(_without_tail(match["s"]))
        value = text[start:end]
        proven = each.proof is None or each.proof(value)
        if proven and (not weak or is_password or is_weak_value(value)):
            return Hit(start, end, "password" if is_password else "credential")
    return None


def _rules(word: str, before: str, *, is_password: bool, weak: bool) -> Iterator[Rule]:
    """The rules that a name may be read by, the surest first."""
    is_signed = word.startswith("sig")
    if _IN_QUERY.search(before):
        yield _PARAMETER._replace(proof=is_signature) if is_signed else _PARAMETER
        return
    if _IN_FLAG.search(before):
        yield from _FLAGS
    if _IN_TAG.search(before):
        yield from (_CDATA, _ELEMENT, _ATTRIBUTE)
    elif _IN_KEY.search(before):
        yield _KEY_ELEMENT
    yield from _QUOTED
    if is_signed:
        yield _TIGHT._replace(proof=is_signature)
        return
    yield from _of_password(before) if is_password else _of_key(weak=weak)


def _of_password(before: str) -> Iterator[Rule]:
    yield _BRACED
    if _LINE_NAME.search(before):
        yield _LINE
    yield from (_TIGHT, _SPACED)
    if _LOGIN_BEFORE.search(before):
        yield _AFTER_BLANK
    yield from (_TOLD_QUOTED, _TOLD)


def _of_key(*, weak: bool) -> Iterator[Rule]:
    yield from (_TIGHT, _SPACED)
    if not weak:
        yield _TOLD_KEY


def _without_tail(value: str) -> str:
    """A bare value without what ends a sentence, and without brackets that were opened before it."""
    while value:
        last = value[-1]
        opened = {")": "(", "]": "[", "}": "{", ">": "<"}.get(last)
        if last in _TAIL or last == "*" or (opened is not None and value.count(last) > value.count(opened)):
            value = value[:-1]
        else:
            break
    return value


_COOKIE = re.compile(
    r"(?i)\b(?P<set>set-)?cookie2?(?:\\?[\"'])?\s{0,3}(?:[:=]|=>)\s{0,3}(?:\\?[\"'])?(?P<s>[^\n\r\"]{8,4000})"
)
_PAIR = re.compile(r"(?P<name>[\w.$%-]{1,80})=(?P<s>[^;\s,'\\]{6,2000})")
_ATTRIBUTES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version", "comment"})
_SESSION_NAME = re.compile(r"(?i)sess|sid|auth|token|csrf|xsrf|jwt|login|remember|secret|key|sso|identity|aspx|user")
_LONG = 16


def cookies(text: str, lowered: str) -> Iterator[Hit]:
    """Values of cookies: those of sessions by name, and whatever else is long and looks random."""
    if "cookie" not in lowered:
        return
    for header in _COOKIE.finditer(text):
        for pair in _PAIR.finditer(text, *header.span("s")):
            value, name = pair["s"], pair["name"].lower()
            if name in _ATTRIBUTES:
                continue
            named = _SESSION_NAME.search(name) is not None and is_bare_value(value)
            if named or (len(value) >= _LONG and is_random_looking(value) and is_bare_value(value)):
                yield Hit(*pair.span("s"), "cookie")
            if header["set"]:
                break
