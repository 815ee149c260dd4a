"""Which stretches may matter to a claim, found without reading all of them: a job asks hundreds of times.

Every answer may hold too many stretches, never too few: whoever asks still looks closely at what is found.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from consensus.lexical import root
from consensus.profile import Figure, Profile


@lru_cache(maxsize=4096)  # each claim meets many stretches
def roots(profile: Profile) -> frozenset[str]:
    """Roots of a text's terms, figures left out: what it is about."""
    return frozenset(root(term) for term in profile.terms if not term[0].isdigit())


class Lookup:
    """The stretches of one snapshot by what they say.

    Args:
        profiles: The stretches.
        holding: Rows of the stretches that hold a figure, by the forms it may be found by.
    """

    def __init__(self, profiles: Sequence[Profile], holding: Mapping[str, Sequence[int]]) -> None:
        self._profiles = profiles
        self._holding = holding
        self._worded: dict[re.Pattern[str], frozenset[int]] = {}
        self._by_root: dict[str, list[int]] = {}
        for row, profile in enumerate(profiles):
            for found in roots(profile):
                self._by_root.setdefault(found, []).append(row)

    def worded(self, *patterns: re.Pattern[str]) -> frozenset[int]:
        """Rows of the stretches in which one of `patterns` is found; each pattern is looked for once."""
        for pattern in patterns:
            if pattern not in self._worded:
                rows = (row for row, profile in enumerate(self._profiles) if pattern.search(profile.text))
                self._worded[pattern] = frozenset(rows)
        return frozenset[int]().union(*(self._worded[pattern] for pattern in patterns))

    def with_figure(self, marks: Iterable[Figure]) -> set[int]:
        """Rows of the stretches that have one of these figures, written this way or another, or one near it."""
        return {row for mark in marks for form in mark.wants for row in self._holding.get(form, ())}

    def sharing(self, wanted: frozenset[str], least: float) -> set[int]:
        """Rows of the stretches with at least `least` of the roots in `wanted`; `least` is 1 or more."""
        counts: dict[int, int] = {}
        for one in wanted:
            for row in self._by_root.get(one, ()):
                counts[row] = counts.get(row, 0) + 1
        return {row for row, count in counts.items() if count >= least}

    def touching(self, claim: Profile, moving: re.Pattern[str], share: float) -> set[int]:
        """Rows of the stretches that could give a value of a claim to something else, move, replace or deny it.

        They have a figure of it, share at least two of its roots and this `share` of them, or bound a symbol as it
        does; where it has figures, they may also have the wording of a move.
        """
        about, hard = roots(claim), [mark for mark in claim.marks if mark.hard]
        rows = self.with_figure(hard) | self.sharing(about, max(2, share * len(about)))
        if hard:
            rows |= self.worded(moving)
        if claim.slots:
            rows.update(row for row, profile in enumerate(self._profiles) if profile.slots)
        return rows
