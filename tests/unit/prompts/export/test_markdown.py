import html as html_entities
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dissolution.claims import Mark, Section
from dissolution.errors import InvalidConversation
from dissolution.findings import Verdict
from dissolution.intervals import TurnInterval
from dissolution.values import NotMeasured
from prompts.export.markdown import boundary_markdown, escaped
from tests.factories import a_conversation
from tests.unit.prompts.export.boundaries import a_boundary, a_claim, a_dissent, a_receipt, evidence_in

HOSTILE = "Use <script>alert(1)</script> | *bold* [x](http://evil) ![p](http://t)\n# Heading\n```\nrm\n```"
BIDIRECTIONAL = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONVERSATION = a_conversation("We use Postgres 16.", HOSTILE, "Who owns the backups?")


def rendered(verdict: Verdict = Verdict.COMMIT_DEGRADED) -> str:
    quote = evidence_in(CONVERSATION, 1, "Postgres 16")
    boundary = a_boundary(
        CONVERSATION,
        a_claim("c1", Section.KNOWN, "Postgres is at 16.", (quote,), marks=(Mark.SINGLE_SOURCE,), families=("alpha",)),
        a_claim("c2", Section.DECIDED, "Hostile.", (evidence_in(CONVERSATION, 2, HOSTILE),)),
        a_claim("c3", Section.EDGES, "Old.", valid=TurnInterval(start=1, end=2), marks=(Mark.CONTESTED,)),
        dissent=(a_dissent("d1", "It is MySQL.", against=("c1",)), a_dissent("d2", "1. It is Oracle.")),
        verdict=verdict,
    )
    return boundary_markdown(boundary, CONVERSATION, a_receipt(boundary, CONVERSATION))


def test_every_part_is_there() -> None:
    text = rendered()
    for heading in ("KNOWN", "DECIDED", "EDGES", "IDENTITY", "Dissent (2)", "Receipt"):
        assert f"\n## {heading}" in text
    assert "- **Postgres is at 16.** (`c1`)" in text
    assert "support: 1 family (alpha), members alpha-1; holds from turn 1" in text
    assert "note: one family only, admitted on its evidence" in text
    assert "note: contested: no turn settles it" in text
    assert "held from turn 1 until turn 2" in text
    assert "turn 1, user: “Postgres 16”" in text
    assert "too few models state it; support: 1 family (gamma), members gamma-1; against `c1`" in text
    assert "- 1\\. It is Oracle." in text
    assert "## IDENTITY: role, constraints, standing instructions\n\nNothing.\n" in text


def test_receipt_is_summed_up() -> None:
    text = rendered()
    assert "| a | al\\|pha | recorded | ok | 7 |" in text
    assert "| b | al\\|pha | recorded | timeout (late): no reply &lt;5 s | 0 |" in text
    assert "| c | al\\|pha | recorded | no answer | 0 |" in text
    assert "- quorum: met (1 of 3 members from 1 families; at least 1 from 1)" in text
    assert "- consensus: 7 statements, 4 meanings, 3 claims (1 of one source, 1 contested), 1 in dissent" in text
    assert "- cost: 120 input tokens, 30 output tokens; USD 0.25 of at most 5" in text
    assert "| gate | not_run | probe \\| not built |" in text


def test_figures_that_do_not_exist_say_so() -> None:
    boundary = a_boundary(CONVERSATION)
    text = boundary_markdown(boundary, CONVERSATION, a_receipt(boundary, CONVERSATION, measured=False))
    absent = "not measured: no &lt;b&gt;price&lt;/b&gt; known"
    assert f"- quorum: {absent}" in text
    assert f"- consensus: {absent}" in text
    assert f"USD ({absent}) of at most 5" in text


def test_the_verdict_stands_at_the_top() -> None:
    text = rendered()
    assert text.split("\n")[2].startswith("> Unproven: the boundary stands, but ")
    assert "version 1, committed at 2026-03-01T09:00:00+00:00." in text
    kept = boundary_markdown(a_boundary(CONVERSATION, verdict=Verdict.KEEP_HISTORY, version=None), CONVERSATION, None)
    assert kept.split("\n")[2].startswith("> History kept, go on using the conversation itself: ")
    assert "a candidate, not committed." in kept
    assert "## Receipt" not in kept
    assert "Stored verdict: `commit`." in rendered(verdict=Verdict.COMMIT)


def test_quoted_text_makes_no_markup_of_its_own() -> None:
    html = MarkdownIt("commonmark").render(rendered())
    assert "<script" not in html
    assert "<a " not in html
    assert "<img" not in html
    assert "<pre" not in html
    assert html.count("<h1>") == 1
    assert html.count("<em>") == 0
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain, words. 3.5 km/h", "plain, words. 3.5 km/h"),
        ("- item", "\\- item"),
        ("# head", "\\# head"),
        ("12) item", "12\\) item"),
        ("=== rule", "\\=== rule"),
        ("a &amp; b", "a &amp;amp; b"),
        ("user_id of _current_user_ and __init__", "user_id of \\_current_user\\_ and \\_\\_init\\_\\_"),
        ("two\n\n  lines", "two ⏎ lines"),
        ("\x1b]0;title\x07", "\ufffd\\]0;title\ufffd"),
        ("right\u202eleft", "right\ufffdleft"),
        ("\ud800", "\ufffd"),
        ("", ""),
    ],
)
def test_escaping(text: str, expected: str) -> None:
    assert escaped(text) == expected


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=60))
def test_escaped_text_reads_back_as_plain_text(text: str) -> None:
    html = MarkdownIt("commonmark").render(f"- {escaped(text)}\n")
    found = re.fullmatch(r"<ul>\n<li>(.*)</li>\n</ul>\n", html)
    assert found is not None
    shown = html_entities.unescape(found[1])
    assert shown == "".join("\ufffd" if char in BIDIRECTIONAL else char for char in text)


def test_another_conversation_is_refused() -> None:
    with pytest.raises(InvalidConversation):
        boundary_markdown(a_boundary(CONVERSATION), a_conversation("Something else."), None)


def test_what_is_not_decided_has_no_verdict() -> None:
    conversation = a_conversation("We use Postgres.")
    undecided = NotMeasured(not_measured="the job has not ended")
    text = boundary_markdown(a_boundary(conversation), conversation, None, undecided)
    assert "> **Not decided:** the job has not ended; the history stays in force." in text
    assert "commit_degraded" not in text
    assert "Verdict" not in text
