"""The output of the program calls.f90, and its expected trace, for any library that it is linked with."""

import pathlib

import harness
import places

SAID = "received 3 1 3 5\ncompleted 7 5\nerror 6 1.0\nend 0\n"

# Of attributes.f90: a copy is deleted with its communicator, and the value of MPI_COMM_WORLD at the end.
ATTRIBUTES = ("MPI_COMM_WORLD| 14\nrow|  3\n 35 T\n 40 T\n F\n 50 T\n 1 1\n 2147483647 T\n T\n T T\n 1 2\n")

# Communicators and datatypes that the program made, and where it freed them.
OBJECTS = [("communicator", "MPI_COMM_WORLD.dup1", "MPI_Comm_dup", "MPI_Comm_free"),
           ("communicator", "MPI_COMM_WORLD.dup1.split1[3]", "MPI_Comm_split", "MPI_Comm_free"),
           ("communicator", "MPI_COMM_WORLD.dup1.split1[3].dup1", "MPI_Comm_dup", None),
           ("datatype", "vector(3,1,2) of MPI_INT", "MPI_Type_vector", "MPI_Type_free")]
CALLS = {"MPI_Init": 1, "MPI_Comm_dup": 2, "MPI_Comm_rank": 1, "MPI_Comm_split": 1, "MPI_Comm_free": 2, "MPI_Type_vector": 1, "MPI_Type_commit": 1,
         "MPI_Send": 2, "MPI_Recv": 1, "MPI_Get_count": 1, "MPI_Type_free": 1, "MPI_Irecv": 2, "MPI_Isend": 2, "MPI_Waitall": 2, "MPI_Barrier": 1,
         "MPI_Allreduce": 1, "MPI_Errhandler_set": 1, "MPI_Finalize": 1}
# Name of the communicator, direction, tag, messages, bytes.
MESSAGES = [("MPI_COMM_WORLD", "receive", 4, 1), ("MPI_COMM_WORLD", "send", 4, 1),
            ("MPI_COMM_WORLD.dup1", "receive", 7, 2), ("MPI_COMM_WORLD.dup1", "send", 7, 2)]
BYTES = [("MPI_COMM_WORLD", "receive", 12), ("MPI_COMM_WORLD", "send", 12), ("MPI_COMM_WORLD.dup1", "receive", 40), ("MPI_COMM_WORLD.dup1", "send", 40)]


def compile_program(name, path, link, includes=()):
    """Compiles a program of programs/ in Fortran. No compiler: False."""
    if not places.FORTRAN:
        return False
    places.run([places.FORTRAN, "-g", "-O1", "-w", "-fallow-argument-mismatch", f"-J{pathlib.Path(path).parent}", f"-I{places.HERE / 'library'}",
                *(f"-I{folder}" for folder in includes), places.HERE / "programs" / f"{name}.f90", *link, "-o", path])
    return True


def check_attributes(test, program, folder):
    """The program attributes.f90 has what its MPI lacks, recorded or not."""
    for record in ("on", "off"):
        run = harness.run([program], harness.base_environment(CALLSIGN_RECORD=record, CALLSIGN_OUTPUT=str(folder / "out")), folder)
        test.assertEqual((run.code, run.stdout, run.stderr), (0, ATTRIBUTES, ""), record)
    trace, = harness.databases(folder).values()
    with harness.open_trace(trace) as database:
        names = [name for name, in database.execute("SELECT name FROM object WHERE name_origin = 'program' ORDER BY 1")]
        keys = database.execute("SELECT language, copy_function, delete_function FROM created_keyval ORDER BY object").fetchall()
    test.assertEqual(names, ["row", "twin"])
    test.assertEqual(keys, [("mpif.h", None, None), ("mpif.h", "MPI_COMM_DUP_FN", "MPI_COMM_NULL_DELETE_FN"),
                            ("mpif.h", "MPI_NULL_COPY_FN", "MPI_NULL_DELETE_FN")])


def check_trace(test, folder):
    """The one trace of the runs in the folder is that of calls.f90."""
    trace, = harness.databases(folder).values()
    with harness.open_trace(trace) as database:
        objects = database.execute("SELECT kind, name, created_by, freed_by FROM objects WHERE created_by IS NOT NULL AND NOT internal AND NOT predefined "
                                   "AND kind IN ('communicator', 'datatype') ORDER BY kind, name").fetchall()
        calls = dict(database.execute("SELECT f.name, sum(calls) FROM profile JOIN function f USING (function) GROUP BY 1 HAVING sum(calls) > 0"))
        messages = database.execute("SELECT o.name, direction, tag, sum(messages) FROM tag t JOIN object o ON o.object = t.communicator "
                                    "GROUP BY 1, 2, 3 ORDER BY 1, 2, 3").fetchall()
        size = database.execute("SELECT o.name, direction, bytes FROM traffic JOIN object o USING (object) ORDER BY 1, 2").fetchall()
        internal, = database.execute("SELECT count(*) FROM object WHERE internal").fetchone()
        outcome, lost = database.execute("SELECT outcome, lost FROM process").fetchone()
        libraries = {name for name, in database.execute("SELECT library FROM objects WHERE created_by = 'MPI_Comm_dup'")}
    test.assertEqual(objects, OBJECTS)
    test.assertEqual(calls, CALLS)
    test.assertEqual((messages, size), (MESSAGES, BYTES))
    test.assertEqual((internal, outcome, lost, libraries), (0, "finalized", 0, {"calls"}))
