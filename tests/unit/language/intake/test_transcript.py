import itertools

import pytest

from dissolution.errors import InvalidConversation
from language.intake.options import Form
from tests.unit.language.intake.support import noted, read, said


def spoken(text: str) -> list[tuple[str, str]]:
    reading = read(text, "talk.txt")
    assert reading.form is Form.TRANSCRIPT
    return [(speaker, content) for _, speaker, content in said(reading)]


def test_turns_of_several_lines_keep_their_inner_blank_lines() -> None:
    assert spoken("User: one\ntwo\n\nthree\n\nAssistant:\nfour\n") == [
        ("User", "one\ntwo\n\nthree"),
        ("Assistant", "four"),
    ]


def test_windows_line_ends_and_bold_names() -> None:
    assert spoken("**User:** hi\r\n\r\n**Assistant**: yo\r\n") == [("User", "hi"), ("Assistant", "yo")]


COLONS: list[str] = [
    "Note: see below",
    "Error: it failed",
    "ValueError: bad",
    "http://example.com/a",
    "https://x.example: down",
    "host: db1\nhost: db2",
    "TODO: test",
    "Step 2: build it",
    "Subject: hello all of you",
    "12:30 is the time: noon",
    "```\nUser: not a turn\n```",
    "  User: indented",
    "> User: quoted",
    "Traceback (most recent call last):",
    "Region: eu-west-1",
    "a sentence that ends in a colon: like this",
    "- Plan: go",
    "Caution: hot",
]
STYLES: list[str] = ["User: {}\nAssistant: fine then\nUser: ok", "Mara: {}\nBen: fine then\nMara: ok\nBen: all right"]


def stays_inside(line: str, style: str) -> bool:
    """Whether a line is part of the turn it stands in, and the other turns are as many as were written."""
    turns = spoken(style.format(f"look\n{line}"))
    return turns[0][1] == f"look\n{line}" and len(turns) == style.count("\n") + 1


def test_a_colon_inside_a_turn_makes_no_speaker() -> None:
    assert [pair for pair in itertools.product(COLONS, STYLES) if not stays_inside(*pair)] == []


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Alice: Hi Bob.\nBob: Hello there.", ["Alice", "Bob"]),
        ("alice: hi\nbob: what is up today\nalice: fine\nbob: good to hear", ["alice", "bob", "alice", "bob"]),
        ("Dr. Smith: hello\nJane Doe (CTO): hi there\nDr. Smith: so", ["Dr. Smith", "Jane Doe (CTO)", "Dr. Smith"]),
        ("Speaker 1: a\nSpeaker 2: b", ["Speaker 1", "Speaker 2"]),
        ("Zoë: hallo zusammen\nJosé Núñez: guten Tag auch", ["Zoë", "José Núñez"]),
        ("Mara: we need Region\nRegion: eu-west-1\nRetries: 5\nMara: ok", ["Mara", "Mara"]),
    ],
)
def test_names_are_speakers(text: str, speakers: list[str]) -> None:
    assert [speaker for speaker, _ in spoken(text)] == speakers


def test_known_names_have_roles_and_others_take_part() -> None:
    roles = [role for role, *_ in said(read("Human: a\nAI: b\nSystem: c\nTool: d\nMara: e f\nMara: g h i j"))]

    assert roles == ["user", "assistant", "system", "tool", "participant", "participant"]


@pytest.mark.parametrize(
    ("text", "timezone", "instants", "warnings"),
    [
        ("2026-03-01T10:43:00Z Mara: hi", None, ["2026-03-01T10:43:00+00:00"], 0),
        ("[2026-03-01 10:43:05,250 +02:00] Mara: hi", None, ["2026-03-01T08:43:05.250000+00:00"], 0),
        ("2026-03-01 10:43 Mara: hi", "Europe/Berlin", ["2026-03-01T09:43:00+00:00"], 0),
        ("2026-03-01 10:43 Mara: hi", None, [None], 1),
        ("[10:43] Mara: hi\n[10:44] Ben: yes", "UTC", [None, None], 1),
    ],
)
def test_timestamps(text: str, timezone: str | None, instants: list[str | None], warnings: int) -> None:
    reading = read(text, timezone=timezone)

    assert [t.said_at.isoformat() if t.said_at else None for t in reading.conversation.turns] == instants
    assert len(noted(reading)) == warnings
    assert all(word not in t.content for t in reading.conversation.turns for word in ("10:", "2026"))


def test_times_without_a_date_are_counted() -> None:
    assert noted(read("[10:43] Mara: hi\n[10:44] Ben: yes")) == (
        "2 timestamps have a time but no date and were left out",
    )


def test_a_time_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidConversation, match=r"turn 1 \(line 1\).*'2026-13-01T10:43'"):
        read("2026-13-01T10:43 Mara: hi")


def test_a_leading_heading_is_the_title_and_other_text_before_the_first_speaker_is_refused() -> None:
    assert read("# Kick-off\n\nMara: hi there").conversation.title == "Kick-off"
    for form in (None, Form.TRANSCRIPT):
        with pytest.raises(InvalidConversation):
            read("Meeting of 3 March\nMara: hi there", form=form)


JAPANESE = "田中: 来週の木曜日に出荷します。\n佐藤: わかりました。準備します。"
CHINESE = "张伟：我们周四发布新版本。\n注意：日志还没写。\n李娜：好的，我来写日志。\n张伟：谢谢。"
ARABIC = "أحمد: متى نطلق النسخة؟\nسارة: يوم الخميس القادم.\nأحمد: حسنا.\nسارة: سأكتب الملاحظات."
HEBREW = "דנה: מתי משיקים?\nיוסי: ביום חמישי הבא.\nהערה: הקובץ חסר עדיין.\nדנה: בסדר גמור."
KOREAN = "김민수: 언제 출시하나요?\n이영희: 다음 주 목요일입니다.\n김민수: 네."
CYRILLIC = "Анна: Когда выпускаем?\nИван: В четверг на следующей неделе.\nПримечание: списка пока нет.\nАнна: Хорошо."
HINDI = "प्रिया: हम कब जारी करेंगे?\nराहुल: अगले गुरुवार को।\nप्रिया: ठीक है।"
THAI = "สมชาย: เราจะปล่อยเมื่อไหร่\nมาลี: วันพฤหัสบดีหน้าค่ะ"
GEORGIAN = "ნინო: როდის ვუშვებთ ვერსიას?\nგიორგი: შემდეგ ხუთშაბათს."


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        (JAPANESE, ["田中", "佐藤"]),
        (JAPANESE.replace(": ", "："), ["田中", "佐藤"]),
        (JAPANESE.replace(": ", ":"), ["田中", "佐藤"]),
        (JAPANESE.replace(": ", "：\u3000"), ["田中", "佐藤"]),
        ("田中　太郎：明日出します。\nジョン・スミス：了解しました。", ["田中　太郎", "ジョン・スミス"]),
        ("田中（営業）：明日出します。\n佐藤（開発）：了解しました。", ["田中（営業）", "佐藤（開発）"]),
        ("**田中**：明日出します。\n**佐藤：** 了解しました。", ["田中", "佐藤"]),
        ("【田中】：明日出します。\n【佐藤】：了解しました。", ["田中", "佐藤"]),
        (CHINESE, ["张伟", "李娜", "张伟"]),
        (ARABIC, ["أحمد", "سارة", "أحمد", "سارة"]),
        ("\u200f" + ARABIC.replace("\n", "\n\u200f"), ["أحمد", "سارة", "أحمد", "سارة"]),
        (HEBREW, ["דנה", "יוסי", "דנה"]),
        (KOREAN, ["김민수", "이영희", "김민수"]),
        (CYRILLIC, ["Анна", "Иван", "Анна"]),
        (HINDI, ["प्रिया", "राहुल", "प्रिया"]),
        (THAI, ["สมชาย", "มาลี"]),
        (GEORGIAN, ["ნინო", "გიორგი"]),
        ("问：什么时候发布？\n答：周四。", ["问", "答"]),
        ("Tanaka：We ship on Thursday.\nSato：Good, I will prepare.", ["Tanaka", "Sato"]),
    ],
)
def test_names_are_speakers_in_any_script(text: str, speakers: list[str]) -> None:
    reading = read(text, "talk.txt")

    assert [turn.speaker for turn in reading.conversation.turns] == speakers
    assert [warning for warning in reading.warnings if "opening of a turn" in warning] == []
    assert all(turn.content[0] not in ":：\u3000 " for turn in reading.conversation.turns)


def test_roles_are_known_in_other_languages() -> None:
    assert [role for role, *_ in said(read("用户：什么时候发布？\n助手：周四。"))] == ["user", "assistant"]
    assert [role for role, *_ in said(read("Пользователь: когда?\nАссистент: в четверг."))] == ["user", "assistant"]


@pytest.mark.parametrize(
    "line",
    ["注意：日志还没写完。", "李娜说：好的，我来写。", "主机：一号\n主机：二号",
     "我们昨天在会议上讨论的全部事项如下：发布和日志",
     "时间：周四下午三点",
     "10：30 开始", "https：//example.com", "数据:error 404", "；张三；好的", "Мара:да", "**User:**hi"],
)  # fmt: skip
def test_a_colon_inside_a_turn_of_chinese_makes_no_speaker(line: str) -> None:
    text = f"张伟：请看一下。\n{line}\n李娜：好的，我看看。\n张伟：谢谢大家。"

    assert [speaker for speaker, _ in spoken(text)] == ["张伟", "李娜", "张伟"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("User: hi\nRetries: five at most\nAssistant: yes", "text: 1, such as line 2 ('Retries')"),
        ("alice: hi\nbob: what is up", "text: 1, such as line 2 ('bob')"),
        ("Mara: all fine?\nBen: yes\nMara: sure?\nBen: yes", "text: 2, such as line 2 ('Ben')"),
        ("[10:43] Mara: hi\nBen: I am here too", "text: 1, such as line 2 ('Ben')"),
        ("Mara: hi\n[Ben]: hello over there", "text: 1, such as line 2 ('Ben')"),
        ("用户：请看。\n张三：我也在这里。", "text: 1, such as line 2 ('张三')"),
        (
            "Mara: hi\n" + "\n".join(f"Person{i}x: hello to you" for i in range(7)),
            "text: 7, such as line 2 ('Person0x')",
        ),
    ],
)
def test_lines_that_may_be_lost_turns_are_told(text: str, told: str) -> None:
    warnings = noted(read(text))

    assert f"lines that look like the opening of a turn but were read as {told}" in warnings


@pytest.mark.parametrize(
    "line",
    ["Note: see below", "Region: eu-west-1", "Ruled out: all of it", "host: db1\nhost: db2", "https://x.example: a b"],
)
def test_ordinary_lines_are_not_told(line: str) -> None:
    assert noted(read(f"User: look\n{line}\nAssistant: fine then")) == ()


def test_a_secret_in_a_label_is_not_told() -> None:
    secret = "sk-" + "ant-api03-" + "a1B2" * 8
    warnings = noted(read(f"User: hi\nX {secret}: five at most\nAssistant: yes"))

    assert secret not in str(warnings)


def test_names_in_brackets_are_speakers_when_the_first_one_is() -> None:
    assert spoken("[User]: hi\n[Assistant]: hello\n[Note]: text\n[docs]: https://x.example/a b\nbye") == [
        ("User", "hi"),
        ("Assistant", "hello\n[Note]: text\n[docs]: https://x.example/a b\nbye"),
    ]
    assert [name for name, _ in spoken("[Mara]: hi all\n[Ben]: hi you\n[1]: https://x.example")] == ["Mara", "Ben"]
    assert [name for name, _ in spoken("Mara: see\n[Mara]: is no turn\nBen: I see it")] == ["Mara", "Ben"]


def test_a_time_after_the_name_is_a_time_when_the_first_turn_has_one() -> None:
    reading = read("Mara (10:43): hi\nBen [10:44]: yes\nLunch at noon (12:30): no name\nMara (2026-03-01T10:45Z): so")

    assert [(turn.speaker, turn.content) for turn in reading.conversation.turns] == [
        ("Mara", "hi"),
        ("Ben", "yes\nLunch at noon (12:30): no name"),
        ("Mara", "so"),
    ]
    assert noted(reading) == ("2 timestamps have a time but no date and were left out",)
    said_at = reading.conversation.turns[2].said_at
    assert said_at is not None
    assert said_at.isoformat() == "2026-03-01T10:45:00+00:00"
    wide = read("田中（10：43）：明日出します。\n佐藤（10：44）：了解しました。")
    assert [turn.speaker for turn in wide.conversation.turns] == ["田中", "佐藤"]
    assert noted(wide)[0] == "2 timestamps have a time but no date and were left out"
    assert spoken("User: plan?\nLunch (12:30): pizza\nAssistant: ok") == [
        ("User", "plan?\nLunch (12:30): pizza"),
        ("Assistant", "ok"),
    ]


def test_trailing_spaces_of_a_first_line_stay() -> None:
    assert spoken("User: one  \ntwo") == [("User", "one  \ntwo")]


@pytest.mark.parametrize(
    ("before", "piece"), [("", "a "), ("", "田"), ("[", "A"), ("", "A ("), ("", "\u200f"), ("", "\u0301")]
)
def test_hostile_lines_are_read_as_what_somebody_says(before: str, piece: str) -> None:
    """A pattern that tried every beginning against every end would not come back from these."""
    assert len(spoken(f"User: hi\n{before}{piece * 60_000}")) == 1
