import json
import math
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frame_agent.putting import (
    END,
    FIGURE,
    NOTHING,
    START,
    Linear,
    Put,
    Reply,
    grams_of,
    put,
    reply_to,
    sentence_features,
    tokens_of,
)
from frame_agent.wordings import by_lists


def test_figures_are_one_word_and_a_text_has_a_beginning_and_an_end() -> None:
    assert tokens_of("I'd guess 1,250.5 kg, no?") == [START, "i'd", "guess", FIGURE, "kg", ",", "no", "?", END]
    assert tokens_of("it’s") == [START, "it's", END]
    assert tokens_of("") == [START, END]


def test_grams_are_words_pairs_triples_and_the_opening() -> None:
    grams = list(grams_of("so be it"))
    assert {"so", "so be", "so be it", f"{START} so be", f"it {END}", "1:so", "1:it"} <= set(grams)
    assert "so be it </s>" not in grams


def test_the_lists_of_phrases_are_a_feature_among_others() -> None:
    assert "rule=hedged" in list(sentence_features("I guess so", "hedged"))


def test_weights_add_up_to_the_share_of_a_logistic_regression() -> None:
    model = Linear(["no", "yes"], [0.0, 1.0], {"a": [0.5, 0.0], "b": [0.0, 2.0]})
    weighed = model.weigh(["a", "b", "b", "unknown"])
    assert weighed.label == "yes"
    assert weighed.share == pytest.approx(math.exp(3) / (math.exp(3) + math.exp(0.5)))
    assert weighed.why == "b"
    assert model.weigh([]).why == ""
    assert model.weigh(["a"], {"no": 5.0}).label == "no"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("As far as the man who put it in told me, it keeps 48 hours.", Put.GUESS),
        ("Working on the footing that they leave the price alone, it comes to 34,200.", Put.GUESS),
        ("There's always the ferry, if the bridge stays shut.", Put.OFFER),
        ("For the slides of tomorrow only, leave the decimals out.", Put.ONCE),
        ("Scrap the second supplier, we are not doing that.", Put.REFUSES),
        ("Don't hold me to that.", Put.COMMENT),
        ("We measured it twice: the beam carries 350 kg.", Put.FIRM),
        ("Wednesday it is, and the board has signed.", Put.FIRM),
    ],
)
def test_wordings_of_no_list_are_told_by_their_words(text: str, label: Put) -> None:
    assert put(text, by_lists(text)).label == label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Fine by me, 35 km it is.", Reply.ACCEPT),
        ("No, we had that in 2019 and it was a mess.", Reply.DECLINE),
        ("Let me sleep on that. How was the weekend?", Reply.NEITHER),
    ],
)
def test_replies_are_told_apart(reply: str, label: Reply) -> None:
    assert reply_to(reply).label == label


@given(st.text(max_size=300), st.sampled_from(["asserted", "hedged", "comment"]))
def test_any_text_gets_a_label_and_a_share(text: str, rule: str) -> None:
    weighed = put(text, rule)
    assert weighed.label in set(Put)
    assert 0 < weighed.share <= 1
    assert put(text, rule) == weighed


def test_the_stored_models_have_one_weight_per_label() -> None:
    stored = json.loads(resources.files("frame_agent").joinpath("putting.json").read_text(encoding="utf-8"))
    for name, labels in (("sentences", Put), ("replies", Reply)):
        model = stored[name]
        assert set(model["labels"]) == {one.value for one in labels}
        assert len(model["intercepts"]) == len(model["labels"])
        assert all(len(weights) == len(model["labels"]) for weights in model["weights"].values())
    assert NOTHING == {}
