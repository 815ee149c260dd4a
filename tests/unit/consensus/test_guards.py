import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.guards import Guard, contradiction, same_subject, vetoed, vetoes
from consensus.profile import Profile

APART = [
    (Guard.NUMBER, "The session store has 512 MB.", "The session store has 2048 MB."),
    (Guard.DATE, "The deadline is March 15.", "The deadline is March 30."),
    (Guard.DATE, "The canary starts at 07:30.", "The canary starts at 09:00."),
    (Guard.IDENTIFIER, "r420 is commit b51f7c0.", "r420 is commit b51f0c7."),
    (Guard.NEGATION, "Session ids are logged on web-a3.", "Session ids are not logged on web-a3."),
    (Guard.CHOICE, "Lambda is ruled out for the main path.", "Lambda is the choice for the main path."),
    (Guard.MODALITY, "Marlow models share one tokenizer.", "Whether the Marlow models share one tokenizer is open."),
    (Guard.MODALITY, "The savings plan takes a fifth off.", "Maybe the savings plan takes a fifth off."),
    (Guard.ROLES, "Ravi pays Ilse.", "Ilse pays Ravi."),
    (Guard.ROLES, "Production is account 1204 and the sandbox 1240.", "Production is 1240 and the sandbox is 1204."),
    (Guard.TIMING, "I draft the record now.", "I draft the record only once the answer is here."),
]

TOGETHER = [
    ("It lasts 8 h.", "It lasts 28800 s."),
    ("The drop is 45 per cent and 71 per cent.", "The drop is 45.2 per cent and 70.9 per cent."),
    ("The cache stays at 1 GB.", "The cache stays as it is."),
    ("EKS is ruled out.", "EKS is not used."),
    ("Ravi pays Ilse.", "Ilse is paid by Ravi."),
    ("Roach falls from 94 to 45.", "Roach goes from 94 to 45."),
    ("It costs 9,000 USD a month.", "It costs 9,000 USD per month."),
    ("Only Ilse changes nginx.", "Ilse alone changes nginx."),
]


@pytest.mark.parametrize(("guard", "one", "two"), APART)
def test_opposites_are_vetoed_and_contradict(guard: Guard, one: str, two: str) -> None:
    a, b = Profile(one), Profile(two)
    assert guard in {veto.guard for veto in vetoes(a, b)}
    found = contradiction(a, b)
    assert found is not None
    assert found.detail


@pytest.mark.parametrize(("one", "two"), TOGETHER)
def test_paraphrases_are_left_together(one: str, two: str) -> None:
    assert vetoes(Profile(one), Profile(two)) == ()


@pytest.mark.parametrize(("one", "two"), [*(pair[1:] for pair in APART), *TOGETHER])
def test_guards_are_symmetric(one: str, two: str) -> None:
    a, b = Profile(one), Profile(two)
    assert {veto.guard for veto in vetoes(a, b)} == {veto.guard for veto in vetoes(b, a)}
    assert (contradiction(a, b) is None) == (contradiction(b, a) is None)


def test_different_things_do_not_contradict() -> None:
    a, b = Profile("The lake is 11.4 m deep."), Profile("The tower has 83 m of stairs.")
    assert vetoes(a, b)
    assert contradiction(a, b) is None


def test_a_short_round_number_is_no_rounding() -> None:
    assert vetoes(Profile("It takes 9 s."), Profile("It takes 9.4 s."))
    assert vetoes(Profile("It takes 45 s."), Profile("It takes 46.2 s."))
    assert vetoes(Profile("It takes 45 s."), Profile("It takes 45.2 m."))


def test_no_words_are_no_subject() -> None:
    assert not same_subject(Profile("12"), Profile("12 apples"))


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_pair_can_be_compared(one: str, two: str) -> None:
    assert vetoes(Profile(one), Profile(one)) == ()
    assert vetoed(Profile(one), Profile(two)) == (vetoes(Profile(one), Profile(two)) != ())
    assert {v.guard for v in vetoes(Profile(one), Profile(two))} == {
        v.guard for v in vetoes(Profile(two), Profile(one))
    }


def test_fewer_guards_may_be_asked() -> None:
    one, two = Profile("The lake is 12 m deep."), Profile("The lake is 15 m deep.")
    assert vetoes(one, two)
    assert vetoes(one, two, ()) == ()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The real peak is 9,200 events per second.", "The real peak is not 3,800 events per second."),
        ("The store holds around 500 MB of sessions.", "The store holds 509.88 MB of sessions."),
    ],
)
def test_a_denied_value_and_an_approximate_one_oppose_nothing(one: str, two: str) -> None:
    assert contradiction(Profile(one), Profile(two)) is None
    assert contradiction(Profile(two), Profile(one)) is None


def test_an_approximate_value_far_off_is_opposed() -> None:
    assert contradiction(Profile("The store holds around 900 MB."), Profile("The store holds 509.88 MB.")) is not None


def test_bounds_of_one_symbol_contradict_each_other() -> None:
    found = contradiction(Profile("The threshold is p < 0.01 for links."), Profile("One rule, p < 0.001 throughout."))
    assert found is not None
    assert "p<" in found.detail or found.guard is Guard.NUMBER
    assert contradiction(Profile("Links pass at p < 0.01."), Profile("We take p < 0.01 throughout.")) is None


def test_a_month_leaves_out_what_usd_per_month_says() -> None:
    one = Profile("The infrastructure money is 9,000 USD per month.")
    assert contradiction(one, Profile("Infrastructure money is 6,400 a month.")) is not None


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The budget to run the hall is 9,000 USD per month.", "The money for rooms is 6,400 USD a month."),
        ("7 of the 11 lakes have usable profiles.", "How many of the ten lakes have usable profiles? This is open."),
        ("The sandbox is 1240.", "Production is the account ending 1240 and the sandbox the one ending 1204."),
        ("Reviewers must sign the form.", "Reviewers need not sign the form."),
    ],
)
def test_one_value_one_answer_one_owner_and_one_duty(one: str, two: str) -> None:
    assert contradiction(Profile(one), Profile(two)) is not None
    assert contradiction(Profile(two), Profile(one)) is not None


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Growth of 15 percent is a guess.", "Growth of 15 percent is unverified."),  # both say that it is not known
        ("The load at the gate is not tested.", "The load at the gate is 12 kN and never measured."),
        ("The DNA survey of the lake is not cited.", "The DNA survey of the lake lacks a date."),
        ("It is open who owns the contract.", "Nobody owns the contract."),  # that nobody does is no answer
        ("It is open whether the edge strips headers.", "Ilse finds out whether the edge strips headers."),
        ("Is the jump chance or feedback? This is open.", "Feedback moves the plankton."),
        ("Does one curve fit all fillers? This is open.", "One curve must fit all fillers."),  # a rule is no answer
        ("A6 is a guess.", "A6 is the weakest brick."),
        ("The page cache is now at 1 GB.", "The page cache was at 512 MB before."),
        ("The host is on port 6379.", "The host has 0 evictions."),
    ],
)
def test_what_stands_open_or_elsewhere_contradicts_nothing(one: str, two: str) -> None:
    assert contradiction(Profile(one), Profile(two)) is None
    assert contradiction(Profile(two), Profile(one)) is None


def test_a_permission_and_a_duty_differ_without_being_opposed() -> None:
    may, must = Profile("Editors are allowed to publish drafts."), Profile("Editors must publish drafts.")
    assert Guard.MODALITY in {veto.guard for veto in vetoes(may, must)}
    assert contradiction(may, must) is None
