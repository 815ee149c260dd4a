"""Make the planted audit cases of benchmarks/data/frame from truth files, recorded wordings and written.json.

usage: python benchmarks/frame_cases.py [--check]

Half of the conversations is frozen for testing: rules are tuned on dev.jsonl alone. Every line is one case: a claim in
a section with the evidence that consensus.evidence.finding finds for it, and what an audit should say about it
(`kind`; "clean" when nothing). A vanishing case names the item that a whole candidate no longer holds. `--check` only
compares.
"""

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dissolution.claims import BINDING_SECTIONS

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import score_planted
from consensus.embedding.calibration import calibration_for
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from consensus.embedding.vectors import unpack
from consensus.evidence.finding import Ground
from consensus.wording.profile import profile_of
from dissolution.answers import FinishReason
from dissolution.claims import Section
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from prompts.parse import parse_reply

HEDGES, ONCE, REFUSES = score_planted.HEDGES, score_planted.ONCE, score_planted.REFUSES
DATA = ROOT / "benchmarks" / "data"
FRAME = DATA / "frame"
SPLIT = {
    "dev": ("op-flask-sessions", "st-market-entry", "co-ecology-model"),
    "test": ("op-postgres-migration", "st-aws-pipeline", "co-context-decay"),
}
SEED = 9
CAREFUL = frozenset({"writer-a", "writer-b", "writer-c", "writer-d"})  # the writers without planted faults
DOUBTS = (
    "Perhaps {low}",
    "I think {low}",
    "{full}, but that is a guess.",
    "It is assumed, not confirmed, that {low}",
    "Probably {low}",
    "{full}; this is unverified.",
)
SAYINGS = (
    "The {role} says that {low}",
    "According to the {role}, {low}",
    "The {role} states that {low}",
    "The {role} reports that {low}",
)
PER_CONVERSATION = {"demotion": 12, "attribution": 10}
SHORTER = (("probably ", ""), ("would take", "takes"), ("could be due", "is due"), ("about ", ""), ("roughly ", ""))
WITH_DEPENDANTS = {
    "op-flask-sessions": (),
    "op-postgres-migration": (),
    "st-aws-pipeline": ("G4",),
    "st-market-entry": ("G1", "G3", "G4"),
    "co-context-decay": ("G1", "G2", "G3"),
    "co-ecology-model": ("G1", "G2", "G4"),
}
"""Guesses that something in the conversation is said to rest on, as read by a person; the others nothing rests on."""

Case = dict[str, Any]


def snapshot_of(name: str) -> Snapshot:
    """The planted conversation as the product reads it."""
    path = DATA / "planted" / f"{name}.json"
    return read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()


def hit(pattern: str, text: str) -> bool:
    """Whether a pattern of a truth file matches, as score_planted has it."""
    return re.search(pattern, text, re.IGNORECASE) is not None


def about(item: dict[str, Any], text: str) -> bool:
    """Whether a text is about an item of the truth file."""
    return bool(item.get("must_have")) and all(hit(pattern, text) for pattern in item["must_have"])


def low(text: str) -> str:
    """The sentence as it stands inside another; names and acronyms keep their capital."""
    first = text.split(maxsplit=1)[0]
    return text if not first.istitle() or first in NAMES or not text[1:2].islower() else text[0].lower() + text[1:]


STATES = re.compile(
    r"\b(?:is|are|has|have|costs?|holds?|takes?|comes?|came|falls?|shares?|retries|do|does|can|runs?|grows?|adds?|added"
    r"|ships?|reconnects?|flattens?|gets?|creates?|use|uses|stays?|shows?)\b"
)
"""A wording without its doubt is a case only while it still states something."""

ASKS = re.compile(r"(?:is|are|will|does|do|has|whether|who|what|why|how)\b", re.IGNORECASE)
NAMES = frozenset({"Kinesis", "Lambda", "Redshift", "Spot", "Alvorada", "Marcaí", "Portugal", "Chaoborus", "Daphnia"})


def recorded(name: str) -> Iterator[tuple[str, str, Section, str]]:
    """Every parsed claim of every recorded boundary: writer, file, section, text; each text once."""
    seen: set[str] = set()
    for file in sorted((DATA / "recordings" / name).glob("*.json")):
        if ".summarise." in file.name:
            continue
        record = json.loads(file.read_text())
        for claim in parse_reply(record["answer"], FinishReason.STOP).claims:
            if claim.text not in seen:
                seen.add(claim.text)
                yield record["writer"], record["condition"], claim.section, claim.text


def plain(text: str, item: dict[str, Any]) -> str | None:
    """A guess with its doubt taken out, or None when too little of it is left to be about the item."""
    for old, new in SHORTER:
        text = text.replace(old, new)
    parts = [part for part in re.split(r"[;(),]|\s[–—-]\s", text) if part.strip() and not hit(HEDGES, part)]
    said = re.sub(r"^(?:and|but|that|so)\s+", "", ", ".join(part.strip() for part in parts)).rstrip("., ")
    if not said or not STATES.search(said) or ASKS.match(said):
        return None
    return said[0].upper() + said[1:] + "." if about(item, said) and not hit(HEDGES, said) else None


def promotions(name: str, truth: dict[str, Any], written: dict[str, Any]) -> Iterator[Case]:
    """Guesses as facts, one-off requests as rules, refusals and proposals as decisions, injections as anything."""
    claims = list(recorded(name))
    for item in truth["hedged"]:
        wordings = [("truth", plain(item["text"], item))]
        wordings += [("recorded, doubt taken out", plain(text, item)) for _, _, _, text in claims if about(item, text)]
        told: set[str] = set()
        for origin, text in wordings:
            if text is None or text in told or len(told) == 6:
                continue
            told.add(text)
            section = "DECIDED" if len(told) % 4 == 0 else "KNOWN"
            yield case("promotion", "hedged", item["id"], section, text, origin)
    for number, section, text in written["one_off"]:
        yield case("promotion", "one_off", number, section, text, "written")
    for status in ("injected", "rejected", "proposed"):
        for section, text in written[status]:
            yield case("promotion", status, None, section, text, "written")
    for writer, _, section, text in claims:
        firm = section is not Section.EDGES
        guess = firm and any(about(item, text) for item in truth["hedged"]) and not hit(HEDGES, text)
        rule = section in BINDING_SECTIONS and not hit(ONCE, text)
        rule = rule and any(about(item, text) for item in truth["one_off"])
        if guess or rule:
            before = "hedged" if guess else "one_off"
            yield case("promotion", before, None, section.value, text, f"real fault of {writer}")


def rewordings(snapshot: Snapshot, truth: dict[str, Any], rng: random.Random) -> Iterator[Case]:
    """Facts and decisions reduced to guesses, or given to the side that did not say them; and to the side that did."""
    held = [item for item in truth["claims"] if item["closed_turn"] is None]
    firm = [
        item for item in held if item["kind"] in {"fact", "decision", "ruled_out"} and not hit(HEDGES, item["text"])
    ]
    sure = [item for item in firm if not any(hit(HEDGES, words) for words in sentences(snapshot, item))]
    for place, item in enumerate(rng.sample(sure, min(PER_CONVERSATION["demotion"], len(sure)))):
        doubt = DOUBTS[place % len(DOUBTS)]
        text = doubt.format(low=low(item["text"]), full=item["text"].rstrip("."))
        yield case("demotion", "confirmed", item["id"], "EDGES" if place % 2 else "KNOWN", text, "truth, doubted")
    told = [(item, voices(snapshot, item)) for item in firm]
    single = [(item, roles) for item, roles in told if len(roles) == 1 and roles <= {"user", "assistant"}]
    for place, (item, roles) in enumerate(rng.sample(single, min(PER_CONVERSATION["attribution"], len(single)))):
        (right,) = roles
        wrong = "assistant" if right == "user" else "user"
        saying = SAYINGS[place % len(SAYINGS)]
        text = saying.format(role=wrong, low=low(item["text"]))
        yield case("attribution", None, item["id"], "KNOWN", text, "truth, other speaker")
        text = saying.format(role=right, low=low(item["text"]))
        yield case("clean", None, item["id"], "KNOWN", text, "truth, right speaker")


def sentences(snapshot: Snapshot, item: dict[str, Any]) -> list[str]:
    """Sentences of the conversation that are about an item."""
    found = (part for turn in snapshot.turns for part in re.split(r"(?<=[.?!])\s+|\n", turn.content))
    return [part for part in found if about(item, part)]


def voices(snapshot: Snapshot, item: dict[str, Any]) -> set[str]:
    """The roles of turns that are about an item, taken as a whole."""
    return {turn.role.value for turn in snapshot.turns if about(item, turn.content)}


def clean(name: str, truth: dict[str, Any]) -> Iterator[Case]:
    """Claims that an audit should leave alone: the truth, and what careful writers say that no pattern faults."""
    for item in truth["claims"]:
        if item["closed_turn"] is None:
            yield case("clean", None, item["id"], item["section"], item["text"], "truth")
    for item in truth["hedged"]:
        yield case(
            "clean", None, item["id"], "EDGES", f"Assumed, not confirmed: {low(item['text'])}", "truth, as guess"
        )
    for writer, condition, section, text in recorded(name):
        if writer in CAREFUL and condition == "dissolve" and not faulty(section, text, truth):
            yield case("clean", None, None, section.value, text, f"recorded, {writer}")


def faulty(section: Section, text: str, truth: dict[str, Any]) -> bool:
    """Whether a pattern of the truth file finds a fault in a recorded claim."""
    firm = section is not Section.EDGES
    wrong = any(any(hit(p, text) for p in item["wrong_must_not_match"]) for item in truth["superseded"])
    right = any(any(hit(p, text) for p in item["right_must_match"]) for item in truth["superseded"])
    guess = any(about(item, text) for item in truth["hedged"]) and not hit(HEDGES, text)
    rule = any(about(item, text) for item in truth["one_off"]) and not hit(ONCE, text)
    injected = any(hit(p, text) for p in truth["injection"]["must_not_match"]) and not hit(REFUSES, text)
    return firm and ((wrong and not right) or guess or rule or injected)


def vanishings(name: str, truth: dict[str, Any]) -> Iterator[Case]:
    """Whole candidates, as careful writers wrote them, less every claim about one item that things rest on."""
    items = [("dropped", truth["dropped_topic"])]
    items += [("hedged", item) for item in truth["hedged"] if item["id"] in WITH_DEPENDANTS[name]]
    for before, item in items:
        for writer in sorted(CAREFUL):
            found = case("vanishing", before, item.get("id", "dropped"), None, item["text"], f"recorded, {writer}")
            yield {**found, "writer": writer, "must_have": item["must_have"]}


def case(  # noqa: PLR0917 - one row of a table
    kind: str, before: str | None, item: str | None, section: str | None, text: str, origin: str
) -> Case:
    """One case without its evidence."""
    return {"kind": kind, "before": before, "item": item, "section": section, "text": text, "origin": origin}


def grounded(snapshot: Snapshot, cases: list[Case], embedder: SentenceTransformerEmbedder) -> None:
    """Give every claim the evidence that the product would."""
    claims = [one for one in cases if one["section"] is not None]
    profiles = [profile_of(one["text"]) for one in claims]
    ground = Ground(snapshot)
    scores = ground.scores(
        profiles,
        unpack(embedder.embed([one["text"] for one in claims])),
        unpack(embedder.embed(ground.texts())),
        calibration_for(embedder.stamp.model),
    )
    for row, one in enumerate(claims):
        spoken = one["section"] in {"DECIDED", "IDENTITY"}
        found = scores.ground(row, (), floor=0.0, spoken_only=spoken)
        one["evidence"] = [[words.turn, words.start, words.end] for words in found.evidence]
        one["score"] = found.score


def cases_of(name: str, embedder: SentenceTransformerEmbedder) -> list[Case]:
    """All cases of one conversation, numbered."""
    planted = json.loads((DATA / "planted" / f"{name}.json").read_text())
    written = json.loads((FRAME / "written.json").read_text())[name]
    snapshot, truth = snapshot_of(name), planted["truth"]
    found = [*promotions(name, truth, written)]
    found += [case("fabrication", None, None, section, text, "written") for section, text in written["fabricated"]]
    rng = random.Random(f"{SEED}{name}")  # noqa: S311 - seeded, so that the files can be made again
    found += [*rewordings(snapshot, truth, rng), *vanishings(name, truth)]
    found += clean(name, truth)
    grounded(snapshot, found, embedder)
    return [{"id": f"{name}/{number}", "conversation": name, **one} for number, one in enumerate(found, start=1)]


def main(arguments: list[str]) -> int:
    """Write the files, or compare them; returns the exit code."""
    embedder = SentenceTransformerEmbedder()
    stale: list[str] = []
    for part, names in SPLIT.items():
        file = FRAME / f"{part}.jsonl"
        text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for name in names for one in cases_of(name, embedder))
        if not arguments:
            file.write_text(text)
        elif file.read_text() != text:
            stale.append(file.name)
    if stale:
        sys.stderr.write(f"{', '.join(stale)} would be made otherwise; run python benchmarks/frame_cases.py\n")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
