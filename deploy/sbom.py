"""The bill of materials of a deployment, in CycloneDX 1.6: every package with its hashes, licence and who asks for it.

usage: python -m deploy.sbom [FILE]

It is made from what is locked, for the environment of the image, and validated before it is written; FILE is
out/sbom.cdx.json when left out. Debian's packages are not in it: they come with the base image, which is named with its
digest.
"""

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from deploy.licences import licence_of
from deploy.locked import IMAGE, PROJECT, REQUIREMENTS, ROOT, Pin, base_image, pins_of, project_version

DEFAULT = ROOT / "out" / "sbom.cdx.json"


class InvalidBillError(Exception):
    """A bill of materials that the schema of CycloneDX refuses."""


def bill_of_materials(pins: Mapping[str, Pin], image: str, version: str, at: datetime) -> Mapping[str, Any]:
    """The bill of a deployment, as its JSON document.

    Args:
        pins: What is locked; what is not installed in the image is left out.
        image: The base image with tag and digest, `name:tag@sha256:…`.
        version: The project's.
        at: When it is made (aware). All else, the serial number too, follows from what is listed.
    """
    held = {name: pin for name, pin in sorted(pins.items()) if pin.holds(IMAGE)}
    base = base_component(image)
    asked: dict[str, list[str]] = {PROJECT: [base["bom-ref"]]}
    for pin in held.values():
        for parent in pin.asked_by:
            asked.setdefault(parent, []).append(address(pin))
    refs = {PROJECT: PROJECT, **{name: address(pin) for name, pin in held.items()}}
    content = "\n".join(f"{pin.name}=={pin.version} {' '.join(pin.hashes)}" for pin in held.values())
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, f'{PROJECT}=={version} {image} {content}')}",
        "version": 1,
        "metadata": {
            "timestamp": at.isoformat(timespec="seconds"),
            "component": {
                "type": "application",
                "bom-ref": PROJECT,
                "name": PROJECT,
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": [*(package(pin) for pin in held.values()), base],
        "dependencies": [
            *({"ref": ref, "dependsOn": sorted(asked.get(name, []))} for name, ref in refs.items()),
            {"ref": base["bom-ref"]},
        ],
    }


def address(pin: Pin) -> str:
    """The package URL of a package, which also names it inside the bill."""
    return f"pkg:pypi/{pin.name}@{pin.version}"


def package(pin: Pin) -> Mapping[str, Any]:
    """One package: its package URL, its licence, and the hashes of the files that may be installed.

    Raises InvalidBillError when its licence is not known.
    """
    licence = licence_of(pin.name)
    if not licence:
        message = f"the licence of {pin.name!r} is not known; install what is locked (`make install`)"
        raise InvalidBillError(message)
    named = {"license": {"name": licence}} if licence.startswith("LicenseRef-") else {"expression": licence}
    files = {
        "type": "distribution",
        "url": address(pin),
        "comment": "SHA-256 of each file that may be installed; one of them is",
        "hashes": [{"alg": "SHA-256", "content": one} for one in pin.hashes],
    }
    return {
        "type": "library",
        "bom-ref": address(pin),
        "name": pin.name,
        "version": pin.version,
        "purl": address(pin),
        "licenses": [named],
        "externalReferences": [files],
    }


def base_component(image: str) -> Mapping[str, Any]:
    """The base image, by tag and digest."""
    tagged, _, digest = image.partition("@sha256:")
    name, _, tag = tagged.partition(":")
    where = f"pkg:oci/{name}@sha256:{digest}?tag={tag}"
    return {
        "type": "container",
        "bom-ref": where,
        "name": name,
        "version": tag,
        "purl": where,
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }


def validate(text: str) -> None:
    """Raise InvalidBillError, with what is wrong, when JSON is no CycloneDX 1.6 in its strict form."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        raise InvalidBillError(str(wrong))


def main(arguments: list[str]) -> int:
    """Write the bill; returns the exit code. Raises InvalidBillError."""
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        sys.stderr.write((__doc__ or "").split("\n\n")[1] + "\n")
        return 2
    file = Path(arguments[0]) if arguments else DEFAULT
    bill = bill_of_materials(pins_of(REQUIREMENTS), base_image(), project_version(), datetime.now(UTC))
    text = json.dumps(bill, indent=2) + "\n"
    validate(text)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(bill['components'])} components in {file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
