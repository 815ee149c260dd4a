"""The consensus step in words."""

from dissolution.adjudication import Adjudication
from dissolution.answers import FailureClass, MemberFailure
from dissolution.values import NotMeasured
from workers.deciding import adjudication_in_words


def test_what_came_of_asking_is_told_in_few_words() -> None:
    failure = MemberFailure(error_class=FailureClass.REFUSAL, detail="no")
    assert adjudication_in_words(NotMeasured(not_measured="nobody was to be asked")) == ""
    assert adjudication_in_words(Adjudication(member="m", doubtful=3, asked=2)) == "; 0 of 3 pairs in doubt adjudicated"
    failed = Adjudication(member="m", doubtful=3, asked=2, failure=failure)
    assert adjudication_in_words(failed) == "; pairs in doubt not adjudicated: refusal"
