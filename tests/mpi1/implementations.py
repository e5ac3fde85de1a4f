"""The test double as two implementations of the standard ABI, of one source: a library with all names, and as MPICH 5.0.0 has it, where programs
know a libmpi_abi.so.0 that has the MPI_ names alone, and the PMPI_ names are in a second library (pmodels/mpich#7838, #7928)."""

import os
import re

import places

WHOLE, SPLIT = (places.BUILD / f"abi_{name}" for name in ("whole", "split"))

# A function of one name that goes to another, whatever its arguments are.
JUMP = """\
#if defined(__aarch64__)
#define JUMP "b"
#else
#define JUMP "jmp"
#endif
#define TO(name, place) __asm__(".globl " name "\\n.type " name ", %function\\n" name ": " JUMP " " place "\\n");
"""


def names_of(library):
    listing = places.run([os.environ["CS_TEST_NM"], "-D", "--defined-only", library])
    return sorted(set(re.findall(r" T (MPI_[A-Z]\w*)$", listing, flags=re.M)))


def build():
    """Both, beside the double that is there."""
    for folder in (WHOLE, SPLIT):
        folder.mkdir(exist_ok=True)
    names = names_of(places.SHARED)
    renamed = places.BUILD / "pmpi.names"
    renamed.write_text("".join(f"{name} P{name}\n" for name in names), encoding="utf-8")
    objects = []
    for source in sorted((places.HERE / "library").glob("*.c")):
        objects.append(SPLIT / f"{source.stem}.o")
        places.run([places.CC, "-g", "-std=gnu11", "-fPIC", "-c", "-o", objects[-1], source])
        places.run(["objcopy", f"--redefine-syms={renamed}", objects[-1]])
    jumps = places.BUILD / "jumps.c"
    jumps.write_text(JUMP + "".join(f'TO("{name}", "P{name}@PLT")\n' for name in names).replace(
        "@PLT", "" if os.uname().machine == "aarch64" else "@PLT"), encoding="utf-8")
    second = SPLIT / "libpmpi_abi.so.0"
    places.run([places.CC, "-shared", "-Wl,-soname,libpmpi_abi.so.0", "-o", second, *objects])
    places.run([places.CC, "-shared", "-fPIC", "-Wl,-soname,libmpi_abi.so.0", "-o", SPLIT / "libmpi_abi.so.0", jumps, second, f"-Wl,-rpath,{SPLIT}"])
    places.run([places.CC, "-shared", "-fPIC", "-Wl,-soname,libmpi_abi.so.1", "-o", WHOLE / "libmpi_abi.so.1", jumps, *objects])
