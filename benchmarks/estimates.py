"""What jobs were expected to use, held against what the jobs of a live drill did use, and their price at providers.

usage: python benchmarks/estimates.py [--json FILE] [--drill FOLDER]

The drill kept the characters of each prompt and reply, so both are counted in characters here, by the very estimator
that `dissolve fleet price`, the check at submission and the API ask. The shares in
`workers/estimates/expected_sizes.py` are means of the same jobs: this says how far single jobs are from them, not how
far other conversations will be. A stage whose prompts have another version by now than the drill asked is left out of
both. Prices are those of LiteLLM's local price map; tokens of a job are its characters at the rate of the estimator's
own prompts.
"""

import argparse
import itertools
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dissolution.answers import MemberCard, RenderedPrompt, Reply
from dissolution.boundary import BoundaryState
from dissolution.claims import Section
from dissolution.clock import SystemClock
from dissolution.conversation import Snapshot
from dissolution.estimates import Expected, PathEstimate
from dissolution.policy.effort import Effort
from dissolution.policy.file import load_policy
from dissolution.policy.job_policy import Policy
from dissolution.policy.probe import ProbePolicy
from fleet.cassette import read_head
from fleet.chat_member import ChatMember, PricedChatModel, build_members
from fleet.prices import TokenPrice
from fleet.roster import parse_roster
from language.intake.options import ReadingOptions
from language.intake.read import read_file
from language.tokens import ApproximateTokenCounter
from workers.estimates.effort import with_effort
from workers.estimates.estimate import estimate_path
from workers.estimates.expected_calls import Path as CallPath
from workers.estimates.expected_calls import expected_boundary

DRILL = ROOT / "benchmarks" / "data" / "drills" / "third"
KEY = b"the key of a benchmark stays here"
MODELS = ("openai/gpt-5", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-pro")
"""Usual models of three families, as LiteLLM calls them."""

FOURTH = "mistral/mistral-large-latest"
"""A fourth, for the fleet whose efforts are compared."""

CACHING = TokenPrice(
    input_usd=Decimal(1), cached_input_usd=Decimal("0.1"), cache_write_usd=Decimal(1), output_usd=Decimal(1)
)


class Characters:
    """Counts characters where tokens are meant: what the drill kept."""

    name = "characters"

    def count(self, text: str) -> int:
        """Characters of a text."""
        return len(text)


class Unasked(PricedChatModel):
    """A model that is never asked: its card, and a price that makes caching worth counting."""

    def __init__(self, card: MemberCard) -> None:
        self._card = card

    @property
    def card(self) -> MemberCard:
        """Who it stands for."""
        return self._card

    @property
    def window_tokens(self) -> int | None:
        """Not known."""
        return None

    def price(self, input_tokens: int) -> TokenPrice | None:  # noqa: ARG002 - the same for any length
        """One for fresh input, a tenth for cached."""
        return CACHING

    async def complete(self, prompt: RenderedPrompt, *, max_output_tokens: int, deadline_s: float) -> Reply:
        """Nobody asks it."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """Nothing is open."""


class DrillJob(NamedTuple):
    """One job of the drill."""

    name: str
    snapshot: Snapshot
    prior: BoundaryState | None
    used: Mapping[str, tuple[int, int]]  # characters in and out, by stage
    prompts: frozenset[tuple[str, str]]  # stage, and name and version of a prompt that it asked
    kept: Mapping[str, Sequence[Mapping[str, Any]]]  # what it committed, by section


class Row(NamedTuple):
    """What one job was expected to use, and what it used."""

    job: DrillJob
    expected: PathEstimate
    asked: frozenset[tuple[str, str]]  # as the drill's, of the prompts that would be asked now

    @property
    def compared(self) -> tuple[str, ...]:
        """The stages that ask the very prompts that the drill asked."""
        other = {stage for stage, _ in self.job.prompts ^ self.asked}
        return tuple(line.of for line in self.expected.by_stage if line.of not in other)

    @property
    def off(self) -> float:
        """Expected over used, in and out together, less 1."""
        lines = [line for line in self.expected.by_stage if line.of in self.compared]
        used = sum(sum(self.job.used[line.of]) for line in lines)
        return sum(line.input_tokens + line.output_tokens for line in lines) / used - 1

    def stages(self) -> Mapping[str, float]:
        """The same by stage."""
        return {
            line.of: (line.input_tokens + line.output_tokens) / sum(self.job.used[line.of]) - 1
            for line in self.expected.by_stage
            if line.of in self.compared
        }


def jobs_of(drill: Path) -> Iterator[DrillJob]:
    """The jobs of a drill, each on the boundary that the one before committed."""
    for talk in json.loads((drill / "drill.json").read_text(encoding="utf-8"))["talks"]:
        file = ROOT / talk["file"]
        conversation = read_file(file, ReadingOptions(), key=KEY, clock=SystemClock()).conversation
        before: DrillJob | None = None
        for one in json.loads((drill / "results" / file.name).read_text(encoding="utf-8"))["jobs"]:
            used: dict[str, tuple[int, int]] = {}
            for stage in one["stages"]:
                given, came = used.get(stage["stage"], (0, 0))
                used[stage["stage"]] = (given + stage["input_chars"], came + stage["output_chars"])
            snapshot = conversation.snapshot(one["through"])
            prior = None if before is None else committed(before, snapshot, load_policy(drill / "policy.toml"))
            prompts = frozenset((stage["stage"], stage["prompt"]) for stage in one["stages"])
            name = f"{file.stem} through {one['through']}"
            before = DrillJob(name, snapshot, prior, used, prompts, one["sections"])
            yield before


def committed(job: DrillJob, snapshot: Snapshot, policy: Policy) -> BoundaryState:
    """The boundary of a job, as a cycle shows it: its claims' words and sections are real."""
    made = expected_boundary(snapshot, policy, job.snapshot.through)
    like = made.claims[0]
    texts = [(Section(section), one["text"]) for section, kept in job.kept.items() for one in kept]
    claims = [
        like.model_copy(update={"id": f"c{number:08d}", "section": section, "text": text})
        for number, (section, text) in enumerate(texts)
    ]
    return made.model_copy(update={"claims": tuple(claims)})


def in_characters(drill: Path) -> list[Row]:
    """Every job of the drill with its estimate in characters."""
    policy = load_policy(drill / "policy.toml")
    members = [
        ChatMember(Unasked(one.card), max_output_tokens=1_000_000, counter=Characters())
        for one in read_head(drill).members
    ]
    return [row_of(job, members, policy) for job in jobs_of(drill)]


def row_of(job: DrillJob, members: Sequence[ChatMember], policy: Policy) -> Row:
    """One job with its estimate."""
    calls = CallPath(members, job.snapshot, policy, KEY, job.prior).calls()
    stamps = ((call.stage, call.task.prompt.stamp) for call in calls)
    asked = frozenset((stage, f"{stamp.name}/v{stamp.version}") for stage, stamp in stamps)
    return Row(job, estimate_path(members, job.snapshot, policy, KEY, job.prior), asked)


def priced(drill: Path, models: Sequence[str], rows: Sequence[Row]) -> list[tuple[float, float, float]]:
    """USD of each job with these models in the places of the drill's members: used, expected, used without caches."""
    policy, counter = load_policy(drill / "policy.toml"), ApproximateTokenCounter()
    cards = [one.card for one in read_head(drill).members]
    tables = [
        f'[[member]]\nname = "{card.name}"\nfamily = "{card.family}"\nmodel = "{model}"\napi_key_env = "NO_KEY"\n'
        f"max_output_tokens = 16000\n"
        for card, model in zip(cards, itertools.cycle(models), strict=False)
    ]
    members = build_members(parse_roster("\n".join(tables), "roster"), counter, environ={})
    found: list[tuple[float, float, float]] = []
    for row in rows:
        expected = estimate_path(members, row.job.snapshot, policy, KEY, row.job.prior)
        rate = 1 / (1 + row.off)
        whole = expected.whole
        plain = sum(
            float(price.cost(line.input_tokens, 0, line.output_tokens))
            for member, line in zip(members, expected.by_member, strict=True)
            if (price := member.price_of(line.input_tokens // line.calls)) is not None
        )
        found.append((float(whole.known_usd) * rate, float(whole.known_usd), plain * rate))
    return found


def of_efforts(jobs: Sequence[DrillJob]) -> dict[str, list[Expected]]:
    """What each effort is expected to use on the first dissolution of each whole conversation, by its name."""
    whole = {job.snapshot.conversation: job.snapshot for job in jobs}  # the last job of each has all of its turns
    tables = [
        f'[[member]]\nname = "{model}"\nfamily = "{model}"\nmodel = "{model}"\napi_key_env = "NO_KEY"\n'
        f"max_output_tokens = 40000\n"
        for model in (*MODELS, FOURTH)
    ]
    members = build_members(parse_roster("\n".join(tables), "roster"), ApproximateTokenCounter(), environ={})
    families = {member.card.name: member.card.family for member in members}
    probe = ProbePolicy(writer=MODELS[0], reader=MODELS[1], judge=MODELS[2])
    policies = {effort.value: with_effort(Policy(probe=probe, effort=effort), families) for effort in Effort}
    return {
        name: [estimate_path(members, snapshot, policy, KEY).whole for snapshot in whole.values()]
        for name, policy in policies.items()
    }


def print_efforts(efforts: Mapping[str, Sequence[Expected]]) -> None:
    """The median of each figure by effort."""
    print(
        f"\n{'effort':10} {'calls':>6} {'tokens in':>10} {'cached':>8} {'out':>7} {'sent':>6} {'cached':>7} {'USD':>7}"
    )
    for name, each in efforts.items():
        middle = {
            field: statistics.median(float(getattr(one, field)) for one in each)
            for field in ("calls", "input_tokens", "cached_input_tokens", "output_tokens")
        }
        counts = " ".join(
            f"{round(middle[field]):>{width}}" for field, width in zip(middle, (6, 10, 8, 7), strict=True)
        )
        sent = statistics.median(one.histories for one in each)
        cached = statistics.median(one.histories_with_caches for one in each)
        usd = statistics.median(float(one.known_usd) for one in each)
        print(f"{name:10} {counts} {sent:>6.1f} {cached:>7.1f} {usd:>7.2f}")


def main(words: Sequence[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--drill", type=Path, default=DRILL)
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args(words)
    rows = in_characters(given.drill)
    stages = list(dict.fromkeys(stage for row in rows for stage in row.stages()))
    print(f"{'job':34} {'whole':>7} " + " ".join(f"{stage:>14}" for stage in stages) + "  sent, with caches")
    for row in rows:
        cells = " ".join(f"{row.stages().get(stage, 0.0):>+14.1%}" for stage in stages)
        whole = row.expected.whole
        sent = f"{whole.histories:>5.1f} {whole.histories_with_caches:>5.1f}"
        print(f"{row.job.name:34} {row.off:>+7.1%} {cells}  {sent}")
    off = sorted(abs(row.off) for row in rows)
    print(f"off by: median {statistics.median(off):.1%}, worst {off[-1]:.1%}, of {len(off)} jobs")
    told: dict[str, object] = {"off": {row.job.name: row.off for row in rows}}
    print(f"\n{'USD a job':34} {'median':>8} {'least':>8} {'most':>8} {'expected':>9} {'no caches':>10}")
    fleets = {model: (model,) * 3 for model in MODELS} | {"one of each": MODELS}
    for name, models in fleets.items():
        costs = priced(given.drill, models, rows)
        used = [one[0] for one in costs]
        middle = [statistics.median(one[place] for one in costs) for place in range(3)]
        shown = f"{middle[0]:>8.3f} {min(used):>8.3f} {max(used):>8.3f} {middle[1]:>9.3f} {middle[2]:>10.3f}"
        print(f"{name:34} {shown}")
        told[name] = costs
    efforts = of_efforts([row.job for row in rows])
    print_efforts(efforts)
    told["efforts"] = {effort: [one.model_dump(mode="json") for one in each] for effort, each in efforts.items()}
    if given.json is not None:
        given.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
