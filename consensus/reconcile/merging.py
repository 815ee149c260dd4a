"""Putting together what several cycles said of one claim: statements, support and evidence only ever grow."""

from collections.abc import Iterable

from dissolution.claims import Claim, ClaimState, Dissent, Evidence, Statement, Support


def statements_of(*groups: Iterable[Statement]) -> tuple[Statement, ...]:
    """The statements of all groups in order; the same words of one member in one section count once."""
    found: dict[tuple[str, str, str], Statement] = {}
    for group in groups:
        for said in group:
            found.setdefault((said.member, said.claim.section.value, said.claim.text), said)
    return tuple(found.values())


def support_of(*items: Support) -> Support:
    """All members and families of these, each once, in alphabetical order."""
    return Support(
        members=tuple(sorted({member for item in items for member in item.members})),
        families=tuple(sorted({family for item in items for family in item.families})),
    )


def evidence_of(*groups: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """All stretches, each once, those of the first group first."""
    return tuple(dict.fromkeys(piece for group in groups for piece in group))


def newest(item: Claim | Dissent) -> int:
    """The last turn an item's evidence lies in; 0 without evidence."""
    return max((piece.turn for piece in item.evidence), default=0)


def oldest(item: Claim | Dissent) -> int:
    """The first turn an item's evidence lies in; 0 without evidence."""
    return min((piece.turn for piece in item.evidence), default=0)


def by_words(item: Claim | Dissent) -> tuple[int, str, str]:
    """Where a claim stands among others: by what it says and since when. Ids come last, as each job makes its own."""
    return oldest(item), item.text, item.id


def plain(text: str) -> str:
    """The words without case, with single spaces and no full stop: texts that are equal so are one."""
    return " ".join(text.casefold().split()).rstrip(".")


def affirmed(held: Claim, heard: Iterable[Claim | Dissent], through: int) -> Claim:
    """A held claim that this cycle's answers say again: words and id stay, support and evidence grow.

    Args:
        held: The ledger's claim.
        heard: What says it in this cycle on words of turns; what only repeats the state that was shown is left out.
        through: The snapshot's last turn.
    """
    fresh = sorted(heard, key=by_words)
    return held.model_copy(
        update={
            "evidence": evidence_of(held.evidence, *(item.evidence for item in fresh)),
            "support": support_of(held.support, *(item.support for item in fresh)),
            "statements": statements_of(held.statements, *(item.statements for item in fresh)),
            "state": ClaimState.CURRENT,
            "carried": 0,
            "affirmed": through,
        }
    )


def carried(held: Claim) -> Claim:
    """A held claim that this cycle's answers do not say, and that nothing closes."""
    return held.model_copy(update={"state": ClaimState.CARRIED, "carried": held.carried + 1})
