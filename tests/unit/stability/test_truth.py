"""States held against what is true at a turn."""

import json
from pathlib import Path

import pytest

from dissolution.claims import Section
from dissolution.errors import InputError
from stability.state import Item, State
from stability.truth import Truth, against, is_asserted, is_held, read_truth, still_stated

TRUTH = {
    "claims": [
        {"id": "K1", "kind": "decision", "established_turn": 2, "closed_turn": None, "must_have": ["Friday"]},
        {"id": "K2", "kind": "decision", "established_turn": 3, "closed_turn": 9, "must_have": ["port", "9090"]},
        {"id": "K4", "kind": "fact", "established_turn": 3, "closed_turn": 9, "must_have": ["port", "9090"]},
        {"id": "K3", "kind": "open_question", "established_turn": 4, "must_have": ["who pays"], "text": "extra"},
    ],
    "superseded": [
        {"id": "S1", "corrected_turn": 9, "wrong_must_not_match": ["9090"], "right_must_match": ["9091"], "kind": "x"}
    ],
    "hedged": [],
}


def the_truth(folder: Path) -> Truth:
    path = folder / "talk.json"
    path.write_text(json.dumps({"truth": TRUTH}), encoding="utf-8")
    return read_truth(path)


def a_state(**texts: str) -> State:
    return State(items=tuple(Item(section=Section[name], text=text) for name, text in texts.items()))


def test_one_cycle_after_another(tmp_path: Path) -> None:
    truth = the_truth(tmp_path)
    early = a_state(KNOWN="The port is 9090.", DECIDED="No deploys on Friday.", EDGES="It is open who pays.")
    first, held = against(truth, early, 5, frozenset())
    assert (first.true_now, first.held, first.held_before, first.ended_by_now) == (4, 4, 0, 0)
    late = a_state(KNOWN="It is 9090.", DECIDED="The port is 9090.", EDGES="It is open who pays.")
    second, _ = against(truth, late, 10, held)
    assert (second.true_now, second.held, second.held_before, second.lost) == (2, 1, 2, 1)
    assert (second.commitments_before, second.commitments_lost) == (1, 1)
    assert (second.ended_by_now, second.still_asserted, second.revised_rightly) == (2, 2, 0)


def test_a_question_may_stand_anywhere_and_a_fact_may_not(tmp_path: Path) -> None:
    decision, fact, _, question = the_truth(tmp_path).claims
    assert is_held(question, a_state(KNOWN="It is open who pays."))
    assert not is_held(fact, a_state(EDGES="Is the port 9090?"))
    assert not is_held(decision, a_state(DECIDED="Friday " + "and so on " * 30))


def test_what_tells_that_it_is_over_asserts_nothing(tmp_path: Path) -> None:
    truth = the_truth(tmp_path)
    closed = truth.claims[1]
    assert still_stated(closed, a_state(DECIDED="The port is 9090."))
    for over in ("The port was 9090.", "Port 9090 is reversed.", "We reject port 9090.", "Port 9090 is ruled out."):
        assert not still_stated(closed, a_state(DECIDED=over))


def test_a_fact_that_shares_the_words_of_a_closed_decision_decides_nothing(tmp_path: Path) -> None:
    closed = the_truth(tmp_path).claims[1]
    words = a_state(KNOWN="A second port beside 9090 costs 20 euro.")
    assert not still_stated(closed, words)
    assert still_stated(closed, words.model_copy(update={"has_sections": False}))


def test_a_replaced_value_is_asserted_unless_the_right_one_stands_beside_it(tmp_path: Path) -> None:
    truth = the_truth(tmp_path)
    assert is_asserted(truth.superseded[0], a_state(KNOWN="The port is 9090."))
    assert not is_asserted(truth.superseded[0], a_state(KNOWN="The port is 9091, not 9090."))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "no JSON"),
        ("[]", "no object under 'truth'"),
        ('{"truth": {"claims": [{"id": "K1"}]}}', "Field required"),
        ('{"truth": {"claims": [{"id":"K","kind":"fact","established_turn":1,"must_have":["("]}]}}', "unterminated"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.json") as raised:
        read_truth(path)
    assert told in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_truth(tmp_path / "none.json")
