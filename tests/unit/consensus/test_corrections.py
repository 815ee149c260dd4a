from consensus.calibration import calibration_for
from consensus.corrections import conflicts
from consensus.distance import joint_distances
from consensus.draft import Draft
from consensus.evidence import Ground
from consensus.hashing import HashingEmbedder
from consensus.profile import Profile
from consensus.vectors import unpack
from dissolution.claims import Section, StatedClaim
from dissolution.conversation import Role, Snapshot, Turn
from tests.factories import a_turn
from tests.unit.consensus.made import a_statement

OLD, NEW = "The launch date is 12 March for the product.", "The launch date is 30 March for the product."


def settled(first: Turn, second: Turn, *, section: Section = Section.KNOWN) -> list[int | None]:
    """Who settles OLD against NEW in a talk of these two turns."""
    ground, embedder = Ground(Snapshot(conversation="c", turns=(first, second))), HashingEmbedder()
    profiles = [Profile(OLD), Profile(NEW)]
    rows, ground_rows = unpack(embedder.embed([OLD, NEW])), unpack(embedder.embed(ground.texts()))
    scores = ground.scores(profiles, rows, ground_rows, calibration_for("hashing"))
    drafts = [
        Draft(
            rows=(row,),
            texts=(profile.text,),
            statements=(a_statement(profile.text),),
            chosen=row,
            profile=profile,
            section=section,
            reason="test",
            grounding=scores.ground(
                row, StatedClaim(section=section, text=profile.text), floor=0.45, spoken_only=False
            ),
        )
        for row, profile in enumerate(profiles)
    ]
    found = conflicts(drafts, joint_distances(profiles, rows), ground, 0.6)
    assert all((conflict.first, conflict.second) == (0, 1) for conflict in found)
    return [conflict.settled_by for conflict in found]


def test_the_same_speaker_corrects_himself() -> None:
    assert settled(a_turn(1, OLD, Role.PARTICIPANT, "Ines"), a_turn(2, NEW, Role.PARTICIPANT, "Ines")) == [2]


def test_the_user_has_the_last_word_over_the_assistant_but_not_the_reverse() -> None:
    assert settled(a_turn(1, OLD, Role.ASSISTANT), a_turn(2, NEW, Role.USER)) == [2]
    assert settled(a_turn(1, OLD, Role.USER), a_turn(2, NEW, Role.ASSISTANT)) == [None]


def test_words_of_change_settle_it_whoever_says_them() -> None:
    changed = f"{NEW[:-1]}, it has moved."
    assert settled(a_turn(1, OLD, Role.PARTICIPANT, "Ines"), a_turn(2, changed, Role.PARTICIPANT, "Omar")) == [2]


def test_two_speakers_without_such_words_settle_nothing() -> None:
    assert settled(a_turn(1, OLD, Role.PARTICIPANT, "Ines"), a_turn(2, NEW, Role.PARTICIPANT, "Omar")) == [None]


def test_what_one_turn_says_in_one_breath_is_no_conflict() -> None:
    assert settled(a_turn(1, f"{OLD} {NEW}"), a_turn(2, "Fine.")) == []


def test_open_questions_conflict_with_nothing() -> None:
    assert settled(a_turn(1, OLD), a_turn(2, NEW), section=Section.EDGES) == []
