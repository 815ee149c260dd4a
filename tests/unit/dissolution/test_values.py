import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from dissolution.values import Counted, Frozen, Measured, NotMeasured, Numerous, Span

MEASURED: TypeAdapter[Measured] = TypeAdapter(Measured)
COUNTED: TypeAdapter[Counted] = TypeAdapter(Counted)


class Figures(Frozen):
    share: Measured
    tokens: Counted


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 3), (5, 2)])
def test_empty_and_reversed_spans_are_refused(start: int, end: int) -> None:
    with pytest.raises(ValidationError):
        Span(start=start, end=end)


def test_reversed_span_says_what_to_do() -> None:
    with pytest.raises(ValidationError, match=r"\[5, 2\)"):
        Span(start=5, end=2)


def test_negative_spans_are_refused_and_the_shortest_is_accepted() -> None:
    with pytest.raises(ValidationError):
        Span(start=-1, end=2)
    assert Span(start=0, end=1).end == 1


def test_values_do_not_change_and_know_their_fields() -> None:
    span = Span(start=0, end=1)
    with pytest.raises(ValidationError, match="frozen"):
        span.start = 5  # pyright: ignore[reportAttributeAccessIssue] - the refusal is what is tested
    with pytest.raises(ValidationError, match="Extra inputs"):
        Span.model_validate({"start": 0, "end": 1, "unit": "bytes"})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_no_figures(value: float) -> None:
    with pytest.raises(ValidationError):
        Figures(share=value, tokens=1)


def test_absence_needs_a_reason_and_says_it() -> None:
    with pytest.raises(ValidationError):
        NotMeasured(not_measured="")
    assert str(NotMeasured(not_measured="no probe")) == "not measured: no probe"


@pytest.mark.parametrize("value", [None, "", "-1", "nan", [], {"not_measured": ""}, {"unknown": "x"}])
def test_nothing_else_stands_for_absence(value: Any) -> None:  # noqa: ANN401 - hostile input
    with pytest.raises(ValidationError):
        COUNTED.validate_python(value, strict=True)
    with pytest.raises(ValidationError):
        MEASURED.validate_json(json.dumps(value), strict=True)


ABSENT = st.builds(NotMeasured, not_measured=st.text(min_size=1))


@given(
    st.one_of(ABSENT, st.floats(allow_nan=False, allow_infinity=False)),
    st.one_of(ABSENT, st.integers(-(2**53), 2**53)),
)
def test_figures_and_absence_survive_json(share: Measured, tokens: Counted) -> None:
    figures = Figures(share=share, tokens=tokens)
    back = Figures.model_validate_json(figures.model_dump_json())
    assert back == figures
    assert isinstance(back.share, NotMeasured) == isinstance(share, NotMeasured)
    assert isinstance(back.tokens, NotMeasured) == isinstance(tokens, NotMeasured)


class Told(Numerous):
    text: str
    note: str | None = None


def test_numerous_values_share_the_names_of_what_they_were_given_and_a_copy_has_its_own() -> None:
    one, two, other = Told(text="a"), Told(text="b"), Told(text="a", note="n")
    assert one.model_fields_set is two.model_fields_set
    assert (one.model_fields_set, other.model_fields_set) == ({"text"}, {"text", "note"})
    copied = one.model_copy(update={"note": "n"})
    assert copied == other
    assert one.model_fields_set == {"text"}, "what is shared was not changed by the copy"
    assert one.model_dump(exclude_unset=True) == {"text": "a"}
    assert one == Told(text="a")
    assert hash(one) == hash(Told(text="a"))
