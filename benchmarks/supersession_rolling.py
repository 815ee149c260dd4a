"""Rolling material for benchmarks/supersession.py: planted conversations in four cycles, a project in four meetings.

A truth claim counts as held when one open claim matches all its patterns (score_planted.py). It counts as lost when it
was held after an earlier cycle, still is true, and is held no more.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import score_planted
from benchmarks.supersession_parts import Remembering, committed, part
from consensus.build import build_consensus
from consensus.reconcile.run import reconcile
from dissolution.answers import FinishReason
from dissolution.boundary import BoundaryState
from dissolution.claims import FIRM_SECTIONS, Claim, ClaimState, HeldAct, HeldMark, Statement
from dissolution.clock import SystemClock
from dissolution.conversation import Role, Snapshot, Turn
from dissolution.policy.job_policy import Policy
from dissolution.reviewing import Fault
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from prompts.parse import parse_reply

DATA = Path(__file__).resolve().parent / "data"
RECORDINGS = DATA / "recordings"
CHECKPOINTS = (14, 28, 42)
SERIES = "qmsum-TS3010"
LONGEST = 60  # words; a longer claim earns no recall
YARDSTICK: Any = score_planted  # an untyped script
COMMITMENTS = frozenset(YARDSTICK.COMMITMENTS)
Truth = Mapping[str, Any]


def conversations() -> list[str]:
    """The planted conversations with recorded rolling answers."""
    found = {path.parent.name for path in RECORDINGS.glob("*/*.roll-1.json")}
    return sorted(name for name in found if (DATA / "planted" / f"{name}.json").exists())


def answers_of(folder: Path, cycle: int, through: int) -> tuple[list[Statement], dict[str, str]]:
    """The statements of one cycle's recorded answers, and the raw answers by writer; unusable ones state nothing."""
    statements: list[Statement] = []
    raw: dict[str, str] = {}
    for path in sorted(folder.glob(f"*.roll-{cycle}.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        parsed = parse_reply(record["answer"], FinishReason.STOP, through=through)
        if parsed.usable:
            raw[record["writer"]] = record["answer"]
            statements.extend(
                Statement(member=record["writer"], family=record["family"], ordinal=place, claim=claim)
                for place, claim in enumerate(parsed.claims)
            )
    return statements, raw


def holds(truth: Truth, claims: Sequence[Claim]) -> bool:
    """Whether one claim matches all patterns of a truth; a question may stand in any section."""
    anywhere = truth["kind"] == "open_question"
    texts = [claim.text for claim in claims if anywhere or claim.section in FIRM_SECTIONS]
    short = [text for text in texts if len(text.split()) <= LONGEST]
    return any(all(YARDSTICK.hit(pattern, text) for pattern in truth["must_have"]) for text in short)


def asserted(one: Truth, claims: Sequence[Claim]) -> bool:
    """Whether a firm claim asserts a superseded value."""
    texts = [claim.text for claim in claims if claim.section in FIRM_SECTIONS]
    return any(
        any(YARDSTICK.hit(p, text) for p in one["wrong_must_not_match"])
        and not any(YARDSTICK.hit(p, text) for p in one["right_must_match"])
        for text in texts
    )


def citing(statements: Sequence[Statement], truth: Truth, prior: BoundaryState, through: int) -> list[Statement]:
    """The statements as members that read the ids would give them.

    What states the right value of a truth that was corrected since names the held claims that assert the wrong one, and
    cites the turn that corrects it.
    """
    news = [one for one in truth["superseded"] if prior.through < one["corrected_turn"] <= through]
    found: list[Statement] = []
    for said in statements:
        right = [one for one in news if states(one, said.claim.text)]
        marks = tuple(
            HeldMark(act=HeldAct.REVISE, about=name)
            for name in dict.fromkeys(c.id for one in right for c in prior.claims if asserted(one, [c]))
        )
        if marks:
            turns = tuple(one["corrected_turn"] for one in right)
            update = {"act": marks[0].act, "about": marks[0].about, "further": marks[1:], "turns": turns}
            found.append(said.model_copy(update={"claim": said.claim.model_copy(update=update)}))
        else:
            found.append(said)
    return found


def states(one: Truth, text: str) -> bool:
    """Whether a text gives the value that took the place of a superseded one, and not that one."""
    right = any(YARDSTICK.hit(pattern, text) for pattern in one["right_must_match"])
    return right and not any(YARDSTICK.hit(pattern, text) for pattern in one["wrong_must_not_match"])


def planted(name: str, embedder: Remembering, *, cite: bool) -> list[dict[str, Any]]:
    """The figures of each of the four cycles of one planted conversation; with `cite` members name what they revise."""
    path = DATA / "planted" / f"{name}.json"
    truth = json.loads(path.read_text(encoding="utf-8"))["truth"]
    whole = read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()
    prior: BoundaryState | None = None
    seen: dict[str, bool] = {}
    hinted: set[str] = set()
    ended: dict[str, Claim] = {}
    rows: list[dict[str, Any]] = []
    for cycle, through in enumerate((*CHECKPOINTS, whole.through), start=1):
        snapshot = Snapshot(conversation=name, turns=whole.turns[:through])
        statements, raw = answers_of(RECORDINGS / name, cycle, through)
        if cite and prior is not None:
            statements = citing(statements, truth, prior, through)
        policy, job = Policy(), f"job-{cycle}"
        heard = build_consensus(statements, snapshot, embedder, policy.consensus, job=job, answers=raw)
        found = reconcile(prior, heard, snapshot, embedder, policy, job=job, ended=tuple(ended.values()))
        ended |= {claim.id: claim for claim in found.closed}
        rows.append(row_of(truth, through, seen, claims=found.claims, single=heard.claims, closed=found.closed))
        now = {claim for hint in found.hints if hint.suspects is Fault.STALE for claim in hint.claims}
        hinted |= now
        wrong = [one for one in truth["superseded"] if one["corrected_turn"] <= through]
        stale = {claim.id for claim in found.claims if any(asserted(one, [claim]) for one in wrong)}
        rows[-1] |= {
            "stale claims": len(stale),
            "stale claims hinted at by now": len(stale & hinted),
            "hints that something ended": len(now),
            "hints about stale claims": len(now & stale),
            "entrenched": sum(claim.id in stale and claim.state is ClaimState.CURRENT for claim in found.claims),
            "stale claims closed": sum(any(asserted(one, [claim]) for one in wrong) for claim in found.closed),
            "other claims closed": sum(not any(asserted(one, [claim]) for one in wrong) for claim in found.closed),
        }
        rows[-1]["changes"] = dict(sorted(_counts(change.kind.value for change in found.changes).items()))
        prior = committed(found, snapshot, cycle)
    return rows


def row_of(
    truth: Truth,
    through: int,
    seen: dict[str, bool],
    *,
    claims: Sequence[Claim],
    single: Sequence[Claim],
    closed: Sequence[Claim],
) -> dict[str, Any]:
    """One cycle held against the truth at its last turn; `seen` remembers what was held before."""
    true = [
        one
        for one in truth["claims"]
        if one["established_turn"] <= through and (one["closed_turn"] is None or one["closed_turn"] > through)
    ]
    now = {one["id"]: holds(one, claims) for one in true}
    lost = [one for one in true if seen.get(one["id"]) and not now[one["id"]]]
    binding = [one for one in true if one["kind"] in COMMITMENTS and seen.get(one["id"])]
    wrong = [one for one in truth["superseded"] if one["corrected_turn"] <= through]
    row = {
        "through": through,
        "recall": part(sum(now.values()), len(now)),
        "recall of this cycle alone": part(sum(holds(one, single) for one in true), len(true)),
        "held before and true": sum(bool(seen.get(one["id"])) for one in true),
        "lost": len(lost),
        "lost by closing": sum(holds(one, closed) for one in lost),
        "commitments held before and true": len(binding),
        "commitments lost": sum(one["kind"] in COMMITMENTS for one in lost),
        "superseded by now": len(wrong),
        "still asserted": sum(asserted(one, claims) for one in wrong),
        "asserted by this cycle alone": sum(asserted(one, single) for one in wrong),
        "claims": len(claims),
        "words": sum(len(claim.text.split()) for claim in claims),
        "words of this cycle alone": sum(len(claim.text.split()) for claim in single),
        "items": [one["text"] for one in lost] + [one["wrong"] for one in wrong if asserted(one, claims)],
    }
    seen.update({name: bool(seen.get(name)) or found for name, found in now.items()})
    return row


def _counts(kinds: Any) -> dict[str, int]:  # noqa: ANN401 - any iterable of words
    found: dict[str, int] = {}
    for kind in kinds:
        found[kind] = found.get(kind, 0) + 1
    return found


def together(
    planted_rows: Mapping[str, Sequence[Mapping[str, Any]]],
    interval: Callable[[Sequence[Any], Callable[[Sequence[Any]], float]], tuple[float, float]],
) -> dict[str, Any]:
    """Shares over all conversations and cycles, with intervals over conversations."""

    def share(name: str, of: str) -> Callable[[Sequence[Any]], float]:
        return lambda some: part(
            sum(row[name] for rows in some for row in rows), sum(row[of] for rows in some for row in rows)
        )

    measured = {
        "truth lost": share("lost", "held before and true"),
        "truth closed": share("lost by closing", "held before and true"),
        "commitments lost": share("commitments lost", "commitments held before and true"),
        "superseded still asserted": share("still asserted", "superseded by now"),
        "stale claims hinted at": share("stale claims hinted at by now", "stale claims"),
        "hints about stale claims": share("hints about stale claims", "hints that something ended"),
    }
    rows = list(planted_rows.values())
    found: dict[str, Any] = {name: (what(rows), interval(rows, what)) for name, what in measured.items()}
    last = [one[-1] for one in rows]
    found["recall in the last cycle"] = round(sum(row["recall"] for row in last) / len(last), 4)
    found["recall of its answers alone"] = round(sum(row["recall of this cycle alone"] for row in last) / len(last), 4)
    return found


def meetings(path: Path, recorded: Path, embedder: Remembering) -> list[dict[str, Any]]:
    """Four meetings of one project as four cycles: what becomes of the commitments.

    Args:
        path: qmsum.jsonl, with the four meetings; turns restart with each and are numbered on here.
        recorded: Folder with the rolling answers about them.
        embedder: Meaning as vectors.
    """
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    series = sorted((one for one in lines if one["id"].startswith(SERIES)), key=lambda one: one["id"])
    turns: list[Turn] = []
    prior: BoundaryState | None = None
    rows: list[dict[str, Any]] = []
    kept: set[str] = set()
    for cycle, meeting in enumerate(series, start=1):
        turns += [_turn(len(turns) + place, turn) for place, turn in enumerate(meeting["turns"], start=1)]
        snapshot = Snapshot(conversation=SERIES, turns=tuple(turns))
        statements, raw = answers_of(recorded, cycle, snapshot.through)
        policy, job = Policy(), f"job-{cycle}"
        heard = build_consensus(statements, snapshot, embedder, policy.consensus, job=job, answers=raw)
        found = reconcile(prior, heard, snapshot, embedder, policy, job=job)
        binding = {claim.id for claim in found.claims if claim.section.value in {"DECIDED", "IDENTITY"}}
        cited = {c.id for c in found.closed if c.closing is not None and c.closing.evidence}
        rows.append(
            {
                "through": snapshot.through,
                "claims": len(found.claims),
                "words": sum(len(claim.text.split()) for claim in found.claims),
                "words of this cycle alone": sum(len(claim.text.split()) for claim in heard.claims),
                "commitments held before": len(kept),
                "commitments closed on words of a turn": len(kept & cited),
                "commitments lost": len(kept - binding - cited),
                "changes": dict(sorted(_counts(change.kind.value for change in found.changes).items())),
            }
        )
        kept = binding
        prior = committed(found, snapshot, cycle)
    return rows


def _turn(number: int, turn: Mapping[str, Any]) -> Turn:
    content = re.sub(r"\s+", " ", turn["content"]).strip() or "(nothing)"
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Turn(number=number, role=Role.PARTICIPANT, speaker=turn["speaker"], content=content, recorded_at=at)
