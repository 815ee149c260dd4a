from consensus.concepts import UNHEARD, Worth, concepts, lead
from dissolution.claims import Section
from tests.unit.consensus.made import a_statement


def test_concepts_are_roots_and_neighbouring_pairs_in_either_order() -> None:
    assert concepts("Evictions of sessions") == {("evict",), ("sess",), ("evict", "sess")}
    assert concepts("session eviction") == concepts("Evictions of sessions")
    assert concepts("of the") == frozenset()


def test_rare_words_and_words_of_many_families_are_worth_more() -> None:
    said = [a_statement("The lake is deep.", member) for member in ("ann", "bea")] + [a_statement("The lake.", "cid")]
    worth = Worth(said, ["The lake is deep.", "The lake is cold.", "The lake."])
    one_family = Worth(said[:1], ["The lake is deep.", "The lake is cold.", "The lake."])
    assert worth.of(("deep",)) > one_family.of(("deep",))
    assert one_family.of(("deep",)) > one_family.of(("lak",))
    assert one_family.of(("pike",)) == UNHEARD
    # ln(4 / 2) + 1 for a word in one of three texts, said by one family
    assert round(one_family.of(("deep",)), 4) == 1.6931


def test_the_lead_says_most_of_what_families_share() -> None:
    said = [
        a_statement("Pike eat roach in the lake.", "ann"),
        a_statement("Pike eat roach.", "bea"),
        a_statement("Moose swim across the bay at night and nobody else says so.", "cid"),
    ]
    assert lead(said, Worth(said, [])) == "ann"
    assert lead([], Worth([], [])) is None


def test_equal_answers_are_told_apart_by_name_alone() -> None:
    said = [a_statement("Pike eat roach.", member) for member in ("bea", "ann")]
    assert lead(said, Worth(said, [])) == "ann"


def test_equal_words_in_other_sections_are_told_apart_by_the_sections() -> None:
    for first, second in (("ann", "bea"), ("bea", "ann")):
        said = [a_statement("The dam is open.", first, Section.KNOWN), a_statement("The dam is open.", second)]
        turned = [one.model_copy(update={"claim": one.claim.model_copy(update={"turns": (2,)})}) for one in said[:1]]
        assert lead([*turned, said[1]], Worth(said, [])) == second
