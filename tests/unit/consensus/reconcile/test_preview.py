"""What would close, as data."""

import json

from consensus.reconcile.preview import what_is_contested, what_would_close
from tests.factories import a_snapshot
from tests.unit.consensus.reconcile.made import a_boundary, a_cycle, held, said_by

OLD, NEW = "The cache holds 512 MB.", "The cache holds 1024 MB."


def test_closings_are_told_with_words_successor_and_reason() -> None:
    snapshot = a_snapshot(OLD, "Right.", NEW)
    found = a_cycle(held(a_snapshot(OLD), *said_by(OLD)), snapshot, *said_by(NEW))
    (entry,) = what_would_close(found)
    assert (entry["text"], entry["becomes"], entry["by_text"]) == (OLD, "superseded", NEW)
    assert (entry["held_from"], entry["held_until"]) == (1, 3)
    assert entry["evidence"] == [{"turn": 3, "start": 0, "end": len(NEW), "text": NEW}]
    assert json.dumps(entry)
    assert what_would_close(a_boundary(found, snapshot, 2)) == [entry]


def test_doubts_are_told_with_both_sides() -> None:
    old, new = "The budget is 1.2 million EUR.", "The marketing budget is 200,000 EUR."
    found = a_cycle(held(a_snapshot(old), *said_by(old)), a_snapshot(old, "Right.", new), *said_by(new))
    (entry,) = what_is_contested(found)
    assert (entry["text"], entry["against_text"]) == (new, old)
    assert not what_would_close(found)
