import pytest

from consensus.lifted import lifts
from consensus.profile import Profile

SHORT = "My replies stay under 200 words."
LIFTED = [
    (SHORT, "Also, drop the length limit, please."),
    (SHORT, "Length limit lifted."),
    (SHORT, "The word cap is gone."),
    ("I keep answers brief.", "You can go back to normal length now."),
    ("I keep every answer to three sentences.", "Give me the full thing from now on."),
    ("I answer in at most two paragraphs.", "You may write as long as you like again."),
    ("Answers stay short.", "There is no need to be brief any more."),
    ("Replies are five lines at most.", "Forget the five-line rule."),
    ("I end each reply with a risk score.", "We no longer need the risk score."),
    ("I end each reply with a risk score.", "You can stop adding the risk score."),
    ("I add a disclaimer to every answer about dosage.", "Leave out the disclaimers, we have a lawyer for that."),
    ("I answer in German.", "Back to English, please."),
    ("My answers are in French.", "English again from here on."),
    ("I always reply in bullet points.", "Prose again, please."),
    ("I use bullet points in all replies.", "You don't have to use bullet points any longer."),
    ("Every reply ends with the tally.", "The tally at the end is not needed any more."),
    ("I call the patient Mr Doe in every answer.", "Never mind the rule about calling him Mr Doe."),
    ("I write answers in a formal tone.", "No more formal tone, we know each other by now."),
    ("My answers use tables.", "Skip the tables from today."),
    ("I give recipes for two people in all answers.", "The two people rule is off."),
    ("I keep replies to one short paragraph.", "Drop the length limit."),
    ("Replies have two sentences, no more.", "The sentence limit is gone."),
    ("My answers run to 200 words each.", "Drop the word limit."),
    ("I write five lines per answer.", "Forget the line cap."),
    ("I never use a banned word in my answers.", "Forget the banned words."),
    ("We reply in German.", "Back to English, please."),
]  # fmt: skip
KEPT = [
    (SHORT, "Don't drop the length limit."),
    (SHORT, "The length limit stays."),
    (SHORT, "Should we drop the length limit?"),
    (SHORT, "If it gets technical, drop the length limit."),
    (SHORT, "Just for this answer, forget the length limit."),
    (SHORT, "They lifted the cap on 2 February."),
    (SHORT, "Drop the 8-page limit of the paper."),
    (SHORT, "The length of the queue is gone from the dashboard."),
    (SHORT, "Drop the third column of the table."),
    (SHORT, "The limit of the budget is lifted."),
    ("The paper stays under 8 pages.", "Drop the length limit for your answers."),
    ("I answer in German.", "The English version of the site is back."),
    ("I answer in German.", "Go back to the German draft."),
    ("I answer in English.", "English again, please."),
    ("I use bullet points in all replies.", "Stop the service on web-a3."),
    ("I use bullet points in all replies.", "We no longer need the backup host."),
    ("Every reply ends with the tally.", "Skip the meeting."),
    ("My answers use tables.", "Drop the sessions table once the copy stands."),
    ("I write answers in a formal tone.", "Keep the formal tone, and no more jokes."),
    ("I never give legal advice in my answers.", "The advice of the lawyer is no longer needed."),
    ("The reply queue has a limit of 200.", "Drop the length limit."),
    ("I never use a banned word in my answers.", "Drop the length limit."),
    ("I give one step at a time in each answer.", "Step: lift the ceiling."),
    ("I never quote Portuguese prices in answers.", "English again."),
    ("My answers give the field person the last word.", "Say no more than that, as long as the link is unproven."),
    ("I keep answers brief.", "The full report is 80 pages."),
    ("I never use a banned word in my answers.", "The word limit is gone."),
    ("I never use the word 'delve' in my answers.", "Drop the word limit."),
    ("Every answer avoids the one word the client hates.", "Drop the length limit."),
    ("My answers never contain the two words 'kind regards'.", "Drop the length limit."),
    ("My answers never use the 12 words on the list.", "Please drop the length limit."),
    ("My answers are short of jargon.", "Drop the length limit."),
    ("We keep backups in three lists.", "Prose again, please."),
    ("We use the tables of the old schema.", "Plain text from now on."),
    ("We give each page at most 3 lines of ads.", "Drop the length limit."),
    ("We open tickets in German.", "Back to English, please."),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "said"), LIFTED)
def test_an_instruction_that_is_lifted_is_closed(claim: str, said: str) -> None:
    assert lifts(Profile(claim), Profile(said))


@pytest.mark.parametrize(("claim", "said"), KEPT)
def test_what_lifts_nothing_or_something_else_closes_nothing(claim: str, said: str) -> None:
    assert not lifts(Profile(claim), Profile(said))
