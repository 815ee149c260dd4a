from consensus.concepts import Worth
from consensus.draft import Draft
from consensus.evidence import Grounding
from consensus.points import Point, points
from consensus.profile import Profile
from consensus.selection import rejoined, select
from dissolution.claims import DissentReason, Evidence, Section, Statement
from tests.unit.consensus.made import a_statement


def a_draft(text: str, *said: Statement, section: Section = Section.KNOWN, turn: int = 1, score: float = 0.9) -> Draft:
    evidence = Evidence(turn=turn, start=0, end=4, text="said")
    return Draft(
        rows=(turn,),
        texts=(text,),
        statements=said,
        chosen=turn,
        profile=Profile(text),
        section=section,
        reason="test",
        grounding=Grounding((evidence,), score, (turn,), (turn,), (turn,)),
    )


def of(text: str, *members: str, section: Section = Section.KNOWN) -> Draft:
    return a_draft(text, *(a_statement(text, member) for member in members), section=section)


DEEP, COLD = "The lake is deep.", "Its water stays cold until June."
BOTH = a_statement(f"The {DEEP[4:]} The water stays cold until June.", "ann")
PARTS = {BOTH.key: points(BOTH)}


def halves(*others: str, section: Section = Section.KNOWN) -> list[Draft]:
    first, second = (point.text for point in PARTS[BOTH.key])
    return [
        a_draft(first, BOTH, *(a_statement(first, other) for other in others), turn=1, score=0.9),
        a_draft(second, BOTH, section=section, turn=2, score=0.7),
    ]


def test_points_of_one_statement_are_put_together_as_they_were_said() -> None:
    (whole,) = rejoined(halves(), PARTS, 2)
    assert whole.text == BOTH.claim.text
    assert whole.support.families == ("alpha",)
    assert [piece.turn for piece in whole.grounding.evidence] == [1, 2]
    assert (whole.grounding.score, whole.rows) == (0.7, (1, 2))


def test_who_said_one_half_does_not_support_the_whole() -> None:
    first, second = (point.text for point in PARTS[BOTH.key])
    drafts = [
        a_draft(first, BOTH, a_statement(first, "bea")),
        a_draft(second, BOTH, a_statement(second, "cid"), turn=2),
    ]
    assert [draft.text for draft in rejoined(drafts, PARTS, 2)] == [first, second]
    (whole,) = rejoined(halves("bea"), PARTS, 2)
    assert whole.support.members == ("ann",)
    assert {statement.member for statement in whole.statements} == {"ann", "bea"}


def test_halves_stay_apart_in_two_sections_or_when_one_of_them_fell() -> None:
    assert len(rejoined(halves(section=Section.DECIDED), PARTS, 2)) == 2
    assert len(rejoined(halves()[:1], PARTS, 2)) == 1


def test_halves_stay_apart_when_too_long_together_or_said_by_another() -> None:
    long = a_statement(f"The lake is {'very deep indeed ' * 12}. The water is {'cold all year round ' * 8}.", "ann")
    parts = {long.key: points(long)}
    assert len(parts[long.key]) == 2
    drafts = [a_draft(point.text, long, turn=n) for n, point in enumerate(parts[long.key], 1)]
    assert len(rejoined(drafts, parts, 2)) == 2
    foreign = [
        a_draft(point.text, a_statement(point.text, "bea"), turn=n) for n, point in enumerate(PARTS[BOTH.key], 1)
    ]
    assert len(rejoined(foreign, PARTS, 2)) == 2


def test_the_lead_stands_whole_and_others_add_what_is_new() -> None:
    drafts = [
        of("The lake is 12 m deep and cold.", "ann"),
        of("The lake is cold.", "bea"),
        of("Pike eat roach in the northern bay.", "cid"),
    ]
    worth = Worth([s for draft in drafts for s in draft.statements], [])
    standing, left = select(drafts, "ann", worth, 100)
    assert [draft.text for draft in standing] == [drafts[0].text, drafts[2].text]
    ((out),) = left
    assert (out.draft.text, out.reason) == ("The lake is cold.", DissentReason.CONTAINED)
    assert 0 <= out.new <= 0.3


def test_what_there_is_no_room_for_is_left_out_for_its_size() -> None:
    drafts = [of(DEEP, "ann"), of("Pike eat roach in the northern bay.", "cid"), of("Daphnia thrive.", "bea")]
    worth = Worth([s for draft in drafts for s in draft.statements], [])
    standing, left = select(drafts, "ann", worth, 7)
    assert [draft.text for draft in standing] == [DEEP, "Daphnia thrive."]
    assert [out.reason for out in left] == [DissentReason.SIZE]


def test_commitments_go_before_facts_of_the_same_weight() -> None:
    drafts = [of("Perch grow slowly.", "bea"), of("Roach leave early.", "cid", section=Section.DECIDED)]
    worth = Worth([s for draft in drafts for s in draft.statements], [])
    standing, _ = select(drafts, None, worth, 3)
    assert [draft.section for draft in standing] == [Section.DECIDED]


def test_a_text_without_content_words_adds_nothing() -> None:
    standing, left = select([of("It is so.", "bea")], "ann", Worth([], []), 100)
    assert standing == []
    assert [(out.reason, out.new) for out in left] == [(DissentReason.CONTAINED, 0.0)]


def test_nothing_is_nothing() -> None:
    assert select([], None, Worth([], []), 100) == ([], [])
    assert rejoined([], {}, 2) == []


def test_points_know_where_they_begin() -> None:
    found = points(BOTH)
    assert [BOTH.claim.text[point.start :][: len(point.text)] for point in found] == [point.text for point in found]
    assert isinstance(found[0], Point)
