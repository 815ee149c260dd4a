"""What the loopback provider does, as data: latencies, faults, outages, quotas and answers of a whole fleet."""

import json
import random
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import Field, ValidationError, model_validator

from dissolution.errors import InvalidRoster
from dissolution.values import Frozen

DEFAULT_TEMPLATE = """1. KNOWN
- I know that the conversation has {turns} lines before me.
2. DECIDED
- Nothing is decided yet.
3. EDGES
- What comes next is open.
4. IDENTITY
- I am {model}, and I answer request {request}.
"""


class LoopbackAct(StrEnum):
    """How one request is treated."""

    ANSWER = "answer"
    RATE_LIMIT = "rate_limit"  # 429 with Retry-After
    BILLING = "billing"  # 429 (OpenAI, insufficient_quota) or 400 (Anthropic, credit balance)
    AUTH = "auth"  # 401 whose body echoes the key it was given
    FORBIDDEN = "forbidden"  # 403
    NOT_FOUND = "not_found"  # 404, unknown model
    BAD_REQUEST = "bad_request"  # 400, unsupported parameter
    CONTEXT = "context"  # 400, context length exceeded
    SERVER_ERROR = "server_error"  # 500
    BAD_GATEWAY = "bad_gateway"  # 502 with an HTML body
    UNAVAILABLE = "unavailable"  # 503
    OVERLOADED = "overloaded"  # 529
    CUT = "cut"  # promises a whole body, sends half, closes
    DROP = "drop"  # closes without a word
    DRIP = "drip"  # the right body, byte by byte with pauses
    HANG = "hang"  # never replies
    WRONG_JSON = "wrong_json"  # 200 with half a JSON document, correctly delimited
    WRONG_SHAPE = "wrong_shape"  # 200 with JSON that is no reply
    HTML = "html"  # 200 with a web page, as captive portals send
    NO_CHOICES = "no_choices"  # 200 with an empty list of choices (or content blocks)
    NULL_CONTENT = "null_content"  # 200, the content is null (or an empty text block)
    LENGTH = "length"  # an answer cut off at the token limit
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"


class Fixed(Frozen):
    """Always the same latency (s)."""

    kind: Literal["fixed"] = "fixed"
    seconds: Annotated[float, Field(ge=0, le=3600)] = 0.0

    def draw(self, rng: random.Random) -> float:  # noqa: ARG002 - the same form as the other distributions
        """Seconds to wait."""
        return self.seconds


class LogNormal(Frozen):
    """Latency with a long tail: median (s), sigma of its logarithm, and an upper bound (s)."""

    kind: Literal["lognormal"]
    median_s: Annotated[float, Field(gt=0, le=3600)]
    sigma: Annotated[float, Field(ge=0, le=3)] = 0.5
    max_s: Annotated[float, Field(gt=0, le=3600)] = 60.0

    def draw(self, rng: random.Random) -> float:
        """Seconds to wait: median * exp(sigma * N(0, 1)), at most `max_s`."""
        return min(self.max_s, self.median_s * rng.lognormvariate(0.0, self.sigma))


class Pareto(Frozen):
    """Latency whose tail is heavier still: median (s), tail index alpha (below 2 the variance is infinite), bound (s).

    P(T > t) = (m / t)^alpha for t >= m, so that the scale m is median / 2^(1/alpha).
    """

    kind: Literal["pareto"]
    median_s: Annotated[float, Field(gt=0, le=3600)]
    alpha: Annotated[float, Field(gt=0.5, le=20)] = 2.0
    max_s: Annotated[float, Field(gt=0, le=3600)] = 60.0

    def draw(self, rng: random.Random) -> float:
        """Seconds to wait: m * Pareto(alpha), at most `max_s`."""
        return min(self.max_s, self.median_s / 2.0 ** (1.0 / self.alpha) * rng.paretovariate(self.alpha))


Latency = Annotated[Fixed | LogNormal | Pareto, Field(discriminator="kind")]


class LoopbackStep(Frozen):
    """One act for the next `times` requests."""

    act: LoopbackAct
    times: Annotated[int, Field(ge=1)] = 1
    retry_after: str | None = None
    """`Retry-After` header word for word (seconds or an HTTP date), for the acts that refuse."""
    drip_s: Annotated[float, Field(ge=0, le=60)] = 0.01
    """Pause between the bytes of a dripping body (s)."""


class Quota(Frozen):
    """Requests a window: one more is a 429 that says when the window ends."""

    requests: Annotated[int, Field(ge=1)]
    window_s: Annotated[float, Field(gt=0)]


class Outage(Frozen):
    """A time in which models fail, in seconds since the provider started; again and again with `every_s`.

    It strikes the models and the families it names, or everybody when it names none.
    """

    act: LoopbackAct = LoopbackAct.UNAVAILABLE
    from_s: Annotated[float, Field(ge=0)] = 0.0
    until_s: Annotated[float, Field(gt=0)]
    every_s: Annotated[float, Field(gt=0)] | None = None
    """Period (s), from the start of one outage to the start of the next."""
    models: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Of the requests in that time, drawn by the seed."""

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> "Outage":
        length = self.until_s - self.from_s
        if length <= 0 or (self.every_s is not None and self.every_s < length):
            message = "an outage ends after it begins and before it begins again"
            raise ValueError(message)
        return self

    def strikes(self, model: str, family: str, since_s: float) -> bool:
        """Whether a model of a family is struck `since_s` seconds after the start."""
        named = not (self.models or self.families) or model in self.models or family in self.families
        into = since_s - self.from_s
        if self.every_s is not None and into >= 0:
            into %= self.every_s
        return named and 0 <= into < self.until_s - self.from_s


class Price(Frozen):
    """USD for a million tokens."""

    input_usd: Annotated[Decimal, Field(ge=0)] = Decimal(1)
    cached_input_usd: Annotated[Decimal, Field(ge=0)] = Decimal("0.1")
    output_usd: Annotated[Decimal, Field(ge=0)] = Decimal(4)


class ModelScript(Frozen):
    """One model: its steps are played first, in order; then acts are drawn by weight; without weights it answers."""

    steps: tuple[LoopbackStep, ...] = ()
    mix: Mapping[LoopbackAct, Annotated[float, Field(gt=0)]] = {}
    latency: Latency = Fixed()
    quota: Quota | None = None
    family: str = ""
    """Whose lineage it is, for outages of whole families and for the roster; its own name when empty."""
    window_tokens: Annotated[int, Field(ge=1)] | None = None
    """A longer prompt is refused with a context error."""
    price: Price = Price()
    cache_prompts: bool = True
    """Whether repeated prompt beginnings are reported as cached."""
    template: str = DEFAULT_TEMPLATE
    """The answer; `{model}`, `{request}` and `{turns}` are filled in, other braces stay."""
    recording: Path | None = None
    """A recording (JSON with `answer`) to answer with instead of the template."""


class LoopbackSpec(Frozen):
    """The whole provider."""

    seed: int = 0
    """Latencies and mixed acts repeat for one seed and order of requests."""
    key: str | None = None
    """The only key that is let in; any when None."""
    speed: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """How fast its time runs: at 10, latencies, outages and quota windows take a tenth. The same fleet can be played in
    seconds by a test and in real time by a load run."""
    outages: tuple[Outage, ...] = ()
    """Times in which models or whole families fail."""
    models: Annotated[Mapping[str, ModelScript], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_have_no_spaces(self) -> "LoopbackSpec":
        for name in self.models:
            if not name or name.split() != [name]:
                message = f"model name {name!r} is empty or has spaces"
                raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _outages_strike_somebody(self) -> "LoopbackSpec":
        families = {self.family_of(name) for name in self.models}
        for outage in self.outages:
            strange = sorted({*outage.models} - set(self.models)) + sorted({*outage.families} - families)
            if strange:
                message = f"an outage names {strange[0]!r}, which is no model or family here"
                raise ValueError(message)
        return self

    def family_of(self, model: str) -> str:
        """The family of a model."""
        return self.models[model].family or model


def load_loopback_spec(path: Path, *, speed: float | None = None) -> LoopbackSpec:
    """A spec from a TOML file; recordings are looked for relative to it.

    Args:
        path: The file.
        speed: How fast its time runs, in place of what it says itself.

    Raises:
        InvalidRoster: naming file and field.
    """
    what = f"loopback spec {str(path)!r}"
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        spec = LoopbackSpec.model_validate(content if speed is None else {**content, "speed": speed})
    except OSError as error:
        raise InvalidRoster(f"{what} cannot be read ({error.strerror})", "check the path") from error
    except UnicodeDecodeError as error:
        raise InvalidRoster(f"{what} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidRoster(f"{what} is not TOML: {error}", "correct that line") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InvalidRoster(f"{what}: {field}: {first['msg']}", "correct that field") from error
    models = {
        name: script.model_copy(update={"recording": path.parent / script.recording}) if script.recording else script
        for name, script in spec.models.items()
    }
    return spec.model_copy(update={"models": models})


def recorded_answer(path: Path) -> str:
    """The answer in a recording. Raises InvalidRoster."""
    try:
        content: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidRoster(f"recording {str(path)!r} cannot be read", "give a JSON file with `answer`") from error
    answer = cast("dict[str, object]", content).get("answer") if isinstance(content, dict) else None
    if not isinstance(answer, str):
        raise InvalidRoster(f"recording {str(path)!r} has no text in field 'answer'", "give a JSON file with `answer`")
    return answer
