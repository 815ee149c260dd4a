"""Cassettes: what was asked is found again whatever an installation adds to it, and what is missing is said."""

import asyncio
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from devtools.scripted import SCRIPTED_USAGE
from dissolution.answers import FailureClass, FinishReason, MemberTask, RenderedPrompt, Reply, Usage
from dissolution.claims import Section
from dissolution.errors import InvalidRoster, MemberError, MemberRequestRejected, MemberTimeout
from dissolution.values import NotMeasured
from fleet.asked import heard
from fleet.cassette import CALLS, Cassette, is_cassette, read_head
from fleet.cassette_members import CassetteMember, TapingMember, check_cassette, load_cassette, taping
from prompts.probing import render_reading, render_writing
from prompts.render import render
from prompts.reviewing import ShownClaim, render_review
from tests.factories import a_snapshot
from tests.unit.fleet.parts import a_card

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
TALK = a_snapshot("We use Redis; see commit cafe12.", "Noted.")


class Live:
    """A member that says what it is told to, one answer a question, and counts its questions."""

    window_tokens = 50_000
    max_output_tokens = 700
    counter_name = "words"

    def __init__(self, name: str, says: Sequence[str | MemberError]) -> None:
        self.card = a_card(name)
        self._says = list(says)
        self.asked = 0

    def fits(self, prompt: RenderedPrompt, prior_tokens: int = 0) -> bool:  # noqa: ARG002 - all fits
        return True

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's shape
        return SCRIPTED_USAGE.model_copy(update={"cost_usd": Decimal(3)})

    async def answer(self, task: MemberTask) -> Reply:  # noqa: ARG002 - the port's shape
        self.asked += 1
        said = self._says.pop(0)
        if isinstance(said, MemberError):
            raise said
        usage = SCRIPTED_USAGE.model_copy(update={"input_tokens": 12, "cost_usd": Decimal(3)})
        return Reply(text=said, finish=FinishReason.STOP, usage=usage, model_reported="m-2026")

    async def aclose(self) -> None:
        pass


def task(prompt: RenderedPrompt) -> MemberTask:
    return MemberTask(snapshot=TALK, prompt=prompt, deadline_s=5)


def rolling(key: bytes, *ids: str) -> MemberTask:
    """A cycle's question that shows these ids of claims."""
    state = "KNOWN\n" + "\n".join(f"- [{one}] Claim {place}." for place, one in enumerate(ids))
    return task(render("rolling", 3, TALK, key=key, prior=state, since_turn=1))


def reading(asked: dict[str, str], key: bytes = KEY) -> MemberTask:
    return task(render_reading(TALK, asked, key=key))


def answers(**said: str) -> str:
    return json.dumps({"answers": [{"id": name, "answer": text} for name, text in said.items()]})


def taped(folder: Path, *says: str | MemberError) -> TapingMember:
    (member,) = taping([Live("ann", says)], folder)
    return member


def replayed(folder: Path) -> CassetteMember:
    (member,) = load_cassette(folder)
    return member


def said_by(member: TapingMember | CassetteMember, asked: MemberTask) -> str:
    return asyncio.run(member.answer(asked)).text


def test_an_answer_is_found_by_another_installation_with_its_own_ids_in_place(tmp_path: Path) -> None:
    first = rolling(KEY, "c1111", "c2222")
    words = "KNOWN\n- Both hold. [turn 2] [affirms c2222] [closes c1111] [affirms c9999]"
    assert said_by(taped(tmp_path, words), first) == words
    second = rolling(OTHER_KEY, "cabcdef", "c0123ab")
    assert first.prompt.text != second.prompt.text
    assert said_by(replayed(tmp_path), second) == words.replace("c1111", "cabcdef").replace("c2222", "c0123ab")


def test_the_order_in_which_ids_are_shown_is_a_part_of_the_question_and_so_are_words_of_turns(tmp_path: Path) -> None:
    shown, _ = heard(rolling(KEY, "c1111", "c2222", "c1111"))
    other, _ = heard(rolling(KEY, "c1111", "c2222", "c2222"))
    assert shown.asked.digest != other.asked.digest
    with_word, tokens = heard(rolling(KEY, "cafe12", "c2222"))
    assert tokens.neutral.keys() & {"cafe12", "c2222"} == {"c2222"}  # a turn says the first
    assert with_word.asked.digest != shown.asked.digest


def test_what_was_asked_can_be_read(tmp_path: Path) -> None:
    said_by(taped(tmp_path, answers(w001="yes")), reading({"w001": "Do we use Redis?"}))
    stored = json.loads((tmp_path / CALLS / "conv-1.json").read_text(encoding="utf-8"))
    (exchange,) = stored["exchanges"]
    assert exchange["asked"] | {"digest": "", "rest": "", "chars": 0} == {
        "prompt": "probe_answers",
        "version": 1,
        "conversation": "conv-1",
        "through": 2,
        "chars": 0,
        "digest": "",
        "rest": "",
        "blocks": [
            {"name": "CONVERSATION", "turns": "1-2"},
            {"name": "QUESTIONS", "items": ["[question w001] Do we use Redis?"]},
        ],
    }
    (came,) = exchange["came"]
    assert came["member"] == "ann"
    assert came["answer"] == [answers(w001="yes")]
    assert came["model_reported"] == "m-2026"


def test_claims_and_an_account_in_place_of_turns_are_told_too() -> None:
    claims = [
        ShownClaim(number=1, section=Section.KNOWN, text="Redis is used."),
        ShownClaim(number=2, section=Section.EDGES, text="Who pays is open."),
    ]
    review, _ = heard(task(render_review(TALK, claims, (), (), of=2, key=KEY)))
    assert review.asked.blocks[1].items == ("[claim 1] KNOWN\nRedis is used.", "[claim 2] EDGES\nWho pays is open.")
    account, _ = heard(task(render_reading(["Redis is used.", "Two\nlines."], {"w1": "What is used?"}, key=KEY)))
    assert account.asked.blocks[0].items == ("Redis is used.", "Two", "lines.")


def test_the_file_does_not_depend_on_the_order_in_which_answers_land(tmp_path: Path) -> None:
    tasks = [reading({f"w{place}": f"Question {place}?"}) for place in range(3)]
    files: list[bytes] = []
    for folder, order in (("one", tasks), ("two", tasks[::-1])):
        for asked in order:
            member = taped(tmp_path / folder, answers(w0="a", w1="a", w2="a"))
            said_by(member, asked)
        content = json.loads((tmp_path / folder / CALLS / "conv-1.json").read_bytes())
        for exchange in content["exchanges"]:
            exchange["came"][0].pop("latency_s", None)
        files.append(json.dumps(content).encode())
    assert files[0] == files[1]


def test_two_who_write_into_one_folder_lose_nothing_of_each_other(tmp_path: Path) -> None:
    one, other = taped(tmp_path, answers(w1="one")), taped(tmp_path, answers(w2="two"))
    said_by(one, reading({"w1": "First?"}))
    said_by(other, reading({"w2": "Second?"}))
    assert said_by(replayed(tmp_path), reading({"w1": "First?"})) == answers(w1="one")
    assert said_by(replayed(tmp_path), reading({"w2": "Second?"})) == answers(w2="two")


def test_what_is_stored_is_not_asked_again_and_costs_nothing_then(tmp_path: Path) -> None:
    live = Live("ann", [answers(w1="yes"), "never said"])
    (member,) = taping([live], tmp_path)
    asked = reading({"w1": "Do we?"})
    assert member.estimate(asked).cost_usd == Decimal(3)
    first = asyncio.run(member.answer(asked))
    again = asyncio.run(member.answer(reading({"w1": "Do we?"}, OTHER_KEY)))
    assert live.asked == 1
    assert (first.usage.cost_usd, again.usage.cost_usd) == (Decimal(3), Decimal(0))
    assert (again.text, again.usage.input_tokens, again.model_reported) == (first.text, 12, "m-2026")
    assert member.estimate(asked).cost_usd == Decimal(0)
    assert len(member.served) == 2


def test_questions_in_other_batches_are_answered_one_by_one_when_all_are_known(tmp_path: Path) -> None:
    member = taped(tmp_path, answers(w1="one", w2="two"), answers(w3="three", w4=""), "live")
    said_by(member, reading({"w1": "First?", "w2": "Second?"}))
    said_by(member, reading({"w3": "Third?", "w4": "Fourth?"}))
    mixed = reading({"x7": "Third?", "x8": "First?"}, OTHER_KEY)
    assert json.loads(said_by(member, mixed)) == json.loads(answers(x7="three", x8="one"))
    reply = asyncio.run(replayed(tmp_path).answer(mixed))
    assert json.loads(reply.text) == json.loads(answers(x7="three", x8="one"))
    assert reply.usage.input_tokens == replayed(tmp_path).counted(mixed.prompt.text)  # counted now, for nothing
    assert isinstance(reply.usage.cached_input_tokens, NotMeasured)
    assert said_by(member, reading({"w1": "First?", "w5": "Fifth?"})) == "live"  # one of them is not known


def test_an_answer_about_another_text_is_no_answer_to_the_question(tmp_path: Path) -> None:
    said_by(taped(tmp_path, answers(w1="one", w2="two")), reading({"w1": "First?", "w2": "Second?"}))
    account = task(render_reading(["Something else."], {"w1": "First?"}, key=KEY))
    with pytest.raises(MemberRequestRejected):
        said_by(replayed(tmp_path), account)


def test_a_miss_says_what_was_asked_and_what_the_folder_has(tmp_path: Path) -> None:
    said_by(taped(tmp_path, answers(w1="one")), reading({"w1": "First?"}))
    with pytest.raises(MemberRequestRejected) as missed:
        said_by(replayed(tmp_path), reading({"w1": "First?", "w2": "Second?"}))
    assert missed.value.detail == (
        "asked probe_answers/v1 about 'conv-1' through turn 2; not asked before: '[question w2] Second?'; "
        "the cassette has 1 questions of that prompt to 'ann' ('conv-1' through turn 2)"
    )
    with pytest.raises(MemberRequestRejected, match=r"0 questions.*'ann'"):
        said_by(replayed(tmp_path), task(render_writing(TALK, count=9, key=KEY)))


def test_a_failure_is_replayed_as_it_was_and_asked_again_live(tmp_path: Path) -> None:
    asked = reading({"w1": "First?"})
    member = taped(tmp_path, MemberTimeout("ann", "no reply in 5 s"), answers(w1="one"))
    with pytest.raises(MemberTimeout):
        said_by(member, asked)
    with pytest.raises(MemberTimeout, match="5 s"):
        said_by(replayed(tmp_path), asked)
    assert said_by(member, asked) == answers(w1="one")
    assert said_by(replayed(tmp_path), asked) == answers(w1="one")


def test_no_secret_and_no_digits_of_one_are_written(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    said = f"KNOWN\n- The token is {secret}. [turn 1]\n- So is [secret:github_token:12ab34cd]. [turn 1]"
    said_by(taped(tmp_path, said), task(render("four_part", 2, TALK, key=KEY)))
    written = (tmp_path / CALLS / "conv-1.json").read_text(encoding="utf-8")
    assert secret not in written
    assert "12ab34cd" not in written
    assert written.count("[secret:") == 2


def test_a_placeholder_of_a_turn_reads_the_same_under_every_key(tmp_path: Path) -> None:
    def of(digits: str) -> MemberTask:
        talk = a_snapshot(f"The token is [secret:github_token:{digits}].", "Noted.")
        return MemberTask(snapshot=talk, prompt=render("four_part", 2, talk, key=KEY), deadline_s=5)

    said_by(taped(tmp_path, "KNOWN\n- It is [secret:github_token:11111111]. [turn 1]"), of("11111111"))
    assert said_by(replayed(tmp_path), of("2222aaaa")) == "KNOWN\n- It is [secret:github_token:2222aaaa]. [turn 1]"


def test_a_replayed_member_is_a_recording_of_the_one_that_answered(tmp_path: Path) -> None:
    live = taped(tmp_path, answers(w1="one"))
    member = replayed(tmp_path)
    assert member.card == live.card.model_copy(update={"kind": "recorded"})
    assert member.max_output_tokens == live.max_output_tokens == 700
    assert member.fits(reading({"w1": "?"}).prompt, prior_tokens=40_000)
    assert not member.fits(reading({"w1": "?"}).prompt, prior_tokens=50_000)


def test_a_folder_keeps_its_members_and_refuses_another_family(tmp_path: Path) -> None:
    taping([Live("ann", []), Live("ben", [])], tmp_path)
    taping([Live("cem", []), Live("ann", [])], tmp_path)
    assert [one.card.name for one in read_head(tmp_path).members] == ["ann", "ben", "cem"]
    other = Live("ann", [])
    other.card = a_card("ann", family="other")
    with pytest.raises(InvalidRoster, match=r"'ann'.*'a'.*'other'"):
        taping([other], tmp_path)


def test_a_folder_of_single_recordings_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "writer-a.dissolve.json").write_text("{}")
    assert not is_cassette(tmp_path)
    with pytest.raises(InvalidRoster, match=r"holds the recording .writer-a\.dissolve\.json."):
        taping([Live("ann", [])], tmp_path)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("cassette.json", "{", "cassette.json.*Invalid JSON"),
        ("cassette.json", '{"format": "cassette/9", "about": "", "members": []}', "format"),
        ("calls/conv-1.json", '{"conversation": "conv-1"}', "exchanges"),
    ],
)
def test_a_file_that_is_not_of_the_form_is_named(file: str, content: str, message: str, tmp_path: Path) -> None:
    said_by(taped(tmp_path, answers(w1="one")), reading({"w1": "First?"}))
    (tmp_path / file).write_text(content, encoding="utf-8")
    with pytest.raises(InvalidRoster, match=message):
        load_cassette(tmp_path)


def test_a_cassette_of_another_conversation_is_refused_beforehand(tmp_path: Path) -> None:
    said_by(taped(tmp_path, answers(w1="one")), reading({"w1": "First?"}))
    check_cassette(tmp_path, TALK)
    with pytest.raises(InvalidRoster, match=r"'conv-1'.*'other'"):
        check_cassette(tmp_path, a_snapshot("Hello.", name="other"))


def test_a_fault_of_ours_is_no_answer_and_no_failure_of_the_member(tmp_path: Path) -> None:
    with pytest.raises(IndexError):
        said_by(taped(tmp_path), reading({"w1": "First?"}))
    assert Cassette(tmp_path).conversations == ()


def test_every_stored_failure_has_its_error() -> None:
    assert {one.code for one in MemberError.__subclasses__()} >= {
        one.value for one in FailureClass if one not in {FailureClass.CANCELLED, FailureClass.INTERNAL}
    }
