"""Recognisers of personal data by the names a policy may give; the one shipped is Presidio's patterns.

Presidio's own set-up loads a language model and downloads it. Here its pattern recognisers run over a blank spaCy
pipeline: addresses and numbers that can be told by their form, and nothing that has to be guessed from the words around
it. Names of people are left: replacing them would change what the conversation means.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, Protocol, cast

from dissolution.errors import InputError, InvalidPolicy
from dissolution.policy.job_policy import Policy
from dissolution.recognising import PersonalDataSpan, Recogniser
from dissolution.service import IntakeRules
from language.secrets.extra_patterns import ExtraPatterns

PRESIDIO = "presidio"
LEAST_SCORE = 0.4
"""Presidio's own confidence, 0..1: a number that is a phone number by its form has 0.4, a checked one 1.0."""

CHUNK_CHARS = 50_000
"""A text is looked at in stretches of so many characters: the cost of some expressions grows faster than the text."""

OVERLAP_CHARS = 200
"""What two stretches share, so that nothing is cut in two."""


class _Result(Protocol):
    entity_type: str
    start: int
    end: int


class PersonalData:
    """The Recogniser over Presidio: mail addresses, telephone, card, account and identity numbers, IP addresses."""

    mark = "personal"

    def find(self, text: str) -> Iterable[PersonalDataSpan]:
        """What stands in the text, in stretches."""
        step = CHUNK_CHARS - OVERLAP_CHARS
        for start in range(0, max(1, len(text) - OVERLAP_CHARS), step):
            for result in _analyse(text[start : start + CHUNK_CHARS]):
                yield PersonalDataSpan(
                    start=start + result.start, end=start + result.end, kind=result.entity_type.lower()
                )


def recogniser_named(name: str) -> Recogniser:
    """The recogniser of this name. Raises InvalidPolicy for an unknown one, InputError when its extra is missing."""
    if name != PRESIDIO:
        raise InvalidPolicy(f"recogniser of personal data {name!r}", f"choose {PRESIDIO!r}")
    try:
        _analyser()
    except ImportError as error:
        remedy = "install the extra: pip install 'dissolution-fleet[pii]'"
        raise InputError(f"recogniser of personal data {name!r} is not installed", remedy) from error
    return PersonalData()


def recognisers_of(rules: IntakeRules, policy: Policy | None = None) -> tuple[Recogniser, ...]:
    """Who looks at turns before they are stored: a tenant's own patterns first, then what rules and policy name.

    Raises InputError, InvalidPolicy.
    """
    wanted = (rules.personal_data, None if policy is None else policy.personal_data)
    named = tuple(recogniser_named(name) for name in dict.fromkeys(wanted) if name is not None)
    return (ExtraPatterns(rules.patterns), *named) if rules.patterns else named


def _analyse(text: str) -> list[_Result]:
    analyser = _analyser()
    return cast("list[_Result]", analyser.analyze(text=text, language="en", score_threshold=LEAST_SCORE))


@cache
def _analyser() -> Any:  # noqa: ANN401 - presidio's classes are loaded on first use
    """Presidio with its pattern recognisers alone, over a pipeline without a model; nothing is downloaded."""
    import importlib

    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    predefined = importlib.import_module("presidio_analyzer.predefined_recognizers")
    suffixes = importlib.import_module("tldextract").TLDExtract(suffix_list_urls=(), cache_dir=None)

    class Mail(predefined.EmailRecognizer):
        """Presidio's own asks the network for the newest list of domains; the list in the package is enough."""

        def validate_result(self, pattern_text: str) -> bool:
            return bool(suffixes(pattern_text).top_domain_under_public_suffix)

    class Blank(SpacyNlpEngine):
        """Splits words and knows nothing else."""

        def __init__(self) -> None:
            super().__init__(models=[{"lang_code": "en", "model_name": "blank"}])
            self.nlp = {"en": spacy.blank("en")}

    names = ("PhoneRecognizer", "CreditCardRecognizer", "IbanRecognizer", "IpRecognizer", "UsSsnRecognizer")
    recognisers = [Mail(), *(getattr(predefined, name)() for name in names)]
    registry = RecognizerRegistry(recognizers=recognisers)
    return AnalyzerEngine(registry=registry, nlp_engine=Blank(), supported_languages=["en"])
