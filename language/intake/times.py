"""Timestamps of turns: aware instants, or none. A time without a zone is never guessed."""

from collections import Counter
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from dissolution.errors import InvalidConversation
from language.intake.shown import shown


def zone_of(name: str | None) -> tzinfo | None:
    """The time zone of this IANA name; None for None. Raises InvalidConversation when nobody knows it."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError) as error:  # ZoneInfoNotFoundError is a KeyError; odd names give the others
        raise InvalidConversation(
            f"time zone {shown(name)} is unknown", "give an IANA name such as Europe/Berlin or UTC"
        ) from error


class Stamps:
    """Reads timestamps, and counts those that had to be left out."""

    def __init__(self, timezone: str | None) -> None:
        self._zone = zone_of(timezone)
        self._left_out: Counter[str] = Counter()

    def read(self, value: object, place: str) -> datetime | None:
        """The instant in UTC of an ISO 8601 text; None for None, and for one without a zone when no zone is set.

        Raises:
            InvalidConversation: Not a text, or not ISO 8601; the message names the place.
        """
        if value is None:
            return None
        if not isinstance(value, str):
            raise InvalidConversation(
                f"{place}: said_at is {shown(value)}", "write it as ISO 8601 text or leave it out"
            )
        try:
            instant = datetime.fromisoformat(value.strip())
        except ValueError:
            raise InvalidConversation(
                f"{place}: said_at {shown(value)} is not a time", "write it as in 2026-03-01T10:43:00Z"
            ) from None
        return self._placed(instant, place)

    def leniently(self, value: object) -> datetime | None:
        """The instant of an ISO 8601 text or of seconds since 1970; what is neither is left out, and counted.

        For files of other programs, whose user cannot correct their times.
        """
        try:
            if isinstance(value, int | float) and not isinstance(value, bool):
                return datetime.fromtimestamp(value, UTC)
            return self.read(value, "a message")
        except (InvalidConversation, ValueError, OverflowError, OSError):
            self._left_out["unreadable"] += 1
            return None

    def _placed(self, instant: datetime, place: str) -> datetime | None:
        if instant.tzinfo is None:
            if self._zone is None:
                self._left_out["zone"] += 1
                return None
            instant = instant.replace(tzinfo=self._zone)
        try:
            return instant.astimezone(UTC)
        except OverflowError:
            raise InvalidConversation(
                f"{place}: said_at {instant.isoformat()} lies outside the calendar", "correct it or leave it out"
            ) from None

    def time_of_day(self) -> None:
        """Note a time without a date: it places nothing and is left out."""
        self._left_out["date"] += 1

    def warnings(self) -> tuple[str, ...]:
        """One sentence per reason for which timestamps were left out."""
        told: list[str] = []
        if self._left_out["zone"]:
            told.append(f"{self._left_out['zone']} timestamps name no time zone and were left out; give --timezone")
        if self._left_out["date"]:
            told.append(f"{self._left_out['date']} timestamps have a time but no date and were left out")
        if self._left_out["unreadable"]:
            told.append(f"{self._left_out['unreadable']} timestamps are no times and were left out")
        return tuple(told)
