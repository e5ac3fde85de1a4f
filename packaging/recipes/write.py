#!/usr/bin/env python3
"""Fills the recipes of this folder for a release: its version, the addresses of its archives and of the project, and the checksum of the sources.

    write.py VERSION URL ARCHIVE FOLDER [HOMEPAGE [MAINTAINER...]]

FOLDER gets spack, easybuild, nix and conda; ARCHIVE: callsign-VERSION.tar.xz; HOMEPAGE: URL if there is none; MAINTAINER: an account on GitHub.
"""
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAMES = {"easybuild/callsign.eb": "easybuild/callsign-@VERSION@-gompi-2025b.eb"}  # EasyBuild finds files by name, version and toolchain


def main():
    version, url, archive, folder, *more = sys.argv[1:]
    values = {"@VERSION@": version, "@URL@": url.rstrip("/"), "@HOMEPAGE@": (more or [url])[0],
              "@SHA256@": hashlib.sha256(pathlib.Path(archive).read_bytes()).hexdigest(), "@MAINTAINERS@": ", ".join(f'"{name}"' for name in more[1:])}

    def filled(text):
        for name, value in values.items():
            text = text.replace(name, value)
        return text

    for source in sorted(HERE.glob("*/*")):
        name = source.relative_to(HERE).as_posix()
        out = pathlib.Path(folder) / filled(NAMES.get(name, name))
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(filled(source.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
