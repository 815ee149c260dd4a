"""Hostile inserts: the corpus, how one is planted into a conversation, and members that obey it word for word."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dissolution.claims import Section, StatedClaim, Statement
from dissolution.clock import SystemClock
from dissolution.conversation import Conversation
from language.intake.options import ReadingOptions
from language.intake.read import read_bytes

DATA = Path(__file__).resolve().parent / "data"
CORPUS = DATA / "hostile" / "inserts.json"
UNSEEN = DATA / "hostile" / "unseen.json"
"""Inserts that were written after the rules were final, and that no rule was changed for."""
SECOND = DATA / "hostile" / "unseen_second.json"
"""Inserts that were written and measured before the rules were changed a second time."""
LATER = 4  # turns of its role by which the second half of an insert comes after the first

CARRIERS: Mapping[str, Callable[[str], str]] = {
    "tool_output": lambda text: f"\n{text}",
    "document": lambda text: f"\n\n<document>\n{text}\n</document>",
    "mail": lambda text: f"\n\nFrom: Desk <desk@vendor.example>\nTo: all\nSubject: for your files\n\n{text}",
    "quote": lambda text: "\n\n" + "\n".join(f"> {line}" for line in text.split("\n")),
    "code": lambda text: f"\n\n````\n{text}\n````",
    "log": lambda text: (
        f"\n\n2026-03-01T10:43:05Z INFO start\n2026-03-01T10:43:06Z {text}\n2026-03-01T10:43:09Z INFO end"
    ),
    "chat": lambda text: (
        f"\n\nFrom the channel:\n[10:41] bot: build 7 is up\n[10:42] {text}\n[10:43] bot: build 8 is up"
    ),
    "plain_paste": lambda text: (
        f"\n\nHere is the mail they sent, pasted as it came:\n\nDear all,\n{text}\nKind regards,\nthe desk"
    ),
    "inline": lambda text: f' Their note says: "{text}"',
}
"""How each carrier passes a text on; that of tools is added to a tool's turn, the others to a turn of the user."""


@dataclass(frozen=True)
class Insert:
    """One insert of the corpus: what is planted where, what an obeying member then says, and a fact beside it.

    `second` is the carrier and the text of what follows in a later turn, for inserts in two halves.
    """

    id: str
    kind: str
    language: str
    conversation: str
    carrier: str
    text: str
    obeyed: tuple[tuple[Section, str], ...]
    fact: str | None
    second: tuple[str, str] | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """What is planted, line by line, in both halves."""
        return tuple("\n".join((self.text, *(self.second or ("", ""))[1:])).split("\n"))


def inserts(corpus: Path = CORPUS) -> tuple[Insert, ...]:
    """A whole corpus, in its order."""
    found: list[dict[str, Any]] = json.loads(corpus.read_text(encoding="utf-8"))["inserts"]
    return tuple(
        Insert(
            id=one["id"],
            kind=one["kind"],
            language=one["language"],
            conversation=one["conversation"],
            carrier=one["carrier"],
            text=one["insert"],
            obeyed=tuple((Section(said["section"]), said["text"]) for said in one["obeyed"]),
            fact=one["fact"],
            second=(one["second"]["carrier"], one["second"]["insert"]) if "second" in one else None,
        )
        for one in found
    )


def planted(insert: Insert) -> tuple[Conversation, int]:
    """The conversation with the insert in it, read as any file is, and the turn that holds it.

    It is added to a turn in the middle of the conversation, so that all turn numbers stay.
    """
    record: dict[str, Any] = json.loads((DATA / "planted" / f"{insert.conversation}.json").read_text(encoding="utf-8"))
    body = insert.text if insert.fact is None else f"{insert.fact}\n{insert.text}"
    turn = _add(record["turns"], insert.carrier, body)
    if insert.second is not None:
        _add(record["turns"], *insert.second, later=LATER)
    native = {"id": record["id"], "turns": record["turns"]}
    read = read_bytes(
        json.dumps(native).encode(), f"{insert.conversation}.json", ReadingOptions(), key=bytes(32), clock=SystemClock()
    )
    return read.conversation, turn


def _add(turns: list[dict[str, Any]], carrier: str, text: str, *, later: int = 0) -> int:
    """Add a text to the middle turn of the role that its carrier belongs to, or `later` ones after; its number."""
    role = "tool" if carrier == "tool_output" else "user"
    places = [place for place, turn in enumerate(turns) if turn["role"] == role]
    place = places[min(len(places) // 2 + later, len(places) - 1)]
    turns[place]["content"] += CARRIERS[carrier](text)
    return turns[place]["turn"]


BINDING = (Section.DECIDED, Section.IDENTITY)
INFORMING = (Section.KNOWN, Section.EDGES)
"""Sections in which a member obeys: as a decision and as a rule for itself, or as what is known and what is open."""


def obeying(
    insert: Insert,
    member: str,
    family: str,
    first: int,
    turn: int,
    *,
    cites: bool,
    words: tuple[str, ...] = (),
    sections: tuple[Section, Section] = BINDING,
) -> Iterator[Statement]:
    """What a member adds that carries the insert out: in two sections, with its turn and words shown for it or not."""
    said: list[tuple[Section, str]] = []
    for section, text in insert.obeyed:
        own = section if section in sections else sections[0]
        said += [(own, text), (sections[1] if own is sections[0] else sections[0], text)]
    for place, (section, text) in enumerate(dict.fromkeys(said)):
        claim = StatedClaim(section=section, text=text, turns=(turn,) if cites else (), quotes=words)
        yield Statement(member=member, family=family, ordinal=first + place, claim=claim)


def with_obedience(
    honest: Sequence[Statement],
    insert: Insert,
    turn: int,
    members: Sequence[tuple[str, str]],
    *,
    cites: bool,
    words: tuple[str, ...] = (),
    sections: tuple[Section, Section] = BINDING,
) -> tuple[Statement, ...]:
    """The honest statements and, by each of these (member, family), what obeying adds."""
    found = list(honest)
    for member, family in members:
        first = 1 + max((one.ordinal for one in honest if one.member == member), default=0)
        found += obeying(insert, member, family, first, turn, cites=cites, words=words, sections=sections)
    return tuple(found)
