import copy
import inspect
import json
import pickle
import re
from collections import Counter

from dissolution import errors
from dissolution.errors import DissolutionError

ARGUMENTS = {str: "words", int: 3, float | None: 2.5}


def every_error(base: type[DissolutionError] = DissolutionError) -> list[type[DissolutionError]]:
    """The tree depth first, in the order of the file."""
    children = [child for child in base.__subclasses__() if child.__module__ == errors.__name__]
    return [base, *(error for child in children for error in every_error(child))]


def an_error(kind: type[DissolutionError]) -> DissolutionError:
    """One with an argument of the right type at every place."""
    if kind.__init__ is Exception.__init__:
        return kind("words")
    parameters = list(inspect.signature(kind.__init__, eval_str=True).parameters.values())[1:]
    return kind(*(ARGUMENTS[parameter.annotation] for parameter in parameters))


def test_picture_equals_classes() -> None:
    drawn: list[tuple[str, str]] = []
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"^((?:│   |    )*)(?:[├└]── )?(\w+)(?:\s{2,}\S.*)?$", line)
        if found is None:
            continue
        depth = 0 if line.startswith("Dissolution") else len(found[1]) // 4 + 1
        above[depth:] = [found[2]]
        drawn.append((found[2], above[depth - 1] if depth else "Exception"))
    classes = [(error.__name__, error.__bases__[0].__name__) for error in every_error()]
    assert drawn == classes


def test_every_leaf_of_the_picture_says_who_or_what() -> None:
    lines = [line for line in (errors.__doc__ or "").splitlines() if "── " in line]
    assert len(lines) == len(every_error()) - 1
    assert all(re.search(r"\w {2,}\S", line) for line in lines)


def contents(error: Exception) -> tuple[object, ...]:
    """All that one error has which another of its class may have otherwise."""
    return type(error), error.args, vars(error), str(error)


def changed_on_the_wire(error: Exception) -> list[str]:
    """The ways to carry an error that do not bring it back as it was."""
    carried = {
        "pickle": pickle.loads(pickle.dumps(error)),  # noqa: S301 - our own bytes
        "copy": copy.copy(error),
        "deepcopy": copy.deepcopy(error),
        "json": type(error)(*json.loads(json.dumps(error.args))),  # as Celery's JSON results are read back
    }
    return [how for how, back in carried.items() if contents(back) != contents(error)]


class Forgetful(Exception):
    """An error that keeps its argument to itself."""

    def __init__(self, place: str) -> None:
        super().__init__(f"lost in {place}")


def test_every_error_survives_the_wire() -> None:
    lost = {kind.__name__: changed_on_the_wire(an_error(kind)) for kind in every_error()}
    assert {name: how for name, how in lost.items() if how} == {}


def test_an_error_that_does_not_survive_would_be_found() -> None:
    assert changed_on_the_wire(Forgetful("Rome")) == ["pickle", "copy", "deepcopy", "json"]


def test_every_error_has_a_code_of_its_own() -> None:
    codes = Counter(kind.code for kind in every_error())
    assert [kind.__name__ for kind in every_error() if codes[kind.code] > 1] == []


def test_every_error_has_a_docstring_and_positional_arguments() -> None:
    assert [kind.__name__ for kind in every_error() if not kind.__doc__] == []
    assert [
        f"{kind.__name__}: {parameter.name}"
        for kind in every_error()
        for parameter in inspect.signature(kind.__init__).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ] == []
