"""Running MPI programs bare and under callsign, and comparing what they say with what the trace says.

Where things are comes from the environment, which tests/mpi/CMakeLists.txt sets:
    CS_TEST_FLAVOUR   openmpi, mpich, ...: the MPI
    CS_TEST_SERVED_BY the library of callsign for its programs: libcallsign-openmpi.so, or libcallsign-abi.so for those of the standard ABI
    CS_TEST_MPI       its own library
    CS_TEST_MPIEXEC   its launcher
    CS_TEST_LIBRARY   libcallsign.so
    CS_TEST_COMMAND   the callsign command
    CS_TEST_PROGRAMS  folder of the compiled programs of this flavour
    CS_TEST_FORCE     what callsign does in place of the MPI (CALLSIGN_FORCE); nothing if it is not set
    CS_TEST_SANITIZER library of the sanitizer that callsign was built with; must be loaded first
    CS_TEST_START     "default": the MPIs start with all their components; set for some tests, at the end of tests/mpi/CMakeLists.txt, and for tests/real
"""

import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import bounded  # noqa: E402  (the path must be set first)
from trace_file import open_tables, open_trace  # noqa: E402

FLAVOUR = os.environ.get("CS_TEST_FLAVOUR", "")
SERVED_BY = os.environ.get("CS_TEST_SERVED_BY", "")
ABI = SERVED_BY == "libcallsign-abi.so"
MPIEXEC = os.environ.get("CS_TEST_MPIEXEC", "")
LIBRARY = os.environ.get("CS_TEST_LIBRARY", "")
COMMAND = os.environ.get("CS_TEST_COMMAND", "")
PROGRAMS = os.environ.get("CS_TEST_PROGRAMS", "")
FORCE = os.environ.get("CS_TEST_FORCE", "")
SANITIZER = os.environ.get("CS_TEST_SANITIZER", "")

# A third of the processor time of an MPI's start loads components that no test machine has a use for: transports of clusters, which are
# tried before ob1 is chosen all the same, and plugins of hwloc for graphics processors.
START = {} if os.environ.get("CS_TEST_START") == "default" else {"OMPI_MCA_pml": "ob1", "HWLOC_PLUGINS_PATH": "/nonexistent"}

# Time limit of a run on an idle machine (support/bounded.py).
TIMEOUT = int(os.environ.get("CS_TEST_TIMEOUT", "120"))

FOLLOWED = "('communicator', 'datatype', 'window')"


# How MPICH's launcher and UCX begin their lines about a process that ended badly.
BAD_END = r"=|\[\d+\.\d+\] \[|YOUR APPLICATION TERMINATED|This typically refers to a problem|Please see the FAQ page"


class Result:
    """The result of a finished command: exit code, stdout and stderr as text."""

    def __init__(self, code, stdout, stderr):
        self.code, self.stdout, self.stderr = code, stdout, stderr

    def lines(self):
        """stdout without the order in which the ranks happened to write, and without what MPICH and UCX print there about a
        process that ended badly: it holds pids and times, and which process it tells of is chance."""
        return sorted(line for line in self.stdout.splitlines() if line and not re.match(BAD_END, line))

    def messages(self):
        """callsign's own lines on stderr."""
        return [line for line in self.stderr.splitlines() if line.startswith("callsign:")]


def base_environment(**more):
    """The caller's environment without anything that would reach callsign, and with what the launchers need here."""
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(("CALLSIGN_", "CS_TEST_", "CHECK_", "LD_PRELOAD", "OMPI_", "PRTE_", "PMIX_", "PMI_", "SLURM_"))}
    env.update(START, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",  # Open MPI 4, 5
               OMPI_MCA_mpi_yield_when_idle="1",
               CALLSIGN_SYNC="off",  # nothing here outlives the machine
               OMPI_MCA_btl_tcp_if_include="lo",  # Open MPI 5 finds no way out of some machines, and spawned worlds need one
               RDMAV_FORK_SAFE="1",  # libfabric ends a process that forks, unless asked
               OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_mca_base_component_show_load_errors="0",
               ASAN_OPTIONS="detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", ""))
    if "tsan" in SANITIZER:
        env["UCX_MEM_EVENTS"] = "no"  # UCX rewrites the code of malloc and the like, the sanitizer's versions too
    env.update(more)
    return env


def run(command, env=None, cwd=None, timeout=TIMEOUT):
    """Runs a command to its end, or says where it stands and ends it."""
    try:
        done = bounded.run([str(word) for word in command], timeout, env=env or base_environment(), cwd=cwd, text=True, errors="replace",
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    except subprocess.TimeoutExpired as expired:
        return Result(-1000, expired.output or "", f"{expired.stderr or ''}\ntest: ended after {expired.timeout:.0f} s\n")
    return Result(done.returncode, done.stdout, done.stderr)


def launcher(np, *options):
    """The words before the program."""
    return [MPIEXEC, *options, "-n", str(np)] if np else []


def files_of_the_mpi(folder):
    """Environment variables that make Open MPI keep its own files below the folder. Their usual names have the launcher's process id, which is unique
    in one process namespace only, and killed jobs leave them."""
    return {f"OMPI_MCA_{name}": str(folder) for name in ("btl_vader_backing_directory", "osc_sm_backing_directory", "orte_tmpdir_base")}


def two_ranks(folder, program):
    """Runs a program bare and recorded on two ranks; (path of each trace, what was wrong until then)."""
    bare = mpirun(2, program, cwd=folder)
    recorded = mpirun(2, program, extra=recording(folder), cwd=folder)
    problems = unaffected(bare, recorded)
    if bare.code != 0:
        problems.append(f"the bare run returned {bare.code}: {bare.stderr[-2000:]}")
    traces = databases(folder)
    if len(traces) != 2:
        problems.append(f"{len(traces)} traces instead of 2")
    return traces, problems


def recording(folder, library=None):
    """Environment variables that make a program write its trace below folder / "out" and its facts to folder / "facts"."""
    for name in ("out", "facts"):
        (folder / name).mkdir(exist_ok=True)
    preload = library or LIBRARY
    env = {"LD_PRELOAD": f"{SANITIZER}:{preload}" if SANITIZER else preload,
           "CALLSIGN_OUTPUT": str(folder / "out"), "CHECK_FOLDER": str(folder / "facts")}
    if FORCE:
        env["CALLSIGN_FORCE"] = FORCE
    if "tsan" in SANITIZER:
        # At a thread's end libunwind gives back its memory in the last round of destructors, under a lock, which the thread
        # sanitizer intercepts: its own destructor has run by then, and it crashes.
        env["CALLSIGN_STACKS"] = "none"
    return env


def wrap_ranks_only(words, np, extra):
    """Moves LD_PRELOAD from the launcher to the ranks: with a sanitizer, the launcher must not be looked at."""
    if not (SANITIZER and np and "LD_PRELOAD" in extra):
        return words, extra
    extra = dict(extra)
    preload = extra.pop("LD_PRELOAD")
    option = ["-x", f"LD_PRELOAD={preload}"] if FLAVOUR == "openmpi" else ["-genv", "LD_PRELOAD", preload]
    return [words[0], *option, *words[1:]], extra


def mpirun(np, program, *arguments, options=(), extra=None, cwd=None, timeout=TIMEOUT):
    """Launches a program of PROGRAMS (or any path) with np ranks; np 0: without launcher."""
    path = program if os.path.isabs(str(program)) else os.path.join(PROGRAMS, str(program))
    words, extra = wrap_ranks_only(launcher(np, *options), np, extra or {})
    return run([*words, path, *arguments], base_environment(**extra), cwd, timeout)


def mpirun_until(done, np, program, *arguments, extra, folder):
    """mpirun, ended as soon as done() is true: for programs that may block for ever."""
    words, extra = wrap_ranks_only(launcher(np), np, extra)
    words = [str(word) for word in (*words, os.path.join(PROGRAMS, str(program)), *arguments)]
    paths = folder / "stdout", folder / "stderr"
    with open(paths[0], "wb") as stdout, open(paths[1], "wb") as stderr:
        process = bounded.start(words, env=base_environment(**extra), cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
        try:
            for _ in bounded.moments(TIMEOUT, pause=0.3):
                if process.poll() is not None or done():
                    break
        finally:
            if process.poll() is None:
                bounded.end(process)
                process.wait()
    return Result(process.returncode, *map(bounded.read, paths))


def mpirun_on(hosts, np, program, *arguments, extra=None, cwd=None):
    """The same on simulated hosts (support/hosts.py), as many ranks on each."""
    path = program if os.path.isabs(str(program)) else os.path.join(PROGRAMS, str(program))
    extra = dict(extra or {})
    env = base_environment(**hosts.environment(extra.pop("LD_PRELOAD", "")), **extra)
    return run([*hosts.launcher(FLAVOUR, MPIEXEC, np), path, *arguments], env, cwd)


def run_folders(folder):
    """The run folders that recording() let appear, sorted."""
    return sorted((folder / "out").glob("*.callsign"))


def convert(run_folder):
    """Turns journals left behind into databases. A rank that its launcher has only just killed may need a moment to be gone."""
    for _ in bounded.moments(10):
        if not list(run_folder.glob("*.journal")):
            return
        result = run([COMMAND, "convert", run_folder])
        if result.code != 0:
            raise AssertionError(f"callsign convert {run_folder}: {result.stderr}")
    raise AssertionError(f"journals remain in {run_folder}: {result.stdout} {result.stderr}")


def databases(folder):
    """{pid: path} of all converted traces below folder."""
    found = {}
    for run_folder in run_folders(folder):
        convert(run_folder)
        for path in sorted(run_folder.glob("*.db")):
            with open_tables(path) as trace:
                found[trace.execute("SELECT pid FROM process").fetchone()[0]] = path
    return found


def read_facts(path):
    """The tab-separated lines that check_write() wrote, as {word: [fields, ...]}."""
    facts = {"calls": [], "bytes": [], "made": [], "freed": [], "traffic": [], "tag": [], "sql": [], "outcome": [], "skip": []}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        word, *fields = line.split("\t")
        facts[word].append(fields)
    return facts


def differences(what, said, recorded):
    """Lines about every key whose values differ."""
    for key in sorted(said.keys() | recorded.keys()):
        if said.get(key) != recorded.get(key):
            yield f"{what} {key}: the program says {said.get(key)}, the trace {recorded.get(key)}"


def compare_calls(trace, facts):
    said = {name: int(count) for name, count in facts["calls"]}
    recorded = dict(trace.execute("SELECT f.name, sum(calls) FROM profile JOIN function f USING (function) "
                                  "GROUP BY f.name HAVING sum(calls) > 0"))
    return differences("calls", said, recorded)


def compare_bytes(trace, facts):
    said = {(function, comm): (int(sent), int(received)) for function, comm, sent, received in facts["bytes"]
            if int(sent) or int(received)}
    recorded = {}
    for function, comm, sent, received in trace.execute(
            "SELECT f.name, CASE o.name_origin WHEN 'derived' THEN '' ELSE coalesce(o.name, '') END, sum(sent_bytes), sum(received_bytes) FROM profile p "
            "JOIN function f USING (function) LEFT JOIN object o ON o.object = p.communicator "
            "GROUP BY 1, 2 HAVING sum(sent_bytes) OR sum(received_bytes)"):
        recorded[(function, comm)] = (sent, received)
    return differences("bytes", said, recorded)


def compare_objects(trace, facts):
    for word, column, internal in (("made", "function", "AND internal IS NOT 1"), ("freed", "freed_function", "")):
        said = {(kind, function): int(count) for kind, function, count in facts[word]}
        recorded = {(kind, function): count for kind, function, count in trace.execute(
            f"SELECT kind, f.name, count(*) FROM object JOIN function f ON f.function = object.{column} "
            f"WHERE kind IN {FOLLOWED} {internal} GROUP BY 1, 2")}
        yield from differences(word, said, recorded)


def compare_messages(trace, facts):
    """For a program that counts its messages."""
    if not facts["traffic"]:
        return
    said = {(name, direction, *map(int, ranks)): (int(messages), int(size))
            for name, direction, *ranks, messages, size in facts["traffic"]}
    recorded = {tuple(key): (messages, size) for *key, messages, size in trace.execute(
        "SELECT o.name, direction, peer, coalesce(source, -1), coalesce(dest, -1), messages, bytes FROM traffic t JOIN object o USING (object) "
        "WHERE direction NOT LIKE '% unknown'")}
    yield from differences("messages", said, recorded)
    said = {(name, direction, int(tag), int(tag)): int(messages) for name, direction, tag, messages in facts["tag"]}
    recorded = {tuple(key): messages for *key, messages in trace.execute(
        "SELECT o.name, direction, tag, last_tag, sum(messages) FROM tag t JOIN object o ON o.object = t.communicator GROUP BY 1, 2, 3, 4")}
    yield from differences("tags", said, recorded)


def compare_sql(trace, facts):
    for (query,) in facts["sql"]:
        try:
            rows = trace.execute(query).fetchall()
        except sqlite3.Error as error:
            rows = str(error)
        if rows != [(1,)]:
            yield f"query answers {rows}: {query}"


def compare_outcome(trace, facts):
    outcome, lost = trace.execute("SELECT outcome, lost FROM process").fetchone()
    for (said,) in facts["outcome"]:
        if said != outcome:
            yield f"outcome: expected {said}, the trace says {outcome}"
    if lost:
        yield f"lost: {lost} facts or calls could not be recorded"


def compare_processors(trace, _):
    """Every call of a thread was made on some processor."""
    yield from differences("calls of thread", dict(trace.execute("SELECT thread, calls FROM thread WHERE calls")),
                           dict(trace.execute("SELECT thread, sum(calls) FROM thread_processor GROUP BY thread")))


COMPARISONS = {"calls": compare_calls, "bytes": compare_bytes, "objects": compare_objects, "messages": compare_messages,
               "sql": compare_sql, "outcome": compare_outcome, "processors": compare_processors}


def compare(folder, traces=None):
    """Everything that differs between the facts of a recorded run and its traces, as lines of text."""
    problems = []
    by_pid = databases(folder)
    files = sorted((folder / "facts").glob("facts.*"))
    if not files:
        problems.append("no process wrote its facts")
    if traces is not None and len(by_pid) != traces:
        problems.append(f"{len(by_pid)} traces instead of {traces}: {sorted(map(str, by_pid.values()))}")
    for file in files:
        pid = int(file.name.split(".")[1])
        if pid not in by_pid:
            problems.append(f"process {pid} left no trace")
            continue
        facts = read_facts(file)
        skipped = {what for (what,) in facts["skip"]}
        with (open_trace if facts["sql"] else open_tables)(by_pid[pid]) as trace:
            for what, comparison in COMPARISONS.items():
                if what not in skipped:
                    problems += [f"{by_pid[pid].name}: {line}" for line in comparison(trace, facts)]
    return problems


def unaffected(bare, recorded, message=None, cut_off=False):
    """What of the program's own behaviour callsign changed; and whether it kept silent (or spoke only of the expected).
    cut_off: the launcher ends the other ranks of the program. Whose exit code it tells is chance then: MPICH's answers
    MPI_Abort(MPI_COMM_SELF, 3) on one of two ranks with 3 or, one time in twelve, with 9 for the rank that it killed."""
    problems = []
    same = (bare.code != 0) == (recorded.code != 0) if cut_off else bare.code == recorded.code
    if not same:
        problems.append(f"exit code {bare.code} bare, {recorded.code} recorded; stderr: {recorded.stderr[-2000:]}")
    if bare.lines() != recorded.lines():
        gone = [line for line in bare.lines() if line not in recorded.lines()]
        new = [line for line in recorded.lines() if line not in bare.lines()]
        problems.append(f"stdout differs: without callsign only {gone[:5]}, with it only {new[:5]}")
    lines = set(recorded.messages())
    if message is None and lines:
        problems.append(f"callsign said: {sorted(lines)}")
    if message is not None and not (lines and all(re.search(message, line) for line in lines)):
        problems.append(f"expected a line like {message!r} and no other, callsign said: {sorted(lines)}; "
                        f"stderr: {recorded.stderr[-1000:]}")
    return problems


def figures_that_differ(run):
    """Where the screens of a recorded run show two values for one thing (support/figures.py). Sanitizers have no part in that."""
    if SANITIZER:
        return []
    import figures
    with workspace() as folder:
        return figures.Screens(COMMAND, run, folder, base_environment()).compare_all(tables=False)


def workspace():
    """A temporary folder that cleans up after itself: with workspace() as folder."""
    return Workspace()


class Workspace(tempfile.TemporaryDirectory):
    def __init__(self):
        super().__init__(prefix="callsign-test-")

    def __enter__(self):
        return pathlib.Path(super().__enter__())


def python_with(module):
    """A Python that can import the module: the one running, or the system's; None: neither."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and run([python, "-c", f"import {module}"]).code == 0:
            return python
    return None


def report(problems):
    """Prints the problems and returns an exit code."""
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0
