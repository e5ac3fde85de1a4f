"""The command that the build runs, from the source root:

    python3 -m gen --common --out DIR
    python3 -m gen --flavour openmpi --cc gcc --include DIR --library libmpi.so --fortran libmpi_mpifh.so --out DIR
    python3 -m gen --flavour abi --cc gcc --include DIR --out DIR
    python3 -m gen --verify libcallsign-openmpi.so --library libmpi.so
    python3 -m gen --debugger

Without a library, the functions are those of the header. This is for the standard's own mpi.h and all implementations of its ABI.
"""

import argparse
import os
import sys

from . import check, emit_debugger, emit_emulated, emit_fortran, emit_layouts, emit_next, emit_pmpi_queries, emit_ready
from . import emit_standard, emit_tables, emit_wrappers, fortran, header, layout, library, model, mpif, passed_on, spec
from .problem import Problems
from .text import write

SPEC_FOLDER = os.path.join(os.path.dirname(__file__), "spec")
DEBUGGER = os.path.join(layout.SOURCE, "debugger", "callsign_debugger")


def main():
    options = parse_arguments()
    try:
        run(options)
    except Problems as problems:
        for line in problems.lines:
            print(f"callsign: {line}", file=sys.stderr)
        return 1
    return 0


def run(options):
    if options.verify:
        verify(options)
        return
    if options.debugger:
        write(DEBUGGER, "layout.py", emit_debugger.source(*read_model()))
        return
    functions = spec.read_folder(options.spec)
    check.check_roles(functions)
    if options.common:
        write_common(functions, options.out)
    else:
        write_flavour(functions, options)


def verify(options):
    passed = read_names(options.passed_on) if options.passed_on else set()
    built = library.symbols_of(options.verify, options.nm)
    fortran_names = library.names_of(options.fortran, options.nm)
    check.check_built(built, wanted_of(options).but(passed))
    check.check_built(built, library.c_functions_among(fortran_names).but(passed))
    entries = [names for names in fortran.spellings(fortran_names).values() if names[0] not in passed]
    check.check_built_fortran(library.names_of([options.verify], options.nm), {name for names in entries for name in names})


def wanted_of(options):
    """The symbols of the MPI that a finished flavour library was made for."""
    if not options.library:
        return library.symbols_declared(read_names(options.wrapped))
    return library.symbols_of(options.library, options.nm)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="gen", description="Generates the C of callsign from gen/spec and an mpi.h.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--common", action="store_true", help="what is equal for all MPIs: functions.h and .c, journal_layout.h and .c, ...")
    what.add_argument("--flavour", help="wrappers for this MPI: openmpi, mpich, ...")
    what.add_argument("--debugger", action="store_true", help="debugger/callsign_debugger/layout.py, which is checked in")
    what.add_argument("--verify", metavar="FILE", help="check that this finished flavour library defines all functions")
    parser.add_argument("--cc", default="cc", help="C compiler, for its preprocessor")
    parser.add_argument("--nm", default="nm", help="lists the symbols of a library")
    parser.add_argument("--include", action="append", default=[], metavar="DIR", help="where mpi.h is; may be repeated")
    parser.add_argument("--library", help="the library that has the C functions; none: they are those that the header declares")
    parser.add_argument("--fortran", action="append", default=[], metavar="FILE", help="a library that has Fortran entry points; may be repeated")
    parser.add_argument("--wrapped", metavar="FILE", help="with --verify and without --library: names.txt, what is expected of the library")
    parser.add_argument("--unknown", choices=["stop", "pass"], default="stop",
                        help="pass: functions of the standard that gen/spec lacks do not end the build, but are passed on unrecorded")
    parser.add_argument("--passed-on", metavar="FILE", help="with --verify: passed_on.txt, what is not expected of the library")
    parser.add_argument("--spec", default=SPEC_FOLDER, metavar="DIR", help="another folder of spec files")
    parser.add_argument("--out", metavar="DIR", help="where the files go")
    options = parser.parse_args()
    if options.verify and not options.library and not options.wrapped:
        parser.error("--library or --wrapped is needed")
    if not options.verify and not options.debugger and not options.out:
        parser.error("--out is needed")
    return options


def read_names(path):
    with open(path, encoding="utf-8") as file:
        return {line.partition("#")[0].strip() for line in file}


def write_common(functions, folder):
    write(folder, "functions.h", emit_tables.header(functions))
    write(folder, "functions.c", emit_tables.source(functions))
    write(folder, "names.txt", emit_tables.names(functions))
    write_layouts(folder)


def read_model():
    """Reads and checks the model and the layouts of its structures."""
    blocks = model.read_folder()
    layouts = layout.read(blocks)
    emit_layouts.check(blocks, layouts)
    return blocks, layouts


def write_layouts(folder):
    blocks, layouts = read_model()
    write(folder, "journal_layout.h", emit_layouts.layout_header(blocks, layouts))
    write(folder, "journal_layout.c", emit_layouts.layout_source(blocks, layouts))
    write(folder, "journal_words.h", emit_layouts.words_header(blocks))
    write(folder, "journal_facts.h", emit_layouts.facts_header(blocks))


def write_flavour(functions, options):
    macros = header.macro_names(options.cc, options.include)
    lack = emit_standard.Lacking(options.cc, options.include, macros)
    prototypes = header.read_prototypes(options.cc, options.include)
    symbols = library.symbols_of(options.library, options.nm) if options.library else library.symbols_declared(prototypes)
    fortran_names = library.names_of(options.fortran, options.nm)
    in_fortran = library.c_functions_among(fortran_names).but(symbols.functions)
    passed = passed_on.PassedOn(passed_on.EVERYTHING if options.unknown == "pass" else passed_on.EXTENSIONS)
    check.check(functions, prototypes, symbols, passed)
    if not options.library:
        write(options.out, "linked.c", emit_tables.stand_in(symbols))
    write_pmpi_queries(prototypes, symbols, macros, options)
    write_standard(lack, options)
    symbols = symbols.but(passed)
    prototypes = {name: prototype for name, prototype in prototypes.items() if name not in passed}
    # Functions for names and attributes have wrappers even if the MPI lacks them: callsign's own implementation is below the wrapper.
    known = {function.name for function in functions}
    served = {name: prototype for name, prototype in lack.prototypes().items() if name in known}
    prototypes = {**prototypes, **served}
    symbols = symbols.with_more(served)
    passed.leave_out(served)
    pairs = [(each, prototypes[each.name]) for each in check.wrapped(functions, prototypes, symbols)]
    write(options.out, "next.h", emit_next.header(pairs, macros))
    write(options.out, "next.c", emit_next.source(pairs, symbols))
    write(options.out, "emulated.h", emit_emulated.header(pairs))
    write(options.out, "emulated.c", emit_emulated.source(pairs))
    for chapter in sorted({function.chapter for function in functions}):
        chosen = [pair for pair in pairs if pair[0].chapter == chapter and not pair[0].manual]
        write(options.out, f"wrappers_{chapter}.c", emit_wrappers.chapter_source(chapter, chosen))
    more = fortran.lacking(served, fortran_names) | fortran.later(prototypes, fortran_names)
    entries = fortran.entries(functions, prototypes, fortran_names | more, passed)
    entries = [each for each in entries if emit_fortran.can_be_written(each, passed)]
    check.check(functions, prototypes, in_fortran, passed)
    in_c = check.wrapped(functions, prototypes, in_fortran.but(passed))
    write_fortran(functions, entries, in_c, prototypes, options)
    write_ready(lack, entries, fortran_names, options)
    write(options.out, "names.txt", emit_tables.names([function for function, _ in pairs] + in_c))
    write(options.out, "passed_on.txt", passed_on.text(passed))
    write(options.out, "passed_on.c", passed_on.source(passed))
    if passed.reasons:
        print(f"callsign: {options.flavour}: passed on to the MPI, not recorded: {passed.line()}")
    print(f"callsign: {options.flavour}: {len(pairs)} functions wrapped, {len(entries)} Fortran entry points")


def write_pmpi_queries(prototypes, symbols, macros, options):
    """The table of callsign's own queries to the MPI."""
    table = emit_pmpi_queries.Table(symbols.functions, macros)
    table.check(prototypes)
    write(options.out, "pmpi_queries.h", emit_pmpi_queries.header(table))
    write(options.out, "pmpi_queries.c", emit_pmpi_queries.source(table))


def write_standard(lack, options):
    """Writes mpi.h, completed by what it lacks."""
    write(os.path.join(options.out, "callsign"), f"names_{options.flavour}.h", emit_standard.names(lack))
    write(options.out, "whole_mpi.h", emit_standard.whole(lack, options.flavour))


def write_fortran(functions, entries, in_c, prototypes, options):
    """in_c: C functions that the Fortran libraries export."""
    folder, c_names = options.out, [function.name for function in in_c]
    write(folder, "fortran_next.h", emit_fortran.header(entries, c_names, mpif.constants(options.include)))
    write(folder, "fortran_next.c", emit_fortran.source(entries, c_names))
    for chapter in sorted({function.chapter for function in functions}):
        chosen = [entry for entry in entries if entry.function.chapter == chapter]
        pairs = [(function, prototypes[function.name]) for function in in_c if function.chapter == chapter]
        write(folder, f"fortran_{chapter}.c", emit_fortran.chapter_source(chapter, chosen, pairs))


def write_ready(lack, entries, exported, options):
    """Writes what Fortran programs need besides entry points. The front library has these functions, too."""
    functions = emit_ready.ready(lack, exported)
    constants = mpif.constants(options.include)
    write(options.out, "fortran_ready.c", emit_ready.source(functions))
    write(options.out, "fortran_names.txt", emit_fortran.names(entries) + "".join(f"{name}\n" for name in functions))
    write(os.path.join(options.out, "callsign"), f"mpif_names_{options.flavour}.h", emit_ready.include(lack, functions, constants))


if __name__ == "__main__":
    sys.exit(main())
