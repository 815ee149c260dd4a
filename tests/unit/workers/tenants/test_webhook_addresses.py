"""Where webhooks may go: addresses of the internet alone, whatever they are dressed as, and as they were checked."""

import pytest

from dissolution.errors import InputError
from workers.tenants.webhook_addresses import check_url, is_public, resolve, target_of

PUBLIC = ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "8.8.8.8")
PRIVATE = (
    "127.0.0.1",
    "10.0.0.1",
    "172.16.5.4",
    "192.168.1.1",
    "169.254.169.254",  # where clouds keep the keys of their machines
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104 - refused, not bound
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "2002:7f00:1::",
    "2002:a00:1::",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2001:0:53aa:64c:0:0:80ff:fffe",
    "fec0::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:0:10.0.0.1",
    "::ffff:0:8.8.8.8",
    "100::1",
    "100:0:0:1::1",
    "2001:2::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "192.0.0.9",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "198.18.0.1",
    "240.0.0.1",
    "no address",
)


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


def is_refused(address: str) -> bool:
    """Whether a host with this address is refused as one that is not on the internet."""
    try:
        target_of("https://hooks.example.com/x", private=False, resolver=lambda _host, _port: [address])
    except InputError as refused:
        return "not on the internet" in str(refused)
    return False


def test_all_others_are_not() -> None:
    assert [address for address in PRIVATE if is_public(address) or not is_refused(address)] == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "[::1]",
        "[fec0::1]",
        "[::ffff:10.0.0.1]",
        "[::127.0.0.1]",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0",
        "localhost",
        "LOCALHOST.",
        "x.home.arpa",
        "１２７.0.0.1",
    ],
)
def test_a_host_that_is_known_to_be_private_is_refused_when_it_is_named(host: str) -> None:
    with pytest.raises(InputError, match="not on the internet"):
        check_url(f"https://{host}/hook", private=False)
    assert check_url(f"https://{host}/hook", private=True).scheme == "https"


def test_a_public_address_may_be_named() -> None:
    assert check_url("https://93.184.216.34/hook", private=False).hostname == "93.184.216.34"
    assert check_url("https://[2606:2800:220:1::1]/hook", private=False).hostname == "2606:2800:220:1::1"


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    with pytest.raises(InputError, match="not on the internet"):
        target_of("https://hooks.example.com", private=False, resolver=lambda _host, _port: [PUBLIC[0], "10.0.0.1"])


def test_a_target_is_the_address_that_was_checked() -> None:
    asked: list[tuple[str, int]] = []

    def once(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return [PUBLIC[0]] if len(asked) == 1 else ["127.0.0.1"]  # a name that turns to this machine later

    target = target_of("https://hooks.example.com:8443/x?y=1", private=False, resolver=once)

    assert (target.address, target.port) == (PUBLIC[0], 8443)
    assert (target.host, target.name) == ("hooks.example.com:8443", "hooks.example.com")
    assert asked == [("hooks.example.com", 8443)]


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com",
        "ftp://hooks.example.com",
        "https://",
        "https:///x",
        "https://user@hooks.example.com",
        "https://user:secret@hooks.example.com",
        "https://hooks.example.com:22",
        "https://hooks.example.com:99999",
        "https://hooks.example.com:x",
        "https://[::1",
        "https://a b.example.com",
        "https://hooks.example.com/\n",
        "javascript:alert(1)",
        "",
    ],
)
def test_odd_urls_are_refused(url: str) -> None:
    with pytest.raises(InputError, match="webhook URL"):
        check_url(url, private=False)


def test_a_setting_lets_tests_stay_on_this_machine() -> None:
    target = target_of("http://127.0.0.1:9999/hook", private=True)

    assert (target.address, target.port) == ("127.0.0.1", 9999)
    assert "127.0.0.1" in resolve("localhost", 80) or "::1" in resolve("localhost", 80)
    with pytest.raises(InputError, match="https://"):
        check_url("ftp://127.0.0.1", private=True)


def test_what_cannot_be_resolved_is_refused() -> None:
    def nowhere(_host: str, _port: int) -> list[str]:
        raise OSError

    with pytest.raises(InputError, match="cannot be resolved"):
        target_of("https://hooks.example.com", private=False, resolver=nowhere)
    with pytest.raises(InputError, match="no address"):
        target_of("https://hooks.example.com", private=False, resolver=lambda _host, _port: [])
