"""What is put off, and deadlines, ends, repeats and predictions, which are not."""

import pytest

from wording.temporal_later import later_cues


@pytest.mark.parametrize(
    "sentence",
    [
        "The hearing is set for 14 June.",
        "It starts on Monday.",
        "We move in May.",
        "Next week we swap the pump.",
        "As of version 4.0 the flag is gone and the default becomes true.",
        "Tomorrow I want to see the plan.",
        "Once the paint is dry we hang the door.",
        "As soon as Ida signs, we ship.",
        "Upon delivery the title passes to the buyer.",
        "The release has to wait until the freeze ends.",
        "The rent is due on the first.",
        "We agreed to start on Monday.",
        "From Monday on the build needs two reviews.",
        "Before the tests start we tag the build.",
        "New slot: Sunday 15 September.",
        "After that we'll talk.",
        "Sunday 22 September, 04:30 then.",
        "Our next talk is on 4 June.",
        "At the end of March the shop closes.",
    ],
)
def test_put_off(sentence: str) -> None:
    (span,) = later_cues(sentence)
    assert sentence[span.start : span.end].strip()


@pytest.mark.parametrize(
    "sentence",
    [
        "I'll send it by Friday.",
        "Nothing leaves before 3 May.",
        "It stays until Monday.",
        "The shop is closed on Mondays.",
        "The job runs every Friday.",
        "It's Monday 4 May 2026.",
        "It started on Monday.",
        "The disk could be full on Monday.",
        "Nobody has funded January 2028.",
        "Friday check-in is slow and it stops the queue.",
        "On Friday's film the line sits too deep.",
        "The depth is 4.2.",
        "The mean falls from 0.22 to 0.11 and it drops further.",
        "When the disk is full, writes fail.",
        "After meals it rises.",
        "He looks after the hosts and we thank him.",
        "The Friday queue stops the line.",
        "",
    ],
)
def test_not_put_off(sentence: str) -> None:
    assert later_cues(sentence) == ()
