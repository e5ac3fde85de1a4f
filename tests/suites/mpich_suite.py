"""MPICH's own test suite, test/mpi of its source, which runs with any MPI. Its lists (testlist) say how each program is to be run."""

import os
import pathlib
import sys

import sources

# C++ is left out, which Open MPI no longer has, and f08, which only MPICH's own build can make; so is what only looks for speed or leaves the MPI
# broken (ft).
FOLDERS = ("attr", "coll", "comm", "datatype", "errhan", "errors", "f77", "f90", "group", "info", "init", "io", "mpi_t", "part", "pt2pt", "rma",
           "spawn", "threads", "topo")
NOT = ("cxx", "f08", "faults", "perf")


# Open MPI's mpi.h hides functions of MPI-1 that its library still has, and that some tests call, unless it is told not to.
REMOVED = """#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#define OMPI_REMOVED_USE_STATIC_ASSERT 0
#define __mpi_interface_removed__(function, successor)
"""


class Test:
    """One line of a list."""

    def __init__(self, name, folder, words, np, env, seconds=0):
        self.name, self.folder, self.words, self.np, self.env = name, folder, words, np, env
        self.seconds = seconds  # time limit in the list, for long tests


def configure(flavour, build, folder):
    """Its tree for one MPI, which make then builds in place."""
    if (folder / ".configured").exists():
        return
    sources.unpack("mpich", pathlib.PurePosixPath("test/mpi"), build / "sources", folder)
    print(f"configuring MPICH's tests for {flavour}", file=sys.stderr, flush=True)
    (folder / "removed.h").write_text(REMOVED)
    compilers = [f"{variable}={wrapper}.{flavour}" for variable, wrapper in
                 (("MPICC", "mpicc"), ("MPICXX", "mpicxx"), ("MPIF77", "mpifort"), ("MPIFC", "mpifort"))]
    flags = [f"CFLAGS=-g -w -include {folder / 'removed.h'}", *(f"{name}=-w -fallow-argument-mismatch" for name in ("FFLAGS", "FCFLAGS"))]
    strict = ["--enable-strictmpi"] if flavour != "mpich" else []
    sources.run(["./configure", "CC=gcc", *compilers, *flags, "--disable-cxx", *strict], cwd=folder, log=folder / "configure.log")
    for part in ("dtpools", "util"):
        sources.run(["make", "-C", folder / part], log=folder / "configure.log")
    (folder / ".configured").touch()


def make(folder):
    """Builds what can be built: of what this MPI lacks no program appears."""
    if not (folder / ".built").exists():
        print(f"building {folder}", file=sys.stderr, flush=True)
        try:
            sources.run(["make", "-k", f"-j{os.cpu_count()}"], cwd=folder, log=folder / "make.log")
        except sources.Missing:
            pass
        (folder / ".built").touch()


def read_line(line, folder, name):
    """(test, why it cannot be run or None)"""
    words, np, env, seconds, reason = [], 2, {}, 0, None
    program, *more = line.split()
    if more and more[0].isdigit():
        np = int(more.pop(0))
    for word in more:
        key, _, value = word.partition("=")
        if key == "arg":
            words.append(value)
        elif key == "env":
            variable, _, its = value.partition("=")
            env[variable] = its
        elif key == "timeLimit":
            seconds = int(value)
        elif key == "mpiexecarg":
            reason = "wants an option of MPICH's launcher"
    if not os.access(folder / program, os.X_OK):
        reason = "not built: the MPI lacks what it uses"
    return Test(" ".join([f"{name}/{program}", *words, f"({np})"]), folder, [str(folder / program), *words], np, env, seconds), reason


def tests(flavour, build, wanted):
    """All tests of the wanted folders (none: all), in order: (test, why it cannot be run or None)."""
    tree = build / flavour / "mpich"
    tree.mkdir(parents=True, exist_ok=True)
    configure(flavour, build, tree)
    for top in FOLDERS:
        if wanted and not any((name + "/").startswith(top + "/") for name in wanted):
            continue
        make(tree / top)
        for path in sorted((tree / top).rglob("testlist")):
            name = str(path.parent.relative_to(tree))
            if any(part in NOT for part in path.parent.relative_to(tree).parts) or not chosen(name, wanted):
                continue
            yield from of_list(path, name, wanted)


def chosen(name, wanted):
    """True if the folder, or something in it, is wanted."""
    return not wanted or any((name + "/").startswith(word + "/") or word.startswith(name + "/") for word in wanted)


def of_list(path, name, wanted):
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith(("#", "!")) or (path.parent / line.split()[0]).is_dir():
            continue
        test, reason = read_line(line, path.parent, name)
        if not wanted or any((test.name.split()[0] + "/").startswith(word + "/") for word in wanted):
            yield test, reason
