"""Every prompt that carries a whole snapshot begins with the same bytes; those that do not say that they share none."""

from collections.abc import Mapping

from dissolution.answers import RenderedPrompt
from dissolution.claims import Section
from dissolution.room import Room
from dissolution.written_questions import JudgedItem
from prompts.catalog import load, names, versions
from prompts.fence import delimiter, fenced_conversation
from prompts.framing import ShownPremise, render_challenge, render_premises
from prompts.probing import render_evidence, render_further, render_judging, render_reading, render_veto, render_writing
from prompts.render import render
from prompts.review_blocks import ShownClaim
from prompts.reviewing import render_review, render_short_review
from prompts.spans import render_spans
from tests.factories import a_snapshot

KEY = b"0123456789abcdef"
TALK = a_snapshot("The mill stands at the weir.", "We rebuild it in oak.", "The door stays as it is.")
ASKED = {"w001": "Where does the mill stand?"}
CLAIMS = (ShownClaim(number=1, section=Section.KNOWN, text="The mill stands at the weir."),)
ROOM = Room(tokens=400)


def four_parts(name: str, version: int) -> RenderedPrompt:
    """One of the prompts for the four parts, with the whole snapshot."""
    held = "prior" in load(name, version).slots
    return render(
        name,
        version,
        TALK,
        key=KEY,
        prior="KNOWN\n- x" if held else None,
        since_turn=1 if held else None,
        room=ROOM,
    )


def whole() -> Mapping[str, RenderedPrompt]:
    """Each prompt that carries the snapshot, in each version that is still asked."""
    found = {
        f"{name}/v{version}": four_parts(name, version)
        for name in ("four_part", "rolling", "carried")
        for version in versions(name)
        if version > 1 or name == "carried"
    }
    found |= {f"review/v{n}": render_review(TALK, CLAIMS, (), (), of=1, key=KEY, version=n) for n in (1, 2)}
    return found | {
        "review/v3": render_short_review(TALK, CLAIMS, (), of=1, key=KEY),
        "premises/v1": render_premises(TALK, after=1, count=3, key=KEY),
        "probe_writing/v1": render_writing(TALK, count=3, key=KEY),
        "probe_further/v1": render_further(TALK, count=3, put=ASKED, key=KEY),
        "probe_answers/v1": render_reading(TALK, ASKED, key=KEY),
    }


def apart() -> Mapping[str, RenderedPrompt]:
    """Each prompt that must not show the snapshot, or shows a part of it."""
    item = JudgedItem(id="w001", question="Where?", reference="at the weir", answer="there")
    premise = ShownPremise(proposition="The mill stands.", standing="asserted")
    return {
        "probe_answers/v1": render_reading(["The mill stands at the weir."], ASKED, key=KEY),
        "probe_evidence/v1": render_evidence(TALK, [("w001", "Where?", [1])], key=KEY, version=1),
        "probe_evidence/v2": render_evidence(TALK, [("w001", "Where?", [1])], key=KEY),
        "probe_judging/v1": render_judging([item], key=KEY),
        "probe_veto/v1": render_veto([item], key=KEY),
        "repair/v3": render_spans(TALK, [2], CLAIMS, key=KEY),
        "challenge/v1": render_challenge("a mill", [premise], (), count=1, key=KEY),
        "rolling/v6": render("rolling", 6, TALK, key=KEY, prior="KNOWN\n- x", since_turn=1, excerpt=True, room=ROOM),
    }


def test_every_prompt_with_the_whole_snapshot_begins_with_the_same_bytes() -> None:
    system = load("four_part", 2).system
    conversation = fenced_conversation(TALK, delimiter(TALK, KEY))
    for name, prompt in whole().items():
        first, last = prompt.messages
        assert (first.role, first.content, last.role) == ("system", system, "user"), name
        assert last.content.startswith(f"{conversation}\n\nThe conversation ended"), name
        assert last.content[: prompt.shared] == conversation, name


def test_what_shows_no_whole_snapshot_shares_nothing() -> None:
    assert {name: prompt.shared for name, prompt in apart().items()} == dict.fromkeys(apart(), 0)


def test_every_prompt_is_in_one_of_the_two_lists() -> None:
    newest = {f"{name}/v{versions(name)[-1]}" for name in names()} - {"summary/v1"}
    assert newest <= whole().keys() | apart().keys(), "version 1 keeps the order of the source dissertation"
