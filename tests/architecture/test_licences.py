"""Every dependency has a known licence, none of a denied kind, and THIRD_PARTY_LICENCES.md lists what is locked."""

import importlib.metadata
import re
from collections.abc import Mapping
from typing import Any, cast

import pytest

from deploy.licences import ELSEWHERE, EXEMPT, READ, declared, forbidden, is_denied, is_spdx, licence_of, licences
from deploy.locked import CONSTRAINTS, IMAGE, REQUIREMENTS, pins_of
from tests.architecture.project import ROOT

ROW = re.compile(r"^\| ([\w-]+) \| (\S+) \| ([^|]+) \| (image|development) \|$", re.MULTILINE)


def listed() -> Mapping[str, tuple[str, str, str]]:
    page = (ROOT / "THIRD_PARTY_LICENCES.md").read_text(encoding="utf-8")
    return {name: (version, licence, where) for name, version, licence, where in ROW.findall(page)}


def test_the_page_lists_every_locked_package_at_its_version() -> None:
    deployed = pins_of(REQUIREMENTS)
    assert {name: (version, where) for name, (version, _, where) in listed().items()} == {
        name: (pin.version, "image" if name in deployed else "development")
        for name, pin in pins_of(CONSTRAINTS).items()
    }, "run `make lock`, then `make docs`"


def test_no_listed_licence_is_of_a_denied_kind() -> None:
    assert forbidden({name: licence for name, (_, licence, _) in listed().items()}) == []
    assert forbidden(licences()) == []


def test_every_exemption_is_needed_and_has_its_reason() -> None:
    assert [name for name in EXEMPT if not is_denied(licence_of(name))] == []
    assert all(EXEMPT.values())
    assert set(EXEMPT) <= set(listed()), "what is no dependency any more needs no exemption"


def test_what_is_written_down_is_about_dependencies_and_what_their_metadata_leaves_open() -> None:
    assert set(READ) | set(ELSEWHERE) <= set(pins_of(CONSTRAINTS))
    assert [one for one in (*READ.values(), *ELSEWHERE.values()) if not is_spdx(one)] == []
    plain = {
        name: expression
        for name in READ
        if (expression := declared(cast("Mapping[str, Any]", importlib.metadata.metadata(name).json)))
    }
    assert {name: said for name, said in plain.items() if said != READ[name]} == {}, "the package says it now itself"


def test_what_is_written_down_for_other_machines_is_not_what_every_machine_has() -> None:
    varies = {"setuptools", "triton"}  # of one Python, or of one build of torch
    pins = pins_of(CONSTRAINTS)
    always = [name for name in ELSEWHERE if pins[name].holds(IMAGE) and not name.startswith(("nvidia-", "cuda-"))]
    assert set(always) <= varies


@pytest.mark.parametrize(
    ("expression", "denied"),
    [
        ("MIT", False),
        ("Apache-2.0 AND MIT", False),
        ("LGPL-3.0-only", False),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", False),
        ("GPL-3.0-or-later WITH GCC-exception-3.1", False),
        ("Apache-2.0 WITH LLVM-exception", False),
        ("GPL-2.0-only OR MIT", False),
        ("GPL-3.0-only", True),
        ("GPL-2.0-only WITH Classpath-exception-2.0", True),
        ("AGPL-3.0-or-later", True),
        ("MIT AND GPL-2.0-only", True),
        ("SSPL-1.0", True),
        ("BUSL-1.1", True),
        ("Elastic-2.0", True),
        ("CC-BY-NC-4.0", True),
        ("LicenseRef-NVIDIA-Proprietary", True),
        ("MIT AND LicenseRef-Something", True),
        ("", True),
    ],
)
def test_a_denied_kind_is_found_in_every_form(expression: str, denied: bool) -> None:  # noqa: FBT001 - the expected value
    assert is_denied(expression) is denied
    assert forbidden({"planted": expression}) == ([f"planted: {expression or 'no licence is known'}"] if denied else [])


def test_what_is_no_licence_is_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"'BSDish'"):
        is_denied("BSDish")


@pytest.mark.parametrize(
    ("told", "expression"),
    [
        ({"license_expression": "MIT OR Apache-2.0", "license": "BSD"}, "MIT OR Apache-2.0"),
        ({"license": "Apache License, Version 2.0"}, "Apache-2.0"),
        ({"license": "BSD", "classifier": ["License :: OSI Approved :: BSD License"]}, ""),
        ({"license": "UNKNOWN", "classifier": ["License :: OSI Approved :: MIT License"]}, "MIT"),
        (
            {
                "classifier": [
                    "License :: OSI Approved :: MIT License",
                    "License :: OSI Approved :: ISC License (ISCL)",
                ]
            },
            "",
        ),
        ({}, ""),
    ],
)
def test_metadata_is_read_and_what_is_not_plain_is_left_to_a_reader(told: Mapping[str, Any], expression: str) -> None:
    assert declared(told) == expression
