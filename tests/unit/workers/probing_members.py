"""Members that write, read and judge by rule, so that the probe's path with models can be run without one."""

import json
import re
from collections.abc import Mapping, Sequence

from devtools.scripted import SCRIPTED_USAGE
from dissolution.answers import FinishReason, MemberCard, MemberKind, MemberTask, Reply, Usage
from dissolution.errors import MemberError
from dissolution.values import NotMeasured
from workers.members.stage_calls import place_of


def words(text: str) -> list[str]:
    """The words of a list."""
    return text.split()


_SUBJECTS = words("""budget deadline owner colour engine warranty supplier headcount storage shift ferry orchard quarry
    lantern harbour bakery telescope violin glacier saddle compass turbine cathedral vineyard lighthouse tannery archive
    greenhouse locomotive chapel aquarium foundry windmill monastery observatory brewery pottery sawmill apiary
    granary""")
_VALUES = words("""saffron diesel Norvik basalt walnut Lindqvist copper marzipan Tuesday velvet granite Ostrava
    paprika bronze willow Helsinki lavender cobalt mahogany Trondheim cinnamon pewter juniper
    Valparaiso nutmeg titanium hazel Brno turmeric zinc maple Cordoba aniseed nickel cedar Tampere
    vanilla chrome larch Gdansk""")
FACTS = tuple(
    (f"The {subject} is {value}", f"What is the {subject}?", value, subject)
    for subject, value in zip(_SUBJECTS, _VALUES, strict=True)
)
"""Statement, question, answer and subject: 40 facts that a text either holds or does not, no two of them alike."""

AGAIN = {f"Which {fact[3]} did the talk settle on?": fact[1] for fact in FACTS}
"""The same facts asked for in other words, by a further bank."""

JOINT = {
    f"Of what are the {one[3]} and the {other[3]}?": (one, other)
    for one, other in zip(FACTS[:8], FACTS[-8:], strict=True)
}
"""Questions that two turns answer together."""

TURNS = tuple(f"{' '.join(f'{fact[0]}.' for fact in FACTS[start : start + 4])}" for start in range(0, len(FACTS), 4))
"""Ten turns of four facts."""

NOTHING = "not established"


def four_part(facts: Sequence[tuple[str, str, str, str]]) -> str:
    """An answer that states these facts."""
    known = "\n".join(f"- {fact[0]}. [turn {1 + FACTS.index(fact) // 4}]" for fact in facts)
    return f"KNOWN\n{known}\n\nDECIDED\nnone\n\nEDGES\nnone\n\nIDENTITY\nnone\n"


def proposals(facts: Sequence[tuple[str, str, str, str]] = FACTS) -> list[dict[str, object]]:
    """Questions of a writer about these facts, and one that nobody can answer."""
    kinds = ("recall", "decision", "constraint", "commitment")
    sections = ("KNOWN", "DECIDED", "EDGES", "IDENTITY")
    found: list[dict[str, object]] = [
        {
            "question": fact[1],
            "kind": kinds[place % 4] if sections[place % 4] != "DECIDED" else "decision",
            "section": sections[place % 4],
            "answer": fact[2],
            "variants": [],
            "wrong": [],
            "turns": [1 + FACTS.index(fact) // 4],
        }
        for place, fact in enumerate(facts)
    ]
    nobody: dict[str, object] = {
        "question": "Which insurance covers the ferry crossing?",
        "kind": "not_answerable",
        "section": "KNOWN",
        "answer": NOTHING,
        "variants": [],
        "wrong": [],
        "turns": [],
    }
    return [*found, nobody]


def joint() -> list[dict[str, object]]:
    """Questions of a writer that need two turns, and as many that no turn answers."""
    asked: dict[str, object] = {"section": "KNOWN", "variants": [], "wrong": []}
    several: list[dict[str, object]] = [
        {
            **asked,
            "question": question,
            "kind": "multi_hop",
            "answer": f"{one[2]} and {other[2]}",
            "turns": [1 + FACTS.index(one) // 4, 1 + FACTS.index(other) // 4],
        }
        for question, (one, other) in JOINT.items()
    ]
    nobody: list[dict[str, object]] = [
        {**asked, "question": f"Who insures the {fact[3]}?", "kind": "not_answerable", "answer": NOTHING, "turns": []}
        for fact in FACTS[:8]
    ]
    return [*several, *nobody]


def further() -> list[dict[str, object]]:
    """Questions of a writer in other words than those it wrote before, and one that repeats them."""
    in_other_words = {plain: words for words, plain in AGAIN.items()}
    found = proposals()[:-1]
    return [found[0], *({**one, "question": in_other_words[str(one["question"])]} for one in found)]


class ProbingMember:
    """Answers every prompt of the path by rule: it reads, so an answer is right when its text holds the fact.

    Args:
        name: Its name; its family is the same unless given.
        states: What it says of the whole conversation.
        says: Replies in place of its own, by prompt name: words, or an error to raise; a list is used up in order.
    """

    def __init__(
        self,
        name: str,
        states: Sequence[tuple[str, str, str, str]] = FACTS,
        *,
        family: str | None = None,
        says: Mapping[str, str | MemberError | list[str | MemberError]] | None = None,
        kind: MemberKind = MemberKind.SCRIPTED,
    ) -> None:
        self._card = MemberCard(name=name, family=family or name, kind=kind, model="rules")
        self._states = states
        self._says = dict(says or {})
        self.prompts: list[tuple[str, str]] = []
        self.places: list[int] = []  # of the same prompts

    @property
    def card(self) -> MemberCard:
        return self._card

    def asked(self, prompt: str) -> list[str]:
        """The texts it was sent under this prompt's name."""
        return [text for name, text in self.prompts if name == prompt]

    def estimate(self, task: MemberTask) -> Usage:  # noqa: ARG002 - nothing is bought
        return SCRIPTED_USAGE

    async def answer(self, task: MemberTask) -> Reply:
        name = task.prompt.stamp.name
        self.prompts.append((name, task.prompt.text))
        self.places.append(place_of(task.prompt))
        said = self._says.get(name)
        if isinstance(said, list):
            said = said.pop(0) if said else None
        if isinstance(said, MemberError):
            raise said
        absent = NotMeasured(not_measured="rules")
        usage = Usage(input_tokens=absent, cached_input_tokens=absent, output_tokens=absent, cost_usd=absent)
        text = said if said is not None else self._by_rule(name, task.prompt.messages[-1].content)
        return Reply(text=text, finish=FinishReason.STOP, usage=usage)

    def _by_rule(self, name: str, text: str) -> str:
        if name in {"probe_writing", "probe_further"}:
            return json.dumps({"questions": proposals() if name == "probe_writing" else further()})
        if name == "probe_answers":
            block, questions = text.split("BEGIN QUESTIONS", 1)
            asked = re.findall(r"\[question (\S+)\]\n\| (.*)", questions.split("END QUESTIONS")[0])
            return json.dumps({"answers": [{"id": one, "answer": read(block, words)} for one, words in asked]})
        if name == "probe_evidence":
            blocks = evidence_in(text)
            return json.dumps({"answers": [{"id": one, "answer": read(said, words)} for one, words, said in blocks]})
        if name in {"probe_judging", "probe_veto"}:
            shown = re.findall(r"\[question (\S+)\]\n((?:\| .*\n)*)", text)
            words = {True: "right", False: "wrong"} if name == "probe_judging" else {True: "kept", False: "lost"}
            told = [{"id": one, "verdict": words[_says_reference(said)], "why": "read"} for one, said in shown]
            return json.dumps({"verdicts": told})
        if name == "repair":
            return json.dumps({"remarks": missing(text)})
        return four_part(self._states)


def missing(text: str) -> list[dict[str, object]]:
    """What a repair's prompt shows in its turns and in no claim, as it is sent."""
    turns, claims = text.split("BEGIN CLAIMS", 1)
    return [
        {
            "fault": "missing",
            "claims": [],
            "turn": 1 + FACTS.index(fact) // 4,
            "quote": fact[0],
            "text": f"{fact[0]}.",
            "section": "KNOWN",
            "best": 0,
        }
        for fact in FACTS
        if fact[0] in turns and fact[0] not in claims
    ]


def evidence_in(text: str) -> list[tuple[str, str, str]]:
    """Id and words of each question of a prompt about evidence, and the turns that it names, whatever the version."""
    turns = dict(re.findall(r"^\[turn (\d+)\].*\n((?:\| .*\n)*)", text, re.MULTILINE))
    found: list[tuple[str, str, str]] = []
    for name, words, rest in re.findall(r"\[question (\S+)\]\n\| (.*)\n((?:\| .*\n)*)", text):
        named = re.fullmatch(r"\| turns: ([\d, ]+)\n", rest)
        found.append((name, words, rest if named is None else "".join(turns[n] for n in named[1].split(", "))))
    return found


def _says_reference(shown: str) -> bool:
    """Whether one answer that a judge is shown has all words of its reference."""
    fields = dict(re.findall(r"\| (\w+): (.*)", shown))
    return set(words(fields["reference"])) <= set(words(fields["answer"].rstrip(".")))


def read(text: str, question: str) -> str:
    """The fact that answers a question, or the two that do together, where the text states them."""
    if question in JOINT:
        told = all(fact[0] in text for fact in JOINT[question])
        return f"They are {' and '.join(fact[2] for fact in JOINT[question])}." if told else NOTHING
    for statement, asked, value, _subject in FACTS:
        if asked == AGAIN.get(question, question) and statement in text:
            return f"It is {value}."
    masked = re.escape(question).replace("____", "(.+?)")
    found = re.search(masked, text) if "____" in question else None
    return found[0] if found is not None else NOTHING
