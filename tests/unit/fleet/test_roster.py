"""Rosters: every example loads, every mistake names its line, no key is accepted or repeated."""

from pathlib import Path

import pytest

from dissolution.errors import InvalidRoster
from fleet.roster import RESERVED_PARAMS, RosterMember, is_near, line_of, load_roster, parse_roster
from fleet.scrub import scrub_patterns

EXAMPLES = Path(__file__).parents[3] / "fleet" / "examples"
ROSTERS = sorted(path for path in EXAMPLES.glob("*.toml") if path.stem != "loopback")

GOOD = """name = "two"

[[member]]
name = "a"
model = "openai/x"
family = "openai"
api_key_env = "OPENAI_API_KEY"

# the second
[[member]]
name = "b"
model = "anthropic/y"
family = "anthropic"
api_key_env = "ANTHROPIC_API_KEY"
"""


@pytest.mark.parametrize("path", ROSTERS, ids=lambda path: path.stem)
def test_every_example_loads_and_is_explained(path: Path) -> None:
    roster = load_roster(path)
    assert roster.members
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert scrub_patterns(text) == text


def test_the_examples_are_the_promised_ones() -> None:
    assert {path.stem for path in ROSTERS} == {"openai", "anthropic", "gemini", "openrouter", "ollama", "vllm", "mixed"}
    assert len(load_roster(EXAMPLES / "openrouter.toml").families) == 6
    assert len(load_roster(EXAMPLES / "mixed.toml").families) == 4


def test_a_good_roster() -> None:
    roster = parse_roster(GOOD)
    assert (roster.name, roster.families) == ("two", ("anthropic", "openai"))
    assert roster.members[0].max_output_tokens == 4000


def broken(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (broken('model = "anthropic/y"', 'model = "y"'), r"line 12, member 2: field 'model'"),
        (broken('family = "anthropic"\n', ""), r"line 10, member 2: field 'family': Field required"),
        (
            broken('model = "openai/x"', 'model = "openai/x"\ntimeout = 3'),
            r"line 6, member 1: field 'timeout': no such field; did you mean 'timeout_s'",
        ),
        (
            broken('model = "openai/x"', 'model = "openai/x"\ntemperatur = 0.2'),
            r"line 6, member 1: field 'temperatur': no such field; did you mean 'temperature'",
        ),
        (broken('name = "two"', 'nme = "two"'), r"line 1: field 'nme': no such field; did you mean 'name'"),
        (broken('model = "openai/x"', 'model = "openai/x"\ntimeout_s = 0'), r"line 6, member 1: field 'timeout_s'"),
        (broken('model = "openai/x"', 'model = "openai/x"\nprice = {input_usd = 1}'), r"line 6, .*'price.output_usd'"),
        (broken('name = "two"', 'name = "two"\nmembers = 3'), r"line 2: field 'members'"),
        (broken('name = "two"', 'name = "two"\nspeed = 3'), r"line 2: field 'speed': no such field"),
        (broken('name = "b"', 'name = "a"'), r"line 11: a second member is named 'a' \(the first in line 4\)"),
        (broken('api_key_env = "ANTHROPIC_API_KEY"', ""), r"line 10, member 2: api_key_env is missing"),
        (
            broken('api_key_env = "ANTHROPIC_API_KEY"', 'api_key_env = "A"\nambient_credentials = true'),
            r"line 15, member 2: ambient_credentials and api_key_env exclude each other",
        ),
        (
            broken('model = "openai/x"', 'model = "openai/x"\napi_base = "ftp://x/"'),
            r"line 6, member 1: field 'api_base': api_base is no http",
        ),
        (
            broken('model = "openai/x"', 'model = "openai/x"\napi_base = "https://x.org/v1?x=1"'),
            r"line 6, .*no user, password, query",
        ),
        (
            broken('model = "openai/x"', 'model = "openai/x"\napi_base = "http://api.example.com/v1"'),
            r"line 6, member 1: api_base is plain http to a public host",
        ),
        (
            broken('model = "openai/x"', 'model = "openai/x"\nparams = { stream = true, top_p = 1 }'),
            r"line 6, member 1: field 'params': params may not hold 'stream'",
        ),
        (broken('family = "openai"', 'family = "openai'), r"no TOML: .*line 6"),
        (
            broken('model = "openai/x"', 'model = "openai/x"\nprice = {input_usd = 1, output_usd = 2, cached_usd = 1}'),
            r"did you mean 'cached_input_usd'",
        ),
        ('name = "one"\n[member]\nname = "a"', r"line 2: \[member\] is one table: write \[\[member\]\]"),
        ("member = 3", r"no member: add a"),
        ("", r"no member: add a \[\[member\]\] table"),
        ("member = 3", r"no member"),
        ("member = [3]", r"line 1, member 1"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InvalidRoster, match=message):
        parse_roster(text, "fleet.toml")


SECRET = "sk-proj-abcdefghijklmnop1234"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (broken('api_key_env = "OPENAI_API_KEY"', f'api_key = "{SECRET}"'), 7),
        (broken('api_key_env = "OPENAI_API_KEY"', f'api_key_env = "{SECRET}"'), 7),
        (broken('api_key_env = "OPENAI_API_KEY"', 'API_KEY = "Zq9unknownform"'), 7),
        (broken('family = "openai"', 'family = "openai"\nparams = { token = "Zq9unknownform" }'), 7),
        (broken('family = "openai"', f'family = "openai"\nparams = {{ x = ["{SECRET}"] }}'), 7),
        (broken('family = "openai"', 'family = "openai"\napi_base = "https://bob:Zq9unknown@x.org"'), 7),
        (broken('name = "two"', f'key = "{SECRET}"'), 1),
        (GOOD + '\n[member.params]\nx = 1\npassword = "Zq9unknownform"\n', 18),
    ],
)
def test_a_key_in_the_file_is_refused_and_not_repeated(text: str, line: int) -> None:
    with pytest.raises(InvalidRoster, match=f"line {line}.*a key") as caught:
        parse_roster(text, "fleet.toml")
    assert "Zq9unknown" not in str(caught.value)
    assert SECRET not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidRoster, match="No such file"):
        load_roster(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe4"')
    with pytest.raises(InvalidRoster, match="byte 8"):
        load_roster(tmp_path / "latin.toml")


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("localhost", True),
        ("api.localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("10.1.2.3", True),
        ("192.168.0.9", True),
        ("fd00::1", True),
        ("vllm", True),
        ("169.254.169.254", False),
        ("fe80::1", False),
        ("0.0.0.0", False),  # noqa: S104 - an address to refuse
        ("8.8.8.8", False),
        ("api.openai.com", False),
        ("localhost.example.com", False),
    ],
)
def test_what_is_near(host: str, *, near: bool) -> None:
    assert is_near(host) == near


def test_tls_and_plain_http_at_home_need_no_leave() -> None:
    form = {"name": "a", "model": "openai/x", "family": "f"}
    for address in ("https://api.example.com/v1", "http://127.0.0.1:8000/v1", "http://vllm:8000/v1"):
        assert RosterMember.model_validate(form | {"api_base": address}).api_base == address
    assert RosterMember.model_validate(form | {"api_key_env": "K"} | {"api_base": None}).api_base is None


def test_plain_http_to_a_public_host_needs_leave() -> None:
    form = {"name": "a", "model": "openai/x", "family": "f", "api_base": "http://api.example.com/v1/"}
    member = RosterMember.model_validate(form | {"allow_plain_http": True})
    assert member.api_base == "http://api.example.com/v1"


def test_what_the_gateway_sets_is_reserved() -> None:
    assert {
        "model",
        "messages",
        "api_key",
        "max_retries",
        "num_retries",
        "drop_params",
        "mock_response",
    } <= RESERVED_PARAMS


def test_lines_of_sub_tables_and_of_nothing() -> None:
    text = GOOD + "\n[member.price]\ninput_usd = 1\n"
    assert line_of(text, 1, ("price", "input_usd")) == 17
    assert line_of(text, 1, ("price", "output_usd")) == 16
    assert line_of(text, 0, ("price",)) == 3
    assert line_of(text, 7, ("name",)) == 1
    assert line_of(text, None, ()) == 1
