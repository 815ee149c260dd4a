"""The policy of the probe within a job: whether it runs, who writes, reads and judges, and what its verdict may do."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from dissolution.claims import MemberName
from dissolution.errors import InvalidPolicy
from dissolution.policy.gate import BALANCED, PRESETS, GatePolicy
from dissolution.values import Enduring


class ProbePolicy(Enduring):
    """What a job's probe does.

    `gate` takes the name of a preset (`strict`, `balanced`, `lenient`) in the place of a table.
    """

    retired = frozenset({"most_invented", "when_invented"})

    on: bool = True
    """Whether candidates are probed at all. Off, no verdict is better than `commit_degraded`."""

    gate: GatePolicy = BALANCED

    offline: Literal["report", "enforce"] = "report"
    """What the verdict of a reader without a language model, or of answers that no judge scored, may do. `report`: the
    candidate is committed degraded, labelled with what the probe found. `enforce`: a person chooses here, by setting it
    or by naming a gate on the command line, that what rules read may keep the history or ask for repair; nothing else
    lets it. A retrieval reader misses what a candidate says in other words, so its rejections are evidence to look at.
    """

    writer: MemberName | None = None
    """The member of the job's fleet that writes the questions. None masks statements of the conversation instead."""

    reader: MemberName | None = None
    """The member that answers the questions from both texts, of another family than the writer's. None reads by
    retrieval, without a language model."""

    judge: MemberName | None = None
    """The member that scores the answers, of another family than the reader's; its word holds. None: rules compare
    strings and values, and what they find is reported; no verdict of theirs holds."""

    second_judge: MemberName | None = None
    """The member without whose word nothing is vetoed, of another family than the judge's. None takes the fleet's first
    language model of another family than the judge's and the reader's; where there is none, the judge decides alone."""

    evidence_version: Literal[1, 2] = 2
    """Version of the prompt that puts written questions to the reader with their evidence. Version 2 shows each turn
    once for as many questions as fit; version 1 repeats it for each of ten questions. What was recorded with version 1
    replays with that."""

    batch: Annotated[int, Field(ge=1, le=100)] = 10
    """Questions the candidate is asked about at once; after each batch the gate is read."""

    window_tokens: Annotated[int, Field(ge=1000, le=100_000_000)] | None = None
    """Context window of whoever goes on with the conversation: what the history is measured against. None: not known,
    so the history never presses."""

    rising_at: Annotated[float, Field(gt=0, le=1)] = 0.8
    """Share of `window_tokens` from which on pressure is rising: the next turns may not fit any more."""

    overflowing_at: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share above which the history is no usable context. What is left for an answer may argue for less than 1."""

    precision_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the candidate's claims whose values are looked up in the conversation, at least one and at most 60. What
    is found is shown and decides nothing."""

    @field_validator("gate", mode="before")
    @classmethod
    def _names_a_preset(cls, value: object) -> object:
        if isinstance(value, str):
            if value not in PRESETS:
                message = f"there is no preset {value!r}; choose one of {', '.join(PRESETS)}, or give a table"
                raise ValueError(message)
            return PRESETS[value]
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> "ProbePolicy":
        if self.writer is not None and self.writer == self.reader:
            message = f"writer and reader are both {self.writer!r}; who wrote the questions knows the answers"
            raise ValueError(message)
        if self.judge is not None and self.judge == self.reader:
            message = f"judge and reader are both {self.judge!r}; nobody judges his own answers"
            raise ValueError(message)
        if self.writer is not None and self.reader is None:
            message = f"writer {self.writer!r} without a reader; free questions need a language model to answer them"
            raise ValueError(message)
        if self.second_judge is not None and self.second_judge in {self.judge, self.reader}:
            message = f"second_judge {self.second_judge!r} is the judge or the reader already; name a third member"
            raise ValueError(message)
        if self.second_judge is not None and self.judge is None:
            message = f"second_judge {self.second_judge!r} without a judge; name the judge first"
            raise ValueError(message)
        if self.judge is not None and self.reader is None:
            message = f"judge {self.judge!r} without a reader; retrieved sentences are scored by rules alone"
            raise ValueError(message)
        if self.rising_at > self.overflowing_at:
            message = f"rising_at {self.rising_at:g} is above overflowing_at {self.overflowing_at:g}; lower it"
            raise ValueError(message)
        return self

    @property
    def enforced(self) -> bool:
        """Whether a verdict other than `commit` may keep the history or ask for repair.

        Only where a language model judged the answers, or a person asked for it in so many words (`offline`).
        """
        return (self.reader is not None and self.judge is not None) or self.offline == "enforce"

    @property
    def named(self) -> dict[str, MemberName]:
        """The members it names, by what they do."""
        given = {
            "writer": self.writer,
            "reader": self.reader,
            "judge": self.judge,
            "second_judge": self.second_judge,
        }
        return {task: name for task, name in given.items() if name is not None}


def check_families(policy: ProbePolicy, families: Mapping[MemberName, str]) -> None:
    """Refuse members that the fleet does not have, and tasks that one family would do for itself.

    Args:
        policy: The job's.
        families: The family of each language model of the job's fleet, by name.

    Raises:
        InvalidPolicy: Naming the field, its value and what to do.
    """
    for task, name in policy.named.items():
        if name not in families:
            known = ", ".join(sorted(families)) or "it has no language model"
            raise InvalidPolicy(
                f"policy field 'probe.{task}', value {name!r}", f"name a member of the job's fleet ({known}), or none"
            )
    for task, why in (
        ("writer", "a family that writes and answers tests what it finds easy"),
        ("judge", "a family that answers and judges excuses its own errors"),
        ("second_judge", "a family that answers and judges excuses its own errors"),
    ):
        name, reader = policy.named.get(task), policy.reader
        if name is not None and reader is not None and families[name] == families[reader]:
            raise InvalidPolicy(
                f"policy field 'probe.{task}', value {name!r}",
                f"name a member of another family than {families[reader]!r}, the reader's: {why}",
            )
    second, judge = policy.second_judge, policy.judge
    if second is not None and judge is not None and families[second] == families[judge]:
        raise InvalidPolicy(
            f"policy field 'probe.second_judge', value {second!r}",
            f"name a member of another family than {families[judge]!r}, the judge's: it is asked for a second opinion",
        )
