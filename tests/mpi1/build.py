"""Builds the test double, shared and static, or the one for two ranks, and callsign for one of them, as a user would.
Usage: build.py shared|static|two_ranks"""

import os
import sys

import double
import places

# What programs load; the one for the static library is installed, with all that belongs to it.
TARGETS = {"shared": ["callsign", "callsign-mpi", "callsign-front-mpi", "callsign-seal", "callsign-unwind", "callsign-resolve", "callsign-trial-mpi",
                      "callsign_command"], "static": ["callsign-all"]}
TARGETS["two_ranks"] = TARGETS["shared"][:-1]


def build_double():
    places.LIBRARY.mkdir(parents=True, exist_ok=True)
    sources = sorted((places.HERE / "library").glob("*.c"))
    flags = ["-g", "-std=gnu11", "-Wall", "-Wextra", "-Wshadow", "-Wmissing-prototypes", "-Werror"]
    places.run([places.CC, *flags, "-shared", "-fPIC", "-Wl,-soname,libsmall.so.1", "-o", places.SHARED, *sources])
    for number, folder in places.STUBS.items():
        folder.mkdir(exist_ok=True)
        places.run([places.CC, *flags, f"-DCS_STUBS={number}", "-shared", "-fPIC", "-Wl,-soname,libsmall.so.1",
                    "-o", folder / "libsmall.so.1", *sources])
    link = places.LIBRARY / "libsmall.so"
    if not link.is_symlink():
        link.symlink_to(places.SHARED.name)
    objects = []
    for source in sources:
        objects.append(places.LIBRARY / f"{source.stem}.o")
        places.run([places.CC, *flags, "-c", "-o", objects[-1], source])
    in_fortran = [path for path in objects if path.stem == "fortran"]
    in_c = [path for path in objects if path not in in_fortran]
    for path, members in ((places.STATIC, objects), (places.STATIC_C, in_c), (places.STATIC_FORTRAN, in_fortran)):
        path.unlink(missing_ok=True)
        places.run([os.environ["CS_TEST_AR"], "rcs", path, *members])


def build_callsign(which):
    tree = places.TREES[which]
    mpi = {"shared": places.SHARED, "static": places.STATIC_C, "two_ranks": places.TWO_RANKS / "libtwo.so.1"}[which]
    for_fortran = [f"-DCALLSIGN_MPI_FORTRAN_LIBRARY={places.STATIC_FORTRAN}"] if which == "static" else []
    includes = places.TWO_RANKS if which == "two_ranks" else places.HERE / "library"
    print(places.run([os.environ["CS_TEST_CMAKE"], "-S", places.SOURCE, "-B", tree, "-G", os.environ["CS_TEST_GENERATOR"],
                      f"-DCMAKE_C_COMPILER={places.CC}", f"-DCMAKE_C_COMPILER_LAUNCHER={os.environ['CS_TEST_LAUNCHER']}",
                      "-DCMAKE_BUILD_TYPE=Debug", "-DCALLSIGN_WERROR=ON", f"-DCMAKE_INSTALL_PREFIX={places.INSTALLED}",
                      f"-DCALLSIGN_MPI_INCLUDES={includes}", f"-DCALLSIGN_MPI_LIBRARY={mpi}", *for_fortran]))
    places.run([os.environ["CS_TEST_CMAKE"], "--build", tree, "-j2", "--target", *TARGETS[which]])
    if which == "static":
        places.run([os.environ["CS_TEST_CMAKE"], "--install", tree])


if __name__ == "__main__":
    if sys.argv[1] == "two_ranks":
        double.make_headers(os.environ["CS_TEST_MPICH_INCLUDES"].split(":"), places.TWO_RANKS)
        double.make_library(os.environ["CS_TEST_MPICH"], places.TWO_RANKS / "libtwo.so.1", "libtwo.so.1")
    else:
        build_double()
    build_callsign(sys.argv[1])
