"""Which language a text is mostly in."""

import re
from functools import cache
from typing import TYPE_CHECKING

from dissolution.conversation import Language
from dissolution.policy.calibration import CALIBRATION
from dissolution.values import NotMeasured

if TYPE_CHECKING:
    from lingua import LanguageDetector

UNDETERMINED = "und"

_WINDOWS = 12
_WINDOW_CHARS = 1000
_MIN_LETTERS = 40  # below this, low-accuracy mode guesses: "Ok thanks" is as much Estonian as English
_DENSE_WEIGHT = 5  # one character of a script without letters for sounds says about as much as five letters
_MIN_CONFIDENCE = CALIBRATION.language.language_confidence
_DECIMALS = 3  # the detector adds in parallel: further digits differ from run to run
# What carries no language: addresses, paths, identifiers with digits or inner punctuation, numbers.
_NOT_WORDS = re.compile(r"\S*(?:://|[\d_/\\@=<>{}|`$#]|\w[.:]\w)\S*")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@cache
def _detector() -> "LanguageDetector":
    """All of lingua's languages in low-accuracy mode: 60 MB instead of 950 MB, and as sure on more than a sentence."""
    from lingua import LanguageDetectorBuilder

    return LanguageDetectorBuilder.from_all_languages().with_low_accuracy_mode().build()


def detect_language(text: str) -> Language:
    """The language most of `text` is in, as ISO 639-1 code with the detector's confidence (0 to 1).

    Long texts are sampled: twelve windows of 1,000 characters, spread evenly. "und" with the reason when there are
    too few words (below about 40 letters, or 8 characters of Chinese, Japanese or Korean) or no language stands out.
    """
    words = _NOT_WORDS.sub(" ", _sample(text))
    dense = len(_DENSE.findall(words))
    letters = sum(c.isalpha() for c in words) + (_DENSE_WEIGHT - 1) * dense
    if letters < _MIN_LETTERS:
        return Language(code=UNDETERMINED, confidence=NotMeasured(not_measured="too little text to tell the language"))
    best = _detector().compute_language_confidence_values(words)[0]
    if best.value < _MIN_CONFIDENCE:
        return Language(code=UNDETERMINED, confidence=NotMeasured(not_measured="no single language stands out"))
    return Language(code=best.language.iso_code_639_1.name.lower(), confidence=min(1.0, round(best.value, _DECIMALS)))


def _sample(text: str) -> str:
    if len(text) <= _WINDOWS * _WINDOW_CHARS:
        return text
    step = (len(text) - _WINDOW_CHARS) / (_WINDOWS - 1)
    starts = (int(index * step) for index in range(_WINDOWS))
    return " ".join(text[start : start + _WINDOW_CHARS] for start in starts)
