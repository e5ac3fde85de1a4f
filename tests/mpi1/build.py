"""Builds the test double, shared and static, the one for two ranks, or the one that is newer than callsign, and callsign for one of them, as a user would.
Usage: build.py library|shared|static|two_ranks|newer|abi"""

import os
import sys

import double
import implementations
import page
import places

# The libraries that programs load. callsign is built and installed for the shared and for the static library as in docs/fallback.md.
LOADED = ["callsign", "callsign-mpi", "callsign-front-mpi", "callsign-trial-mpi"]
FLAGS = ["-g", "-std=gnu11", "-Wall", "-Wextra", "-Wshadow", "-Wmissing-prototypes", "-Werror"]


def build_double():
    places.LIBRARY.mkdir(parents=True, exist_ok=True)
    sources = sorted((places.HERE / "library").glob("*.c"))
    places.run([places.CC, *FLAGS, "-shared", "-fPIC", "-Wl,-soname,libsmall.so.1", "-o", places.SHARED, *sources])
    for number, folder in places.STUBS.items():
        folder.mkdir(exist_ok=True)
        places.run([places.CC, *FLAGS, f"-DCS_STUBS={number}", "-shared", "-fPIC", "-Wl,-soname,libsmall.so.1",
                    "-o", folder / "libsmall.so.1", *sources])
    link = places.LIBRARY / "libsmall.so"
    if not link.is_symlink():
        link.symlink_to(places.SHARED.name)
    objects = []
    for source in sources:
        objects.append(places.LIBRARY / f"{source.stem}.o")
        places.run([places.CC, *FLAGS, "-c", "-o", objects[-1], source])
    in_fortran = [path for path in objects if path.stem == "fortran"]
    in_c = [path for path in objects if path not in in_fortran]
    for path, members in ((places.STATIC, objects), (places.STATIC_C, in_c), (places.STATIC_FORTRAN, in_fortran)):
        path.unlink(missing_ok=True)
        places.run([os.environ["CS_TEST_AR"], "rcs", path, *members])


def build_release(folder, flags):
    """The functions of C of the double and more, each with a PMPI_ name, and a library for Fortran."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted((places.HERE / "library").glob("*.c")) if path.stem != "fortran"] + [places.HERE / "newer" / "newer.c"]
    command = [places.CC, *FLAGS, *flags, "-shared", "-fPIC", "-Wl,-soname,libnewer.so.1", "-o", folder / "libnewer.so.1"]
    places.run([*command, *sources])
    listed = places.run([os.environ["CS_TEST_NM"], "-D", "--defined-only", folder / "libnewer.so.1"]).split()
    names = [name for name in listed if name.startswith(("MPI_", "MPIX_")) and name != name.upper()]
    places.run([*command, *sources, *(f"-Wl,--defsym,P{name}={name}" for name in names)])
    places.run([places.CC, *FLAGS, "-shared", "-fPIC", "-Wl,-soname,libmpifort.so.1", "-o", folder / "libmpifort.so.1",
                places.HERE / "newer" / "fortran.c", folder / "libnewer.so.1"])
    for name in ("libnewer", "libmpifort"):
        link = folder / f"{name}.so"
        if not link.is_symlink():
            link.symlink_to(f"{name}.so.1")


def install_double():
    """A common layout of an MPI: headers in one folder, libraries in another."""
    for folder, names in (("include", {"mpi.h": places.HERE / "library" / "mpi.h", "mpif.h": places.HERE / "library" / "mpif.h"}),
                          ("lib", {"libmpi.a": places.STATIC_C, "libmpif.a": places.STATIC_FORTRAN, "libmpi.so": places.SHARED,
                                   places.SHARED.name: places.SHARED})):
        (places.SMALL / folder).mkdir(parents=True, exist_ok=True)
        for name, target in names.items():
            link = places.SMALL / folder / name
            if not link.is_symlink():
                link.symlink_to(target)


def options():
    """The options of cmake that the page leaves to the user."""
    return ["-G", os.environ["CS_TEST_GENERATOR"], f"-DCMAKE_C_COMPILER={places.CC}", f"-DCMAKE_C_COMPILER_LAUNCHER={os.environ['CS_TEST_LAUNCHER']}",
            "-DCMAKE_BUILD_TYPE=Debug", "-DCALLSIGN_WERROR=ON"]


def parts():
    """The option for cmake: parts without MPI come from the build that runs this test."""
    return f"-DCALLSIGN_PARTS={os.environ['CS_TEST_PARTS']}"


def build_as_told(which):
    """By the commands of docs/fallback.md, in a folder of the test's."""
    cmake = os.environ["CS_TEST_CMAKE"]
    tree = {"build": places.TREES[which]}
    configure, build, install = ([cmake, *(tree.get(word, word) for word in words[1:])] for words in page.building(which))
    generator = configure.index("-G")
    shared = [parts()] if which == "shared" else []  # the other one is built as a whole
    print(places.run([*configure[:generator], *configure[generator + 2:], *options(), *shared, "-S", places.SOURCE]))
    places.run([*build, "-j2", "--target", "callsign-all"])
    places.run(install)


# For the others: folder of mpi.h, library (the standard ABI needs none), more options of CMake, targets.
OTHERS = {
    "two_ranks": (places.TWO_RANKS, places.TWO_RANKS / "libtwo.so.1", [], LOADED),
    "newer": (places.HERE / "newer", places.NEWER / "libnewer.so.1", ["-DCALLSIGN_UNKNOWN=pass"], [*LOADED, "callsign_command"]),
    "abi": (places.HERE / "abi", None, ["-DCALLSIGN_MPICC=none", "-DCALLSIGN_TESTS=OFF", "-DCALLSIGN_BENCH=OFF"],
            [target.replace("-mpi", "-abi") for target in LOADED]),
}


def build_callsign(which):
    includes, library, more, targets = OTHERS[which]
    mpi = [f"-DCALLSIGN_MPI_INCLUDES={includes}", f"-DCALLSIGN_MPI_LIBRARY={library}"] if library else [f"-DCALLSIGN_MPI_ABI={includes}"]
    print(places.run([os.environ["CS_TEST_CMAKE"], "-S", places.SOURCE, "-B", places.TREES[which], *options(), parts(), *mpi, *more]))
    places.run([os.environ["CS_TEST_CMAKE"], "--build", places.TREES[which], "-j2", "--target", *targets])


if __name__ == "__main__":
    if sys.argv[1] == "library":
        build_double()
        install_double()
    elif sys.argv[1] == "two_ranks":
        double.make_headers(os.environ["CS_TEST_MPICH_INCLUDES"].split(":"), places.TWO_RANKS)
        double.make_library(os.environ["CS_TEST_MPICH"], places.TWO_RANKS / "libtwo.so.1", "libtwo.so.1")
        build_callsign("two_ranks")
    elif sys.argv[1] == "newer":
        build_release(places.NEWER, [])
        build_release(places.LATER, ["-DCS_LATER"])
        build_callsign("newer")
    elif sys.argv[1] == "abi":
        implementations.build()
        build_callsign("abi")
    else:
        build_as_told(sys.argv[1])
