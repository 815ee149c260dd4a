"""The command of the loopback provider, where the development tools are at hand and where they are not."""

import sys

import pytest

from fleet import loopback


@pytest.mark.parametrize("lacking", ["devtools", "devtools.loopback"])
def test_without_the_development_tools_it_says_where_they_are(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "devtools.loopback", raising=False)
    monkeypatch.setitem(sys.modules, lacking, None)
    with pytest.raises(SystemExit) as ended:
        loopback.main()
    assert "clone of the repository" in str(ended.value)


def test_what_lacks_for_another_reason_is_not_called_lacking_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "devtools.loopback", raising=False)
    monkeypatch.setitem(sys.modules, "devtools.loopback_roster", None)
    with pytest.raises(ModuleNotFoundError):
        loopback.main()


def test_it_hands_its_arguments_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["loopback", "--help"])
    with pytest.raises(SystemExit) as ended:
        loopback.main()
    assert ended.value.code == 0
    assert "python -m fleet.loopback" in capsys.readouterr().out
