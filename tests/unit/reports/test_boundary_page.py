"""The page of a boundary as text and in a browser: all evidence, nothing trusted, nothing loaded, bounded."""

import re
from html.parser import HTMLParser

import pytest

from dissolution.answers import AnswerClass, FailureClass, MemberCard, MemberKind
from dissolution.boundary import BoundaryState
from dissolution.boundary_size import BoundarySize
from dissolution.claims import Claim, ClaimState, Closing, Evidence, Mark, Section, StatedClaim, Statement, Support
from dissolution.conversation import Conversation
from dissolution.errors import InvalidConversation
from dissolution.excerpts import Excerpt
from dissolution.receipt.job_receipt import MemberReport
from dissolution.values import NotMeasured
from reports.boundary_page import MOST_CHARS, MOST_ITEMS, MOST_QUOTES, boundary_page, cut
from tests.factories import a_conversation
from tests.pages import Watched, browser
from tests.unit.store.ledgers import TALK, a_boundary, a_claim, a_dissent, a_job, a_quote, a_receipt

MARKUP = '</title></style><script>document.title="owned"</script><img src=x onerror=alert(1)>"\'&<b>{{ 7*7 }}{% raw %}'
BIDI = "safe \u202egnp.exe\u2066 \x07\x1b[31m"
ARABIC = "موعد النشر هو الثلاثاء"
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Outline(HTMLParser):
    """The elements of a page with their attributes; complains of what is not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def outline(page: str) -> Outline:
    found = Outline()
    found.feed(page)
    found.close()
    return found


def stated(text: str, *families: str) -> tuple[Statement, ...]:
    return tuple(
        Statement(
            member=f"{family}-writer",
            family=family,
            ordinal=0,
            claim=StatedClaim(section=Section.KNOWN, text=f"{text} says {family}", turns=(1,)),
        )
        for family in families
    )


def a_page(
    *claims: Claim,
    talk: Conversation = TALK,
    boundary: BoundaryState | None = None,
    undecided: NotMeasured | None = None,
) -> str:
    job = a_job("j1", talk)
    made = boundary or a_boundary(job, claims, (a_dissent("d1", "The budget is 50 EUR.", talk),))
    return boundary_page(made, talk, a_receipt(job), undecided)


def hostile() -> tuple[Conversation, BoundaryState]:
    """Words that attack a page wherever a page has words of others."""
    talk = a_conversation(MARKUP, BIDI, ARABIC, name="conv" + MARKUP[:60])
    turns = tuple(turn.model_copy(update={"speaker": MARKUP}) for turn in talk.turns)
    talk = talk.model_copy(update={"title": MARKUP + BIDI, "turns": turns})
    claims = tuple(
        a_claim(f"c{number}", text, talk, turn=number).model_copy(
            update={"statements": stated(text, MARKUP[:90]), "reason": text, "marks": (Mark.CONTESTED,)}
        )
        for number, text in enumerate((MARKUP, BIDI, ARABIC), start=1)
    )
    dissent = a_dissent("d1", MARKUP, talk).model_copy(update={"detail": MARKUP, "against": (MARKUP[:60],)})
    made = a_boundary(a_job("j1", talk), claims, (dissent,))
    decision = made.decision.model_copy(update={"reasons": (MARKUP, BIDI), "would_change": MARKUP})
    quote = a_quote(talk, 1)
    excerpt = Excerpt(
        **quote.model_dump(), role=talk.turn(1).role, speaker=MARKUP, quoted=True, chosen_by=("echo",), score=1.0
    )
    return talk, made.model_copy(update={"decision": decision, "excerpts": (excerpt,)})


def test_a_claim_stands_with_its_families_and_the_words_it_rests_on() -> None:
    claim = a_claim("c1", "The shop opens at 9.", TALK).model_copy(
        update={
            "statements": stated("It opens at 9,", "gpt", "claude"),
            "support": Support(members=("claude-writer", "gpt-writer"), families=("claude", "gpt")),
        }
    )
    page = a_page(claim)
    article = page[page.index('<article id="c-c1">') :].split("</article>")[0]
    assert "The shop opens at 9." in article
    assert "2 families state it: <bdi>claude</bdi>, <bdi>gpt</bdi>" in article
    assert "It opens at 9, says gpt" in article
    assert TALK.turn(1).content in article
    assert f"turn 1, <bdi>{TALK.turn(1).speaker}</bdi>" in article
    dissent = page[page.index('<article id="c-d1">') :].split("</article>")[0]
    assert "too few models state it" in dissent
    assert "<strong><bdi>Unproven: the boundary stands, but " in page
    assert "commit_degraded" not in page


def test_what_came_of_each_member_is_told_in_words() -> None:
    job = a_job("j1", TALK)
    absent = NotMeasured(not_measured="not asked")
    reports = [
        MemberReport(
            card=MemberCard(name=name, family="gpt", model="m", kind=MemberKind.LANGUAGE_MODEL),
            answer_class=answer,
            failure=failure,
            late=late,
            statements=statements,
            latency_s=absent,
            usage=absent,
            signature=absent,
        )
        for name, answer, failure, late, statements in (
            ("locked", None, FailureClass.AUTH, False, 0),
            ("slow", AnswerClass.PARTIAL, None, True, 7),
        )
    ]
    receipt = a_receipt(job).model_copy(update={"members": tuple(reports)})
    page = boundary_page(a_boundary(job, ()), TALK, receipt)
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", page)
    told = [re.sub(r"<[^>]+>", "|", row).replace("||", "|").strip("|").split("|") for row in rows]
    assert [[cell for cell in row if cell] for row in told] == [
        ["locked", "gpt", "model", "key refused", "0"],
        ["slow", "gpt", "model", "answered in part, too late", "7"],
    ]


def test_size_verdict_and_what_is_not_shown_are_told() -> None:
    job = a_job("j1", TALK)
    size = BoundarySize(before_tokens=900, after_tokens=90, share=0.1, left_for_size=2, counter="approximate-1")
    receipt = a_receipt(job).model_copy(update={"size": size})
    grown = TALK.model_copy(update={"turns": (*TALK.turns, a_conversation(*"abcdefghi").turns[len(TALK.turns)])})
    page = boundary_page(a_boundary(job, ()), grown, receipt, None, ("A context leaves out 3 claims of KNOWN.",))
    assert "size: 900 tokens before, 90 after, share 10%" in page
    assert "left out for size: 2 claims are in the dissent" in page
    assert "A context leaves out 3 claims of KNOWN." in page
    assert "1 later turn is not part of it" in page
    undecided = boundary_page(a_boundary(job, ()), TALK, None, NotMeasured(not_measured="the job has not ended"))
    assert 'Not decided:</strong> <span dir="auto">the job has not ended' in undecided
    assert "Unproven" not in undecided


def test_what_ended_says_how() -> None:
    over = a_claim("c9", "The shop opens at 8.", TALK).model_copy(
        update={
            "state": ClaimState.SUPERSEDED,
            "closing": Closing(state=ClaimState.SUPERSEDED, by="c1", evidence=(a_quote(TALK, 2),), reason="turn 2"),
        }
    )
    page = a_page(boundary=a_boundary(a_job("j1", TALK), ()).model_copy(update={"closed": (over,)}))
    ended = page[page.index('<article id="c-c9">') :].split("</article>")[0]
    assert "ended: turn 2" in ended
    assert TALK.turn(2).content in ended


def test_no_foreign_word_becomes_markup_or_steers_the_page() -> None:
    talk, boundary = hostile()
    page = a_page(talk=talk, boundary=boundary)
    found = outline(page)
    assert not {"script", "img", "b", "iframe", "link", "object"} & set(found.names)
    assert [name for name, _ in found.attributes if name.startswith("on")] == []
    assert found.names.count("title") == 1
    assert not set("\u202e\u2066\x07\x1b") & set(page)
    assert "\ufffd" in page
    assert "{{ 7*7 }}" in page
    assert page.isascii() is False
    assert ARABIC in page


def test_nothing_is_loaded_and_no_script_can_run() -> None:
    page = a_page(a_claim("c1", "See https://evil.example/x.png", TALK))
    links = [value or "" for name, value in outline(page).attributes if name in {"src", "href", "action", "srcset"}]
    assert all(link.startswith("#") for link in links)
    assert "default-src 'none'" in page
    assert not re.search(r"url\(|@import", page)


def test_a_page_is_bounded_and_says_what_it_leaves_out() -> None:
    talk = a_conversation("x" * 50_000, *["y"] * 20)
    long = Evidence(turn=1, start=0, end=50_000, text="x" * 50_000)
    many = tuple(
        a_claim(f"c{number}", "z" * 50_000, talk).model_copy(update={"evidence": (long,) * 20}) for number in range(900)
    )
    page = a_page(*many, talk=talk)
    assert f"({50_000 - MOST_CHARS} more characters)" in page
    assert page.count("<article") == MOST_ITEMS + 1
    assert f"KNOWN: the first {MOST_ITEMS} of 900 are on this page." in page
    assert "All of it: dissolve show j1 --as markdown" in page
    assert f"and {20 - MOST_QUOTES} more quotes: dissolve explain c0" in page
    assert len(page) < 12_000_000
    assert cut("abc", 2) == "ab… (1 more characters)"


def test_a_boundary_of_another_conversation_is_refused() -> None:
    with pytest.raises(InvalidConversation):
        boundary_page(a_boundary(a_job("j1", TALK), ()), a_conversation("Else.", name="else"))


@pytest.mark.usefixtures("processes")
def test_a_browser_shows_it_without_complaint_in_light_and_dark_and_on_a_phone() -> None:
    talk, boundary = hostile()
    with browser() as opened:
        for scheme in ("light", "dark"):
            page = opened.new_page(color_scheme=scheme, viewport={"width": 360, "height": 740})
            watched = Watched(page)
            page.set_content(a_page(talk=talk, boundary=boundary))
            assert watched.complaints == []
            assert watched.loaded == []
            assert page.title().startswith("Boundary of </title>")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            heading = page.locator("article h3", has_text=ARABIC)
            assert heading.evaluate("one => getComputedStyle(one).direction") == "rtl"
            ink, paper = page.evaluate(
                "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
            )
            assert (sum(map(int, re.findall(r"\d+", ink)))) != sum(map(int, re.findall(r"\d+", paper)))
            page.emulate_media(media="print")
            assert not page.locator("nav").is_visible()
            page.close()
