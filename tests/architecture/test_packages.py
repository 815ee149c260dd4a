import ast
import importlib
import importlib.metadata
from pathlib import Path

from tests.architecture.project import ROOT, TOOLS, configuration, module_name, roots, shown, sources, tree

DISTRIBUTION = "dissolution-fleet"


def test_no_other_distribution_provides_our_name() -> None:
    providers = importlib.metadata.packages_distributions()
    assert {root: there for root in roots() if (there := set(providers.get(root, ())) - {DISTRIBUTION})} == {}
    files = {root: importlib.import_module(root).__file__ for root in roots()}
    ours = {root: str(ROOT / root / "__init__.py") for root in roots()}
    assert {root: str(Path(file or "").resolve()) for root, file in files.items()} == ours


def test_every_folder_with_code_is_a_listed_root() -> None:
    others = {"tests", "benchmarks", "deploy", "docs", "examples", "out"}
    folders = {folder.name for folder in ROOT.iterdir() if folder.is_dir() and any(folder.glob("*.py"))}
    assert folders - others == {TOOLS, *roots()}
    linter = configuration()["tool"]["importlinter"]
    assert set(linter["root_packages"]) == {TOOLS, *roots()}
    layers = next(contract for contract in linter["contracts"] if contract["id"] == "rooms")["layers"]
    assert {name for layer in layers for name in layer.split(" | ")} == {TOOLS, *roots()}


def test_package_files_import_nothing() -> None:
    assert [
        f"{shown(file)}:{node.lineno}"
        for file in sources()
        if file.name == "__init__.py"
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ] == []


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {file.parent for file in sources() if "versions" not in file.parts}
    assert [shown(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_test_folders_are_packages_at_every_level() -> None:
    folders = {parent for file in (ROOT / "tests").rglob("test_*.py") for parent in file.relative_to(ROOT).parents}
    missing = [str(one) for one in folders if str(one) != "." and not (ROOT / one / "__init__.py").exists()]
    assert missing == []


def test_every_module_and_every_public_name_has_a_docstring() -> None:
    assert [shown(file) for file in sources() if not ast.get_docstring(tree(file))] == []
    assert [
        f"{module_name(file)}.{node.name}"
        for file in sources()
        if "migrations" not in file.parts
        for node in tree(file).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ] == []
