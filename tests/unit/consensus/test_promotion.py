import pytest

from consensus.profile import Profile
from consensus.promotion import promoted
from dissolution.claims import Section

GUESS, FACT = "I guess that the share is 15 percent.", "The share is 15 percent."
ONCE, RULE = "Just for this reply use two sentences.", "Replies use two sentences."


@pytest.mark.parametrize(
    ("claim", "section", "ground", "why"),
    [
        (FACT, Section.KNOWN, [GUESS], "only supposes"),
        (FACT, Section.KNOWN, ["Is the share 15 percent?"], "only supposes"),
        (FACT, Section.KNOWN, [GUESS, FACT], None),
        (GUESS, Section.KNOWN, [GUESS], None),
        (FACT, Section.EDGES, [GUESS], None),
        (FACT, Section.KNOWN, [], None),
        (RULE, Section.IDENTITY, [ONCE], "asks for it once"),
        (RULE, Section.DECIDED, [ONCE], "asks for it once"),
        (RULE, Section.KNOWN, [ONCE], None),
        (RULE, Section.IDENTITY, [ONCE, "From now on use two sentences."], None),
        (
            "The store throws them out.",
            Section.KNOWN,
            ["If the store is full, it throws sessions away."],
            "condition",
        ),
        (
            "A store throws them out once full.",
            Section.KNOWN,
            ["If the store is full, it throws it away."],
            None,
        ),
        (FACT, Section.KNOWN, ["The share is 15 percent; who is on Safari is open."], None),
        (FACT, Section.KNOWN, ["The share is 15 percent, I guess."], "only supposes"),
        ("Two sentences, as an exception.", Section.IDENTITY, [ONCE], None),
        ("I write the memo now.", Section.DECIDED, ["I'll hold the memo until Ute has signed."], "it waits"),
        ("I write the memo now.", Section.DECIDED, ["I hold the letter until May and write the memo now."], None),
        ("I hold the memo until May.", Section.DECIDED, ["I'll hold the memo until May."], None),
    ],
)
def test_what_counts_as_promotion(claim: str, section: Section, ground: list[str], why: str | None) -> None:
    found = promoted(Profile(claim), section, [(turn, Profile(text)) for turn, text in enumerate(ground, 1)])
    assert (found is None) if why is None else (found is not None and why in found)
