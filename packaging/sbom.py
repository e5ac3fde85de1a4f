#!/usr/bin/env python3
"""Writes the bill of materials of a release (SPDX 2.3, JSON) to standard output.

    sbom.py VERSION VERSIONS PACKAGE_LOCK ARCHIVE...

VERSIONS: the file of scripts/static-libraries with the libraries that are linked in. PACKAGE_LOCK: package-lock.json of the page. ARCHIVE: the
archives of the release. SOURCE_DATE_EPOCH is its time. https://spdx.github.io/spdx-spec/v2.3 describes the format.
"""
import datetime
import hashlib
import json
import os
import pathlib
import sys

LICENCES = {
    "elfutils": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libunwind": "MIT",
    "ncurses": "X11-distribute-modifications-variant",
    "sqlite3": "blessing",
    "uthash": "BSD-1-Clause",
    "xz-utils": "LicenseRef-public-domain",
    "zlib": "Zlib",
}
OWN = "BSD-3-Clause"
HOME = "https://callsign.invalid"  # no address is promised: the name space of the document only has to be unique


def identifier(name):
    return "SPDXRef-" + "".join(c if c.isalnum() or c in ".-" else "-" for c in name)


def package(name, version, licence, **more):
    return {
        "SPDXID": identifier(name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **more,
    }


def archive_package(path, version):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return package(path.name, version, OWN, packageFileName=path.name, primaryPackagePurpose="ARCHIVE",
                   checksums=[{"algorithm": "SHA256", "checksumValue": digest}])


def linked_packages(versions):
    for line in pathlib.Path(versions).read_text().splitlines():
        name, version = line.split()
        yield package(name, version, LICENCES[name], primaryPackagePurpose="LIBRARY")


def page_packages(lock):
    """The packages whose code is in the page: not those that only bundle it."""
    for path, entry in json.loads(pathlib.Path(lock).read_text())["packages"].items():
        if path and not entry.get("dev"):
            name = path.removeprefix("node_modules/")
            yield package(name, entry["version"], entry["license"], primaryPackagePurpose="LIBRARY", externalRefs=[
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:npm/{name}@{entry['version']}"}])


def relation(one, kind, other):
    return {"spdxElementId": one["SPDXID"], "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}


def document(version, versions, lock, archives):
    own = package("callsign", version, OWN, primaryPackagePurpose="APPLICATION", supplier="Organization: The callsign developers")
    linked, page = list(linked_packages(versions)), list(page_packages(lock))
    packed = [archive_package(pathlib.Path(path), version) for path in archives]
    digests = "".join(one["checksums"][0]["checksumValue"] for one in packed)
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    root = {"SPDXID": "SPDXRef-DOCUMENT"}
    relations = [relation(root, "DESCRIBES", one) for one in packed]
    for one in packed:
        relations.append(relation(one, "CONTAINS", own))
        relations += [relation(one, "CONTAINS", other) for other in page]
        if "-linux-" in one["name"]:
            relations += [relation(one, "STATIC_LINK", other) for other in linked]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        **root,
        "name": f"callsign-{version}",
        "documentNamespace": f"{HOME}/spdx/callsign-{version}-{hashlib.sha256(digests.encode()).hexdigest()[:32]}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: callsign-sbom", "Organization: The callsign developers"]},
        "hasExtractedLicensingInfos": [
            {"licenseId": "LicenseRef-public-domain", "name": "public domain", "extractedText": "The authors put liblzma into the public domain."}],
        "packages": [own, *packed, *linked, *page],
        "relationships": relations,
    }


def main():
    version, versions, lock, *archives = sys.argv[1:]
    json.dump(document(version, versions, lock, archives), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
