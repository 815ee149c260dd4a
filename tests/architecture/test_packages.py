import ast
import importlib
import importlib.metadata
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, TOOLS, configuration, module_name, roots, shown, sources, tree

DISTRIBUTION = "dissolution-fleet"


@pytest.mark.parametrize("root", roots())
def test_no_other_distribution_provides_our_name(root: str) -> None:
    providers = set(importlib.metadata.packages_distributions().get(root, ()))
    assert providers <= {DISTRIBUTION}
    module = importlib.import_module(root)
    assert module.__file__ is not None
    assert Path(module.__file__).resolve() == ROOT / root / "__init__.py"


def test_every_folder_with_code_is_a_listed_root() -> None:
    others = {"tests", "benchmarks", "deploy", "docs", "examples", "out"}
    folders = {folder.name for folder in ROOT.iterdir() if folder.is_dir() and any(folder.glob("*.py"))}
    assert folders - others == {TOOLS, *roots()}
    linter = configuration()["tool"]["importlinter"]
    assert set(linter["root_packages"]) == {TOOLS, *roots()}
    layers = next(contract for contract in linter["contracts"] if contract["id"] == "rooms")["layers"]
    assert {name for layer in layers for name in layer.split(" | ")} == {TOOLS, *roots()}


@pytest.mark.parametrize("file", [file for file in sources() if file.name == "__init__.py"], ids=shown)
def test_package_files_import_nothing(file: Path) -> None:
    imports = [node for node in ast.walk(tree(file)) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert imports == []
    assert ast.get_docstring(tree(file)), "say in a line what the package is"


@pytest.mark.parametrize("root", roots())
def test_every_folder_with_modules_is_a_package(root: str) -> None:
    folders = {file.parent for file in (ROOT / root).rglob("*.py") if "versions" not in file.parts}
    assert [shown(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("folder", ["tests"])
def test_test_folders_are_packages_at_every_level(folder: str) -> None:
    folders = {parent for file in (ROOT / folder).rglob("test_*.py") for parent in file.relative_to(ROOT).parents}
    missing = [str(one) for one in folders if str(one) != "." and not (ROOT / one / "__init__.py").exists()]
    assert missing == []


@pytest.mark.parametrize("file", sources(), ids=shown)
def test_every_public_name_has_a_docstring(file: Path) -> None:
    assert ast.get_docstring(tree(file)), "a module says what it is for"
    missing = [
        node.name
        for node in tree(file).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
        and "migrations" not in file.parts
    ]
    assert missing == [], module_name(file)
