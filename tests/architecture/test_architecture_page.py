"""The page on the architecture tells what is so: its files and functions exist, its stages are the pipeline's."""

import ast
import re

from tests.architecture.project import ROOT, tree
from workers.pipeline import STAGES
from workers.stage_functions import LOADERS

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FILE = r"((?:[\w-]+/)+[\w-]+\.\w+)"
ROW = re.compile(rf"^(\d+)\. `(\w+)`(.*?): (.+) \(`{FILE}`, `(\w+)`\)$", re.MULTILINE)


def test_every_file_that_the_page_names_exists() -> None:
    named = set(re.findall(rf"`{FILE}`", PAGE))
    assert len(named) > 10
    assert [file for file in sorted(named) if not (ROOT / file).is_file()] == []


def test_every_function_stands_in_the_file_that_is_named_before_it() -> None:
    pairs = re.findall(rf"`{FILE}`, `(\w+)`", PAGE)
    assert len(pairs) > len(STAGES)
    wrong = [
        (file, function)
        for file, function in pairs
        if function
        not in {
            node.name
            for node in ast.walk(tree(ROOT / file))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
    ]
    assert wrong == []


def test_its_stages_are_those_of_the_pipeline_in_running_order() -> None:
    told = [
        (number, name, re.findall(r"`(\w+)`", after), meaning, file, function)
        for number, name, after, meaning, file, function in ROW.findall(PAGE)
    ]
    assert told == [
        (
            str(number),
            stage.name,
            list(stage.after),
            stage.meaning,
            LOADERS[stage.name]().__module__.replace(".", "/") + ".py",
            LOADERS[stage.name]().__name__,
        )
        for number, stage in enumerate(STAGES, start=1)
    ]


def test_a_claim_is_followed_in_running_order() -> None:
    followed = re.findall(r"^\d+\. \*\*`(\w+)`\.\*\*", PAGE, re.MULTILINE)
    names = [stage.name for stage in STAGES]
    assert followed == [name for name in names if name in followed]
    assert {"fan_out", "parse", "consensus", "gate", "commit"} <= set(followed)
