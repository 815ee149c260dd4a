"""How far rules and a judge say the same of the answers that both scored."""

from typing import Annotated

from pydantic import Field, model_validator

from dissolution.values import Frozen, Measured, NotMeasured

NO_JUDGE = NotMeasured(not_measured="no answer was scored by both rules and a judge")


class CrossExamined(Frozen):
    """Answers that rules and a judge both scored, and how far they say the same."""

    both: Annotated[int, Field(ge=0)] = 0
    alike: Annotated[int, Field(ge=0)] = 0
    rules_alone: Annotated[int, Field(ge=0)] = 0  # right by the rules, wrong by the judge
    judge_alone: Annotated[int, Field(ge=0)] = 0  # right by the judge, wrong by the rules

    @model_validator(mode="after")
    def _adds_up(self) -> "CrossExamined":
        if self.alike + self.rules_alone + self.judge_alone != self.both:
            message = f"{self.alike} + {self.rules_alone} + {self.judge_alone} answers are not {self.both}"
            raise ValueError(message)
        return self

    @property
    def share(self) -> Measured:
        """Share scored alike, 0..1; absent where nothing was scored by both."""
        return self.alike / self.both if self.both else NO_JUDGE
