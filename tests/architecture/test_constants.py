"""A set of an enum's members that means one thing is written once, and the kernel's is the one that is used."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import cast

from tests.architecture.project import ROOT, module_name, shown, sources, tree


def members_of(node: ast.expr) -> frozenset[str]:
    """The members that a display lists, as `Class.MEMBER`; empty unless it lists two or more, all of one enum."""
    if not isinstance(node, ast.Set | ast.Tuple | ast.List):
        return frozenset()
    named = [
        (one.value.id, one.attr)
        for one in node.elts
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.attr.isupper()
    ]
    if len(named) < len(node.elts) or len({kind for kind, _ in named}) != 1 or len(set(named)) < 2:
        return frozenset()
    return frozenset(f"{kind}.{member}" for kind, member in named)


def sets_in(code: ast.AST) -> Iterator[tuple[int, frozenset[str]]]:
    """The sets of members of enums that code writes down, but for the rows of a table, each of which is an entry."""
    rows = {
        id(inner)
        for node in ast.walk(code)
        if isinstance(node, ast.Dict)
        for value in node.values
        for inner in ast.walk(value)
    }
    for node in ast.walk(code):
        places: list[ast.expr] = []
        if isinstance(node, ast.Set):
            places = [node]
        elif isinstance(node, ast.Compare):
            places = [side for side in node.comparators if not isinstance(side, ast.Set)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"set", "frozenset"}:
            places = [side for side in node.args if not isinstance(side, ast.Set)]
        for place in places:
            if id(place) not in rows and (found := members_of(place)):
                yield place.lineno, found


def kernel_sets() -> dict[frozenset[str], set[str]]:
    """The sets of members that the kernel has a name for, however it puts them together: where and as what."""
    found = defaultdict[frozenset[str], set[str]](set)
    for file in sources():
        if file.relative_to(ROOT).parts[0] != "dissolution":
            continue
        module = import_module(module_name(file))
        for name, value in vars(module).items():
            members = cast("frozenset[object]", value) if isinstance(value, frozenset) else frozenset[object]()
            named = frozenset(f"{type(one).__name__}.{one.name}" for one in members if isinstance(one, Enum))
            if len(named) == len(members) > 0:
                found[named].add(name)
    return found


def test_the_kernel_has_one_name_for_each_set() -> None:
    assert {members: names for members, names in kernel_sets().items() if len(names) > 1} == {}


def test_no_set_of_members_is_written_twice() -> None:
    written = defaultdict[frozenset[str], list[str]](list)
    for file in sources():
        for line, members in sets_in(tree(file)):
            written[members].append(f"{shown(file)}:{line}")
    named = kernel_sets()
    again = {
        " ".join(sorted(members)): places
        for members, places in written.items()
        if len(places) > 1 or (members in named and not all(place.startswith("dissolution/") for place in places))
    }
    assert again == {}


def test_a_second_definition_is_found(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(
        "ONE = frozenset({Section.DECIDED, Section.IDENTITY})\n"
        "def two(claim): return claim.section in (Section.IDENTITY, Section.DECIDED)\n"
        "TABLE = {1: {Section.DECIDED, Section.IDENTITY}}\n"
        "MIXED = {Section.DECIDED, Mark.PINNED}\n"
    )
    binding = frozenset({"Section.DECIDED", "Section.IDENTITY"})
    assert list(sets_in(tree(planted))) == [(1, binding), (2, binding)]
    assert kernel_sets()[binding] == {"BINDING_SECTIONS"}
