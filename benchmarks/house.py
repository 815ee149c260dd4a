"""How the code is laid out: files and lines by room, imports inside rooms, names used twice, words of documentation.

usage: python benchmarks/house.py [REVISION ...]     one column a git revision, then the tree as it is
       python benchmarks/house.py --walk              the files that one replayed job runs through

An arrow is an import between two modules of one room. It runs back when it leads up a floor of the layers contract of
its room (pyproject.toml), or, where a tree has none, when it closes a circle. A name is used again when a class of the
kernel has a namesake in another room. A job's walk counts the files of `workers` in which a function runs between a
job's first claim and its end, a claim's walk those of `prompts`, `consensus`, `frame_agent` and `store`; the job is
a whole conversation of the drill that `make demo` replays, with all stages on. Words are those of docs/, tables and
generated pages included.
"""

import argparse
import ast
import json
import sys
import tempfile
import threading
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, cast

from benchmarks.language_code import unpacked

ROOT = Path(__file__).resolve().parents[1]
CLAIM_ROOMS = ("prompts", "consensus", "frame_agent", "store")
VAGUE = frozenset({"told", "found", "said", "one", "held", "put", "standing"})
DRILL = ROOT / "benchmarks" / "data" / "drills" / "third"


def rooms_of(root: Path) -> tuple[str, ...]:
    """The packages of the product, as the import contracts name them."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return tuple(contracts["root_packages"])


def modules_of(root: Path, room: str) -> dict[str, Path]:
    """The modules of a room by dotted name; migrations are history and are left out."""
    files = (file for file in sorted((root / room).rglob("*.py")) if "migrations" not in file.parts)
    return {".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imports_of(file: Path, known: Iterable[str]) -> set[str]:
    """The modules among `known` that a file imports, wherever in it."""
    names = set(known)
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & names
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & names or {node.module} & names
    return found


def floors_of(root: Path) -> Mapping[str, tuple[str, ...]]:
    """The layers inside each room, the highest first, from the contracts that have one room as their container."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    inside = [one for one in contracts if one["type"] == "layers" and len(one.get("containers", ())) == 1]
    return {one["containers"][0]: tuple(one["layers"]) for one in inside}


def floor_of(module: str, room: str, floors: tuple[str, ...]) -> int | None:
    """The floor of a module, counted from the highest; None for one that the contract does not name."""
    inner = module.removeprefix(f"{room}.")
    return next((n for n, name in enumerate(floors) if inner == name or inner.startswith(f"{name}.")), None)


def circular(arrows: Mapping[str, set[str]]) -> int:
    """Arrows that lead back to where they come from, over any number of others."""

    def reaches(start: str, goal: str) -> bool:
        seen, ahead = {start}, [start]
        while ahead:
            for onward in arrows.get(ahead.pop(), ()):
                if onward == goal:
                    return True
                if onward not in seen:
                    seen.add(onward)
                    ahead.append(onward)
        return False

    return sum(reaches(target, source) for source, targets in arrows.items() for target in targets)


def of_room(root: Path, room: str, floors: tuple[str, ...] | None) -> dict[str, int]:
    """Files, lines, arrows and arrows that run back."""
    modules = modules_of(root, room)
    arrows = {name: imports_of(file, modules) - {name} for name, file in modules.items()}
    if floors is None:
        back = circular(arrows)
    else:
        level = {name: floor_of(name, room, floors) for name in modules}
        pairs = ((level[source], level[target]) for source, targets in arrows.items() for target in targets)
        back = sum(one is not None and other is not None and other < one for one, other in pairs)
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in modules.values())
    return {"files": len(modules), "lines": lines, "arrows": sum(map(len, arrows.values())), "back": back}


def names_of(root: Path, rooms: Iterable[str]) -> dict[str, list[str]]:
    """Which rooms define a class or public function of each name at the top of a module; once a definition."""
    where: defaultdict[str, list[str]] = defaultdict(list)
    for room in rooms:
        for file in modules_of(root, room).values():
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    where[node.name].append(room)
    return where


def counted(root: Path) -> dict[str, str]:
    """The figures of a tree, as the rows of a table."""
    rooms, floors = rooms_of(root), floors_of(root)
    rows: dict[str, str] = {}
    totals: Counter[str] = Counter()
    for room in rooms:
        one = of_room(root, room, floors.get(room))
        totals.update(one)
        rows[room] = f"{one['files']} files, {one['lines']} lines, {one['arrows']} arrows, {one['back']} back"
    rows["product"] = ", ".join(f"{totals[name]} {name}" for name in ("files", "lines", "arrows", "back"))
    names = names_of(root, rooms)
    classes = {name: where for name, where in names.items() if name[:1].isupper()}
    reused = [name for name, where in classes.items() if "dissolution" in where and set(where) != {"dissolution"}]
    rows["kernel class names used again"] = str(len(reused))
    rows["names of nothing in particular"] = str(
        sum(len(where) for name, where in names.items() if name.lower() in VAGUE)
    )
    rows["lines of tests"] = str(lines_of((root / "tests").rglob("*.py")))
    rows["words of docs/"] = str(
        sum(len(page.read_text(encoding="utf-8").split()) for page in (root / "docs").rglob("*.md"))
    )
    return rows


def lines_of(files: Iterable[Path]) -> int:
    """Lines of files together."""
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def of_revision(revision: str) -> dict[str, str]:
    """The figures of a git revision."""
    with unpacked(revision) as root:
        return counted(root)


def walk() -> dict[str, Any]:
    """The files whose functions run in one replayed job with all stages on."""
    from benchmarks.live_drill import main as replay

    talk = json.loads((DRILL / "drill.json").read_text(encoding="utf-8"))["talks"][1]["file"]
    seen: set[str] = set()

    def visit(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    threading.setprofile(visit)
    sys.setprofile(visit)
    try:
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
            replay(["run", "--recorded", str(DRILL), "--results", folder, str(ROOT / talk)])
    finally:
        sys.setprofile(None)
        threading.setprofile(cast("Any", None))
    inside = sorted(name.removeprefix(f"{ROOT}/") for name in seen if name.startswith(f"{ROOT}/"))
    job = [name for name in inside if name.startswith("workers/")]
    claim = [name for name in inside if name.split("/")[0] in CLAIM_ROOMS]
    return {"a job's walk, files of workers": len(job), "a claim's walk, files": len(claim), "files": [*job, *claim]}


def main() -> int:
    """Print one column a tree, or the walk."""
    parser = argparse.ArgumentParser()
    parser.add_argument("revisions", nargs="*")
    parser.add_argument("--walk", action="store_true")
    options = parser.parse_args()
    if options.walk:
        print(json.dumps(walk(), indent=1))
        return 0
    columns = {revision: of_revision(revision) for revision in options.revisions} | {"now": counted(ROOT)}
    rows = dict.fromkeys(name for column in columns.values() for name in column)
    print(f"| | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")
    for name in rows:
        print(f"| {name} | {' | '.join(column.get(name, '–') for column in columns.values())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
