"""Calls MPI from Python code of every kind, through ctypes. Notes for each call from which function and line it comes.

    lines.py MPI FOLDER    MPI: the library; FOLDER: gets modules and expected.json, for each MPI function [function, file, line, calls]"""

import ctypes
import gc
import importlib
import json
import os
import random
import sys
import threading

library, folder = sys.argv[1:3]
mpi = ctypes.CDLL(library, mode=os.RTLD_NOW | os.RTLD_GLOBAL)
if "openmpi" in library or hasattr(mpi, "ompi_mpi_init"):
    own = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_self")))
else:
    own = ctypes.c_int(0x44000001)
barrier, rank = mpi.MPI_Barrier, mpi.MPI_Comm_rank
expected, counting = {}, threading.Lock()
QUALIFIED = sys.version_info >= (3, 11)


def note(name="MPI_Barrier", below=0):
    """Expects a call of this function from the caller's line, or from one below it."""
    frame = sys._getframe(1)
    code = frame.f_code
    key = name, code.co_qualname if QUALIFIED else code.co_name, code.co_filename, frame.f_lineno + below
    expected[key] = expected.get(key, 0) + 1


provided = ctypes.c_int()
mpi.MPI_Init_thread(None, None, 3, ctypes.byref(provided))


def plain():
    note(); barrier(own)
    for _ in range(3):
        note(); barrier(own)


class Solver:
    note(); barrier(own)

    def exchange(self):
        note(); barrier(own)

        def inner():
            note(); barrier(own)
        inner()

    @staticmethod
    def fixed():
        (note(below=1),
         barrier(
             own))

    @property
    def value(self):
        note(); return barrier(own)


def generator():
    for i in range(3):
        note(); barrier(own)
        yield i
    note(); barrier(own)


def delegating():
    try:
        note(); barrier(own)
        yield from generator()
    finally:
        note(); barrier(own)


async def coroutine(deep):
    note(); barrier(own)
    if deep:
        await coroutine(deep - 1)
    note(); barrier(own)


def recursive(deep):
    if deep:
        return recursive(deep - 1)
    note(); return barrier(own)


def finish(awaitable):
    try:
        awaitable.send(None)
    except StopIteration:
        pass


def größe():
    note(); barrier(own)


def forms():
    plain()
    solver = Solver()
    solver.exchange(), solver.fixed(), solver.value
    list(generator())
    list(delegating())
    closed = delegating()
    next(closed), next(closed), closed.close()
    elsewhere = delegating()
    next(elsewhere)
    thread = threading.Thread(target=lambda: list(elsewhere))  # it goes on in another thread
    thread.start(), thread.join()
    [(note(), barrier(own)) for _ in range(2)]
    (lambda: (note(), barrier(own)))()
    list(map(lambda _: (note(), barrier(own)), range(2)))
    finish(coroutine(2))
    recursive(200)
    größe()
    try:
        note(); barrier(own)
        raise ValueError
    except ValueError:
        note(); barrier(own)
    finally:
        note(); barrier(own)
    eval("(note(), barrier(own))")


def generated(seed, count):
    """Code that is used once. Its memory is used again at once, often for code that differs in nothing but a line."""
    randomly = random.Random(seed)
    for _ in range(count):
        lines = [""] * randomly.randrange(20) + ["def work():"] + ["    pass"] * randomly.randrange(3)
        for _ in range(randomly.randrange(1, 4)):
            lines += [""] * randomly.randrange(4) + ["    note(); barrier(own)"] + ["    x = 1"] * randomly.randrange(randomly.choice((1, 60)))
        exec(compile("\n".join(lines + ["work()", "note(); barrier(own)", ""]), randomly.choice(("<first>", "<second>", "<" + str(seed) + ">")), "exec"),
             {"note": note, "barrier": barrier, "own": own})
        if randomly.randrange(50) == 0:
            gc.collect()


def many(seed, count):
    """More lines than callsign keeps at once (4,096), in changing order: lines drive each other out and come back."""
    names = {"note": note, "barrier": barrier, "own": own}
    exec(compile("\n".join(f"def work{i}(): note(); barrier(own)" for i in range(count)), "<many>", "exec"), names)
    order = [names[f"work{i}"] for i in range(count)]
    randomly = random.Random(seed)
    for _ in range(3):
        randomly.shuffle(order)
        for work in order:
            work()


def layered():
    """Functions of mpi4py do not count, also where they call themselves: the line is that of their caller."""
    names = {}
    exec(compile("def deep(n, call, *words):\n    return deep(n - 1, call, *words) if n else call(*words)\n", "/somewhere/site-packages/mpi4py/deep.py", "exec"), names)
    for deep in range(5):
        note(); names["deep"](deep, barrier, own)
    note(); names["deep"](3, barrier, own)
    exec(compile("\n\ndef work():\n    note(); barrier(own)\n", "/home/user/mpi4py/mine.py", "exec"), globals())  # the user's own folder
    globals()["work"]()


def reloaded():
    """A file that changes: the same function has other lines."""
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    module = None
    for version in range(12):
        with open(os.path.join(folder, "changing.py"), "w", encoding="utf-8") as file:
            file.write("\n" * (version % 5) + "def work(note, barrier, own):\n" + "    x = 0\n" * (version % 3) + "    note(); barrier(own)\n")
        os.utime(file.name, (version, version))
        importlib.invalidate_caches()
        module = importlib.reload(module) if module else importlib.import_module("changing")
        module.work(note, barrier, own)


def in_threads_of(target, *arguments):
    """Calls a function in one thread for each tuple of arguments, all at once."""
    threads = [threading.Thread(target=target, args=each) for each in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def in_threads():
    lock = threading.Lock()

    def work():
        mine = ctypes.c_int()
        for _ in range(100):
            with lock:
                note("MPI_Comm_rank"); rank(own, ctypes.byref(mine))
    in_threads_of(work, *[()] * 4)


# Runs in an interpreter of its own; notes its calls in a file.
INSIDE = """import ctypes, json, sys

mpi = ctypes.CDLL(library)
mine, expected = ctypes.c_int(), {}


def note():
    frame = sys._getframe(1)
    code = frame.f_code
    key = "MPI_Comm_rank", getattr(code, "co_qualname", code.co_name), code.co_filename, frame.f_lineno
    expected[key] = expected.get(key, 0) + 1


def innermost(own):
    for _ in range(20):
        note(); mpi.MPI_Comm_rank(own, ctypes.byref(mine))
        yield


own = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_self"))) if hasattr(mpi, "ompi_mpi_init") else ctypes.c_int(0x44000001)
list(map(lambda _: list(innermost(own)), range(2)))
note(); mpi.MPI_Comm_rank(own, ctypes.byref(mine))
with open(out, "w", encoding="utf-8") as file:
    json.dump([[*key, calls] for key, calls in expected.items()], file)
"""


if sys.version_info >= (3, 13):
    import _interpreters as interpreters
else:
    import _xxsubinterpreters as interpreters


def create(kind):
    """Another interpreter."""
    return interpreters.create(kind) if sys.version_info >= (3, 13) else interpreters.create(isolated=False)


def run_inside(made, number):
    """Runs INSIDE in another interpreter, and expects its calls."""
    path, out = os.path.join(folder, "inside.py"), os.path.join(folder, f"inside{number}.json")
    code = f"exec(compile(open({path!r}).read(), {path!r}, 'exec'), {{'__name__': 'inside', 'library': {library!r}, 'out': {out!r}}})"
    failed = interpreters.run_string(made, code)
    if failed:
        raise RuntimeError(failed)
    with open(out, encoding="utf-8") as file:
        for *key, calls in json.load(file):
            with counting:
                expected[tuple(key)] = expected.get(tuple(key), 0) + calls


def run_in_new(kind, number):
    """The same in an interpreter that this thread makes and ends."""
    made = create(kind)
    run_inside(made, number)
    interpreters.destroy(made)


def in_interpreters():
    """Interpreters with the common lock and, from 3.13 on, with locks of their own, in this thread and in others, which may
    not have made them. The outer interpreter calls, too, while there are others."""
    with open(os.path.join(folder, "inside.py"), "w", encoding="utf-8") as file:
        file.write(INSIDE)
    for round, kind in enumerate(("legacy", "isolated")):
        if kind == "isolated" and sys.version_info < (3, 13):
            continue
        run_in_new(kind, 10 * round)
        made = create(kind)
        note(); barrier(own)
        in_threads_of(run_inside, (made, 10 * round + 4))
        note(); barrier(own)
        in_threads_of(run_in_new, *((kind, 10 * round + i) for i in range(1, 4)))
        interpreters.destroy(made)


def from_c():
    """Python calls C, which calls Python, which calls MPI."""
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)

    def by_c(left, right):
        note(); barrier(own)
        return 0
    pair = (ctypes.c_int * 2)(1, 2)
    ctypes.CDLL(None).qsort(pair, 2, 4, compare(by_c))


def objects():
    """A communicator whose call stack has several functions of Python."""
    made = ctypes.c_void_p()

    def innermost():
        mpi.MPI_Comm_dup(own, ctypes.byref(made))
    list(map(lambda _: innermost(), (1,)))
    if not isinstance(own, ctypes.c_void_p):
        made = ctypes.c_int(made.value & 0xffffffff)
    mpi.MPI_Comm_set_name(made, b"of python")


seed = int(os.environ.get("LINES_SEED", "1"))
print("seed", seed, flush=True)
forms()
number = int(os.environ.get("LINES_GENERATED", "300"))
generated(seed, number)
many(seed, 20 * number)
layered()
reloaded()
in_threads()
in_interpreters()
from_c()
objects()
mpi.MPI_Finalize()
with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as out:
    json.dump([[*key, calls] for key, calls in sorted(expected.items())], out)
