"""Of every claim that stands: somebody said its words, and they lose nothing that most of its group's families say."""

from hypothesis import given, settings
from hypothesis import strategies as st

from consensus.grouping.representative import choose
from consensus.wording.profile import profile_of
from dissolution.claims import Statement
from dissolution.conversation import Snapshot
from tests.factories import a_turn
from tests.unit.consensus.made import FAMILIES, a_statement, consensus_of

SUBJECTS = ("The pump", "The lease", "The choir", "The index")
NAMES = ("", " for Ravi", " with Dr Okafor")
AMOUNTS = ("40 mg", "40 kg", "12 percent", "3.5 hours", "2 GB")
DENIALS = ("takes", "does not take")


def _sentence(subject: str, verb: str, amount: str, name: str) -> str:
    return f"{subject} {verb} {amount}{name}."


def sentences(*subjects: str) -> st.SearchStrategy[str]:
    """Sentences about one of these subjects, with and without a denial and a name."""
    parts = (subjects, DENIALS, AMOUNTS, NAMES)
    return st.builds(_sentence, *(st.sampled_from(part) for part in parts))


@given(texts=st.lists(sentences("The pump"), min_size=1, max_size=5))
def test_the_words_chosen_were_said_and_have_every_value_that_all_families_say(texts: list[str]) -> None:
    said = [a_statement(text, member) for text, member in zip(texts, FAMILIES, strict=False)]
    profiles = [profile_of(text) for text in texts]
    chosen = profiles[choose(said, profiles, (0.8,) * len(texts))]
    assert chosen.text in texts
    by_family: dict[str, set[str]] = {}
    for statement, profile in zip(said, profiles, strict=True):
        by_family.setdefault(statement.family, set()).update(profile.figures | profile.names)
    everybody = set[str].intersection(*by_family.values())
    fewest = min(len(everybody - (profile.figures | profile.names)) for profile in profiles)
    assert len(everybody - (chosen.figures | chosen.names)) == fewest


PARTS = st.lists(sentences(*SUBJECTS), min_size=1, max_size=3, unique=True)


@given(bullets=st.lists(st.tuples(st.sampled_from(sorted(FAMILIES)), PARTS), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_no_claim_says_what_nobody_said(bullets: list[tuple[str, list[str]]]) -> None:
    said: list[Statement] = []
    for ordinal, (member, parts) in enumerate(bullets):
        said.append(a_statement(" ".join(parts), member, ordinal=ordinal))
    talk = [a_turn(number, " ".join(parts)) for number, (_, parts) in enumerate(bullets, 1)]
    result = consensus_of(said, Snapshot(conversation="c", turns=tuple(talk)))
    whole = [statement.claim.text for statement in said]
    for claim in result.claims:
        assert any(claim.text in text for text in whole)
        own = profile_of(claim.text)
        mine = [text for statement in claim.statements for text in [statement.claim.text] if claim.text in text]
        assert mine, "one of those counted for it said its words"
        assert own.figures <= frozenset[str]().union(*(profile_of(text).figures for text in mine))
