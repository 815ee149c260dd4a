"""Logs of messengers, subtitles of meetings, and the order of days and months."""

import pytest

from language.intake.foreign import chat_log, subtitles
from language.intake.foreign.day_order import DAY_FIRST, MONTH_FIRST, YEAR_FIRST, day_order
from language.intake.foreign.material import Material
from language.intake.options import Form
from tests.unit.language.intake.foreign.support import fixture, quoted, refusal
from tests.unit.language.intake.support import noted, read, said


def test_whatsapp_of_a_phone_with_brackets() -> None:
    reading = read(fixture("chat_log.whatsapp.txt"), timezone="Europe/Berlin")
    assert reading.form is Form.CHAT_LOG
    assert said(reading) == [
        ("participant", "Team", "Messages and calls are end-to-end encrypted."),
        ("participant", "Mara Lindt", "We meet at 18:30.\nBring the plan: all of it."),
        ("participant", "Ben", "image omitted"),
        ("participant", "Ben", "Done."),
    ]
    assert quoted(reading, 1) == [("document", "Messages and calls are end-to-end encrypted.")]
    assert quoted(reading, 3) == [("document", "image omitted")]
    second = reading.conversation.turn(2).said_at
    assert second is not None
    assert second.isoformat() == "2026-04-03T08:43:12+00:00"


def test_whatsapp_with_month_first_and_half_days() -> None:
    reading = read(fixture("chat_log.android.txt"), timezone="UTC")
    assert said(reading) == [("participant", "Mara", "Is it Friday?"), ("participant", "Ben", "It is.")]
    times = [turn.said_at.isoformat() for turn in reading.conversation.turns if turn.said_at]
    assert times == ["2026-03-14T21:02:00+00:00", "2026-03-15T00:05:00+00:00"]
    assert "2 lines of notices (who joined, encryption, topics) were left out" in noted(reading)


def test_dates_that_fit_both_orders_are_left_out_and_told() -> None:
    reading = read("3/4/26, 09:00 - Mara: a\n3/4/26, 09:01 - Ben: <Media omitted>\nand why", timezone="UTC")
    assert [turn.said_at for turn in reading.conversation.turns] == [None, None]
    assert "the dates do not say whether day or month comes first" in noted(reading)
    assert quoted(reading, 2) == [("document", "<Media omitted>")]


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["2026/03/04"], YEAR_FIRST),
        (["03.04.26"], DAY_FIRST),
        (["03/04/26", "13/04/26"], DAY_FIRST),
        (["3/4/26", "3/14/26"], MONTH_FIRST),
        (["30/01/26", "01/02/26"], DAY_FIRST),
        (["05/01/26", "06/01/26", "01/02/26"], DAY_FIRST),
        (["03/04/26"], None),
        (["13/14/26"], None),
        ([], None),
    ],
)
def test_the_order_of_day_and_month(dates: list[str], order: object) -> None:
    assert day_order(dates) == order


@pytest.mark.parametrize(
    ("name", "speakers"),
    [
        ("chat_log.irc.txt", ["mara", "ben", "mara"]),
        ("chat_log.zoom.txt", ["Mara Lindt", "Ben", "Mara Lindt"]),
        ("chat_log.names.txt", ["Mara Lindt", "Ben Ode", "Mara Lindt"]),
    ],
)
def test_other_styles(name: str, speakers: list[str]) -> None:
    reading = read(fixture(name))
    assert [speaker for _, speaker, _ in said(reading)] == speakers
    assert "3 timestamps have a time but no date and were left out" in noted(reading)


def test_an_irc_log_with_dates_has_times() -> None:
    reading = read("[2026-03-01T10:43:00Z] <mara> port?\n[2026-03-01T10:44:00Z] <ben> 8443\nand no other")
    first = reading.conversation.turn(1).said_at
    assert first is not None
    assert first.isoformat() == "2026-03-01T10:43:00+00:00"
    assert said(reading)[1] == ("participant", "ben", "8443\nand no other")


@pytest.mark.parametrize(
    "text",
    [
        "Mara: at 10:43\nBen: yes\n",
        "[10:43] Mara: hi\n[10:44] Ben: ho\n",
        "Doors open  18:30\nand close  20:00\n",
        "Agenda  10:00\nwe talk\n\nDate  11:00\nwe go\n",
        "just prose\n3/4/26, 09:00 - Mara: hi\n3/4/26, 09:01 - Ben: ho\n",
        "<html> <b> no\n",
    ],
    ids=["transcript", "stamped", "prose", "sections", "not first", "markup"],
)
def test_what_is_no_log(text: str) -> None:
    assert chat_log.FORM.recognise(Material(text.encode(), "x.txt")) is None


def test_cues_of_one_speaker_are_one_turn() -> None:
    reading = read(fixture("subtitles.vtt"), "subtitles.vtt")
    assert reading.form is Form.SUBTITLES
    assert said(reading) == [
        ("participant", "Mara Lindt", "We ship on\nThursday & not before."), ("participant", "Ben", "Why not today?"),
    ]  # fmt: skip
    numbered = read(fixture("subtitles.srt"), "subtitles.srt")
    assert said(numbered) == [
        ("participant", "Mara", "The budget is 900.\nNot more."), ("participant", "Ben", "Note: 900 a month?"),
    ]  # fmt: skip


def test_two_voices_in_one_cue_and_words_before_the_first() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n(music)\n\n"
    text += "00:02.000 --> 00:03.000\n<v Mara>Yes.</v> <v Ben>No.\n>> MARA: Oh.\n"
    reading = read(text, "x.vtt")
    assert [(speaker, content) for _, speaker, content in said(reading)] == [
        ("Mara", "Yes."),
        ("Ben", "No."),
        ("MARA", "Oh."),
    ]
    assert "1 subtitles before the first speaker were left out" in noted(reading)


def test_subtitles_without_speakers_are_refused_with_what_helps() -> None:
    assert "does not say who speaks: export it with speakers" in refusal("WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n")
    assert "does not say who speaks" in refusal("WEBVTT\n")
    assert subtitles.FORM.recognise(Material(b"WEBVTTX\n", "x.vtt")) is None


def test_a_forced_form_says_what_is_missing() -> None:
    assert "is no log: its first line names nobody" in refusal("only prose", form=Form.CHAT_LOG)
    notices = "3/4/26, 09:00 - Mara joined\n3/4/26, 09:01 - Ben joined\n"
    assert "has none of the forms that are read" in refusal(notices)


@pytest.mark.parametrize(
    "line", ["3/4/26, 09:00" + " " * 60_000, "Mara" + " " * 60_000 + "x", "10:43:12 From" + "\t" * 60_000]
)
def test_lines_of_blanks_take_no_time_that_grows_with_their_square(line: str) -> None:
    assert chat_log.FORM.recognise(Material(line.encode(), "x.txt")) is None
