"""The command that the build runs, from the source root:

    python3 -m gen --common --out DIR
    python3 -m gen --flavour openmpi --cc gcc --include DIR --library libmpi.so --out DIR
"""

import argparse
import os
import sys

from . import check, emit_next, emit_tables, emit_wrappers, header, library, spec
from .problem import Problems
from .text import write

SPEC_FOLDER = os.path.join(os.path.dirname(__file__), "spec")


def main():
    options = parse_arguments()
    try:
        functions = spec.read_folder(options.spec)
        check.check_roles(functions)
        if options.common:
            write_common(functions, options.out)
        else:
            write_flavour(functions, options)
    except Problems as problems:
        for line in problems.lines:
            print(f"callsign: {line}", file=sys.stderr)
        return 1
    return 0


def parse_arguments():
    parser = argparse.ArgumentParser(prog="gen", description="Generates the C of callsign from gen/spec and an mpi.h.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--common", action="store_true", help="what is equal for all MPIs: functions.h, functions.c, names.txt")
    what.add_argument("--flavour", help="wrappers for this MPI: openmpi, mpich, ...")
    parser.add_argument("--cc", default="cc", help="C compiler, for its preprocessor")
    parser.add_argument("--nm", default="nm", help="lists the symbols of a library")
    parser.add_argument("--include", action="append", default=[], metavar="DIR", help="where mpi.h is; may be repeated")
    parser.add_argument("--library", help="the shared library that has the C functions")
    parser.add_argument("--spec", default=SPEC_FOLDER, metavar="DIR", help="another folder of spec files")
    parser.add_argument("--out", required=True, metavar="DIR", help="where the files go")
    options = parser.parse_args()
    if options.flavour and not options.library:
        parser.error("--flavour needs --library")
    return options


def write_common(functions, folder):
    write(folder, "functions.h", emit_tables.header(functions))
    write(folder, "functions.c", emit_tables.source(functions))
    write(folder, "names.txt", emit_tables.names(functions))


def write_flavour(functions, options):
    prototypes = header.read_prototypes(options.cc, options.include)
    exported = library.exported_functions(options.library, options.nm)
    check.check(functions, prototypes, exported)
    mine = check.wrapped(functions, prototypes, exported)
    pairs = [(function, prototypes[function.name]) for function in mine]
    write(options.out, "next.h", emit_next.header(pairs, header.macro_names(options.cc, options.include)))
    write(options.out, "next.c", emit_next.source(pairs, exported))
    for chapter in sorted({function.chapter for function in functions}):
        chosen = [(function, prototype) for function, prototype in pairs if function.chapter == chapter and not function.manual]
        write(options.out, f"wrappers_{chapter}.c", emit_wrappers.chapter_source(chapter, chosen))
    print(f"callsign: {options.flavour}: {len(mine)} functions wrapped")


if __name__ == "__main__":
    sys.exit(main())
