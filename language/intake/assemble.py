"""From a draft to a conversation: limits, secrets, quoted spans, identity, language."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from dissolution.conversation import Conversation, KnownSecret, Language, QuotedSpan, Redaction, Role, Turn
from dissolution.errors import InvalidConversation
from dissolution.recognising import Recogniser
from language.detection import UNDETERMINED, detect_language
from language.intake.drafts import PART_BREAK, Draft, DraftTurn
from language.intake.quoted import quoted_spans, without_overlap
from language.intake.shown import shown
from language.recognised import replace_recognised
from language.secrets.known import KnownSecrets
from language.secrets.replacing import replace_secrets

_MAX_NAME = 200
_LANGUAGE_SAMPLE = 200_000
_WORKS_IN = "en"


class Assembler:
    """Makes one conversation; holds what its turns share."""

    def __init__(
        self,
        *,
        key: bytes,
        max_turn_chars: int,
        recorded_at: datetime,
        recognisers: Sequence[Recogniser] = (),
        known: Sequence[KnownSecret] = (),
    ) -> None:
        self._key = key
        self._recognisers = recognisers
        self._max_turn_chars = max_turn_chars
        self._recorded_at = recorded_at
        self._known = KnownSecrets(known)
        self._redactions: dict[Redaction, None] = {}
        self._replaced: Counter[str] = Counter()

    def conversation(self, draft: Draft, identifier: str) -> tuple[Conversation, tuple[str, ...]]:
        """The conversation and its warnings. Raises InvalidConversation; nothing is returned by halves."""
        name = self._checked_id(identifier)
        if not draft.turns:
            raise InvalidConversation(f"conversation {shown(name)} has no turns", "give at least one turn")
        turns = tuple(self._turn(number, turn) for number, turn in enumerate(draft.turns, start=1))
        title = None if draft.title is None else self._clean(draft.title, "the title")
        language = detect_language(_speech(turns))
        made = Conversation(
            id=name,
            title=title,
            turns=turns,
            language=language,
            redactions=tuple(self._redactions),
            known=self._known.new,
        )
        return made, (*draft.warnings, *self._told(), *_told_language(language))

    def _checked_id(self, identifier: str) -> str:
        name = identifier.strip()
        if not name:
            raise InvalidConversation("the conversation has no id", "give one with --conversation")
        if len(name) > _MAX_NAME:
            raise InvalidConversation(
                f"the id {shown(name)} has {len(name)} characters", f"use at most {_MAX_NAME}; see --conversation"
            )
        if not name.isprintable():
            raise InvalidConversation(
                f"the id {shown(name)} holds control characters", "give another with --conversation"
            )
        found = replace_secrets(name, key=self._key).found
        if found:
            raise InvalidConversation(f"the id holds a secret ({found[0][0]})", "give another with --conversation")
        return name

    def _turn(self, number: int, draft: DraftTurn) -> Turn:
        self._known.turn = number
        length = sum(len(part.text) for part in draft.parts)
        if length > self._max_turn_chars:
            raise InvalidConversation(
                f"{draft.place} has {length:,} characters",
                f"the limit is {self._max_turn_chars:,}; leave out what was pasted by mistake",
            )
        texts: list[str] = []
        spans: list[QuotedSpan] = []
        position = 0
        for part in draft.parts:
            text = self._clean(part.text, draft.place, number)
            if part.kind is None:
                own = quoted_spans(text, draft.role)
            else:
                own = (QuotedSpan(start=0, end=len(text), kind=part.kind),)
            spans += (QuotedSpan(start=s.start + position, end=s.end + position, kind=s.kind) for s in own)
            texts.append(text)
            position += len(text) + len(PART_BREAK)
        content = PART_BREAK.join(texts)
        if not content.strip():
            raise InvalidConversation(f"{draft.place} is empty", "give it content or leave it out")
        return Turn(
            number=number,
            role=draft.role,
            speaker=self._speaker(draft, number),
            content=content,
            said_at=draft.said_at,
            recorded_at=self._recorded_at,
            quoted=without_overlap(((s.start, s.end, s.kind) for s in spans), content),
        )

    def _speaker(self, draft: DraftTurn, number: int) -> str:
        speaker = self._clean(draft.speaker, f"{draft.place}: the speaker's name", number)
        if len(speaker) > _MAX_NAME:
            raise InvalidConversation(
                f"{draft.place}: the speaker's name {shown(speaker)} has {len(speaker)} characters",
                f"use at most {_MAX_NAME}",
            )
        return speaker

    def _clean(self, text: str, place: str, number: int | None = None) -> str:
        """The text without secrets; refuses what no database or wire can carry."""
        at = text.find("\0")
        if at >= 0:
            raise InvalidConversation(f"{place} holds a NUL character at position {at}", "remove it")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidConversation(
                f"{place} holds a lone surrogate (\\u{ord(text[error.start]):04x}) at position {error.start}",
                "an emoji was cut in two; restore or remove it",
            ) from None
        redacted = replace_secrets(text, key=self._key, known=self._known)
        more = replace_recognised(redacted.text, self._recognisers, key=self._key)
        for kind, placeholder in (*redacted.found, *more.found):
            self._replaced[kind] += 1
            if number is not None:
                self._redactions[Redaction(turn=number, kind=kind, placeholder=placeholder)] = None
        return more.text

    def _told(self) -> tuple[str, ...]:
        if not self._replaced:
            return ()
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self._replaced.items()))
        return (f"{self._replaced.total()} secrets were replaced by placeholders ({kinds})",)


def _speech(turns: tuple[Turn, ...]) -> str:
    """What was said, without quoted material and tool turns, sampled to 200,000 characters."""
    pieces: list[str] = []
    for turn in turns:
        if turn.role is Role.TOOL:
            continue
        position = 0
        for span in turn.quoted:
            pieces.append(turn.content[position : span.start])
            position = span.end
        pieces.append(turn.content[position:])
    said = "\n".join(pieces)
    if len(said) <= _LANGUAGE_SAMPLE:
        return said
    step = len(said) // _LANGUAGE_SAMPLE + 1
    return "".join(said[i : i + 1000] for i in range(0, len(said), 1000 * step))


def _told_language(language: Language) -> tuple[str, ...]:
    if language.code in {_WORKS_IN, UNDETERMINED}:
        return ()
    told = f"the conversation is mostly in language {language.code!r}, not English"
    return (f"{told}: guards, hedges and the linguistic signature know English only",)
