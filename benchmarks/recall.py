"""Recall: how long a search takes in a large conversation, and whether it finds what was left out.

usage: python benchmarks/recall.py [time | found] [--claims 100000] [--turns 50000] [--db URL | --postgres]
       [--repeat 200]

`time` builds one conversation through the store's own commits (as benchmarks/ledger.py: every cycle says 250 claims and
closes as many, 300 stay open), grows it to `--turns` turns of 40 words whose frequencies follow Zipf's law over 4,200
words, and stores a vector of random direction for every text, since what a search costs does not hang on what vectors
mean. A database given by `--db` is filled once and used again; `--postgres` starts a server of its own. Then it asks
one process: the first query, which reads everything; `--repeat` queries of four words of a turn, or of a claim, in each
of several ways; and one after a turn was appended. Least, median, 95th percentile (ms) by the clock, median and 95th
percentile of the processor's time of this process (a server's is not in it), memory. The embedding of a query is timed
apart. Goal: 95 % under 100 ms.

`found` asks 200 questions about what a context leaves out: of the probes of the six conversations in
data/planted, those whose evidence turns are all before the last ten turns, which a context keeps word for word; of
these the 200 whose id has the least SHA-256. A question is found when one of the first five results is a turn that is
evidence for it. Goal: 0.9. Turns alone are searched: there is no ledger. By words; with meaning; by meaning alone, as a
ranking of cosines; with the interval of 10,000 bootstraps over questions.
"""

import argparse
import hashlib
import json
import os
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import numpy as np

sys.path[0] = str(Path(__file__).parent.parent)  # a script's own folder hides rooms of the same name

from benchmarks.ledger_parts import NAME, START, build, found
from context.filling import rows_of, vectors_of
from context.passages import passages
from context.search import ConversationIndex
from context.vectors import VectorRows
from dissolution.conversation import Role, Turn
from dissolution.findings import EmbeddingStamp, Vectors
from dissolution.intervals import Moment
from dissolution.ledger import Query
from dissolution.ports.models import Embedder
from dissolution.ports.recall import StoredVector, TextKey
from dissolution.recall_kinds import RecallBy, RecallKind
from dissolution.recalling import RecallQuery
from store.sql.unit_of_work import SqlUnitOfWorkFactory, memory_unit_of_work_factory, sql_unit_of_work_factory
from tests.factories import a_conversation
from tests.postgres import a_postgresql
from workers.tenants.recall import Recall

DIMENSION = 384
PLANTED = Path(__file__).parent / "data" / "planted"
STARTS = [f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "or", "il", "es", "um")]
ENDS = """
ba cor den fil gam hul jor kin lam mer nod pol qua rit sol tam ul vex wol xan yor zin bri cla dro fre gli hon ist jul
""".split()  # noqa: SIM905 - words are read best as text
VOCABULARY = [f"{start}{end}" for start in STARTS for end in ENDS]
WORDS_A_TURN = 40


class Random:
    """An embedder whose vectors have random directions, each text its own."""

    stamp = EmbeddingStamp(model="random directions", digest="0" * 64, dimension=DIMENSION)
    ready = True

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows."""
        seeds = [int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") for text in texts]
        rows = np.array([np.random.default_rng(seed).standard_normal(DIMENSION) for seed in seeds], dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return Vectors(stamp=self.stamp, count=len(rows), data=rows.astype("<f4").tobytes())


def words_of(number: int) -> list[str]:
    """The words of a turn: Zipf's law, exponent 1, and an identifier of its own."""
    rng = np.random.default_rng(number)
    ranks = (len(VOCABULARY) ** rng.random(WORDS_A_TURN)).astype(int)
    return [*(VOCABULARY[rank % len(VOCABULARY)] for rank in ranks), f"run_{number}.log"]


def grown(units: SqlUnitOfWorkFactory, turns: int) -> None:
    """The conversation with as many turns."""
    with units() as unit:
        have = unit.recall.extent(NAME).turns
        chunk = [
            Turn(
                number=number,
                role=Role.USER if number % 2 else Role.ASSISTANT,
                speaker="Ann" if number % 2 else "Bob",
                content=" ".join(words_of(number)).capitalize() + ".",
                recorded_at=START + timedelta(minutes=number),
            )
            for number in range(have + 1, turns + 1)
        ]
        unit.conversations.append(NAME, chunk)
        unit.commit()


def with_vectors(units: SqlUnitOfWorkFactory, embedder: Random) -> None:
    """A vector for each text that has none."""
    index = ConversationIndex()
    with units.reading() as unit:
        index.sync(unit.recall, NAME)
        index.sync_vectors(unit.recall, NAME, embedder.stamp)
    keys = index.without_vector(10**9)
    for at in range(0, len(keys), 5000):
        part = keys[at : at + 5000]
        made = vectors_of(embedder, [(key, (f"{key.kind} {key.name}",)) for key in part])
        with units() as unit:
            unit.recall.add_vectors(NAME, embedder.stamp, made)
            unit.commit()


def queries(repeat: int, turns: int) -> list[str]:
    """Half of four words of a turn, half about a number that a claim is set to."""
    rng = random.Random(1)  # noqa: S311 - nothing secret
    of_turns = [" ".join(rng.sample(words_of(rng.randrange(1000, turns)), 4)) for _ in range(repeat // 2)]
    return [*of_turns, *(f"What is the harbour number {rng.randrange(10**5)} set to?" for _ in range(repeat // 2))]


def timed(acts: Sequence[Callable[[], object]]) -> str:
    """Least, median, 95th percentile by the clock; median and 95th percentile of the processor (ms)."""
    wall: list[float] = []
    used: list[float] = []
    for act in acts:
        began, spent = time.perf_counter(), time.process_time()
        act()
        wall.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.process_time() - spent))
    wall.sort()
    used.sort()
    last = max(0, round(len(wall) * 0.95) - 1)
    told = f"{wall[0]:10.1f}{statistics.median(wall):12.1f}{wall[last]:10.1f}"
    return f"{told}{statistics.median(used):14.1f}{used[last]:10.1f}"


def measure(units: SqlUnitOfWorkFactory, repeat: int, turns: int) -> None:
    """Print the table of times."""
    embedder, asked = Random(), queries(repeat, turns)
    recall = Recall(units, lambda: embedder, most_bytes=2**31)
    ways = {
        "by words, open claims, dissent and turns": RecallQuery(match=RecallBy.WORDS),
        "by words, claims of every state too": RecallQuery(match=RecallBy.WORDS, fit=Query(open_only=False)),
        "by words, DECIDED of every state": RecallQuery(
            match=RecallBy.WORDS, fit=Query.model_validate({"section": "DECIDED", "open_only": False})
        ),
        "by words, what held at turn 100": RecallQuery(
            match=RecallBy.WORDS, fit=Query(at=Moment(turn=100), open_only=False)
        ),
        "with meaning, open claims, dissent and turns": RecallQuery(match=RecallBy.MEANING),
        "with meaning, claims of every state too": RecallQuery(match=RecallBy.MEANING, fit=Query(open_only=False)),
    }
    print(f"load average before the timing: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'query':48}{'least ms':>10}{'median ms':>12}{'p95 ms':>10}{'processor ms':>14}{'p95 ms':>10}")
    for name, way in ways.items():
        first = way.model_copy(update={"text": "harbour"})
        if "open claims" in name:
            print(f"{'the first one: ' + name:48}{timed([lambda first=first: recall(NAME, first)])}", flush=True)
        acts = [lambda text=text, way=way: recall(NAME, way.model_copy(update={"text": text})) for text in asked]
        print(f"{name:48}{timed(acts)}", flush=True)

    def appended(number: int) -> object:
        grown(units, turns + number)
        return recall(NAME, RecallQuery(text=f"run_{turns + number}.log", match=RecallBy.WORDS))

    print(f"{'a turn appended, then found by words':48}{timed([lambda n=n: appended(n) for n in range(1, 21)])}")
    print(f"largest memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def left_out() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The 200 questions, each with its conversation."""
    asked: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for file in sorted(PLANTED.glob("*.json")):
        talk = json.loads(file.read_text(encoding="utf-8"))
        for probe in talk["probes"]:
            turns = probe["evidence_turns"]
            if turns and max(turns) <= len(talk["turns"]) - 10:
                name = hashlib.sha256(f"{talk['id']} {probe['id']}".encode()).hexdigest()
                asked.append((name, talk, probe))
    asked.sort(key=lambda one: one[0])
    return [(talk, probe) for _, talk, probe in asked[:200]]


class Talk:
    """One planted conversation, indexed by words and by the vectors of one embedder."""

    def __init__(self, talk: dict[str, Any], embedder: Embedder) -> None:
        texts = [turn["content"] for turn in talk["turns"]]
        units = memory_unit_of_work_factory()
        self.index, self.rows = ConversationIndex(), VectorRows(embedder.stamp.dimension)
        keys = [TextKey(RecallKind.TURN, str(number)) for number in range(1, len(texts) + 1)]
        vectors: list[StoredVector] = vectors_of(
            embedder, [(key, passages(text)) for key, text in zip(keys, texts, strict=True)]
        )
        with units() as unit:
            unit.conversations.extend(a_conversation(*texts, name="talk"))
            self.index.sync(unit.recall, "talk")
            self.index.sync_vectors(unit.recall, "talk", embedder.stamp)
        self.index.add_vectors(vectors)
        self.rows.add([int(one.key.name) for one in vectors], [one.data for one in vectors])

    def ranked(self, question: str, vector: Any) -> list[int]:  # noqa: ANN401 - rows or none
        """The turns, best first."""
        every = self.index.mask(RecallKind, 10**9)
        return [int(one.key.name) for one in self.index.ranked(question, every, ~every, vector)]


def hits() -> None:
    """Print hit@5 and hit@1 over the questions."""
    from consensus.embedding.hashing_embedder import HashingEmbedder
    from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder

    asked = left_out()
    talked = len({talk["id"] for talk, _ in asked})
    print(f"{len(asked)} questions of {talked} conversations, all about turns before the last ten")
    print(f"{'way':48}{'hit@5':>8}{'95 %':>16}{'hit@1':>8}")
    for embedder in (SentenceTransformerEmbedder(threads=os.cpu_count() or 1), HashingEmbedder()):
        talks: dict[str, Talk] = {}
        of: dict[str, list[list[bool]]] = {}
        for talk, probe in asked:
            if talk["id"] not in talks:
                talks[talk["id"]] = Talk(talk, embedder)
            one = talks[talk["id"]]
            question, gold = probe["question"], set(probe["evidence_turns"])
            vector = rows_of(embedder.embed([question]))[0]
            ways = {
                "by words": one.ranked(question, None),
                f"with meaning ({embedder.stamp.model})": one.ranked(question, vector),
                f"cosine alone ({embedder.stamp.model})": one.rows.near(vector, -1.0).texts.tolist(),
            }
            for way, turns in ways.items():
                of.setdefault(way, []).append([bool(gold & set(turns[:most])) for most in (5, 1)])
        for way, found_it in of.items():
            shares = np.array(found_it, dtype=float)
            drawn = np.random.default_rng(1).integers(0, len(shares), (10_000, len(shares)))
            low, high = np.quantile(shares[drawn, 0].mean(axis=1), (0.025, 0.975))
            print(f"{way:48}{shares[:, 0].mean():8.3f}{f'{low:.3f} to {high:.3f}':>16}{shares[:, 1].mean():8.3f}")
    print(f"one query embedded, 20 times (ms)               {_embedding()}")


def _embedding() -> str:
    from consensus.embedding.sentence_embedder import SentenceTransformerEmbedder

    embedder = SentenceTransformerEmbedder()
    embedder.embed(["loads the model"])
    return timed([lambda n=n: embedder.embed([f"Which budget was agreed in week {n}?"]) for n in range(20)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", nargs="?", choices=["time", "found"], help="one half alone [default: both]")
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=200)
    parser.add_argument("--db", default=None)
    parser.add_argument("--postgres", action="store_true", help="over a PostgreSQL server that is started for it")
    options = parser.parse_args()
    if options.what != "time":
        hits()
    if options.what == "found":
        return
    with TemporaryDirectory() as folder, ExitStack() as stack:
        served = stack.enter_context(a_postgresql(Path(mkdtemp(prefix="recall-")))) if options.postgres else None
        units = sql_unit_of_work_factory(options.db or served or f"sqlite:///{folder}/recall.sqlite3")
        began = time.perf_counter()
        if found(units, options.claims) is None:
            build(units, options.claims, min(300, options.claims), 250)
        grown(units, options.turns)
        with_vectors(units, Random())
        print(
            f"{options.claims} claims, 300 open, {options.turns} turns; "
            f"built or opened in {time.perf_counter() - began:.0f} s"
        )
        measure(units, options.repeat, options.turns)
        units.close()


if __name__ == "__main__":
    main()
