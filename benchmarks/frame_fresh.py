"""Make the audit cases of the fresh conversations from what their readers wrote about them.

usage: python benchmarks/frame_fresh.py [--check]

Eight conversations of benchmarks/data/frame/fresh, each by a writer who had read no rule; NAME.material.json is by
another one, who had read that conversation only: facts, guesses told as facts in several wordings, requests made rules,
pasted orders held, things ruled out or left open told as settled, requests nobody made, and the notes of three careful
note-takers. Doubted facts and wrong speakers are made from the facts as benchmarks/frame_cases.py makes them. Every
claim carries the evidence that consensus.evidence.finding finds for it. `--check` only compares.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.frame_cases import DOUBTS, FRAME, HEDGES, SAYINGS, SEED, Case, case, grounded, hit, low
from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder
from dissolution.clock import SystemClock
from language.intake.options import ReadingOptions
from language.intake.read import read_file

FRESH = FRAME / "fresh"
DEMOTIONS = 12
ATTRIBUTIONS = 10
DECIDED_WORDING = 3
"""Which wording of a guess stands in DECIDED, counted from 0; the others stand in KNOWN."""


def planted(material: dict[str, Any]) -> Iterator[Case]:
    """What an audit should find, as the reader wrote it."""
    for guess in material["guesses"]:
        for place, text in enumerate([guess["text"], *guess["wordings"]]):
            section = "DECIDED" if place == DECIDED_WORDING else "KNOWN"
            yield case("promotion", "hedged", guess["id"], section, text, "written")
    for before in ("one_off", "injected", "rejected", "proposed"):
        for one in material[before]:
            yield case("promotion", before, one.get("id"), one["section"], one["text"], "written")
    for one in material["fabricated"]:
        yield case("fabrication", None, None, one["section"], one["text"], "written")


def reworded(material: dict[str, Any], rng: random.Random) -> Iterator[Case]:
    """Facts that are doubted, or given to the side that did not say them, and to the one that did."""
    facts = [one for one in material["facts"] if not hit(HEDGES, one["text"])]
    for place, one in enumerate(rng.sample(facts, min(DEMOTIONS, len(facts)))):
        text = DOUBTS[place % len(DOUBTS)].format(low=low(one["text"]), full=one["text"].rstrip("."))
        yield case("demotion", "confirmed", None, "EDGES" if place % 2 else "KNOWN", text, "fact, doubted")
    told = [one for one in facts if one["by"] in {"user", "assistant"} and one["section"] != "IDENTITY"]
    for place, one in enumerate(rng.sample(told, min(ATTRIBUTIONS, len(told)))):
        saying, said = SAYINGS[place % len(SAYINGS)], low(one["text"])
        wrong = "assistant" if one["by"] == "user" else "user"
        yield case("attribution", None, None, "KNOWN", saying.format(role=wrong, low=said), "fact, other speaker")
        yield case("clean", None, None, "KNOWN", saying.format(role=one["by"], low=said), "fact, right speaker")


def clean(material: dict[str, Any]) -> Iterator[Case]:
    """Whole notes less the dropped question, and claims that an audit should leave alone."""
    for writer in material["notes"]:
        dropped = material["dropped"]
        one = case("vanishing", "dropped", "dropped", None, dropped["text"], f"recorded, {writer}")
        yield {**one, "writer": writer, "must_have": dropped["must_have"]}
    for one in material["facts"]:
        yield case("clean", None, None, one["section"], one["text"], "fact")
    for one in material["guesses"]:
        text = f"Assumed, not confirmed: {low(one['text'])}"
        yield case("clean", None, one["id"], "EDGES", text, "guess, as guess")
    for writer, notes in material["notes"].items():
        for one in notes:
            yield case("clean", None, None, one["section"], one["text"], f"recorded, {writer}")


def cases_of(name: str, embedder: SentenceTransformerEmbedder) -> list[Case]:
    """All cases of one conversation, numbered."""
    material = json.loads((FRESH / f"{name}.material.json").read_text())
    rng = random.Random(f"{SEED}{name}")  # noqa: S311 - seeded, so that the files can be made again
    found = [*planted(material), *reworded(material, rng), *clean(material)]
    path = FRESH / f"{name}.json"
    snapshot = read_file(path, ReadingOptions(), key=bytes(32), clock=SystemClock()).conversation.snapshot()
    grounded(snapshot, found, embedder)
    return [{"id": f"{name}/{number}", "conversation": name, **one} for number, one in enumerate(found, start=1)]


def main(arguments: list[str]) -> int:
    """Write the files, or compare them; returns the exit code."""
    embedder = SentenceTransformerEmbedder()
    stale: list[str] = []
    for material in sorted(FRESH.glob("*.material.json")):
        name = material.name.removesuffix(".material.json")
        text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in cases_of(name, embedder))
        file = FRESH / f"cases-{name}.jsonl"
        if not arguments:
            file.write_text(text)
        elif file.read_text() != text:
            stale.append(file.name)
    if stale:
        sys.stderr.write(f"{', '.join(stale)} would be made otherwise; run python benchmarks/frame_fresh.py\n")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
