"""Records a real program and compares it with a bare run: the same exit code and the same numbers, a trace of every rank, and a report
that prints. Usage: real.py hpcc | mpi4py | scalapack"""

import pathlib
import shutil
import sys

import harness

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


class Mpi4py:
    """Python: loads MPI at run time, leaves objects to a finalizer that runs inside MPI_Finalize."""
    ranks = 2
    names = ["rows", "board"]

    def command(self, _):
        python = harness.python_with("mpi4py")
        if not python:
            raise Missing("mpi4py (Debian: python3-mpi4py)")
        return [python, HERE / "numbers.py"]

    def numbers(self, _, result):
        return result.lines()


class Scalapack:
    """QR factorization by ScaLAPACK's own test program, over BLACS. After the sizes come two columns of times, then whether the
    residual is within bounds, and the residual."""
    ranks = 2  # MPICH spins: more ranks than processors take minutes
    names = ["MPI_COMM_WORLD"]

    def command(self, folder):
        programs = sorted(pathlib.Path("/usr/lib").glob(f"*/scalapack/{harness.FLAVOUR}-tests/xdqr"))
        if not programs:
            raise Missing(f"ScaLAPACK's tests for {harness.FLAVOUR} (Debian: scalapack-mpi-test)")
        shutil.copy(HERE / "QR.dat", folder / "QR.dat")
        return [programs[0]]

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


PROGRAMS = {"hpcc": Hpcc, "mpi4py": Mpi4py, "scalapack": Scalapack}


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
        bare = harness.mpirun(program.ranks, *command, cwd=folder, extra=QUIET)
        if bare.code != 0:
            raise SystemExit(f"the program fails by itself: {bare.code} {bare.stderr[-2000:]}")
        expected = program.numbers(folder, bare)
        recorded = harness.mpirun(program.ranks, *command, cwd=folder, extra={**QUIET, **harness.recording(folder)})
        problems = []
        if recorded.code != 0 or recorded.messages():
            problems.append(f"recorded: exit code {recorded.code}, {recorded.messages()}, {recorded.stderr[-2000:]}")
        else:
            numbers = program.numbers(folder, recorded)
            problems += [f"bare {old!r}, recorded {new!r}" for old, new in zip(expected, numbers) if old != new]
            if len(expected) != len(numbers):
                problems.append(f"{len(expected)} lines of numbers bare, {len(numbers)} recorded")
            problems += check_traces(folder, program) + check_report(folder)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
