"""Is this value a secret? What the rules of `language.secrets.patterns` ask of a value before they take it for one."""

import base64
import binascii
import re


def has_letter_and_digit(value: str) -> bool:
    """Whether it mixes letters and digits, as issued keys do and words do not."""
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)


def is_random_looking(value: str) -> bool:
    """Whether it has at least three digits among letters: keys do, names with a version number seldom."""
    return sum(c.isdigit() for c in value) >= 3 and any(c.isalpha() for c in value)  # noqa: PLR2004 - the docstring's three


def is_mixed(value: str) -> bool:
    """Whether it has upper case, lower case and a digit."""
    return any(c.isupper() for c in value) and any(c.islower() for c in value) and any(c.isdigit() for c in value)


def is_mixed_and_random(value: str) -> bool:
    """Both of the above."""
    return is_mixed(value) and is_random_looking(value)


# Values that stand where a secret would: templates, types, words for "put yours here", defaults of tutorials.
_DUMMY_WORDS = (
    "password passwd pass passphrase pwd secret secrets token tokens key apikey api_key api-key mypassword "
    "mysecret changeme change-me change_me changeit example placeholder redacted hidden removed masked omitted "
    "dummy sample test testing foo bar foobar none null nil undefined empty unset true false yes no required "
    "optional string str bytes text number integer boolean object secretstr value values default unknown missing "
    "invalid incorrect wrong expired forgotten prompt env environment vault keyring here todo tbd username user "
    "userpass user_password your-password yourpassword your_password your-api-key your-token p4ssw0rd-here "
)
DUMMIES = frozenset(_DUMMY_WORDS.split())
_TEMPLATE = re.compile(
    r"""^(?:
        [$<{%\[*.(]              # $VAR, <password>, {password}, %s, [secret:…], ****, ..., (none)
        | (?:your|my|the|some|an?|new|old|insert|enter|replace|put)[-_ ]
        | (?:os|process|env|settings|config|self|this|ctx|secrets|vault|ssm|kms|op|sm|gcp|aws|arn|urn|file|https?|
           projects)(?:\.|:|/|$)
        | [./~]
    )""",
    re.VERBOSE,
)
_TEMPLATE_INSIDE = re.compile(
    r"\$\{|\{\{|<\w+>|\(|\)|\[|\]|\*{3}|x{4}|X{4}|\.\.\.|…|[-_ ](?:here|goes[-_]here|placeholder|example)$"
)
_DOTTED_NAME = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")  # response.token2: code, not a value
_VERSIONED_NAME = re.compile(r"^[a-z]+(?:_[a-z]+)*_?v?\d{1,2}$")  # token2, api_key_v1: a variable
# What people say a password or key is made with; "the token is base64" gives nothing away.
_ALGORITHM = re.compile(
    r"^(?:sha|md|base|aes|hs|rs|es|ps|utf|ecdsa|ed|rsa|argon|bcrypt|scrypt|pbkdf|oauth|blake|hmac|tls|x|ascii|jwt|"
    r"sha3|ntlm|latin|p)[-_]?v?\d+\w{0,3}(?:[-_]\w+)*$",
    re.IGNORECASE,
)
_MIN_WORD = 12
_FEW = 2  # different characters of "xxxx" or "-*-*"


def _classes(value: str) -> int:
    """How many of: letters, digits, inner capitals, symbols other than - _ . (0 to 4)."""
    inner = value[1:]
    return (
        any(c.isalpha() for c in value)
        + any(c.isdigit() for c in value)
        + (any(c.isupper() for c in inner) and any(c.islower() for c in value))
        + any(not c.isalnum() and c not in "-_. " for c in value)
    )


def is_dummy(value: str) -> bool:
    """Whether the value is a template, a type, a default of tutorials or one character repeated."""
    bare = value.strip("\"'`,;")
    return (
        bare.lower() in DUMMIES
        or len(set(bare)) <= _FEW
        or bool(_TEMPLATE.match(bare) or _TEMPLATE_INSIDE.search(bare))
    )


_TEMPLATE_IN_MIXTURE = re.compile(r"\$\{|\{\{|<[a-z_-]{3,}>|x{6}|X{6}|\*{4}|…")
_CALL = re.compile(r"^[A-Za-z_][\w.:]*[(\[]")  # getpass(), os.environ["X"], load_v2(name): code, not a value
_MAIL = re.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_MIN_PIN, _MIN_PLAIN, _MIN_RANDOM_CAPITALS = 6, 8, 16
# Words of talk about passwords: a value in quotation marks that holds one of them is a message, not a passphrase.
_TALK_WORDS = (
    "a an the is are was were be been must should shall may can cannot not no at least your our you we i it this that "
    "of to for from in on with by or and if then please enter required invalid incorrect wrong expired missing "
    "characters letters digits password passwords token tokens secret key field value does do did has have had will "
    "reset change changed updated set new old same too short long weak failed error see use used again "
)
_TALK = frozenset(_TALK_WORDS.split())


def _has_inner_symbol(value: str) -> bool:
    """Whether a symbol other than those of names, paths and mail stands between its first and last character."""
    return any(c in "!@#$%^&*?~+<>;,|=\"'" for c in value[1:-1]) and not _MAIL.match(value)


def _is_template(value: str) -> bool:
    """Whether it is a dummy or code; a bracket inside a value that mixes everything is neither."""
    bare = value.strip("\"'`,;")
    if bare.lower() in DUMMIES or len(set(bare)) <= _FEW or _TEMPLATE.match(bare):
        return True
    call = _CALL.match(bare)
    if call is not None and not is_mixed(call.group()):
        return True
    inside = _TEMPLATE_IN_MIXTURE if is_mixed(bare) else _TEMPLATE_INSIDE
    return inside.search(bare) is not None


def is_passphrase(value: str) -> bool:
    """Whether words in a row are a passphrase: nothing that people say about passwords, and enough of it.

    Two or three words need a digit or a symbol among them; four or more are taken as they are.
    """
    words = re.findall(r"[^\s]+", value)
    plain = [word.strip(".,;:!?").lower() for word in words]
    if any(word in _TALK for word in plain) or _is_template(value):
        return False
    if len(words) >= 4:  # noqa: PLR2004 - the docstring's four
        return len(words) <= 12 and all(word.isascii() for word in plain)  # noqa: PLR2004 - longer ones are sentences
    return has_letter_and_digit(value) or _has_inner_symbol("".join(words))


def is_memorable(value: str) -> bool:
    """Whether a secret cannot be an ordinary word, so that it may be looked for where nothing introduces it.

    8 or more characters with letters and digits or with a symbol inside, 6 or more with letters, digits and either
    capitals inside or a symbol, or a passphrase of 12 or more.
    """
    if any(c.isspace() for c in value):
        return len(value) >= _MIN_WORD and is_passphrase(value)
    if len(value) >= _MIN_PLAIN:
        return has_letter_and_digit(value) or _has_inner_symbol(value)
    return len(value) >= _MIN_PIN and has_letter_and_digit(value) and _classes(value) >= 3  # noqa: PLR2004 - as said


def is_quoted_value(value: str) -> bool:
    """Whether a value in quotation marks, given to a name such as `password`, is one: not a dummy, not a message."""
    value = value.strip()
    if any(c.isspace() for c in value):
        return is_passphrase(value)
    if len(value) < _MIN_PIN or _is_template(value):
        return False
    if value.isdigit() or _classes(value) >= 2:  # noqa: PLR2004 - two sorts of characters
        return not _ALGORITHM.match(value) and not _DOTTED_NAME.match(value)
    return value.isalpha() and len(value) >= _MIN_WORD and not value[0].isupper()


def is_bare_value(value: str) -> bool:
    """Whether a value without quotation marks is one: letters with digits or symbols, no name, path or algorithm."""
    if len(value) < _MIN_PIN or _is_template(value):
        return False
    if not has_letter_and_digit(value) and not (len(value) >= _MIN_PLAIN and _has_inner_symbol(value)):
        return False
    return not (_ALGORITHM.match(value) or _DOTTED_NAME.match(value))


def is_query_value(value: str) -> bool:
    """As `is_bare_value`, where a line or a query leaves no doubt that it is one: plain words and numbers count too."""
    if is_bare_value(value):
        return True
    if _is_template(value):
        return False
    plain = value.isalpha() and len(value) >= _MIN_PLAIN and value.lower() not in _TALK
    return plain or (value.isdigit() and len(value) >= _MIN_PIN)


def is_signature(value: str) -> bool:
    """Whether it may be a signature: 16 or more characters of base64 or hexadecimal that look random."""
    return len(value) >= 16 and is_random_looking(value) and not _is_template(value)  # noqa: PLR2004 - as said


_SECURITY_IDENTIFIER = re.compile(r"^S-1-\d{1,3}(?:-\d{1,12}){1,14}$")  # who somebody is on Windows, in every log


def is_weak_value(value: str) -> bool:
    """Whether the value of a short name such as `auth` or `sid` is a secret: long enough, no path, name or place."""
    if _SECURITY_IDENTIFIER.match(value):
        return False
    return len(value) >= 10 and has_letter_and_digit(value) and "::" not in value and not _VERSIONED_NAME.match(value)  # noqa: PLR2004


def is_assigned_in_code(value: str) -> bool:
    """As `is_bare_value`, where ` = ` says code: a variable with a version number is none either."""
    return is_bare_value(value) and not _VERSIONED_NAME.match(value)


def is_told_value(value: str) -> bool:
    """Whether what follows "the password is" gives one away: no word, and nothing that reads as one."""
    return is_bare_value(value) and ("-" not in value or is_random_looking(value) or _has_inner_symbol(value))


_RANGE_OR_TIME = re.compile(r"^[\d.,:;+-]+[a-zA-Z%]{0,5}$")


def is_unlike_words(value: str) -> bool:
    """Whether it is what people make of words when a form asks for a digit and a symbol: letters, digits, one inside.

    A symbol that names, paths, times and mail have is none; nor is a template, a version or a measure.
    """
    if not has_letter_and_digit(value) or _is_template(value) or _RANGE_OR_TIME.match(value) or _MAIL.match(value):
        return False
    marks = sum(c in "!@#$%^&*?~<>;,|" for c in value[1:-1])
    return 1 <= marks <= 4 and _classes(value) >= 3 and sum(c.isalpha() for c in value) >= 3  # noqa: PLR2004 - as said


def is_url_password(value: str) -> bool:
    """Whether the part between user and host is a password: not a dummy, not a port with a path behind it."""
    return not is_dummy(value) and re.match(r"\d{1,5}[/?#]", value) is None


def is_basic_credential(value: str) -> bool:
    """Whether it is the base64 of `user:password`."""
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in plain and plain.isprintable()


def is_random_key(value: str) -> bool:
    """Whether what follows "the token is" gives one away: a bare value that looks random."""
    return is_bare_value(value) and is_random_looking(value)


def is_no_dummy(value: str) -> bool:
    """Whether it is anything but a dummy; asked where the surroundings leave no doubt."""
    return not is_dummy(value)


def has_key_body(block: str) -> bool:
    """Whether a key block holds key material; "-----BEGIN PRIVATE KEY----- … -----END PRIVATE KEY-----" holds none."""
    return re.search(r"[A-Za-z0-9+/=]{24}", block) is not None
