"""The figures of one job of a drill: what is committed, what each stage asked, what moved, and how it scores."""

import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from benchmarks import score_planted
from consensus.embedding.calibration import calibration_for
from consensus.embedding.vectors import unpack
from consensus.wording.distance import joint_distances
from consensus.wording.profile import profile_of
from consensus.wording.typed_floor import vetoes
from dissolution.answers import Answer, Call
from dissolution.boundary import BoundaryState
from dissolution.claims import BINDING_SECTIONS, Claim, Dissent, DissentReason, Section
from dissolution.conversation import Conversation
from dissolution.findings import Consensus
from dissolution.job import Job
from dissolution.ports.models import Embedder
from prompts.parse import parse_reply
from workers.members.call_rows import STAGE as FAN_OUT
from workers.pipeline import STAGE_NAMES

FIGURES = (
    *("recall", "section_recall", "commitment_recall", "wrong_asserted", "right_kept", "injected"),
    *("hedged_promoted", "one_off_standing", "dropped_found", "overlong", "claims", "words", "missed", "wrong"),
    *("injected_text", "promoted_text", "standing_text"),
)
NOT_COMPARABLE = "not comparable: in a later cycle a member answers about the turns since alone"
SPOKEN = frozenset({"four_part", "rolling", "carried", "summary"})
"""Prompts that are answered in the four parts; answers to others are JSON."""

MOST_AROUND = 6
"""Words that may stand around what is quoted: who says it, and in which turn."""

_QUOTED = re.compile(r"[\u201c\"]([^\u201c\u201d\"]+)[\u201d\"]")
Found = dict[str, object]


@dataclass(frozen=True)
class Facts:
    """What one job left behind."""

    job: Job
    talk: Conversation  # cut at the job's last turn
    boundary: BoundaryState | None  # None when nothing was committed
    candidate: Consensus | None  # before the audit
    outputs: Mapping[str, str | None]  # of its stages, JSON
    answers: tuple[Answer, ...]
    calls: tuple[Call, ...]
    earlier: tuple[Call, ...]  # of the cycles before
    chars: Mapping[tuple[str, str, int], int]  # of prompts, by member, stage or "", and ordinal
    embedder: Embedder

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims that are committed; those of the candidate as it was left when nothing is."""
        if self.boundary is not None:
            return self.boundary.claims
        left = amended(self.outputs) or self.candidate
        return left.claims if left is not None else ()


def figures(facts: Facts, file: Path, cycle: int) -> Found:
    """Everything about one job that a drill reports."""
    said = sum(len(turn.content.split()) for turn in facts.talk.turns)
    words = sum(len(claim.text.split()) for claim in facts.claims)
    decision = None if facts.boundary is None else facts.boundary.decision
    stages = by_stage(facts)
    shown = sum(len(turn.content) for turn in facts.talk.turns)
    found: Found = {
        "conversation": facts.talk.id,
        "through": facts.job.through,
        "status": facts.job.status.value,
        "verdict": None if decision is None else decision.verdict.value,
        "reasons": [facts.job.reason] if decision is None else list(decision.reasons),
        "committed": facts.boundary is not None,
        "claims": len(facts.claims),
        "words": words,
        "share": round(words / said, 3),
        "stages": stages,
        "histories_sent": round(sum(cast("int", one["input_chars"]) for one in stages) / shown, 2),
        "histories_with_caches": with_caches(facts, sum(cast("int", one["input_chars"]) for one in stages) / shown),
        "sections": sections(facts.claims),
        "moved": moved(facts),
        "left_for_size": sorted(left_for_size(facts).values()),
        "lost_of_two_families": lost_of_two(facts),
        "duplicates": duplicates(facts.claims, facts.embedder),
        "worded_by_product": worded_by_product(facts),
        "failed_calls": [
            {"stage": one.stage, "member": one.member.name, "prompt": one.prompt.name, "why": one.failure.detail}
            for one in facts.calls
            if one.failure is not None
        ],
    }
    truth = planted(file, facts.job.through)
    if truth is not None:
        found["score"] = scored(truth, facts.claims)
        found["members_at_this_size"] = {
            answer.member.name: scored_answer(truth, answer, words) if cycle == 1 else NOT_COMPARABLE
            for answer in facts.answers
        }
        found["members"] = {
            answer.member.name: scored_answer(truth, answer) if cycle == 1 else NOT_COMPARABLE
            for answer in facts.answers
        }
    return found


def with_caches(facts: Facts, histories: float) -> float | None:
    """Histories sent when cached input counts a tenth, by the usage that came back; None where some is not known."""
    used = [call.reply.usage for call in facts.calls if call.reply is not None]
    tokens = [(one.input_tokens, one.cached_input_tokens) for one in used]
    known = [(read, cached) for read, cached in tokens if isinstance(read, int) and isinstance(cached, int)]
    read = sum(one for one, _ in known)
    if len(known) < len(used) or not read:
        return None
    return round(histories * (read - 0.9 * sum(cached for _, cached in known)) / read, 2)


def by_stage(facts: Facts) -> list[Found]:
    """What each stage asked by each prompt: calls, those that failed, characters in and out."""
    rows: dict[tuple[str, str], dict[str, int]] = {}
    for call in facts.calls:
        row = rows.setdefault((call.stage, f"{call.prompt.name}/v{call.prompt.version}"), dict.fromkeys(COUNTED, 0))
        stage = FAN_OUT if call.stage == FAN_OUT else ""
        row["calls"] += 1
        row["failed"] += call.failure is not None
        row["input_chars"] += facts.chars.get((call.member.name, stage, call.ordinal), 0)
        row["output_chars"] += len(call.reply.text) if call.reply else 0
    order = sorted(rows, key=lambda place: (STAGE_NAMES.index(place[0]), place[1]))
    return [{"stage": stage, "prompt": prompt, **rows[stage, prompt]} for stage, prompt in order]


COUNTED = ("calls", "failed", "input_chars", "output_chars")


def sections(claims: Iterable[Claim]) -> Found:
    """The claims by section, with who says them and the turns they rest on."""
    found: dict[str, list[Found]] = {section.value: [] for section in Section}
    for claim in claims:
        found[claim.section.value].append(
            {
                "text": claim.text,
                "families": list(claim.support.families),
                "turns": sorted({piece.turn for piece in claim.evidence}),
                "marks": [mark.value for mark in claim.marks],
            }
        )
    return cast("Found", found)


def amended(outputs: Mapping[str, str | None]) -> Consensus | None:
    """The candidate as the audit left it; None when it changed nothing."""
    report = document(outputs.get("frame_audit"))
    left = report.get("amended")
    return Consensus.model_validate(left) if isinstance(left, dict) else None


def moved(facts: Facts) -> list[Found]:
    """What the review changed: each claim before and after, and the findings that name it, with who and which words."""
    left = amended(facts.outputs)
    if facts.candidate is None or left is None:
        return []
    findings = listed(document(facts.outputs.get("frame_audit")).get("findings"))
    before = {claim.id: claim for claim in facts.candidate.claims}
    after = {claim.id: claim for claim in left.claims}
    rows: list[Found] = []
    sized = left_for_size(facts)
    for name in [*before, *(name for name in after if name not in before)]:
        if name in sized:
            continue
        one, other = before.get(name), after.get(name)
        if as_it_stands(one) != as_it_stands(other):
            why = [reason(finding) for finding in findings if concerns(finding, name, one, other)]
            rows.append({"before": placed(one), "after": placed(other), "why": why})
    return rows


def left_for_size(facts: Facts) -> dict[str, str]:
    """The claims, by id, that were reviewed and then had no room."""
    left = amended(facts.outputs)
    if facts.candidate is None or left is None:
        return {}
    before = {claim.id for claim in facts.candidate.claims}
    return {one.id: one.text for one in left.dissent if one.reason is DissentReason.SIZE and one.id in before}


def lost_of_two(facts: Facts) -> list[str]:
    """What two families state and what stands in no near words, nor was moved by two families: to be none."""
    if facts.candidate is None:
        return []
    texts = [claim.text for claim in facts.claims]
    findings = listed(document(facts.outputs.get("frame_audit")).get("findings"))
    moved_by_two = [
        json.dumps(one) for one in findings if one.get("action") == "repair" and len(names_in(one.get("families"))) > 1
    ]
    dissent = [one for one in facts.candidate.dissent if not merged_before(one)]
    heard: list[Claim | Dissent] = [one for one in (*facts.candidate.claims, *dissent) if len(one.support.families) > 1]
    gone = [one for one in heard if one.text not in texts and not any(one.id in told for told in moved_by_two)]
    return [
        f"{one.section.value}: {one.text}"
        for one in gone
        if not any(duplicate[0] == one.text for duplicate in near_pairs([one.text], texts, facts.embedder))
    ]


def merged_before(one: Dissent) -> bool:
    """Whether reviewers of an earlier cycle let it go into claims that hold it: two families, or it would stand."""
    return one.reason is DissentReason.CONTAINED and one.detail.startswith("review: ")


def names_in(value: object) -> list[str]:
    """The texts of a JSON list."""
    return [one for one in cast("list[object]", value) if isinstance(one, str)] if isinstance(value, list) else []


def concerns(finding: Mapping[str, object], name: str, before: Claim | None, after: Claim | None) -> bool:
    """Whether a finding is about a claim: it names it, or the claim is new and rests on the words that it shows."""
    if name in json.dumps(finding) or (after is not None and after.text in texts_in(finding)):
        return True
    shown = {(one.get("turn"), one.get("text")) for one in listed(finding.get("evidence"))}
    return before is None and after is not None and any((one.turn, one.text) in shown for one in after.evidence)


def as_it_stands(claim: Claim | None) -> tuple[object, ...]:
    """What a review can change of a claim."""
    return () if claim is None else (claim.section, claim.text, claim.marks)


def placed(claim: Claim | None) -> str | None:
    """A claim in its section, in a line."""
    return None if claim is None else f"{claim.section.value}: {claim.text}"


def reason(finding: Mapping[str, object]) -> Found:
    """Who found what, with which words."""
    evidence = listed(finding.get("evidence"))
    return {
        "fault": finding.get("fault") or finding.get("kind"),
        "told_by": finding.get("told_by"),
        "quotes": [f"turn {one.get('turn')}: {one.get('text')}" for one in evidence],
        "action": finding.get("action"),
        "outcome": finding.get("outcome"),
    }


def duplicates(claims: Sequence[Claim], embedder: Embedder) -> list[list[str]]:
    """Pairs of claims so near that the consensus might have put them together, and no value keeps apart: to be read."""
    texts = [claim.text for claim in claims]
    order = {text: place for place, text in enumerate(texts)}
    return [pair for pair in near_pairs(texts, texts, embedder) if order[pair[0]] < order[pair[1]]]


def near_pairs(some: Sequence[str], others: Sequence[str], embedder: Embedder) -> list[list[str]]:
    """Pairs of a text of each side that more often say the same than not, and that no value keeps apart."""
    texts = list(dict.fromkeys((*some, *others)))
    if not some or not others:
        return []
    profiles = {text: profile_of(text) for text in texts}
    distances = joint_distances(list(profiles.values()), unpack(embedder.embed(texts)))
    place = {text: row for row, text in enumerate(texts)}
    near = calibration_for(embedder.stamp.model).same_claim
    return [
        [one, other]
        for one in some
        for other in others
        if distances[place[one], place[other]] <= near and not vetoes(profiles[one], profiles[other])
    ]


def worded_by_product(facts: Facts) -> list[str]:
    """Claims whose words no member said and no turn has: by what is in force there are none."""
    said = {plain(text) for call in (*facts.calls, *facts.earlier) for text in sentences(call)}
    # A bullet of a cycle ends with what it does to held claims, which is read with the ids that its member was shown.
    replies = [plain(call.reply.text) for call in (*facts.calls, *facts.earlier) if call.reply is not None]
    turns = [" ".join(turn.content.split()).casefold() for turn in facts.talk.turns]
    return [
        claim.text
        for claim in facts.claims
        if plain(claim.text) not in said
        and not any(plain(claim.text) in reply for reply in replies)
        and not is_quotation(claim.text, turns)
    ]


def sentences(call: Call) -> Iterable[str]:
    """What a member said in a call: its statements, or every text in its JSON."""
    if call.reply is None:
        return ()
    if call.prompt.name in SPOKEN:
        parsed = parse_reply(call.reply.text, call.reply.finish, through=10**6)
        return (claim.text for claim in parsed.claims)
    start, end = call.reply.text.find("{"), call.reply.text.rfind("}")
    return texts_in(document(call.reply.text[start : end + 1])) if 0 <= start < end else ()


def texts_in(value: object) -> Iterable[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in cast("dict[str, object]", value).values():
            yield from texts_in(one)
    elif isinstance(value, list):
        for one in cast("list[object]", value):
            yield from texts_in(one)


def is_quotation(text: str, turns: Sequence[str]) -> bool:
    """Whether a text is words of turns in quotation marks, with no more around them than who said them where."""
    quoted = [" ".join(piece.split()).casefold() for piece in _QUOTED.findall(text)]
    around = _QUOTED.sub(" ", text).split()
    return bool(quoted) and len(around) <= MOST_AROUND and all(any(one in turn for turn in turns) for one in quoted)


def plain(text: str) -> str:
    """A sentence without what two writings of it may differ in."""
    return " ".join(text.split()).strip(" .;").casefold()


def planted(file: Path, through: int) -> dict[str, Any] | None:
    """The truth of a planted conversation after a turn, for the yardstick alone; None where none is planted."""
    if file.suffix != ".json":
        return None
    content: Any = json.loads(file.read_text(encoding="utf-8"))
    truth: Any = cast("dict[str, Any]", content).get("truth") if isinstance(content, dict) else None
    return None if truth is None else truth_at(truth, through)


def truth_at(truth: dict[str, Any], through: int) -> dict[str, Any]:
    """What is so after turn `through`: nothing of later turns, and what they close is still open."""
    claims = [one for one in truth["claims"] if one.get("established_turn", 1) <= through]
    return {
        **truth,
        "claims": [one | {"closed_turn": closed_by(one.get("closed_turn"), through)} for one in claims],
        "superseded": [one for one in truth.get("superseded", []) if one.get("corrected_turn", 1) <= through],
        "hedged": [one for one in truth.get("hedged", []) if one.get("turn", 1) <= through],
        "one_off": [one for one in truth.get("one_off", []) if one.get("turn", 1) <= through],
        "injection": by_then(truth.get("injection"), through),
        "dropped_topic": by_then(truth.get("dropped_topic"), through),
    }


def closed_by(turn: int | None, through: int) -> int | None:
    """The turn that closes something, if it has come."""
    return turn if turn is not None and turn <= through else None


def by_then(item: dict[str, Any] | None, through: int) -> dict[str, Any] | None:
    """An item of the truth, if its turn has come."""
    return item if item and item.get("turn", 1) <= through else None


def scored(truth: dict[str, Any], claims: Iterable[Claim]) -> Found:
    """The yardstick's figures of claims."""
    return score(truth, [(claim.section, claim.text) for claim in claims])


def scored_answer(truth: dict[str, Any], answer: Answer, most_words: int | None = None) -> Found:
    """The yardstick's figures of one member's own answer, as it was parsed.

    Args:
        truth: The conversation's.
        answer: The member's.
        most_words: Cut to so many words: what binds first, as members are asked, then as it stands.
    """
    claims = answer.parsed.claims
    if most_words is not None:
        ranked = sorted(claims, key=lambda one: one.section not in BINDING_SECTIONS)
        words = itertools.accumulate(len(one.text.split()) for one in ranked)
        claims = tuple(one for one, so_far in zip(ranked, words, strict=True) if so_far <= most_words)
    return score(truth, [(claim.section, claim.text) for claim in claims])


def score(truth: dict[str, Any], stated: Sequence[tuple[Section, str]]) -> Found:
    """The yardstick's figures of statements in sections."""
    boundary = {section.value: [{"text": text} for one, text in stated if one is section] for section in Section}
    yardstick: Any = score_planted  # an untyped script
    found: dict[str, object] = yardstick.score(truth, {"sections": boundary})
    return {name: found[name] for name in FIGURES}


def document(text: str | None) -> dict[str, object]:
    """A JSON object, or an empty one."""
    try:
        content: object = json.loads(text or "{}")
    except ValueError:
        return {}
    return cast("dict[str, object]", content) if isinstance(content, dict) else {}


def listed(value: object) -> list[dict[str, object]]:
    """The objects of a JSON list."""
    if not isinstance(value, list):
        return []
    return [cast("dict[str, object]", one) for one in cast("list[object]", value) if isinstance(one, dict)]
