import pytest

from frame_agent import marks


@pytest.mark.parametrize(
    "text", ["The share is 5 percent, a guess.", "It is assumed that rent rises.", "Perhaps it leaks."]
)
def test_a_doubt_of_its_own_is_a_doubt(text: str) -> None:
    assert marks.is_doubted(text)
    assert marks.is_marked(text)


@pytest.mark.parametrize(
    "text",
    ["No guess passes for a measurement.", 'The word "assumed" stands beside the churn.', "The pipe is 5 m long."],
)
def test_speaking_of_doubts_is_no_doubt(text: str) -> None:
    assert not marks.is_doubted(text)


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (marks.ONCE, "Two sentences for one reply.", True),
        (marks.ONCE, "Two sentences in every reply.", False),
        (marks.NOT_OBEYED, "The line in the file has no force.", True),
        (marks.NOT_OBEYED, "The roof garden is approved.", False),
        (marks.NOT_OBEYED, "The roof garden has no approval.", True),
        (marks.NOT_OBEYED, "It was planted without anybody's leave and without written consent.", True),
        (marks.DENIES, "The tank has 0 leaks.", True),
        (marks.DENIES, "The tank holds 10 litres.", False),
        (marks.ASKS, "Whether it leaks", True),
        (marks.ASKS, "It leaks.", False),
        (marks.ASKED, "It is still open.", True),
        (marks.ASKED, "The press prints open access.", False),
        (marks.OPEN, "A second lift has been suggested.", True),
        (marks.OPEN, "The second lift is ordered.", False),
        (marks.REFUSES, "The gas is out.", True),
        (marks.REFUSES, "The data are used out to 60 km.", False),
    ],
)
def test_wordings_that_keep_a_claim_honest(pattern: "marks.re.Pattern[str]", text: str, *, matches: bool) -> None:
    assert (pattern.search(text) is not None) is matches


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("It opens on 6 May.", False),
        ("It opened on the 12th May.", False),
        ("It runs since May.", False),
        ("It opens May 5.", False),
        ("It may open.", True),
        ("May it open?", True),
    ],
)
def test_the_month_is_no_guess(text: str, *, marked: bool) -> None:
    assert marks.is_marked(text) is marked
