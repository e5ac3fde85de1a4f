"""Writes a Fortran program that makes the calls of calls.txt, and what a trace of it must say.

    emit_calls.py BINDING NAMES FOLDER

BINDING is mpif_h, mpi, mpi_f08 or mpi_f08_bare (without error codes); NAMES is the list of entry points that the MPI has (fortran_names.txt).
Writes FOLDER/calls_BINDING.f90, and FOLDER/calls_BINDING.txt with a line `function calls` for each rank's calls."""

import collections
import os
import re
import sys

HANDLES = ("comm", "group", "datatype", "request", "win", "file", "info", "op", "errhandler", "message", "session")
KINDS = {"address": "integer(MPI_ADDRESS_KIND)", "count": "integer(MPI_COUNT_KIND)", "offset": "integer(MPI_OFFSET_KIND)",
         "double": "double precision", "integer": "integer", "logical": "logical"}
NO_ERROR_CODE = ("MPI_Pcontrol",)
NO_ENTRY_POINT = ("MPI_Wtime", "MPI_Wtick")  # mpi_f08 may call the C function itself
UNDECLARED = {
    "mpif_h": ("MPI_Aint_add", "MPI_Aint_diff"),  # not in every one
    "mpi": ("MPI_Address",),  # MPICH 4.2's function takes an INTEGER of 8 bytes; the C function still takes one of 4
}
# Open MPI 5, which has no large counts in Fortran, declares these two in mpi_f08 without the argument info, and wants it.
PARTITIONED = ("MPI_Psend_init", "MPI_Precv_init")

HEAD = {"mpif_h": "    implicit none\n    include 'mpif.h'\n", "mpi": "    use mpi\n    use, intrinsic :: iso_c_binding\n    implicit none\n"}
HEAD_F08 = "    use mpi_f08\n    use, intrinsic :: iso_c_binding\n    implicit none\n"
KINDS_USED = "    integer, parameter :: ak = MPI_ADDRESS_KIND, ok = MPI_OFFSET_KIND, ck = MPI_COUNT_KIND\n"

SET_UP = """\
    buf = (/(n, n = 1, 64)/)
    out = 0
    cnt = 1
    cntl = 1
    dis = (/(n, n = 0, 7)/)
    displ = dis
    disps = 8 * dis
    ranges(:, 1) = (/0, 0, 1/)
    dims = 0
    periods = .true.
    reorder = .false.
    types = MPI_INTEGER
    p = MPI_REQUEST_NULL
    weights = 1
    a = 0
    b = 0
"""
CALLBACKS = """\
contains
    subroutine add(in, inout, count, kind)
        integer :: count, kind, in(count), inout(count)
        inout = inout + in
    end subroutine
    subroutine on_error(comm, code)
        integer :: comm, code
    end subroutine
"""
CALLBACKS_F08 = """\
contains
    subroutine add(in, inout, count, kind)
        type(c_ptr), value :: in, inout
        integer :: count
        type(MPI_Datatype) :: kind
        integer, pointer :: from(:), to(:)
        call c_f_pointer(in, from, (/count/))
        call c_f_pointer(inout, to, (/count/))
        to = to + from
    end subroutine
    subroutine on_error(comm, code)
        type(MPI_Comm) :: comm
        integer :: code
    end subroutine
"""


class Binding:
    def __init__(self, name, entries):
        self.name, self.entries = name, entries
        self.f08 = name.startswith("mpi_f08")
        self.bare = name.endswith("_bare")

    def has(self, function, large=False):
        if function in UNDECLARED.get(self.name, ()) or function in PARTITIONED and self.f08 and not self.has("MPI_Send", large=True):
            return False
        stem = function.lower()
        if large:
            forms = ("_f08_large_", "_f08ts_large_", "_c_f08_", "_c_f08ts_")  # MPICH 4; MPICH 5 and Open MPI 6
            return self.f08 and any(stem + form in self.entries for form in forms)
        forms = ("_f08_", "_f08ts_") if self.f08 else ("_",)
        return function in NO_ENTRY_POINT or any(stem + form in self.entries for form in forms)

    def knows(self, kind):
        """True if the MPI has this kind of handle."""
        return kind != "session" or self.has("MPI_Session_init")

    def declaration(self, words):
        kind, names = words.split(None, 1)
        names = re.sub(r"\) (?=\w)", "), ", re.sub(r"(\w) (?=\w)", r"\1, ", names))
        if kind in KINDS:
            return f"{KINDS[kind]} :: {names}"
        if kind == "cptr":
            return f"type(c_ptr) :: {names}" if self.f08 else f"integer(MPI_ADDRESS_KIND) :: {names}"
        if kind == "pointer":  # where the interface of the module mpi wants one
            return f"integer(MPI_ADDRESS_KIND) :: {names}" if self.name == "mpif_h" else f"type(c_ptr) :: {names}"
        if kind == "status":
            return f"type(MPI_Status) :: {names}" if self.f08 else "integer :: s(MPI_STATUS_SIZE), ss(MPI_STATUS_SIZE, 4)"
        if kind in HANDLES:
            word = "MPI_" + kind.capitalize()
            return f"type({word}) :: {names}" if self.f08 else f"integer :: {names}"
        return f"{kind} :: {names}"

    def statement(self, text, large=False):
        def count(match):
            word = match[1]
            if word.isdigit():
                return word + "_ck" if large else word
            return {"cnt": "cntl", "dis": "displ", "n": "big"}[word] if large else word

        text = re.sub(r"#(\w+)", count, text)
        function = function_of(text)
        if function and text.startswith("call") and not self.bare and function not in NO_ERROR_CODE:
            text = re.sub(r"\)$", ", error)", text).replace("(, ", "(")
        return text


def function_of(text):
    match = re.search(r"\b(MPI_[A-Z][a-z]\w*)\(", text)
    return match[1] if match else None


def groups(lines):
    group = []
    for line in lines:
        if line.strip():
            group.append(line.strip())
        elif group:
            yield group
            group = []
    if group:
        yield group


def is_twofold(binding, line):
    return "#" in line and binding.has(function_of(line), True)


def program(binding, lines):
    plain = [line for line in lines if not line.startswith((":", "#"))]
    declared = [binding.declaration(words) for words in (line[1:].strip() for line in lines if line.startswith(":"))
                if binding.knows(words.split()[0])]
    statements, counts = [], collections.Counter()
    for group in groups(plain):
        if not all(binding.has(function_of(line)) for line in group if function_of(line)):
            continue
        # Twice where there are forms for large counts: calls of a group belong together.
        for large in (False, True) if any(is_twofold(binding, line) for line in group) else (False,):
            for line in group:
                chosen = large and is_twofold(binding, line)
                statements.append(binding.statement(line, chosen))
                if function_of(line):
                    counts[function_of(line) + ("_c" if chosen else "")] += 1
    begin = [binding.statement("call MPI_Init()"), binding.statement("call MPI_Comm_rank(MPI_COMM_WORLD, rank)"),
             "color = merge(0, 1, rank == 0)"]
    counts.update(("MPI_Init", "MPI_Comm_rank", "MPI_Finalize", "MPI_Allreduce"))
    end = [binding.statement("call MPI_Allreduce(dis, out, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)"),
           binding.statement("call MPI_Finalize()"), "print '(a, i0, a, 8(i0, 1x))', 'rank ', rank, ': ', out(1:8)"]
    text = "program calls\n" + (HEAD_F08 if binding.f08 else HEAD[binding.name]) + KINDS_USED
    text += "".join(f"    {each}\n" for each in declared) + "    integer :: error\n"
    text += SET_UP + "".join(f"    {each}\n" for each in begin + statements + end)
    text += (CALLBACKS_F08 if binding.f08 else CALLBACKS) + "end program\n"
    return text, counts


def main():
    name, names, folder = sys.argv[1:]
    with open(names, encoding="ascii") as file:
        binding = Binding(name, set(file.read().split()))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.txt"), encoding="ascii") as file:
        text, counts = program(binding, file.read().splitlines())
    with open(os.path.join(folder, f"calls_{name}.f90"), "w", encoding="ascii") as file:
        file.write(text)
    with open(os.path.join(folder, f"calls_{name}.txt"), "w", encoding="ascii") as file:
        file.writelines(f"{function} {calls}\n" for function, calls in sorted(counts.items()))


if __name__ == "__main__":
    main()
