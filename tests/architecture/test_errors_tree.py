import copy
import inspect
import json
import pickle
import re

import pytest

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


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_survives_the_wire(kind: type[DissolutionError]) -> None:
    error = an_error(kind)
    over_json = type(error)(*json.loads(json.dumps(error.args)))  # as Celery's JSON results are read back
    for back in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error), over_json):  # noqa: S301 - our own bytes
        assert type(back) is kind
        assert back.args == error.args
        assert vars(back) == vars(error)
        assert str(back) == str(error)


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_has_a_code_of_its_own_and_a_docstring(kind: type[DissolutionError]) -> None:
    assert kind.__doc__
    assert [other for other in every_error() if other.code == kind.code] == [kind] or kind.__name__ == "MemberError"
    signature = inspect.signature(kind.__init__)
    assert all(parameter.kind is not parameter.KEYWORD_ONLY for parameter in signature.parameters.values())
