"""How large what nobody has said yet will be: words of the conversation in the sizes that live jobs had.

The figures are means of the second live drill (`python benchmarks/estimates.py` holds the result against its jobs).
Nothing rests on what the words say: they stand in prompts that are counted and never sent.
"""

import math
from collections.abc import Sequence

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Evidence, Section, StatedClaim, Statement, Support
from dissolution.conversation import Snapshot, Turn
from dissolution.findings import GateDecision, Verdict
from dissolution.intervals import TurnInterval
from dissolution.policy.job_policy import SizePolicy
from dissolution.reviewing import Fault, Hint
from dissolution.room import Room
from dissolution.written_questions import JudgedItem

SOURCE_CHARS = 40_000
"""Words are taken from so much of the conversation: how many tokens they have is known from that."""

ANSWER_CHARS = (1700, 5.6)
"""Characters of an account in four parts: so many, and so many for each word of its room."""

STATEMENT_CHARS = 107
"""Characters of a statement with the turns it names."""

CLAIM_CHARS = 92
"""Characters of a claim as it comes from an answer."""

HELD_CHARS = 118
"""The same of a claim that stands: the fullest wording of several."""

APART_SHARE = 0.58
"""Of the statements of each further member, those that are not merged with others before the review."""

NEW_SHARE = 0.5
"""Of what a first dissolution would show reviewers, what a cycle shows them beside the claims that are held."""

KEPT_SHARE = 1.05
"""Claims that stand after the review for each statement of one member."""

KEPT_NEW_SHARE = 0.33
"""The same in a cycle, beside the claims that are held."""

WORDS_A_CLAIM = 16.5

HINT_SHARE = 0.2
"""Hints for each claim that reviewers are shown."""

PREMISE_CHARS = 60

SHAPED_SHARE, CHECKED_SHARE, KEPT_QUESTIONS = 0.96, 0.86, 0.86
"""Of the questions asked for: in form, with evidence, and left when they are checked."""

QUESTION_CHARS, REFERENCE_CHARS, VARIANT_CHARS, ANSWERED_CHARS = 67, 17, 18, 45
TURNS_A_QUESTION = 1.43
SPREAD_SHARE = 0.9
"""Different turns that questions rest on, over those that as many draws by chance would name."""

WRITTEN_CHARS = 230
"""Characters of a reply for each question that is written."""

READ_CHARS, BLANK_CHARS, CHECKED_CHARS, JUDGED_CHARS = 76, 46, 87, 67
"""The same for each that is answered from a text, from no text, from its evidence; and for each answer judged."""

REVIEWED_CHARS = (37, 15)
"""The same for each claim that is reviewed: of a new one, of one that is held."""

MISSED_CHARS = 150
"""The same for each turn that a repair asks about; not measured."""

PREMISE_READ_CHARS, CHALLENGE_CHARS = 200, 350
"""The same for each premise read, and for each framing proposed; not measured, generous."""


class Words:
    """Words of a snapshot, cut to any size."""

    def __init__(self, snapshot: Snapshot) -> None:
        taken: list[str] = []
        length = 0
        for turn in snapshot.turns:
            taken += turn.content[:SOURCE_CHARS].split()
            length += len(turn.content)
            if length > SOURCE_CHARS:
                break
        self._text = " ".join(taken) or "nothing"
        self._at = 0

    def of(self, chars: float) -> str:
        """So many characters (1 or more), each time further on in the conversation, and from its beginning again."""
        wanted = max(1, round(chars))
        while len(self._text) < wanted:
            self._text += f" {self._text}"
        if self._at + wanted > len(self._text):
            self._at = 0
        found = self._text[self._at : self._at + wanted]
        self._at += wanted
        return found.strip() or "x"

    def each(self, count: int, chars: float) -> tuple[str, ...]:
        """So many texts of so many characters."""
        return tuple(self.of(chars) for _ in range(count))


def answer_chars(room: Room, held: int = 0) -> float:
    """Characters of an account; in a cycle each held claim is named once."""
    base, a_word = ANSWER_CHARS
    return base + a_word * room.words + 12 * held


def statements_of(room: Room) -> float:
    """Statements of one member."""
    return answer_chars(room) / STATEMENT_CHARS


def shown_claims(policy: SizePolicy, room: Room, members: int, held: int) -> int:
    """Claims of a candidate before its review, held ones included."""
    most = policy.reviewed * room.words / WORDS_A_CLAIM
    new = min(most, statements_of(room) * (1 + APART_SHARE * max(0, members - 1)))
    return round(held + NEW_SHARE * new if held else new)


def kept_claims(policy: SizePolicy, room: Room, held: int) -> int:
    """Claims of a candidate after its review, held ones included."""
    most = policy.reviewed * room.words / WORDS_A_CLAIM
    own = min(most, statements_of(room))
    return max(1, round(held + KEPT_NEW_SHARE * own if held else KEPT_SHARE * own))


def claims_of(snapshot: Snapshot, words: Words, count: int, chars: float) -> tuple[Claim, ...]:
    """So many claims of so many characters, over the sections as they usually fall."""
    sections = (Section.KNOWN, Section.DECIDED, Section.KNOWN, Section.EDGES, Section.DECIDED, Section.IDENTITY)
    return tuple(
        _claim(snapshot.turns[0], f"c{number:08d}", sections[number % len(sections)], words.of(chars))
        for number in range(count)
    )


def hints_of(claims: int) -> int:
    """Hints that reviewers are shown about so many claims."""
    return round(HINT_SHARE * claims)


def hint_about(turn: Turn, claim: Claim) -> Hint:
    """A hint about a claim, with words of a turn."""
    words = turn.content[:PREMISE_CHARS] or " "
    return Hint(
        suspects=Fault.GUESS,
        claims=(claim.id,),
        evidence=Evidence(turn=turn.number, start=0, end=len(words), text=words),
        probability=0.5,
        basis="expected",
    )


def _claim(turn: Turn, name: str, section: Section, text: str) -> Claim:
    piece = turn.content[:1] or " "
    stated = StatedClaim(section=section, text=text)
    return Claim(
        id=name,
        section=section,
        text=text,
        evidence=(Evidence(start=0, end=1, turn=turn.number, text=piece),),
        support=Support(members=("somebody",), families=("some",)),
        valid=TurnInterval(start=turn.number),
        statements=(Statement(member="somebody", family="some", ordinal=0, claim=stated),),
        reason="expected",
    )


def held_boundary(snapshot: Snapshot, words: Words, policy: SizePolicy, room: Room, through: int) -> BoundaryState:
    """A boundary through a turn, as large as one of these turns is expected to be."""
    return BoundaryState(
        conversation=snapshot.conversation,
        job="expected",
        through=through,
        snapshot_digest=snapshot.digest,
        decision=GateDecision(verdict=Verdict.COMMIT, reasons=("expected",)),
        claims=claims_of(snapshot, words, kept_claims(policy, room, 0), HELD_CHARS),
        dissent=(),
        version=1,
    )


def questions_of(words: Words, count: int) -> dict[str, str]:
    """Words of so many questions, by id."""
    return {f"w{number:03d}": words.of(QUESTION_CHARS) for number in range(1, count + 1)}


def evidence_turns(snapshot: Snapshot, questions: int) -> tuple[tuple[int, ...], ...]:
    """The turns that each of so many questions rests on, spread over the conversation."""
    turns = snapshot.through
    drawn = TURNS_A_QUESTION * questions
    different = max(1, min(turns, round(SPREAD_SHARE * turns * (1 - math.exp(-drawn / turns)))))
    spread = [1 + place * turns // different for place in range(different)]
    named = max(questions, round(drawn))
    each: list[list[int]] = [[] for _ in range(questions)]
    for place in range(named):
        turn = spread[place % different]
        if turn not in each[place % questions]:
            each[place % questions].append(turn)
    return tuple(tuple(sorted(one)) for one in each)


def judged_items(words: Words, asked: Sequence[tuple[str, str]]) -> list[JudgedItem]:
    """What a judge is shown of these questions (id, words)."""
    return [
        JudgedItem(
            id=name,
            question=text,
            reference=words.of(REFERENCE_CHARS),
            variants=(words.of(VARIANT_CHARS),),
            answer=words.of(ANSWERED_CHARS),
        )
        for name, text in asked
    ]
