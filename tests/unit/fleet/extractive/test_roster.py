"""The fleet as a whole, on whole conversations."""

import asyncio
import itertools
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dissolution.answers import MemberKind
from dissolution.conversation import Role, Snapshot
from dissolution.excerpts import Chosen
from dissolution.ports.models import Member
from fleet.extractive.roster import NOTE, extractive_fleet
from tests.factories import a_snapshot, a_turn
from tests.unit.fleet.extractive.embedding import BagEmbedder
from tests.unit.fleet.extractive.test_member import a_task

PLANTED = Path(__file__).parents[4] / "benchmarks" / "data" / "planted"
FLEET = extractive_fleet(BagEmbedder())


def planted(name: str) -> Snapshot:
    record = json.loads((PLANTED / f"{name}.json").read_text(encoding="utf-8"))
    turns = tuple(a_turn(t["turn"], t["content"], Role(t["role"])) for t in record["turns"])
    return Snapshot(conversation=name, turns=turns)


def answers(snapshot: Snapshot, fleet: Iterable[Member] = FLEET) -> dict[str, list[Chosen]]:
    replies = {member.card.name: asyncio.run(member.answer(a_task(snapshot))).text for member in fleet}
    return {name: [Chosen(**one) for one in json.loads(text)["chosen"]] for name, text in replies.items()}


def check(snapshot: Snapshot) -> None:
    for found in answers(snapshot).values():
        places = [(one.turn, one.start) for one in found]
        assert places == sorted(set(places))
        for one in found:
            words = snapshot.turn(one.turn).content[one.start : one.end]
            assert len(words) == one.end - one.start
            assert words.strip() == words != ""


def test_four_members_in_four_families_without_a_language_model() -> None:
    cards = [member.card for member in FLEET]
    assert len({card.family for card in cards}) == len({card.name for card in cards}) == len(cards) == 4
    assert {card.kind for card in cards} == {MemberKind.EXTRACTIVE}
    assert all(card.family.startswith("extractive-") for card in cards)
    assert "no language model" in NOTE


def test_the_coverage_member_names_its_embedder() -> None:
    assert next(member for member in FLEET if member.card.name == "extractive-coverage").card.model.endswith("(bag)")


@pytest.mark.parametrize("name", ["op-flask-sessions", "st-market-entry"])
def test_the_methods_choose_unlike_turns_of_a_long_conversation(name: str) -> None:
    snapshot = planted(name)
    check(snapshot)
    tenth = [{one.turn for one in found if one.score > 0.9} for found in answers(snapshot).values()]
    assert all(len(turns) >= 5 for turns in tenth)
    assert max(len(a & b) / len(a | b) for a, b in itertools.combinations(tenth, 2)) <= 0.6


def test_the_same_snapshot_gives_the_same_answers_in_any_order_of_members() -> None:
    snapshot = planted("op-flask-sessions")
    assert answers(snapshot) == answers(snapshot, reversed(extractive_fleet(BagEmbedder())))


@pytest.mark.parametrize(
    "contents",
    [
        ("hi",),
        ("What is the capital of Peru?", "The capital of Peru is Lima, a city of 10 million people."),
        ("Wir haben entschieden, dass die Datenbank am 12. März umzieht.", "Gut, dann bleibt der Server 3 aus."),
        ("数据库迁移定在三月十二日。", "好的，备份保留七天。"),
        ("ตัดสินใจย้ายฐานข้อมูลวันที่ 12", "ตกลง"),
        ("قررنا نقل قاعدة البيانات في 12 مارس.", "حسنا، النسخة الاحتياطية تبقى 7 أيام."),
        ("x" * 50_000, "a " * 20_000),
        ("ok, " * 5_000, "no no no no " * 2_000),
        ("```\nunclosed", "> quoted\n> text of 5 lines", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("\u202eevil\u202c \x00 \ud7ff", "{}[]()\\"),
    ],
)
def test_odd_conversations(contents: tuple[str, ...]) -> None:
    check(a_snapshot(*contents))


@pytest.mark.parametrize(
    "contents",
    [
        ("Die Pumpe in Halle 3 liefert 40 Liter.", "Der Kessel braucht 300 Volt.", "Die Pumpe bleibt bis Montag aus."),
        ("数据库迁移定在三月十二日。", "好的，数据库备份保留七天。"),
    ],
)
def test_every_language_is_chosen_from(contents: tuple[str, ...]) -> None:
    assert any(answers(a_snapshot(*contents)).values())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text(min_size=1, max_size=300).filter(lambda t: t.strip() != ""), min_size=1, max_size=5))
def test_any_text(contents: list[str]) -> None:
    check(a_snapshot(*contents))
