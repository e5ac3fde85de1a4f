"""Source packages of Debian and what derives from it, fetched by apt-get into a folder, with lists of its own: what the machine has installed,
and what apt knows, stay as they are."""

import functools
import pathlib
import re
import subprocess
import sys
import tarfile

import bounded

BUILD_SECONDS = 3600
DISTRIBUTIONS = ("Debian", "Ubuntu")


class Missing(Exception):
    """It is not to be had here; the text says why."""


def run(words, **options):
    """Runs a command with all its output in a log, whose end goes into the exception if it fails."""
    log = options.pop("log")
    with open(log, "ab") as file:
        try:
            code = bounded.run([str(word) for word in words], BUILD_SECONDS, stdin=subprocess.DEVNULL, stdout=file, stderr=file, **options).returncode
        except FileNotFoundError as error:
            raise Missing(f"there is no {error.filename} here") from error
    if code != 0:
        tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:]
        raise Missing(f"{words[0]} ended with {code} (log: {log}): {' | '.join(tail)}")


def source_lines():
    """This machine's package mirrors, as lines for source packages."""
    found = bounded.run(["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"],
                        capture_output=True, text=True).stdout
    lines = [line.split() for line in found.splitlines()]
    return sorted({f"deb-src {' '.join(words[1:])}\n" for words in lines if len(words) == 4 and words[0] in DISTRIBUTIONS})


def apt(folder, program, *words):
    """Runs apt-get or apt-cache, whose output goes into a log, with lists of our own."""
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text("".join(source_lines()))
    options = {"Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "-", "Dir::State::lists": lists,
               "Dir::Cache::srcpkgcache": "", "Dir::Cache::pkgcache": "", "APT::Sandbox::User": "root"}
    run([program, *(f"-o{name}={value}" for name, value in options.items()), *words], cwd=folder, log=folder / "apt.log")


def versions(package, folder):
    """Those that the lists have, the newest first: of a release, its updates and its security updates."""
    log = folder / "apt.log"
    begin = log.stat().st_size
    apt(folder, "apt-cache", "showsrc", "--only-source", package)
    found = re.findall(r"^Version: (\S+)$", log.read_bytes()[begin:].decode(errors="replace"), re.M)
    return sorted(set(found), key=functools.cmp_to_key(compare_versions), reverse=True)


def compare_versions(one, other):
    return -1 if bounded.run(["dpkg", "--compare-versions", one, "lt", other], BUILD_SECONDS).returncode == 0 else 1


def fetch(package, folder):
    """A version may be in the lists that the archive no longer has: then an older one is taken."""
    if not source_lines():
        raise Missing("apt-get knows no packages of Debian here")
    print(f"fetching the source of {package}", file=sys.stderr, flush=True)
    apt(folder, "apt-get", "update")
    reason = "no version of it is known"
    for version in versions(package, folder):
        try:
            return apt(folder, "apt-get", "--download-only", "source", f"{package}={version}")
        except Missing as missing:
            reason = missing
    raise Missing(f"the source of {package} is not to be had, and {folder} has no {package}_VERSION.orig.tar.*: {reason}")


def original(package, folder):
    """The archive of the package's authors, fetched once; one that somebody has put there is as good."""
    folder.mkdir(parents=True, exist_ok=True)
    pattern = f"{package}_*.orig.tar.*[!c]"
    if not any(folder.glob(pattern)):
        fetch(package, folder)
    found = sorted(folder.glob(pattern))
    if not found:
        raise Missing(f"no original archive of {package} in {folder}")
    return found[-1]


def unpack(package, inside, archives, folder):
    """Only what is below the folder `inside` of the package, fetched if need be, once. Times are kept: make goes by them."""
    done = folder / ".unpacked"
    if done.exists():
        return
    with tarfile.open(original(package, archives)) as file:
        for member in file:
            path = pathlib.PurePosixPath(member.name)
            if path.parts[1:1 + len(inside.parts)] != inside.parts or ".." in path.parts:
                continue
            member.name = str(pathlib.PurePosixPath(*path.parts[1 + len(inside.parts):]))
            file.extract(member, folder)
    done.touch()
