"""One answer hardly says the same thing twice: claims of one member are kept apart when claims are grouped.

Of the labelled pairs that mean the same, one in two thousand comes from a single answer, and of the near pairs of a
single answer hardly any mean the same: a writer who says two alike things one after the other tells them apart.
Knowing that, the threshold between claims of different members can be wider.
"""

from collections.abc import Sequence

import numpy as np

from consensus.cluster import Grouping, Groups
from consensus.vectors import BoolMatrix, Matrix

RESTATED = 0.10
"""Joint distance (0..1) up to which two claims of one member may be one all the same: it repeated itself."""


class OneVoice:
    """A grouping method under which no group holds two claims of one member, but for repetitions.

    Args:
        inner: The method.
        members: Who said each row.
    """

    def __init__(self, inner: Grouping, members: Sequence[str]) -> None:
        self._inner = inner
        said = np.array(list(members), dtype=object)
        self._same = np.asarray(said[:, None] == said[None, :], dtype=np.bool_).reshape(len(said), len(said))

    @property
    def name(self) -> str:
        """The inner method's, and that it hears each member once."""
        return f"{self._inner.name} one-voice"

    def group(self, distances: Matrix, cannot_link: BoolMatrix) -> Groups:
        """See Grouping.group. Raises ValueError when there are not as many rows as members."""
        if distances.shape != self._same.shape:
            message = f"{len(self._same)} members for {len(distances)} rows; give one member a row"
            raise ValueError(message)
        return self._inner.group(distances, cannot_link | (self._same & (distances > RESTATED)))
