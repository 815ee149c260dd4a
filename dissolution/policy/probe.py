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
    """Whether candidates are probed. Off, no verdict is better than `commit_degraded`."""

    gate: GatePolicy = BALANCED

    offline: Literal["report", "enforce"] = "report"
    """What a verdict without a language model as reader, or without a judge, may do. `report`: the candidate is
    committed degraded, with the findings. `enforce`: it may keep the history or ask for repair, which needs a person's
    choice (here, or a gate named on the command line): retrieval misses what is said in other words."""

    writer: MemberName | None = None
    """Member that writes the questions. Not set: statements of the conversation are masked."""

    reader: MemberName | None = None
    """Member that answers from both texts, of another family than the writer's. Not set: retrieval, without a language
    model."""

    judge: MemberName | None = None
    """Member that scores the answers, of another family than the reader's. Not set: rules compare strings and values,
    and no verdict of theirs holds."""

    second_judge: MemberName | None = None
    """Member that must agree to a veto, of another family than judge and reader. Not set: the fleet's first such model;
    without one the judge decides alone."""

    evidence_version: Literal[1, 2] = 2
    """Version of the prompt that puts written questions with their evidence. 2 shows each turn once for many questions;
    1 repeats it for every ten, for recordings made so."""

    batch: Annotated[int, Field(ge=1, le=100)] = 10
    """Questions asked at once; after each batch the gate is read."""

    window_tokens: Annotated[int, Field(ge=1000, le=100_000_000)] | None = None
    """Context window of whoever continues the conversation. Not set: the history never presses."""

    rising_at: Annotated[float, Field(gt=0, le=1)] = 0.8
    """Share of `window_tokens` from which pressure is rising."""

    overflowing_at: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share above which the history is no usable context."""

    precision_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the candidate's claims whose values are looked up in the conversation (1 to 60 claims). Shown, decides
    nothing."""

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
