"""Labels before a colon: which can name a speaker, in scripts with and without letter case.

Data first: speakers whose part is plain, and heads of remarks, sections, fields and log lines that are never speakers.
Words of other languages are the commonest heads alone; what is missing there is caught by the rules of transcript.py.
"""

import re

from dissolution.conversation import Role

# Speakers whose part in a conversation with an assistant is plain. Chat exports translate exactly these labels.
_ROLE_WORDS = {
    Role.USER: "user|human|用户|用戶|ユーザー|ユーザ|사용자|المستخدم|مستخدم|משתמש|пользователь|उपयोगकर्ता",
    Role.ASSISTANT: "assistant|ai|ai assistant|bot"
    "|助手|助理|アシスタント|어시스턴트|المساعد|مساعد|עוזר|ассистент|सहायक",
    Role.SYSTEM: "system|developer|系统|系統|システム|시스템|النظام|מערכת|система",
    Role.TOOL: "tool|function|tool output|工具|ツール|도구",
}
ROLES = {word: role for role, words in _ROLE_WORDS.items() for word in words.split("|")}
# Other labels that name a speaker even when they stand once; of other languages those of interviews.
_KNOWN_WORDS = (
    "me you agent customer caller operator interviewer interviewee moderator host guest speaker participant chair "
    "client manager support facilitator narrator teacher student doctor patient q a "
    "问 問 答 记者 記者 主持人 司会 客服 顾客 질문자 진행자 "
)
_KNOWN = frozenset(_KNOWN_WORDS.split())
# Words before a colon that head a remark, a section, a field or a log line and never a speaker.
_NEVER_WORDS = (
    "note notes nb error errors warning warnings warn info debug trace fatal critical notice todo fixme hint tip "
    "tips example examples eg ie ps re fwd fw subject from to cc bcc date sent reply-to summary result results "
    "output input update edit reason question answer caution important exception traceback http https ftp file "
    "mailto ssh tel data conclusion pros cons plan goal goals status owner deadline action actions decision "
    "decisions agenda topic step option background context timeline problem solution cause fix impact risk risks "
    "root version title name id key value type description usage expected actual also however first second third "
    "finally next then so but and or if when because host port server address url path user-agent accept "
    "content-type authorization cookie location case default return one two three total subtotal price cost "
    "budget correction remember recap reminder tldr tl;dr todo's requirements today tomorrow yesterday monday "
    "tuesday wednesday thursday friday saturday sunday morning afternoon evening "
    # The commonest of these heads in Japanese, Chinese, Korean, Arabic, Hebrew, Hindi and Russian.
    "注 注意 注記 備考 補足 例 例えば 警告 エラー 件名 宛先 差出人 日時 日付 時間 場所 議題 結論 結果 理由 要約 概要 "
    "目的 質問 回答 決定 決定事項 担当 期限 予算 価格 状態 手順 "
    "备注 備註 提示 例如 比如 "
    "错误 錯誤 主题 主題 收件人 发件人 日期 时间 時間 地点 地點 议题 議題 结论 結論 结果 原因 摘要 "
    "总结 總結 目标 目標 问题 問題 回答 决定 決定 负责人 截止日期 预算 預算 价格 價格 状态 狀態 步骤 步驟 "
    "참고 주의 경고 오류 예 예시 제목 날짜 일시 시간 장소 안건 결론 결과 이유 요약 목적 결정 담당 기한 예산 가격 상태 "
    "ملاحظة ملاحظات تنبيه تحذير خطأ مثال مثلا الموضوع التاريخ الوقت المكان الخلاصة النتيجة السبب ملخص الهدف القرار "
    "הערה הערות שים אזהרה שגיאה דוגמה למשל נושא תאריך שעה מקום מסקנה תוצאה סיבה סיכום מטרה החלטה "
    "नोट ध्यान चेतावनी त्रुटि उदाहरण विषय दिनांक समय स्थान निष्कर्ष परिणाम कारण सारांश निर्णय "
    "примечание внимание предупреждение ошибка пример например тема дата время место вывод итог итого результат "
    "причина цель решение срок бюджет цена статус "
)
_NEVER = frozenset(_NEVER_WORDS.split())
_NEVER_ENDINGS = ("error", "exception", "warning", "failure")
# Endings of phrases that lead to what follows ("X says:", "as follows:", a topic particle); no name said once has one.
_LEADING_ENDINGS = ("说", "說", "道", "问", "問", "如下", "是", "包括", "は", "が", "を")
# Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_CHARS_PER_WORD = 2  # of those scripts: the usual length of a word of Chinese and Japanese
_MAX_UNSPACED = 14  # characters; longer names are not met, sentences are
_MAX_NAME_WORDS = 4
_MAX_ONCE_WORDS = 2  # without capitals a longer phrase is more often the opening of a sentence
_GEORGIAN = re.compile("[\u10d0-\u10ff]")  # lower case to Unicode, but its names take no capitals


def is_ruled_out(label: str) -> bool:
    """Whether the label heads a remark, a field or a log line and is never a speaker."""
    words = label.casefold().split()
    return words[0].rstrip(".") in _NEVER or words[-1].endswith(_NEVER_ENDINGS) or label.casefold() in _NEVER


def is_known(label: str) -> bool:
    """Whether the label names a speaker by itself: a role, or a part such as "Moderator" or "Speaker 2"."""
    words = label.casefold().split()
    numbered = len(words) == 2 and (words[1].isdigit() or len(words[1]) == 1)  # noqa: PLR2004 - "Speaker 2", "Person B"
    return label.casefold() in ROLES or (words[0] in _KNOWN and (len(words) == 1 or numbered))


def is_caseless(text: str) -> bool:
    """Whether the text begins with a letter of a script without letter case (Han, kana, Arabic, Hebrew, Hangul …)."""
    first = text[:1]
    return first.isalpha() and (
        not (first.isupper() or first.islower() or first.istitle()) or bool(_GEORGIAN.match(first))
    )


def looks_like_name(label: str) -> bool:
    """Whether the label has the shape of a name: up to four words, half of them capitalised or without letter case."""
    words = [word for word in label.split() if word[0].isalpha()]
    named = [word for word in words if word[0].isupper() or is_caseless(word)]
    short = len(words) <= _MAX_NAME_WORDS and len(_UNSPACED.findall(label)) <= _MAX_UNSPACED
    return words[0] in named and short and len(named) * 2 >= len(words)


def names_once(label: str) -> bool:
    """Whether a label that stands once can be a name; stricter where no capital tells a name from a phrase."""
    if not looks_like_name(label):
        return False
    if not is_caseless(label):
        return True
    return len(label.split()) <= _MAX_ONCE_WORDS and not label.endswith(_LEADING_ENDINGS)


def count_words(text: str) -> int:
    """Words of a text; two characters make one in scripts that put no spaces between words."""
    pieces = (len(_UNSPACED.findall(word)) for word in text.split())
    return sum(max(1, -(-unspaced // _CHARS_PER_WORD)) for unspaced in pieces)
