"""Records a real program and compares it with a bare run: the same exit code and the same numbers, a trace of every rank, a report
that prints, and no mismatch. Usage: real.py blacs | blacs_in_c | hpcc | lammps | mpi4py | quantum_espresso | rust | scalapack
Beside what harness.py takes from the environment:
    CS_TEST_MPICC       the MPI's compiler wrapper
    CS_TEST_MPI_PARTS   libraries that its programs are linked with beside its own, with : between"""

import json
import os
import pathlib
import re
import shutil
import sys

import harness
import otf2  # noqa: E402  (harness sets the path)
import perfetto  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
NOT_HERE = 77
# One thread per rank: the ranks alone are more than the processors here.
QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

HPCC_INPUT = """HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
100          Ns
1            # of NBs
32           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
2            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
"""


class Missing(Exception):
    """The program is not installed."""


class Hpcc:
    """The HPC Challenge suite: linear algebra, transposition, random access, Fourier transform. Times differ, residuals do not."""
    ranks = 4
    names = ["MPI_COMM_WORLD"]
    on_time_line = {"MPI_COMM_WORLD", "MPI_COMM_WORLD.split1[0]"}
    KEYS = ("HPL_N", "HPL_RnormI", "HPL_Anorm1", "HPL_AnormI", "HPL_Xnorm1", "HPL_XnormI", "HPL_BnormI", "PTRANS_residual",
            "PTRANS_n", "MPIRandomAccess_ErrorsFraction", "MPIRandomAccess_LCG_ErrorsFraction", "MPIFFT_N", "MPIFFT_maxErr",
            "CommWorldProcs", "Success")

    def command(self, folder):
        program = shutil.which("hpcc")
        if not program:
            raise Missing("hpcc (Debian: hpcc)")
        (folder / "hpccinf.txt").write_text(HPCC_INPUT, encoding="utf-8")
        return [program]

    def numbers(self, folder, _):
        text = (folder / "hpccoutf.txt").read_text(encoding="utf-8")
        (folder / "hpccoutf.txt").unlink()
        found = [line for line in text.splitlines() if line.split("=")[0] in self.KEYS]
        if len(found) != len(self.KEYS):
            raise SystemExit(f"the output of hpcc looks different: {found}")
        return found


LAMMPS_INPUT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 20
run 200
"""


class Lammps:
    """Molecular dynamics: messages between neighbors in each step."""
    ranks = 4
    names = ["MPI_COMM_WORLD"]
    on_time_line = {"MPI_COMM_WORLD", "MPI_COMM_WORLD.cart1"}

    def command(self, folder):
        program = shutil.which("lmp")
        if not program:
            raise Missing("LAMMPS (Debian: lammps)")
        (folder / "in.melt").write_text(LAMMPS_INPUT, encoding="utf-8")
        return [program, "-in", "in.melt", "-log", "none"]

    def numbers(self, _, result):
        found = [line for line in result.stdout.splitlines() if re.match(r" *\d+( +[-\d.e+]+){5} *$", line)]
        if len(found) != 11:
            raise SystemExit(f"the output of LAMMPS looks different: {result.stdout[-2000:]}")
        return found


class Mpi4py:
    """Python: loads MPI at run time, leaves objects to a finalizer that runs inside MPI_Finalize."""
    ranks = 2
    names = ["rows", "board"]

    # Which MPI a package of mpi4py is for; one for all MPIs, as its wheels are, takes the one that it is told.
    VENDOR = "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(MPI.get_vendor()[0])"
    VENDORS = {"openmpi": "Open MPI", "mpich": "MPICH"}

    def command(self, _):
        python = harness.python_with("mpi4py")
        if not python:
            raise Missing("mpi4py (Debian: python3-mpi4py)")
        self.environment = {"MPI4PY_LIBMPI": os.environ["CS_TEST_MPI"]}
        vendor = harness.run([python, "-c", self.VENDOR], harness.base_environment(**self.environment)).stdout.strip()
        if vendor != self.VENDORS[harness.FLAVOUR]:
            raise Missing(f"mpi4py for {self.VENDORS[harness.FLAVOUR]}: this one is for {vendor or 'none that works'}")
        return [python, HERE / "numbers.py"]

    def numbers(self, _, result):
        return result.lines()


def scalapack_test(name):
    """Path of a test program of ScaLAPACK for this MPI."""
    programs = sorted(pathlib.Path("/usr/lib").glob(f"*/scalapack/{harness.FLAVOUR}-tests/{name}"))
    if not programs:
        raise Missing(f"ScaLAPACK's tests for {harness.FLAVOUR} (Debian: scalapack-mpi-test)")
    return programs[0]


def problems_of_grids(trace, made_in):
    """A BLACS grid makes four communicators: of its processes, a duplicate, one for rows, one for columns. All made by functions of
    `made_in`, whose names are known, freed when the grid ends, and named after what they were made of."""
    rows = trace.execute("SELECT created_by, location, freed_location, name, name_origin FROM objects WHERE kind = 'communicator' AND library LIKE 'libscalapack%' "
                         "AND NOT internal").fetchall()
    made = {function: sum(row[0] == function for row in rows) for function in ("MPI_Comm_create", "MPI_Comm_dup", "MPI_Comm_split")}
    grids = made["MPI_Comm_create"]
    if not grids or made != {"MPI_Comm_create": grids, "MPI_Comm_dup": grids, "MPI_Comm_split": 2 * grids} or len(rows) != 4 * grids:
        yield f"communicators of BLACS grids: {made}, {len(rows)} together"
    for function, place, freed_location, name, origin in sorted(set(rows), key=str):
        if origin != "derived" or not re.search(r"\.(create\d+\[\d+\]|dup\d+|split\d+\[-?\d+\])$", name):
            yield f"{function} of a BLACS grid: named {name} by {origin}"
        if place.split(" in ")[0] not in made_in:
            yield f"{function} of a BLACS grid: made at {place}, not in one of {made_in}"
        if freed_location is not None and "blacs_gridexit" not in freed_location:
            yield f"{function} of a BLACS grid: freed at {freed_location}"


class Scalapack:
    """QR factorization by ScaLAPACK's own test program, over BLACS. After the sizes come two columns of times, then whether the
    residual is within bounds, and the residual."""
    ranks = 2  # MPICH spins: more ranks than processors take minutes
    names = ["MPI_COMM_WORLD"]

    def command(self, folder):
        shutil.copy(HERE / "QR.dat", folder / "QR.dat")
        return [scalapack_test("xdqr")]

    def numbers(self, _, result):
        lines = []
        for line in result.stdout.splitlines():
            words = line.split()
            if words and words[0] == "WALL":
                lines.append(" ".join(words[:7] + words[9:]))
            elif "tests" in words:
                lines.append(line)
        if not any("PASSED" in line for line in lines) or any("FAILED" in line for line in lines):
            raise SystemExit(f"the tests of ScaLAPACK do not pass by themselves: {lines[-5:]}")
        return lines

    def problems(self, trace):
        return problems_of_grids(trace, ("blacs_gridmap_", "BI_TransUserComm"))


class Blacs:
    """BLACS' own test program, in Fortran: point to point, broadcasts and combine operations of all types on two grids."""
    ranks = 2
    names = ["MPI_COMM_WORLD"]
    program = "xFbtest"
    made_in = ("blacs_gridmap_", "BI_TransUserComm")

    def command(self, folder):
        for path in (HERE / "blacs").iterdir():
            shutil.copy(path, folder)
        return [scalapack_test(self.program)]

    def numbers(self, _, result):
        lines = result.stdout.splitlines()
        if not any("NO FAILURES" in line for line in lines):
            raise SystemExit(f"the tests of BLACS do not pass by themselves: {lines[-5:]}")
        return lines

    def problems(self, trace):
        return problems_of_grids(trace, self.made_in)


class BlacsInC(Blacs):
    """The same tests of the C interface: a Fortran program on a C library."""
    program = "xCbtest"
    made_in = ("Cblacs_gridmap", "BI_TransUserComm")


class QuantumEspresso:
    """pw.x, a large program in Fortran: the electrons of a hydrogen molecule, with a pseudopotential that ld1.x makes first. Two by two
    processes diagonalize with ScaLAPACK."""
    ranks = 4
    names = ["MPI_COMM_WORLD"]
    INPUT = HERE / "quantum_espresso"

    def command(self, folder):
        pw, ld1 = shutil.which("pw.x"), shutil.which("ld1.x")
        if not pw or not ld1:
            raise Missing("pw.x and ld1.x (Debian: quantum-espresso)")
        made = harness.run([ld1, "-in", self.INPUT / "hydrogen.ld1"], harness.base_environment(**QUIET), folder)
        if made.code != 0 or not (folder / "H.UPF").exists():
            raise SystemExit(f"ld1.x makes no pseudopotential: {made.code} {made.stderr[-2000:]} {made.stdout[-2000:]}")
        return [pw, "-ndiag", "4", "-in", self.INPUT / "molecule.pw"]

    def numbers(self, _, result):
        lines = [line for line in result.stdout.splitlines() if not re.search("WALL|cpu time|starts on|terminated on", line)]
        if not any("convergence has been achieved" in line for line in lines) or not any("JOB DONE" in line for line in lines):
            raise SystemExit(f"pw.x does not converge by itself: {lines[-20:]}")
        return lines

    def problems(self, trace):
        yield from problems_of_grids(trace, ("blacs_gridmap_", "BI_TransUserComm"))
        calls, communicators, seconds = trace.execute("SELECT total(calls), count(*), total(seconds) FROM communicator_time "
                                                      "WHERE size IS NOT NULL").fetchone()
        if calls < 5000 or communicators < 10 or seconds <= 0:
            yield f"time by communicator: {calls} calls on {communicators} communicators, {seconds} s"


class Rust:
    """A program in Rust with a piece in C, built as rsmpi builds its: position-independent, all bound when it starts."""
    ranks = 2
    names = ["ring of rust"]

    def command(self, folder):
        rustc = shutil.which("rustc")
        if not rustc:
            raise Missing("rustc (Debian: rustc)")
        numbers = ["--cfg", "handles_are_numbers"] if harness.FLAVOUR == "mpich" else []
        mpi = pathlib.Path(os.environ["CS_TEST_MPI"])
        libraries = [mpi, *filter(None, os.environ["CS_TEST_MPI_PARTS"].split(":"))]
        for command in ([os.environ["CS_TEST_MPICC"], "-O2", "-g", "-c", HERE / "rust" / "shim.c", "-o", "shim.o"],
                        ["ar", "rcs", "libshim.a", "shim.o"],
                        [rustc, "-O", "-g", *numbers, "-L", folder, "-l", "static=shim", *(word for path in libraries for word in ("-C", f"link-arg={path}")),
                         "-C", f"link-arg=-Wl,-rpath,{mpi.parent}", "-o", "ring", HERE / "rust" / "main.rs"]):
            made = harness.run(command, cwd=folder)
            if made.code != 0:
                raise SystemExit(f"{command[0]} fails by itself: {made.stderr[-3000:]}")
        return [folder / "ring"]

    def numbers(self, _, result):
        return result.lines()

    def problems(self, trace):
        calls = dict(trace.execute("SELECT function, sum(calls) FROM calls GROUP BY 1"))
        expected = {"MPI_Init": 1, "MPI_Comm_rank": 1, "MPI_Comm_size": 1, "MPI_Wtime": 2, "MPI_Comm_dup": 1, "MPI_Comm_set_name": 1, "MPI_Allreduce": 10,
                    "MPI_Send": 1, "MPI_Recv": 1, "MPI_Comm_free": 1, "MPI_Finalize": 1}
        yield from harness.differences("calls", expected, calls)
        [(place,)] = trace.execute("SELECT location FROM call_times c JOIN sites USING (site) WHERE c.name = 'MPI_Recv'")
        if "pass_on" not in place or "main.rs" not in place:
            yield f"MPI_Recv was called from {place}"


PROGRAMS = {"blacs": Blacs, "blacs_in_c": BlacsInC, "hpcc": Hpcc, "lammps": Lammps, "mpi4py": Mpi4py, "quantum_espresso": QuantumEspresso,
            "rust": Rust, "scalapack": Scalapack}


def check_traces(folder, program):
    """A finalized trace of every rank, with calls, times and the communicators and windows that the program named."""
    problems = []
    found = harness.databases(folder)
    if len(found) != program.ranks:
        problems.append(f"{len(found)} traces instead of {program.ranks}")
    for path in found.values():
        with harness.open_trace(path) as trace:
            outcome, lost, mpi_ns = trace.execute("SELECT outcome, lost, mpi_ns FROM process").fetchone()
            if outcome != "finalized" or lost or not mpi_ns:
                problems.append(f"{path.name}: outcome {outcome}, lost {lost}, {mpi_ns} ns in MPI")
            calls, sent = trace.execute("SELECT total(calls), total(sent_bytes) FROM profile").fetchone()
            if calls < 10 or sent == 0:
                problems.append(f"{path.name}: {calls} calls, {sent} bytes sent")
            for name in program.names:
                if trace.execute("SELECT count(*) FROM object WHERE name = ?", (name,)).fetchone()[0] == 0:
                    problems.append(f"{path.name}: no object is named {name}")
            if hasattr(program, "problems"):
                problems += [f"{path.name}: {line}" for line in program.problems(trace)]
    return problems


def check_messages(folder):
    """On each communicator, each process's sent messages equal the other's received messages."""
    (run,) = harness.run_folders(folder)
    answer = harness.run([harness.COMMAND, "query", "--format", "json", run, "SELECT * FROM traffic_pairs WHERE transfer = 'message'"])
    if answer.code != 0 or answer.stderr:
        return [f"callsign query: exit code {answer.code}, {answer.stderr}"]
    rows = json.loads(answer.stdout)
    problems = [] if any(row["received_bytes"] and row["source"] != row["dest"] for row in rows) else ["no messages between processes"]
    for row in rows:
        sent, received = (row["sent_messages"], row["sent_bytes"]), (row["received_messages"], row["received_bytes"])
        if row["partner"] not in (None, "MPI_PROC_NULL") or row["partner"] is None and sent != received:
            problems.append(f"messages from {row['source']} to {row['dest']} ({row['partner']}) on {row['communicator']}: sent {sent}, received {received}")
    return problems


def check_accuses_nobody(folder):
    """These programs are correct."""
    (run,) = harness.run_folders(folder)
    result = harness.run([harness.COMMAND, "check", run])
    return [f"callsign check: exit code {result.code}, {result.stderr} {result.stdout}"] if result.code != 0 or result.stderr else []


def check_time_line(folder, names):
    """Perfetto and OTF2 get all calls, with these communicators by name; arrows have two ends."""
    (run,) = harness.run_folders(folder)
    answer = harness.run([harness.COMMAND, "query", "--format", "json", run, "SELECT count(*) AS events FROM event"])
    events = json.loads(answer.stdout)[0]["events"]
    problems = []
    done = harness.run([harness.COMMAND, "export", run, "--perfetto", folder / "perfetto"])
    if done.code != 0 or done.stderr:
        return [f"callsign export --perfetto: exit code {done.code}, {done.stderr}"]
    trace = perfetto.Trace((folder / "perfetto").read_bytes())
    calls = [each for each in trace.slices if trace.tracks[trace.tracks[each.track][0]][1] != "communicators"]
    missing = names - {each.notes.get("communicator") for each in calls}
    if len(calls) != events or missing or not trace.flows or any(len(ends) != 2 for ends in trace.flows.values()):
        problems.append(f"Perfetto: {len(calls)} of {events} calls, {len(trace.flows)} messages, without {missing}")
    done = harness.run([harness.COMMAND, "export", run, "--otf2", folder / "otf2"])
    if "needs libotf2" in done.stderr or not otf2.is_here():
        print("NO OTF2 TRACE WAS READ: there is no libotf2, or no otf2-print", file=sys.stderr)
    elif done.code != 0 or done.stderr:
        problems.append(f"callsign export --otf2: exit code {done.code}, {done.stderr}")
    else:
        found = otf2.events(folder / "otf2/traces.otf2")
        entered = sum(each.kind == "ENTER" for each in found)
        missing = names - {each.values.get("object") for each in found}
        if entered != events or missing:
            problems.append(f"OTF2: {entered} of {events} calls, without {missing}")
    return problems


def check_report(folder):
    (run,) = harness.run_folders(folder)
    result = harness.run([harness.COMMAND, "report", run])
    if result.code != 0 or result.stderr or "MPI_COMM_WORLD" not in result.stdout:
        return [f"callsign report: exit code {result.code}, {result.stderr} {result.stdout[:2000]}"]
    return []


def main():
    program = PROGRAMS[sys.argv[1]]()
    with harness.workspace() as folder:
        try:
            command = program.command(folder)
        except Missing as missing:
            print(f"SKIPPED: not installed: {missing}", file=sys.stderr)
            raise SystemExit(NOT_HERE) from None
        environment = {**QUIET, **getattr(program, "environment", {})}
        bare = harness.mpirun(program.ranks, *command, cwd=folder, extra=environment)
        if bare.code != 0:
            raise SystemExit(f"the program fails by itself: {bare.code} {bare.stderr[-2000:]}")
        expected = program.numbers(folder, bare)
        recorded = harness.mpirun(program.ranks, *command, cwd=folder, extra={
            **environment, **harness.recording(folder), **({"CALLSIGN_EVENTS": "all"} if hasattr(program, "on_time_line") else {})})
        problems = []
        if recorded.code != 0 or recorded.messages():
            problems.append(f"recorded: exit code {recorded.code}, {recorded.messages()}, {recorded.stderr[-2000:]}")
        else:
            numbers = program.numbers(folder, recorded)
            problems += [f"bare {old!r}, recorded {new!r}" for old, new in zip(expected, numbers) if old != new]
            if len(expected) != len(numbers):
                problems.append(f"{len(expected)} lines of numbers bare, {len(numbers)} recorded")
            problems += check_report(folder)  # which finds out what functions the places are in
            problems += check_traces(folder, program)
            problems += check_messages(folder)
            problems += check_accuses_nobody(folder)
            if hasattr(program, "on_time_line"):
                problems += check_time_line(folder, program.on_time_line)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
