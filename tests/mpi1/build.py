"""Builds the test double, shared and static, and callsign for one of them, as a user would. Usage: build.py shared|static"""

import os
import sys

import places

# What programs load; the one for the static library is installed, with all that belongs to it.
TARGETS = {"shared": ["callsign", "callsign-mpi", "callsign-front-mpi", "callsign-seal", "callsign-unwind", "callsign-resolve", "callsign-trial-mpi",
                      "callsign_command"], "static": ["callsign-all"]}


def build_double():
    places.LIBRARY.mkdir(parents=True, exist_ok=True)
    sources = sorted((places.HERE / "library").glob("*.c"))
    flags = ["-g", "-std=gnu11", "-Wall", "-Wextra", "-Wshadow", "-Wmissing-prototypes", "-Werror"]
    places.run([places.CC, *flags, "-shared", "-fPIC", "-Wl,-soname,libsmall.so.1", "-o", places.SHARED, *sources])
    link = places.LIBRARY / "libsmall.so"
    if not link.is_symlink():
        link.symlink_to(places.SHARED.name)
    objects = []
    for source in sources:
        objects.append(places.LIBRARY / f"{source.stem}.o")
        places.run([places.CC, *flags, "-c", "-o", objects[-1], source])
    places.STATIC.unlink(missing_ok=True)
    places.run([os.environ["CS_TEST_AR"], "rcs", places.STATIC, *objects])


def build_callsign(which):
    tree = places.TREES[which]
    mpi = {"shared": places.SHARED, "static": places.STATIC}[which]
    print(places.run([os.environ["CS_TEST_CMAKE"], "-S", places.SOURCE, "-B", tree, "-G", os.environ["CS_TEST_GENERATOR"],
                      f"-DCMAKE_C_COMPILER={places.CC}", f"-DCMAKE_C_COMPILER_LAUNCHER={os.environ['CS_TEST_LAUNCHER']}",
                      "-DCMAKE_BUILD_TYPE=Debug", "-DCALLSIGN_WERROR=ON", f"-DCMAKE_INSTALL_PREFIX={places.INSTALLED}",
                      f"-DCALLSIGN_MPI_INCLUDES={places.HERE / 'library'}", f"-DCALLSIGN_MPI_LIBRARY={mpi}"]))
    places.run([os.environ["CS_TEST_CMAKE"], "--build", tree, "-j2", "--target", *TARGETS[which]])
    if which == "static":
        places.run([os.environ["CS_TEST_CMAKE"], "--install", tree])


if __name__ == "__main__":
    build_double()
    build_callsign(sys.argv[1])
