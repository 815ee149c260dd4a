"""A made-up conversation that grows by stretches, and members that state each fact once and forget some: for cycles."""

import hashlib
import re
from decimal import Decimal

from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, Reply, Usage
from dissolution.conversation import Conversation, Language, Role, Turn
from dissolution.values import Frozen, NotMeasured

_NAMES = """
    Alder Birch Cedar Dogwood Elder Falcon Gorse Hazel Iris Juniper Kapok Larch Maple Nutmeg Osprey Piper Quince Rowan
    Spruce Teak Umbra Violet Willow Yarrow Acacia Bramble Chestnut Ebony Fennel Ginger Heather Ivory Jasmine Lilac
    Mango Nettle Olive Poplar Saffron Thyme
"""
SERVICES = tuple(_NAMES.split())
FIGURES = {
    "retention": "{service} keeps its rows for {value} days.",
    "timeout": "A call to {service} gives up after {value} seconds.",
    "batch": "{service} imports batches of {value} files.",
    "memory": "The process of {service} may use {value} megabytes of memory.",
    "poll": "{service} looks for new mail every {value} minutes.",
    "replicas": "There are {value} replicas of {service} behind the balancer.",
    "queue": "An alarm rings when {value} messages wait for {service}.",
    "upload": "Customers may upload {value} pictures a day to {service}.",
    "grace": "Cancelled accounts of {service} can be restored for {value} hours.",
    "price": "A seat of {service} costs {value} euro a month.",
    "sample": "We trace {value} percent of the requests to {service}.",
}
DECISIONS = (
    "We decided that {owner} owns the dashboard of {service}.",
    "{service} is deployed by {owner} alone; that is decided.",
    "We will write {service} in Rust, and {owner} leads it.",
    "We decided to drop the mobile client of {service}; {owner} tells the customers.",
    "Backups of {service} go to Hamburg; {owner} agreed to it for good.",
    "We ruled out Jenkins for {service}, says {owner}.",
    "{owner} signs every invoice of {service} from now on.",
    "We chose Argo for the rollout of {service}; {owner} maintains it.",
    "The licence of {service} stays Apache-2.0, as {owner} and the board decided.",
)
OWNERS = ("Ada", "Bruno", "Chen", "Dora", "Emil", "Fatma", "Goran", "Hana", "Igor")
REASONS = (
    "We looked at the graphs of last week together and nobody had a better idea, so let us write it down like this",
    "I asked around in the team before lunch and those who run it at night were fine with that as well",
    "It is not pretty, but it has worked on the staging machines for a while and the auditors can live with it",
    "There was a longer talk about it in the hallway, which I spare you, and this is what came out in the end",
)
SHOWN = re.compile(r"^\| - \[(\w+)\] (.+?)(?: \((?:contested|holds from)[^()]*\))?$", re.MULTILINE)
"""A claim of the held state as the prompt shows it: its id and its words."""
NOTHING = Usage(input_tokens=0, cached_input_tokens=0, output_tokens=0, cost_usd=Decimal(0))


class Fact(Frozen):
    """One value of one figure of one service, or a rule that is decided, said in one turn."""

    turn: int
    service: str
    subject: str  # what it is about: facts of one subject replace one another
    text: str
    decided: bool

    @property
    def bullet(self) -> str:
        """The fact as a member states it."""
        return f"- {self.text} [turn {self.turn}]"


def facts_of_cycle(cycle: int, turns: int) -> tuple[Fact, ...]:
    """The facts of one stretch, one in each of its turns: mostly new ones, every fourth a new value of an older one.

    Cycles count from 1. The same arguments give the same facts.
    """
    found: list[Fact] = []
    for place in range(turns):
        number = (cycle - 1) * turns + place
        revised = place % 4 == 3 and number > turns
        subject = number - turns - 3 if revised else number  # what the first turn of the cycle before was about
        value = 10 + (subject * 7 + (number if revised else 0)) % 90
        service = SERVICES[subject % len(SERVICES)]
        lap = subject // len(SERVICES)
        if place % 4 == 1:
            kind = (subject // 4 + lap) % len(DECISIONS)
            text = DECISIONS[kind].format(owner=OWNERS[subject % len(OWNERS)], service=service)
            found.append(
                Fact(turn=number + 1, service=service, subject=f"decision {kind} of {service}", text=text, decided=True)
            )
            continue
        figure = list(FIGURES)[(subject + lap) % len(FIGURES)]
        text = FIGURES[figure].format(service=service, value=value)
        found.append(Fact(turn=number + 1, service=service, subject=f"{figure} of {service}", text=text, decided=False))
    return tuple(found)


def grown(cycles: int, turns: int, recorded_at: object) -> Conversation:
    """The conversation after this many stretches."""
    facts = [fact for cycle in range(1, cycles + 1) for fact in facts_of_cycle(cycle, turns)]
    said = (
        {
            "number": fact.turn,
            "role": Role.USER if fact.turn % 4 < 2 else Role.ASSISTANT,  # who gave a value gives the new one, too:
            "speaker": "Ada" if fact.turn % 4 < 2 else "assistant",  # another's would be contested, not settled
            "content": f"{fact.text} {REASONS[fact.turn % len(REASONS)]}.",
            "recorded_at": recorded_at,
        }
        for fact in facts
    )
    return Conversation(
        id="growing",
        turns=tuple(Turn.model_validate(turn) for turn in said),
        language=Language(code="en", confidence=NotMeasured(not_measured="made up")),
    )


class ForgetfulMember:
    """States the facts of the turns it is asked about, each once, and names the held claims they revise or affirm.

    `forgets` is the share of facts it leaves out, by its name; with `cites` false it names no claim.
    """

    def __init__(self, name: str, turns: int, forgets: float, *, cites: bool = True) -> None:
        self._card = MemberCard(name=name, family=name, kind=MemberKind.SCRIPTED, model="states facts once")
        self._turns = turns
        self._share = forgets
        self._cites = cites
        self.prompts: list[str] = []

    @property
    def card(self) -> MemberCard:
        """Who it is."""
        return self._card

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - the port's signature
        """Nothing: no model is asked."""
        return NOTHING

    async def answer(self, task: MemberTask) -> Reply:
        """The four headings with the facts it remembers."""
        self.prompts.append(task.prompt.text)
        last = task.snapshot.through
        cycles = range(task.since // self._turns + 1, last // self._turns + 1)
        facts = [fact for cycle in cycles for fact in facts_of_cycle(cycle, self._turns)]
        said = [fact for fact in facts if not self.forgets(fact)]
        acts = self._acts(task.prompt.text, last) if self._cites else {}
        known = "\n".join(fact.bullet + acts.get(fact.turn, "") for fact in said if not fact.decided) or "none"
        decided = "\n".join(fact.bullet + acts.get(fact.turn, "") for fact in said if fact.decided) or "none"
        text = f"KNOWN\n{known}\n\nDECIDED\n{decided}\n\nEDGES\nnone\n\nIDENTITY\nnone"
        return Reply(text=text, finish=FinishReason.STOP, usage=NOTHING)

    def _acts(self, prompt: str, through: int) -> dict[int, str]:
        """What each fact does to the claims that the prompt shows, by its turn: bullets end with it."""
        facts = [fact for n in range(1, through // self._turns + 1) for fact in facts_of_cycle(n, self._turns)]
        subjects = {fact.text: fact.subject for fact in facts}
        shown = [(match[1], match[2]) for match in SHOWN.finditer(prompt) if match[2] in subjects]
        found: dict[int, str] = {}
        for fact in facts:
            own = [(name, text) for name, text in shown if subjects[text] == fact.subject]
            again = [name for name, text in own if text == fact.text]
            old = [name for name, text in own if text != fact.text]
            found[fact.turn] = "".join(
                f" [{verb} {', '.join(names)}]" for verb, names in (("affirms", again), ("revises", old)) if names
            )
        return found

    def forgets(self, fact: Fact) -> bool:
        """Whether it leaves this fact out, always the same."""
        digest = hashlib.sha256(f"{self._card.name}:{fact.text}".encode()).digest()
        return digest[0] / 256 < self._share
