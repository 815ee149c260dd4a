"""The phrase lists are well formed."""

from prompts.phrases import COURTESY, PREAMBLE, REFUSAL, alternatives


def test_lines_become_alternatives() -> None:
    assert alternatives("\n  a\n\n  b c\n") == "(?:a)|(?:b c)"


def test_no_list_matches_everything_or_nothing() -> None:
    for pattern, hit in ((REFUSAL, "i can't help"), (PREAMBLE, "sure!"), (COURTESY, "feel free to ask")):
        assert pattern.match(hit)
        assert not pattern.match("the lake has 83 ha")
        assert "TASK" not in pattern.pattern
