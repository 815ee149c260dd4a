"""Surprise from a provider's log-probabilities, where a model gives them for text it reads.

Who asks the model is passed in. Completion endpoints of llama.cpp and vLLM (`echo` or `prompt_logprobs`) give one
log-probability a token; chat endpoints give none for the words of others, and then nothing is measured.
"""

import math
import struct
from collections.abc import Callable, Sequence

from dissolution.policy.calibration import CALIBRATION
from dissolution.surprise import Surprise
from dissolution.values import NotMeasured
from language.surprise.repeats import RepeatMemory

CONTEXT_CHARS = 12_000
"""Characters of what came before that the model is shown, about three thousand tokens."""

Scorer = Callable[[str, str], Sequence[float | None] | None]
"""(what came before, the text) to the natural log-probability of each token of the text, None for one that the
provider left out; None in place of all when it gives none or cannot be asked."""

NOT_GIVEN = NotMeasured(not_measured="the model gives no log-probabilities for this text")
MANY_MISSING = NotMeasured(not_measured="the model left out log-probabilities of more than a tenth of the tokens")
MOST_MISSING = CALIBRATION.language.missing_log_probabilities
_LENGTH = struct.Struct("<I")


class LogProbReader:
    """Reads one conversation with a model's eyes."""

    def __init__(self, scorer: Scorer, before: str, repeats: RepeatMemory) -> None:
        self._scorer = scorer
        self._before = before
        self._repeats = repeats

    def read(self, text: str) -> Surprise:
        """Bits of the text's tokens; tokens that are left out count with the mean of the others, if they are few."""
        guarded = self._repeats.read(text)
        logs = self._scorer(self._before, text)
        self._before = f"{self._before}\n{text}"[-CONTEXT_CHARS:]
        if not logs:
            return Surprise(bits=NOT_GIVEN, tokens=0, guarded=guarded)
        known = [log for log in logs if log is not None and math.isfinite(log)]
        if len(known) < (1 - MOST_MISSING) * len(logs):
            return Surprise(bits=MANY_MISSING, tokens=len(logs), guarded=guarded)
        mean = -sum(known) / len(known) / math.log(2)
        return Surprise(bits=max(0.0, mean * len(logs)), tokens=len(logs), guarded=guarded)

    def memory(self) -> bytes:
        """The text before, cut to 12,000 characters, and the sentences for the guard."""
        before = self._before.encode("utf-8", "surrogatepass")
        return _LENGTH.pack(len(before)) + before + self._repeats.memory()


class LogProbEstimator:
    """Surprise as one model sees it; the model's name is part of the estimator's."""

    def __init__(self, model: str, scorer: Scorer) -> None:
        self._model = model
        self._scorer = scorer

    @property
    def name(self) -> str:
        """`logprobs-1:` and the model."""
        return f"logprobs-1:{self._model}"

    def resume(self, memory: bytes) -> LogProbReader:
        """Go on where a reader stopped; b"" begins. Raises ValueError for another's memory."""
        if not memory:
            return LogProbReader(self._scorer, "", RepeatMemory())
        length = _LENGTH.unpack_from(memory)[0] if len(memory) >= _LENGTH.size else len(memory)
        end = _LENGTH.size + length
        if len(memory) < end:
            message = f"{len(memory)} bytes are no memory of {self.name!r}; begin with b''"
            raise ValueError(message)
        text = memory[_LENGTH.size : end].decode("utf-8", "surrogatepass")
        return LogProbReader(self._scorer, text, RepeatMemory.of(memory[end:]))
