"""How much code reads English by hand: lines, files, patterns, alternatives, and the files a claim walks through.

usage: python benchmarks/language_code.py [REVISION ...]

Counts the tree as it is and every git revision that is named (2d67a33 is the last one before reading went to the
models), all in the same way. A module is language code when it stands in the room of language, or when it compiles a
pattern with words in it or lists eight words or more; a message on one line is no list. Forms of files (intake) and
secrets read no English and are counted apart, and so are the surprise estimators. Patterns are those that a module
holds when it is imported; an alternative is what stands between two bars, at any depth. A walk counts how often the
reading of one claim goes from one file of language code into another.
"""

import ast
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1] if "__file__" in globals() else Path.cwd()
ROOMS = ("language", "wording", "consensus", "frame_agent", "probe", "triggers", "prompts", "stability", "fleet")
APART = re.compile(
    r"^(?:(?:language|wording)/(?:intake/|secret|extra_patterns|surprise|recognised|detection)|fleet/(?:scrub|neutral)\.)"
)
WORD = re.compile(r"(?<![\\\w])[a-z]{3,}")
PLAIN = re.compile(r"[a-z]+")
LEAST_WORDS = 8
LEAST_IN_PATTERN = 3
LONGEST = 20
CLAIM = "We agreed on 14 May that the nightly export must not run longer than 45 minutes, unless Ravi says otherwise."
OTHER = "The nightly export may run 90 minutes."


def constants(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    plain = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in plain:
            yield node.value


def reads_english(path: Path) -> bool:
    """Whether a module holds a pattern or a list of English words."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    split = {
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "split" and isinstance(node.value, ast.Constant)
    }
    for text in constants(tree):
        words = WORD.findall(text)
        if "|" in text and len(words) >= LEAST_IN_PATTERN and re.search(r"\\b|\\s|\(\?:|\\ ", text):
            return True
        lists = "\n" in text or text in split
        if lists and len(words) >= LEAST_WORDS and text.islower() and not re.search(r"[.:,(){}%/_]", text):
            return True
    listed = (node.elts for node in ast.walk(tree) if isinstance(node, ast.List | ast.Tuple | ast.Set))
    return any(sum(map(is_word, elements)) >= LEAST_WORDS for elements in listed)


def is_word(node: ast.expr) -> bool:
    """Whether an element of a list is a word in lower case."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and PLAIN.fullmatch(node.value) is not None


def modules(root: Path) -> tuple[list[Path], list[Path]]:
    """The modules of language code, and those of the language room that are counted apart."""
    found: list[Path] = []
    apart: list[Path] = []
    for path in sorted(path for room in ROOMS for path in (root / room).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if APART.match(name):
            apart.append(path)
        elif name.startswith(("language/", "wording/")) or reads_english(path):
            found.append(path)
    return found, apart


def patterns_of(value: object, depth: int = 3) -> Iterator[re.Pattern[str]]:
    """The patterns in a value, collections included."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, tuple | list | set | frozenset):
        for one in value:  # pyright: ignore[reportUnknownVariableType] - anything may stand in a module
            yield from patterns_of(one, depth - 1)  # pyright: ignore[reportUnknownArgumentType]
    elif depth and isinstance(value, dict):
        for one in value.values():  # pyright: ignore[reportUnknownVariableType]
            yield from patterns_of(one, depth - 1)  # pyright: ignore[reportUnknownArgumentType]


def walk(files: set[str]) -> list[str]:
    """The files of language code that the reading of one claim goes through, in order, repeats included."""
    seen: list[str] = []

    def note(frame: Any, event: str, _argument: object) -> None:  # noqa: ANN401 - a frame
        name = frame.f_code.co_filename
        if event == "call" and name in files and (not seen or seen[-1] != name):
            seen.append(name)

    profile = import_module("consensus.wording.profile").profile_of
    vetoes = import_module("consensus.wording.typed_floor").vetoes
    try:
        put = import_module("frame_agent.register.premises").sentences_of
    except ModuleNotFoundError:
        put = import_module("frame_agent.extraction").propositions
    turn = import_module("tests.factories").a_turn(1, CLAIM)
    sys.setprofile(note)
    try:
        vetoes(profile(CLAIM), profile(OTHER))
        put(turn)
    finally:
        sys.setprofile(None)
    return seen


def counted(root: Path) -> dict[str, Any]:
    """The figures of one tree; run with that tree as the place of imports."""
    found, apart = modules(root)
    patterns: list[re.Pattern[str]] = []
    for path in found:
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        module = import_module(name)
        own = {key: value for key, value in vars(module).items() if not key.startswith("__")}
        patterns += [one for value in own.values() for one in patterns_of(value)]
    once = {(one.pattern, one.flags): one for one in patterns}.values()
    bars = sorted(one.pattern.count("|") + 1 for one in once)
    steps = walk({str(path) for path in found})
    return {
        "files": len(found),
        "lines": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in found),
        "files apart": len(apart),
        "lines apart": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in apart),
        "patterns": len(bars),
        f"patterns over {LONGEST} alternatives": sum(count > LONGEST for count in bars),
        "most alternatives": bars[-1],
        "files a claim walks through": len(set(steps)),
        "visits": len(steps),
        "by room": {
            room: sum(
                len(p.read_text(encoding="utf-8").splitlines()) for p in found if p.relative_to(root).parts[0] == room
            )
            for room in ROOMS
        },
    }


def of_tree(root: Path) -> dict[str, Any]:
    """The figures of a tree, by a process of its own: modules of two trees have the same names."""
    code = (
        f"import sys; sys.path[:0] = [{str(root)!r}]; sys.argv = ['-', '--tree', {str(root)!r}]; "
        f"__name__ = '__main__'; exec(open({str(Path(__file__))!r}).read())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)  # noqa: S603 - ourselves
    return json.loads(done.stdout)


@contextmanager
def unpacked(revision: str) -> Generator[Path]:
    """Within the block the files of a git revision lie in a folder. Raises CalledProcessError where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", revision], capture_output=True, check=True, cwd=ROOT)  # noqa: S603, S607 - the revision is asked for
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)  # noqa: S603, S607
        yield Path(folder).resolve()


def of_revision(revision: str) -> dict[str, Any]:
    """The figures of a git revision."""
    with unpacked(revision) as root:
        return of_tree(root)


def main() -> int:
    """Print one column a tree."""
    if sys.argv[1:2] == ["--tree"]:
        print(json.dumps(counted(Path(sys.argv[2]))))
        return 0
    columns = {revision: of_revision(revision) for revision in sys.argv[1:]} | {"now": of_tree(ROOT)}
    print(f"| | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")
    for name in columns["now"]:
        print(f"| {name} | {' | '.join(str(column[name]) for column in columns.values())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
