import re
from html.parser import HTMLParser

import pytest

from dissolution.policy.triggers import TriggerPolicy
from dissolution.triggering import Signal, TurnSurprise
from dissolution.values import NotMeasured
from reports.trigger_page import bits_of, measurers, trigger_page, value_of
from tests.unit.store.evaluations import an_evaluation

EVALUATIONS = [
    an_evaluation(1),
    an_evaluation(2).model_copy(update={"topic_start": 2}),
    an_evaluation(3, Signal.DRIFT),
    an_evaluation(4, Signal.DRIFT).model_copy(update={"shadow": False, "surprise": None}),
]


def test_picture_firings_and_every_turn_stand_on_one_page() -> None:
    page = trigger_page(EVALUATIONS, TriggerPolicy())
    HTMLParser().feed(page)
    assert page.count("<svg") == page.count("</svg>") == 1
    assert "<?xml" not in page
    for words in ("Drift from the last boundary", "topic begins", "2\nfirings, 1 change of topic"):
        assert words in page
    assert "<li>Turn 3: would have fired:\ndrift calls</li>" in page
    assert "<li>Turn 4: fired:\ndrift calls</li>" in page
    assert len(re.findall(r'<th scope="row">', page)) == len(EVALUATIONS)
    assert "centroid: turns 1 to 4" in page
    assert "words: turns 1 to 3" in page


def test_nothing_is_loaded_from_elsewhere_and_names_are_escaped() -> None:
    odd = [one.model_copy(update={"conversation": "<b>&talk"}) for one in EVALUATIONS]
    page = trigger_page(odd, TriggerPolicy())
    assert "<b>&talk" not in page
    assert "&lt;b&gt;&amp;talk" in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)
    assert "<script" not in page


def test_what_was_not_measured_is_no_zero() -> None:
    one = EVALUATIONS[0]
    assert value_of(one, Signal.DRIFT) == "0.25"
    assert value_of(one, Signal.LOCK_IN) == value_of(one, Signal.SCHEDULE) == "–"
    calling = one.values[0].model_copy(update={"score": 1.0})
    assert value_of(one.model_copy(update={"values": (calling,)}), Signal.DRIFT) == "0.25*"
    assert [bits_of(evaluation) for evaluation in EVALUATIONS] == ["8.5", "8.5!", "8.5", "–"]
    absent = TurnSurprise(bits_per_token=NotMeasured(not_measured="no"), tokens=0, estimator="words", guarded=True)
    assert bits_of(one.model_copy(update={"surprise": absent})) == "–?"
    assert measurers([one.model_copy(update={"values": (), "surprise": None})]) == []


def test_without_an_evaluation_there_is_no_page() -> None:
    with pytest.raises(ValueError, match="no evaluation to draw"):
        trigger_page([], TriggerPolicy())
